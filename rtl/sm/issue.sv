// The issue stage: guard, checks, and the choice of the unit that executes an instruction. One instruction a cycle at best.
//
// Stage D has the instruction word, the warp's predicates (predicate_file, read on the way in) and its active mask; it decodes, makes
// exec = active & guard and finds the faults PROGRAM_BOUNDS, ILLEGAL_INSTRUCTION, REGISTER_BOUNDS. Stage I hands the instruction over:
//   - a fault: to warp_faults;
//   - nothing to do (exec zero, NOP, a result that nobody keeps): the warp is ready again at once;
//   - lanes: to the sequencer (start_*), as often as passes_q has bits; operands and operation travel in the bundle op_*;
//   - memory: the same, and load_store or shared_memory is reserved in the same cycle (mem_start_o, shared_start_o); if that is not free
//     the warp is sent back (retry_o);
//   - control: to divergence_unit, or sent back if that is not free. CAL first pushes, then writes its register. RET, BRX, JMX, JCALX with a
//     register first go over the portions to collect the targets (gather), divergence_unit stays reserved for them meanwhile; JCALX then
//     writes its register for the threads that have been called (gather_group_i);
//   - SMOV, VOTE, SVLOOP_BEGIN, SVLOOP_END: scalar_unit says what they do and writes its registers in the cycle of the hand-over; those that
//     write EXEC go on to divergence_unit. They wait a cycle when R2S has the write port. R2S and SRD take the way of the lanes;
//   - BAR: the warp waits in warp_table.
// Event INSTR comes in the cycle of the hand-over, once.
`default_nettype none
`include "gen/isa.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"
`include "sm.svh"

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
    input  wire                                clk_i,
    input  wire                                rst_i,
    input  wire  [7:0]                         inject_i,
    // from fetch
    input  wire                                in_valid_i,
    output logic                               in_ready_o,
    input  wire  [WARP_W-1:0]                  in_warp_i,
    input  wire  [21:0]                        in_pc_i,
    input  wire  [SLOT_W-1:0]                  in_slot_i,
    input  wire  [63:0]                        in_word_i,
    input  wire                                in_outside_i,
    input  wire  [1:0]                         in_fault_i,
    input  wire  [31:0]                        in_addr_i,
    // predicates: read when an instruction enters stage D, valid while it stands there
    output logic                               pred_read_o,
    output logic [WARP_W-1:0]                  pred_warp_o,
    input  wire  [7*THREADS-1:0]               pred_i,
    input  wire  [6:0]                         pred_pending_i, // of pred_warp_o, in the cycle of pred_read_o
    // divergence unit's state, combinational
    output logic [WARP_W-1:0]                  active_warp_o,
    output logic                               active_used_o,  // else the debug registers may look
    input  wire  [THREADS-1:0]                 active_i,
    input  wire  [THREADS-1:0]                 inside_i,       // threads in a sub-vector sequence
    output logic [WARP_W-1:0]                  live_warp_o,
    input  wire  [THREADS-1:0]                 live_i,
    // task table and warp table
    input  wire  [TASK_SLOTS*8-1:0]            slot_registers_i,
    input  wire  [TASK_SLOTS*8-1:0]            slot_shared_rows_i,
    input  wire  [TASK_SLOTS*CHANNEL_W-1:0]    slot_channel_i,
    input  wire  [TASK_SLOTS*CONST_BANKS-1:0]    slot_const_valid_i,
    input  wire  [TASK_SLOTS*CONST_BANKS*32-1:0] slot_const_addr_i,
    input  wire  [TASK_SLOTS*CONST_BANKS*17-1:0] slot_const_size_i,
    input  wire  [WARPS*REG_W-1:0]             warp_base_i,
    output logic                               retry_o,
    output logic                               retry_memory_o,
    output logic                               retry_shared_o,
    output logic                               retry_score_o,   // something must be written first
    // scoreboard; what the warp table knows of each warp
    output logic [3:0]                         names_o,
    output logic [1:0]                         more_o,
    input  wire                                wait_i,
    output logic                               set_o,
    output logic [THREADS/LANES-1:0]           set_portions_o,
    output logic [6:0]                         set_preds_o,
    input  wire  [WARPS-1:0]                   drained_i,       // nothing is in flight
    input  wire  [WARPS-1:0]                   full_i,          // no more may be
    input  wire  [WARPS-1:0]                   faulted_i,
    output logic                               counted_o,       // the issued instruction is in flight, the warp goes on
    output logic                               issued_o,
    output logic                               instr_o,         // event INSTR: issued, or executed with a fault at once
    output logic [2:0]                         waits_for_o,     // the unit whose end the warp waits for, UNIT_NONE: it goes on
    output logic [WARP_W-1:0]                  warp_o,
    output logic [21:0]                        pc_o,
    // special registers of stage I
    output logic [7:0]                         special_number_o,
    output logic [SLOT_W-1:0]                  special_slot_o,
    input  wire  [31:0]                        special_value_i,
    // fault
    output logic                               fault_valid_o,
    input  wire                                fault_taken_i,
    output logic [7:0]                         fault_code_o,
    output logic [31:0]                        fault_info_o,
    // sequencer and lanes
    output logic                               start_valid_o,
    input  wire                                start_ready_i,
    output logic [THREADS-1:0]                 start_exec_o,
    output logic [6:0]                         op_o,
    output logic [3:0]                         op_mod_o,
    output logic [31:0]                        op_imm_o,
    output logic                               op_b_imm_o,
    output logic [2:0]                         op_zero_o,       // a, b, c read as zero
    output logic [REF_W-1:0]                   op_reg_a_o,      // in the SM's register file: see register_file
    output logic [REF_W-1:0]                   op_reg_b_o,
    output logic [REF_W-1:0]                   op_reg_c_o,
    output logic [REF_W-1:0]                   op_reg_d_o,
    output logic [7:0]                         op_rd_o,
    output logic                               op_writes_reg_o,
    output logic                               op_writes_pred_o,
    output logic [2:0]                         op_pred_o,
    output logic [2:0]                         op_pass_o,
    output logic                               op_last_pass_o,
    output logic [THREADS-1:0]                 op_p1_o,
    output logic [THREADS-1:0]                 op_p2_o,
    output logic                               op_preds_to_b_o,
    output logic [7*THREADS-1:0]               op_preds_o,
    output logic                               op_thread_id_o,
    output logic [1:0]                         op_thread_id_of_o,  // THREAD_ID_*
    output logic                               op_shuffle_o,    // pass 0: gather, pass 1: pick
    output logic                               op_to_scalar_o,
    output logic                               op_memory_o,
    output logic                               op_shared_o,
    output logic                               op_counted_o,
    output logic                               op_gather_o,
    // load_store
    input  wire                                mem_free_i,
    output logic                               mem_start_o,
    input  wire                                shared_free_i,
    input  wire                                launch_free_i,
    output logic                               launch_start_o,  // to child_launch
    output logic                               shared_start_o,
    output logic                               mem_write_o,
    output logic                               mem_atomic_o,
    output logic                               mem_constant_o,
    output logic                               mem_local_o,
    output logic [CHANNEL_W-1:0]               mem_channel_o,
    output logic                               mem_bank_valid_o,
    output logic [31:0]                        mem_bank_addr_o,
    output logic [16:0]                        mem_bank_size_o,
    // divergence unit
    input  wire                                control_free_i,
    output logic                               control_valid_o,   // only while control_free_i
    output logic                               control_reserve_o, // targets are being gathered
    output logic [7:0]                         control_op_o,
    output logic [21:0]                        control_target_o,
    output logic [THREADS-1:0]                 control_group_o,
    output logic                               control_stays_o,   // CAL goes on after the push
    input  wire                                control_done_i,
    input  wire                                control_fault_i,   // or the warp is held
    input  wire  [THREADS-1:0]                 gather_group_i,
    // scalar unit, combinational
    output logic [7:0]                         scalar_op_o,
    output logic [31:0]                        scalar_imm_o,
    output logic [THREADS-1:0]                 scalar_active_o,
    output logic [THREADS-1:0]                 scalar_exec_o,
    input  wire  [31:0]                        scalar_value_i,
    input  wire  [THREADS-1:0]                 scalar_wanted_i,
    input  wire                                scalar_taken_i,
    input  wire                                scalar_free_i,
    output logic                               scalar_go_o,
    `TRACE_INSTR_PORTS
);

    // ---- stage D ----
    logic              d_valid_q;
    logic [WARP_W-1:0] d_warp_q;
    logic [21:0]       d_pc_q;
    logic [SLOT_W-1:0] d_slot_q;
    logic [63:0]       d_word_q;
    logic              d_outside_q;
    logic [1:0]        d_fault_q;
    logic [31:0]       d_addr_q;
    logic [6:0]        d_pending_q;

    logic i_valid_q, i_done;
    wire  i_ready = !i_valid_q || i_done;
    assign in_ready_o = !d_valid_q || i_ready;
    assign pred_read_o = in_valid_i && in_ready_o;
    assign pred_warp_o = in_warp_i;
    assign active_warp_o = d_warp_q;
    assign active_used_o = d_valid_q && i_ready;

    always_ff @(posedge clk_i) begin
        if (in_ready_o) begin
            d_valid_q <= in_valid_i;
            if (in_valid_i) begin
                d_warp_q <= in_warp_i;
                d_pc_q <= in_pc_i;
                d_slot_q <= in_slot_i;
                d_word_q <= in_word_i;
                d_outside_q <= in_outside_i;
                d_fault_q <= in_fault_i;
                d_addr_q <= in_addr_i;
                d_pending_q <= pred_pending_i;
            end
        end
        if (rst_i) d_valid_q <= 1'b0;
    end

    logic        illegal, bad_register, b_is_imm, uses_a, writes_reg, writes_pred, is_special, thread_id, preds_to_b, call;
    logic        memory_write, memory_atomic, memory_constant, memory_local, memory_shared, launch, uniform, scalar, scalar_read, to_scalar, shuffle;
    logic [2:0]  unit, pred;
    logic [6:0]  op, passes;
    logic [31:0] imm;
    logic [7:0]  reg_a, reg_b, reg_c;
    logic [3:0]  p1, p2;
    logic [21:0] target;
    logic [3:0]  names;
    logic [1:0]  more;
    logic [6:0]  preds_named;
    logic        alone;

    // Shared registers: only by threads of one portion that are in a sequence.
    wire [7:0] registers = slot_registers_i[32'(d_slot_q)*8 +: 8];
    wire [7:0] shared_rows = slot_shared_rows_i[32'(d_slot_q)*8 +: 8];
    wire [7:0] privates = registers - shared_rows;
    logic [P-1:0] portions_active;
    for (genvar p = 0; p < P; p++) begin : gen_portion
        assign portions_active[p] = |active_i[p*LANES +: LANES];
    end
    wire shared_use = (active_i & ~inside_i) == '0 && (portions_active & (portions_active - P'(1))) == '0;

    decode u_decode (
        .word_i(d_word_q), .registers_i(registers), .privates_i(privates), .shared_use_i(shared_use), .illegal_o(illegal), .bad_register_o(bad_register),
        .unit_o(unit), .op_o(op), .imm_o(imm), .b_is_imm_o(b_is_imm), .uses_a_o(uses_a), .reg_a_o(reg_a), .reg_b_o(reg_b), .reg_c_o(reg_c),
        .writes_reg_o(writes_reg), .writes_pred_o(writes_pred), .pred_o(pred), .passes_o(passes), .p1_o(p1), .p2_o(p2),
        .special_o(is_special), .thread_id_o(thread_id), .preds_to_b_o(preds_to_b), .call_o(call), .memory_write_o(memory_write),
        .memory_atomic_o(memory_atomic), .memory_constant_o(memory_constant), .memory_local_o(memory_local), .memory_shared_o(memory_shared), .launch_o(launch), .scalar_o(scalar),
        .scalar_read_o(scalar_read), .to_scalar_o(to_scalar), .shuffle_o(shuffle), .uniform_o(uniform), .names_o(names), .more_o(more), .preds_o(preds_named), .alone_o(alone), .pc_next_i(d_pc_q + 22'd1),
        .target_o(target)
    );

    // A predicate of all threads; number 7 is PT.
    wire [8*THREADS-1:0] preds = {{THREADS{1'b1}}, pred_i};
    wire [THREADS-1:0] guard = preds[32'(d_word_q[10:8])*THREADS +: THREADS] ^ {THREADS{d_word_q[11]}};
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
        end else if (d_fault_q != 2'd0) begin
            fault = (d_fault_q == 2'd1) ? `FAULT_MEMORY_BOUNDS : `FAULT_BUS_ERROR;
            fault_info = d_addr_q;
        end else if (illegal) fault = `FAULT_ILLEGAL_INSTRUCTION;
        else if (bad_register) fault = `FAULT_REGISTER_BOUNDS;
    end

    // Without a thread to execute it an instruction does nothing, except what the warp does once (that is left out only by an SMOV whose
    // guard holds for none of several active threads), and an SVSTART without an active thread, which goes to its label.
    wire once = (scalar && (active_i == '0 || (d_word_q[7:0] != `OP_SMOV && d_word_q[7:0] != `OP_SMOV_I))) ||
                (d_word_q[7:0] == `OP_SVSTART && active_i == '0);
    // In a sequence with shared registers a YIELD does nothing: they are one portion's until it has come to its end.
    wire keeps = d_word_q[7:0] == `OP_YIELD && shared_rows != 8'd0 && (exec & inside_i) != '0;
    wire idle = (exec == '0 && !once) || keeps || passes == 7'd0 || (unit == `UNIT_LANES && !writes_reg && !writes_pred && !to_scalar);

    // The predicates as they were read lack what was pending then.
    wire [6:0] guard_bit = 7'd1 << d_word_q[10:8];  // none for PT
    wire pred_wait = (d_pending_q & (preds_named | guard_bit)) != 7'd0 && !(INJECT != 0 && inject_i == 8'd18);

    // ---- stage I ----
    logic [WARP_W-1:0]    warp_q;
    logic [21:0]          pc_q, target_q;
    logic [SLOT_W-1:0]    slot_q;
    logic [63:0]          word_q;
    logic [THREADS-1:0]   active_q, exec_q, p1_q, p2_q;
    logic [7*THREADS-1:0] preds_q;
    logic [7:0]           fault_q, reg_a_q, reg_b_q, reg_c_q, privates_q;
    logic [31:0]          fault_info_q, imm_q;
    logic [2:0]           unit_q, pred_q;
    logic [6:0]           op_q, passes_q;
    logic                 b_is_imm_q, uses_a_q, writes_reg_q, writes_pred_q, special_q, thread_id_q, preds_to_b_q, call_q;
    logic                 memory_write_q, memory_atomic_q, memory_constant_q, memory_local_q, memory_shared_q, launch_q, uniform_q, scalar_q, scalar_read_q, to_scalar_q, shuffle_q;
    logic                 pred_wait_q, alone_q;
    logic [3:0]           names_q;
    logic [1:0]           more_q;
    logic                 nested_q;   // SVSTART by threads in a sequence
    logic                 started_q;  // handed over, more passes to come
    logic                 pushed_q;   // CAL: the token is pushed
    logic                 calling_q;  // CAL: divergence_unit is at work

    logic first_go, pass_go, push_go;

    always_ff @(posedge clk_i) begin
        if (i_ready) begin
            i_valid_q <= d_valid_q;
            started_q <= 1'b0;
            pushed_q <= 1'b0;
            if (d_valid_q) begin
                warp_q <= d_warp_q;
                pc_q <= d_pc_q;
                slot_q <= d_slot_q;
                word_q <= d_word_q;
                active_q <= active_i;
                exec_q <= exec;
                p1_q <= preds[32'(p1[2:0])*THREADS +: THREADS] ^ {THREADS{p1[3]}};
                p2_q <= preds[32'(p2[2:0])*THREADS +: THREADS] ^ {THREADS{p2[3]}};
                if (preds_to_b) preds_q <= pred_i;
                fault_q <= fault;
                fault_info_q <= fault_info;
                unit_q <= idle ? `UNIT_NONE : unit;
                op_q <= op;
                imm_q <= imm;
                b_is_imm_q <= b_is_imm;
                uses_a_q <= uses_a;
                reg_a_q <= reg_a;
                reg_b_q <= reg_b;
                reg_c_q <= reg_c;
                privates_q <= privates;
                writes_reg_q <= writes_reg;
                writes_pred_q <= writes_pred;
                pred_q <= pred;
                passes_q <= passes;
                special_q <= is_special;
                thread_id_q <= thread_id;
                preds_to_b_q <= preds_to_b;
                call_q <= call;
                memory_write_q <= memory_write;
                memory_atomic_q <= memory_atomic;
                memory_constant_q <= memory_constant;
                memory_local_q <= memory_local;
                memory_shared_q <= memory_shared;
                launch_q <= launch;
                uniform_q <= uniform;
                scalar_q <= scalar;
                scalar_read_q <= scalar_read;
                to_scalar_q <= to_scalar;
                shuffle_q <= shuffle;
                pred_wait_q <= pred_wait;
                alone_q <= alone;
                names_q <= names;
                more_q <= more;
                nested_q <= d_word_q[7:0] == `OP_SVSTART && (exec & inside_i) != '0;
                target_q <= target;
            end
        end else begin
            if (pass_go) begin
                started_q <= 1'b1;
                passes_q <= passes_q & (passes_q - 7'd1);
            end
            if (push_go) calling_q <= 1'b1;
            if (calling_q && control_done_i) begin
                calling_q <= 1'b0;
                pushed_q <= !control_fault_i;
            end
        end
        if (rst_i) begin
            i_valid_q <= 1'b0;
            calling_q <= 1'b0;
        end else if (calling_q && control_done_i) calling_q <= 1'b0;
    end

    // Faults that the instruction's words do not show: they come after INSTR.
    wire not_uniform = (uniform_q && unit_q == `UNIT_CONTROL && exec_q != active_q) || nested_q;
    wire diverged = unit_q == `UNIT_BARRIER && exec_q != live_i;
    wire late_fault = not_uniform || diverged;
    assign live_warp_o = warp_q;

    // What the instruction must wait for before it begins: the warp is sent back. One that faults, or may end or stop its warp, waits for
    // all that is in flight; nothing of a warp that has faulted begins.
    wire begun = started_q || calling_q || pushed_q;
    wire found_fault = fault_q != `FAULT_NONE || late_fault;
    wire needs_all = found_fault || (alone_q && (unit_q != `UNIT_NONE || exec_q != '0)) || (unit_q == `UNIT_CONTROL && exec_q != active_q);
    wire hazard = i_valid_q && !begun &&
                  (faulted_i[warp_q] || (needs_all && !drained_i[warp_q]) ||
                   (fault_q == `FAULT_NONE && (pred_wait_q || full_i[warp_q] || (unit_q != `UNIT_NONE && wait_i))));
    assign names_o = names_q;
    assign more_o = more_q;

    assign fault_valid_o = i_valid_q && found_fault && !hazard;
    assign fault_code_o = (fault_q != `FAULT_NONE) ? fault_q : diverged ? `FAULT_BARRIER_DIVERGED : `FAULT_ILLEGAL_INSTRUCTION;
    assign fault_info_o = (fault_q != `FAULT_NONE) ? fault_info_q : diverged ? active_q[31:0] : word_q[31:0];

    wire work = i_valid_q && !found_fault && !hazard;
    wire gathers = unit_q == `UNIT_CONTROL && uses_a_q && reg_a_q != 8'd255;      // RET, BRX, JMX, JCALX
    wire gather = gathers && !started_q;
    wire call_writes = unit_q == `UNIT_CONTROL && call_q && writes_reg_q;
    wire last_pass = (passes_q & (passes_q - 7'd1)) == 7'd0;

    wire unit_free = launch_q ? launch_free_i : memory_shared_q ? shared_free_i : mem_free_i;
    wire portions = unit_q == `UNIT_LANES || (unit_q == `UNIT_MEMORY && (started_q || unit_free)) || (gather && control_free_i) ||
                    (call_writes && pushed_q);
    assign start_valid_o = work && portions;
    assign pass_go = start_valid_o && start_ready_i;
    assign control_valid_o = work && unit_q == `UNIT_CONTROL && !gathers && control_free_i && !calling_q && !pushed_q &&
                             (!scalar_q || scalar_free_i);
    assign control_reserve_o = pass_go && gather;
    assign push_go = (control_valid_o || control_reserve_o) && call_writes;
    assign control_stays_o = calling_q;
    assign control_op_o = word_q[7:0];
    assign control_target_o = (!scalar_q || scalar_taken_i) ? target_q : pc_q + 22'd1;
    assign control_group_o = scalar_q ? scalar_wanted_i : start_exec_o;
    wire scalar_go = work && unit_q == `UNIT_SCALAR && scalar_free_i;
    assign scalar_go_o = scalar_go || (control_valid_o && scalar_q);
    assign scalar_op_o = word_q[7:0];
    assign scalar_imm_o = word_q[63:32];
    assign scalar_active_o = active_q;
    assign scalar_exec_o = exec_q;

    assign retry_score_o = hazard;
    assign retry_o = hazard || (work && !begun && ((unit_q == `UNIT_MEMORY && !unit_free) || (unit_q == `UNIT_CONTROL && !control_free_i)));
    assign retry_memory_o = unit_q == `UNIT_MEMORY && !memory_shared_q && !launch_q;
    assign retry_shared_o = unit_q == `UNIT_MEMORY && memory_shared_q;

    // The first hand-over: event INSTR.
    assign first_go = work && !retry_o && !started_q && !calling_q && !pushed_q &&
                      (unit_q == `UNIT_NONE || unit_q == `UNIT_BARRIER || scalar_go || pass_go || control_valid_o);
    assign issued_o = first_go;
    // Lanes and memory: the warp goes on. R2S, LAUNCH and the write of a call's register end before it does.
    wire goes_on = (unit_q == `UNIT_LANES && !to_scalar_q) || (unit_q == `UNIT_MEMORY && !launch_q);
    assign counted_o = first_go && goes_on;
    assign waits_for_o = (unit_q == `UNIT_SCALAR || goes_on) ? `UNIT_NONE : unit_q;
    assign op_counted_o = goes_on;
    assign op_shared_o = memory_shared_q;

    wire [THREADS-1:0] set_exec = shuffle_q ? exec_q : start_exec_o;
    always_comb for (int p = 0; p < THREADS / LANES; p++) set_portions_o[p] = set_exec[p*LANES +: LANES] != '0;
    assign set_o = counted_o && (unit_q == `UNIT_MEMORY ? !memory_write_q && word_q[19:12] != 8'd255 : writes_reg_q);
    assign set_preds_o = (!counted_o || unit_q == `UNIT_MEMORY || !writes_pred_q) ? 7'd0 : (op_q == 7'(`OP_R2P)) ? passes_q : 7'd1 << pred_q;

    always_comb begin
        if (fault_valid_o) i_done = fault_taken_i;
        else if (retry_o || unit_q == `UNIT_NONE || unit_q == `UNIT_BARRIER) i_done = 1'b1;
        else if (unit_q == `UNIT_SCALAR) i_done = scalar_go;
        else if (call_writes) i_done = pushed_q ? pass_go : (calling_q && control_done_i && control_fault_i);
        else if (unit_q == `UNIT_CONTROL && !gathers) i_done = control_valid_o;
        else i_done = pass_go && last_pass;
    end

    assign warp_o = warp_q;
    assign pc_o = pc_q;
    assign special_number_o = imm_q[7:0];
    assign special_slot_o = slot_q;

    // ---- to the lanes ----
    wire [REG_W-1:0] base = warp_base_i[32'(warp_q)*REG_W +: REG_W];
    logic [2:0] pass;
    always_comb begin
        pass = 3'd0;
        for (int i = 6; i >= 0; i--) if (passes_q[i]) pass = 3'(i);
    end
    wire [THREADS-1:0] exec_without_last = exec_q & ({THREADS{1'b1}} >> LANES);

    wire [THREADS-1:0] call_exec = pushed_q && gathers ? gather_group_i : exec_q;
    always_comb begin
        start_exec_o = (INJECT != 0 && inject_i == 8'd4 && exec_without_last != '0) ? exec_without_last : call_exec;
        if (to_scalar_q) start_exec_o = exec_q & (~exec_q + THREADS'(1));  // the lowest thread
        if (shuffle_q && !started_q) start_exec_o = '1;                    // every register is read, whoever is active
    end
    assign op_o = op_q;
    assign op_mod_o = word_q[31:28];
    assign op_imm_o = call_q ? {10'd0, pc_q + 22'd1} : special_q ? special_value_i :
                      scalar_read_q ? scalar_value_i : imm_q;
    assign op_b_imm_o = b_is_imm_q;
    assign op_zero_o = {reg_c_q == 8'd255, reg_b_q == 8'd255, !uses_a_q || reg_a_q == 8'd255};
    // Private: {0, register}; shared: {1, row}.
    function automatic [REF_W-1:0] place(input [REG_W-1:0] at, input [7:0] count, input [7:0] register);
        if (register < count) place = REF_W'(32'(at) + 32'(register));
        else place = {1'b1, (REF_W-1)'((32'(at) + 32'(count)) * P + 32'(register) - 32'(count))};
    endfunction
    assign op_reg_a_o = place(base, privates_q, reg_a_q);
    assign op_reg_b_o = place(base, privates_q, reg_b_q);
    assign op_reg_c_o = place(base, privates_q, reg_c_q) + (memory_write_q ? REF_W'(pass) : '0);
    assign op_reg_d_o = place(base, privates_q, word_q[19:12]);
    assign op_rd_o = word_q[19:12];
    assign op_writes_reg_o = writes_reg_q && !(shuffle_q && !started_q);
    assign op_shuffle_o = shuffle_q;
    assign op_to_scalar_o = to_scalar_q;
    assign op_writes_pred_o = writes_pred_q;
    assign op_pred_o = (op_q == 7'(`OP_R2P)) ? pass : pred_q;
    assign op_pass_o = pass;
    assign op_last_pass_o = last_pass;
    assign op_p1_o = p1_q;
    assign op_p2_o = p2_q;
    assign op_preds_to_b_o = preds_to_b_q;
    assign op_preds_o = preds_q;
    assign op_thread_id_o = thread_id_q;
    assign op_thread_id_of_o = (imm_q[7:0] == `SR_LANEID) ? `THREAD_ID_LANE : imm_q[1:0];
    assign op_memory_o = unit_q == `UNIT_MEMORY;
    assign op_gather_o = gather;

    // ---- to load_store and shared_memory ----
    wire [3:0] bank = word_q[51:48];
    wire       bank_exists = 32'(bank) < CONST_BANKS;
    wire [31:0] bank_index = 32'(slot_q) * CONST_BANKS + (bank_exists ? 32'(bank) : 32'd0);
    assign mem_start_o = pass_go && unit_q == `UNIT_MEMORY && !started_q && !memory_shared_q && !launch_q;
    assign launch_start_o = pass_go && unit_q == `UNIT_MEMORY && !started_q && launch_q;
    assign shared_start_o = pass_go && unit_q == `UNIT_MEMORY && !started_q && memory_shared_q;
    assign mem_write_o = memory_write_q;
    assign mem_atomic_o = memory_atomic_q;
    assign mem_constant_o = memory_constant_q;
    assign mem_local_o = memory_local_q;
    assign mem_channel_o = slot_channel_i[32'(slot_q)*CHANNEL_W +: CHANNEL_W];
    assign mem_bank_valid_o = bank_exists && slot_const_valid_i[bank_index];
    assign mem_bank_addr_o = slot_const_addr_i[bank_index*32 +: 32] + ((INJECT != 0 && inject_i == 8'd9) ? 32'd4 : 32'd0);
    assign mem_bank_size_o = slot_const_size_i[bank_index*17 +: 17];

    assign instr_o = first_go || (i_valid_q && fault_q == `FAULT_NONE && late_fault && fault_taken_i);
    assign trace_instr_valid_o = instr_o;
    assign trace_instr_warp_o = 8'(warp_q);
    assign trace_instr_pc_o = {10'd0, pc_q};
    assign trace_instr_word_o = word_q;
    assign trace_instr_active_o = 64'(active_q);
    assign trace_instr_exec_o = 64'(exec_q);

endmodule
`default_nettype wire
