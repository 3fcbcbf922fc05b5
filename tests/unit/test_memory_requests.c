// Requests to the model's memory, alone and in tandem, and errors of the memory, held against their rules said once
// more: random requests of several ports, in spaces that overlap and reach past the memory, on memory of the model's
// own and on memory that is given; what is taken back, told and noted.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/seed.h"
#include "gen/isa.h"
#include "gen/registers.h"
#include "mem/mem_internal.h"
#include "random_numbers.h"

#define MEMORY 0x800u
#define LINE 32u
#define LAPS 40u
#define TURNS 500u
#define KEPT 32u        // requests of a port whose answers may come
#define ATOMICS 16384u  // atomics whose write-back may fail
#define ALL_PORTS 52u

static uint64_t seed;
static struct run run;
static struct mem *mem;
static struct mem_space space[2];
static uint8_t wanted[MEMORY], given[MEMORY];
static struct trace_event emitted[4];
static uint32_t emits;
static struct fault_report told, must_tell;
static uint64_t error_base, error_size, end;
static bool error_writes_only, reached_by_functions;

// What has been performed in tandem, of each port and of atomics: the rules' memory.
static struct done {
    struct mem_request request;
    struct mem_note note;
    uint64_t physical;
    uint32_t fault;
    bool told;
    uint8_t before[LINE];
} * done[ALL_PORTS];
static uint32_t done_count[ALL_PORTS];
static struct atomic {
    uint64_t physical;
    uint32_t old, channel, addr;
} * atomics;
static uint32_t atomic_count;

static uint32_t below(uint32_t n) {
    return random_below(&seed, n);
}
static bool one_of(uint32_t n) {
    return below(n) == 0;
}

static void take_event(void *context, const struct trace_event *event) {
    (void)context;
    cr_assert_lt(emits, 4);
    emitted[emits++] = *event;
}
static void take_fault(void *context, const struct fault_report *fault) {
    cr_assert_eq(context, &told);
    told = *fault;
}
static void read_given(void *context, uint64_t addr, void *to, size_t size) {
    cr_assert(context == given && addr <= MEMORY && size <= MEMORY - addr);
    memcpy(to, given + addr, size);
}
static void write_given(void *context, uint64_t addr, const void *from, size_t size) {
    cr_assert(context == given && addr <= MEMORY && size <= MEMORY - addr);
    memcpy(given + addr, from, size);
}

static const struct memory_given by_functions = {.context = given, .read = read_given, .write = write_given};

static void open_memory(bool following) {
    static bool seeded;
    if (!seeded) {
        seeded = true;
        seed = seed_from_environment();
        fprintf(stderr, "TANDEM_SEED=%" PRIu64 "\n", seed);
    }
    run_init(&run, ppu_config_find("nano"), 1);
    run.following = following;
    run.sink = take_event;
    const uint32_t kind = below(3);
    const struct memory_given bytes = {.bytes = given};
    reached_by_functions = kind == 2;
    mem = mem_create(&run, MEMORY, kind == 0 ? NULL : kind == 1 ? &bytes : &by_functions);
    cr_assert_not_null(mem);
    cr_assert_eq(mem_size(mem), MEMORY);
    mem_connect(mem, &(struct mem_wires){.space = space, .fault = take_fault, .context = &told});
    for (uint32_t i = 0; i < MEMORY; i += 4)
        memcpy(&wanted[i], &(uint32_t){(uint32_t)random_bits(&seed)}, 4);
    mem_put(mem, 0, wanted, MEMORY);
    space[0] = (struct mem_space){.base = 0, .size = 0x400};
    space[1] = (struct mem_space){.base = 0x200, .size = 0x1000};  // past the memory
    end = UINT64_C(0x100000000);
    error_size = 0;
    atomic_count = 0;
    atomics = calloc(2 * ATOMICS, sizeof *atomics);
    for (uint32_t p = 0; p < ALL_PORTS; p++) {
        done[p] = calloc(3 * TURNS, sizeof *done[p]);
        done_count[p] = 0;
        cr_assert_not_null(done[p]);
    }
    emits = 0;
    must_tell = told = (struct fault_report){.channel = 99};
}

static void close_memory(void) {
    for (uint32_t p = 0; p < ALL_PORTS; p++)
        free(done[p]);
    free(atomics);
    mem_destroy(mem);
}

static void check(void) {
    uint8_t is[MEMORY];
    mem_get(mem, 0, is, MEMORY);
    cr_assert_eq(memcmp(is, wanted, MEMORY), 0);
    cr_assert_eq(memcmp(&told, &must_tell, sizeof told), 0);
    if (reached_by_functions) cr_assert_null(mem_bytes(mem));
}

// ---- the rules
static bool translate(const struct mem_request *request, uint32_t size, uint64_t *physical) {
    const bool whole = request->channel == MEM_PHYSICAL;
    *physical = (whole ? 0 : (uint64_t)space[request->channel].base) + request->addr;
    return (whole || (uint64_t)request->addr + size <= space[request->channel].size) && *physical + size <= end;
}

static bool fails(enum mem_op op, uint64_t physical, uint32_t size) {
    if (physical + size > MEMORY) return true;
    if (run.following || error_size == 0 || (error_writes_only && op != MEM_WRITE)) return false;
    return physical + size > error_base && physical < error_base + error_size;
}

static void random_request(struct mem_request *request) {
    memset(request, 0, sizeof *request);
    request->op = (enum mem_op)below(3);
    request->channel = one_of(4) ? MEM_PHYSICAL : below(2);
    const uint32_t lines = request->channel == 0 ? 0x440 / LINE : 0x840 / LINE;
    request->addr = LINE * (one_of(2) ? 8 + below(4) : below(lines));
    if (request->channel == 0) request->addr += one_of(2) && request->addr < 0x200 ? 0x200 : 0;
    if (request->op == MEM_ATOMIC) request->addr += 4 * below(8);
    request->atom = one_of(3) ? ATOM_CAS : ATOM_ADD;
    request->wstrb = one_of(4) ? UINT32_MAX : (uint32_t)random_bits(&seed);
    if (request->channel != 0 && one_of(8))
        request->addr = 0x1000 - LINE * below(3) - (request->channel == 1 ? 0x200 : 0);
    for (uint32_t b = 0; b < LINE; b++)
        request->wdata[b] = (uint8_t)below(256);
    uint64_t at;
    if (one_of(2) && translate(request, 4, &at) && at < MEMORY) memcpy(request->wdata, &wanted[at], 4);
}

// Performed: wanted, and the answer. True: an atomic that is lost.
static bool performs(const struct mem_request *request, struct mem_response *answer, struct done *record) {
    const uint32_t size = request->op == MEM_ATOMIC ? 4 : LINE;
    uint64_t physical;
    memset(answer, 0, sizeof *answer);
    answer->order = run.counters.memory_requests + 1;
    if (!translate(request, size, &physical)) {
        answer->fault = ANSWER_OUTSIDE;
        return false;
    }
    record->physical = physical;
    if (fails(request->op, physical, size)) {
        answer->fault = ANSWER_BUS_ERROR;
        return false;
    }
    uint8_t *at = &wanted[physical];
    memcpy(record->before, at, size);
    if (request->op == MEM_READ) memcpy(answer->data, at, LINE);
    for (uint32_t b = 0; b < LINE && request->op == MEM_WRITE; b++) {
        if ((request->wstrb & 1u << b) != 0) at[b] = request->wdata[b];
    }
    if (request->op != MEM_ATOMIC) return false;
    uint32_t old, words[2];
    memcpy(&old, at, 4);
    memcpy(words, request->wdata, 8);
    memcpy(answer->data, &old, 4);
    if (fails(MEM_WRITE, physical, 4)) {
        must_tell = (struct fault_report){.channel = request->channel, .code = FAULT_BUS_ERROR};
        must_tell.info = request->addr / LINE * LINE;
        return true;
    }
    const uint32_t next = request->atom == ATOM_ADD ? old + words[0] : old == words[0] ? words[1] : old;
    memcpy(at, &next, 4);
    return false;
}

static struct trace_event event_of(const struct mem_request *request, uint32_t port, uint32_t fault) {
    struct trace_event event;
    memset(&event, 0, sizeof event);
    event.kind = TRACE_PERFORM;
    event.cycle = run.cycles;
    event.perform.port = port;
    event.perform.op = request->op;
    event.perform.channel = request->channel;
    event.perform.addr = request->addr;
    event.perform.fault = fault == ANSWER_OUTSIDE;
    if (request->op == MEM_WRITE) event.perform.wstrb = request->wstrb;
    for (uint32_t b = 0; b < LINE; b++) {
        if (request->op == MEM_ATOMIC ? b < 8 : (event.perform.wstrb & 1u << b) != 0)
            event.perform.wdata[b] = request->wdata[b];
    }
    return event;
}

static void check_same(const struct trace_event *is, const struct trace_event *must) {
    cr_assert_eq(is->kind, must->kind);
    cr_assert_eq(memcmp(is, must, sizeof *is), 0, "%s", trace_kind_name(must->kind));
}

// Performs one, with its event, and holds all of it against the rules.
static void perform_one(uint32_t port) {
    struct mem_request request;
    struct mem_response response, answer;
    struct trace_event model;
    struct done record = {0};
    random_request(&request);
    run.cycles = below(1000);
    record.request = request;
    const bool lost = performs(&request, &answer, &record);
    mem_perform_event(mem, port, &request, &response, &model);
    cr_assert_eq(memcmp(&response, &answer, sizeof answer), 0);
    const struct trace_event must = event_of(&request, port, answer.fault);
    check_same(&model, &must);
    check();
    emits = 0;
    struct trace_event other = {.kind = TRACE_TASK_END};
    if (one_of(4)) mem_emit(mem, &other);
    const uint32_t before = emits;
    mem_emit(mem, &model);
    mem_emit(mem, &model);  // what follows it follows once
    const bool error = !run.following && (lost || answer.fault == ANSWER_BUS_ERROR);
    cr_assert_eq(emits, before + 2 + error);
    check_same(&emitted[before], &must);
    check_same(&emitted[emits - 1], &must);
    if (error) {
        struct trace_event says;
        const uint32_t line = (uint32_t)record.physical / LINE * LINE;
        memset(&says, 0, sizeof says);
        says.kind = lost ? TRACE_WRITE_BACK_ERROR : TRACE_BUS_ERROR;
        says.cycle = run.cycles;
        if (lost) {
            says.write_back_error.lost = 1;
            says.write_back_error.channel = request.channel;
            says.write_back_error.addr = line;
            says.write_back_error.info = request.addr / LINE * LINE;
        } else {
            says.bus_error.port = port;
            says.bus_error.addr = line;
        }
        cr_assert_eq(emitted[before + 1].kind, says.kind);
        cr_assert_eq(emitted[before + 1].cycle, says.cycle);
        cr_assert_eq(trace_event_compare(&emitted[before + 1], &says), -1);
        if (lost) cr_assert_eq(emitted[before + 1].write_back_error.lost, 1);
    }
    if (!run.following) return;
    record.fault = answer.fault;
    if (port < ALL_PORTS) done[port][done_count[port]++] = record;
    if (request.op != MEM_ATOMIC || answer.fault != ANSWER_GOOD || port >= ALL_PORTS) return;
    struct atomic *atomic = &atomics[atomic_count++];
    *atomic = (struct atomic){.physical = record.physical, .channel = request.channel, .addr = request.addr};
    memcpy(&atomic->old, answer.data, 4);
}

Test(memory_requests, created, .description = "memory of any size, of which pages are there [model]") {
    uint64_t physical;
    run_init(&run, ppu_config_find("nano"), 1);
    mem_destroy(NULL);
    mem = mem_create(&run, 0, NULL);
    cr_assert_not_null(mem);
    cr_assert_eq(mem_size(mem), 0);
    cr_assert(address_space_translate(mem, MEM_PHYSICAL, UINT32_MAX, 1, &physical));
    mem_set_pages(mem, 3);
    cr_assert(address_space_translate(mem, MEM_PHYSICAL, 3 * 4096 - 1, 1, &physical));
    cr_assert_not(address_space_translate(mem, MEM_PHYSICAL, 3 * 4096, 1, &physical));
    mem_destroy(mem);
}

Test(memory_requests, given_back, .description = "SP-3 whole pages that are cleared cost the host no memory [model]") {
    run_init(&run, ppu_config_find("nano"), 1);
    mem = mem_create(&run, 16u << 20, NULL);
    cr_assert_not_null(mem);
    for (uint32_t at = 0; at < 100 && sysconf(_SC_PAGESIZE) == 4096; at += 33) {
        unsigned char there[8];
        uint8_t *const bytes = mem_bytes(mem);
        memset(bytes, 0xA5, 8 * 4096);
        cr_assert(mem_clear(mem, at, 6 * 4096));
        cr_assert_eq(mincore(bytes, 8 * 4096, there), 0);
        for (uint32_t page = 0; page < 8; page++) {
            const bool whole = 4096 * page >= at && 4096 * (page + 1) <= at + 6 * 4096;
            cr_assert_eq(there[page] & 1, whole ? 0 : 1, "from %u on, page %u", at, page);
        }
    }
    mem_destroy(mem);
}

// ---- alone
Test(memory_requests, alone, .description = "WQ-4 WQ-7 WQ-8 requests and where memory fails, the model alone [model]") {
    for (uint32_t lap = 0; lap < LAPS; lap++) {
        open_memory(false);
        for (uint32_t turn = 0; turn < TURNS; turn++) {
            if (one_of(16)) {
                error_base = 0x200 + below(0x200);
                error_size = one_of(3) ? 0 : 1 + below(100);
                error_writes_only = one_of(2);
                mem_set_errors(mem, error_base, error_size, error_writes_only);
            }
            cr_assert_eq(mem_may_fail(mem), error_size != 0);
            if (one_of(16)) {
                const uint32_t pages = below(2);
                end = pages == 0 ? UINT64_C(0x100000000) : 4096;
                mem_set_pages(mem, pages);
            }
            perform_one(below(60));
            struct mem_request request;
            struct mem_response response, answer;
            struct done record;
            random_request(&request);
            const uint64_t performed = run.counters.memory_requests;
            performs(&request, &answer, &record);
            mem_perform(mem, &request, &response);
            cr_assert_eq(memcmp(&response, &answer, sizeof answer), 0);
            cr_assert_eq(run.counters.memory_requests, performed + 1);
            check();
            uint8_t line[LINE];
            uint64_t physical;
            request.addr = request.addr / LINE * LINE;
            const bool good = translate(&request, LINE, &physical) && !fails(MEM_READ, physical, LINE);
            cr_assert_eq(mem_look(mem, request.channel, request.addr, line), good);
            if (good) cr_assert_eq(memcmp(line, &wanted[physical], LINE), 0);
            // Nothing is remembered, so that there is nothing to take back.
            cr_assert_null(mem_last_read(mem, 1, physical));
        }
        close_memory();
    }
}

// ---- in tandem
static void check_refused(const char *says, const char *words) {
    cr_assert_not_null(strstr(says, words), "\"%s\" does not say \"%s\"", says, words);
}

static void bus_error(void) {
    const uint32_t port = below(ALL_PORTS + 2) % (one_of(3) ? 100 : 5), after = one_of(3) ? below(40) : below(3);
    struct trace_event rtl = {.kind = TRACE_BUS_ERROR, .bus_error = {.port = port, .after = after}}, model = {0};
    char says[200] = "";
    struct done *at = port < ALL_PORTS && after < done_count[port] ? &done[port][done_count[port] - 1 - after] : NULL;
    const char *why = NULL;
    if (at == NULL || after >= KEPT) {
        why = "has not performed more than";
    } else if (at->told) {
        why = at->fault == ANSWER_OUTSIDE ? "never came" : "has failed before";
    } else if (at->fault == ANSWER_OUTSIDE) {
        why = "is outside its space and never came to the memory";
    } else if (at->request.op == MEM_ATOMIC && after != 0) {
        why = "is answered already";
    } else if (at->request.op == MEM_ATOMIC && at->fault == ANSWER_GOOD &&
               (atomic_count == 0 || atomics[atomic_count - 1].physical != at->physical)) {
        return;  // answered before the next atomic is performed
    }
    struct mem_record *record = mem_follow_bus_error(mem, &rtl, &model, (struct why){says, sizeof says});
    cr_assert_eq(record == NULL, why != NULL, "%s", says);
    if (why != NULL) {
        check_refused(says, why);
    } else {
        cr_assert_eq(model.bus_error.port, port);
        cr_assert_eq(model.bus_error.after, after);
        cr_assert_eq(model.bus_error.addr, (uint32_t)at->physical / LINE * LINE);
        for (uint32_t b = 0; b < LINE && at->fault == ANSWER_GOOD; b++) {
            const bool written =
                at->request.op == MEM_ATOMIC ? b < 4 : at->request.op == MEM_WRITE && (at->request.wstrb >> b & 1) != 0;
            if (written) wanted[at->physical + b] = at->before[b];
        }
        if (at->request.op == MEM_ATOMIC && at->fault == ANSWER_GOOD) atomic_count--;
        at->told = true;
        at->fault = ANSWER_BUS_ERROR;
        cr_assert_eq(record->note.what, at->note.what);
        cr_assert_eq(record->note.threads, at->note.threads);
        cr_assert_eq(record->request.addr, at->request.addr);
    }
    check();
}

static void write_back_error(void) {
    const struct atomic *some = &atomics[atomic_count > 4 ? atomic_count - 1 - below(4) : 0];
    struct trace_event rtl = {.kind = TRACE_WRITE_BACK_ERROR}, model = {0};
    char says[200] = "";
    const uint32_t line = one_of(6) ? 0x40 : (uint32_t)(some->physical / LINE * LINE);
    const uint32_t count = below(4);
    rtl.write_back_error.lost = count;
    rtl.write_back_error.addr = line;
    uint32_t lost = 0, channel = 0, info = 0;
    for (uint32_t i = atomic_count; i-- > 0 && atomic_count - i <= ATOMICS && lost < count;) {
        struct atomic *atomic = &atomics[i];
        if (atomic->physical / LINE * LINE != line) continue;
        if (lost > 0 && channel != atomic->channel) break;
        channel = atomic->channel;
        info = atomic->addr / LINE * LINE;
        memcpy(&wanted[atomic->physical], &atomic->old, 4);
        atomic->physical = UINT64_MAX;
        lost++;
    }
    const bool good = lost == count && count > 0;
    if (good) must_tell = (struct fault_report){.channel = channel, .code = FAULT_BUS_ERROR, .info = info};
    cr_assert_eq(mem_follow_write_back_error(mem, &rtl, &model, (struct why){says, sizeof says}), good);
    check();
    if (!good) {
        check_refused(says, "atomics are lost");
        return;
    }
    cr_assert_eq(model.write_back_error.lost, count);
    cr_assert_eq(model.write_back_error.channel, channel);
    cr_assert_eq(model.write_back_error.addr, line);
    cr_assert_eq(model.write_back_error.info, info);
}

static void note(void) {
    const uint32_t port = one_of(6) ? ALL_PORTS : below(5);
    const struct mem_note some = {.what = below(1000), .threads = random_bits(&seed)};
    mem_note(mem, port, &some);
    if (port < ALL_PORTS && done_count[port] > 0) done[port][done_count[port] - 1].note = some;
}

static void read_of_a_program(void) {
    const uint32_t port = one_of(6) ? ALL_PORTS : below(5);
    struct mem_request request = {.op = MEM_READ, .channel = below(2), .addr = LINE * below(0x500 / LINE)};
    struct done *record = &done[port % ALL_PORTS][done_count[port % ALL_PORTS]];
    uint64_t physical;
    const bool inside = translate(&request, LINE, &physical);
    mem_record_read(mem, port, &request, inside, physical);
    if (port >= ALL_PORTS) return;
    *record = (struct done){.request = request, .fault = inside ? 0 : 1, .physical = inside ? physical : 0};
    done_count[port]++;
}

static void last_read(void) {
    const uint32_t port = one_of(6) ? ALL_PORTS : below(5);
    const uint64_t line = one_of(2) ? 0x200 + LINE * below(16) + below(LINE) : below(MEMORY);
    const struct done *last = NULL;
    for (uint32_t i = 1; port < ALL_PORTS && i <= KEPT && i <= done_count[port] && last == NULL; i++) {
        const struct done *one = &done[port][done_count[port] - i];
        if (one->fault != ANSWER_OUTSIDE && one->physical / LINE == line / LINE) last = one;
    }
    const struct mem_note *is = mem_last_read(mem, port, line);
    const bool any = last != NULL && last->request.op == MEM_READ;
    cr_assert_eq(is != NULL, any);
    if (any) cr_assert(is->what == last->note.what && is->threads == last->note.threads);
}

Test(memory_requests, tandem,
     .description =
         "WQ-8 requests in tandem: what was performed last is known, is noted, and is taken back when the "
         "memory says that it failed [model]") {
    for (uint32_t lap = 0; lap < LAPS; lap++) {
        open_memory(true);
        mem_set_errors(mem, 0x200, 0x100, false);  // alone only
        cr_assert_null(mem_last_read(mem, 1, 0));
        mem_note(mem, 1, &(struct mem_note){.what = 1});
        bus_error();
        write_back_error();
        for (uint32_t turn = 0; turn < TURNS; turn++) {
            perform_one(one_of(8) ? ALL_PORTS + below(3) : one_of(16) ? ALL_PORTS - 1 : below(5));
            if (one_of(2)) note();
            if (one_of(4)) read_of_a_program();
            if (one_of(3)) bus_error();
            if (one_of(4)) write_back_error();
            last_read();
        }
        close_memory();
    }
}

Test(memory_requests, many_atomics,
     .description = "WQ-8 as many atomics are known as may wait for their write-backs, and not more [model]") {
    for (uint32_t more = 0; more < 2; more++) {
        open_memory(true);
        struct mem_request request = {.op = MEM_ATOMIC, .atom = ATOM_ADD, .channel = 0, .addr = 0x40, .wdata = {1}};
        struct mem_response response;
        struct trace_event model, rtl = {.kind = TRACE_WRITE_BACK_ERROR};
        uint32_t before, after;
        for (uint32_t i = 0; i < ATOMICS + more; i++) {
            mem_perform_event(mem, 4, &request, &response, &model);
            request.addr = 0x80;
        }
        memcpy(&before, &wanted[0x40], 4);
        rtl.write_back_error.lost = 1;
        rtl.write_back_error.addr = 0x40;
        cr_assert_eq(mem_follow_write_back_error(mem, &rtl, &model, (struct why){NULL, 0}), more == 0);
        mem_get(mem, 0x40, &after, 4);
        cr_assert_eq(after, before + more);
        close_memory();
    }
}

Test(memory_requests, kept, .description = "WQ-8 what was performed last is kept in a checkpoint [model]") {
    for (uint32_t used = 0; used < 2; used++) {
        struct image save = {0}, load = {.loading = true};
        struct trace_event model, rtl = {.kind = TRACE_BUS_ERROR, .bus_error = {.port = 3}};
        open_memory(true);
        for (uint32_t i = 0; i < 10; i++)
            perform_one(2);
        struct mem_request request = {.op = MEM_WRITE, .channel = 0, .addr = 0x60, .wstrb = 1, .wdata = {7}};
        struct mem_response response;
        mem_perform_event(mem, 3, &request, &response, &model);
        mem_records_image(mem, &save);
        cr_assert(!save.failed && save.bytes != NULL);
        close_memory();
        open_memory(true);
        if (used != 0) perform_one(2);
        load.bytes = save.bytes;
        load.size = save.size;
        mem_records_image(mem, &load);
        cr_assert_not(load.failed);
        cr_assert_eq(load.at, save.size);
        const struct mem_record *record = mem_follow_bus_error(mem, &rtl, &model, (struct why){NULL, 0});
        cr_assert_not_null(record);
        cr_assert_eq(record->request.addr, 0x60);
        close_memory();
        free(save.bytes);
    }
}
