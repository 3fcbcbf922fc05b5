// Instruction fetch: where a program counter may be, and the words that may stand there.
//
// Alone every word is read from memory when it is executed, as if the instruction cache kept nothing. In tandem the
// cache is the RTL's: a line holds what memory held when it was fetched (PERFORM on the fetch port), until another one
// takes its place or INVALIDATE_SHADER_CACHES drops it. A warp executes what the cache held at some time since its last
// instruction, or since the one before it: behind one of lanes or memory the next one is fetched before it is issued.
#include <stdlib.h>
#include <string.h>

#include "sm_internal.h"

// ---- the cache, in tandem ----
bool fetch_init(struct fetch_cache *cache, uint32_t lines) {
    cache->lines = lines;
    cache->held = calloc(lines, sizeof cache->held[0]);
    for (uint32_t i = 0; i < FETCH_READS; i++)
        cache->leaving[i] = FETCH_GONE;
    return cache->held != NULL;
}

void fetch_free(struct fetch_cache *cache) {
    free(cache->held);
}

static void end_now(const struct fetch_cache *cache, struct fetch_line *line) {
    if (line->until == FETCH_HELD) line->until = cache->time;
}

void fetch_invalidate(struct fetch_cache *cache) {
    cache->time++;
    for (uint32_t i = 0; i < cache->lines; i++)
        end_now(cache, &cache->held[i]);
    for (uint32_t i = 0; i < FETCH_GONE; i++)
        end_now(cache, &cache->gone[i]);
}

// The line comes into the cache some time after it has been read, but before the next one but one is read: until then the
// line whose place it takes may still be used.
void fetch_fill(struct fetch_cache *cache, const struct mem *mem, uint32_t channel, uint32_t addr) {
    struct fetch_line *place = &cache->held[addr / LINE_BYTES % cache->lines];
    cache->time++;
    if (cache->leaving[1] < FETCH_GONE) end_now(cache, &cache->gone[cache->leaving[1]]);
    cache->leaving[1] = cache->leaving[0];
    cache->leaving[0] = FETCH_GONE;
    if (place->valid) {
        cache->leaving[0] = cache->gone_next++ % FETCH_GONE;
        cache->gone[cache->leaving[0]] = *place;
    }
    *place = (struct fetch_line){.channel = channel, .addr = addr, .until = FETCH_HELD};
    place->valid = mem_look(mem, channel, addr, place->bytes);
}

void fetch_failed(struct fetch_cache *cache, uint32_t channel, uint32_t addr) {
    struct fetch_line *place = &cache->held[addr / LINE_BYTES % cache->lines];
    if (place->channel == channel && place->addr == addr) place->valid = false;
}

void fetch_restored(struct fetch_cache *cache, const struct mem *mem, const struct mem_record *record) {
    for (uint32_t i = 0; i < cache->lines; i++) {
        struct fetch_line *line = &cache->held[i];
        uint64_t physical;
        if (!line->valid || !address_space_translate(mem, line->channel, line->addr, LINE_BYTES, &physical) ||
            physical / LINE_BYTES != record->physical / LINE_BYTES)
            continue;
        // It may have been fetched before that write or after it: both contents may be there.
        cache->gone[cache->gone_next++ % FETCH_GONE] = *line;
        const uint32_t at = (uint32_t)(record->physical % LINE_BYTES);
        for (uint32_t b = 0; b < LINE_BYTES; b++) {
            if (record->request.op == MEM_WRITE && (record->request.wstrb >> b & 1u) != 0)
                line->bytes[b] = record->before[b];
        }
        if (record->request.op == MEM_ATOMIC) memcpy(&line->bytes[at], record->before, 4);
    }
}

static bool add_word(const struct warp *warp, const struct fetch_line *line, uint32_t byte, uint64_t *word) {
    if (!line->valid || line->until <= warp->fetched_since || line->addr != (byte & ~(LINE_BYTES - 1u))) return false;
    memcpy(word, &line->bytes[byte % LINE_BYTES & ~7u], sizeof *word);
    return true;
}

// ---- program counters ----
static uint32_t byte_address(const struct task_slot *slot, uint32_t pc) {
    return slot->region + 8u * pc;
}

bool fetch_refused(const struct sm *sm, const struct warp *warp, uint32_t *code, uint32_t *info) {
    const struct task_slot *slot = warp_slot(sm, warp);
    uint64_t physical;
    *info = byte_address(slot, warp->pc) & ~(LINE_BYTES - 1u);
    *code = FAULT_MEMORY_BOUNDS;
    if (!address_space_translate(sm->mem, slot->channel, *info, LINE_BYTES, &physical)) return true;
    *code = FAULT_BUS_ERROR;
    return mem_fails(sm->mem, MEM_READ, physical, LINE_BYTES);
}

unsigned fetch(const struct sm *sm, const struct warp *warp, uint64_t words[FETCH_WORDS], uint32_t *code,
               uint32_t *info) {
    const struct task_slot *slot = warp_slot(sm, warp);
    const uint32_t byte = byte_address(slot, warp->pc);
    if (byte - slot->code_base >= slot->code_size && !warp->divergence.trapped) {
        *code = FAULT_PROGRAM_BOUNDS;
        *info = warp->pc;
        return 0;
    }
    if (!sm->run->following || sm->run->fetches_untold) {
        uint64_t physical;
        if (!address_space_translate(sm->mem, slot->channel, byte & ~7u, 8, &physical) ||
            mem_fails(sm->mem, MEM_READ, physical, 8)) {
            (void)fetch_refused(sm, warp, code, info);
            return 0;
        }
        mem_get(sm->mem, physical, &words[0], sizeof words[0]);
        return 1;
    }
    const struct fetch_cache *cache = &sm->fetch_cache;
    unsigned count = 0;
    const struct fetch_line *held = &cache->held[byte / LINE_BYTES % cache->lines];
    if (held->channel == slot->channel && add_word(warp, held, byte, &words[count])) count++;
    for (uint32_t i = 1; i <= FETCH_GONE; i++) {
        const struct fetch_line *gone = &cache->gone[(cache->gone_next - i) % FETCH_GONE];
        if (gone->channel == slot->channel && add_word(warp, gone, byte, &words[count])) count++;
    }
    if (count != 0 || fetch_refused(sm, warp, code, info)) return count;
    *code = FAULT_NONE;
    return 0;
}

// A line may be read before a warp asks for it, and be on its way when its program's warps have ended: no other starts
// in their places until then.
bool fetch_line_legal(const struct sm *sm, uint32_t addr, uint32_t *channel) {
    const uint32_t wanted = *channel;
    bool found = false;
    if (addr % LINE_BYTES != 0) return false;
    for (uint32_t w = 0; w < sm->config->warps; w++) {
        const struct warp *warp = &sm->warps[w];
        const struct program *program = &warp->program;
        bool inside = addr + (uint64_t)LINE_BYTES > program->base && addr < (uint64_t)program->base + program->size;
        if (warp->running && warp->divergence.trapped) {  // the whole region is a program
            const uint32_t region = warp_slot(sm, warp)->region;
            inside = inside || addr + LINE_BYTES - 1 - region <= 8u * PROGRAM_COUNTER_MASK + LINE_BYTES - 1;
        }
        if (!inside) continue;
        // Programs of different channels may stand at the same address: the RTL's channel if it is one of them.
        if (!found || program->channel == wanted) *channel = program->channel;
        found = true;
    }
    return found;
}
