// From the sequencer to the write-back: portions of instructions go through the register file and the lanes, one a cycle.
//
//   R   the sequencer shows a portion; register file and thread ids are read
//   X   operands are chosen (zero register, immediate, predicates, thread ids) and registered
//   L1  the lanes start; memory instructions leave here to load_store (mem_*); targets of RET are gathered
//   L2  predicates are written (event PWB)
//   L3  the row that will be written is announced to the register file; a result of load_store may take the place if it is free
//   W   the row is written (event WB)
//
// The bundle op_* is taken with start_valid_i & start_ready_o and holds for all portions of that start. done_o, done_counted_o come in stage
// X of the last portion: what the scheduler picks then reads predicates and registers late enough to see this instruction's writes.
// load_store's results wait while the lanes write; after 16 cycles of waiting one portion is held back for them.
`default_nettype none
`include "gen/isa.svh"
`include "gen/trace.svh"
`include "sm.svh"

module execute #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int VGPR_ROWS = 1024,
    parameter int INJECT = 0,
    localparam int P = THREADS / LANES,
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int REG_W = $clog2(VGPR_ROWS / P),
    localparam int REF_W = REG_W + $clog2(THREADS / LANES) + 1,
    localparam int TID_W = $clog2(WARPS * THREADS)
) (
    input  wire                      clk_i,
    input  wire                      rst_i,
    input  wire  [7:0]               inject_i,
    // an instruction, or one pass of it
    input  wire                      start_valid_i,
    output logic                     start_ready_o,
    input  wire  [THREADS-1:0]       start_exec_i,
    input  wire  [WARP_W-1:0]        op_warp_i,
    input  wire  [6:0]               op_i,
    input  wire  [3:0]               op_mod_i,
    input  wire  [31:0]              op_imm_i,
    input  wire                      op_b_imm_i,
    input  wire  [2:0]               op_zero_i,
    input  wire  [REF_W-1:0]         op_reg_a_i,
    input  wire  [REF_W-1:0]         op_reg_b_i,
    input  wire  [REF_W-1:0]         op_reg_c_i,
    input  wire  [REF_W-1:0]         op_reg_d_i,
    input  wire  [7:0]               op_rd_i,
    input  wire                      op_writes_reg_i,
    input  wire                      op_writes_pred_i,
    input  wire  [2:0]               op_pred_i,
    input  wire  [2:0]               op_pass_i,
    input  wire                      op_last_pass_i,
    input  wire  [THREADS-1:0]       op_p1_i,
    input  wire  [THREADS-1:0]       op_p2_i,
    input  wire                      op_preds_to_b_i,
    input  wire  [7*THREADS-1:0]     op_preds_i,
    input  wire                      op_thread_id_i,
    input  wire  [1:0]               op_thread_id_of_i,
    input  wire                      op_shuffle_i,
    input  wire                      op_to_scalar_i,
    input  wire                      op_memory_i,
    input  wire                      op_shared_i,
    input  wire                      op_counted_i,
    input  wire                      op_gather_i,
    // the last portion of an instruction has passed: of one that the warp waits for, of one that was counted
    output logic                     done_o,
    output logic                     done_counted_o,
    output logic [WARP_W-1:0]        done_warp_o,
    // gathered targets of RET
    output logic                     gather_done_o,
    output logic [21:0]              gather_target_o,   // of the lowest thread
    output logic [THREADS-1:0]       gather_group_o,    // threads with the same
    // R2S: the value of its only thread, in stage L1
    output logic                     scalar_write_o,
    output logic [WARP_W-1:0]        scalar_warp_o,
    output logic [3:0]               scalar_rd_o,
    output logic [31:0]              scalar_data_o,
    // to load_store or shared_memory: portions of the instruction it is reserved for
    output logic                     mem_valid_o,
    output logic [WARP_W-1:0]        mem_warp_o,
    output logic [PORTION_W-1:0]     mem_portion_o,
    output logic [LANES-1:0]         mem_lanes_o,
    output logic [2:0]               mem_pass_o,
    output logic                     mem_last_o,
    output logic                     mem_shared_o,
    output logic [LANES*32-1:0]      mem_a_o,
    output logic [LANES*32-1:0]      mem_b_o,
    output logic [LANES*32-1:0]      mem_c_o,
    // from load_store: a row to write
    input  wire                      wb_valid_i,
    output logic                     wb_ready_o,
    input  wire  [WARP_W-1:0]        wb_warp_i,
    input  wire  [7:0]               wb_rd_i,
    input  wire  [REF_W-1:0]         wb_reg_i,
    input  wire  [PORTION_W-1:0]     wb_portion_i,
    input  wire  [LANES-1:0]         wb_mask_i,
    input  wire  [LANES*32-1:0]      wb_data_i,
    // a row is written
    output logic                     row_write_o,
    output logic [WARP_W-1:0]        row_warp_o,
    output logic [REF_W-1:0]         row_reg_o,
    output logic [PORTION_W-1:0]     row_portion_o,
    // predicates
    output logic                     pred_write_o,
    output logic [WARP_W-1:0]        pred_warp_o,
    output logic [2:0]               pred_o,
    output logic [PORTION_W-1:0]     pred_portion_o,
    output logic [LANES-1:0]         pred_mask_o,
    output logic [LANES-1:0]         pred_data_o,
    // launching
    input  wire                      clear_valid_i,
    output logic                     clear_ready_o,
    input  wire  [REG_W-1:0]         clear_reg_i,
    input  wire                      tid_write_i,
    input  wire  [WARP_W-1:0]        tid_warp_i,
    input  wire  [PORTION_W-1:0]     tid_portion_i,
    input  wire  [LANES*3*TID_W-1:0] tid_data_i,
    `TRACE_WB_PORTS,
    `TRACE_PWB_PORTS
);

    // ---- R: portions of the current start ----
    logic [WARP_W-1:0]    warp_q;
    logic [6:0]           op_q;
    logic [3:0]           mod_q;
    logic [31:0]          imm_q;
    logic                 b_imm_q, writes_reg_q, writes_pred_q, last_pass_q, preds_to_b_q, thread_id_q, memory_q, gather_q, shuffle_q, to_scalar_q;
    logic                 shared_q, counted_q;
    logic [2:0]           zero_q, pred_q, pass_q;
    logic [REF_W-1:0]     reg_a_q, reg_b_q, reg_c_q, reg_d_q;
    logic [7:0]           rd_q;
    logic [THREADS-1:0]   p1_q, p2_q;
    logic [7*THREADS-1:0] preds_q;
    logic [1:0]           thread_id_of_q;

    always_ff @(posedge clk_i)
        if (start_valid_i && start_ready_o) begin
            warp_q <= op_warp_i;
            op_q <= op_i;
            mod_q <= op_mod_i;
            imm_q <= op_imm_i;
            b_imm_q <= op_b_imm_i;
            zero_q <= op_zero_i;
            reg_a_q <= op_reg_a_i;
            reg_b_q <= op_reg_b_i;
            reg_c_q <= op_reg_c_i;
            reg_d_q <= op_reg_d_i;
            rd_q <= op_rd_i;
            writes_reg_q <= op_writes_reg_i;
            writes_pred_q <= op_writes_pred_i;
            pred_q <= op_pred_i;
            pass_q <= op_pass_i;
            last_pass_q <= op_last_pass_i;
            p1_q <= op_p1_i;
            p2_q <= op_p2_i;
            preds_to_b_q <= op_preds_to_b_i;
            if (op_preds_to_b_i) preds_q <= op_preds_i;
            thread_id_q <= op_thread_id_i;
            thread_id_of_q <= op_thread_id_of_i;
            memory_q <= op_memory_i;
            shared_q <= op_shared_i;
            counted_q <= op_counted_i;
            gather_q <= op_gather_i;
            shuffle_q <= op_shuffle_i;
            to_scalar_q <= op_to_scalar_i;
        end

    logic                 r_valid, r_ready, r_last;
    logic [PORTION_W-1:0] r_portion;
    logic [LANES-1:0]     r_lanes;

    sequencer #(.THREADS(THREADS), .LANES(LANES)) u_sequencer (
        .clk_i, .rst_i, .clear_i(1'b0), .start_valid_i, .start_ready_o, .start_exec_i,
        .portion_valid_o(r_valid), .portion_ready_i(r_ready), .portion_o(r_portion), .portion_lanes_o(r_lanes), .portion_last_o(r_last)
    );
    wire r_go = r_valid && r_ready;

    logic [LANES*32-1:0]      file_a, file_b, file_c;
    logic [LANES*3*TID_W-1:0] ids;

    thread_ids #(.THREADS(THREADS), .LANES(LANES), .WARPS(WARPS)) u_thread_ids (
        .clk_i, .write_i(tid_write_i), .write_warp_i(tid_warp_i), .write_portion_i(tid_portion_i), .write_data_i(tid_data_i),
        .read_i(r_go && thread_id_q), .read_warp_i(warp_q), .read_portion_i(r_portion), .read_o(ids)
    );

    // ---- X: operands ----
    logic                 x_valid_q, x_last_q, x_writes_reg_q, x_writes_pred_q, x_memory_q, x_gather_q, x_shuffle_q, x_to_scalar_q;
    logic                 x_shared_q, x_counted_q, l1_shared_q;
    logic [WARP_W-1:0]    x_warp_q;
    logic [PORTION_W-1:0] x_portion_q;
    logic [LANES-1:0]     x_lanes_q, x_p1_q, x_p2_q;
    logic [6:0]           x_op_q;
    logic [3:0]           x_mod_q;
    logic [2:0]           x_zero_q, x_pred_q, x_pass_q;
    logic [31:0]          x_imm_q;
    logic                 x_b_imm_q, x_preds_to_b_q, x_thread_id_q;
    logic [1:0]           x_thread_id_of_q;
    logic [REF_W-1:0]     x_reg_d_q;
    logic [7:0]           x_rd_q;
    logic [7*LANES-1:0]   x_preds_q;

    always_ff @(posedge clk_i) begin
        x_valid_q <= r_go && !rst_i;
        if (r_go) begin
            x_last_q <= r_last && last_pass_q;
            x_writes_reg_q <= writes_reg_q && !gather_q && !memory_q;
            x_writes_pred_q <= writes_pred_q;
            x_memory_q <= memory_q;
            x_shared_q <= shared_q;
            x_counted_q <= counted_q;
            x_gather_q <= gather_q;
            x_shuffle_q <= shuffle_q;
            x_to_scalar_q <= to_scalar_q;
            x_warp_q <= warp_q;
            x_portion_q <= r_portion;
            x_lanes_q <= r_lanes;
            x_p1_q <= p1_q[32'(r_portion)*LANES +: LANES];
            x_p2_q <= p2_q[32'(r_portion)*LANES +: LANES];
            x_op_q <= op_q;
            x_mod_q <= mod_q;
            x_zero_q <= zero_q;
            x_pred_q <= pred_q;
            x_pass_q <= pass_q;
            x_imm_q <= imm_q;
            x_b_imm_q <= b_imm_q;
            x_preds_to_b_q <= preds_to_b_q;
            x_thread_id_q <= thread_id_q;
            x_thread_id_of_q <= thread_id_of_q;
            x_reg_d_q <= reg_d_q;
            x_rd_q <= rd_q;
            if (preds_to_b_q)
                for (int k = 0; k < 7; k++) x_preds_q[k*LANES +: LANES] <= preds_q[k*THREADS + 32'(r_portion)*LANES +: LANES];
        end
    end

    wire done = x_valid_q && x_last_q && !x_memory_q && !x_gather_q;
    assign done_o = done && !x_counted_q;
    assign done_counted_o = done && x_counted_q;
    assign done_warp_o = x_warp_q;

    logic                 l1_valid_q, l1_last_q, l1_writes_reg_q, l1_writes_pred_q, l1_memory_q, l1_gather_q, l1_shuffle_q, l1_to_scalar_q;
    logic [WARP_W-1:0]    l1_warp_q;
    logic [PORTION_W-1:0] l1_portion_q;
    logic [LANES-1:0]     l1_lanes_q;
    logic [6:0]           l1_op_q;
    logic [3:0]           l1_mod_q;
    logic [2:0]           l1_pred_q, l1_pass_q;
    logic [REF_W-1:0]     l1_reg_d_q;
    logic [7:0]           l1_rd_q;
    logic [LANES*32-1:0]  l1_a_q, l1_b_q, l1_c_q;
    logic [LANES*2-1:0]   l1_p_q;

    always_ff @(posedge clk_i) begin
        l1_valid_q <= x_valid_q && !rst_i;
        if (x_valid_q) begin
            l1_last_q <= x_last_q;
            l1_writes_reg_q <= x_writes_reg_q;
            l1_writes_pred_q <= x_writes_pred_q;
            l1_memory_q <= x_memory_q;
            l1_shared_q <= x_shared_q;
            l1_gather_q <= x_gather_q;
            l1_shuffle_q <= x_shuffle_q;
            l1_to_scalar_q <= x_to_scalar_q;
            l1_warp_q <= x_warp_q;
            l1_portion_q <= x_portion_q;
            l1_lanes_q <= x_lanes_q;
            l1_op_q <= x_op_q;
            l1_mod_q <= x_mod_q;
            l1_pred_q <= x_pred_q;
            l1_pass_q <= x_pass_q;
            l1_reg_d_q <= x_reg_d_q;
            l1_rd_q <= x_rd_q;
            l1_a_q <= x_zero_q[0] ? '0 : file_a;
            l1_c_q <= x_zero_q[2] ? '0 : file_c;
            if (x_thread_id_q) begin
                for (int l = 0; l < LANES; l++)
                    l1_b_q[l*32 +: 32] <= (x_thread_id_of_q == `THREAD_ID_LANE) ? 32'(x_portion_q) * LANES + 32'(l)
                                                                     : 32'(ids[l*3*TID_W + 32'(x_thread_id_of_q)*TID_W +: TID_W]);
            end else if (x_preds_to_b_q) begin
                for (int l = 0; l < LANES; l++) begin
                    l1_b_q[l*32 +: 32] <= 32'd0;
                    for (int k = 0; k < 7; k++) l1_b_q[l*32 + k] <= x_preds_q[k*LANES + l];
                end
            end else if (x_b_imm_q) l1_b_q <= {LANES{x_imm_q}};
            else l1_b_q <= x_zero_q[1] ? '0 : file_b;
            for (int l = 0; l < LANES; l++)
                l1_p_q[l*2 +: 2] <= {x_p2_q[l], (x_op_q == 7'(`OP_R2P)) ? file_a[l*32 + 32'(x_pass_q)] && !x_zero_q[0] : x_p1_q[l]};
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
    assign mem_a_o = l1_a_q;
    assign mem_b_o = l1_b_q;
    assign mem_c_o = l1_c_q;

    logic               gather_some_q;  // the lowest thread has been met
    logic [21:0]        gather_target, gather_target_q;
    logic [THREADS-1:0] gather_group, gather_group_q;
    always_comb begin
        gather_target = gather_target_q;
        gather_group = gather_some_q ? gather_group_q : '0;
        if (l1_valid_q && l1_gather_q) begin
            if (!gather_some_q)
                for (int l = LANES - 1; l >= 0; l--) if (l1_lanes_q[l]) gather_target = l1_a_q[l*32 +: 22];
            for (int l = 0; l < LANES; l++)
                if (l1_lanes_q[l] && l1_a_q[l*32 +: 22] == gather_target) gather_group[32'(l1_portion_q)*LANES + l] = 1'b1;
        end
    end
    always_ff @(posedge clk_i) begin
        gather_done_o <= l1_valid_q && l1_gather_q && l1_last_q && !rst_i;
        if (l1_valid_q && l1_gather_q) begin
            gather_target_q <= gather_target;
            gather_group_q <= gather_group;
            gather_some_q <= !l1_last_q;
        end
        if (gather_done_o) gather_some_q <= 1'b0;
        if (rst_i) gather_some_q <= 1'b0;
    end
    assign gather_target_o = gather_target_q;
    assign gather_group_o = gather_group_q;

    // SHFL: in its first pass all threads' values are gathered, in its second each lane takes the one that B names.
    localparam int THREAD_W = $clog2(THREADS);
    logic [THREADS*32-1:0] gathered_q;
    always_ff @(posedge clk_i)
        if (l1_valid_q && l1_shuffle_q && l1_pass_q == 3'd0) gathered_q[32'(l1_portion_q)*LANES*32 +: LANES*32] <= l1_a_q;

    logic [LANES*32-1:0] lane_b;
    always_comb begin
        lane_b = l1_b_q;
        if (l1_shuffle_q)
            for (int l = 0; l < LANES; l++) lane_b[l*32 +: 32] = gathered_q[32'(l1_b_q[l*32 +: THREAD_W])*32 +: 32];
    end
    wire [6:0] lane_op = l1_shuffle_q ? 7'(`OP_MOV) : l1_op_q;

    // R2S comes with one thread.
    assign scalar_write_o = l1_valid_q && l1_to_scalar_q;
    assign scalar_warp_o = l1_warp_q;
    assign scalar_rd_o = l1_rd_q[3:0];
    always_comb begin
        scalar_data_o = 32'd0;
        for (int l = 0; l < LANES; l++) if (l1_lanes_q[l]) scalar_data_o = scalar_data_o | l1_a_q[l*32 +: 32];
    end

    wire l1_lanes_work = l1_valid_q && !l1_memory_q && !l1_gather_q;
    logic [LANES*32-1:0] result;
    logic [LANES-1:0]    result_pred;

    for (genvar l = 0; l < LANES; l++) begin : g_lane
        lane #(.LANE(l), .INJECT(INJECT)) u_lane (
            .clk_i, .inject_i, .valid_i(l1_lanes_work), .op_i(lane_op), .mod_i(l1_mod_q), .a_i(l1_a_q[l*32 +: 32]), .b_i(lane_b[l*32 +: 32]),
            .c_i(l1_c_q[l*32 +: 32]), .p_i(l1_p_q[l*2 +: 2]), .result_o(result[l*32 +: 32]), .pred_o(result_pred[l])
        );
    end

    // ---- L2, L3 ----
    logic                 l2_reg_q, l2_pred_valid_q, l3_reg_q;
    logic [WARP_W-1:0]    l2_warp_q, l3_warp_q;
    logic [PORTION_W-1:0] l2_portion_q, l3_portion_q;
    logic [LANES-1:0]     l2_lanes_q, l3_lanes_q;
    logic [2:0]           l2_pred_q;
    logic [REF_W-1:0]     l2_reg_d_q, l3_reg_d_q;
    logic [7:0]           l2_rd_q, l3_rd_q;

    always_ff @(posedge clk_i) begin
        l2_reg_q <= l1_lanes_work && l1_writes_reg_q && !rst_i;
        l2_pred_valid_q <= l1_lanes_work && l1_writes_pred_q && !rst_i;
        if (l1_valid_q) begin
            l2_warp_q <= l1_warp_q;
            l2_portion_q <= l1_portion_q;
            l2_lanes_q <= l1_lanes_q;
            l2_pred_q <= l1_pred_q;
            l2_reg_d_q <= l1_reg_d_q;
            l2_rd_q <= l1_rd_q;
        end
        l3_reg_q <= l2_reg_q && !rst_i;
        if (l2_reg_q) begin
            l3_warp_q <= l2_warp_q;
            l3_portion_q <= l2_portion_q;
            l3_lanes_q <= l2_lanes_q;
            l3_reg_d_q <= l2_reg_d_q;
            l3_rd_q <= l2_rd_q;
        end
    end

    assign pred_write_o = l2_pred_valid_q;
    assign pred_warp_o = l2_warp_q;
    assign pred_o = l2_pred_q;
    assign pred_portion_o = l2_portion_q;
    assign pred_mask_o = l2_lanes_q;
    assign pred_data_o = result_pred;

    assign trace_pwb_valid_o = l2_pred_valid_q;
    assign trace_pwb_warp_o = 8'(l2_warp_q);
    assign trace_pwb_pred_o = l2_pred_q;
    assign trace_pwb_portion_o = 8'(l2_portion_q);
    assign trace_pwb_mask_o = l2_lanes_q;
    assign trace_pwb_data_o = result_pred & l2_lanes_q;

    // ---- W ----
    assign wb_ready_o = !l3_reg_q;
    wire wb_go = wb_valid_i && wb_ready_o;

    logic [3:0] wb_waits_q;
    always_ff @(posedge clk_i) begin
        if (rst_i || !wb_valid_i || wb_ready_o) wb_waits_q <= 4'd0;
        else if (wb_waits_q != 4'd15) wb_waits_q <= wb_waits_q + 4'd1;
    end
    assign r_ready = wb_waits_q != 4'd15;

    logic                 w_valid_q, w_memory_q;
    logic [WARP_W-1:0]    w_warp_q;
    logic [REF_W-1:0]     w_reg_q;
    logic [PORTION_W-1:0] w_portion_q;
    logic [LANES-1:0]     w_mask_q;
    logic [7:0]           w_rd_q;
    logic [LANES*32-1:0]  w_data_q;
    always_ff @(posedge clk_i) begin
        w_valid_q <= (l3_reg_q || wb_go) && !rst_i;
        w_memory_q <= !l3_reg_q;
        if (l3_reg_q) begin
            w_warp_q <= l3_warp_q;
            w_portion_q <= l3_portion_q;
            w_mask_q <= l3_lanes_q;
            w_rd_q <= l3_rd_q;
            w_reg_q <= l3_reg_d_q;
        end else if (wb_go) begin
            w_warp_q <= wb_warp_i;
            w_portion_q <= wb_portion_i;
            w_mask_q <= wb_mask_i;
            w_rd_q <= wb_rd_i;
            w_reg_q <= wb_reg_i;
            w_data_q <= wb_data_i;
        end
    end

    assign row_write_o = w_valid_q;
    assign row_warp_o = w_warp_q;
    assign row_reg_o = w_reg_q;
    assign row_portion_o = w_portion_q;

    wire [LANES*32-1:0] w_data = w_memory_q ? w_data_q : result;
    wire [LANES-1:0]    w_mask = (INJECT != 0 && inject_i == 8'd2) ? '1 : w_mask_q;

    register_file #(.THREADS(THREADS), .LANES(LANES), .VGPR_ROWS(VGPR_ROWS), .INJECT(INJECT)) u_register_file (
        .clk_i, .inject_i, .read_i(r_go), .portion_i(r_portion), .reg_a_i(reg_a_q), .reg_b_i(reg_b_q), .reg_c_i(reg_c_q),
        .a_o(file_a), .b_o(file_b), .c_o(file_c),
        .prepare_i(l3_reg_q || wb_go), .prepare_reg_i(l3_reg_q ? l3_reg_d_q : wb_reg_i),
        .prepare_portion_i(l3_reg_q ? l3_portion_q : wb_portion_i),
        .write_i(w_valid_q), .write_mask_i(w_mask), .write_data_i(w_data),
        .clear_i(clear_valid_i), .clear_reg_i, .clear_ready_o
    );

    assign trace_wb_valid_o = w_valid_q;
    assign trace_wb_warp_o = 8'(w_warp_q);
    assign trace_wb_rd_o = w_rd_q;
    assign trace_wb_portion_o = 8'(w_portion_q);
    assign trace_wb_mask_o = w_mask;
    assign trace_wb_data_o = w_data;

endmodule
`default_nettype wire
