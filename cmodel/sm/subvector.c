#include "sm/subvector.h"

#include <assert.h>
#include <string.h>

#include "gen/isa.h"
#include "gen/registers.h"

enum { WINDOWS_WAIT = 32, BACK_MOST = 2, RATE_ONE = 0x10000 };

void subvector_init(struct subvector *s, uint32_t warps, uint32_t l1_lines, uint32_t regions) {
    assert(warps <= SUBVECTOR_WARPS_MAX);
    assert(regions >= 1 && regions <= SUBVECTOR_REGIONS_MAX);
    memset(s, 0, sizeof *s);
    s->warps = warps;
    s->window = 2 * l1_lines;
    s->region_count = regions;
    s->counted = SUBVECTOR_NONE;
}

static bool used(const struct subvector *s, uint32_t region) {
    for (uint32_t w = 0; w < s->warps; w++)
        if (s->warp[w].inside && s->warp[w].region == region) return true;
    return false;
}

// A warp in the region runs in the other order.
static bool strange(const struct subvector *s, uint32_t region) {
    for (uint32_t w = 0; w < s->warps; w++)
        if (s->warp[w].inside && s->warp[w].region == region && s->warp[w].second != s->regions[region].second)
            return true;
    return false;
}

// The region of an SVSTART.AUTO, made if there is room.
static uint32_t find(struct subvector *s, const struct subvector_request *request) {
    for (uint32_t r = 0; r < s->region_count; r++)
        if (s->regions[r].valid && s->regions[r].channel == request->channel &&
            s->regions[r].address == request->address) {
            if (!used(s, r)) s->regions[r].begun = true;
            return r;
        }
    const uint32_t place = s->next;
    s->next = s->next + 1 < s->region_count ? s->next + 1 : 0;
    if (used(s, place)) return SUBVECTOR_NONE;
    s->regions[place] = (struct subvector_region){.valid = true,
                                                  .channel = request->channel,
                                                  .address = request->address,
                                                  .second = request->shares,
                                                  .before = UINT32_MAX,
                                                  .wait = request->shares};
    return place;
}

static bool by_program(uint32_t setting) {
    return setting != REG_SV_ORDER_ORDER_FIRST && setting != REG_SV_ORDER_ORDER_SECOND;
}

static bool rates(uint32_t setting, uint32_t threshold) {
    return by_program(setting) && threshold != 0 && threshold <= RATE_ONE;
}

struct subvector_answer subvector_start(struct subvector *s, const struct subvector_request *request) {
    struct subvector_answer answer = {.region = SUBVECTOR_NONE};
    if (request->mod == SV_AUTO && rates(request->setting, request->threshold)) answer.region = find(s, request);
    // Shared rows hold one portion's values at a time: the first order has no place for the others'.
    if (request->shares) {
        answer.second = true;
    } else if (!by_program(request->setting)) {
        answer.second = request->setting == REG_SV_ORDER_ORDER_SECOND;
    } else if (request->mod != SV_AUTO || request->threshold == 0) {
        answer.second = true;
    } else {
        answer.second = answer.region != SUBVECTOR_NONE && s->regions[answer.region].second;
    }
    const bool inside = answer.region != SUBVECTOR_NONE;
    answer.watch = inside && !request->shares;
    s->warp[request->warp] = (struct subvector_warp){
        .inside = inside, .fixed = request->shares, .second = answer.second, .region = inside ? answer.region : 0};
    return answer;
}

void subvector_turn(struct subvector *s, uint32_t warp, bool split) {
    struct subvector_warp *w = &s->warp[warp];
    if (w->inside && !w->fixed) w->second = s->regions[w->region].second || split;
}

struct subvector_answer subvector_order(const struct subvector *s, uint32_t warp) {
    const struct subvector_warp *w = &s->warp[warp];
    if (!w->inside) return (struct subvector_answer){.second = true, .region = SUBVECTOR_NONE};
    return (struct subvector_answer){.second = s->regions[w->region].second, .watch = !w->fixed, .region = w->region};
}

void subvector_leave(struct subvector *s, uint32_t warp) {
    s->warp[warp].inside = false;
}

bool subvector_read(struct subvector *s, uint32_t region) {
    struct subvector_region *r = &s->regions[region];
    s->counted = SUBVECTOR_NONE;
    if (strange(s, region)) return true;
    if (r->reads == s->window) return false;
    r->reads++;
    r->misses++;
    s->counted = region;
    return true;
}

void subvector_hit(struct subvector *s) {
    if (s->counted != SUBVECTOR_NONE) s->regions[s->counted].misses--;
}

bool subvector_window(struct subvector *s, uint32_t region, uint32_t cycles, uint32_t threshold,
                      struct subvector_window *window) {
    struct subvector_region *r = &s->regions[region];
    const bool full = r->reads == s->window;
    const bool late = r->trial && cycles >= (r->steady ? r->cost : r->cost / 2);
    if (!r->valid || (!full && !late)) return false;
    const bool high = (uint64_t)r->misses * RATE_ONE >= (uint64_t)s->window * threshold;
    const bool before = r->second;
    const bool dear = cycles > (uint64_t)r->before + r->before / (r->back == BACK_MOST ? 4 : 8);
    const bool doubt = (r->begun ? r->doubt : dear) && r->steady;
    const bool stays = r->steady && r->trial && full && cycles < r->cost;
    // A warp has come while none was there: a trial that does not stay then says nothing.
    const bool begun = r->begun;
    r->begun = begun && r->trial && !r->steady;
    if (r->trial && (!begun || stays)) r->before = r->cost;
    window->reads = r->reads;
    window->misses = r->misses;
    if (r->steady && r->trial) {
        r->trial = false;
        if (stays) {
            r->cost = cycles;
            r->back = 0;
            r->wait = WINDOWS_WAIT;
        } else {
            r->second = !r->second;
            r->wait = WINDOWS_WAIT;
            if (!begun) {
                if (r->back < BACK_MOST) r->back++;
                r->wait = (uint32_t)WINDOWS_WAIT << (1 + r->back);
            }
        }
    } else if (r->steady) {
        r->cost = r->cost == 0 ? cycles : (r->cost + cycles) / 2;
        if (r->wait != 0 && !(dear && !begun && r->doubt)) {
            r->wait--;
        } else if (r->second || high) {
            r->second = !r->second;
            r->trial = true;
        }
    }
    r->steady = r->second == before;
    r->doubt = doubt;
    r->reads = r->misses = 0;
    window->second = r->second;
    window->trial = r->trial;
    return true;
}

bool subvector_looks_first(const struct subvector *s, uint32_t setting, uint32_t threshold, uint32_t channel,
                           uint32_t base, uint32_t size) {
    if (!rates(setting, threshold)) return false;
    for (uint32_t r = 0; r < s->region_count; r++) {
        const struct subvector_region *region = &s->regions[r];
        if (region->valid && region->channel == channel && region->address - base < size && !region->second)
            return true;
    }
    return false;
}
