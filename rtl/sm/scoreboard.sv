// What instructions in flight have still to write: portions of vector registers and of predicates. A warp's next instruction waits until
// nothing is pending of a register or predicate that it reads or writes.
//
// Asked in stage D: score_names_i (ra, rb, rc, rd are named), registers as register_file names them ({0, private register} or {1, row of a shared
// one}); wide accesses name score_reg_d_i to score_reg_d_i + score_more_i. With score_take_i the instruction goes on, and from the next cycle on
// score_wait_o is what holds then: what is crossed off beside it is not pending any more; what is set beside it is another warp's. From there on
// nothing new can become pending of it: registers that it names are left out as they become free, but for those of a wide access (score_again_o).
// pred_warp_i -> preds_o, in the same cycle: predicates of a warp with something pending from the next cycle on, likewise.
// Set (score_set_*_i) when the instruction that was taken is issued: the portions that it will write. Each row that will be written in two cycles
// (row_* of the lanes, loaded_* of a memory unit: who is handed over in the next cycle reads it while it is written; never two of one half of the
// register file) or write of a predicate's portion (pred_write_valid_i) crosses off its portion at the end of the cycle. cleared_o: that was the
// last one of its register or predicate.
// clear_i forgets registers, those of clear_which_i of four side by side (never beside a row), start_i the predicates of a warp: nothing is
// pending of a warp that starts.
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
    `WRITTEN_PLACE_IN(loaded),
    output logic              row_cleared_o,
    output logic              loaded_cleared_o,
    `PRED_WRITTEN_IN(pred_write),
    output logic              pred_cleared_o,
    // predicates
    input  wire  [WARP_W-1:0] pred_warp_i,
    output logic [6:0]        preds_o,
    // launching
    input  wire               clear_i,
    input  wire  [REG_W-3:0]  clear_group_i,
    input  wire  [3:0]        clear_which_i,
    input  wire               start_i,
    input  wire  [WARP_W-1:0] start_warp_i
);

    localparam int RING_W = $clog2(4 * P);
    localparam int INDEX_W = REG_W - 2;
    localparam int HALF = P / 2;
    localparam int COUNT_W = $clog2(P + 1);

    logic [7*COUNT_W-1:0] pred_left_q [WARPS];

    wire [3:0] names = (INJECT != 0 && inject_i == 8'd17) ? score_names_i & 4'b1101 : score_names_i;

    // Where the bits of a register are, and which. Word w is in bank w % 4.
    function automatic [REG_W-1:0] word_of(input [REF_W-1:0] register);
        word_of = register[REF_W-1] ? REG_W'(32'(register[REF_W-2:0]) / P) : REG_W'(register);
    endfunction
    function automatic [P-1:0] bits_of(input [REF_W-1:0] register);
        bits_of = register[REF_W-1] ? P'(1) << PORTION_W'(32'(register) % P) : '1;
    endfunction

    wire [REG_W-1:0] word_a = word_of(score_reg_a_i), word_b = word_of(score_reg_b_i), word_c = word_of(score_reg_c_i);
    wire [REG_W-1:0] word_d = word_of(score_reg_d_i), word_row = word_of(row_reg_d_i), word_loaded = word_of(loaded_reg_d_i);
    wire [P-1:0] bits_a = bits_of(score_reg_a_i), bits_b = bits_of(score_reg_b_i), bits_c = bits_of(score_reg_c_i);
    wire [3:0]   bank_a = {3'd0, names[0]} << word_a[1:0], bank_b = {3'd0, names[1]} << word_b[1:0], bank_c = {3'd0, names[2]} << word_c[1:0];

    // Those of an access that names up to four registers from rd on, by the bank that has them: they are in four words one behind the other.
    // Private ones are whole banks. Shared ones are bits side by side on the ring of the four banks: from bit `first` of a group of four on, and
    // what is left in the group behind it. Where a group is not larger than a bank, whole banks are groups too.
    localparam int GROUPS = P;
    localparam int GROUP_W = RING_W - 2;
    localparam bit BY_GROUPS = P >= 4;
    wire                shared_d = score_reg_d_i[REF_W-1];
    wire [1:0]          first = score_reg_d_i[1:0];
    wire [GROUP_W-1:0]  group = score_reg_d_i[RING_W-1:2];
    logic [3:0]         whole_d, here, behind;
    logic [GROUPS-1:0]  groups_d;
    logic [4*P-1:0]     bits_d;
    always_comb begin
        {whole_d, here, behind, groups_d} = '0;
        for (int i = 0; i < 4; i++)
            if (32'(score_more_i) >= i) begin
                whole_d[2'(32'(word_d[1:0]) + i)] = 1'b1;
                if (32'(first) + i < 4) here[2'(32'(first) + i)] = 1'b1;
                else behind[2'(32'(first) + i)] = 1'b1;
            end
        if (BY_GROUPS && !shared_d) begin
            here = 4'hF;
            behind = 4'h0;
        end
        for (int g = 0; g < GROUPS; g++) groups_d[g] = (!BY_GROUPS || shared_d) ? group == GROUP_W'(g) : whole_d[4 * g / P];
        for (int k = 0; k < 4 * P; k++) begin
            bits_d[k] = (here[k % 4] && groups_d[k / 4]) || (behind[k % 4] && groups_d[(k / 4 + GROUPS - 1) % GROUPS]);
            if (!BY_GROUPS && !shared_d) bits_d[k] = whole_d[k / P];
        end
    end

    // Of the instruction that was taken: what it may set. Nothing of it is pending when it does, so to set a bit is to turn it over.
    logic [4*P-1:0] taken_bits_q;
    logic           taken_shared_q;
    wire  [P-1:0]   portions_set = taken_shared_q ? {P{score_set_portions_i != '0}} : score_set_portions_i;
    always_ff @(posedge clk_i)
        if (score_take_i) begin
            taken_bits_q <= bits_d;
            taken_shared_q <= shared_d;
        end

    wire         shared_row = row_reg_d_i[REF_W-1], shared_loaded = loaded_reg_d_i[REF_W-1];
    wire [P-1:0] bits_row = shared_row ? bits_of(row_reg_d_i) : P'(1) << row_portion_i;
    wire [P-1:0] bits_loaded = shared_loaded ? bits_of(loaded_reg_d_i) : P'(1) << loaded_portion_i;

    // A bit is pending where set_q and crossed_q differ. So each is a RAM with one port to write: issuing makes bits of set_q other than those of
    // crossed_q, a write of a row makes crossed_q as set_q. What they hold at first does not matter: a register is cleared before it is used.
    logic [4*P-1:0]     waits_a, waits_b, waits_c, waits_d, left_row, left_loaded, setting;
    wire  [INDEX_W-1:0] index_row = row_valid_i ? word_row[REG_W-1:2] : clear_group_i, index_loaded = word_loaded[REG_W-1:2];
    wire  [3:0]         bank_row = row_valid_i ? 4'd1 << word_row[1:0] : clear_i ? clear_which_i : 4'd0;
    wire  [3:0]         bank_loaded = {3'd0, loaded_valid_i} << word_loaded[1:0];
    wire  [P-1:0]       crosses_row = row_valid_i ? bits_row : '1;

    for (genvar k = 0; k < 4; k++) begin : g_bank
        // Of the next word in the bank, word_d included.
        wire  [INDEX_W-1:0] index_d = word_d[REG_W-1:2] + INDEX_W'(k < 32'(word_d[1:0]));
        logic [INDEX_W-1:0] taken_index_q;
        always_ff @(posedge clk_i) if (score_take_i) taken_index_q <= index_d;
        wire row_is_d = row_valid_i && bank_row[k] && index_row == index_d, loaded_is_d = bank_loaded[k] && index_loaded == index_d;

        // Half h of the register file has every other portion, of register r from (h + r) % 2 on.
        for (genvar h = 0; h < 2; h++) begin : g_half
            localparam int FIRST = (h + k) % 2;
            logic [HALF-1:0] set_q [REGS / 4];
            logic [HALF-1:0] crossed_q [REGS / 4];
            wire  [HALF-1:0] a = set_q[word_a[REG_W-1:2]] ^ crossed_q[word_a[REG_W-1:2]], b = set_q[word_b[REG_W-1:2]] ^ crossed_q[word_b[REG_W-1:2]];
            wire  [HALF-1:0] c = set_q[word_c[REG_W-1:2]] ^ crossed_q[word_c[REG_W-1:2]], d = set_q[index_d] ^ crossed_q[index_d];
            wire  [HALF-1:0] set_row = set_q[index_row], crossed_row = crossed_q[index_row];
            wire  [HALF-1:0] set_loaded = set_q[index_loaded], crossed_loaded = crossed_q[index_loaded];
            logic [HALF-1:0] sets, by_row, by_loaded;
            for (genvar p = 0; p < HALF; p++) begin : g_portion
                localparam int Q = 2 * p + FIRST;
                assign waits_a[k*P + Q] = a[p] && bits_a[Q] && bank_a[k];
                assign waits_b[k*P + Q] = b[p] && bits_b[Q] && bank_b[k];
                assign waits_c[k*P + Q] = c[p] && bits_c[Q] && bank_c[k];
                assign waits_d[k*P + Q] = d[p] && bits_d[k*P + Q] && !(row_is_d && bits_row[Q]) && !(loaded_is_d && bits_loaded[Q]);
                assign left_row[k*P + Q] = set_row[p] != crossed_row[p] && !bits_row[Q] && bank_row[k];
                assign left_loaded[k*P + Q] = set_loaded[p] != crossed_loaded[p] && !bits_loaded[Q] && bank_loaded[k];
                assign sets[p] = taken_bits_q[k*P + Q] && portions_set[Q];
                assign by_row[p] = crosses_row[Q];
                assign by_loaded[p] = bits_loaded[Q];
            end
            wire loads = bank_loaded[k] && by_loaded != '0;
            always_ff @(posedge clk_i) begin
                if (score_set_i) set_q[taken_index_q] <= set_q[taken_index_q] ^ sets;
                if (loads) crossed_q[index_loaded] <= (by_loaded & set_loaded) | (~by_loaded & crossed_loaded);
                else if (bank_row[k] && by_row != '0) crossed_q[index_row] <= (by_row & set_row) | (~by_row & crossed_row);
            end
            assign setting[(k*2 + h)*HALF +: HALF] = (set_q[taken_index_q] ^ crossed_q[taken_index_q]) & sets;
        end
    end
`ifndef SYNTHESIS
    always_ff @(posedge clk_i) if (INJECT == 0 && score_set_i) assert (setting == '0);
`endif

    // What is crossed off in this cycle is pending no more.
    function automatic clears(input [REF_W-1:0] register);
        clears = (row_cleared_o && row_reg_d_i == register) || (loaded_cleared_o && loaded_reg_d_i == register);
    endfunction
    wire a_clears = clears(score_reg_a_i), b_clears = clears(score_reg_b_i), c_clears = clears(score_reg_c_i);
    logic [3:0]       wait_q;  // for rd, rc, rb, ra of the instruction that was taken
    logic [REF_W-1:0] taken_a_q, taken_b_q, taken_c_q, taken_d_q;
    logic             taken_wide_q;
    always_ff @(posedge clk_i)
        if (score_take_i) begin
            wait_q <= {names[3] && waits_d != '0, waits_c != '0 && !c_clears, waits_b != '0 && !b_clears, waits_a != '0 && !a_clears};
            taken_a_q <= score_reg_a_i;
            taken_b_q <= score_reg_b_i;
            taken_c_q <= score_reg_c_i;
            taken_d_q <= score_reg_d_i;
            taken_wide_q <= score_more_i != 2'd0;
        end else begin
            if (clears(taken_a_q)) wait_q[0] <= 1'b0;
            if (clears(taken_b_q)) wait_q[1] <= 1'b0;
            if (clears(taken_c_q)) wait_q[2] <= 1'b0;
            if (clears(taken_d_q) && !taken_wide_q) wait_q[3] <= 1'b0;
        end
    assign score_wait_o = wait_q != 4'd0;
    assign score_again_o = wait_q[3] && taken_wide_q;
    assign row_cleared_o = row_valid_i && (shared_row || left_row == '0);  // a shared register has one bit
    assign loaded_cleared_o = loaded_valid_i && (shared_loaded || left_loaded == '0);

    // ---- predicates: how many portions of each are still to be written ----
    logic [COUNT_W-1:0] set_count, pred_left;
    logic [7*COUNT_W-1:0] look, written;
    always_comb begin
        set_count = '0;
        for (int p = 0; p < P; p++) set_count = set_count + COUNT_W'(score_set_portions_i[p]);
        written = pred_left_q[pred_write_warp_i];
        pred_left = '0;
        for (int p = 0; p < 7; p++) if (pred_write_pred_i == 3'(p)) pred_left = written[p*COUNT_W +: COUNT_W];
    end
    assign pred_cleared_o = pred_write_valid_i && pred_left == COUNT_W'(1);
    always_comb begin
        look = pred_left_q[pred_warp_i];
        for (int p = 0; p < 7; p++) preds_o[p] = look[p*COUNT_W +: COUNT_W] != '0;
        if (pred_cleared_o && pred_write_warp_i == pred_warp_i) preds_o = preds_o & ~(7'd1 << pred_write_pred_i);
    end

    for (genvar w = 0; w < WARPS; w++) begin : g_warp
        for (genvar p = 0; p < 7; p++) begin : g_pred
            wire sets = score_set_preds_i[p] && score_warp_i == WARP_W'(w);
            wire writes = pred_write_valid_i && pred_write_warp_i == WARP_W'(w) && pred_write_pred_i == 3'(p);
            always_ff @(posedge clk_i) begin
                if (start_i && start_warp_i == WARP_W'(w)) pred_left_q[w][p*COUNT_W +: COUNT_W] <= '0;
                else if (sets) pred_left_q[w][p*COUNT_W +: COUNT_W] <= set_count;
                else if (writes) pred_left_q[w][p*COUNT_W +: COUNT_W] <= pred_left - COUNT_W'(1);
            end
        end
    end

    wire unused = &{1'b0, pred_write_portion_i};

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (INJECT == 0 && score_set_i) assert (!score_wait_o);  // nothing was pending of what is set
        assert (!(clear_i && (row_valid_i || loaded_valid_i)));
        if (INJECT == 0 && pred_write_valid_i) assert (pred_left != '0);  // each portion is written once
        if (INJECT == 0 && pred_write_valid_i && score_warp_i == pred_write_warp_i) assert (!score_set_preds_i[pred_write_pred_i]);
    end
`endif

endmodule
`default_nettype wire
