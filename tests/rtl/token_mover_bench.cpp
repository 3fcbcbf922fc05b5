// token_mover alone: jobs of every kind at random warps and places, over a memory that takes its time and fails now and then; every output in every
// cycle against the rules that the unit's head states. What token_deque would say of its warp (whether the unit may, what is wanted of it, how
// many tokens it takes) is at random, but for what it never says; the C twin knows which tokens move, and no cycles.
// TD-11, TD-19, TD-21: the search for a yield token, its cycles and those of the others, tokens that go to memory and come back.
// Compiled with -DTHREADS= -DWARPS= as the unit was verilated.
#include <verilated.h>

#include "Vtoken_mover.h"
#define BENCH_SHOWS "TD-11 TD-19 TD-21"
#include "bench.h"
#include "line_port.h"
#include "tick.h"
#include "token_mover_rules.h"

static const uint32_t PLACE_W = 14;  // as the unit has it that is verilated alone
static const uint32_t BYTES = THREADS / 4, OF_LINE = 32 / BYTES;

struct world {
    struct bench bench;
    Vtoken_mover rtl;
    struct line_memory memory;
    uint32_t size;  // places of a queue
    uint64_t base;  // 33 bits, of the first queue
    struct mover mover;
    struct token out;  // that is written
    std::array<uint8_t, 32> line;
    bool taken;       // in the cycle before: the RAM has `out` now
    uint32_t wanted;  // the address that is looked for
    uint64_t mask;
    bool seeking;  // somebody looks for it
    uint64_t token_jobs[3], found, found_not, dropped, outside, failed, left;
};

static uint64_t address_of(const struct world *world) {
    return world->base + ((uint64_t)world->mover.at * world->size + world->mover.place) * BYTES;
}

static struct token any_token(struct world *world, bool yield) {
    struct bench *bench = &world->bench;
    struct token token;
    memset(&token, 0, sizeof token);
    token.kind = yield ? (uint32_t)KIND_YIELD : bench_below(bench, 16);
    token.mask = bench_mask(bench, THREADS);
    // Often the address that is looked for, or one that differs in a bit.
    token.addr = bench_chance(bench, 1, 4) ? world->wanted : bench_below(bench, 1u << 22);
    if (bench_chance(bench, 1, 2)) token.addr = world->wanted ^ 1u << bench_below(bench, 22);
    token.flags = bench_below(bench, 8);
    token.below = bench_below(bench, 8);
    return token;
}

static struct token token_in(const uint8_t *bytes) {
    struct token token;
    uint64_t words[2] = {0, 0};
    memset(&token, 0, sizeof token);
    memcpy(words, bytes, BYTES);
    if (THREADS == 64) {
        token.addr = words[0] & 0x3FFFFF;
        token.mask = words[0] >> 32 | words[1] << 32;
        token.kind = words[1] >> 32 & 15;
        token.flags = words[1] >> 40 & 7;
        token.below = words[1] >> 43 & 7;
    } else {
        token.kind = words[0] & 15;
        token.mask = words[0] >> 4 & UINT32_MAX;
        token.addr = words[0] >> 36 & 0x3FFFFF;
        token.flags = words[0] >> 58 & 7;
        token.below = words[0] >> 61 & 7;
    }
    return token;
}

static std::array<uint8_t, 16> bytes_of(const struct token *token) {
    uint64_t words[2] = {0, 0};
    std::array<uint8_t, 16> bytes;
    token_pack_memory(THREADS, token, &words[0], &words[1]);
    memcpy(bytes.data(), words, 16);
    return bytes;
}

// As in the RAM: kind, mask, address, flags, what is below.
template <class Port>
static void set_token(Port &port, const struct token *token) {
    set_bits(port, 0, 4, token->kind);
    set_bits(port, 4, THREADS, token->mask);
    set_bits(port, 4 + THREADS, 22, token->addr);
    set_bits(port, 26 + THREADS, 3, token->flags);
    set_bits(port, 29 + THREADS, 3, token->below);
}

template <class Port>
static bool is_token(const Port &port, const struct token *token) {
    return get_bits(port, 0, 4) == token->kind && get_bits(port, 4, THREADS) == token->mask &&
           get_bits(port, 4 + THREADS, 22) == token->addr && get_bits(port, 26 + THREADS, 3) == token->flags &&
           get_bits(port, 29 + THREADS, 3) == token->below;
}

// A line that is read: tokens of all kinds; in a search most of them are yield tokens.
static void fill_line(struct world *world, uint32_t address) {
    std::array<uint8_t, 32> &line = world->memory.lines[address];
    const uint32_t others = world->mover.search ? 20 : 2;
    for (uint32_t w = 0; w < OF_LINE; w++) {
        const struct token token = any_token(world, !bench_chance(&world->bench, 1, others));
        memcpy(&line[w * BYTES], bytes_of(&token).data(), BYTES);
    }
}

// Another place and size of the queues, while nothing is under way.
static void resize(struct world *world) {
    struct bench *bench = &world->bench;
    world->size = 1u << (2 + bench_below(bench, PLACE_W - 2));  // a line at least
    world->base = (uint64_t)bench_below(bench, 1u << 20) << 12;
    // Sometimes a part of the queues lies past the end of all addresses, or all of them.
    const uint32_t pages = 1 + world->size * WARPS * BYTES / 4096;
    if (bench_chance(bench, 1, 4)) world->base = 0x100000000u - ((uint64_t)bench_below(bench, pages + 1) << 12);
    world->rtl.base_i = (uint32_t)(world->base >> 12);
    world->rtl.size_i = (uint16_t)world->size;
    world->memory.slow = bench_below(bench, 3) == 0 ? 40 : bench_below(bench, 8);
    world->memory.fail_part = bench_chance(bench, 1, 2) ? 1 : 0;
    world->memory.fail_whole = 5 + bench_below(bench, 60);
}

static void inputs(struct world *world) {
    struct bench *bench = &world->bench;
    Vtoken_mover &rtl = world->rtl;
    const bool idle = world->mover.phase == NOTHING;
    rtl.rst_i = bench_chance(bench, 1, 3000);
    rtl.waits_i = bench_chance(bench, 1, 4);
    rtl.warp_i = (uint8_t)bench_below(bench, WARPS);
    rtl.may_i = !rtl.rst_i && bench_chance(bench, 3, 4);
    rtl.begin_i = bench_chance(bench, 1, 2);
    static const uint32_t ways[] = {TOKEN_MOVE_OUT_FRONT, TOKEN_MOVE_OUT_BACK, TOKEN_MOVE_IN};
    rtl.way_i = ways[bench_below(bench, 3)];
    // A search is one of the warp in question, goes on most of the time, and may come while a token comes in.
    const bool search = world->seeking ? !bench_chance(bench, 1, 60) : bench_chance(bench, 1, idle ? 12 : 40);
    if (search && !world->seeking) {
        world->wanted = bench_below(bench, 1u << 22);
        world->mask = bench_mask(bench, THREADS);
    }
    world->seeking = search;
    rtl.search_i = search;
    if (search) rtl.warp_i = (uint8_t)world->mover.at;
    if (search) rtl.begin_i = 1;
    rtl.want_addr_i = search || bench_chance(bench, 1, 2) ? world->wanted : bench_below(bench, 1u << 22);
    rtl.want_mask_i = world->mask;
    // A token's place; where the search ends, which is not behind where it is.
    uint32_t first = world->mover.place;
    if (bench_chance(bench, 1, 2)) first -= bench_below(bench, 1 + (first < 20 ? first : 20));
    rtl.place_i = (uint16_t)(world->mover.phase == LOOKS ? first : bench_below(bench, world->size));
    // No token is behind the last place.
    rtl.more_i = world->mover.place < world->size && bench_chance(bench, 4, 5);
    const struct token other = any_token(world, bench_chance(bench, 1, 2));
    if (world->taken) world->out = other;
    set_token(rtl.ram_i, &other);
}

static void check(struct world *world, const char *what, uint64_t has, uint64_t wants) {
    if (has != wants)
        bench_fail(&world->bench, "%s is %llx, not %llx; phase %d, warp %u, place %u", what, (unsigned long long)has,
                   (unsigned long long)wants, world->mover.phase, world->mover.at, world->mover.place);
}

// The request of this cycle.
static void check_request(struct world *world) {
    Vtoken_mover &rtl = world->rtl;
    const bool asks = world->mover.phase == ASKS;
    const uint32_t address = (uint32_t)address_of(world);
    const uint32_t strobes = asks && world->mover.writes ? ((1u << BYTES) - 1) << address % 32 : 0;
    check(world, "req_valid_o", rtl.req_valid_o, asks);
    check(world, "req_op_o", rtl.req_op_o, asks && world->mover.writes ? 1 : 0);
    check(world, "req_atom_o", rtl.req_atom_o, 0);
    check(world, "req_channel_o", rtl.req_channel_o, 0);
    check(world, "req_addr_o", rtl.req_addr_o, asks ? address & ~31u : 0);
    check(world, "req_wstrb_o", rtl.req_wstrb_o, strobes);
    const std::array<uint8_t, 16> bytes = bytes_of(&world->out);
    for (uint32_t b = 0; b < 32; b++) {
        const uint64_t byte = get_bits(rtl.req_wdata_o, 8 * b, 8);
        if (!asks || (strobes >> b & 1u) != 0) check(world, "req_wdata_o", byte, asks ? bytes[b % BYTES] : 0);
    }
}

static void check_move(struct world *world, bool puts) {
    Vtoken_mover &rtl = world->rtl;
    const bool leaves = world->mover.phase == MADE && world->mover.writes;
    check(world, "trace_token_move_valid_o", rtl.trace_token_move_valid_o, puts || leaves);
    if (!puts && !leaves) return;
    const struct token token = puts ? token_in(&world->line[world->mover.place % OF_LINE * BYTES]) : world->out;
    uint64_t words[2] = {0, 0};
    token_pack_memory(THREADS, &token, &words[0], &words[1]);
    check(world, "trace_token_move_warp_o", rtl.trace_token_move_warp_o, world->mover.at);
    check(world, "trace_token_move_way_o", rtl.trace_token_move_way_o, world->mover.way);
    check(world, "trace_token_move_place_o", rtl.trace_token_move_place_o, world->mover.place);
    check(world, "trace_token_move_token_lo_o", rtl.trace_token_move_token_lo_o, words[0]);
    check(world, "trace_token_move_token_hi_o", rtl.trace_token_move_token_hi_o, words[1]);
    world->token_jobs[world->mover.way]++;
}

// The outputs of a cycle, then its edge and the inputs of the memory in the next one.
static void cycle(struct world *world) {
    Vtoken_mover &rtl = world->rtl;
    struct mover *mover = &world->mover;
    const enum mover_phase phase = mover->phase;
    const struct token here = token_in(&world->line[mover->place % OF_LINE * BYTES]);
    struct mover_in in;
    in.waits = rtl.waits_i;
    in.may = rtl.may_i;
    in.begin = rtl.begin_i;
    in.search = rtl.search_i;
    in.more = rtl.more_i;
    in.warp = rtl.warp_i;
    in.way = rtl.way_i;
    in.place = rtl.place_i;
    in.ready = rtl.req_ready_i;
    in.answer = rtl.rsp_valid_i;
    in.bad = in.answer && rtl.rsp_fault_i != ANSWER_GOOD;
    in.outside = phase == MADE && address_of(world) > UINT32_MAX;
    in.here = here;
    in.want = rtl.want_addr_i;
    const struct mover_does does = mover_rules(mover, &in);
    rtl.eval();
    check(world, "at_o", rtl.at_o, mover->at);
    check(world, "busy_o", rtl.busy_o, phase != NOTHING || mover->unanswered != 0);
    check(world, "take_o", rtl.take_o, does.takes);
    check(world, "put_o", rtl.put_o, does.puts);
    check(world, "gives_o", rtl.gives_o, phase == PUTS);
    check(world, "looks_o", rtl.looks_o, phase == LOOKS);
    check(world, "found_o", rtl.found_o, does.found);
    check(world, "none_o", rtl.none_o, does.none);
    check(world, "failed_o", rtl.failed_o, in.bad || in.outside);
    if (phase != NOTHING) check(world, "token_place_o", rtl.token_place_o, mover->place);
    if (does.puts || phase == LOOKS) check(world, "token_o is the token", is_token(rtl.token_o, &here), 1);
    check_request(world);
    check_move(world, does.puts);

    if (does.goes) {
        struct line_request request;
        (void)line_take(true, true, rtl.req_op_o, rtl.req_addr_o, rtl.req_wstrb_o, rtl.req_wdata_o, &request);
        if (!mover->writes) fill_line(world, request.addr);
        line_accept(&world->bench, &world->memory, &request, 0);
    }
    if (does.comes) memcpy(world->line.data(), &rtl.rsp_data_i, 32);
    if (does.found && in.search) {
        world->out = here;
        world->out.mask |= rtl.want_mask_i;
    }
    if (does.found || does.none) world->seeking = false;
    world->taken = does.takes;
    world->failed += in.bad;
    world->outside += in.outside;
    world->found += does.found && in.search;
    world->found_not += does.none;
    world->dropped += phase == LOOKS && !in.search;
    world->left += phase == PUTS && in.more && !does.puts && in.waits && in.warp != mover->at;
    mover_edge(mover, &in, &does, WARPS, OF_LINE);
    if (rtl.rst_i) {
        *mover = {};
        world->taken = world->seeking = false;
        world->memory.answers.clear();
    }
    tick(rtl);
    (void)line_drive(&world->bench, rtl, &world->memory, rtl.req_ready_i, rtl.rsp_valid_i, rtl.rsp_data_i,
                     rtl.rsp_fault_i);
}

int main(int argc, char **argv) {
    static struct world world;
    bench_begin(&world.bench, argc, argv, 1000000);
    registers_at_random(world.bench.seed);
    Vtoken_mover &rtl = world.rtl;
    rtl.waits_i = rtl.warp_i = rtl.may_i = rtl.begin_i = rtl.way_i = rtl.search_i = rtl.more_i = 0;
    rtl.req_ready_i = rtl.rsp_valid_i = 0;
    resize(&world);
    reset(rtl);
    while (bench_more(&world.bench)) {
        if (world.mover.phase == NOTHING && world.mover.unanswered == 0 && bench_chance(&world.bench, 1, 200))
            resize(&world);
        inputs(&world);
        cycle(&world);
    }
    rtl.final();
    const uint64_t least = world.bench.ops / 5000;
    for (uint64_t moved : world.token_jobs)
        if (moved < least) bench_fail(&world.bench, "too few tokens moved: %llu", (unsigned long long)moved);
    for (uint64_t seen : {world.found, world.found_not, world.dropped, world.outside, world.failed, world.left})
        if (seen < least / 20) bench_fail(&world.bench, "too little came up: %llu", (unsigned long long)seen);
    return bench_end(&world.bench);
}
