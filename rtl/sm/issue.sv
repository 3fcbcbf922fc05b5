// The issue stage: guard, checks, and the choice of the unit that executes an instruction. One instruction a cycle at best.
//
// Stage D has the instruction word, reads the warp's predicates (predicate_file) and its active mask; it decodes, makes
// exec = active & guard and finds the faults PROGRAM_BOUNDS, ILLEGAL_INSTRUCTION, REGISTER_BOUNDS. Stage I hands the instruction over:
//   - a fault: to warp_faults;
//   - nothing to do (exec zero, NOP, a result that nobody keeps): the warp is ready again at once;
//   - lanes: to execute (run_*), as often as passes has bits;
//   - memory: the same, and load_store, shared_memory or child_launch is reserved in the same cycle (access_*; mem_start_o, shared_start_o,
//     launch_start_o); if that is not free the warp is sent back (issue_retry_o). A generic access reserves load_store and shared_memory: it is
//     sent back while load_store is busy, and waits here for shared_memory, so that it gets both as surely as others get one;
//   - control: to divergence_unit, or sent back if that is not free. CAL first pushes, then writes its register. RET, BRX, JMX, JCALX with a
//     register first go over the portions to collect the targets (gather), divergence_unit stays reserved for them meanwhile; JCALX then
//     writes its register for the threads that have been called (gather_group_i);
//   - SMOV, VOTE, SVLOOP_BEGIN, SVLOOP_END: scalar_unit says what they do and writes its registers in the cycle of the hand-over; those that
//     write EXEC go on to divergence_unit. They wait a cycle when R2S has the write port. R2S and SRD take the way of the lanes;
//   - BAR: the warp waits in warp_table.
// As long as no other warp's instruction comes behind, an instruction waits here for what it needs, in stage D for predicates, in stage I for the rest;
// for what is sure to be there in two cycles (lands_i, rests_i) it does so in any case, since coming back takes five.
// ahead_o: what comes behind the instruction in front of stage D, or behind that in D, may be fetched too, since its warp goes on without waiting. It
// comes as far as stage D while the one before it is in I, stays there until that has been handed over, and is dropped when that is sent back.
// Where a unit is free but it is other warps' turn (turn_i, launch_turn_i: turns.sv), the warp is sent back as if it were not.
// Event INSTR comes in the cycle of the hand-over, once.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"
`include "token.svh"

module issue #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int CHANNELS = 4,
    parameter int TASK_SLOTS = 4,
    parameter int CONST_BANKS = 2,
    parameter int REG_W = 8,
    parameter int INJECT = 0,
    localparam int P = THREADS / LANES,
    localparam int REF_W = REG_W + $clog2(P) + 1,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                    clk_i,
    input  wire                    rst_i,
    input  wire  [7:0]             inject_i,
    `FETCHED_IN(fetched),
    input  wire                    fetched_comes_i,    // an instruction is in the stage before, or a miss
    input  wire                    fetched_runs_i,     // .. it is there, and its warp goes on behind it
    output logic                   fetched_hold_o,     // the warp there has one in stage D
    output logic                   fetched_before_o,   // .. in stage D or I: it is not to miss yet
    input  wire                    coming_valid_i,     // the stage before that
    input  wire  [WARP_W-1:0]      coming_warp_i,
    input  wire                    pick_valid_i,       // a warp is to be fetched
    input  wire  [WARPS-1:0]       may_ahead_i,
    output logic                   ahead_o,            // what comes behind the last one of its warp, which goes on unless it is sent back or faults
    output logic [WARP_W-1:0]      ahead_warp_o,
    output logic [21:0]            ahead_pc_o,
    // predicates: what is pending when an instruction enters stage D; those of active_warp_o that it reads there, by number, combinational
    output logic [WARP_W-1:0]      pred_warp_o,
    input  wire  [6:0]             pred_pending_i,
    input  wire                    pred_cleared_i,  // nothing is pending any more of that predicate of that warp from the next cycle on
    input  wire  [WARP_W-1:0]      pred_cleared_warp_i,
    input  wire  [2:0]             pred_cleared_number_i,
    output logic [2:0]             pred_guard_o,
    output logic [2:0]             pred_p1_o,
    output logic [2:0]             pred_p2_o,
    input  wire  [THREADS-1:0]     pred_guard_i,
    input  wire  [THREADS-1:0]     pred_p1_i,
    input  wire  [THREADS-1:0]     pred_p2_i,
    // divergence unit's state, combinational
    output logic [WARP_W-1:0]      active_warp_o,
    input  wire  [THREADS-1:0]     active_i,
    input  wire  [THREADS-1:0]     inside_i,           // threads in a sub-vector sequence
    input  wire  [7:0]             count_bound_i,      // no thread's count for YIELD.NTH is higher
    // the warp that is in a trap; a TRAP waits while one is (busy)
    input  wire                    trap_busy_i,
    input  wire                    trap_on_i,
    input  wire  [WARP_W-1:0]      trap_warp_i,
    input  wire  [21:0]            trap_pc_i,
    output logic                   trap_waits_o,       // a TRAP is sent back for that
    output logic [21:0]            next_pc_o,          // behind the instruction in stage I
    output logic [31:0]            address_o,          // where that stands in memory
    output logic [WARP_W-1:0]      live_warp_o,
    input  wire                    live_rest_i,  // threads of it are off, but have not ended and are not absent
    // task table and warp table
    `SLOT_ACCESS_INS(slot, TASK_SLOTS),
    input  wire  [WARPS*REG_W-1:0] warp_base_i,
    input  wire  [WARPS-1:0]       shares_i,           // it has shared rows
    input  wire  [WARPS-1:0]       lands_i,            // in at most 2 cycles all of it can be read
    input  wire  [WARPS-1:0]       rests_i,            // in at most 2 cycles all of it is written
    input  wire  [WARPS-1:0]       drained_i,          // nothing is in flight
    input  wire  [WARPS-1:0]       full_i,             // no more may be
    input  wire  [WARPS-1:0]       faulted_i,
    input  wire  [WARPS-1:0]       turn_i,             // may have load_store, shared_memory, divergence_unit
    input  wire  [WARPS-1:0]       launch_turn_i,      // .. child_launch
    `ISSUE_OUT(issue),
    output logic                   instr_o,            // event INSTR: handed over, or executed with a fault at once
    `SCORE_OUT(score),
    `FAULT_FOUND_OUT(fault),
    // special registers of stage I
    output logic [7:0]             special_number_o,   // or that of a scalar register of a trap
    output logic [SLOT_W-1:0]      special_slot_o,
    input  wire  [31:0]            special_value_i,
    // execute
    `OPERATION_OUT(run),
    // load_store, shared_memory, child_launch: each is reserved while it is free
    `ACCESS_OUT(access),
    `ACCESS_SPACE_OUT(access),
    input  wire                    mem_free_i,
    output logic                   mem_start_o,
    input  wire                    shared_free_i,
    input  wire                    shared_generic_done_i,  // a generic access may come
    output logic                   shared_start_o,
    input  wire                    launch_free_i,
    output logic                   launch_start_o,
    // divergence unit, by way of control_gate
    `CONTROL_OUT(control),                                          // ready: only then is valid high
    output logic                   control_goes_o,     // it is handed over, and a thread executes it
    output logic                   control_reserve_o,  // targets are being gathered
    output logic                   control_stays_o,    // CAL goes on after the push
    input  wire                    control_done_i,
    input  wire                    control_fault_i,    // or the warp is held
    input  wire  [THREADS-1:0]     gather_group_i,
    `SCALAR_OUT(scalar),
    `TRACE_INSTR_PORTS
);

    // ---- stage D ----
    logic       d_valid_q, d_runs_q;
    logic [6:0] d_pending_q;
    `FETCHED_REG(d);
    // The registers of its task, how many of them are its threads' own, and where registers and rows of its warp begin: the same as long as the
    // warp runs, so they come into D with the instruction.
    logic [7:0]       d_registers_q, d_privates_q;
    logic [REG_W-1:0] d_base_q;
    logic [REF_W-2:0] d_row_base_q;
    wire [7:0]        registers = slot_registers_i[32'(fetched_slot_i)*8 +: 8];
    wire [7:0]        shared_rows = shares_i[fetched_warp_i] ? slot_shared_rows_i[32'(fetched_slot_i)*8 +: 8] : 8'd0;
    wire [7:0]        privates = registers - shared_rows;
    wire [REG_W-1:0]  base = warp_base_i[32'(fetched_warp_i)*REG_W +: REG_W];


    logic i_valid_q, i_done, d_stays;
    wire  i_ready = !i_valid_q || i_done;
    wire  i_before_fetched = i_valid_q && i_warp_q == fetched_warp_i;
    wire  i_before_d = i_valid_q && i_warp_q == d_warp_q;  // what D shows counts when that has been handed over
    assign fetched_ready_o = !d_valid_q || (i_ready && !d_stays);
    assign pred_warp_o = fetched_warp_i;
    assign active_warp_o = d_warp_q;

    always_ff @(posedge clk_i) begin
        if (fetched_ready_o) begin
            d_valid_q <= fetched_valid_i && !(issue_retry_o && i_before_fetched);
            if (fetched_valid_i) begin
                `FETCHED_PACK_Q(d) <= `FETCHED_PACK_I(fetched);
                d_runs_q <= fetched_runs_i;
                d_pending_q <= pred_pending_i | (i_before_fetched ? score_set_preds_o : 7'd0);
                d_registers_q <= registers;
                d_privates_q <= privates;
                d_base_q <= base;
                // Rows are counted from where one for register 0 would be.
                d_row_base_q <= {REG_W'(32'(base) + 32'(privates)), {(REF_W-1-REG_W){1'b0}}} - (REF_W-1)'(privates);
            end
        end
        if (!fetched_ready_o) begin
            if (issue_retry_o && i_before_d) d_valid_q <= 1'b0;
            d_pending_q <= (d_pending_q & ~((pred_cleared_i && pred_cleared_warp_i == d_warp_q) ? 7'd1 << pred_cleared_number_i : 7'd0)) |
                           (i_before_d ? score_set_preds_o : 7'd0);
        end
        if (rst_i) d_valid_q <= 1'b0;
    end

    logic illegal, bad_register;
    `DECODED_WIRE(d);

    // Shared registers: only by threads of one portion that are in a sequence.
    logic [P-1:0] portions_active;
    for (genvar p = 0; p < P; p++) begin : g_portion
        assign portions_active[p] = |active_i[p*LANES +: LANES];
    end
    wire shared_use = (active_i & ~inside_i) == '0 && (portions_active & (portions_active - P'(1))) == '0;

    wire [21:0] d_next = d_pc_q + 22'd1;
    wire trapped = trap_on_i && trap_warp_i == d_warp_q;
    decode u_decode (
        .word_i(d_word_q), .registers_i(d_registers_q), .privates_i(d_privates_q), .shared_use_i(shared_use), .trap_i(trapped), .pc_next_i(d_next),
        .illegal_o(illegal), .bad_register_o(bad_register), `DECODED_FROM(dec, d)
    );
    wire [7:0] d_opcode = d_word_q[7:0];

    // Where a register is. Private: {0, register}; shared: {1, row}.
    function automatic [REF_W-1:0] place(input [REG_W-1:0] at, input [REF_W-2:0] row_at, input [7:0] count, input [7:0] register);
        place = {register >= count, ((register < count) ? (REF_W-1)'(at) : row_at) + (REF_W-1)'(register)};
    endfunction

    wire [REF_W-1:0] d_reg_a = place(d_base_q, d_row_base_q, d_privates_q, d_ra), d_reg_b = place(d_base_q, d_row_base_q, d_privates_q, d_rb);
    wire [REF_W-1:0] d_reg_c = place(d_base_q, d_row_base_q, d_privates_q, d_rc), d_reg_d = place(d_base_q, d_row_base_q, d_privates_q, d_word_q[19:12]);

    assign pred_guard_o = d_word_q[10:8];
    assign pred_p1_o = d_p1[2:0];
    assign pred_p2_o = d_p2[2:0];
    wire [THREADS-1:0] guard = pred_guard_i ^ {THREADS{d_word_q[11]}};
    logic [THREADS-1:0] exec;
    always_comb begin
        exec = active_i & guard;
        if (INJECT != 0 && inject_i == 8'd6) exec[THREADS-1] = active_i[THREADS-1] && !guard[THREADS-1];
    end

    logic [7:0]  fault;
    logic [31:0] fault_info;
    always_comb begin
        fault = `FAULT_NONE;
        fault_info = d_word_q[31:0];
        if (d_outside_q) begin
            fault = `FAULT_PROGRAM_BOUNDS;
            fault_info = {10'd0, d_pc_q};
        end else if (d_fault_q != `ANSWER_GOOD) begin
            fault = (d_fault_q == `ANSWER_OUTSIDE) ? `FAULT_MEMORY_BOUNDS : `FAULT_BUS_ERROR;
            fault_info = {d_addr_q[31:5], 5'd0};  // the line
        end else if (illegal) fault = `FAULT_ILLEGAL_INSTRUCTION;
        else if (bad_register) fault = `FAULT_REGISTER_BOUNDS;
    end

    wire unused = &{1'b0, d_addr_q[2:0]};  // instructions are 8-byte aligned

    // Without a thread to execute it an instruction does nothing, except what the warp does once (that is left out only by an SMOV whose
    // guard holds for none of several active threads), and an SVSTART without an active thread, which goes to its label.
    wire once = (d_scalar && (active_i == '0 || (d_opcode != `OP_SMOV && d_opcode != `OP_SMOV_I))) ||
                (d_opcode == `OP_SVSTART && active_i == '0);
    // A YIELD.NTH that is sure to do no more than count: nothing of it can fault or stop the warp, so it waits for nothing in flight.
    wire branch_nth = d_opcode == `OP_BRA && d_word_q[31:28] == 4'(`BRA_NTH);
    wire counts = count_bound_i != 8'd255 &&
                  (branch_nth || (d_opcode == `OP_YIELD && d_word_q[31:28] == 4'(`YIELD_NTH) &&
                                  (d_target[21:8] != 14'd0 || count_bound_i + 8'd1 < d_target[7:0])));
    // In a sequence with shared registers a YIELD does nothing and a BRA.NTH is a plain one: they are one portion's until it has come to its end.
    wire keeps = d_registers_q != d_privates_q && (exec & inside_i) != '0;
    wire idle = (exec == '0 && !once) || (d_opcode == `OP_YIELD && keeps) || d_passes == 7'd0 ||
                (d_unit == `UNIT_LANES && !d_writes_reg && !d_writes_pred && !d_to_scalar);

    // The predicates lack what is still pending in this cycle, even if that is written at its end.
    wire [6:0] guard_bit = 7'd1 << d_word_q[10:8];  // none for PT
    wire pred_wait = (d_pending_q & (d_preds_named | guard_bit)) != 7'd0 && !(INJECT != 0 && inject_i == 8'd18);
    // They will be written in a moment, or nobody comes behind.
    wire d_another = pick_valid_i || (fetched_comes_i && fetched_warp_i != d_warp_q) || (coming_valid_i && coming_warp_i != d_warp_q);
    assign d_stays = d_valid_q && (i_before_d || (pred_wait && (lands_i[d_warp_q] || !d_another)));
    assign fetched_hold_o = d_valid_q && d_warp_q == fetched_warp_i;
    assign fetched_before_o = fetched_hold_o || i_before_fetched;

    // The last one of its warp that is on its way is in front of stage D, or in D.
    wire coming_fetched = coming_valid_i && coming_warp_i == fetched_warp_i;
    wire ahead_fetched = fetched_runs_i && may_ahead_i[fetched_warp_i] && !coming_fetched;
    wire behind_d = (fetched_comes_i && fetched_warp_i == d_warp_q) || (coming_valid_i && coming_warp_i == d_warp_q);
    assign ahead_o = ahead_fetched || (d_valid_q && d_runs_q && may_ahead_i[d_warp_q] && !behind_d);
    assign ahead_warp_o = ahead_fetched ? fetched_warp_i : d_warp_q;
    assign ahead_pc_o = (ahead_fetched ? fetched_pc_i : d_pc_q) + 22'd1;

    // ---- stage I ----
    `ISSUING_REG(i);
    logic [REF_W-1:0]     i_reg_a_q, i_reg_b_q, i_reg_c_q, i_reg_d_q;  // as the register file numbers them
    logic [WARP_W-1:0]    i_warp_q;
    logic [21:0]          i_pc_q, i_next_q;
    logic [31:3]          i_addr_q;   // where it stands in memory
    logic [SLOT_W-1:0]    i_slot_q;
    logic [63:0]          i_word_q;
    logic [THREADS-1:0]   i_active_q, i_exec_q, i_p1_q, i_p2_q;
    logic [7:0]           i_fault_q;
    logic [31:0]          i_fault_info_q;
    logic [2:0]           i_unit_q;   // UNIT_NONE when nothing is to be done
    logic [6:0]           i_passes_q; // those that are left
    logic                 i_parts_q;  // not all active threads execute it
    logic                 i_some_q;   // a thread does
    logic                 i_pred_wait_q;
    logic                 i_counts_q;
    logic                 i_branch_nth_q;
    logic                 nested_q;   // SVSTART by threads in a sequence
    logic                 started_q;  // handed over, more passes to come
    logic                 pushed_q;   // CAL: the token is pushed
    logic                 calling_q;  // CAL: divergence_unit is at work
    logic                 failed_q;   // CAL: it has ended with a fault, or the warp is held

    wire [7:0] i_opcode = i_word_q[7:0], i_rd = i_word_q[19:12];
    logic first_go, pass_go, push_go;

    always_ff @(posedge clk_i) begin
        if (i_ready) begin
            i_valid_q <= d_valid_q && !d_stays;
            started_q <= 1'b0;
            pushed_q <= 1'b0;
            failed_q <= 1'b0;
            if (d_valid_q) begin
                `ISSUING_PACK_Q(i) <= `ISSUING_PACK(d);
                i_warp_q <= d_warp_q;
                i_pc_q <= d_pc_q;
                i_next_q <= d_next;
                i_addr_q <= d_addr_q[31:3];
                i_slot_q <= d_slot_q;
                i_word_q <= d_word_q;
                i_active_q <= active_i;
                i_exec_q <= exec;
                i_some_q <= exec != '0;
                i_parts_q <= exec != active_i;
                i_p1_q <= pred_p1_i ^ {THREADS{d_p1[3]}};
                i_p2_q <= pred_p2_i ^ {THREADS{d_p2[3]}};
                i_fault_q <= fault;
                i_fault_info_q <= fault_info;
                i_unit_q <= idle ? `UNIT_NONE : d_unit;
                i_reg_a_q <= d_reg_a;
                i_reg_b_q <= d_reg_b;
                i_reg_c_q <= d_reg_c;
                i_reg_d_q <= d_reg_d;
                i_passes_q <= d_passes;
                i_pred_wait_q <= pred_wait;
                i_counts_q <= counts;
                i_branch_nth_q <= branch_nth && !keeps;
                nested_q <= d_opcode == `OP_SVSTART && (exec & inside_i) != '0;
            end
        end else begin
            if (pass_go) begin
                started_q <= 1'b1;
                i_passes_q <= i_passes_q & (i_passes_q - 7'd1);
                if (i_store_q) i_reg_c_q <= i_reg_c_q + REF_W'(1);  // a store's registers follow each other, one a pass
            end
            if (push_go) calling_q <= 1'b1;
            if (calling_q && control_done_i) begin
                calling_q <= 1'b0;
                pushed_q <= !control_fault_i;
                failed_q <= control_fault_i;
            end
        end
        if (rst_i) begin
            i_valid_q <= 1'b0;
            calling_q <= 1'b0;
        end
    end

    // Faults that the instruction's words do not show: they come after INSTR.
    wire not_uniform = (i_uniform_q && i_unit_q == `UNIT_CONTROL && i_parts_q) || nested_q;
    wire diverged = i_unit_q == `UNIT_BARRIER && (i_parts_q || live_rest_i);
    wire fails = i_unit_q == `UNIT_CONTROL && i_opcode == `OP_TFAIL && !not_uniform;
    wire late_fault = not_uniform || diverged || fails;
    assign live_warp_o = i_warp_q;

    // A BRA.NTH that all active threads take goes to divergence_unit as the YIELD.NTH in front of its label.
    wire branch_yields = i_branch_nth_q && !i_parts_q;

    // What the instruction must wait for before it begins: the warp is sent back. One that faults, or may end or stop its warp, waits for
    // all that is in flight; nothing of a warp that has faulted begins.
    wire begun = started_q || calling_q || pushed_q || failed_q;
    wire found_fault = i_fault_q != `FAULT_NONE || late_fault;
    wire needs_all = found_fault || ((i_alone_q || branch_yields) && !i_counts_q && (i_unit_q != `UNIT_NONE || i_some_q)) ||
                     (i_unit_q == `UNIT_CONTROL && i_parts_q);
    wire trap_waits = trap_busy_i && i_opcode == `OP_TRAP && i_unit_q != `UNIT_NONE && !found_fault;
    assign trap_waits_o = i_valid_q && trap_waits;
    wire undrained = needs_all && !drained_i[i_warp_q];
    wire hazard = i_valid_q && !begun &&
                  (faulted_i[i_warp_q] || undrained || trap_waits ||
                   (i_fault_q == `FAULT_NONE && (i_pred_wait_q || full_i[i_warp_q] || (i_unit_q != `UNIT_NONE && score_wait_i))));
    // What it waits for will be written in a moment, or nobody comes behind: it waits here.
    wire another = pick_valid_i || (d_valid_q && d_warp_q != i_warp_q) || (fetched_comes_i && fetched_warp_i != i_warp_q) ||
                   (coming_valid_i && coming_warp_i != i_warp_q);
    wire soon = undrained ? rests_i[i_warp_q] : lands_i[i_warp_q];
    wire stays = hazard && (soon || !another) && !faulted_i[i_warp_q] && !trap_waits &&
                 !(i_fault_q == `FAULT_NONE && (i_pred_wait_q || score_again_i)) && !full_i[i_warp_q];
    wire goes_back = hazard && !stays;

    assign fault_valid_o = i_valid_q && found_fault && !hazard;
    assign fault_code_o = (i_fault_q != `FAULT_NONE) ? i_fault_q : diverged ? `FAULT_BARRIER_DIVERGED :
                          fails ? `FAULT_CHILD_DEADLOCK : `FAULT_ILLEGAL_INSTRUCTION;
    assign fault_warp_o = i_warp_q;
    assign fault_pc_o = i_pc_q;
    assign fault_info_o = (i_fault_q != `FAULT_NONE) ? i_fault_info_q : diverged ? i_active_q[31:0] : fails ? special_value_i : i_word_q[31:0];

    wire work = i_valid_q && !found_fault && !hazard;
    wire gathers = i_unit_q == `UNIT_CONTROL && i_uses_a_q && i_ra_q != `ISA_RZ;      // RET, BRX, JMX, JCALX
    wire gather = gathers && !started_q;
    wire call_writes = i_unit_q == `UNIT_CONTROL && i_call_q && i_writes_reg_q;
    wire last_pass = (i_passes_q & (i_passes_q - 7'd1)) == 7'd0;

    wire turn = i_launch_q ? launch_turn_i[i_warp_q] : turn_i[i_warp_q];
    wire unit_free = turn && (i_launch_q ? launch_free_i : i_shared_q ? shared_free_i : mem_free_i);  // or it is worth waiting for here
    wire control_free = turn && control_ready_i;
    wire units_free = unit_free && (!i_generic_q || (shared_free_i && shared_generic_done_i));
    wire portions = i_unit_q == `UNIT_LANES || (i_unit_q == `UNIT_MEMORY && (started_q || units_free)) || (gather && control_free) ||
                    (call_writes && pushed_q);
    assign run_valid_o = work && portions;
    assign pass_go = run_valid_o && run_ready_i;
    assign control_valid_o = work && i_unit_q == `UNIT_CONTROL && !gathers && control_free && !calling_q && !pushed_q && !failed_q &&
                             (!i_scalar_q || scalar_free_i);
    assign control_goes_o = control_valid_o && i_some_q;
    assign control_reserve_o = pass_go && gather;
    assign push_go = (control_valid_o || control_reserve_o) && call_writes;
    assign control_stays_o = calling_q;
    assign control_warp_o = i_warp_q;
    assign control_opcode_o = branch_yields ? `OP_YIELD : i_opcode;
    assign control_next_o = branch_yields ? i_target_q : i_next_q;
    assign control_exec_o = run_exec_o;
    wire to_trap_pc = i_opcode == `OP_TRET || i_opcode == `OP_TPUSH;
    assign next_pc_o = i_next_q;
    assign address_o = {i_addr_q, 3'd0};
    assign control_target_o = branch_yields ? `TURNS_NTH : to_trap_pc ? trap_pc_i : (!i_scalar_q || scalar_taken_i) ? i_target_q : next_pc_o;
    assign control_group_o = i_scalar_q ? scalar_wanted_i : run_exec_o;
    wire scalar_go = work && i_unit_q == `UNIT_SCALAR && scalar_free_i;
    assign scalar_go_o = scalar_go || (control_valid_o && i_scalar_q);
    assign scalar_warp_o = i_warp_q;
    assign scalar_opcode_o = i_opcode;
    assign scalar_rd_o = i_rd;
    assign scalar_imm_o = i_word_q[63:32];
    assign scalar_active_o = i_active_q;
    assign scalar_exec_o = i_exec_q;

    assign issue_retry_score_o = goes_back;
    assign issue_stays_o = stays;
    wire busy = (i_unit_q == `UNIT_MEMORY && !unit_free) || (i_unit_q == `UNIT_CONTROL && !control_free);
    assign issue_retry_o = goes_back || (work && !begun && busy);
    assign issue_retry_memory_o = i_unit_q == `UNIT_MEMORY && !i_shared_q && !i_launch_q;
    assign issue_retry_shared_o = i_unit_q == `UNIT_MEMORY && i_shared_q;
    assign issue_retry_launch_o = i_unit_q == `UNIT_MEMORY && i_launch_q;

    // The first hand-over: event INSTR.
    assign first_go = work && !issue_retry_o && !begun &&
                      (i_unit_q == `UNIT_NONE || i_unit_q == `UNIT_BARRIER || scalar_go || pass_go || control_valid_o);
    assign issue_warp_o = i_warp_q;
    assign issue_pc_o = i_pc_q;
    assign issue_go_o = first_go;
    // Lanes and memory: the warp goes on. R2S, the time, LAUNCH and the write of a call's register end before it does.
    wire i_waits = i_to_scalar_q || (i_special_q && `IS_TIME(i_imm_q[7:0]));
    wire goes_on = (i_unit_q == `UNIT_LANES && !i_waits) || (i_unit_q == `UNIT_MEMORY && !i_launch_q);
    assign issue_counted_o = first_go && goes_on;
    assign issue_counted_memory_o = issue_counted_o && i_unit_q == `UNIT_MEMORY;
    assign issue_waits_for_o = (i_unit_q == `UNIT_SCALAR || goes_on) ? `UNIT_NONE : i_unit_q;

    // ---- to the scoreboard ----
    wire [THREADS-1:0] set_exec = i_shuffle_q ? i_exec_q : run_exec_o;
    always_comb for (int p = 0; p < P; p++) score_set_portions_o[p] = set_exec[p*LANES +: LANES] != '0;
    assign score_warp_o = i_warp_q;
    assign score_names_o = d_names;
    assign score_more_o = d_more;
    assign score_reg_a_o = d_reg_a;
    assign score_reg_b_o = d_reg_b;
    assign score_reg_c_o = d_reg_c;
    assign score_reg_d_o = d_reg_d;
    assign score_take_o = i_ready;
    assign score_set_o = issue_counted_o && (i_unit_q == `UNIT_MEMORY ? !i_store_q && i_rd != `ISA_RZ : i_writes_reg_q);
    assign score_set_preds_o = (!issue_counted_o || !i_writes_pred_q) ? 7'd0
                             : (i_op_q == 7'(`OP_R2P)) ? i_passes_q : 7'd1 << i_pred_q;

    always_comb begin
        if (stays) i_done = 1'b0;
        else if (fault_valid_o) i_done = fault_taken_i;
        else if (issue_retry_o || i_unit_q == `UNIT_NONE || i_unit_q == `UNIT_BARRIER) i_done = 1'b1;
        else if (i_unit_q == `UNIT_SCALAR) i_done = scalar_go;
        else if (call_writes) i_done = pushed_q ? pass_go : failed_q;
        else if (i_unit_q == `UNIT_CONTROL && !gathers) i_done = control_valid_o;
        else i_done = pass_go && last_pass;
    end

    assign special_number_o = fails ? `SR_TMD : i_imm_q[7:0];
    assign special_slot_o = i_slot_q;

    // ---- to the lanes ----
    logic [2:0] pass;
    always_comb begin
        pass = 3'd0;
        for (int i = 6; i >= 0; i--) if (i_passes_q[i]) pass = 3'(i);
    end
    wire [THREADS-1:0] exec_without_last = i_exec_q & ({THREADS{1'b1}} >> LANES);

    wire [THREADS-1:0] call_exec = pushed_q && gathers ? gather_group_i : i_exec_q;
    always_comb begin
        run_exec_o = (INJECT != 0 && inject_i == 8'd4 && exec_without_last != '0) ? exec_without_last : call_exec;
        if (i_to_scalar_q) run_exec_o = i_exec_q & (~i_exec_q + THREADS'(1));  // the lowest thread
        if (i_shuffle_q && !started_q) run_exec_o = '1;                        // every register is read, whoever is active
    end
    assign run_warp_o = i_warp_q;
    assign run_op_o = i_op_q;
    assign run_mod_o = branch_yields ? 4'(`YIELD_NTH) : i_word_q[31:28];
    assign run_imm_o = i_call_q ? {10'd0, next_pc_o} : i_special_q ? special_value_i :
                      i_scalar_read_q ? scalar_value_i : i_imm_q;
    assign run_b_imm_o = i_b_imm_q;
    assign run_zero_o = {i_rc_q == `ISA_RZ, i_rb_q == `ISA_RZ, !i_uses_a_q || i_ra_q == `ISA_RZ};
    assign run_reg_a_o = i_reg_a_q;
    assign run_reg_b_o = i_reg_b_q;
    assign run_reg_c_o = i_reg_c_q;
    assign run_reg_d_o = i_reg_d_q;
    assign run_rd_o = i_rd;
    assign run_writes_reg_o = i_writes_reg_q && !(i_shuffle_q && !started_q);
    assign run_shuffle_o = i_shuffle_q;
    assign run_to_scalar_o = i_to_scalar_q;
    assign run_writes_pred_o = i_writes_pred_q;
    assign run_pred_o = (i_op_q == 7'(`OP_R2P)) ? pass : i_pred_q;
    assign run_pass_o = pass;
    assign run_last_pass_o = last_pass;
    assign run_p1_o = i_p1_q;
    assign run_p2_o = i_p2_q;
    assign run_preds_to_b_o = i_preds_to_b_q;
    assign run_thread_id_o = i_thread_id_q;
    assign run_thread_id_of_o = (i_imm_q[7:0] == `SR_LANEID) ? `THREAD_ID_LANE : i_imm_q[1:0];
    assign run_memory_o = i_unit_q == `UNIT_MEMORY;
    assign run_shared_o = i_shared_q;
    assign run_generic_o = i_generic_q;
    assign run_counted_o = goes_on;
    assign run_gather_o = gather;

    // ---- to the memory units ----
    wire [3:0] bank = i_word_q[51:48];  // perhaps one that does not exist
    assign mem_start_o = pass_go && i_unit_q == `UNIT_MEMORY && !started_q && !i_shared_q && !i_launch_q;
    assign launch_start_o = pass_go && i_unit_q == `UNIT_MEMORY && !started_q && i_launch_q;
    assign shared_start_o = pass_go && i_unit_q == `UNIT_MEMORY && !started_q && (i_shared_q || i_generic_q);
    assign access_warp_o = i_warp_q;
    assign access_pc_o = i_pc_q;
    assign access_exec_o = run_exec_o;
    assign access_store_o = i_store_q;
    assign access_atomic_o = i_atomic_q;
    assign access_generic_o = i_generic_q;
    assign access_mod_o = run_mod_o;
    assign access_rd_o = i_rd;
    assign access_reg_d_o = run_reg_d_o;
    assign access_constant_o = i_constant_q;
    assign access_local_o = i_local_q;
    assign access_local_base_o = slot_local_base_i[32'(i_slot_q)*32 +: 32];
    assign access_local_bytes_o = slot_local_bytes_i[32'(i_slot_q)*24 +: 24];
    assign access_channel_o = slot_channel_i[32'(i_slot_q)*CHANNEL_W +: CHANNEL_W];
    always_comb begin  // one comparison for each: a computed place would be a multiplier and a shifter of all of them
        access_bank_valid_o = 1'b0;
        access_bank_addr_o = 32'd0;
        access_bank_size_o = 17'd0;
        for (int k = 0; k < TASK_SLOTS * CONST_BANKS; k++)
            if (32'(i_slot_q) == k / CONST_BANKS && 32'(bank) == k % CONST_BANKS) begin
                access_bank_valid_o = slot_const_valid_i[k];
                access_bank_addr_o = slot_const_addr_i[k*32 +: 32];
                access_bank_size_o = slot_const_size_i[k*17 +: 17];
            end
        if (INJECT != 0 && inject_i == 8'd9) access_bank_addr_o = access_bank_addr_o + 32'd4;
    end

    assign instr_o = first_go || (i_valid_q && i_fault_q == `FAULT_NONE && late_fault && fault_taken_i);
    assign trace_instr_valid_o = instr_o;
    assign trace_instr_warp_o = 8'(i_warp_q);
    assign trace_instr_pc_o = {10'd0, i_pc_q};
    assign trace_instr_word_o = i_word_q;
    assign trace_instr_active_o = 64'(i_active_q);
    assign trace_instr_exec_o = 64'(i_exec_q);

`ifndef SYNTHESIS
    logic [2:0] passed_q;  // passes of a store
    always_ff @(posedge clk_i) begin
        passed_q <= i_ready ? 3'd0 : passed_q + 3'(pass_go);
        if (!rst_i && i_valid_q && i_store_q && i_unit_q == `UNIT_MEMORY) assert (pass == passed_q);
    end
`endif
endmodule
`default_nettype wire
