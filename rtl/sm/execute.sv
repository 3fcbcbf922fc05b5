// From the sequencer to the write-back: portions of instructions go through the register file and the lanes, one a cycle.
//
//   R   the sequencer shows a portion; register file and thread ids are read
//   X   operands are chosen (immediate, predicates, thread ids, a register) and registered
//   L1  the lanes start; memory instructions leave here to load_store (mem_*); targets of RET are gathered
//   L2  predicates are written (event PWB); the row that will be written is told (row_*): it may be read from stage R in two cycles on
//   L3  the row is announced to the register file
//   W   the row is written (event WB)
//
// A row of a memory unit (wb_*) is taken beside stage L1 and goes through M2 (told: loaded_*), M3 and MW beside L2, L3 and W, if it is not of the
// half of the register file that the row in L1 will be written to.
//
// The operation is taken with run_valid_i & run_ready_o and holds for all portions of exec. lanes_done_waited_o, lanes_done_counted_o come in stage
// X of the last portion: what the scheduler picks then reads predicates and registers late enough to see this instruction's writes.
// Throughput: one portion a cycle, operations without a gap. Latency: R of the first portion in the cycle after the operation is taken.
// What lane_special does: SPECIALS units do it for all lanes. Where these are fewer, a portion stays in L1 for LANES / SPECIALS
// cycles and one more, its lanes one group after the other; L2 begins in the last of them, and the operation is done as long before W as any other.
// Registers that are to be forgotten (clear_*) wait while anything is written. What waits, these or a row of a memory unit, holds back portions in R
// from its 16th cycle on, until it goes.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/trace.svh"

module execute #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int VGPR_ROWS = 1024,
    parameter int SPECIALS = 8,
    parameter int INJECT = 0,
    localparam int P = THREADS / LANES,
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int REG_W = $clog2(VGPR_ROWS / P),
    localparam int REF_W = REG_W + $clog2(THREADS / LANES) + 1,
    localparam int TID_W = $clog2(WARPS * THREADS)
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    input  wire  [7:0]           inject_i,
    `OPERATION_IN(run),
    // P2R: predicates of a portion, in the same cycle
    output logic [WARP_W-1:0]    preds_warp_o,
    output logic [PORTION_W-1:0] preds_portion_o,
    input  wire  [7*LANES-1:0]   preds_i,
    `LANES_DONE_OUT(lanes_done),
    // gathered targets of RET, BRX, JMX, JCALX
    output logic                 gather_done_o,
    output logic [21:0]          gather_target_o,  // of the lowest thread
    output logic [THREADS-1:0]   gather_group_o,   // threads with the same
    // R2S: the value of its only thread, in stage L1
    `SCALAR_WRITE_OUT(scalar),
    // to the memory unit that is reserved for the instruction
    output logic                 mem_valid_o,
    output logic [WARP_W-1:0]    mem_warp_o,
    output logic                 mem_shared_o,
    output logic                 mem_generic_o,    // to load_store and shared_memory
    `OPERANDS_OUT(mem),
    // from the memory units: a row to write
    `ROW_IN(wb),
    // what is written, by the lanes and by memory units
    `WRITTEN_OUT(row),
    `WRITTEN_OUT(loaded),
    `PRED_WRITE_OUT(pred_write),
    // launching
    `CLEAR_IN(clear),
    `TID_WRITE_IN(tid),
    `TRACE_WB_PORTS,
    `TRACE_PWB_PORTS
);
    localparam int LANE_W = $clog2(LANES);

    // ---- R: portions of the operation ----
    `OPERATION_KEPT_REG(r);
    always_ff @(posedge clk_i) if (run_valid_i && run_ready_o) `OPERATION_KEPT_PACK_Q(r) <= `OPERATION_KEPT_PACK_I(run);

    logic                 r_valid, r_ready, r_last;
    logic [PORTION_W-1:0] r_portion;
    logic [LANES-1:0]     r_lanes;

    sequencer #(.THREADS(THREADS), .LANES(LANES)) u_sequencer (
        .clk_i, .rst_i, .clear_i(1'b0), .start_valid_i(run_valid_i), .start_ready_o(run_ready_o), .start_exec_i(run_exec_i),
        .portion_valid_o(r_valid), .portion_ready_i(r_ready), .portion_o(r_portion), .portion_lanes_o(r_lanes), .portion_last_o(r_last)
    );
    wire r_go = r_valid && r_ready;
    assign preds_warp_o = r_warp_q;
    assign preds_portion_o = r_portion;

    // Operations of lane_special, where lanes share it.
    localparam int TURNS = LANES / SPECIALS;
    localparam int TURN_W = $clog2(TURNS + 1);
    localparam int SHARED = (TURNS > 1) ? 1 : 0;
    localparam int GROUP_W = (TURNS > 1) ? $clog2(TURNS) : 1;
    // picks: the second pass of SHFL; rotates: ra and rc are one register.
    function automatic is_special(input [6:0] op, input picks, input rotates);
        is_special = SHARED != 0 && (picks || op == 7'(`OP_FRCP) || op == 7'(`OP_FRSQ) || op == 7'(`OP_FEX2) || op == 7'(`OP_FLG2) ||
                                op == 7'(`OP_F2I) || op == 7'(`OP_I2F) || op == 7'(`OP_FRND) || op == 7'(`OP_PRMT) || op == 7'(`OP_POPC) ||
                                op == 7'(`OP_CLZ) || op == 7'(`OP_BREV) || op == 7'(`OP_UBFE) || op == 7'(`OP_IBFE) || op == 7'(`OP_BFI) ||
                                ((op == 7'(`OP_FSHL) || op == 7'(`OP_FSHR)) && !rotates));
    endfunction
    wire r_rotates = r_reg_a_q == r_reg_c_q && r_zero_q[0] == r_zero_q[2];
    logic [TURN_W-1:0] hold_q;  // cycles until the next portion may go
    always_ff @(posedge clk_i) begin
        if (r_go && is_special(r_op_q, r_shuffle_q && r_pass_q != 3'd0, r_rotates)) hold_q <= TURN_W'(TURNS);
        else if (hold_q != '0) hold_q <= hold_q - TURN_W'(1);
        if (rst_i) hold_q <= '0;
    end

    logic [LANES*32-1:0]      file_a, file_b, file_c;
    wire  [2:0]               r_zeros = r_zero_q | {1'b0, r_thread_id_q || r_preds_to_b_q || r_b_imm_q, 1'b0};  // of what is not read
    logic [LANES*3*TID_W-1:0] ids;

    thread_ids #(.THREADS(THREADS), .LANES(LANES), .WARPS(WARPS)) u_thread_ids (
        .clk_i, `TID_WRITE_PASS_IN(write, tid), .read_i(r_go && r_thread_id_q), .read_warp_i(r_warp_q), .read_portion_i(r_portion), .read_o(ids)
    );

    // ---- X: operands ----
    logic               x_valid_q, x_counted_q;
    `PORTION_REG(x);
    logic [LANES-1:0]   x_p1_q, x_p2_q;
    logic               x_rotates_q;
    logic [31:0]        x_imm_q, x_b_value_q;  // as it is, and as operand B
    logic               x_b_imm_q, x_preds_to_b_q, x_thread_id_q;
    logic [1:0]         x_thread_id_of_q;
    logic [7*LANES-1:0] x_preds_q;

    always_ff @(posedge clk_i) begin
        x_valid_q <= r_go && !rst_i;
        if (r_go) begin
            x_warp_q <= r_warp_q;
            x_portion_q <= r_portion;
            x_lanes_q <= r_lanes;
            x_op_q <= r_op_q;
            x_mod_q <= r_mod_q;
            x_rd_q <= r_rd_q;
            x_reg_d_q <= r_reg_d_q;
            x_pred_q <= r_pred_q;
            x_pass_q <= r_pass_q;
            x_last_q <= r_last && r_last_pass_q;
            x_writes_reg_q <= r_writes_reg_q && !r_gather_q && !r_memory_q;
            x_writes_pred_q <= r_writes_pred_q;
            x_memory_q <= r_memory_q;
            x_shared_q <= r_shared_q;
            x_generic_q <= r_generic_q;
            x_gather_q <= r_gather_q;
            x_shuffle_q <= r_shuffle_q;
            x_to_scalar_q <= r_to_scalar_q;
            x_counted_q <= r_counted_q;
            x_p1_q <= r_p1_q[32'(r_portion)*LANES +: LANES];
            x_p2_q <= r_p2_q[32'(r_portion)*LANES +: LANES];
            x_rotates_q <= r_rotates;
            x_imm_q <= r_imm_q;
            x_b_imm_q <= r_b_imm_q;
            x_b_value_q <= r_b_imm_q ? r_imm_q : 32'd0;
            x_preds_to_b_q <= r_preds_to_b_q;
            x_thread_id_q <= r_thread_id_q;
            x_thread_id_of_q <= r_thread_id_of_q;
            if (r_preds_to_b_q) x_preds_q <= preds_i;
        end
    end

    wire x_special = is_special(x_op_q, x_shuffle_q && x_pass_q != 3'd0, x_rotates_q);
    wire x_done = x_valid_q && x_last_q && !x_memory_q && !x_gather_q && !x_special;
    wire special_done;  // never in the cycle of the other
    assign lanes_done_waited_o = (x_done && !x_counted_q) || (special_done && !l1_counted_q);
    assign lanes_done_counted_o = (x_done && x_counted_q) || (special_done && l1_counted_q);
    assign lanes_done_warp_o = special_done ? l1_warp_q : x_warp_q;

    logic                l1_valid_q, l1_counted_q, l1_special_q, l1_rotates_q;
    `PORTION_REG(l1);
    logic [LANES*32-1:0] l1_a_q, l1_b_q, l1_c_q;
    logic [LANES*2-1:0]  l1_p_q;
    logic [31:0]         l1_offset_q;  // of an access

    // B is one of these: a thread's number or its predicates, which are few bits, the immediate, a register; the others are zero.
    localparam int SMALL_W = (TID_W > 7) ? TID_W : 7;
    logic [LANES*SMALL_W-1:0] x_small;
    always_comb begin
        x_small = '0;
        for (int l = 0; l < LANES; l++)
            if (x_thread_id_q)
                case (x_thread_id_of_q)
                    `THREAD_ID_LANE: x_small[l*SMALL_W +: SMALL_W] = SMALL_W'(32'(x_portion_q) * LANES + 32'(l));
                    2'd0: x_small[l*SMALL_W +: SMALL_W] = SMALL_W'(ids[l*3*TID_W +: TID_W]);
                    2'd1: x_small[l*SMALL_W +: SMALL_W] = SMALL_W'(ids[l*3*TID_W+TID_W +: TID_W]);
                    default: x_small[l*SMALL_W +: SMALL_W] = SMALL_W'(ids[l*3*TID_W+2*TID_W +: TID_W]);
                endcase
            else if (x_preds_to_b_q) for (int k = 0; k < 7; k++) x_small[l*SMALL_W + k] = x_preds_q[k*LANES + l];
    end
    logic [LANES*32-1:0] b_else;
    always_comb for (int l = 0; l < LANES; l++) b_else[l*32 +: 32] = 32'(x_small[l*SMALL_W +: SMALL_W]) | x_b_value_q;

    // Lanes stand still most of the time.
    wire lanes_clk;
    clock_gate #(.AFTER(TURNS + 6)) u_clock_gate (.clk_i, .enable_i(x_valid_q || rst_i), .clk_o(lanes_clk));

    always_ff @(posedge lanes_clk) begin
        l1_valid_q <= x_valid_q && !rst_i;
        if (x_valid_q) begin
            `PORTION_PACK_Q(l1) <= `PORTION_PACK_Q(x);
            l1_counted_q <= x_counted_q;
            l1_special_q <= x_special;
            l1_rotates_q <= x_rotates_q;
            l1_offset_q <= (x_op_q == 7'(`OP_LAUNCH) && !x_b_imm_q) ? 32'd0 : x_imm_q;
            l1_a_q <= file_a;
            l1_c_q <= file_c;
            l1_b_q <= file_b;
            for (int l = 0; l < LANES; l++)
                l1_p_q[l*2 +: 2] <= {x_p2_q[l], (x_op_q == 7'(`OP_R2P)) ? file_a[l*32 + 32'(x_pass_q)] : x_p1_q[l]};
        end
    end

    // ---- L1: lanes, and the portions that leave to load_store or to the divergence unit ----
    assign mem_valid_o = l1_valid_q && l1_memory_q;
    assign mem_warp_o = l1_warp_q;
    assign mem_portion_o = l1_portion_q;
    assign mem_lanes_o = l1_lanes_q;
    assign mem_pass_o = l1_pass_q;
    assign mem_last_o = l1_last_q;
    assign mem_shared_o = l1_shared_q;
    assign mem_generic_o = l1_generic_q;
    always_comb for (int l = 0; l < LANES; l++) mem_a_o[l*32 +: 32] = l1_a_q[l*32 +: 32] + l1_offset_q;
    assign mem_b_o = l1_b_q;
    assign mem_c_o = l1_c_q;

    // What A the portion's lowest thread has; R2S comes with one thread.
    logic [LANE_W-1:0] first_lane;
    always_comb begin
        first_lane = '0;
        for (int l = LANES - 1; l >= 0; l--) if (l1_lanes_q[l]) first_lane = LANE_W'(l);
    end
    // One choice of a lane for that and for a single unit that the lanes share, which has the portion for itself.
    logic [LANE_W-1:0] special_lane;
    wire  [LANE_W-1:0] chosen_lane = (SPECIALS == 1 && l1_special_q) ? special_lane : first_lane;
    wire  [31:0]       first_a = l1_a_q[32'(chosen_lane)*32 +: 32];

    logic               gather_some_q;  // the lowest thread has been met
    logic [21:0]        gather_target, gather_target_q;
    logic [THREADS-1:0] gather_group, gather_group_q;
    always_comb begin
        gather_target = gather_target_q;
        gather_group = gather_some_q ? gather_group_q : '0;
        if (l1_valid_q && l1_gather_q) begin
            if (!gather_some_q) gather_target = first_a[21:0];
            for (int l = 0; l < LANES; l++)
                for (int p = 0; p < P; p++)
                    if (l1_lanes_q[l] && l1_a_q[l*32 +: 22] == gather_target && l1_portion_q == PORTION_W'(p)) gather_group[p*LANES + l] = 1'b1;
        end
    end
    always_ff @(posedge clk_i) begin
        gather_done_o <= l1_valid_q && l1_gather_q && l1_last_q && !rst_i;
        if (l1_valid_q && l1_gather_q) begin
            gather_target_q <= gather_target;
            gather_group_q <= gather_group;
            gather_some_q <= !l1_last_q;
        end
        if (rst_i) gather_some_q <= 1'b0;
    end
    assign gather_target_o = gather_target_q;
    assign gather_group_o = gather_group_q;

    // SHFL: in its first pass all threads' values are gathered, in its second each lane takes the one that B names. Each column of them, a
    // lane's values of all portions, is a RAM that every lane reads, or every unit of lane_special where lanes share these.
    localparam int THREAD_W = $clog2(THREADS);
    wire                        gather_value = l1_valid_q && l1_shuffle_q && l1_pass_q == 3'd0;
    localparam int READERS = (SHARED != 0) ? SPECIALS : LANES;
    logic [READERS*THREAD_W-1:0] wanted;    // thread
    logic [READERS*32-1:0]       picked;    // its value
    logic [LANES*READERS*32-1:0] columns;  // of column c for reader r: at (c * READERS + r) * 32

    for (genvar c = 0; c < LANES; c++) begin : g_column
        logic [31:0] gathered_q [P];
        logic [READERS*32-1:0] column;
        always_ff @(posedge lanes_clk) if (gather_value) gathered_q[l1_portion_q] <= l1_a_q[c*32 +: 32];
        always_comb begin
            column = '0;
            if (SHARED != 0 || l1_shuffle_q)
                for (int r = 0; r < READERS; r++) column[r*32 +: 32] = gathered_q[PORTION_W'(32'(wanted[r*THREAD_W +: THREAD_W]) / LANES)];
        end
        assign columns[c*READERS*32 +: READERS*32] = column;
    end

    always_comb for (int r = 0; r < READERS; r++) picked[r*32 +: 32] = columns[(32'(wanted[r*THREAD_W +: LANE_W])*READERS + r)*32 +: 32];

    logic [LANES*32-1:0] lane_b;
    if (SHARED != 0) begin : g_shared
        assign lane_b = l1_b_q;
    end else begin : g_each
        assign lane_b = l1_shuffle_q ? picked : l1_b_q;
        always_comb for (int l = 0; l < LANES; l++) wanted[l*THREAD_W +: THREAD_W] = l1_b_q[l*32 +: THREAD_W];
    end
    wire [6:0] lane_op = l1_shuffle_q ? 7'(`OP_MOV) : l1_op_q;

    assign scalar_valid_o = l1_valid_q && l1_to_scalar_q;
    assign scalar_warp_o = l1_warp_q;
    assign scalar_rd_o = {l1_rd_q[7], l1_rd_q[3:0]};
    assign scalar_data_o = first_a;

    wire l1_lanes_work = l1_valid_q && !l1_memory_q && !l1_gather_q && !l1_special_q;
    logic [LANES*32-1:0] result;
    logic [LANES-1:0]    result_pred;

    // Shared units: group g of the lanes, lanes g * SPECIALS and on, in turn g; the row is begun in the turn after the last group.
    logic                   special_row;
    logic [LANES-1:0]       special_taken;   // a lane's result is there
    logic [SPECIALS*32-1:0] special_result;
    if (SHARED != 0) begin : g_special
        logic [TURN_W-1:0] turn_q;
        wire  begins = l1_valid_q && l1_special_q;
        wire  works = begins || (turn_q != '0 && turn_q != TURN_W'(TURNS));
        logic [TURNS-1:0]  turn_1_q, turn_2_q, turn_3_q;  // whose results stand in t + 3
        wire [GROUP_W-1:0] group = GROUP_W'(turn_q);
        assign special_lane = LANE_W'(32'(group) * SPECIALS);
        always_ff @(posedge lanes_clk) begin
            if (begins) turn_q <= TURN_W'(1);
            else if (turn_q != '0) turn_q <= (turn_q == TURN_W'(TURNS)) ? '0 : turn_q + TURN_W'(1);
            turn_1_q <= works ? TURNS'(1) << turn_q : '0;
            turn_2_q <= turn_1_q;
            turn_3_q <= turn_2_q;
            if (rst_i) begin
                turn_q <= '0;
                turn_1_q <= '0;
                turn_2_q <= '0;
                turn_3_q <= '0;
            end
        end
        assign special_row = turn_q == TURN_W'(TURNS);
        assign special_done = turn_q == TURN_W'(TURNS - 1) && l1_last_q;
        for (genvar u = 0; u < SPECIALS; u++) begin : g_unit
            logic [31:0] operand_a, operand_b, operand_c;
            always_comb begin
                operand_a = l1_shuffle_q ? picked[u*32 +: 32] : (SPECIALS == 1) ? first_a : l1_a_q[(32'(group)*SPECIALS + u)*32 +: 32];
                operand_b = l1_b_q[(32'(group)*SPECIALS + u)*32 +: 32];
                operand_c = l1_c_q[(32'(group)*SPECIALS + u)*32 +: 32];
            end
            assign wanted[u*THREAD_W +: THREAD_W] = operand_b[THREAD_W-1:0];
            lane_special u_lane_special (
                .clk_i(lanes_clk), .start_i(works), .op_i(lane_op), .mod_i(l1_mod_q[2:0]), .a_i(operand_a), .b_i(operand_b), .c_i(operand_c),
                .result_o(special_result[u*32 +: 32])
            );
            for (genvar g = 0; g < TURNS; g++) begin : g_group
                assign special_taken[g*SPECIALS + u] = turn_3_q[g];
            end
        end
    end else begin : g_own
        assign special_row = 1'b0;
        assign special_done = 1'b0;
        assign special_lane = '0;
        assign special_taken = '0;
        assign special_result = '0;
    end

    for (genvar l = 0; l < LANES; l++) begin : g_lane
        wire [7:0] lane_inject = (l != 0 && inject_i == 8'd1) ? 8'd0 : inject_i;  // a defect of the first lane alone
        lane #(.SPECIAL(1 - SHARED), .INJECT(INJECT)) u_lane (
            .clk_i(lanes_clk), .inject_i(lane_inject), .valid_i(l1_lanes_work), .op_i(lane_op), .mod_i(l1_mod_q), .a_i(l1_a_q[l*32 +: 32]),
            .b_i(lane_b[l*32 +: 32]), .c_i(l1_c_q[l*32 +: 32]), .rotate_i(l1_rotates_q), .p_i(l1_p_q[l*2 +: 2]), .special_valid_i(special_taken[l]),
            .special_i(special_result[(l % SPECIALS)*32 +: 32]), .result_o(result[l*32 +: 32]), .pred_o(result_pred[l])
        );
    end

    // ---- L2, L3 ----
    logic                l2_valid_q, l2_pred_valid_q, l3_valid_q;  // a row, a predicate is written
    logic                m2_valid_q, m2_partial_q, m3_valid_q;     // a row of a memory unit is
    logic [2:0]           l2_pred_q;
    logic [WARP_W-1:0]    l2_pred_warp_q;
    logic [PORTION_W-1:0] l2_pred_portion_q;
    logic [LANES-1:0]     l2_pred_lanes_q;
    logic [LANES*32-1:0] m2_data_q, m3_data_q;
    `RESULT_REG(l2);
    `RESULT_REG(l3);
    `RESULT_REG(m2);
    `RESULT_REG(m3);

    // The lanes' row, and beside it a memory unit's, if it is one of the other half of the register file (register_file says which).
    function automatic half_of(input [REF_W-1:0] register, input odd_portion);
        half_of = register[0] ^ (register[REF_W-1] ? register[$clog2(P)] : odd_portion);
    endfunction
    wire l1_row = (l1_lanes_work || special_row) && l1_writes_reg_q, l1_pred = l1_lanes_work && l1_writes_pred_q;
    assign wb_ready_o = !(l1_row && half_of(l1_reg_d_q, l1_portion_q[0]) == half_of(wb_reg_d_i, wb_portion_i[0]));
    wire wb_go = wb_valid_i && wb_ready_o;

    always_ff @(posedge clk_i) begin
        l2_valid_q <= l1_row && !rst_i;
        l2_pred_valid_q <= l1_pred && !rst_i;
        m2_valid_q <= wb_go && !rst_i;
        if (wb_go) begin
            `RESULT_PACK_Q(m2) <= `RESULT_PACK_I(wb);
            m2_partial_q <= wb_partial_i;
            m2_data_q <= wb_data_i;
        end
        if (l1_row) `RESULT_PACK_Q(l2) <= `RESULT_PACK_Q(l1);
        if (l1_pred) begin
            l2_pred_q <= l1_pred_q;
            l2_pred_warp_q <= l1_warp_q;
            l2_pred_portion_q <= l1_portion_q;
            l2_pred_lanes_q <= l1_lanes_q;
        end
        l3_valid_q <= l2_valid_q && !rst_i;
        if (l2_valid_q) `RESULT_PACK_Q(l3) <= `RESULT_PACK_Q(l2);
        m3_valid_q <= m2_valid_q && !rst_i;
        if (m2_valid_q) begin
            `RESULT_PACK_Q(m3) <= `RESULT_PACK_Q(m2);
            m3_data_q <= m2_data_q;
        end
    end

    // Two cycles before it is written: who is handed over in the next cycle reads it while it is.
    assign row_valid_o = l2_valid_q;
    assign row_warp_o = l2_warp_q;
    assign row_reg_d_o = l2_reg_d_q;
    assign row_portion_o = l2_portion_q;
    assign loaded_valid_o = m2_valid_q && !m2_partial_q;
    assign loaded_warp_o = m2_warp_q;
    assign loaded_reg_d_o = m2_reg_d_q;
    assign loaded_portion_o = m2_portion_q;

    assign pred_write_valid_o = l2_pred_valid_q;
    assign pred_write_warp_o = l2_pred_warp_q;
    assign pred_write_pred_o = l2_pred_q;
    assign pred_write_portion_o = l2_pred_portion_q;
    assign pred_write_lanes_o = l2_pred_lanes_q;
    assign pred_write_data_o = result_pred;

    assign trace_pwb_valid_o = l2_pred_valid_q;
    assign trace_pwb_warp_o = 8'(l2_pred_warp_q);
    assign trace_pwb_pred_o = l2_pred_q;
    assign trace_pwb_portion_o = 8'(l2_pred_portion_q);
    assign trace_pwb_mask_o = l2_pred_lanes_q;
    assign trace_pwb_data_o = result_pred & l2_pred_lanes_q;

    // ---- W ----
    // What is to be forgotten is taken in the place of a row that is told, so it is written in the place of that row.
    assign clear_ready_o = !l2_valid_q && !m2_valid_q;
    logic             l3_clear_q, w_clear_q;
    wire              file_clear_ready;
    logic [REG_W-3:0] l3_clear_group_q, w_clear_group_q;
    logic [3:0]       l3_clear_which_q, w_clear_which_q;
    always_ff @(posedge clk_i) begin
        l3_clear_q <= clear_valid_i && clear_ready_o;
        l3_clear_group_q <= clear_group_i;
        l3_clear_which_q <= clear_which_i;
        w_clear_q <= l3_clear_q;
        w_clear_group_q <= l3_clear_group_q;
        w_clear_which_q <= l3_clear_which_q;
    end

    // From its 16th cycle on what waits holds portions back in R, and goes when those on their way are through.
    wire        waits = (wb_valid_i && !wb_ready_o) || (clear_valid_i && !clear_ready_o);
    logic [3:0] waits_q;
    always_ff @(posedge clk_i)
        if (rst_i || !waits) waits_q <= 4'd0;
        else if (waits_q != 4'd15) waits_q <= waits_q + 4'd1;
    assign r_ready = waits_q != 4'd15 && hold_q == '0;

    logic                w_valid_q, mw_valid_q;
    `RESULT_REG(w);
    `RESULT_REG(mw);
    logic [LANES*32-1:0] mw_data_q;
    wire                 unused_w = &{1'b0, w_reg_d_q, mw_reg_d_q};  // register_file knows it since stage L3
    always_ff @(posedge clk_i) begin
        w_valid_q <= l3_valid_q && !rst_i;
        if (l3_valid_q) `RESULT_PACK_Q(w) <= `RESULT_PACK_Q(l3);
        mw_valid_q <= m3_valid_q && !rst_i;
        if (m3_valid_q) begin
            `RESULT_PACK_Q(mw) <= `RESULT_PACK_Q(m3);
            for (int l = 0; l < LANES; l++) mw_data_q[l*32 +: 32] <= m3_lanes_q[l] ? m3_data_q[l*32 +: 32] : 32'd0;
        end
    end

    wire [LANES-1:0]     w_lanes = (INJECT != 0 && inject_i == 8'd2) ? '1 : w_lanes_q;
    logic [LANES*32-1:0] w_data;
    always_comb for (int l = 0; l < LANES; l++) w_data[l*32 +: 32] = w_lanes[l] ? result[l*32 +: 32] : 32'd0;

    register_file #(.THREADS(THREADS), .LANES(LANES), .VGPR_ROWS(VGPR_ROWS), .INJECT(INJECT)) u_register_file (
        .clk_i, .inject_i, .read_i(r_go), .read_portion_i(r_portion), .reg_a_i(r_reg_a_q), .reg_b_i(r_reg_b_q), .reg_c_i(r_reg_c_q),
        .zeros_i(r_zeros), .b_else_i(b_else), .a_o(file_a), .b_o(file_b), .c_o(file_c),
        .prepare_i(l3_valid_q), .prepare_reg_d_i(l3_reg_d_q), .prepare_portion_i(l3_portion_q),
        .write_i(w_valid_q), .write_lanes_i(w_lanes), .write_data_i(w_data),
        .load_prepare_i(m3_valid_q), .load_prepare_reg_d_i(m3_reg_d_q), .load_prepare_portion_i(m3_portion_q),
        .load_i(mw_valid_q), .load_lanes_i(mw_lanes_q), .load_data_i(mw_data_q),
        .clear_valid_i(w_clear_q), .clear_ready_o(file_clear_ready), .clear_group_i(w_clear_group_q), .clear_which_i(w_clear_which_q)
    );

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) if (!rst_i && w_clear_q) assert (file_clear_ready);
`endif

    assign trace_wb_valid_o = {mw_valid_q, w_valid_q};
    assign trace_wb_warp_o = {8'(mw_warp_q), 8'(w_warp_q)};
    assign trace_wb_rd_o = {mw_rd_q, w_rd_q};
    assign trace_wb_portion_o = {8'(mw_portion_q), 8'(w_portion_q)};
    assign trace_wb_mask_o = {mw_lanes_q, w_lanes};
    assign trace_wb_data_o = {mw_data_q, w_data};

endmodule
`default_nettype wire
