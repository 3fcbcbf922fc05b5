// The register file: rows of LANES words. Private register r, portion p of a warp is row `row + r * P + p`; behind them
// lies one row for each shared register. Here rows are only counted: the registers of a warp lie in memory as
// [register][thread], a shared one with the same words for each portion.
#include <string.h>

#include "sm_internal.h"

bool register_file_is_free(const struct sm *sm, uint32_t row, uint32_t rows) {
    if ((uint64_t)row + rows > sm->config->vgpr_rows) return false;
    for (uint32_t w = 0; w < sm->config->warps; w++) {
        const struct warp *warp = &sm->warps[w];
        if (warp->running && row < warp->row + warp->rows && warp->row < row + rows) return false;
    }
    return true;
}

// The next row at or after `from` where a warp's rows begin (the end of the file when none does), and where they end.
static uint32_t next_taken(const struct sm *sm, uint32_t from, uint32_t *end) {
    uint32_t first = sm->config->vgpr_rows;
    *end = first;
    for (uint32_t w = 0; w < sm->config->warps; w++) {
        const struct warp *warp = &sm->warps[w];
        if (warp->running && warp->row >= from && warp->row < first) {
            first = warp->row;
            *end = warp->row + warp->rows;
        }
    }
    return first;
}

bool register_file_find(const struct sm *sm, uint32_t rows, uint32_t *row) {
    uint32_t from = 0;
    while (from < sm->config->vgpr_rows) {
        uint32_t end;
        if (next_taken(sm, from, &end) - from >= rows) {
            *row = from;
            return true;
        }
        from = end;
    }
    return false;
}

uint32_t register_file_room(const struct sm *sm, uint32_t rows) {
    uint32_t from = 0, room = 0;
    while (from < sm->config->vgpr_rows) {
        uint32_t end;
        room += (next_taken(sm, from, &end) - from) / rows;
        from = end;
    }
    return room;
}

void register_file_give(struct sm *sm, struct warp *warp, uint32_t row, uint32_t rows, uint32_t registers) {
    const size_t number = (size_t)(warp - sm->warps);
    warp->row = row;
    warp->rows = rows;
    warp->registers = &sm->register_file[number * REGISTERS_MAX * sm->config->threads];
    memset(warp->registers, 0, (size_t)registers * sm->config->threads * sizeof *warp->registers);
}

void register_file_share(const struct sm *sm, const struct warp *warp, uint32_t first, uint32_t count,
                         uint64_t threads) {
    const uint32_t lanes = sm->config->lanes;
    if (first + count <= warp->privates) return;
    for (uint32_t r = first; r < first + count; r++) {
        if (r < warp->privates || r == ISA_RZ) continue;
        uint32_t *words = &warp->registers[r * sm->config->threads];
        for (uint64_t left = threads; left != 0; left &= left - 1) {
            const uint32_t t = (uint32_t)__builtin_ctzll(left);
            for (uint32_t p = 0; p < sm->portions; p++)
                words[p * lanes + t % lanes] = words[t];
        }
    }
}
