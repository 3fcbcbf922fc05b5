// task_unit: everything about tasks (ports and semantics: README.md beside this file).
//
//   launches -> task_management (tmd_check) -> work_distributor <-> queue_feeder
//                                                           \-> SMs
//
// Here: the memory port is lent to one of the three at a time (answers come back to who asked), faults of TMDs, releases and warps
// go to the host one a cycle, and the tasks of each channel are counted: channel_idle_o is low from the cycle after a launch is taken until
// the cycle after its TASK_END or TASK_REFUSED. A task that waits for others (TASK_PARKED) does not count until the last of them hands it over.
//
// Faults of warps go first. With one SM they reach the host in the cycle in which the SM tells them; with several they are queued for each SM.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/trace.svh"

module task_unit #(
    parameter int THREADS = 32,
    parameter int LANES = 4,
    parameter int WARPS = 2,
    parameter int SMS = 1,
    parameter int CHANNELS = 2,
    parameter int TASK_SLOTS = 2,
    parameter int PENDING_TASKS = 4,
    parameter int VGPR_ROWS = 512,
    parameter int SHARED_BYTES = 16384,
    parameter int CONST_BANKS = 2,
    parameter int NS_PER_CYCLE = 40,
    parameter int INJECT = 0,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1,
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1
) (
    input  wire                    clk_i,
    input  wire                    rst_i,
    input  wire  [7:0]             inject_i,
    input  wire  [CHANNELS*32-1:0] space_size_i,

    `LAUNCH_IN(launch),
    input  wire  [CHANNELS-1:0]    channel_halt_i,
    input  wire                    round_robin_i,
    input  wire  [7:0]             slice_i,          // in 1024 cycles, 0: none
    input  wire  [CHANNELS-1:0]    suspend_i,
    output logic [CHANNELS-1:0]    settled_o,        // nothing of the channel is in the task table or on its way there
    output logic [CHANNELS-1:0]    channel_idle_o,
    `FAULT_OUT(fault),
    output logic [CHANNELS*24-1:0] tasks_outstanding_o,

    `REQUEST_OUT(req),
    `ANSWER_IN(rsp),

    `SLOT_OUTS(slot, TASK_SLOTS),
    output logic [TASK_SLOTS-1:0]  slot_kill_o,
    output logic [TASK_SLOTS-1:0]  slot_stop_o,

    `CTA_OUTS(cta, SMS),
    `CTA_DONE_INS(cta_done, SMS),
    `WARP_FAULT_INS(sm_fault, SMS),

    // LAUNCH of SM s; a pulse when a child has ended that a warp of SM s waits for.
    `CHILD_INS(child, SMS),
    `CHILD_ENDED_OUTS(child_ended, SMS),
    input  wire  [SMS-1:0]         sm_waiting_i,
    input  wire  [SMS-1:0]         sm_stuck_i,
    // Of SM s at s * TASK_SLOTS: no warp of the slot can go on; one of it waits for children.
    input  wire  [SMS*TASK_SLOTS-1:0] sm_slot_rests_i,
    input  wire  [SMS*TASK_SLOTS-1:0] sm_slot_waits_i,
    input  wire  [SMS*TASK_SLOTS-1:0] sm_slot_trapped_i,

    `TRACE_TASK_PORTS
);
    // ---- what the parts say to each other ----
    `REQUEST_WIRE(fetch_req);
    `REQUEST_WIRE(release_req);
    `REQUEST_WIRE(queue_req);
    logic                  fetch_want, fetch_granted_q, release_want, release_granted_q, queue_want, queue_granted_q;
    `TASK_WIRE(task);
    `EVICTED_WIRE(evicted);
    `UNIT_FAULT_WIRE(refused);
    `UNIT_FAULT_WIRE(failed);
    `DROPPED_WIRE(dropped);
    `ENDED_WIRE(ended);
    `FREED_WIRE(freed);
    `FILL_WIRE(fill);
    `FEED_WIRES(feed, TASK_SLOTS);
    `QUEUE_WIRES(queue, TASK_SLOTS);
    `FAULT_WIRE(warp_fault);
    logic                  slot_free, start_valid, pick_valid, refused_fault, parked, queue_busy;
    logic [5:0]            pick_level;
    logic [TASK_SLOTS-1:0] slot_faulted, slot_save;
    logic [CHANNELS-1:0]   in_slots, coming;

    // ---- child tasks: the lowest SM that has one; channel and program region are those of the parent ----
    // What has waited for others and is free now comes the same way; it takes turns with children.
    localparam int WARP_W = $clog2(WARPS);
    logic                 child_valid, child_ready, child_waits, management_busy, frees, freed_last_q;
    logic [CHANNEL_W-1:0] child_channel;
    logic [31:0]          child_tmd, child_region, child_local;
    logic [31:0]          child_parent;
    logic [5:0]           child_place;
    logic [SLOT_W-1:0]    child_slot;
    logic [TASK_SLOTS-1:0] child_of;  // a child of the slot is taken in that a warp waits for

    always_comb begin
        frees = freed_valid && !(freed_last_q && child_valid_i != '0);
        child_valid = child_valid_i != '0 || freed_valid;
        freed_ready = child_ready && frees;
        child_ready_o = '0;
        child_slot = '0;
        child_tmd = '0;
        child_waits = 1'b0;
        child_place = '0;
        for (int s = SMS - 1; s >= 0; s--) begin
            if (child_valid_i[s] && !frees) begin
                child_ready_o = SMS'(child_ready) << s;
                child_slot = child_slot_i[SLOT_W*s +: SLOT_W];
                child_tmd = child_tmd_i[32*s +: 32];
                child_waits = child_wait_i[s];
                child_place = (6'(s) << WARP_W) | child_warp_i[8*s +: 6];
            end
        end
        child_parent = child_waits ? {1'b1, slot_save[child_slot], child_place, slot_tmd_o[32*child_slot+8 +: 24]} : 32'd0;
        child_of = '0;
        child_of[child_slot] = child_waits && child_ready;
        child_channel = slot_channel_o[CHANNEL_W*child_slot +: CHANNEL_W];
        child_region = slot_region_o[32*child_slot +: 32];
        child_local = slot_local_base_o[32*child_slot +: 32];
        if (frees) begin
            child_channel = freed_channel;
            child_tmd = {8'd0, freed_tmd};
        end
        for (int s = 0; s < SMS; s++) begin
            child_ended_valid_o[s] = ended_valid && ended_parent[31] && ended_parent[29:24] >> WARP_W == 6'(s);
            `CHILD_ENDED_PICK_O(child_ended, s) = {8'(ended_parent[24 +: WARP_W]), ended_channel};
        end
    end

    wire unused = &{1'b0, ended_parent};

    always_ff @(posedge clk_i) begin
        if (rst_i) freed_last_q <= 1'b0;
        else if (child_valid && child_ready) freed_last_q <= frees;
    end

    task_management #(
        .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .SMS(SMS), .CHANNELS(CHANNELS), .PENDING_TASKS(PENDING_TASKS),
        .VGPR_ROWS(VGPR_ROWS), .SHARED_BYTES(SHARED_BYTES), .CONST_BANKS(CONST_BANKS)
    ) u_task_management (
        .clk_i, .rst_i, .space_size_i, .channel_halt_i, .round_robin_i, .slice_i, .suspend_i, .coming_o(coming), `LAUNCH_PASS_IN(launch, launch),
        .child_valid_i(child_valid), .child_ready_o(child_ready), .child_channel_i(child_channel), .child_tmd_i(child_tmd),
        .child_region_i(child_region), .child_local_i(child_local), .child_parent_i(child_parent), .child_freed_i(frees), .busy_o(management_busy),
        .want_o(fetch_want), .granted_i(fetch_granted_q), `REQUEST_FROM(req, fetch_req),
        .rsp_valid_i(rsp_valid_i && fetch_granted_q), .rsp_data_i, .rsp_fault_i,
        .slot_free_i(slot_free), .start_valid_o(start_valid), `TASK_FROM(task, task),
        .pick_valid_o(pick_valid), .pick_level_o(pick_level), `EVICTED_TO(evicted, evicted),
        `UNIT_FAULT_FROM(refused, refused), .fault_hold_i(warp_fault_valid || failed_valid), `DROPPED_FROM(dropped, dropped), .parked_o(parked),
        `TRACE_TASK_TAKE_CONNECT, `TRACE_TASK_PENDING_CONNECT, `TRACE_TASK_PARKED_CONNECT, `TRACE_TASK_DROP_CONNECT, `TRACE_TASK_REFUSED_CONNECT
    );

    work_distributor #(
        .THREADS(THREADS), .SMS(SMS), .WARPS(WARPS), .CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS), .CONST_BANKS(CONST_BANKS),
        .NS_PER_CYCLE(NS_PER_CYCLE), .INJECT(INJECT)
    ) u_work_distributor (
        .clk_i, .rst_i, .inject_i, .channel_halt_i, .round_robin_i, .slice_i, .suspend_i, .in_slots_o(in_slots),
        .pick_valid_i(pick_valid), .pick_level_i(pick_level),
        `EVICTED_FROM(evicted, evicted), .slot_free_o(slot_free), .start_valid_i(start_valid), `TASK_TO(task, task),
        `SLOT_PASS_OUT(slot, slot), .slot_kill_o, .slot_stop_o, `CTA_PASS_OUT(cta, cta), `CTA_DONE_PASS_IN(cta_done, cta_done), .slot_faulted_i(slot_faulted),
        `FILL_FROM(fill, fill), `FEED_FROM(feed, feed), `QUEUE_TO(queue, queue), .queue_busy_i(queue_busy),
        .want_o(release_want), .granted_i(release_granted_q), `REQUEST_FROM(req, release_req),
        .rsp_valid_i(rsp_valid_i && release_granted_q), .rsp_data_i, .rsp_fault_i,
        `UNIT_FAULT_FROM(fault, failed), .fault_hold_i(warp_fault_valid), `ENDED_FROM(ended, ended), `FREED_FROM(freed, freed),
        .sm_waiting_i, .sm_stuck_i, .busy_i(management_busy), .sm_slot_rests_i, .sm_slot_waits_i, .sm_slot_trapped_i,
        .child_i(child_of), .slot_save_o(slot_save),
        `TRACE_TASK_EVICT_CONNECT, `TRACE_TASK_START_CONNECT, `TRACE_CTA_LAUNCH_CONNECT, `TRACE_CTA_END_CONNECT, `TRACE_TASK_STUCK_CONNECT,
        `TRACE_TASK_FREED_CONNECT, `TRACE_TASK_END_CONNECT
    );

    queue_feeder #(.CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS)) u_queue_feeder (
        .clk_i, .rst_i, `FILL_TO(fill, fill), `FEED_TO(feed, feed), `QUEUE_FROM(queue, queue), .busy_o(queue_busy),
        .slot_channel_i(slot_channel_o), .slot_tmd_i(slot_tmd_o), .slot_grid_x_i(slot_grid_x_o), .slot_grid_y_i(slot_grid_y_o),
        .want_o(queue_want), .granted_i(queue_granted_q), `REQUEST_FROM(req, queue_req),
        .rsp_valid_i(rsp_valid_i && queue_granted_q), .rsp_data_i, .rsp_fault_i
    );

    // ---- the memory port: releases first, since somebody waits for them, queues last ----
    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            fetch_granted_q <= 1'b0;
            release_granted_q <= 1'b0;
            queue_granted_q <= 1'b0;
        end else begin
            fetch_granted_q <= fetch_want && (fetch_granted_q || (!release_granted_q && !release_want && !queue_granted_q));
            release_granted_q <= release_want && (release_granted_q || (!fetch_granted_q && !queue_granted_q));
            queue_granted_q <= queue_want && (queue_granted_q || (!fetch_granted_q && !fetch_want && !release_granted_q && !release_want));
        end
    end

    logic [127:0] half;  // what all of them write, in either half of a line
    always_comb begin
        req_valid_o = queue_granted_q ? queue_req_valid : release_granted_q ? release_req_valid : fetch_req_valid;
        `REQUEST_PACK_O(req) = queue_granted_q ? `REQUEST_PACK(queue_req) : release_granted_q ? `REQUEST_PACK(release_req) : `REQUEST_PACK(fetch_req);
        half = release_granted_q ? release_req_wdata[127:0] : fetch_req_wdata[127:0];
        if (queue_granted_q) half[63:32] = queue_req_wdata[63:32];  // OUTER_GET
        req_wdata_o = {2{half}};
    end
    assign fetch_req_ready = req_ready_i;
    assign release_req_ready = req_ready_i;
    assign queue_req_ready = req_ready_i;

    // ---- faults of warps ----
    always_comb begin
        slot_faulted = '0;
        for (int s = 0; s < SMS; s++) begin
            if (sm_fault_valid_i[s]) slot_faulted[sm_fault_slot_i[SLOT_W*s +: SLOT_W]] = 1'b1;
        end
    end

    if (SMS == 1) begin : g_one_sm
        assign warp_fault_valid = sm_fault_valid_i[0];
        assign `FAULT_PACK(warp_fault) = {slot_channel_o[CHANNEL_W*sm_fault_slot_i +: CHANNEL_W], sm_fault_code_i, sm_fault_info_i, sm_fault_pc_i};
    end else begin : g_sms
        logic [SMS-1:0]          queued, pop;
        logic [SMS*`FAULT_W-1:0] queue_data;

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
                        else if (!slot_kill_o[k]) told_q[k] <= 1'b0;  // a slot is killed from the cycle behind a fault on
                    end
                end
            end
            fault_queue #(.DEPTH(TASK_SLOTS), .W(`FAULT_W)) u_fault_queue (
                .clk_i, .rst_i, .push_i(push),
                .push_data_i({slot_channel_o[CHANNEL_W*slot +: CHANNEL_W], sm_fault_code_i[8*s +: 8],
                              sm_fault_info_i[32*s +: 32], sm_fault_pc_i[32*s +: 32]}),
                .valid_o(queued[s]), .data_o(queue_data[`FAULT_W*s +: `FAULT_W]), .pop_i(pop[s])
            );
        end

        always_comb begin
            warp_fault_valid = queued != '0;
            `FAULT_PACK(warp_fault) = '0;
            pop = '0;
            for (int s = SMS - 1; s >= 0; s--) begin
                if (queued[s]) begin
                    `FAULT_PACK(warp_fault) = queue_data[`FAULT_W*s +: `FAULT_W];
                    pop = SMS'(1) << s;
                end
            end
        end
    end

    always_comb begin
        refused_fault = refused_valid && refused_code != 8'd0;
        fault_valid_o = (warp_fault_valid || failed_valid || refused_fault) && !rst_i;
        `FAULT_PACK_O(fault) = `FAULT_PACK(warp_fault);
        if (!warp_fault_valid) `FAULT_PACK_O(fault) = {failed_valid ? `UNIT_FAULT_PACK(failed) : `UNIT_FAULT_PACK(refused), 32'd0};
    end

    assign settled_o = ~(in_slots | coming);

    // ---- the tasks of each channel ----
    for (genvar c = 0; c < CHANNELS; c++) begin : g_channel
        logic        more_host, more_child, less_refused, less_ended;
        logic [2:0]  net;
        logic [23:0] change, less_dropped;
        assign more_host = launch_valid_i && launch_ready_o && launch_channel_i == CHANNEL_W'(c);
        assign more_child = child_valid && child_ready && child_channel == CHANNEL_W'(c);
        assign less_refused = (refused_valid || parked) && refused_channel == CHANNEL_W'(c);
        assign less_ended = ended_valid && ended_channel == CHANNEL_W'(c);
        assign less_dropped = dropped_valid && dropped_channel == CHANNEL_W'(c) ? dropped_count : 24'd0;
        assign net = 3'(more_host) + 3'(more_child) - 3'(less_refused) - 3'(less_ended);
        assign change = {{21{net[2]}}, net};
        assign channel_idle_o[c] = tasks_outstanding_o[24*c +: 24] == 24'd0;
        always_ff @(posedge clk_i) begin
            if (rst_i) tasks_outstanding_o[24*c +: 24] <= '0;
            else tasks_outstanding_o[24*c +: 24] <=
                tasks_outstanding_o[24*c +: 24] + change - less_dropped;
        end
`ifndef SYNTHESIS
        always_ff @(posedge clk_i) begin
            if (!rst_i && channel_idle_o[c]) assert (!less_refused && !less_ended && less_dropped == 24'd0);
        end
`endif
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (!rst_i) begin
            assert (!(fetch_granted_q && release_granted_q) && !(queue_granted_q && (fetch_granted_q || release_granted_q)));
            if (refused_fault) assert (!warp_fault_valid && !failed_valid);
        end
    end
`endif
endmodule
`default_nettype wire
