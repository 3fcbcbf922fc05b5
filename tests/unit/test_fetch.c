// Instruction fetch against its rules said once more: where a program counter may be, which lines the cache holds or has
// held since a warp's last instruction, what is in memory when there is no cache.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "common/seed.h"
#include "random_numbers.h"
#include "sm/sm_internal.h"

enum { LINES = 4, WARPS = 3, SLOTS = 3, CHANNELS = 3, MEMORY = 0x10000, VERSIONS = 4096, NEVER = -1 };

// What a line of the cache held, and until when.
struct version {
    uint32_t channel, addr;
    uint64_t until;
    uint8_t bytes[LINE_BYTES];
};

static uint64_t seed;
static struct run run;
static struct mem *mem;
static struct sm *sm;
static struct task_slot slot[SLOTS];
static const struct task_slot *slots[SLOTS] = {&slot[0], &slot[1], &slot[2]};
static struct sm_settings settings;
// The third one's space goes past the end of memory; of the first the last line is not whole.
static const struct mem_space space[8] = {{0x1000, 0x1017}, {0x4000, 0x2000}, {0xF000, 0x2000}};

static uint32_t below(uint32_t n) {
    return random_below(&seed, n);
}
static bool one_of(uint32_t n) {
    return below(n) == 0;
}

static void begin(void) {
    seed = seed_from_environment();
    fprintf(stderr, "TANDEM_SEED=%" PRIu64 "\n", seed);
    run_init(&run, ppu_config_find("nano"), 1);
    run.config.icache_lines = LINES;
    run.config.warps = WARPS + 1;  // nobody may look at the last one
    mem = mem_create(&run, MEMORY, NULL);
    sm = sm_create(&run, mem, 0);
    cr_assert(mem != NULL && sm != NULL);
    run.config.warps = WARPS;
    mem_connect(mem, &(struct mem_wires){.space = space});
    sm_connect(sm, &(struct sm_wires){.slot = slots, .settings = &settings});
    for (uint32_t i = 0; i < MEMORY; i++)
        mem_bytes(mem)[i] = (uint8_t)random_bits(&seed);
    memset(slot, 0, sizeof slot);
}

static void end(void) {
    run.config.warps = WARPS + 1;
    sm_destroy(sm);
    mem_destroy(mem);
}

// ---- the cache ----
static struct version versions[VERSIONS];  // in the order in which they have left
static uint32_t left;
static struct version held[LINES];
static bool valid[LINES];
static int leaving[2];  // of versions: of the line that was read last, and of the one before
static uint64_t now;

static void want_fill(uint32_t channel, uint32_t addr) {
    const uint32_t place = addr / 32 % LINES, size = space[channel].size;
    now++;
    if (leaving[1] != NEVER && versions[leaving[1]].until == UINT64_MAX) versions[leaving[1]].until = now;
    leaving[1] = leaving[0];
    leaving[0] = NEVER;
    if (valid[place]) {
        cr_assert_lt(left, VERSIONS);
        versions[left] = held[place];
        leaving[0] = (int)left++;
    }
    held[place] = (struct version){.channel = channel, .addr = addr, .until = UINT64_MAX};
    valid[place] = addr + 32 <= size && space[channel].base + addr + 32 <= MEMORY;
    if (valid[place]) mem_get(mem, space[channel].base + addr, held[place].bytes, 32);
}

static void want_invalidate(void) {
    now++;
    for (uint32_t i = 0; i < LINES; i++) {
        if (held[i].until == UINT64_MAX) held[i].until = now;
    }
    for (uint32_t i = 0; i < left; i++) {
        if (versions[i].until == UINT64_MAX) versions[i].until = now;
    }
}

static void restore(void) {
    struct mem_record record = {.request = {.op = one_of(2)   ? MEM_WRITE
                                                  : one_of(2) ? MEM_ATOMIC
                                                              : MEM_READ,
                                            .wstrb = (uint32_t)random_bits(&seed)}};
    const uint32_t which = below(LINES), word = 4 * below(8);
    const bool atomic = record.request.op == MEM_ATOMIC;
    record.physical = space[held[which].channel].base + held[which].addr + (atomic ? word : 0);
    if (one_of(4)) record.physical = (one_of(2) ? 0x1000 : 0x4000) + 32 * below(16);
    if (one_of(8)) record.physical = 0x4000;  // as the one behind the last line
    for (uint32_t i = 0; i < LINE_BYTES; i++)
        record.before[i] = (uint8_t)random_bits(&seed);
    for (uint32_t i = 0; i < LINES; i++) {
        if (!valid[i] || (space[held[i].channel].base + held[i].addr) / 32 != record.physical / 32) continue;
        cr_assert_lt(left, VERSIONS);
        versions[left++] = held[i];
        for (uint32_t b = 0; b < LINE_BYTES; b++) {
            const uint32_t at = (uint32_t)record.physical % 32;
            if (record.request.op == MEM_WRITE && (record.request.wstrb >> b & 1u) != 0)
                held[i].bytes[b] = record.before[b];
            if (atomic && b >= at && b < at + 4) held[i].bytes[b] = record.before[b - at];
        }
    }
    fetch_restored(&sm->fetch_cache, mem, &record);
}

static bool holds(const struct version *v, uint32_t channel, uint32_t byte, uint64_t since, uint64_t *word) {
    if (v->channel != channel || v->addr != byte - byte % 32 || v->until <= since) return false;
    memcpy(word, &v->bytes[byte % 32 - byte % 8], 8);
    return true;
}

static void look(struct warp *warp) {
    const uint32_t channel = slot[0].channel, byte = slot[0].region + 8 * warp->pc;
    const uint32_t line = byte - byte % 32;
    uint64_t words[FETCH_WORDS], want[FETCH_WORDS];
    uint32_t code = 77, info = 78;
    unsigned count = 0;
    if (valid[byte / 32 % LINES] && holds(&held[byte / 32 % LINES], channel, byte, warp->fetched_since, &want[count]))
        count++;
    for (uint32_t i = 1; i <= left && i <= FETCH_GONE; i++)
        count += holds(&versions[left - i], channel, byte, warp->fetched_since, &want[count]);
    cr_assert_eq(fetch(sm, warp, words, &code, &info), count, "at %x since %u of %u", byte,
                 (unsigned)warp->fetched_since, (unsigned)now);
    cr_assert_eq(memcmp(words, want, count * sizeof want[0]), 0);
    if (count != 0) return;
    if (line + 32 > space[channel].size) {
        cr_assert(code == FAULT_MEMORY_BOUNDS && info == line);
    } else if (space[channel].base + line + 32 > MEMORY) {
        cr_assert(code == FAULT_BUS_ERROR && info == line);
    } else {
        cr_assert_eq(code, FAULT_NONE);
    }
}

Test(fetch, cache, .init = begin, .fini = end,
     .description = "a warp executes what the cache held since its last instruction, the newest first [model]") {
    struct warp *warp = &sm->warps[1];
    run.following = true;
    slot[0].code_size = 0x10000;
    struct fetch_line *more = calloc(LINES + 1, sizeof *more), behind;
    behind = (struct fetch_line){.valid = true, .channel = 1, .until = FETCH_HELD};
    more[LINES] = behind;
    free(sm->fetch_cache.held);
    sm->fetch_cache.held = more;
    leaving[0] = leaving[1] = NEVER;
    for (uint32_t turn = 0; turn < 6000 && left < VERSIONS - 8; turn++) {
        const bool low = turn / 600 % 2 == 0;  // few lines in many versions
        const uint32_t addr = one_of(30) ? 0xFE0 + 32 * below(3) : 32 * below(low ? 5 : 12), channel = below(CHANNELS);
        switch (below(turn / 300 % 2 == 0 ? 40 : 9)) {
            case 0:
                fetch_invalidate(&sm->fetch_cache);
                want_invalidate();
                break;
            case 1: restore(); break;
            case 2: {
                const uint32_t place = addr / 32 % LINES;
                fetch_failed(&sm->fetch_cache, channel, addr);
                if (held[place].channel == channel && held[place].addr == addr) valid[place] = false;
                break;
            }
            case 3: mem_bytes(mem)[space[channel].base % MEMORY + below(0x200)]++; break;
            default:
                fetch_fill(&sm->fetch_cache, mem, channel, addr);
                want_fill(channel, addr);
                mem_bytes(mem)[space[channel].base + addr % 0x1000 + below(32)]++;
        }
        cr_assert_eq(sm->fetch_cache.time, now);
        cr_assert_eq(memcmp(&more[LINES], &behind, sizeof behind), 0, "nobody looks behind the last line");
        slot[0].channel = one_of(2) ? channel : below(CHANNELS);
        slot[0].region = below(8);
        warp->pc = one_of(2) ? addr / 8 + below(4) : below(one_of(8) ? 0x2000 / 8 + 8 : 0x180 / 8);
        warp->fetched_since = now - below(now < 200 ? (uint32_t)now + 1 : one_of(2) ? 200 : 5);
        look(warp);
    }
    cr_assert_gt(left, 200);
}

Test(fetch, memory_of_the_cache, .init = begin, .fini = end, .description = "of a cache that is empty [model]") {
    struct fetch_cache cache = {0};
    const size_t before = mallinfo2().uordblks;
    const bool good = fetch_init(&cache, 64);
    const size_t taken = mallinfo2().uordblks - before;
    fetch_free(&cache);
    cr_assert(good && cache.lines == 64 && cache.leaving[0] == FETCH_GONE && cache.leaving[1] == FETCH_GONE);
#ifndef __SANITIZE_ADDRESS__  // which counts by itself
    cr_assert_geq(taken, 64 * sizeof(struct fetch_line));
#else
    (void)taken;
#endif
    cr_assert_eq(mallinfo2().uordblks, before);
}

Test(fetch, lines_that_have_left, .description = "are 64, and nobody looks behind them [model]") {
    struct fetch_line line = {0};
    struct {
        struct fetch_cache cache;
        uint8_t behind[2 * sizeof(struct fetch_line)];
    } one;
    memset(&one, 0xFF, sizeof one);
    one.cache = (struct fetch_cache){.lines = 1, .held = &line, .leaving = {FETCH_GONE, FETCH_GONE}};
    uint8_t behind[sizeof one.behind];
    memset(behind, 0xFF, sizeof behind);
    fetch_invalidate(&one.cache);
    cr_assert_eq(memcmp(one.behind, behind, sizeof behind), 0);
    begin();
    fetch_fill(&one.cache, mem, 0, 0);
    cr_assert_eq(memcmp(one.behind, behind, sizeof behind), 0);
    cr_assert(line.valid && one.cache.leaving[0] == FETCH_GONE && one.cache.leaving[1] == FETCH_GONE);
    end();
}

// ---- program counters ----
static void check_alone(struct warp *warp, uint64_t bad, uint64_t bad_size) {
    const uint32_t byte = slot[0].region + 8 * warp->pc, line = byte - byte % 32, first = byte - byte % 8;
    const uint64_t base = space[slot[0].channel].base, size = space[slot[0].channel].size;
    uint64_t words[FETCH_WORDS] = {1}, want = 0;
    uint32_t code = 77, info = 78;
    const unsigned count = fetch(sm, warp, words, &code, &info);
    const bool program = byte >= slot[0].code_base && byte - slot[0].code_base < slot[0].code_size;
    const bool trapped = warp->divergence.trapped;
    const bool fails = (uint64_t)first + base + 8 > MEMORY ||
                       (!run.following && first + base < bad + bad_size && first + base + 8 > bad);
    if (!program && !trapped) {
        cr_assert(count == 0 && code == FAULT_PROGRAM_BOUNDS && info == warp->pc);
    } else if ((uint64_t)first + 8 > size) {
        cr_assert(count == 0 && code == FAULT_MEMORY_BOUNDS && info == line, "%x: %u %u %x", byte, count, code, info);
    } else if (fails) {
        cr_assert(count == 0 && info == line, "%x: %u %u %x", byte, count, code, info);
        cr_assert_eq(code, line + 32 > size ? FAULT_MEMORY_BOUNDS : FAULT_BUS_ERROR);
    } else {
        mem_get(mem, base + first, &want, 8);
        cr_assert(count == 1 && words[0] == want, "%x: %u %u %x", byte, count, code, info);
    }
    // Of a whole line.
    const bool bounds = (uint64_t)line + 32 > size;
    const bool error =
        line + base + 32 > MEMORY || (!run.following && line + base < bad + bad_size && line + base + 32 > bad);
    cr_assert_eq(fetch_refused(sm, warp, &code, &info), bounds || error);
    cr_assert_eq(info, line);
    if (bounds || error) cr_assert_eq(code, bounds ? FAULT_MEMORY_BOUNDS : FAULT_BUS_ERROR);
}

Test(fetch, no_cache, .init = begin, .fini = end,
     .description =
         "without a cache an instruction is what memory holds, inside the program, the space, memory [model]") {
    for (uint32_t turn = 0; turn < 20000; turn++) {
        struct warp *warp = &sm->warps[1];
        const uint64_t bad = 0x1000 + below(0x1000), bad_size = 1 + below(80);
        run.following = one_of(2);
        run.fetches_untold = run.following;
        mem_set_errors(mem, bad, bad_size, one_of(8));
        if (one_of(8)) mem_set_errors(mem, 0, 0, false);
        const bool none = !mem_may_fail(mem) || mem_fails(mem, MEM_READ, bad, 1) == false;
        warp->slot = 0;
        slot[0].channel = below(CHANNELS);
        slot[0].region = one_of(3) ? below(64) : 8 * below(16);
        slot[0].code_base = 8 * below(16);
        slot[0].code_size = one_of(2) ? 0x2100 : 8 * below(64);
        warp->divergence.trapped = one_of(3);
        warp->pc = one_of(4) ? (slot[0].code_base + slot[0].code_size) / 8 + below(5) - 2 : below(0x2100 / 8);
        if (one_of(4)) warp->pc = (uint32_t)(bad - space[slot[0].channel].base) / 8 + below(8) - 4;
        warp->pc &= PROGRAM_COUNTER_MASK;
        check_alone(warp, none ? 0 : bad, none ? 0 : bad_size);
    }
}

Test(fetch, lines, .init = begin, .fini = end,
     .description =
         "lines of the program of a warp that runs or was the last in its place may be fetched, in a trap of its whole "
         "region [model]") {
    for (uint32_t turn = 0; turn < 60000; turn++) {
        const uint32_t base = one_of(4) ? 0xFFFFFF00 : one_of(4) ? 0xFE000000 : 0x2000;
        uint32_t addr = base + 32 * below(8), channel = below(CHANNELS), want_channel = channel;
        const uint32_t wanted = channel;
        bool found = false;
        if (one_of(8)) addr += below(32);
        for (uint32_t s = 0; s < SLOTS; s++) {
            slot[s].channel = below(CHANNELS);
            slot[s].code_base = addr + 8 * below(16) - 64;
            slot[s].code_size = 8 * (1 + below(12));
            slot[s].region = addr - (one_of(2) ? 8 * PROGRAM_COUNTER_MASK : 0) + 8 * below(9) - 32;
            slot[s].region += below(8);
        }
        for (uint32_t w = 0; w <= WARPS; w++) {
            sm->warps[w].running = w == WARPS || one_of(2);
            sm->warps[w].slot = below(SLOTS);
            sm->warps[w].divergence.trapped = one_of(3);
            // The task of a warp that has ended may have gone.
            const struct task_slot *of = &slot[sm->warps[w].running ? sm->warps[w].slot : below(SLOTS)];
            sm->warps[w].program = (struct program){of->channel, of->code_base, of->code_size};
            if (!sm->warps[w].running && one_of(4)) sm->warps[w].program = (struct program){0};
        }
        for (uint32_t w = 0; w < WARPS; w++) {
            const struct task_slot *s = &slot[sm->warps[w].slot];
            const struct program *of = &sm->warps[w].program;
            bool legal = false;
            for (uint32_t b = 0; b < 32 && !legal; b++) {
                const uint64_t at = (uint64_t)addr + b;
                legal = at >= of->base && at < (uint64_t)of->base + of->size;
                if (sm->warps[w].running && sm->warps[w].divergence.trapped)
                    legal = legal || (uint32_t)at - (s->region & ~7u) < 8 * (PROGRAM_COUNTER_MASK + 1);
            }
            if (!legal || addr % 32 != 0) continue;
            if (!found || of->channel == wanted) want_channel = of->channel;
            found = true;
        }
        cr_assert_eq(fetch_line_legal(sm, addr, &channel), found, "turn %u: line %x", turn, addr);
        cr_assert_eq(channel, want_channel);
    }
}
