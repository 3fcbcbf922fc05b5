#include "axi_memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/image.h"
#include "random_numbers.h"

#define LINE_BYTES 32u
#define MAX_UNDER_WAY 64u
#define MAX_BEATS 16u
#define BURST_INCR 1u

enum response { OKAY = 0, SLVERR = 2, DECERR = 3 };

struct burst {
    bool write;
    bool performed;
    uint32_t id, addr, beats;
    uint64_t order;  // of the address handshake
    uint64_t due;    // cycle from which the answer may go
    uint32_t beats_in, beats_out;
    uint32_t response;
    uint8_t data[MAX_BEATS * AXI_MEMORY_WORDS * 4];
    bool strobe[MAX_BEATS * AXI_MEMORY_WORDS * 4];
};

struct axi_memory {
    uint8_t *bytes;
    size_t size;
    struct axi_memory_options options;
    uint64_t random;
    struct axi_memory_out out;
    struct axi_memory_in last;  // what the master drove in the cycle before, to see that valid is kept
    bool last_valid;

    // Bursts under way, in order of their address handshakes.
    struct burst burst[MAX_UNDER_WAY];
    uint32_t count;
    uint64_t next_order;
    // Write data that came before its address.
    struct burst early;
    uint32_t early_beats;
    bool early_full;

    uint64_t answer_r, answer_b;  // order of the burst whose beat stands on R and on B
    uint64_t cycles;
    char error[200];
};

static uint32_t below(struct axi_memory *memory, uint32_t n) {
    return random_below(&memory->random, n);
}

static bool held_back(struct axi_memory *memory) {
    return memory->options.backpressure != 0 && below(memory, 100) < memory->options.backpressure;
}

// Keeps the first broken rule.
__attribute__((format(printf, 2, 3))) static void broken(struct axi_memory *memory, const char *format, ...) {
    if (memory->error[0] != '\0') return;
    int used = snprintf(memory->error, sizeof memory->error,
                        "AXI rule broken in cycle %llu: ", (unsigned long long)memory->cycles);
    va_list list;
    va_start(list, format);
    vsnprintf(memory->error + used, sizeof memory->error - (size_t)used, format, list);
    va_end(list);
}

static uint32_t bus_bytes(const struct axi_memory *memory) {
    return memory->options.data_width / 8;
}

static uint32_t burst_bytes(const struct axi_memory *memory, const struct burst *burst) {
    return burst->beats * bus_bytes(memory);
}

static bool overlaps(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size) {
    return a < b + b_size && b < a + a_size;
}

// Do the lines of the burst meet the lines of [addr, addr + size)?
static bool same_line(const struct axi_memory *memory, const struct burst *burst, uint64_t addr, uint64_t size) {
    const uint64_t from = addr / LINE_BYTES * LINE_BYTES;
    const uint64_t to = (addr + size + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    const uint64_t at = burst->addr / LINE_BYTES * LINE_BYTES;
    const uint64_t end =
        ((uint64_t)burst->addr + burst_bytes(memory, burst) + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    return overlaps(from, to - from, at, end - at);
}

// A write can be performed only when its data is here.
static bool complete(const struct burst *burst) {
    return !burst->write || burst->beats_in == burst->beats;
}

static uint32_t response_to(const struct axi_memory *memory, const struct burst *burst) {
    const struct axi_memory_options *options = &memory->options;
    const uint32_t size = burst_bytes(memory, burst);
    if ((uint64_t)burst->addr + size > memory->size) return DECERR;
    if (options->error_size == 0 || (options->error_writes_only && !burst->write)) return OKAY;
    return overlaps(burst->addr, size, options->error_base, options->error_size) ? SLVERR : OKAY;
}

static void perform(struct axi_memory *memory, struct burst *burst) {
    if (burst->performed || !complete(burst)) return;
    burst->performed = true;
    const uint32_t size = burst_bytes(memory, burst);
    burst->response = response_to(memory, burst);
    if (burst->response != OKAY) return;
    const struct memory_outside *outside = memory->options.outside;
    if (outside != NULL) {
        const bool good = burst->write
                              ? outside->write_burst(outside->context, burst->addr, burst->data, burst->strobe, size)
                              : outside->read_burst(outside->context, burst->addr, burst->data, size);
        if (!good) burst->response = SLVERR;
        return;
    }
    for (uint32_t i = 0; i < size; i++) {
        if (!burst->write) {
            burst->data[i] = memory->bytes[burst->addr + i];
        } else if (burst->strobe[i]) {
            memory->bytes[burst->addr + i] = burst->data[i];
        }
    }
}

static void forget(struct axi_memory *memory, uint64_t order) {
    for (uint32_t i = 0; i < memory->count; i++) {
        if (memory->burst[i].order == order) {
            memory->count--;
            memmove(&memory->burst[i], &memory->burst[i + 1], (memory->count - i) * sizeof memory->burst[0]);
            return;
        }
    }
}

// ---- the clock edge: what the master hands over ----
static void check_kept(struct axi_memory *memory, const struct axi_memory_in *in) {
    const struct axi_memory_in *last = &memory->last;
    if (!memory->last_valid) return;
    // `last` was driven in the cycle before and, where still marked valid, not taken.
    if (last->arvalid &&
        (!in->arvalid || in->araddr != last->araddr || in->arid != last->arid || in->arlen != last->arlen))
        broken(memory, "AR changed before ARREADY (address 0x%x)", last->araddr);
    if (last->awvalid &&
        (!in->awvalid || in->awaddr != last->awaddr || in->awid != last->awid || in->awlen != last->awlen))
        broken(memory, "AW changed before AWREADY (address 0x%x)", last->awaddr);
    if (last->wvalid && (!in->wvalid || in->wstrb != last->wstrb || in->wlast != last->wlast ||
                         memcmp(in->wdata, last->wdata, bus_bytes(memory)) != 0))
        broken(memory, "W changed before WREADY");
}

static struct burst *take_address(struct axi_memory *memory, bool write, uint32_t id, uint32_t addr, uint32_t len,
                                  uint32_t size, uint32_t type) {
    const char *channel = write ? "AW" : "AR";
    struct burst *burst = &memory->burst[memory->count];
    memset(burst, 0, sizeof *burst);
    burst->write = write;
    burst->id = id;
    burst->addr = addr;
    burst->beats = len + 1;
    burst->order = memory->next_order++;
    if (burst->beats > MAX_BEATS || type != BURST_INCR || (1u << size) != bus_bytes(memory) ||
        addr % bus_bytes(memory) != 0 || addr / 4096 != (addr + burst->beats * bus_bytes(memory) - 1) / 4096) {
        broken(memory, "%s with address 0x%x, len %u, size %u, burst %u is not a burst this memory knows", channel,
               addr, len, size, type);
        burst->beats = 1;
        burst->addr = addr / bus_bytes(memory) * bus_bytes(memory);
    }
    for (uint32_t i = 0; i < memory->count; i++) {
        const struct burst *other = &memory->burst[i];
        if ((write || other->write) && same_line(memory, other, addr, burst_bytes(memory, burst)))
            broken(memory, "%s of address 0x%x while a %s of that line is under way", channel, addr,
                   other->write ? "write" : "read");
    }
    const uint32_t mean = memory->options.latency;
    burst->due = memory->cycles + mean / 2 + (mean == 0 ? 0 : below(memory, mean + 1));
    memory->count++;
    return burst;
}

static struct burst *oldest_unfilled_write(struct axi_memory *memory) {
    for (uint32_t i = 0; i < memory->count; i++) {
        if (memory->burst[i].write && !complete(&memory->burst[i])) return &memory->burst[i];
    }
    return NULL;
}

static void take_beat(struct axi_memory *memory, const struct axi_memory_in *in) {
    struct burst *burst = oldest_unfilled_write(memory);
    if (burst == NULL) burst = &memory->early;
    if (burst->beats_in == MAX_BEATS) {
        broken(memory, "more than %u W beats in a burst", MAX_BEATS);
        return;
    }
    const uint32_t width = bus_bytes(memory), at = burst->beats_in * width;
    memcpy(burst->data + at, in->wdata, width);
    for (uint32_t b = 0; b < width; b++)
        burst->strobe[at + b] = (in->wstrb >> b & 1) != 0;
    burst->beats_in++;
    if (burst == &memory->early) {
        if (in->wlast) memory->early_full = true;
    } else if (in->wlast != complete(burst)) {
        broken(memory, "WLAST is %d in beat %u of %u of the burst at 0x%x", in->wlast, burst->beats_in, burst->beats,
               burst->addr);
    }
}

// Data that came first joins its address.
static void join_early(struct axi_memory *memory, struct burst *burst) {
    if (memory->early.beats_in == 0) return;
    memcpy(burst->data, memory->early.data, sizeof burst->data);
    memcpy(burst->strobe, memory->early.strobe, sizeof burst->strobe);
    burst->beats_in = memory->early.beats_in;
    if (burst->beats_in > burst->beats || memory->early_full != complete(burst)) {
        broken(memory, "WLAST does not fit AWLEN of the burst at 0x%x", burst->addr);
        burst->beats_in = burst->beats;
    }
    memory->early.beats_in = 0;
    memory->early_full = false;
}

// ---- the clock edge: what the memory drives next ----
// An answer keeps the order of its ID: it may go only when no older burst of the same ID and direction is left.
static bool may_answer(const struct axi_memory *memory, const struct burst *burst) {
    if (!complete(burst) || memory->cycles < burst->due) return false;
    for (uint32_t i = 0; i < memory->count; i++) {
        const struct burst *other = &memory->burst[i];
        if (other->order >= burst->order) break;
        if (other->write == burst->write && (other->id == burst->id || !memory->options.reorder)) return false;
    }
    return true;
}

// One of the bursts that may answer, at random where they may overtake each other; NULL: none.
static struct burst *choose(struct axi_memory *memory, bool write) {
    struct burst *chosen = NULL;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < memory->count; i++) {
        struct burst *burst = &memory->burst[i];
        if (burst->write == write && may_answer(memory, burst) && below(memory, ++seen) == 0) chosen = burst;
    }
    return chosen;
}

static void drive_b(struct axi_memory *memory) {
    struct axi_memory_out *out = &memory->out;
    if (out->bvalid) return;
    struct burst *burst = held_back(memory) ? NULL : choose(memory, true);
    if (burst == NULL) return;
    perform(memory, burst);
    out->bvalid = true;
    out->bid = burst->id;
    out->bresp = burst->response;
    memory->answer_b = burst->order;
}

static void drive_r(struct axi_memory *memory) {
    struct axi_memory_out *out = &memory->out;
    if (out->rvalid) return;
    struct burst *burst = held_back(memory) ? NULL : choose(memory, false);
    if (burst == NULL) return;
    perform(memory, burst);
    out->rvalid = true;
    out->rid = burst->id;
    memset(out->rdata, 0, sizeof out->rdata);
    if (burst->response == OKAY) {
        memcpy(out->rdata, burst->data + burst->beats_out * bus_bytes(memory), bus_bytes(memory));
    }
    out->rresp = burst->response;
    burst->beats_out++;
    out->rlast = burst->beats_out == burst->beats;
    memory->answer_r = burst->order;
}

static void drive_ready(struct axi_memory *memory) {
    struct axi_memory_out *out = &memory->out;
    // Room for one of each more, since both may be taken in one cycle.
    const bool room = memory->count + 2 <= MAX_UNDER_WAY;
    out->arready = room && !held_back(memory);
    out->awready = room && !held_back(memory);
    out->wready = !memory->early_full && !held_back(memory);
}

void axi_memory_clock(struct axi_memory *memory, const struct axi_memory_in *in) {
    struct axi_memory_out *out = &memory->out;
    check_kept(memory, in);
    if (out->bvalid && in->bready) {
        forget(memory, memory->answer_b);
        out->bvalid = false;
    }
    if (out->rvalid && in->rready) {
        if (out->rlast) forget(memory, memory->answer_r);
        out->rvalid = false;
    }
    memory->last = *in;
    memory->last_valid = true;
    if (in->arvalid && out->arready) {
        take_address(memory, false, in->arid, in->araddr, in->arlen, in->arsize, in->arburst);
        memory->last.arvalid = false;
    }
    if (in->awvalid && out->awready) {
        struct burst *burst = take_address(memory, true, in->awid, in->awaddr, in->awlen, in->awsize, in->awburst);
        memory->last.awvalid = false;
        if (burst != NULL && oldest_unfilled_write(memory) == burst) join_early(memory, burst);
    }
    if (in->wvalid && out->wready) {
        take_beat(memory, in);
        memory->last.wvalid = false;
    }
    memory->cycles++;
    drive_b(memory);
    drive_r(memory);
    drive_ready(memory);
}

// ---- the CPU's side, and the rest ----
void axi_memory_settle(struct axi_memory *memory) {
    for (uint32_t i = 0; i < memory->count; i++)
        perform(memory, &memory->burst[i]);
}

void axi_memory_set_errors(struct axi_memory *memory, uint64_t base, uint64_t size, bool writes_only) {
    axi_memory_settle(memory);
    memory->options.error_base = base;
    memory->options.error_size = size;
    memory->options.error_writes_only = writes_only;
}

bool axi_memory_failing(const struct axi_memory *memory) {
    for (uint32_t i = 0; i < memory->count; i++) {
        const struct burst *burst = &memory->burst[i];
        if (burst->write && (burst->performed ? burst->response : response_to(memory, burst)) != OKAY) return true;
    }
    return false;
}

static bool cpu_reaches(struct axi_memory *memory, uint64_t addr, size_t size) {
    if (addr > memory->size || size > memory->size - addr) return false;
    for (uint32_t i = 0; i < memory->count; i++) {
        struct burst *burst = &memory->burst[i];
        if (size != 0 && !burst->performed && same_line(memory, burst, addr, size)) perform(memory, burst);
    }
    return true;
}

bool axi_memory_cpu_read(struct axi_memory *memory, uint64_t addr, void *to, size_t size) {
    if (!cpu_reaches(memory, addr, size)) return false;
    const struct memory_outside *outside = memory->options.outside;
    if (size != 0 && outside != NULL) {
        outside->read(outside->context, addr, to, size);
    } else if (size != 0) {
        memcpy(to, memory->bytes + addr, size);
    }
    return true;
}

bool axi_memory_cpu_write(struct axi_memory *memory, uint64_t addr, const void *from, size_t size) {
    if (!cpu_reaches(memory, addr, size)) return false;
    const struct memory_outside *outside = memory->options.outside;
    if (size != 0 && outside != NULL) {
        outside->write(outside->context, addr, from, size);
    } else if (size != 0) {
        memcpy(memory->bytes + addr, from, size);
    }
    return true;
}

void axi_memory_reset(struct axi_memory *memory) {
    axi_memory_settle(memory);
    memory->count = 0;
    memory->early.beats_in = 0;
    memory->early_full = false;
    memory->last_valid = false;
    memset(&memory->out, 0, sizeof memory->out);
}

struct axi_memory *axi_memory_create(size_t bytes, const struct axi_memory_options *options) {
    const uint32_t width = options->data_width;
    if ((width != 32 && width != 64 && width != 128 && width != 256) || options->backpressure > 90) return NULL;
    struct axi_memory *memory = calloc(1, sizeof *memory);
    if (memory == NULL) return NULL;
    memory->bytes = options->outside != NULL ? options->outside->bytes : calloc(1, bytes != 0 ? bytes : 1);
    if (memory->bytes == NULL) {
        free(memory);
        return NULL;
    }
    memory->size = bytes;
    memory->options = *options;
    memory->random = options->seed;
    return memory;
}

void axi_memory_destroy(struct axi_memory *memory) {
    if (memory == NULL) return;
    if (memory->options.outside == NULL) free(memory->bytes);
    free(memory);
}

void axi_memory_image(struct axi_memory *memory, struct image *image) {
    struct axi_memory copy = *memory;
    copy.bytes = NULL;
    image->failed |= memory->options.outside != NULL;
    image_part(image, &copy, sizeof copy);
    image_must(image, copy.size == memory->size && copy.count <= MAX_UNDER_WAY);
    if (image->failed) return;
    copy.bytes = memory->bytes;
    *memory = copy;
    image_memory(image, memory->bytes, memory->size);
}

const struct axi_memory_out *axi_memory_out(const struct axi_memory *memory) {
    return &memory->out;
}

uint8_t *axi_memory_bytes(struct axi_memory *memory) {
    return memory->bytes;
}

bool axi_memory_idle(const struct axi_memory *memory) {
    return memory->count == 0 && memory->early.beats_in == 0;
}

const char *axi_memory_error(const struct axi_memory *memory) {
    return memory->error[0] != '\0' ? memory->error : NULL;
}
