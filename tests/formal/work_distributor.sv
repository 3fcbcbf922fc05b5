// A slot of the task table never holds two tasks; a task that was started stays in its slot until its end, which comes once, when none of its
// CTAs runs and, unless it is killed, when all of them have been handed out.
//
// proof quick induction frames 14
// shows TU-4
// reads rtl/task/work_distributor.sv
// sets TASK_SLOTS=2
// mutant a task is put into a slot that is taken: rtl/task/work_distributor.sv
// - if (!busy_q[k]) free_slot = SLOT_W'(k);
// + if (!busy_q[k] || launched_q[k]) free_slot = SLOT_W'(k);
// mutant a killed task ends while a CTA of it runs: rtl/task/work_distributor.sv
// - if (busy_q[k] && (launched_q[k] || kill_q[k]) && (running_q[RUNNING_W*k +: RUNNING_W] == '0 ||
// + if (busy_q[k] && (launched_q[k] || kill_q[k]) && (kill_q[k] || running_q[RUNNING_W*k +: RUNNING_W] == '0 ||
`include "gen/isa.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"
`include "task.svh"
`include "formal.svh"

module prove_work_distributor #(
    parameter TASK_SLOTS = 2
) (
    input wire clk_i
);
    localparam CHANNELS = 2, CONST_BANKS = 1, SLOT_W = $clog2(TASK_SLOTS);
    localparam TASK_BITS = `TASK_W(1, CONST_BANKS);
    localparam MOST = 8;   // CTAs of a slot that an SM takes at once
    `RESET(rst)
    `SOME(SLOT_W, k)       // the slot that is looked at
    `ANY(CHANNELS, halt)
    `ANY(1, start)
    `ANY(TASK_BITS, start_task)
    `ANY(1, cta_ready)
    `ANY(1, cta_done)
    `ANY(SLOT_W, cta_done_slot)
    `ANY(TASK_SLOTS, faulted)
    `ANY(1, granted)
    `ANY(1, mem_ready)
    `ANY(1, mem_rsp)
    `ANY(2, mem_fault)
    `ANY(1, fault_hold)
    wire slot_free, launched, ended, killed, mem_valid, cta_ended;
    wire [7:0] start_slot, launch_slot, end_slot, cta_end_slot;
    wire [TASK_SLOTS-1:0] kill;

    work_distributor #(.TASK_SLOTS(TASK_SLOTS), .CHANNELS(CHANNELS), .CONST_BANKS(CONST_BANKS)) dut (
        .clk_i, .rst_i(rst), .inject_i(8'd0), .channel_halt_i(halt), .slot_free_o(slot_free), .start_valid_i(start), .start_task_i(start_task),
        .slot_kill_o(kill), .cta_ready_i(cta_ready), .cta_done_valid_i(cta_done), .cta_done_slot_i(cta_done_slot), .slot_faulted_i(faulted),
        .granted_i(granted), .req_valid_o(mem_valid), .req_ready_i(mem_ready), .rsp_valid_i(mem_rsp), .rsp_fault_i(mem_fault),
        .fault_hold_i(fault_hold), .trace_task_start_slot_o(start_slot), .trace_cta_launch_valid_o(launched),
        .trace_cta_launch_slot_o(launch_slot), .trace_cta_end_valid_o(cta_ended), .trace_cta_end_slot_o(cta_end_slot),
        .trace_task_end_valid_o(ended), .trace_task_end_slot_o(end_slot), .trace_task_end_killed_o(killed));

    (* hierconn *) wire [TASK_SLOTS-1:0] \dut.busy_q , \dut.launched_q ;
    (* hierconn *) wire [TASK_SLOTS*16-1:0] \dut.running_q ;
    (* hierconn *) wire [TASK_SLOTS*8-1:0] \dut.done_q ;
    (* hierconn *) wire [2:0] \dut.ending_q ;
    (* hierconn *) wire [31:0] \dut.start_offset ;
    (* hierconn *) wire [SLOT_W-1:0] \dut.ending_slot_q , \dut.offer_slot_q ;
    (* hierconn *) wire \dut.offer_valid_q ;
    wire idle = \dut.ending_q == 3'd0;

    // What its neighbours keep to: a task is started only when a slot is free; an SM ends only CTAs that it was given; the memory answers once.
    logic [TASK_SLOTS*4-1:0] out = '0;   // CTAs that the SM has, by slot
    logic [TASK_SLOTS-1:0] out_room, out_some;
    always_comb begin
        for (int s = 0; s < TASK_SLOTS; s++) begin
            out_room[s] = out[4*s +: 4] < 4'(MOST);
            out_some[s] = out[4*s +: 4] != '0;
        end
    end
    always_ff @(posedge clk_i) begin
        for (int s = 0; s < TASK_SLOTS; s++)
            out[4*s +: 4] <= rst ? '0 : out[4*s +: 4] + 4'(launched && launch_slot == 8'(s)) - 4'(cta_done && cta_done_slot == SLOT_W'(s));
    end
    `ASSUME(!rst || (!start && !cta_done && !mem_rsp))
    `ASSUME(!start || (slot_free && \dut.start_offset [2:0] == 3'd0))
    `ASSUME(!cta_ready || out_room == '1)
    `ASSUME(!cta_done || (out_some >> cta_done_slot) & 1'b1)
    `ASSUME(!mem_rsp || \dut.ending_q == 3'd3)

    // ---- the slot, in events ----
    logic holds = 1'b0;
    wire starts = start && start_slot == 8'(k);
    wire ends = ended && end_slot == 8'(k);
    always_ff @(posedge clk_i) begin
        if (rst || ends) holds <= 1'b0;
        else if (starts) holds <= 1'b1;
    end
    `CHECK(rst || !starts || !holds)
    `CHECK(rst || !(starts && ends))
    `CHECK(rst || !ends || holds)
    `CHECK(rst || !(launched && launch_slot == 8'(k)) || (holds && !ends))
    `CHECK(rst || !ends || (out[4*32'(k) +: 4] == '0 && !(cta_ended && cta_end_slot == 8'(k))))
    `CHECK(rst || !ends || killed || \dut.launched_q [k])

    // Invariants, of every slot.
    for (genvar s = 0; s < TASK_SLOTS; s++) begin : g_slot
        wire ending = !idle && \dut.ending_slot_q == SLOT_W'(s);
        wire offered = \dut.offer_valid_q && \dut.offer_slot_q == SLOT_W'(s);
        wire busy = \dut.busy_q [s];
        wire [15:0] running = \dut.running_q [16*s +: 16];
        `CHECK(rst || k != SLOT_W'(s) || holds == busy)
        `CHECK(rst || running == 16'(out[4*s +: 4]) + 16'(\dut.done_q [8*s +: 8]))
        `CHECK(rst || out[4*s +: 4] <= 4'(MOST))
        `CHECK(rst || busy || (running == '0 && !kill[s]))
        `CHECK(rst || !ending || (busy && running == '0 && (\dut.launched_q [s] || kill[s])))
        `CHECK(rst || !offered || (busy && !\dut.launched_q [s] && !ending))
    end
    logic [8:0] done_sum;
    always_comb begin
        done_sum = '0;
        for (int s = 0; s < TASK_SLOTS; s++) done_sum = done_sum + 9'(\dut.done_q [8*s +: 8]);
    end
    `CHECK(rst || done_sum <= 9'd1)
    `CHECK(rst || \dut.ending_q <= 3'd5)

    `REACH(!rst && ends && !killed)
    `REACH(!rst && ends && killed)
    `REACH(!rst && starts && \dut.busy_q != '0)
    `REACH(!rst && slot_free == 1'b0)
    `REACH(!rst && ends && \dut.busy_q == '1)
endmodule
