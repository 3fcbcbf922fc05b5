// Shuffles of sub-groups, and votes of those work-items of one that are at the same place: cl_khr_subgroup_shuffle,
// cl_khr_subgroup_shuffle_relative, cl_khr_subgroup_non_uniform_vote. A sub-group is a warp, and nobody waits here.
#include "groups.h"

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

SHUFFLE_FUNCTIONS(char)
SHUFFLE_FUNCTIONS(uchar)
SHUFFLE_FUNCTIONS(short)
SHUFFLE_FUNCTIONS(ushort)
SHUFFLE_FUNCTIONS(int)
SHUFFLE_FUNCTIONS(uint)
SHUFFLE_FUNCTIONS(long)
SHUFFLE_FUNCTIONS(ulong)
SHUFFLE_FUNCTIONS(float)

int OVERLOAD sub_group_elect(void) { return team_leads(team_here()); }
int OVERLOAD sub_group_non_uniform_any(int condition) { return __tandem_vote(condition != 0) != 0; }
int OVERLOAD sub_group_non_uniform_all(int condition) { return __tandem_vote(condition == 0) == 0; }
