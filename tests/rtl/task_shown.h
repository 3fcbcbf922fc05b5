// A task as tmd_check puts it out (bundle TASK), beside what the model has found in the same TMD; for tmd_check_bench and task_management_bench.
#ifndef TANDEM_TESTS_RTL_TASK_SHOWN_H
#define TANDEM_TESTS_RTL_TASK_SHOWN_H

#include "bench.h"
#include "port_bits.h"

extern "C" {
#include "gen/registers.h"
#include "task/task_internal.h"
}

struct task_shown {
    const char *name;
    uint64_t rtl, twin;
    bool always;  // of a task that is refused too

    void compare(const struct bench *bench, bool good) const {
        if ((good || always) && rtl != twin) bench_fail(bench, "%s is 0x%" PRIx64 ", not 0x%" PRIx64, name, rtl, twin);
    }
};

template <class Unit>
void task_compare(const struct bench *bench, const Unit &rtl, const launch &wanted) {
    const uint32_t *tmd = wanted.words;
    const checked_task &task = wanted.checked;
    const task_slot &slot = task.slot;
    const bool good = wanted.code == FAULT_NONE, queue = task.queue;
    const uint32_t banks = (1u << CONST_BANKS) - 1;
    const task_shown all[] = {
        {"group", rtl.task_group_o, task.group, true},
        {"sequential", rtl.task_sequential_o, task.sequential, true},
        {"parent", rtl.task_parent_o, task.parent, true},
        {"save", rtl.task_save_o, task.save, true},
        {"saved", rtl.task_saved_o, task.saved, true},
        {"launched", rtl.task_launched_o, task.launched, false},
        {"channel", rtl.task_channel_o, slot.channel, true},
        {"tmd", rtl.task_tmd_o, slot.tmd, true},
        {"region", rtl.task_region_o, slot.region, true},
        {"code_base", rtl.task_code_base_o, slot.code_base, true},
        {"code_size", rtl.task_code_size_o, slot.code_size, true},
        {"ntid_x", rtl.task_ntid_x_o, slot.ntid[0], true},
        {"ntid_y", rtl.task_ntid_y_o, slot.ntid[1], true},
        {"ntid_z", rtl.task_ntid_z_o, slot.ntid[2], true},
        {"grid_x", rtl.task_grid_x_o, slot.grid[0], true},
        {"grid_y", rtl.task_grid_y_o, slot.grid[1], true},
        {"grid_z", rtl.task_grid_z_o, slot.grid[2], true},
        {"next_x", rtl.task_next_x_o, task.next[0], true},
        {"next_y", rtl.task_next_y_o, task.next[1], true},
        {"next_z", rtl.task_next_z_o, task.next[2], true},
        {"threads", rtl.task_threads_o, slot.threads, false},
        {"registers", rtl.task_registers_o, slot.registers, true},
        {"shared_rows", rtl.task_shared_rows_o, slot.shared_rows, true},
        {"shared", rtl.task_shared_o, slot.shared_bytes, true},
        {"local_base", rtl.task_local_base_o, slot.local, true},
        {"local_bytes", rtl.task_local_bytes_o, slot.local_bytes, true},
        {"const_valid", rtl.task_const_valid_o, slot.const_valid & banks, true},
        {"queue", rtl.task_queue_o, queue, true},
        {"open", queue ? rtl.task_open_o : 0u, queue && task.open, true},
        {"put", queue ? rtl.task_put_o : 0, queue ? task.put : 0, true},
        {"period", rtl.task_period_o, tmd_get(tmd, TMD_COALESCE_WAITING_PERIOD, 0), true},
    };
    for (const task_shown &one : all)
        one.compare(bench, good);
    if (slot.busy || slot.kill) bench_fail(bench, "the model has a task that runs");
    for (uint32_t i = 0; i < CONST_BANKS; i++)
        if (get_bits(rtl.task_const_addr_o, 32 * i, 32) != slot.const_addr[i] ||
            get_bits(rtl.task_const_size_o, 17 * i, 17) != slot.const_size[i])
            bench_fail(bench, "constant buffer %u", i);
    for (uint32_t r = 0; r < 2; r++) {
        const task_release &release = task.release[r];
        if ((rtl.task_release_enable_o >> r & 1) != release.enable ||
            (rtl.task_release_red_o >> r & 1) != release.reduce ||
            (rtl.task_release_signed_o >> r & 1) != release.is_signed ||
            (rtl.task_release_one_word_o >> r & 1) != release.one_word ||
            (rtl.task_release_op_o >> 3 * r & 7u) != release.op ||
            get_bits(rtl.task_release_addr_o, 32 * r, 32) != release.addr ||
            get_bits(rtl.task_release_payload_o, 32 * r, 32) != release.payload)
            bench_fail(bench, "RELEASE%u", r);
        if ((rtl.task_frees_o >> r & 1) != task.frees[r] ||
            get_bits(rtl.task_frees_tmd_o, 24 * r, 24) != task.frees_tmd[r] >> 8)
            bench_fail(bench, "DEPENDENT_QMD%u", r);
    }
}

#endif
