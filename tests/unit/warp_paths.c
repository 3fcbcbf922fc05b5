#include "warp_paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/isa.h"
#include "sm/decode.h"

enum { WARPS_MAX = 64, THREADS_MAX = 64, SLOTS_MAX = 256, SMS_MAX = 16, CODE_MAX = 1 << 13, DEPTH_MAX = 32 };
static const uint32_t nowhere = UINT32_MAX;

// Where a thread is in time.
struct clock {
    uint32_t at;  // instruction
    uint32_t depth;
    uint32_t head[DEPTH_MAX], round[DEPTH_MAX];  // loops around it, outermost first
    uint64_t called_at;                          // time of the call that it is in
};

struct thread {
    struct clock *calls;  // the one that runs and those that wait for a callee to return
    size_t depth, capacity;
    bool started;
};

struct steps {
    uint64_t *times;
    size_t count, capacity;
};

struct warp {
    uint32_t *at;      // what it executed
    uint64_t *active;  // by which threads
    size_t count, capacity;
};

struct trace {
    struct warp warps[WARPS_MAX];  // all that ran
    size_t warp_count;
    size_t running[SMS_MAX][SLOTS_MAX];  // which of them is in a warp slot
    uint32_t first;                      // lowest instruction
    uint64_t words[CODE_MAX];            // 0: not executed
    struct decoded decoded[CODE_MAX];
    // An order in which loops are in one piece and begin with their heads (weak topological order, Bourdoncle).
    uint32_t number[CODE_MAX], around[CODE_MAX], place[CODE_MAX], stack[CODE_MAX];
    uint32_t visited, stacked, places;
    bool is_head[CODE_MAX];
};

static bool is_token(const struct decoded *d) {
    switch (d->opcode) {
        case OP_SSY:
        case OP_PBRK:
        case OP_PCONT:
        case OP_PEXIT:
        case OP_PLONGJMP:
        case OP_YIELD: return true;
        default: return false;
    }
}

// One more element for an array of count; false: no memory.
static bool make_room(void **array, size_t count, size_t *capacity, size_t element) {
    if (count < *capacity) return true;
    const size_t wanted = *capacity == 0 ? 256 : 2 * *capacity;
    void *moved = realloc(*array, wanted * element);
    if (moved == NULL) return false;
    *array = moved;
    *capacity = wanted;
    return true;
}

// One line of the trace. False: it is more than fits.
static bool take_line(struct trace *t, const char *line, struct warp_paths *paths) {
    unsigned sm = 0, slot = 0, pc = 0;
    unsigned long long word = 0, active = 0;
    const char *start = strstr(line, "WARP_START "), *instr = strstr(line, "INSTR "), *place = strstr(line, " sm ");
    if ((start == NULL && instr == NULL) || place == NULL) return true;
    if (sscanf(place, " sm %u", &sm) != 1 || sm >= SMS_MAX) return false;
    if (start != NULL) {
        if (sscanf(start, "WARP_START warp=0x%x", &slot) != 1 || slot >= SLOTS_MAX || t->warp_count == WARPS_MAX)
            return false;
        t->running[sm][slot] = t->warp_count++;
        return true;
    }
    if (sscanf(instr, "INSTR warp=0x%x pc=0x%x word=0x%llx active=0x%llx", &slot, &pc, &word, &active) != 4)
        return false;
    if (slot >= SLOTS_MAX || t->warp_count == 0) return false;
    struct warp *warp = &t->warps[t->running[sm][slot]];
    size_t capacity = warp->capacity;
    if (!make_room((void **)&warp->at, warp->count, &capacity, sizeof *warp->at) ||
        !make_room((void **)&warp->active, warp->count, &warp->capacity, sizeof *warp->active))
        return false;
    warp->at[warp->count] = pc;
    warp->active[warp->count++] = active;
    if (pc < t->first) t->first = pc;
    struct decoded d;
    decode(word, &d);
    if (is_token(&d))
        paths->tokens++;
    else
        paths->executed++;
    // By its place modulo the size, until the lowest is known.
    if (t->words[pc % CODE_MAX] != 0 && t->words[pc % CODE_MAX] != word) return false;
    t->words[pc % CODE_MAX] = word;
    t->decoded[pc % CODE_MAX] = d;
    return true;
}

// Successors of an executed instruction within its function; how many.
static unsigned next_of(const struct trace *t, uint32_t at, uint32_t next[2]) {
    const struct decoded *d = &t->decoded[at];
    const bool guarded = d->guard != ISA_PT;
    bool falls = true, jumps = false;
    unsigned count = 0;
    switch (d->opcode) {
        case OP_BRA:
        case OP_SYNC:
        case OP_BRK:
        case OP_CONT: jumps = true, falls = guarded; break;
        case OP_EXIT:
        case OP_RET: falls = guarded; break;
        default: break;
    }
    const uint32_t target = (at + 1 + d->imm) % CODE_MAX, behind = (at + 1) % CODE_MAX;
    if (jumps && t->words[target] != 0) next[count++] = target;
    if (falls && t->words[behind] != 0) next[count++] = behind;
    return count;
}

static uint32_t visit(struct trace *t, uint32_t at, uint32_t around) {
    uint32_t next[2], head = t->number[at] = ++t->visited;
    const uint32_t own = head;
    bool loop = false;
    t->stack[t->stacked++] = at;
    t->around[at] = around;
    const unsigned count = next_of(t, at, next);
    for (unsigned k = 0; k < count; k++) {
        const uint32_t lowest = t->number[next[k]] == 0 ? visit(t, next[k], around) : t->number[next[k]];
        if (lowest <= head) {
            head = lowest;
            loop = true;
        }
    }
    if (head != own) return head;
    t->number[at] = nowhere;
    uint32_t member = t->stack[--t->stacked];
    if (loop) {
        while (member != at) {
            t->number[member] = 0;
            member = t->stack[--t->stacked];
        }
        t->is_head[at] = true;
        for (unsigned k = 0; k < count; k++)
            if (t->number[next[k]] == 0) visit(t, next[k], at);
    }
    t->place[at] = --t->places;
    return head;
}

static void make_order(struct trace *t) {
    t->places = nowhere;
    for (uint32_t k = 0; k < CODE_MAX; k++) {
        const uint32_t at = (t->first + k) % CODE_MAX;
        if (t->words[at] != 0 && t->number[at] == 0) visit(t, at, nowhere);
    }
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint64_t time_of(const struct trace *t, const struct clock *clock) {
    uint64_t hash = mix(clock->called_at, t->place[clock->at]);
    for (uint32_t k = 0; k < clock->depth; k++)
        hash = mix(mix(hash, t->place[clock->head[k]]), clock->round[k]);
    return hash;
}

// Moves the clock on to the next instruction of the same function. False: loops too deep.
static bool tick(const struct trace *t, struct clock *clock, uint32_t to) {
    uint32_t heads[DEPTH_MAX], depth = 0;
    for (uint32_t head = t->is_head[to] ? to : t->around[to]; head != nowhere; head = t->around[head]) {
        if (depth == DEPTH_MAX) return false;
        heads[depth++] = head;
    }
    uint32_t same = 0;
    while (same < depth && same < clock->depth && clock->head[same] == heads[depth - 1 - same])
        same++;
    if (same > 0 && same == depth && clock->head[same - 1] == to) clock->round[same - 1]++;
    for (uint32_t k = same; k < depth; k++) {
        clock->head[k] = heads[depth - 1 - k];
        clock->round[k] = 0;
    }
    clock->depth = depth;
    clock->at = to;
    return true;
}

// A thread executes the instruction. False: no memory, or deeper than is reckoned with.
static bool step(const struct trace *t, struct thread *thread, uint32_t at, uint64_t *time) {
    uint8_t before = OP_NOP;
    if (thread->started) before = t->decoded[thread->calls[thread->depth - 1].at].opcode;
    if (!thread->started || before == OP_CAL) {
        if (!make_room((void **)&thread->calls, thread->depth, &thread->capacity, sizeof *thread->calls)) return false;
        struct clock *fresh = &thread->calls[thread->depth++];
        *fresh = (struct clock){.at = nowhere};
        if (thread->started) fresh->called_at = time_of(t, fresh - 1);
        thread->started = true;
    } else if (before == OP_RET && thread->depth > 1) {
        const uint32_t behind = thread->calls[thread->depth - 1].at + 1;
        // A guarded RET whose guard is false goes on.
        if (at != behind % CODE_MAX || at == (thread->calls[thread->depth - 2].at + 1) % CODE_MAX) thread->depth--;
    }
    struct clock *clock = &thread->calls[thread->depth - 1];
    if (!tick(t, clock, at)) return false;
    *time = time_of(t, clock);
    return true;
}

static int by_time(const void *left, const void *right) {
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

// Adds the warp's ideal. Times are hashes of 64 bits: that two of some hundred thousand are alike by chance is 1 in
// 10^8.
static bool add_ideal(const struct trace *t, const struct warp *warp, uint64_t *ideal) {
    struct thread threads[THREADS_MAX] = {0};
    struct steps steps = {0};
    bool good = true;
    for (size_t k = 0; k < warp->count && good; k++) {
        const uint32_t at = warp->at[k] % CODE_MAX;
        for (unsigned thread = 0; thread < THREADS_MAX && good; thread++) {
            if ((warp->active[k] >> thread & 1u) == 0) continue;
            good = make_room((void **)&steps.times, steps.count, &steps.capacity, sizeof *steps.times) &&
                   step(t, &threads[thread], at, &steps.times[steps.count]);
            if (good && !is_token(&t->decoded[at])) steps.count++;
        }
    }
    if (steps.count > 0) qsort(steps.times, steps.count, sizeof *steps.times, by_time);
    for (size_t k = 0; k < steps.count; k++)
        *ideal += k == 0 || steps.times[k] != steps.times[k - 1];
    for (unsigned thread = 0; thread < THREADS_MAX; thread++)
        free(threads[thread].calls);
    free(steps.times);
    return good;
}

bool warp_paths_read(const char *file, struct warp_paths *paths) {
    FILE *from = fopen(file, "r");
    struct trace *t = calloc(1, sizeof *t);
    char line[1024];
    bool good = from != NULL && t != NULL;
    *paths = (struct warp_paths){0};
    if (t != NULL) t->first = nowhere;
    while (good && fgets(line, sizeof line, from) != NULL)
        good = take_line(t, line, paths);
    if (from != NULL) (void)fclose(from);
    if (t == NULL) return false;
    good = good && paths->executed > 0;
    if (good) make_order(t);
    for (size_t w = 0; w < t->warp_count; w++) {
        good = good && add_ideal(t, &t->warps[w], &paths->ideal);
        free(t->warps[w].at);
        free(t->warps[w].active);
    }
    free(t);
    return good;
}
