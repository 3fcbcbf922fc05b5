// Threads of a warp that do something together: one of them does what is needed once, the others get its result.
//
// A team is a mask of threads that were active together. Whatever it does is done by all of them, in the same order;
// threads outside may be active beside them, stand elsewhere, or be another team at the same place.
// Threads that vote or shuffle must be together. They are while no branch and no YIELD has parted them; behind a part
// that only some of them do, or may wait in, team_meet() brings them together again.
#ifndef TANDEM_TEAM_H
#define TANDEM_TEAM_H

void __tandem_yield(void);  // makes a loop one that waits for others
uint __tandem_exec_lo(void);
uint __tandem_exec_hi(void);
ulong __tandem_vote(uint condition);           // the active threads for which it is not 0, halves as of EXEC
uint __tandem_shuffle(uint value, uint lane);  // the value of another thread
// Read anew where they are needed, rather than kept in registers.
uint __tandem_team_lane(void);
uint __tandem_team_threads(void);  // of a warp: 32 or 64

typedef uint2 team_t;  // bits of the lower half of the warp's threads, of the upper half

static inline uint team_half(void) {
    return __tandem_team_threads() / 2;
}
// The thread's bit in its half.
static inline uint team_bit(void) {
    return __tandem_team_lane() & (team_half() - 1);
}
static inline bool team_low(void) {
    return __tandem_team_lane() < team_half();
}

// The threads that are here together.
static inline team_t team_here(void) {
    return (team_t)(__tandem_exec_lo(), __tandem_exec_hi());
}

// Waits until all of the team are here. Others may be, too.
static inline void team_meet(team_t team) {
    while (((team.x & ~__tandem_exec_lo()) | (team.y & ~__tandem_exec_hi())) != 0)
        __tandem_yield();
}

// Those of the team for which the condition holds.
static inline team_t team_vote(team_t team, bool condition) {
    const ulong all = __tandem_vote(condition);
    return (team_t)((uint)all & team.x, (uint)(all >> 32) & team.y);
}

static inline bool team_none(team_t team) {
    return (team.x | team.y) == 0;
}
static inline uint team_size(team_t team) {
    return (uint)(__builtin_popcount(team.x) + __builtin_popcount(team.y));
}

// How many of the team stand before this thread.
static inline uint team_before(team_t team) {
    const uint below = (1u << team_bit()) - 1, mine = team_low() ? team.x : team.y;
    return (uint)(__builtin_popcount(mine & below) + (team_low() ? 0 : __builtin_popcount(team.x)));
}

// The lane of its first thread, of its last; of no thread: some lane.
static inline uint team_first(team_t team) {
    return team.x != 0 ? (uint)__builtin_ctz(team.x) : team_half() + (uint)__builtin_ctz(team.y | 1u << 31);
}
static inline uint team_last(team_t team) {
    return (team.y != 0 ? team_half() : 0) + 31u - (uint)__builtin_clz((team.y != 0 ? team.y : team.x) | 1u);
}
static inline bool team_leads(team_t team) {
    return __tandem_team_lane() == team_first(team);
}

// Those of the team behind this thread.
static inline team_t team_behind(team_t team) {
    const uint above = ~1u << team_bit();
    return team_low() ? (team_t)(team.x & above, team.y) : (team_t)(0, team.y & above);
}

// The sum of a number that each thread has over those before this one, and over all: bit by bit.
static inline uint team_sum(team_t team, uint number, __private uint *all) {
    team_t ones = team_vote(team, (number & 1) != 0);
    uint before = team_before(ones), sum = team_size(ones);
    for (uint bit = 1; bit < 32 && !team_none(team_vote(team, number >> bit != 0)); bit++) {
        ones = team_vote(team, (number >> bit & 1) != 0);
        before += team_before(ones) << bit;
        sum += team_size(ones) << bit;
    }
    *all = sum;
    return before;
}

#endif
