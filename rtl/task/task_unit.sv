// task_unit: everything about tasks (ports and semantics: README.md beside this file).
//
//   launches -> task_management (tmd_check) -> work_distributor <-> queue_feeder
//                                                           \-> SMs
//
// Here: the memory port is lent to one of the three at a time (answers come back to who asked), faults of TMDs, releases and warps
// go to the host one a cycle, and the tasks of each channel are counted: channel_idle_o is low from the cycle after a launch is taken until
// the cycle after its TASK_END or TASK_REFUSED.
//
// Faults of warps go first. With one SM they reach the host in the cycle in which the SM tells them; with several they are queued for each SM.
`include "gen/bundles.svh"
`include "gen/trace.svh"
`include "task.svh"
`default_nettype none

module task_unit #(
    parameter THREADS       = 32,
    parameter LANES         = 4,
    parameter WARPS         = 2,
    parameter SMS           = 1,
    parameter CHANNELS      = 2,
    parameter TASK_SLOTS    = 2,
    parameter PENDING_TASKS = 4,
    parameter VGPR_ROWS     = 512,
    parameter SHARED_BYTES  = 16384,
    parameter CONST_BANKS   = 2,
    parameter NS_PER_CYCLE  = 40,
    parameter INJECT        = 0
) (
    input  wire logic                              clk_i,
    input  wire logic                              rst_i,
    input  wire logic [7:0]                        inject_i,
    input  wire logic [CHANNELS*32-1:0]            space_size_i,

    input  wire logic                              launch_valid_i,
    output logic                                   launch_ready_o,
    input  wire logic [$clog2(CHANNELS)-1:0]       launch_channel_i,
    input  wire logic [31:0]                       launch_tmd_i,
    input  wire logic [31:0]                       launch_region_i,
    input  wire logic [31:0]                       launch_local_i,
    input  wire logic [CHANNELS-1:0]               channel_halt_i,
    input  wire logic                              round_robin_i,
    output logic [CHANNELS-1:0]                    channel_idle_o,
    output logic                                   fault_valid_o,
    output logic [$clog2(CHANNELS)-1:0]            fault_channel_o,
    output logic [7:0]                             fault_code_o,
    output logic [31:0]                            fault_info_o,
    output logic [31:0]                            fault_pc_o,
    output logic [CHANNELS*24-1:0]                 tasks_outstanding_o,

    `REQUEST_OUT(req),
    `ANSWER_IN(rsp),

    output logic [TASK_SLOTS*$clog2(CHANNELS)-1:0] slot_channel_o,
    output logic [TASK_SLOTS*32-1:0]               slot_region_o,
    output logic [TASK_SLOTS*32-1:0]               slot_code_base_o,
    output logic [TASK_SLOTS*32-1:0]               slot_code_size_o,
    output logic [TASK_SLOTS*16-1:0]               slot_ntid_x_o,
    output logic [TASK_SLOTS*16-1:0]               slot_ntid_y_o,
    output logic [TASK_SLOTS*16-1:0]               slot_ntid_z_o,
    output logic [TASK_SLOTS*32-1:0]               slot_grid_x_o,
    output logic [TASK_SLOTS*16-1:0]               slot_grid_y_o,
    output logic [TASK_SLOTS*16-1:0]               slot_grid_z_o,
    output logic [TASK_SLOTS*16-1:0]               slot_threads_o,
    output logic [TASK_SLOTS*8-1:0]                slot_registers_o,
    output logic [TASK_SLOTS*8-1:0]                slot_shared_rows_o,
    output logic [TASK_SLOTS*18-1:0]               slot_shared_o,
    output logic [TASK_SLOTS*32-1:0]               slot_local_base_o,
    output logic [TASK_SLOTS*24-1:0]               slot_local_bytes_o,
    output logic [TASK_SLOTS*32-1:0]               slot_tmd_o,
    output logic [TASK_SLOTS*CONST_BANKS-1:0]      slot_const_valid_o,
    output logic [TASK_SLOTS*CONST_BANKS*32-1:0]   slot_const_addr_o,
    output logic [TASK_SLOTS*CONST_BANKS*17-1:0]   slot_const_size_o,
    output logic [TASK_SLOTS-1:0]                  slot_kill_o,

    output logic [SMS-1:0]                         cta_valid_o,
    input  wire logic [SMS-1:0]                    cta_ready_i,
    output logic [SMS*$clog2(TASK_SLOTS)-1:0]      cta_slot_o,
    output logic [SMS*32-1:0]                      cta_x_o,
    output logic [SMS*16-1:0]                      cta_y_o,
    output logic [SMS*16-1:0]                      cta_z_o,
    input  wire logic [SMS-1:0]                    cta_done_valid_i,
    input  wire logic [SMS*$clog2(TASK_SLOTS)-1:0] cta_done_slot_i,
    input  wire logic [SMS-1:0]                    sm_fault_valid_i,
    input  wire logic [SMS*$clog2(TASK_SLOTS)-1:0] sm_fault_slot_i,
    input  wire logic [SMS*8-1:0]                  sm_fault_code_i,
    input  wire logic [SMS*32-1:0]                 sm_fault_info_i,
    input  wire logic [SMS*32-1:0]                 sm_fault_pc_i,

    // LAUNCH of SM s; a pulse when a child has ended that a warp of SM s waits for.
    input  wire logic [SMS-1:0]                    child_valid_i,
    output logic [SMS-1:0]                         child_ready_o,
    input  wire logic [SMS*$clog2(TASK_SLOTS)-1:0] child_slot_i,
    input  wire logic [SMS*32-1:0]                 child_tmd_i,
    input  wire logic [SMS-1:0]                    child_wait_i,
    input  wire logic [SMS*8-1:0]                  child_warp_i,
    output logic [SMS-1:0]                         child_ended_valid_o,
    output logic [7:0]                             child_ended_warp_o,
    output logic [$clog2(CHANNELS)-1:0]            child_ended_channel_o,
    input  wire logic [SMS-1:0]                    sm_waiting_i,
    input  wire logic [SMS-1:0]                    sm_stuck_i,

    `TRACE_TASK_TAKE_PORTS,
    `TRACE_TASK_EVICT_PORTS,
    `TRACE_TASK_START_PORTS,
    `TRACE_CTA_LAUNCH_PORTS,
    `TRACE_CTA_END_PORTS,
    `TRACE_TASK_END_PORTS,
    `TRACE_TASK_PENDING_PORTS,
    `TRACE_TASK_STUCK_PORTS,
    `TRACE_TASK_DROP_PORTS,
    `TRACE_TASK_REFUSED_PORTS
);
    localparam CHANNEL_W = $clog2(CHANNELS);
    localparam SLOT_W    = $clog2(TASK_SLOTS);
    localparam FAULT_W   = CHANNEL_W + 72;

    // ---- the two parts --------------------------------------------------------------------------------------------------
    logic                                 fetch_want, fetch_granted_q, fetch_valid, fetch_write, release_want, release_granted_q, release_valid;
    logic [CHANNEL_W-1:0]                 fetch_channel, release_channel;
    logic [31:0]                          fetch_addr, fetch_wstrb, release_addr, release_wstrb;
    logic [1:0]                           release_op;
    logic [3:0]                           release_atom;
    logic [255:0]                         fetch_wdata, release_wdata;
    logic                                 slot_free, start_valid;
    logic [`TASK_W(CHANNEL_W, CONST_BANKS)-1:0] start_task;
    logic                                 refused_valid, ended_valid, dropped_valid;
    logic [23:0]                          dropped_count;
    logic [CHANNEL_W-1:0]                 refused_channel, ended_channel, failed_channel, dropped_channel;
    logic [7:0]                           refused_code, failed_code;
    logic [31:0]                          refused_info, failed_info;
    logic                                 pick_valid, evicted_valid, evicted_taken, evicted_done;
    logic [5:0]                           pick_level, evicted_level;
    logic [7:0]                           evicted_slot;
    logic [CHANNEL_W-1:0]                 evicted_channel;
    logic [31:0]                          evicted_tmd, evicted_region, evicted_local;
    logic [63:0]                          evicted_place;
    logic                                 failed_valid, warp_fault_valid, refused_fault;
    logic [FAULT_W-1:0]                   warp_fault;
    logic [TASK_SLOTS-1:0]                slot_faulted;
    logic [TASK_SLOTS-1:0]                fill, live, evicted, resting, launch_to, queue, queue_ready, queue_last, queue_synced, queue_hold, queue_bad;
    logic                                 fill_queue, fill_open, queue_busy, queue_want, queue_granted_q, queue_valid, queue_write;
    logic [30:0]                          fill_put, fill_get;
    logic [7:0]                           fill_period;
    logic [TASK_SLOTS*32-1:0]             next_x;
    logic [TASK_SLOTS*16-1:0]             queue_count;
    logic [TASK_SLOTS*8-1:0]              queue_code;
    logic [CHANNEL_W-1:0]                 queue_channel;
    logic [31:0]                          queue_addr, queue_wstrb;
    logic [255:0]                         queue_wdata;

    // ---- child tasks: the lowest SM that has one; channel and program region are those of the parent ---------------------------
    logic                 child_valid, child_ready, management_busy;
    logic [CHANNEL_W-1:0] child_channel;
    logic [31:0]          child_tmd, child_region, child_local;
    logic [16:0]          child_parent, ended_parent, evicted_parent;
    logic [SLOT_W-1:0]    child_slot;

    always_comb begin
        child_valid = child_valid_i != '0;
        child_ready_o = '0;
        child_slot = '0;
        child_tmd = '0;
        child_parent = '0;
        for (int s = SMS - 1; s >= 0; s--) begin
            if (child_valid_i[s]) begin
                child_ready_o = SMS'(child_ready) << s;
                child_slot = child_slot_i[SLOT_W*s +: SLOT_W];
                child_tmd = child_tmd_i[32*s +: 32];
                child_parent = child_wait_i[s] ? {1'b1, 8'(s), child_warp_i[8*s +: 8]} : 17'd0;
            end
        end
        child_channel = slot_channel_o[CHANNEL_W*child_slot +: CHANNEL_W];
        child_region = slot_region_o[32*child_slot +: 32];
        child_local = slot_local_base_o[32*child_slot +: 32];
        for (int s = 0; s < SMS; s++) child_ended_valid_o[s] = ended_valid && ended_parent[16] && ended_parent[15:8] == 8'(s);
        child_ended_warp_o = ended_parent[7:0];
        child_ended_channel_o = ended_channel;
    end

    task_management #(.THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .SMS(SMS), .CHANNELS(CHANNELS), .PENDING_TASKS(PENDING_TASKS),
                      .VGPR_ROWS(VGPR_ROWS), .SHARED_BYTES(SHARED_BYTES), .CONST_BANKS(CONST_BANKS)) task_management (
        .clk_i, .rst_i, .space_size_i, .channel_halt_i, .round_robin_i,
        .launch_valid_i, .launch_ready_o, .launch_channel_i, .launch_tmd_i, .launch_region_i, .launch_local_i,
        .child_valid_i(child_valid), .child_ready_o(child_ready), .child_channel_i(child_channel), .child_tmd_i(child_tmd),
        .child_region_i(child_region), .child_local_i(child_local), .child_parent_i(child_parent), .busy_o(management_busy), .evicted_parent_i(evicted_parent),
        .want_o(fetch_want), .granted_i(fetch_granted_q), .req_valid_o(fetch_valid), .req_ready_i,
        .req_channel_o(fetch_channel), .req_write_o(fetch_write), .req_addr_o(fetch_addr), .req_wstrb_o(fetch_wstrb), .req_wdata_o(fetch_wdata),
        .rsp_valid_i(rsp_valid_i && fetch_granted_q), .rsp_data_i, .rsp_fault_i,
        .slot_free_i(slot_free), .start_valid_o(start_valid), .start_task_o(start_task),
        .refused_valid_o(refused_valid), .refused_channel_o(refused_channel), .refused_code_o(refused_code),
        .refused_info_o(refused_info), .fault_hold_i(warp_fault_valid || failed_valid),
        .pick_valid_o(pick_valid), .pick_level_o(pick_level), .evicted_valid_i(evicted_valid), .evicted_slot_i(evicted_slot),
        .evicted_channel_i(evicted_channel), .evicted_level_i(evicted_level), .evicted_tmd_i(evicted_tmd),
        .evicted_region_i(evicted_region), .evicted_local_i(evicted_local), .evicted_place_i(evicted_place), .evicted_taken_o(evicted_taken), .evicted_done_o(evicted_done),
        .dropped_valid_o(dropped_valid), .dropped_channel_o(dropped_channel), .dropped_count_o(dropped_count),
        `TRACE_TASK_TAKE_CONNECT, `TRACE_TASK_PENDING_CONNECT, `TRACE_TASK_DROP_CONNECT, `TRACE_TASK_REFUSED_CONNECT);

    work_distributor #(.SMS(SMS), .WARPS(WARPS), .CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS), .CONST_BANKS(CONST_BANKS),
                       .NS_PER_CYCLE(NS_PER_CYCLE), .INJECT(INJECT)) work_distributor (
        .clk_i, .rst_i, .inject_i, .channel_halt_i, .round_robin_i, .pick_valid_i(pick_valid), .pick_level_i(pick_level),
        .evicted_valid_o(evicted_valid), .evicted_slot_o(evicted_slot), .evicted_channel_o(evicted_channel),
        .evicted_level_o(evicted_level), .evicted_tmd_o(evicted_tmd), .evicted_region_o(evicted_region), .evicted_local_o(evicted_local),
        .evicted_place_o(evicted_place), .evicted_taken_i(evicted_taken), .evicted_done_i(evicted_done),
        .evicted_parent_o(evicted_parent), .ended_parent_o(ended_parent), .sm_waiting_i, .sm_stuck_i, .busy_i(management_busy),
        .slot_free_o(slot_free), .start_valid_i(start_valid), .start_task_i(start_task),
        .slot_channel_o, .slot_region_o, .slot_code_base_o, .slot_code_size_o, .slot_ntid_x_o, .slot_ntid_y_o, .slot_ntid_z_o,
        .slot_grid_x_o, .slot_grid_y_o, .slot_grid_z_o, .slot_threads_o, .slot_registers_o, .slot_shared_rows_o, .slot_shared_o, .slot_local_base_o, .slot_local_bytes_o, .slot_tmd_o,
        .slot_const_valid_o, .slot_const_addr_o, .slot_const_size_o, .slot_kill_o,
        .cta_valid_o, .cta_ready_i, .cta_slot_o, .cta_x_o, .cta_y_o, .cta_z_o, .cta_done_valid_i, .cta_done_slot_i,
        .slot_faulted_i(slot_faulted),
        .fill_o(fill), .live_o(live), .evicted_o(evicted), .resting_o(resting), .launch_to_o(launch_to), .fill_fields_o({fill_queue, fill_open, fill_put, fill_get, fill_period}),
        .next_x_o(next_x), .queue_i(queue), .queue_ready_i(queue_ready), .queue_last_i(queue_last), .queue_synced_i(queue_synced), .queue_hold_i(queue_hold),
        .queue_bad_i(queue_bad), .queue_count_i(queue_count), .queue_code_i(queue_code), .queue_busy_i(queue_busy),
        .want_o(release_want), .granted_i(release_granted_q), .req_valid_o(release_valid), .req_ready_i,
        .req_op_o(release_op), .req_atom_o(release_atom), .req_channel_o(release_channel), .req_addr_o(release_addr),
        .req_wstrb_o(release_wstrb), .req_wdata_o(release_wdata), .rsp_valid_i(rsp_valid_i && release_granted_q), .rsp_fault_i,
        .fault_valid_o(failed_valid), .fault_channel_o(failed_channel), .fault_code_o(failed_code), .fault_info_o(failed_info),
        .fault_hold_i(warp_fault_valid), .ended_valid_o(ended_valid), .ended_channel_o(ended_channel),
        `TRACE_TASK_EVICT_CONNECT, `TRACE_TASK_START_CONNECT, `TRACE_CTA_LAUNCH_CONNECT, `TRACE_CTA_END_CONNECT, `TRACE_TASK_STUCK_CONNECT, `TRACE_TASK_END_CONNECT);

    queue_feeder #(.CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS)) queue_feeder (
        .clk_i, .rst_i, .fill_i(fill), .fill_queue_i(fill_queue), .fill_open_i(fill_open), .fill_put_i(fill_put), .fill_get_i(fill_get),
        .fill_period_i(fill_period), .live_i(live), .evicted_i(evicted), .resting_i(resting), .launch_i(launch_to), .next_i(next_x),
        .size_i(slot_grid_x_o), .per_cta_i(slot_grid_y_o), .tmd_i(slot_tmd_o), .channel_i(slot_channel_o),
        .queue_o(queue), .ready_o(queue_ready), .count_o(queue_count), .last_o(queue_last), .synced_o(queue_synced), .hold_o(queue_hold),
        .busy_o(queue_busy), .bad_o(queue_bad), .code_o(queue_code),
        .want_o(queue_want), .granted_i(queue_granted_q), .req_valid_o(queue_valid), .req_ready_i, .req_write_o(queue_write),
        .req_channel_o(queue_channel), .req_addr_o(queue_addr), .req_wstrb_o(queue_wstrb), .req_wdata_o(queue_wdata),
        .rsp_valid_i(rsp_valid_i && queue_granted_q), .rsp_data_i, .rsp_fault_i);

    // ---- the memory port: releases first, since somebody waits for them, queues last ----------------------------------------------------
    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            fetch_granted_q   <= 1'b0;
            release_granted_q <= 1'b0;
            queue_granted_q   <= 1'b0;
        end else begin
            fetch_granted_q   <= fetch_want && (fetch_granted_q || (!release_granted_q && !release_want && !queue_granted_q));
            release_granted_q <= release_want && (release_granted_q || (!fetch_granted_q && !queue_granted_q));
            queue_granted_q   <= queue_want && (queue_granted_q || (!fetch_granted_q && !fetch_want && !release_granted_q && !release_want));
        end
    end

    always_comb begin
        req_valid_o   = release_granted_q ? release_valid : fetch_valid;
        req_op_o      = release_granted_q ? release_op : {1'b0, fetch_write};
        req_atom_o    = release_atom;
        req_channel_o = release_granted_q ? release_channel : fetch_channel;
        req_addr_o    = release_granted_q ? release_addr : fetch_addr;
        req_wstrb_o   = !release_granted_q ? fetch_wstrb : release_op == 2'd1 ? release_wstrb : 32'd0;
        req_wdata_o   = release_granted_q ? release_wdata : fetch_wdata;
        if (queue_granted_q) begin
            req_valid_o   = queue_valid;
            req_op_o      = {1'b0, queue_write};
            req_channel_o = queue_channel;
            req_addr_o    = queue_addr;
            req_wstrb_o   = queue_wstrb;
            req_wdata_o   = queue_wdata;
        end
    end

    // ---- faults of warps ------------------------------------------------------------------------------------------------
    always_comb begin
        slot_faulted = '0;
        for (int s = 0; s < SMS; s++) begin
            if (sm_fault_valid_i[s]) slot_faulted[sm_fault_slot_i[SLOT_W*s +: SLOT_W]] = 1'b1;
        end
    end

    if (SMS == 1) begin : g_one_sm
        assign warp_fault_valid = sm_fault_valid_i[0];
        assign warp_fault = {slot_channel_o[CHANNEL_W*sm_fault_slot_i +: CHANNEL_W], sm_fault_code_i, sm_fault_info_i, sm_fault_pc_i};
    end else begin : g_sms
        logic [SMS-1:0]         queued, pop;
        logic [SMS*FAULT_W-1:0] queue_data;

        for (genvar s = 0; s < SMS; s++) begin : g_sm
            logic [TASK_SLOTS-1:0] told_q;  // a fault of this SM in this slot is known
            logic [SLOT_W-1:0]     slot;
            logic                  push;

            assign slot = sm_fault_slot_i[SLOT_W*s +: SLOT_W];
            assign push = sm_fault_valid_i[s] && !told_q[slot];
            always_ff @(posedge clk_i) begin
                if (rst_i) told_q <= '0;
                else begin
                    for (int k = 0; k < TASK_SLOTS; k++) begin
                        if (push && slot == SLOT_W'(k)) told_q[k] <= 1'b1;
                        else if (!slot_kill_o[k] && !(sm_fault_valid_i[s] && slot == SLOT_W'(k))) told_q[k] <= 1'b0;
                    end
                end
            end
            fault_queue #(.DEPTH(TASK_SLOTS), .W(FAULT_W)) fault_queue (
                .clk_i, .rst_i, .push_i(push),
                .push_data_i({slot_channel_o[CHANNEL_W*slot +: CHANNEL_W], sm_fault_code_i[8*s +: 8],
                              sm_fault_info_i[32*s +: 32], sm_fault_pc_i[32*s +: 32]}),
                .valid_o(queued[s]), .data_o(queue_data[FAULT_W*s +: FAULT_W]), .pop_i(pop[s]));
        end

        always_comb begin
            warp_fault_valid = queued != '0;
            warp_fault = '0;
            pop = '0;
            for (int s = SMS - 1; s >= 0; s--) begin
                if (queued[s]) begin
                    warp_fault = queue_data[FAULT_W*s +: FAULT_W];
                    pop = SMS'(1) << s;
                end
            end
        end
    end

    always_comb begin
        refused_fault = refused_valid && refused_code != 8'd0;
        fault_valid_o = (warp_fault_valid || failed_valid || refused_fault) && !rst_i;
        {fault_channel_o, fault_code_o, fault_info_o, fault_pc_o} = warp_fault;
        if (!warp_fault_valid) begin
            fault_channel_o = failed_valid ? failed_channel : refused_channel;
            fault_code_o    = failed_valid ? failed_code : refused_code;
            fault_info_o    = failed_valid ? failed_info : refused_info;
            fault_pc_o      = 32'd0;
        end
    end

    // ---- the tasks of each channel ----------------------------------------------------------------------------------------
    for (genvar c = 0; c < CHANNELS; c++) begin : g_channel
        logic        launched, child, refused, ended;
        logic [23:0] dropped;
        assign launched = launch_valid_i && launch_ready_o && launch_channel_i == CHANNEL_W'(c);
        assign child    = child_valid && child_ready && child_channel == CHANNEL_W'(c);
        assign refused  = refused_valid && refused_channel == CHANNEL_W'(c);
        assign ended    = ended_valid && ended_channel == CHANNEL_W'(c);
        assign dropped  = dropped_valid && dropped_channel == CHANNEL_W'(c) ? dropped_count : 24'd0;
        assign channel_idle_o[c] = tasks_outstanding_o[24*c +: 24] == 24'd0;
        always_ff @(posedge clk_i) begin
            if (rst_i) tasks_outstanding_o[24*c +: 24] <= '0;
            else tasks_outstanding_o[24*c +: 24] <=
                tasks_outstanding_o[24*c +: 24] + 24'(launched) + 24'(child) - 24'(refused) - 24'(ended) - dropped;
        end
`ifndef SYNTHESIS
        always @(posedge clk_i) begin
            if (!rst_i && channel_idle_o[c]) assert (!refused && !ended && dropped == 24'd0);
        end
`endif
    end

`ifndef SYNTHESIS
    always @(posedge clk_i) begin
        if (!rst_i) begin
            assert (!(fetch_granted_q && release_granted_q) && !(queue_granted_q && (fetch_granted_q || release_granted_q)));
            if (refused_fault) assert (!warp_fault_valid && !failed_valid);
        end
    end
`endif
endmodule

`default_nettype wire
