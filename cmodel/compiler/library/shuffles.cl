// Shuffles of sub-groups, and votes of those work-items of one that are at the same place: cl_khr_subgroup_shuffle,
// cl_khr_subgroup_shuffle_relative, cl_khr_subgroup_non_uniform_vote. A sub-group is a warp, and nobody waits here.
#include "tandem.h"
#include "team.h"

#define NARROW(type) \
    static inline type from_##type(type x, uint lane) { return (type)__tandem_shuffle((uint)x, lane); }
#define WIDE(type)                                                                            \
    static inline type from_##type(type x, uint lane) {                                       \
        const uint low = __tandem_shuffle((uint)(ulong)x, lane);                              \
        const uint high = __tandem_shuffle((uint)((ulong)x >> 32), lane);                     \
        return (type)((ulong)high << 32 | low);                                               \
    }
NARROW(char)
NARROW(uchar)
NARROW(short)
NARROW(ushort)
NARROW(int)
NARROW(uint)
WIDE(long)
WIDE(ulong)
static inline float from_float(float x, uint lane) { return as_float(__tandem_shuffle(as_uint(x), lane)); }

#define FUNCTIONS(type)                                                                                          \
    type OVERLOAD sub_group_shuffle(type x, uint lane) { return from_##type(x, lane); }                          \
    type OVERLOAD sub_group_shuffle_xor(type x, uint mask) { return from_##type(x, __tandem_team_lane() ^ mask); } \
    type OVERLOAD sub_group_shuffle_up(type x, uint distance) {                                                  \
        return from_##type(x, __tandem_team_lane() - distance);                                                  \
    }                                                                                                            \
    type OVERLOAD sub_group_shuffle_down(type x, uint distance) {                                                \
        return from_##type(x, __tandem_team_lane() + distance);                                                  \
    }                                                                                                            \
    int OVERLOAD sub_group_non_uniform_all_equal(type x) {                                                       \
        const type other = from_##type(x, team_first(team_here()));                                              \
        return __tandem_vote(x != other) == 0;                                                                   \
    }
FUNCTIONS(char)
FUNCTIONS(uchar)
FUNCTIONS(short)
FUNCTIONS(ushort)
FUNCTIONS(int)
FUNCTIONS(uint)
FUNCTIONS(long)
FUNCTIONS(ulong)
FUNCTIONS(float)

int OVERLOAD sub_group_elect(void) { return team_leads(team_here()); }
int OVERLOAD sub_group_non_uniform_any(int condition) { return __tandem_vote(condition != 0) != 0; }
int OVERLOAD sub_group_non_uniform_all(int condition) { return __tandem_vote(condition == 0) == 0; }
