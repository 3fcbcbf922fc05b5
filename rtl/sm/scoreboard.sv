// What instructions in flight have still to write: portions of vector registers and of predicates. A warp's next instruction waits until
// nothing is pending of a register or predicate that it reads or writes.
//
// Asked: score_names_i (ra, rb, rc, rd are named), registers as register_file names them ({0, private register} or {1, row of a shared one});
// wide accesses name score_reg_d_i to score_reg_d_i + score_more_i. score_wait_o is
// there in the same cycle. pred_warp_i -> preds_o: predicates of a warp with something pending, in the same cycle.
// Set (set_*, score_set_preds_i) when an instruction is issued: the portions that it will write. Each write of a row (row_*) or of a predicate's
// portion (pred_write_valid_i) crosses off its portion at the end of the cycle. cleared_o: that was the last one of its register or predicate.
// clear_i forgets a register, start_i the predicates of a warp: nothing is pending of a warp that starts.
`default_nettype none
`include "gen/bundles.svh"

module scoreboard #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int VGPR_ROWS = 1024,
    parameter int INJECT = 0,
    localparam int P = THREADS / LANES,
    localparam int REGS = VGPR_ROWS / P,
    localparam int REG_W = $clog2(REGS),
    localparam int REF_W = REG_W + $clog2(P) + 1,
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1
) (
    input  wire               clk_i,
    input  wire  [7:0]        inject_i,
    `SCORE_IN(score),
    // something is written
    `WRITTEN_PLACE_IN(row),
    output logic              row_cleared_o,
    `PRED_WRITTEN_IN(pred_write),
    output logic              pred_cleared_o,
    // predicates
    input  wire  [WARP_W-1:0] pred_warp_i,
    output logic [6:0]        preds_o,
    // launching
    input  wire               clear_i,
    input  wire  [REG_W-1:0]  clear_reg_i,
    input  wire               start_i,
    input  wire  [WARP_W-1:0] start_warp_i
);

    logic [P-1:0]   rows_q [REGS];
    logic [7*P-1:0] preds_q [WARPS];

    wire [3:0] names = (INJECT != 0 && inject_i == 8'd17) ? score_names_i & 4'b1101 : score_names_i;

    // Where the bits of a register are, and which.
    function automatic [REG_W-1:0] word_of(input [REF_W-1:0] register);
        word_of = register[REF_W-1] ? REG_W'(32'(register[REF_W-2:0]) / P) : REG_W'(register);
    endfunction
    function automatic [P-1:0] bits_of(input [REF_W-1:0] register);
        bits_of = register[REF_W-1] ? P'(1) << PORTION_W'(32'(register) % P) : '1;
    endfunction

    always_comb begin
        score_wait_o = (names[0] && (rows_q[word_of(score_reg_a_i)] & bits_of(score_reg_a_i)) != '0) ||
                       (names[1] && (rows_q[word_of(score_reg_b_i)] & bits_of(score_reg_b_i)) != '0) ||
                       (names[2] && (rows_q[word_of(score_reg_c_i)] & bits_of(score_reg_c_i)) != '0);
        for (int i = 0; i < 4; i++)
            if (names[3] && 32'(score_more_i) >= i &&
                (rows_q[word_of(score_reg_d_i + REF_W'(i))] & bits_of(score_reg_d_i + REF_W'(i))) != '0) score_wait_o = 1'b1;
    end

    wire [7*P-1:0] look = preds_q[pred_warp_i];
    always_comb for (int p = 0; p < 7; p++) preds_o[p] = look[p*P +: P] != '0;

    wire [P-1:0]   row_bit = bits_of(row_reg_d_i) & (row_reg_d_i[REF_W-1] ? '1 : P'(1) << row_portion_i);
    wire [7*P-1:0] pred_bit = (7*P)'(1) << (32'(pred_write_pred_i) * P + 32'(pred_write_portion_i));
    wire [7*P-1:0] pred_mine = (7*P)'({P{1'b1}}) << (32'(pred_write_pred_i) * P);
    wire [7*P-1:0] pred_before = preds_q[pred_write_warp_i];
    assign row_cleared_o = row_valid_i && (rows_q[word_of(row_reg_d_i)] & bits_of(row_reg_d_i) & ~row_bit) == '0;
    assign pred_cleared_o = pred_write_valid_i && (pred_before & pred_mine & ~pred_bit) == '0;

    logic [7*P-1:0] new_preds;
    always_comb for (int p = 0; p < 7; p++) new_preds[p*P +: P] = score_set_preds_i[p] ? score_set_portions_i : '0;
    wire same_warp = pred_write_valid_i && pred_write_warp_i == score_warp_i;

    // Nothing was pending of what is set: only ones are written.
    logic [4*P-1:0]     set_bits;
    logic [4*REG_W-1:0] set_word;
    always_comb
        for (int i = 0; i < 4; i++) begin
            set_bits[i*P +: P] = !score_reg_d_i[REF_W-1] ? score_set_portions_i : (score_set_portions_i != '0) ? bits_of(score_reg_d_i + REF_W'(i)) : '0;
            set_word[i*REG_W +: REG_W] = word_of(score_reg_d_i + REF_W'(i));
        end

    always_ff @(posedge clk_i) begin
        for (int p = 0; p < P; p++) begin
            if (clear_i) rows_q[clear_reg_i][p] <= 1'b0;
            if (row_valid_i && row_bit[p]) rows_q[word_of(row_reg_d_i)][p] <= 1'b0;
            for (int i = 0; i < 4; i++)
                if (score_set_i && 32'(score_more_i) >= i && set_bits[i*P + p]) rows_q[set_word[i*REG_W +: REG_W]][p] <= 1'b1;
        end
        if (start_i) preds_q[start_warp_i] <= '0;
        if (pred_write_valid_i) preds_q[pred_write_warp_i] <= pred_before & ~pred_bit;
        if (score_set_preds_i != 7'd0) preds_q[score_warp_i] <= (preds_q[score_warp_i] & ~(same_warp ? pred_bit : '0)) | new_preds;
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (INJECT == 0 && score_set_i) assert (!score_wait_o);
        if (clear_i && row_valid_i) assert (clear_reg_i != word_of(row_reg_d_i));
    end
`endif

endmodule
`default_nettype wire
