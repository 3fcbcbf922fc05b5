// In place of the model's quick ways (sm/native.h, sm/load_store_fast.c), which say a second time what other files say:
// a defect that stands in those must not be hidden by what never runs into it.
#include "sm/sm_internal.h"

static uint32_t nothing(struct sm *sm, uint32_t number, uint32_t most) {
    (void)sm, (void)number, (void)most;
    return 0;
}

native_function *native_choose(void) {
    return nothing;
}

bool load_store_all(const struct sm *sm, struct warp *warp) {
    (void)sm, (void)warp;
    return false;
}
