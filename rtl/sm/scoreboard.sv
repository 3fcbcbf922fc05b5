// What instructions in flight have still to write: portions of vector registers and of predicates. A warp's next instruction waits until
// nothing is pending of a register or predicate that it reads or writes.
//
// Asked: score_names_i (ra, rb, rc, rd are named), registers as register_file names them ({0, private register} or {1, row of a shared one});
// wide accesses name score_reg_d_i to score_reg_d_i + score_more_i. score_wait_o is
// there in the same cycle. pred_warp_i -> preds_o: predicates of a warp with something pending, in the same cycle.
// Set (set_*, score_set_preds_i) when an instruction is issued: the portions that it will write. Each write of a row (row_*) or of a predicate's
// portion (pred_write_valid_i) crosses off its portion at the end of the cycle. cleared_o: that was the last one of its register or predicate.
// clear_i forgets a register (never beside row_valid_i), start_i the predicates of a warp: nothing is pending of a warp that starts.
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

    localparam int RING_W = $clog2(4 * P);
    localparam int INDEX_W = REG_W - 2;

    logic [7*P-1:0] preds_q [WARPS];

    wire [3:0] names = (INJECT != 0 && inject_i == 8'd17) ? score_names_i & 4'b1101 : score_names_i;

    // Where the bits of a register are, and which.
    function automatic [REG_W-1:0] word_of(input [REF_W-1:0] register);
        word_of = register[REF_W-1] ? REG_W'(32'(register[REF_W-2:0]) / P) : REG_W'(register);
    endfunction
    function automatic [P-1:0] bits_of(input [REF_W-1:0] register);
        bits_of = register[REF_W-1] ? P'(1) << PORTION_W'(32'(register) % P) : '1;
    endfunction

    wire [REG_W-1:0] word_a = word_of(score_reg_a_i), word_b = word_of(score_reg_b_i), word_c = word_of(score_reg_c_i);
    wire [REG_W-1:0] word_d = word_of(score_reg_d_i), word_row = word_of(row_reg_d_i);

    // Those of an access that names up to four registers from rd on, by the bank that has them: they are in four words one behind the other.
    logic [4*P-1:0] bits_d;
    always_comb begin
        bits_d = '0;
        for (int k = 0; k < 4 * P; k++)
            for (int i = 0; i < 4; i++)
                if (32'(score_more_i) >= i && (score_reg_d_i[REF_W-1] ? score_reg_d_i[RING_W-1:0] == RING_W'(k - i + 4 * P)
                                                                      : word_d[1:0] == 2'(k / P - i + 4))) bits_d[k] = 1'b1;
    end
    wire [4*P-1:0] bits_set = score_reg_d_i[REF_W-1] ? (score_set_portions_i != '0) ? bits_d : '0 : bits_d & {4{score_set_portions_i}};
    wire [P-1:0]   bits_row = bits_of(row_reg_d_i) & (row_reg_d_i[REF_W-1] ? '1 : P'(1) << row_portion_i);

    // A bit is pending where set_q and crossed_q differ. So each is a RAM with one port to write: issuing turns bits of set_q, a write of a
    // row those of crossed_q. Word w is in bank w % 4. What they hold at first does not matter: a register is cleared before it is used.
    logic [4*P-1:0] pending_a, pending_b, pending_c, pending_d, pending_row;
    wire  [REG_W-1:0] crossing = row_valid_i ? word_row : clear_reg_i;

    for (genvar k = 0; k < 4; k++) begin : g_bank
        logic [P-1:0] set_q [REGS / 4];
        logic [P-1:0] crossed_q [REGS / 4];

        wire [INDEX_W-1:0] index_d = INDEX_W'((word_d + REG_W'(3 - k)) >> 2);  // of the next word in the bank, word_d included
        wire [P-1:0] set_d = set_q[index_d], crossed_row = crossed_q[crossing[REG_W-1:2]];

        assign pending_a[k*P +: P] = set_q[word_a[REG_W-1:2]] ^ crossed_q[word_a[REG_W-1:2]];
        assign pending_b[k*P +: P] = set_q[word_b[REG_W-1:2]] ^ crossed_q[word_b[REG_W-1:2]];
        assign pending_c[k*P +: P] = set_q[word_c[REG_W-1:2]] ^ crossed_q[word_c[REG_W-1:2]];
        assign pending_d[k*P +: P] = set_d ^ crossed_q[index_d];
        assign pending_row[k*P +: P] = set_q[crossing[REG_W-1:2]] ^ crossed_row;

        always_ff @(posedge clk_i) begin
            if (score_set_i) set_q[index_d] <= set_d ^ (bits_set[k*P +: P] & ~pending_d[k*P +: P]);
            if ((row_valid_i || clear_i) && crossing[1:0] == 2'(k))
                crossed_q[crossing[REG_W-1:2]] <= crossed_row ^ (pending_row[k*P +: P] & (row_valid_i ? bits_row : '1));
        end
    end

    wire [P-1:0] left_row = pending_row[32'(word_row[1:0])*P +: P] & bits_of(row_reg_d_i) & ~bits_row;
    assign score_wait_o = (names[0] && (pending_a[32'(word_a[1:0])*P +: P] & bits_of(score_reg_a_i)) != '0) ||
                          (names[1] && (pending_b[32'(word_b[1:0])*P +: P] & bits_of(score_reg_b_i)) != '0) ||
                          (names[2] && (pending_c[32'(word_c[1:0])*P +: P] & bits_of(score_reg_c_i)) != '0) ||
                          (names[3] && (pending_d & bits_d) != '0);
    assign row_cleared_o = row_valid_i && left_row == '0;

    wire [7*P-1:0] look = preds_q[pred_warp_i];
    always_comb for (int p = 0; p < 7; p++) preds_o[p] = look[p*P +: P] != '0;

    wire [7*P-1:0] pred_bit = (7*P)'(1) << (32'(pred_write_pred_i) * P + 32'(pred_write_portion_i));
    wire [7*P-1:0] pred_mine = (7*P)'({P{1'b1}}) << (32'(pred_write_pred_i) * P);
    wire [7*P-1:0] pred_before = preds_q[pred_write_warp_i];
    assign pred_cleared_o = pred_write_valid_i && (pred_before & pred_mine & ~pred_bit) == '0;

    logic [7*P-1:0] new_preds;
    always_comb for (int p = 0; p < 7; p++) new_preds[p*P +: P] = score_set_preds_i[p] ? score_set_portions_i : '0;
    wire same_warp = pred_write_valid_i && pred_write_warp_i == score_warp_i;

    always_ff @(posedge clk_i) begin
        if (start_i) preds_q[start_warp_i] <= '0;
        if (pred_write_valid_i) preds_q[pred_write_warp_i] <= pred_before & ~pred_bit;
        if (score_set_preds_i != 7'd0) preds_q[score_warp_i] <= (preds_q[score_warp_i] & ~(same_warp ? pred_bit : '0)) | new_preds;
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (INJECT == 0 && score_set_i) assert (!score_wait_o);  // nothing was pending of what is set
        assert (!(clear_i && row_valid_i));
    end
`endif

endmodule
`default_nettype wire
