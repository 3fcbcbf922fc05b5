// A warp that was sent back waits for at most PATIENCE + 2 * (WARPS - 1) instructions of others. A turn is never empty-handed: it is of warps that
// wait, and with nobody waiting all may have a unit.
//
// proof quick induction frames 32
// reads rtl/sm/turns.sv
// sets WARPS=4 PATIENCE=4
// sets WARPS=2 PATIENCE=4
// sizes WARPS=2 PATIENCE=64
// sizes WARPS=4 PATIENCE=64
// sizes WARPS=16 PATIENCE=64
// mutant it is never anybody's turn: rtl/sm/turns.sv
// - late_q <= due ? waiting : late_q & ~gone;
// + late_q <= late_q & ~gone;
// mutant who is served joins again: rtl/sm/turns.sv
// - late_q <= due ? waiting : late_q & ~gone;
// + late_q <= (due || late_q != '0) ? waiting : '0;
// mutant a warp that has ended keeps its turn: rtl/sm/turns.sv
// - late_q <= due ? waiting : late_q & ~gone;
// + late_q <= due ? waiting : late_q & ~(gone & ~lost_i);
// mutant one that waits starts the count anew: rtl/sm/turns.sv
// - if (waiting_q == '0 || due) passed_q <= '0;
// + if (waiting_q == '0 || due || sent_back_i) passed_q <= '0;
`include "formal.svh"

module prove_turns #(
    parameter WARPS = 4,
    parameter PATIENCE = 64
) (
    input wire clk_i
);
    localparam WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1;
    localparam COUNT_W = $clog2(PATIENCE);
    localparam MOST = PATIENCE + 2 * (WARPS - 1);
    `RESET(rst)
    `ANY(WARP_W, warp)
    `ANY(1, sent_back)
    `ANY(1, go)
    `ANY(1, takes)
    `ANY(WARPS, lost)
    wire [WARPS-1:0] turn;
    (* hierconn *) wire [WARPS-1:0] \dut.waiting_q ;
    (* hierconn *) wire [WARPS-1:0] \dut.late_q ;
    (* hierconn *) wire [COUNT_W-1:0] \dut.passed_q ;
    (* hierconn *) wire [WARPS*16-1:0] \dut.seen_q ;

    turns #(.WARPS(WARPS), .PATIENCE(PATIENCE)) dut (
        .clk_i, .rst_i(rst), .warp_i(warp), .sent_back_i(sent_back), .go_i(go), .takes_i(takes), .lost_i(lost), .turn_o(turn)
    );
    `ASSUME(32'(warp) < WARPS)
    `ASSUME(!(sent_back && go))
    `ASSUME(!takes || go)
    `ASSUME(!takes || turn[warp])                        // what the issue stage does

    // For each warp: instructions of others that have gone to a unit while it waits, as the unit's own assertion counts them; the others whose turn
    // it is. While it waits and it is nobody's turn it has seen one turn of others at most, and what has been counted since.
    for (genvar w = 0; w < WARPS; w++) begin : g_bounded
        logic [WARP_W+1:0] before;
        logic              bounded;
        wire [15:0]        seen = \dut.seen_q [w*16 +: 16];
        always_comb begin
            before = '0;
            for (int v = 0; v < WARPS; v++) if (v != w && \dut.late_q [v]) before = before + 1'b1;
            if (!\dut.waiting_q [w]) bounded = seen == 16'd0;
            else if (\dut.late_q == '0) bounded = 32'(seen) <= WARPS - 1 + 32'(\dut.passed_q );
            else bounded = 32'(seen) + 32'(before) <= (\dut.late_q [w] ? MOST : WARPS - 1);
        end
        `CHECK(rst || bounded)
    end
    `CHECK(rst || (\dut.late_q & ~\dut.waiting_q ) == '0)
    `CHECK(rst || turn != '0)
    `CHECK(rst || \dut.waiting_q != '0 || turn == {WARPS{1'b1}})
    `CHECK(rst || 32'(\dut.passed_q ) < PATIENCE)
    `CHECK(rst || \dut.late_q == '0 || \dut.passed_q == '0)

    `REACH(!rst && takes && \dut.waiting_q [warp])
    `REACH(!rst && takes && \dut.late_q [warp])
    `REACH(32'(\dut.seen_q [15:0]) == MOST && takes && warp == '0)
endmodule
