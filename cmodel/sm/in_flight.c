// In tandem: the instructions of a warp that were issued before its last one and of which something is still due.
//
// A warp's last instruction is in the warp itself (due, access, instr_pc). What an event belongs to is looked for
// among the older ones first; it then changes places with the last one for as long as the event is followed.
#include <stdlib.h>
#include <string.h>

#include "sm_internal.h"

bool in_flight_init(struct warp *warp) {
    for (unsigned i = 0; i < IN_FLIGHT_MAX; i++) {
        warp->older[i] = calloc(1, sizeof *warp->older[i]);
        if (warp->older[i] == NULL) return false;
    }
    return true;
}

void in_flight_free(struct warp *warp) {
    for (unsigned i = 0; i < IN_FLIGHT_MAX; i++)
        free(warp->older[i]);
}

// What a store or an atomic sends is what its registers held when it was issued.
static void keep_operands(const struct warp *warp, struct in_flight *to) {
    const struct decoded *d = &to->access.decoded;
    const unsigned stride = warp->divergence.threads;
    const struct execute_state state = {.threads = stride, .registers = warp->registers};
    const unsigned rows = d->rd == ISA_RZ || d->bytes <= 4 ? 1u : d->bytes / 4u;
    memcpy(&to->kept[0], execute_read(&state, d->rd), rows * stride * sizeof to->kept[0]);
    if (isa_table[d->opcode].format == FORMAT_ATOM) {
        memcpy(&to->kept[4 * stride], execute_read(&state, d->rb), stride * sizeof to->kept[0]);
        if (d->mod == ATOM_CAS) memcpy(&to->kept[5 * stride], execute_read(&state, d->rc), stride * sizeof to->kept[0]);
    }
    to->access.kept = to->kept;
}

bool in_flight_keep(struct warp *warp) {
    if (!due_of(&warp->due, &warp->access)) return true;
    if (warp->older_count == IN_FLIGHT_MAX) return false;
    struct in_flight *to = warp->older[warp->older_count++];
    to->pc = warp->instr_pc;
    to->serial = warp->serial;
    to->due = warp->due;
    to->access = warp->access;
    if (to->access.pending != 0) keep_operands(warp, to);
    warp->due = (struct due){0};
    warp->access.pending = warp->access.in_flight = 0;
    warp->access.kept = NULL;
    return true;
}

void in_flight_exchange(struct warp *warp, struct in_flight *older) {
    if (older == NULL) return;
    const uint32_t pc = warp->instr_pc, serial = warp->serial;
    const struct due due = warp->due;
    const struct access access = warp->access;
    warp->instr_pc = older->pc;
    warp->serial = older->serial;
    warp->due = older->due;
    warp->access = older->access;
    older->pc = pc;
    older->serial = serial;
    older->due = due;
    older->access = access;
}

void in_flight_return(struct warp *warp, struct in_flight *older) {
    if (older == NULL) return;
    in_flight_exchange(warp, older);
    if (due_of(&older->due, &older->access)) return;
    unsigned i = 0;
    while (warp->older[i] != older)
        i++;
    warp->older_count--;
    memmove(&warp->older[i], &warp->older[i + 1], (warp->older_count - i) * sizeof warp->older[0]);
    warp->older[warp->older_count] = older;
}

struct in_flight *in_flight_find(const struct warp *warp, in_flight_test *test, const void *what) {
    for (unsigned i = 0; i < warp->older_count; i++) {
        const struct in_flight *older = warp->older[i];
        if (test(older, what)) return warp->older[i];
    }
    return NULL;
}
