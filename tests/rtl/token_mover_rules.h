// What token_mover does in a cycle, by the rules that its head states: for the bench of its own, and that of token_deque, in which it is.
#ifndef TANDEM_TESTS_RTL_TOKEN_MOVER_RULES_H
#define TANDEM_TESTS_RTL_TOKEN_MOVER_RULES_H

#include <cstdint>

extern "C" {
#include "sm/token_deque.h"
}

// What it is at: the token is read from the RAM (or a line's address is made), a request waits to go over, a line is awaited, its tokens are
// put, or looked at.
enum mover_phase { NOTHING, MADE, ASKS, AWAITS, PUTS, LOOKS };
static const uint32_t MOVER_WRITES = 4;  // of one warp may be under way

struct mover {
    enum mover_phase phase;
    uint32_t at, way, place, unanswered;
    bool search, writes;
};

struct mover_in {
    bool waits, may, begin, search, more;  // of its deque
    uint32_t warp, way, place;
    bool ready, answer, bad, outside;  // of memory; outside: there is none at the place that it is at
    struct token here;                 // at its place in the line that it has
    uint32_t want;                     // the address that is looked for
};

// What it does in this cycle.
struct mover_does {
    bool begins, takes, puts, found, none, goes, comes;
};

static inline struct mover_does mover_rules(const struct mover *mover, const struct mover_in *in) {
    struct mover_does does;
    const bool out = in->way != TOKEN_MOVE_IN, yield = in->here.kind == KIND_YIELD;
    does.begins =
        mover->phase == NOTHING && in->begin && in->may && (in->search || !out || mover->unanswered != MOVER_WRITES);
    does.takes = does.begins && !in->search && out;
    does.puts = mover->phase == PUTS && in->may && in->more && !in->search;
    does.found = mover->phase == LOOKS && yield && in->here.addr == in->want;
    does.none = mover->phase == LOOKS && in->search && !does.found && (!yield || mover->place == in->place);
    does.goes = mover->phase == ASKS && in->ready;
    // Answers come in order: that of the line is the last one.
    does.comes = mover->phase == AWAITS && in->answer && mover->unanswered == 1;
    return does;
}

// The edge behind it. of_line: tokens of a line.
static inline void mover_edge(struct mover *mover, const struct mover_in *in, const struct mover_does *does,
                              uint32_t warps, uint32_t of_line) {
    const bool last = mover->place % of_line == of_line - 1, other = in->waits && in->warp != mover->at;
    switch (mover->phase) {
        case NOTHING:
            if (does->begins) {
                mover->phase = MADE;
                mover->place = in->place;
                mover->way = in->way;
                mover->search = in->search;
                mover->writes = does->takes;
            } else if (mover->unanswered == 0) {
                mover->at = in->waits ? in->warp : (mover->at + 1) % warps;
            }
            break;
        case MADE: mover->phase = in->outside ? NOTHING : ASKS; break;
        case ASKS:
            if (does->goes) mover->phase = mover->writes ? NOTHING : AWAITS;
            break;
        case AWAITS:
            if (does->comes) mover->phase = in->bad ? NOTHING : mover->search ? LOOKS : PUTS;
            break;
        case PUTS:
            mover->place += does->puts;
            if ((does->puts && last) || !in->more || in->search || other) mover->phase = NOTHING;
            break;
        default:
            if (!in->search || does->none) {
                mover->phase = NOTHING;
            } else if (does->found) {
                mover->writes = true;
                mover->phase = ASKS;
            } else if (mover->place-- % of_line == 0) {
                mover->phase = MADE;
            }
            break;
    }
    mover->unanswered += does->goes;
    mover->unanswered -= in->answer;
}

#endif
