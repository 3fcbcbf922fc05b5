// Tasks: each one that was launched is in exactly one place until it is done: in the launch queue, in the hands of task_management, in a pending list,
// or in a slot of the task table. A slot never holds two. Lists keep their order, whatever is linked through memory; an evicted task leaves its
// slot only when none of its CTAs runs and in the cycle in which it is at the head of its list, or parked for its children; the counts of tasks of a channel are exact, also
// when threads have overwritten the links. A task that waits for others is in none of these places once its launch has been counted; whoever finds
// its counter at 1 puts it into one, exactly once, an ending task before it has ended.
//
// proof induction frames 54
// shows TU-2 TU-3 TU-4 TU-5 TU-15
// reads rtl/task/task_unit.sv rtl/task/task_management.sv rtl/task/task_lists.sv rtl/task/work_distributor.sv rtl/task/cta_ends.sv
// reads rtl/task/parents.sv rtl/task/eviction.sv rtl/task/stuck.sv rtl/task/queue_feeder.sv rtl/sm/clock_gate.sv
// sets TMDS=4
// narrow rtl/task/task_lists.sv
// - localparam int LISTS = CHANNELS * 64;
// + localparam int LISTS = CHANNELS * 2;
// narrow rtl/task/task_lists.sv
// - list_q[{write_channel_i, write_level_i}] <=
// + list_q[{write_channel_i, write_level_i[0]}] <=
// narrow rtl/task/task_lists.sv
// - data_q <= list_q[{read_channel_i, read_level_i}];
// + data_q <= list_q[{read_channel_i, read_level_i[0]}];
// narrow rtl/task/task_lists.sv
// - logic [LISTS-1:0] filled_q;
// + logic [CHANNELS*64-1:0] filled_q;
// narrow rtl/task/task_lists.sv
// - row_q[row_number] : 8'd0;
// + row_q[0] : 8'd0;
// narrow rtl/task/task_lists.sv
// - row_q[row_number] <= next;
// + row_q[0] <= next;
// narrow rtl/task/task_lists.sv
// - logic [7:0] row_q [8];
// + logic [7:0] row_q [1];
// narrow rtl/task/task_management.sv
// - if (rsp_valid_i && answered_q == 4'd7) state_q <= CHECK;
// + if (rsp_valid_i) state_q <= CHECK;
// narrow rtl/task/task_management.sv
// - req_valid_o = granted_i && (state_q == FETCH ? !asked_q[3] : state_q == WRITE);
// + req_valid_o = granted_i && (state_q == FETCH ? !asked_q[0] : state_q == WRITE);
// narrow rtl/task/task_management.sv
// - localparam int PATIENCE_W = 6;
// + localparam int PATIENCE_W = 1;
// mutant a task is put into a slot that is taken: rtl/task/work_distributor.sv
// - if (!busy_q[k]) free_slot = SLOT_W'(k);
// + if (!busy_q[k] || launched_q[k]) free_slot = SLOT_W'(k);
// mutant a killed task ends while a CTA of it runs: rtl/task/work_distributor.sv
// - !queue_hold_i[k])) && (resting[k] ||
// + !queue_hold_i[k])) && (kill_q[k] || resting[k] ||
// mutant a task ends before it has handed over the one that it frees: rtl/task/work_distributor.sv
// - old_1_q ? FREE : kill_q
// + old_1_q && !kill_q[ending_slot_q] ? FREE : kill_q
// mutant a launch that was not the last is not parked: rtl/task/task_management.sv
// - parking_q && old_1_q ? DECIDE : IDLE;
// + parking_q ? DECIDE : IDLE;
// mutant the slot of an evicted task is free before the task is in its list: rtl/task/work_distributor.sv
// - if (task_ends[k] || (evicted_done_i && leaving_q[k])) begin
// + if (task_ends[k] || (evicted_taken_i && evicted == SLOT_W'(k))) begin
// mutant a task ends although CTAs that have left are to come back: rtl/task/work_distributor.sv
// - assign has_ctas = ~launched | some_saved;
// + assign has_ctas = ~launched;
`include "gen/isa.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"
`include "gen/bundles.svh"
`include "formal.svh"

// Instead of the check of a TMD: any verdict, any task. What it owes to what memory holds the harness assumes (tests/formal/tmd_check.sv proves it).
module tmd_check #(
    parameter THREADS = 32, parameter LANES = 4, parameter WARPS = 2, parameter SMS = 1, parameter CHANNELS = 2, parameter VGPR_ROWS = 512,
    parameter SHARED_BYTES = 16384, parameter CONST_BANKS = 2, localparam CHANNEL_W = $clog2(CHANNELS)
) (
    input wire clk_i,
    input wire rst_i,
    input wire [31:0] space_size_i,
    input wire begin_i,
    input wire [$clog2(CHANNELS)-1:0] channel_i,
    input wire [31:0] tmd_i, region_i, local_i,
    input wire [31:0] parent_i,
    input wire listed_i, freed_i, last_i,
    input wire [23:0] epoch_i,
    input wire [5:0] level_i,
    input wire line_valid_i,
    input wire [255:0] line_i,
    input wire [1:0] line_fault_i,
    output logic done_o,
    output logic [7:0] code_o,
    output logic [31:0] info_o,
    output logic info_tmd_o,
    output logic [5:0] group_o,
    output logic add_to_head_o,
    output logic [23:0] link_o,
    output logic resumed_o,
    output logic waits_o,
    `TASK_OUT(task)
);
    localparam BITS = `TASK_W;
    `MOSTLY(1, done, 1'b1)
    `ANY(8, code)
    `ANY(24, link)
    `MOSTLY(BITS, any, '0)
    `ANY(6, flags)
    logic [7:0] code_q;
    logic [23:0] link_q;
    logic [5:0] flags_q;
    logic [BITS-1:0] any_q;
    logic [31:0] tmd_q;
    logic [$clog2(CHANNELS)-1:0] channel_q;
    always_ff @(posedge clk_i) begin
        if (begin_i) begin
            code_q <= code;
            link_q <= link;
            flags_q <= flags;
            any_q <= any;
            tmd_q <= tmd_i;
            channel_q <= channel_i;
        end
    end
    assign done_o = done;
    assign code_o = code_q;
    assign info_o = 32'd0;
    assign info_tmd_o = 1'b0;
    assign group_o = {5'd0, flags_q[0]};   // two levels
    assign add_to_head_o = flags_q[1];
    assign resumed_o = flags_q[2];
    assign waits_o = flags_q[3];
    assign link_o = link_q;
    always_comb begin
        `TASK_PACK_O(task) = any_q;
        task_channel_o = channel_q;
        task_tmd_o = tmd_q;
        task_group_o = group_o;
        task_code_base_o = {task_region_o[31:3] + task_code_size_o[31:3], task_region_o[2:0]};
        if (task_queue_o || !task_save_o) task_saved_o = 6'd0;
        if (task_queue_o) task_save_o = 1'b0;
        if (task_saved_o == 6'd0) task_launched_o = 1'b0;
        if (task_queue_o && task_grid_y_o == 16'd0) task_grid_y_o = 16'd1;
`ifdef SEARCH
        task_grid_x_o = 32'd2;
        task_grid_y_o = 16'd1;
        task_grid_z_o = 16'd1;
        task_frees_o = flags_q[5:4];
`endif
    end
endmodule

module prove_task_unit #(
    parameter TMDS = 4       // places for TMDs in the memory of a channel
) (
    input wire clk_i
);
    localparam CHANNELS = 2, TASK_SLOTS = 2, PENDING = 2, LEVELS = 2, LISTS = CHANNELS * LEVELS;
    localparam T_W = $clog2(TMDS);
    localparam MOST = 2;     // CTAs of a slot that the SM takes at once: one for each warp
    localparam LAUNCH_W = 2 + 32 + 1 + 96;
    `RESET(rst)
    `SOME(1, c)              // the channel whose lists are followed
    `SOME(1, slices)         // are there slices of time? They change only while no task is outstanding
    logic [1:0] asked = '0;   // requests to memory that are not answered
    `ANY(2, counter)
    `ANY(1, launch_valid)
    `ANY(1, launch_channel)
    `ANY(32, launch_tmd)
    `ANY(CHANNELS, halt)
    `MOSTLY(1, round_robin, 1'b0)
    `MOSTLY(CHANNELS, suspend, '0)
    `MOSTLY(1, mem_ready, 1'b1)
    `MOSTLY(1, mem_rsp, asked != '0)
    `MOSTLY(256, mem_data, {254'd0, counter})
    `ANY(2, mem_fault)
    `ANY(1, cta_ready)
    `ANY(1, cta_done)
    `ANY(1, cta_done_slot)
    `MOSTLY(1, sm_fault, 1'b0)
    `MOSTLY(1, sm_fault_slot, 1'b0)
    `MOSTLY(1, child_valid, 1'b0)
    `MOSTLY(1, child_slot, 1'b0)
    `MOSTLY(32, child_tmd, '0)
    `MOSTLY(1, child_wait, 1'b0)
    `MOSTLY(1, sm_waiting, 1'b0)
    `MOSTLY(1, sm_stuck, 1'b0)
    `MOSTLY(TASK_SLOTS, slot_rests, '0)
    `MOSTLY(TASK_SLOTS, slot_waits, '0)
    `MOSTLY(TASK_SLOTS, slot_trapped, '0)
    `ANY(1, cta_done_left)
    wire launch_ready, child_ready, mem_valid;
    wire [CHANNELS-1:0] idle;
    wire [CHANNELS*24-1:0] outstanding;
    wire [TASK_SLOTS-1:0] kill, slot_channel;
    wire [TASK_SLOTS*32-1:0] slot_tmd;
    wire taken, evicting, started, cta_launched, cta_ended, ended, killed, listed_now, dropped, refused;
    wire freed_now, parked_now;
    wire [1:0] taken_from;
    wire [7:0] start_slot, launch_slot, cta_end_slot, end_slot, taken_slot, listed_channel, listed_level, dropped_channel, dropped_level;
    wire [7:0] start_channel, end_channel, refused_channel, refused_code;
    wire [31:0] start_tmd, end_tmd, listed_tmd, listed_count, dropped_count;

    task_unit #(.CHANNELS(CHANNELS), .TASK_SLOTS(TASK_SLOTS), .PENDING_TASKS(PENDING), .CONST_BANKS(1)) dut (
        .clk_i, .rst_i(rst), .inject_i(8'd0), .space_size_i({CHANNELS{32'd0}}), .launch_valid_i(launch_valid), .launch_ready_o(launch_ready),
        .launch_channel_i(launch_channel), .launch_tmd_i(launch_tmd), .launch_region_i(32'd0), .launch_local_i(32'd0), .channel_halt_i(halt),
        .round_robin_i(round_robin), .slice_i({7'd0, slices}), .suspend_i(suspend), .channel_idle_o(idle), .tasks_outstanding_o(outstanding), .req_valid_o(mem_valid), .req_ready_i(mem_ready),
        .rsp_valid_i(mem_rsp), .rsp_data_i(mem_data), .rsp_fault_i(mem_fault), .slot_channel_o(slot_channel), .slot_tmd_o(slot_tmd),
        .slot_kill_o(kill), .cta_ready_i(cta_ready), .cta_done_valid_i(cta_done), .cta_done_slot_i(cta_done_slot), .cta_done_left_i(cta_done_left), .sm_fault_valid_i(sm_fault),
        .sm_fault_slot_i(sm_fault_slot), .sm_fault_code_i(8'd1), .sm_fault_info_i(32'd0), .sm_fault_pc_i(32'd0), .child_valid_i(child_valid),
        .child_ready_o(child_ready), .child_slot_i(child_slot), .child_tmd_i(child_tmd), .child_wait_i(child_wait), .child_warp_i(8'd0),
        .sm_waiting_i(sm_waiting), .sm_stuck_i(sm_stuck), .sm_slot_rests_i(slot_rests), .sm_slot_waits_i(slot_waits), .sm_slot_trapped_i(slot_trapped),
        .trace_task_take_valid_o(taken), .trace_task_take_from_o(taken_from), .trace_task_take_slot_o(taken_slot),
        .trace_task_evict_valid_o(evicting),
        .trace_task_start_valid_o(started), .trace_task_start_slot_o(start_slot), .trace_task_start_channel_o(start_channel),
        .trace_task_start_tmd_o(start_tmd), .trace_cta_launch_valid_o(cta_launched), .trace_cta_launch_slot_o(launch_slot),
        .trace_cta_end_valid_o(cta_ended), .trace_cta_end_slot_o(cta_end_slot), .trace_task_freed_valid_o(freed_now), .trace_task_parked_valid_o(parked_now), .trace_task_end_valid_o(ended), .trace_task_end_slot_o(end_slot),
        .trace_task_end_killed_o(killed), .trace_task_end_tmd_o(end_tmd), .trace_task_end_channel_o(end_channel), .trace_task_pending_valid_o(listed_now), .trace_task_pending_channel_o(listed_channel),
        .trace_task_pending_level_o(listed_level), .trace_task_pending_tmd_o(listed_tmd), .trace_task_drop_valid_o(dropped),
        .trace_task_drop_channel_o(dropped_channel), .trace_task_drop_level_o(dropped_level), .trace_task_drop_count_o(dropped_count),
        .trace_task_refused_valid_o(refused), .trace_task_refused_channel_o(refused_channel));

    // ---- inside of the units ----
    (* hierconn *) wire [3:0] \dut.u_task_management.state_q , \dut.u_task_management.asked_q , \dut.u_task_management.answered_q ;
    (* hierconn *) wire \dut.u_task_management.listed_q , \dut.u_task_management.evicted_q , \dut.u_task_management.add_to_head ;
    (* hierconn *) wire \dut.u_task_management.beyond_q , \dut.u_task_management.channel_q , \dut.u_task_management.resumed ;
    (* hierconn *) wire [5:0] \dut.u_task_management.level_q ;
    (* hierconn *) wire [31:0] \dut.u_task_management.tmd_q ;
    (* hierconn *) wire [63:0] \dut.u_task_management.evicted_place_i ;
    (* hierconn *) wire [4:0] \dut.u_task_management.writes_q ;
    (* hierconn *) wire \dut.u_task_management.parking_q , \dut.u_task_management.counted_q , \dut.u_task_management.freed_q ,
        \dut.u_task_management.waits , \dut.u_task_management.old_0_q , \dut.u_task_management.old_1_q ;
    (* hierconn *) wire [23:0] \dut.freed_tmd ;
    (* hierconn *) wire [4:0] \dut.u_work_distributor.release_left_q ;
    (* hierconn *) wire \dut.u_work_distributor.old_0_q , \dut.u_work_distributor.old_1_q , \dut.u_work_distributor.frees ,
        \dut.u_work_distributor.queue_bad , \dut.u_work_distributor.stuck_told ;
    (* hierconn *) wire [1:0] \dut.u_task_management.write_fault_q ;
    (* hierconn *) wire [CHANNELS*24-1:0] \dut.u_task_management.epoch_q ;
    (* hierconn *) wire [7:0] \dut.u_task_management.check_code ;
    (* hierconn *) wire [23:0] \dut.u_task_management.link , \dut.u_task_management.head , \dut.u_task_management.tail , \dut.u_task_management.count ;
    (* hierconn *) wire [5:0] \dut.u_task_management.group ;
    (* hierconn *) wire [31:0] \dut.u_task_management.u_tmd_check.tmd_q ;
    (* hierconn *) wire \dut.u_task_management.u_tmd_check.channel_q ;
    (* hierconn *) wire [LAUNCH_W-1:0] \dut.u_task_management.launch_q[0] , \dut.u_task_management.launch_q[1] ;
    (* hierconn *) wire [LAUNCH_W-1:0] \dut.u_task_management.first_q ;
    (* hierconn *) wire \dut.u_task_management.launch_head_q , \dut.u_task_management.launch_tail_q , \dut.u_task_management.first_valid_q ;
    (* hierconn *) wire [1:0] \dut.u_task_management.launch_count_q ;
    (* hierconn *) wire [71:0] \dut.u_task_management.u_task_lists.list_q[0] , \dut.u_task_management.u_task_lists.list_q[1] ,
        \dut.u_task_management.u_task_lists.list_q[2] , \dut.u_task_management.u_task_lists.list_q[3] , \dut.u_task_management.u_task_lists.data_q ;
    (* hierconn *) wire [CHANNELS*64-1:0] \dut.u_task_management.u_task_lists.filled_q ;
    (* hierconn *) wire \dut.u_task_management.u_task_lists.read_filled_q ;
    (* hierconn *) wire [CHANNELS*8-1:0] \dut.u_task_management.u_task_lists.some_q ;
    (* hierconn *) wire \dut.u_task_management.u_task_lists.steps_good ;
    (* hierconn *) wire [7:0] \dut.u_task_management.u_task_lists.g_rows[0].row_q[0] , \dut.u_task_management.u_task_lists.g_rows[1].row_q[0] ;
    (* hierconn *) wire [31:0] \dut.fetch_req_addr , \dut.fetch_req_wstrb ;
    (* hierconn *) wire [255:0] \dut.fetch_req_wdata ;
    (* hierconn *) wire \dut.fetch_granted_q , \dut.release_granted_q , \dut.queue_granted_q , \dut.slot_free , \dut.child_channel ;
    (* hierconn *) wire [TASK_SLOTS-1:0] \dut.u_work_distributor.busy_q , \dut.u_work_distributor.launched , \dut.u_work_distributor.evict_q ,
        \dut.u_work_distributor.leaving_q , \dut.u_work_distributor.settled ;
    (* hierconn *) wire [TASK_SLOTS*6-1:0] \dut.u_work_distributor.group_q ;
    (* hierconn *) wire [TASK_SLOTS*3-1:0] \dut.u_work_distributor.running_q ;
    (* hierconn *) wire [TASK_SLOTS*2-1:0] \dut.u_work_distributor.saved_q ;
    (* hierconn *) wire [TASK_SLOTS*16-1:0] \dut.u_work_distributor.next_y_q , \dut.u_work_distributor.next_z_q ;
    (* hierconn *) wire [TASK_SLOTS*32-1:0] \dut.u_work_distributor.next_x_q ;
    (* hierconn *) wire \dut.u_work_distributor.end_valid , \dut.u_work_distributor.end_slot ;
    (* hierconn *) wire [2:0] \dut.u_work_distributor.ending_q ;
    (* hierconn *) wire \dut.u_work_distributor.ending_slot_q , \dut.u_work_distributor.offer_slot_q , \dut.u_work_distributor.offer_valid_q ;
    (* hierconn *) wire [TASK_SLOTS-1:0] \dut.u_queue_feeder.queue_here_o , \dut.u_queue_feeder.queue_ready_o , \dut.u_queue_feeder.queue_hold_o , \dut.u_queue_feeder.queue_bad_o ;
    (* hierconn *) wire \dut.u_queue_feeder.serve_q , \dut.u_queue_feeder.asked_q , \dut.u_queue_feeder.came_q , \dut.u_queue_feeder.answered_q , \dut.u_queue_feeder.slot_q , \dut.u_queue_feeder.write_q ;
    (* hierconn *) wire [TASK_SLOTS-1:0] \dut.u_queue_feeder.open_q ;

    localparam [3:0] IDLE = 4'd0, DROP = 4'd1, TAKE = 4'd2, FRONT = 4'd3, FETCH = 4'd4, CHECK = 4'd5, DECIDE = 4'd6, PLACE = 4'd7, WRITE = 4'd8,
                     ANSWER = 4'd9, WRITTEN = 4'd10, START = 4'd11;
    wire [3:0] state = \dut.u_task_management.state_q ;
    wire listed = \dut.u_task_management.listed_q && state != IDLE;      // a task from a list is in hand
    wire evicted = \dut.u_task_management.evicted_q && state != IDLE;    // one from the table
    wire in_hand = state >= FRONT && !listed && !evicted;              // one that was launched
    wire parking = \dut.u_task_management.parking_q ;                  // its launch is counted
    wire placing = !listed && !parking && state >= PLACE && state <= WRITTEN;      // it goes into a list
    wire hand_channel = \dut.u_task_management.channel_q ;
    wire hand_level = \dut.u_task_management.level_q [0];
    wire [31:0] hand_tmd = \dut.u_task_management.tmd_q ;
    wire [T_W-1:0] hand_t = hand_tmd[8 +: T_W];
    wire at_head = evicted ? !slices : \dut.u_task_management.resumed || \dut.u_task_management.add_to_head ;
    wire [47:0] epochs = \dut.u_task_management.epoch_q ;
    wire [23:0] epoch = c ? epochs[47:24] : epochs[23:0];
    wire [TASK_SLOTS-1:0] busy = \dut.u_work_distributor.busy_q , leaving = \dut.u_work_distributor.leaving_q , evict = \dut.u_work_distributor.evict_q ;
    wire [2:0] ending = \dut.u_work_distributor.ending_q ;
    wire ending_slot = \dut.u_work_distributor.ending_slot_q ;

    // ---- what the neighbours keep to ----
    // The memory answers each request once; the SM ends only CTAs that it was given; a channel that stands faulted does so until it is idle.
    logic [TASK_SLOTS*4-1:0] out = '0;   // CTAs that the SM has, by slot
    logic [TASK_SLOTS-1:0] out_room, out_some;
    logic [CHANNELS-1:0] halt_before = '0;
    always_comb begin
        for (int s = 0; s < TASK_SLOTS; s++) begin
            out_room[s] = out[4*s +: 4] < 4'(MOST);
            out_some[s] = out[4*s +: 4] != '0;
        end
    end
    always_ff @(posedge clk_i) begin
        asked <= rst ? '0 : asked + 2'(mem_valid && mem_ready) - 2'(mem_rsp);
        halt_before <= rst ? '0 : halt;
        for (int s = 0; s < TASK_SLOTS; s++)
            out[4*s +: 4] <= rst ? '0 : out[4*s +: 4] + 4'(cta_launched && launch_slot == 8'(s)) - 4'(cta_done && cta_done_slot == 1'(s));
    end
    `ASSUME(!mem_rsp || (asked != '0 && !rst))
    `ASSUME(!cta_ready || out_room == '1)
    `ASSUME(!cta_ready || !(\dut.u_work_distributor.stuck_told ))  // in 4096 cycles without work nothing has become free for the CTA on offer
    `ASSUME(!cta_done || (out_some[cta_done_slot] && !rst))
    `ASSUME(rst || (halt_before & ~halt & ~idle) == '0)
    // TMDs stand at 0, 256, .. of their channel; there are fewer than 2^24 tasks.
    `ASSUME(launch_tmd[31:8+T_W] == '0 && launch_tmd[7:0] == '0 && child_tmd[23:T_W] == '0 && \dut.freed_tmd [23:T_W] == '0)
    `ASSUME(outstanding[23:0] != '1 && outstanding[47:24] != '1)
    `ASSUME(!(rst && (launch_valid || child_valid)))

    // ---- what is launched ----
    wire [LAUNCH_W-1:0] first = \dut.u_task_management.launch_head_q ? \dut.u_task_management.launch_q[1] : \dut.u_task_management.launch_q[0] ;
    wire [LAUNCH_W-1:0] next = \dut.u_task_management.launch_head_q ? \dut.u_task_management.launch_q[0] : \dut.u_task_management.launch_q[1] ;
    wire [1:0] queued = \dut.u_task_management.launch_count_q ;
    `CHECK(rst || queued <= 2'd2)
    `CHECK(rst || !\dut.u_task_management.first_valid_q || (queued != '0 && \dut.u_task_management.first_q == first))
    `CHECK(rst || \dut.u_task_management.launch_tail_q == (\dut.u_task_management.launch_head_q ^ queued[0]))
    `CHECK(rst || queued == '0 || (first[95:72+T_W] == '0 && first[71:64] == '0))
    `CHECK(rst || queued != 2'd2 || (next[95:72+T_W] == '0 && next[71:64] == '0))

    // ---- the lists, counted by events ----
    logic [LISTS*24-1:0] len = '0;
    wire leaves_list = (started || refused) && listed;
    for (genvar i = 0; i < LISTS; i++) begin : g_len
        wire mine = hand_channel == 1'(i / LEVELS) && \dut.u_task_management.level_q == 6'(i % LEVELS);
        wire [23:0] now = len[24*i +: 24];
        always_ff @(posedge clk_i) begin
            if (rst || (dropped && dropped_channel == 8'(i / LEVELS) && dropped_level == 8'(i % LEVELS))) len[24*i +: 24] <= '0;
            else len[24*i +: 24] <= now + 24'(listed_now && listed_channel == 8'(i / LEVELS) && listed_level == 8'(i % LEVELS)) - 24'(leaves_list && mine);
        end
    end
    wire [LISTS*72-1:0] rows = {\dut.u_task_management.u_task_lists.list_q[3] , \dut.u_task_management.u_task_lists.list_q[2] ,
                                \dut.u_task_management.u_task_lists.list_q[1] , \dut.u_task_management.u_task_lists.list_q[0] };
    wire [CHANNELS*64-1:0] filled = \dut.u_task_management.u_task_lists.filled_q ;
    for (genvar i = 0; i < LISTS; i++) begin : g_list
        wire [23:0] length = len[24*i +: 24];
        wire [71:0] row = rows[72*i +: 72];
        wire mine = hand_channel == 1'(i / LEVELS) && \dut.u_task_management.level_q == 6'(i % LEVELS);
        `CHECK(rst || filled[64*(i / LEVELS) + i % LEVELS] == (length != '0))
        `CHECK(rst || length == '0 || row[23:0] == length)
        // What has been read of the list in hand is what it holds.
        `CHECK(rst || !mine || !(state == DROP || listed || placing) || \dut.u_task_management.count == length)
        `CHECK(rst || !mine || !(state == DROP || listed || placing) || length == '0 || \dut.u_task_management.u_task_lists.data_q == row)
        `CHECK(rst || !mine || !(state == DROP || listed) || length != '0)
        `CHECK(rst || !mine || !(state == WRITE || state == ANSWER) || !\dut.u_task_management.writes_q [1] || (placing && length != '0))
    end
    for (genvar h = 0; h < CHANNELS; h++) begin : g_channel
        wire [1:0] waiting = 2'(queued != '0 && first[96] == 1'(h)) + 2'(queued == 2'd2 && next[96] == 1'(h));
        wire [1:0] held = 2'(busy[0] && slot_channel[0] == 1'(h)) + 2'(busy[1] && slot_channel[1] == 1'(h));
        `CHECK(rst || filled[64*h+LEVELS +: 64-LEVELS] == '0)
        // Which lists are not empty, by rows of eight; the steps of a choice among them stand in the unit.
        wire [7:0] rows_some = \dut.u_task_management.u_task_lists.some_q [8*h +: 8];
        wire [7:0] row = h == 0 ? \dut.u_task_management.u_task_lists.g_rows[0].row_q[0] : \dut.u_task_management.u_task_lists.g_rows[1].row_q[0] ;
        `CHECK(rst || rows_some == 8'(filled[64*h +: LEVELS] != '0))
        `CHECK(rst || !rows_some[0] || row == 8'(filled[64*h +: LEVELS]))
        // The tasks of a channel: each is in one place, and none is anywhere else.
        `CHECK(rst || 26'(outstanding[24*h +: 24]) == 26'(waiting) + 26'(held) + 26'(in_hand && hand_channel == 1'(h)) + 26'(len[48*h +: 24]) + 26'(len[48*h+24 +: 24]))
    end

    // ---- task_management ----
    `CHECK(rst || state <= START)
    `CHECK(rst || !listed || (state != DROP && state != PLACE && !evicted && !\dut.u_task_management.beyond_q ))
    `CHECK(rst || !evicted || (state >= PLACE && state <= WRITTEN))
    `CHECK(rst || listed || state != TAKE)
    `CHECK(rst || state == IDLE || (\dut.u_task_management.level_q [5:1] == '0) || (in_hand && !placing))
    `CHECK(rst || !(listed || state == START) || (\dut.slot_free ))
    `CHECK(rst || state != WRITTEN || \dut.u_task_management.writes_q == '0 || \dut.u_task_management.write_fault_q != '0)
    `CHECK(rst || state != WRITTEN || \dut.u_task_management.writes_q == '0)
    `CHECK(rst || (state != WRITE && state != ANSWER) || \dut.u_task_management.writes_q != '0)
    `CHECK(rst || !(state == FRONT || state == TAKE) || (\dut.u_task_management.asked_q == '0 && \dut.u_task_management.answered_q == '0))
    `CHECK(rst || state != FETCH || (\dut.u_task_management.asked_q <= 4'd1 && \dut.u_task_management.answered_q == '0))
    `CHECK(rst || (state != FETCH && state != FRONT && state != TAKE && state != CHECK && state != DECIDE && state != PLACE) ||
           \dut.u_task_management.write_fault_q == '0)

    `CHECK(rst || state < FETCH || state == PLACE || placing || evicted || (\dut.u_task_management.u_tmd_check.tmd_q == hand_tmd))
    `CHECK(rst || state < FETCH || state == PLACE || placing || evicted || (\dut.u_task_management.u_tmd_check.channel_q == hand_channel))
    `CHECK(rst || state != DROP || halt_before[hand_channel])

    // ---- the memory port: one at a time; who has asked has it until the answer ----
    wire fetch_asked = (state == FETCH && \dut.u_task_management.asked_q == 4'd1) || state == ANSWER;
    wire release_asked = ending == 3'd3;
    wire queue_asked = \dut.u_queue_feeder.serve_q && \dut.u_queue_feeder.asked_q && !\dut.u_queue_feeder.came_q && !\dut.u_queue_feeder.answered_q ;
    `CHECK(rst || asked == 2'(fetch_asked) + 2'(release_asked) + 2'(queue_asked))
    `CHECK(rst || !fetch_asked || (\dut.fetch_granted_q ))
    `CHECK(rst || !release_asked || (\dut.release_granted_q ))
    `CHECK(rst || !queue_asked || (\dut.queue_granted_q ))
    wire looked_at = \dut.u_queue_feeder.came_q || \dut.u_queue_feeder.answered_q ;
    `CHECK(rst || !looked_at || (\dut.u_queue_feeder.serve_q && \dut.u_queue_feeder.asked_q && \dut.queue_granted_q &&
                                 !(\dut.u_queue_feeder.came_q && \dut.u_queue_feeder.answered_q )))

    `CHECK(rst || (\dut.u_task_management.u_task_lists.steps_good ))
    `CHECK(rst || 2'(\dut.fetch_granted_q ) + 2'(\dut.release_granted_q ) + 2'(\dut.queue_granted_q ) <= 2'd1)

    // ---- the slots, in events ----
    wire gives_up = evicted && (listed_now || refused || parked_now);    // the evicted task is in its list, or refused, or waits for its children
    logic from = 1'b0;                                     // the slot that it was in
    always_ff @(posedge clk_i) if (taken && taken_from[1]) from <= taken_slot[0];
    for (genvar s = 0; s < TASK_SLOTS; s++) begin : g_slot
        logic holds = 1'b0;
        logic [31:0] tmd;
        logic channel;
        wire starts = started && start_slot == 8'(s);
        wire ends = ended && end_slot == 8'(s);
        wire goes = gives_up && from == 1'(s);
        always_ff @(posedge clk_i) begin
            if (rst || ends || goes) holds <= 1'b0;
            else if (starts) holds <= 1'b1;
            if (starts) begin
                tmd <= start_tmd;
                channel <= start_channel[0];
            end
        end
        wire [3:0] in_sm = out[4*s +: 4];
        wire [2:0] running = \dut.u_work_distributor.running_q [3*s +: 3];
        wire [1:0] saved = \dut.u_work_distributor.saved_q [2*s +: 2];
        wire done = \dut.u_work_distributor.end_valid && \dut.u_work_distributor.end_slot == 1'(s);
        wire here = cta_launched && launch_slot == 8'(s);
        `CHECK(rst || !starts || !holds)
        `CHECK(rst || !(starts && (ends || goes)) && !(ends && goes))
        `CHECK(rst || !(ends || goes) || (holds && in_sm == '0 && !(cta_ended && cta_end_slot == 8'(s)) && !here))
        `CHECK(rst || !ends || killed || (\dut.u_work_distributor.launched [s] && saved == '0))
        `CHECK(rst || !here || holds)
        `CHECK(rst || !ends || (end_tmd == tmd && end_channel == 8'(channel)))
        `CHECK(rst || !goes || refused || parked_now || (listed_tmd == tmd && listed_channel == 8'(channel)))

        // Invariants.
        wire finishing = ending != 3'd0 && ending_slot == 1'(s);
        wire offered = \dut.u_work_distributor.offer_valid_q && \dut.u_work_distributor.offer_slot_q == 1'(s);
        wire queue = \dut.u_queue_feeder.queue_here_o [s];
        wire hold = \dut.u_queue_feeder.queue_hold_o [s];
        `CHECK(rst || holds == busy[s])
        `CHECK(rst || !holds || (tmd == slot_tmd[32*s +: 32] && channel == slot_channel[s]))
        `CHECK(rst || !busy[s] || \dut.u_work_distributor.group_q [6*s+1 +: 5] == '0)
        `CHECK(rst || 16'(running) == 16'(in_sm) + 16'(done))
        `CHECK(rst || in_sm <= 4'(MOST))
        // Those that are out and those that have left: new ones go out only when all of these are back.
        `CHECK(rst || 4'(running) + 4'(saved) <= 4'd3)
        `CHECK(rst || busy[s] || (running == '0 && !kill[s] && !evict[s] && !leaving[s] && !hold && !offered))
        `CHECK(rst || !finishing || (busy[s] && running == '0 && !leaving[s] && !hold && !offered &&
                                     (kill[s] || (\dut.u_work_distributor.launched [s] && saved == '0 && \dut.u_work_distributor.settled [s]))))
        `CHECK(rst || !leaving[s] || (evict[s] && running == '0 && !hold && !offered && evicted && from == 1'(s)))
        `CHECK(rst || !leaving[s] || (hand_tmd == slot_tmd[32*s +: 32] && hand_channel == slot_channel[s] && {5'd0, hand_level} == \dut.u_work_distributor.group_q [6*s +: 6]))
        `CHECK(rst || !leaving[s] || \dut.u_task_management.evicted_place_i == {\dut.u_work_distributor.next_z_q [16*s +: 16], \dut.u_work_distributor.next_y_q [16*s +: 16],
                                                                     \dut.u_work_distributor.next_x_q [32*s +: 32]})
        `CHECK(rst || !evicted || from != 1'(s) || leaving[s])
        `CHECK(rst || !offered || kill[s] || saved != '0 || !\dut.u_work_distributor.launched [s])
        `CHECK(rst || !offered || !queue || hold || kill[s] || \dut.u_queue_feeder.queue_ready_o [s])
        `CHECK(rst || !offered || !hold || !(\dut.u_queue_feeder.asked_q ))
        `CHECK(rst || !hold || queue)
        `CHECK(rst || !hold || kill[s] || \dut.u_queue_feeder.write_q || \dut.u_queue_feeder.open_q [s])
    end
    `CHECK(rst || (leaving & (leaving - 1'b1)) == '0)
    `CHECK(rst || ending <= 3'd6)

    // ---- tasks that wait for others ----
    localparam [2:0] ENDING_NEXT = 3'd1, ENDING_ANSWER = 3'd3, ENDING_FREE = 3'd6;
    // A counter was found at 1: by an ending task, which then hands the task over before it ends; by a launch, which then goes on.
    logic owed = 1'b0, due = 1'b0;
    wire last_end = ending == ENDING_ANSWER && mem_rsp && mem_fault == '0 && \dut.u_work_distributor.frees && mem_data[31:0] == 32'd1;
    wire last_launch = state == ANSWER && mem_rsp && mem_fault == '0 && parking && \dut.u_task_management.writes_q == 5'b01000 &&
                       \dut.u_task_management.write_fault_q == '0 && mem_data[31:0] == 32'd1;
    wire [4:0] writes = \dut.u_task_management.writes_q ;
    wire leaves_hand = started || refused || (listed_now && !evicted);
    always_ff @(posedge clk_i) begin
        owed <= !rst && (last_end || (owed && !freed_now));
        due <= !rst && (last_launch || (due && !leaves_hand));
    end
    `CHECK(rst || !freed_now || owed)
    `CHECK(rst || !ended || !owed)
    `CHECK(rst || !last_end || !owed)
    `CHECK(rst || !owed || !idle[slot_channel[ending_slot]])
    `CHECK(rst || !parked_now || !due)
    `CHECK(rst || !parked_now || evicted || (\dut.u_task_management.waits && in_hand))
    // What waits starts or becomes pending only when its counter was found at 1.
    `CHECK(rst || !(started || listed_now) || listed || evicted || due || \dut.u_task_management.freed_q || !(\dut.u_task_management.waits ))
    // Invariants.
    `CHECK(rst || !owed || ((ending == ENDING_NEXT || ending == ENDING_FREE) && \dut.u_work_distributor.old_1_q ))
    `CHECK(rst || owed || ending == 3'd0 || !(\dut.u_work_distributor.old_1_q ))
    `CHECK(rst || ending == 3'd0 || !(\dut.u_work_distributor.old_0_q && \dut.u_work_distributor.old_1_q ))
    `CHECK(rst || ending == ENDING_NEXT || ending == 3'd4 || ending == 3'd0 || !(\dut.u_work_distributor.old_0_q ))
    `CHECK(rst || ending != ENDING_FREE || (owed && !(\dut.u_work_distributor.old_0_q )))
    `CHECK(rst || !owed || (\dut.u_work_distributor.frees && \dut.u_work_distributor.release_left_q != '0))
    `CHECK(rst || !parking || state == IDLE || ((in_hand || evicted) && (state == WRITE || state == ANSWER || state == WRITTEN)))
    `CHECK(rst || !parking || state == IDLE || evicted || (\dut.u_task_management.waits && !(\dut.u_task_management.freed_q ) && !(\dut.u_task_management.counted_q )))
    `CHECK(rst || !parking || state == IDLE || evicted || writes == 5'b01001 || writes == 5'b01000 || writes == '0)
    `CHECK(rst || !parking || !evicted || writes == 5'b10101 || writes == 5'b10100 || writes == 5'b10000 || writes == '0)
    `CHECK(rst || !evicted || state != WRITTEN || !(\dut.u_task_management.old_0_q || \dut.u_task_management.old_1_q ))
    `CHECK(rst || !parking || state == IDLE || state == WRITTEN || \dut.u_task_management.writes_q != '0)
    `CHECK(rst || (state != WRITE && state != ANSWER) || parking || !\dut.u_task_management.writes_q [3])
    `CHECK(rst || !due || (in_hand && (parking ? state == WRITTEN && \dut.u_task_management.old_1_q && !(\dut.u_task_management.old_0_q ) :
           \dut.u_task_management.counted_q && (state == DECIDE || state >= PLACE))))
    `CHECK(rst || !due || !parking || \dut.u_task_management.write_fault_q == '0)
    `CHECK(rst || (ending != 3'd2 && ending != ENDING_ANSWER) || (\dut.u_work_distributor.release_left_q != '0 && !(\dut.u_work_distributor.queue_bad )))
    `CHECK(rst || !owed || !(\dut.u_work_distributor.queue_bad ))
    `CHECK(rst || !in_hand || due || !(\dut.u_task_management.counted_q ))
    `CHECK(rst || !(in_hand && state == WRITTEN && parking && \dut.u_task_management.old_1_q && \dut.u_task_management.write_fault_q == '0) || due)
    `CHECK(rst || !in_hand || !(state == START || placing) || due || \dut.u_task_management.freed_q || !(\dut.u_task_management.waits ))
    `CHECK(rst || !(listed || evicted) || (!(\dut.u_task_management.freed_q ) && !(\dut.u_task_management.counted_q )))

    // ---- the lists of channel c, as plain lists, against what is linked through memory ----
    // order: the TMDs of each level's list, the first one first. Words of TMDs that are in a list, or go into one, are the unit's: nobody else writes them.
    logic [LEVELS*TMDS*T_W-1:0] order;
    logic [TMDS*24-1:0] word_link;
    logic [TMDS*32-1:0] word_state;
    logic spoilt = 1'b0;     // a task of a list did not say what it must: its channel faults
    logic stale = 1'b0;      // some lists have been dropped, others still will be: their tasks name an epoch that is over
    `MOSTLY(1, applied, 1'b1)         // a write that fails may have been performed or not
    wire mine = hand_channel == c;
    wire [31:0] addr = \dut.fetch_req_addr , strobes = \dut.fetch_req_wstrb ;
    wire [255:0] data = \dut.fetch_req_wdata ;
    wire stored = state == ANSWER && mem_rsp && (mem_fault == '0 || applied) && mine && addr[31:8+T_W] == '0;
    wire [T_W-1:0] at = addr[8 +: T_W];
    wire [47:0] lens = c ? len[95:48] : len[47:0];
    wire drop_here = dropped && dropped_channel == 8'(c);
    always_ff @(posedge clk_i) begin
        for (int t = 0; t < TMDS; t++) begin
            if (stored && at == T_W'(t) && addr[7:5] == 3'd7 && strobes[11:8] == 4'hF) word_state[32*t +: 32] <= data[95:64];
            if (stored && at == T_W'(t) && addr[7:5] == 3'd0 && strobes[23:20] == 4'hF) word_link[24*t +: 24] <= data[183:160];
        end
        spoilt <= !rst && (spoilt || (refused && listed && mine && state == DECIDE));
        stale <= !rst && (drop_here || (stale && !idle[c]));
        for (int l = 0; l < LEVELS; l++) begin
            if (listed_now && listed_channel == 8'(c) && listed_level == 8'(l)) begin
                if (at_head) order[l*TMDS*T_W +: TMDS*T_W] <= {order[l*TMDS*T_W +: (TMDS-1)*T_W], listed_tmd[8 +: T_W]};
                else for (int i = 0; i < TMDS; i++)
                    if (lens[24*l +: 24] == 24'(i)) order[(l*TMDS+i)*T_W +: T_W] <= listed_tmd[8 +: T_W];
            end else if (leaves_list && mine && \dut.u_task_management.level_q == 6'(l))
                order[l*TMDS*T_W +: TMDS*T_W] <= order[l*TMDS*T_W +: TMDS*T_W] >> T_W;
        end
    end

    function automatic [31:0] state_of(input [TMDS*32-1:0] words, input [T_W-1:0] t);
        state_of = '0;
        for (int i = 0; i < TMDS; i++) if (t == T_W'(i)) state_of = words[32*i +: 32];
    endfunction
    function automatic [23:0] link_of(input [TMDS*24-1:0] words, input [T_W-1:0] t);
        link_of = '0;
        for (int i = 0; i < TMDS; i++) if (t == T_W'(i)) link_of = words[24*i +: 24];
    endfunction

    // In which places a TMD of the channel is.
    logic [TMDS*3-1:0] places;
    logic [TMDS-1:0] in_list, in_slot;
    wire placed = in_hand && (placing || state == START) && mine;
    always_comb begin
        for (int t = 0; t < TMDS; t++) begin
            in_list[t] = 1'b0;
            in_slot[t] = 1'b0;
            places[3*t +: 3] = 3'(placed && hand_t == T_W'(t));
            for (int l = 0; l < LEVELS; l++)
                for (int i = 0; i < TMDS; i++)
                    if (24'(i) < lens[24*l +: 24] && order[(l*TMDS+i)*T_W +: T_W] == T_W'(t)) begin
                        in_list[t] = 1'b1;
                        places[3*t +: 3] = places[3*t +: 3] == 3'd2 ? 3'd2 : places[3*t +: 3] + 3'd1;
                    end
            for (int s = 0; s < TASK_SLOTS; s++)
                if (busy[s] && slot_channel[s] == c && slot_tmd[32*s+8 +: T_W] == T_W'(t)) begin
                    in_slot[t] = 1'b1;
                    places[3*t +: 3] = places[3*t +: 3] == 3'd2 ? 3'd2 : places[3*t +: 3] + 3'd1;
                end
        end
    end
    wire [31:0] hand_state = state_of(word_state, hand_t);
    wire [23:0] hand_link = link_of(word_link, hand_t);
    // What the check of a TMD owes to what memory holds (tests/formal/tmd_check.sv): a task from a list says that it is in that list; a launch of one
    // that is pending is refused; only one that is free of its children comes back. Software does not launch what runs, nor counts down what is pending.
    wire accepted = state == DECIDE && \dut.u_task_management.check_code == `FAULT_NONE;
    `ASSUME(!accepted || !listed || \dut.u_task_management.group == (\dut.u_task_management.level_q ))
    `ASSUME(!accepted || !listed || !mine || !in_list[hand_t] || (\dut.u_task_management.link == hand_link && hand_state[1] != hand_state[0] &&
            hand_state[31:2] == {epoch, \dut.u_task_management.level_q } && \dut.u_task_management.resumed == (hand_state[1:0] == 2'd2)))
    `ASSUME(!accepted || listed || !mine || !in_list[hand_t] || hand_state[1:0] == '0 || hand_state[31:8] != epoch)
    `ASSUME(!accepted || listed || !mine || !in_slot[hand_t])
    `ASSUME(!accepted || listed || !\dut.u_task_management.resumed || (\dut.u_task_management.freed_q ))

    wire kept = !spoilt && !rst;
    for (genvar t = 0; t < TMDS; t++) begin : g_tmd
        `CHECK(!kept || places[3*t +: 3] <= 3'd1)
    end
    for (genvar l = 0; l < LEVELS; l++) begin : g_level
        wire [23:0] length = lens[24*l +: 24];
        wire [71:0] row = c ? rows[72*(LEVELS+l) +: 72] : rows[72*l +: 72];
        wire here = mine && hand_level == 1'(l);
        `CHECK(!kept || length <= 24'(TMDS))
        // A task that starts or is refused out of a list is its first one.
        `CHECK(!kept || !(leaves_list && here) || (length != '0 && hand_tmd == 32'(order[l*TMDS*T_W +: T_W]) << 8))
        `CHECK(!kept || !(listed && here && state >= FRONT) || hand_tmd == 32'(order[l*TMDS*T_W +: T_W]) << 8)
        `CHECK(!kept || length == '0 || row[71:48] == 24'(order[l*TMDS*T_W +: T_W]))
        for (genvar i = 0; i < TMDS; i++) begin : g_entry
            wire [T_W-1:0] t = order[(l*TMDS+i)*T_W +: T_W];
            wire stands = 24'(i) < length;
            wire [31:0] its_state = state_of(word_state, t);
            `CHECK(!kept || length != 24'(i+1) || row[47:24] == 24'(t))
            if (i + 1 < TMDS) begin : g_next
                `CHECK(!kept || stale || 24'(i+1) >= length || link_of(word_link, t) == 24'(order[(l*TMDS+i+1)*T_W +: T_W]))
            end
            `CHECK(!kept || stale || !stands || (i == 0 && listed && here && state >= WRITE) ||
                   (its_state[31:2] == {epoch, 6'(l)} && its_state[1] != its_state[0]))
        end
        `CHECK(!kept || !(listed && here && state > DECIDE) || length < 24'd2 || \dut.u_task_management.link == 24'(order[(l*TMDS+1)*T_W +: T_W]))
        wire written = placing && here && \dut.u_task_management.write_fault_q == '0 && state > PLACE;
        `CHECK(!kept || !written || \dut.u_task_management.writes_q [0] ||
               (hand_state[31:2] == {epoch, 6'(l)} && hand_state[1:0] == (evicted || \dut.u_task_management.resumed ? 2'd2 : 2'd1)))
        `CHECK(!kept || !written || \dut.u_task_management.writes_q [1] || length == '0 ||
               (at_head ? hand_link == row[71:48] : link_of(word_link, row[24 +: T_W]) == hand_tmd[31:8]))
    end
    `CHECK(!kept || !((in_hand || evicted) && mine) || (hand_tmd[31:8+T_W] == '0 && hand_tmd[7:0] == '0))
    for (genvar s = 0; s < TASK_SLOTS; s++) begin : g_slot_tmd
        `CHECK(!kept || !busy[s] || slot_channel[s] != c || (slot_tmd[32*s+8+T_W +: 24-T_W] == '0 && slot_tmd[32*s +: 8] == '0))
    end
    `CHECK(rst || !stale || halt_before[c])
    `CHECK(rst || !stale || !(placed || (listed && mine && state > DECIDE)))

    `REACH(!rst && ended && !killed)
    `REACH(!rst && ended && killed)
    `REACH(!rst && started && busy != '0 && !listed)
    `REACH(!rst && listed_now && !evicted && at_head && lens != '0 && listed_channel == 8'(c))
    `REACH(!rst && evicting)
    `REACH(!rst && gives_up && listed_now)
    `REACH(!rst && gives_up && refused)
    `REACH(!rst && refused && listed)
    `REACH(!rst && started && listed && !(\dut.u_task_management.resumed ))
    `REACH(!rst && parked_now)
    `REACH(!rst && freed_now)
    `REACH(!rst && started && due)
endmodule
