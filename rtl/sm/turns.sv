// Turns: no warp waits for ever for a unit that other warps take again and again.
//
// The issue stage sends a warp back when the unit that it needs is busy. It is fetched again when that is free, and may come too late each time:
// warps that are in step with the unit take it before. So this unit notes who was sent back (waiting_q). When PATIENCE instructions of others
// have gone to a unit since, it is the turn of all who wait then (late_q): until each of them has got its unit, nobody else gets one.
// A warp that was sent back so waits for at most PATIENCE + 2 * (WARPS - 1) instructions of others: those of the turn that may be under way,
// PATIENCE, and those of its own turn.
// In a turn its warps need nothing but a unit that becomes free by itself; units for which that does not hold have turns of their own.
//
// All inputs are of the warp in the issue stage (warp_i): sent_back_i, it goes back for want of a unit; go_i, it hands an instruction over;
// takes_i, with go_i: to one of the units. lost_i: warps that have ended or faulted, or wait for no unit now. turn_o: warps that may have a
// unit; changes at the clock edge, and is all ones except in a turn. What the warp that was sent back hands over need not be what it came for
// (code may have changed): any instruction is an end of its wait.
`default_nettype none

module turns #(
    parameter int WARPS = 4,
    parameter int PATIENCE = 64,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1
) (
    input  wire               clk_i,
    input  wire               rst_i,
    input  wire  [WARP_W-1:0] warp_i,
    input  wire               sent_back_i,
    input  wire               go_i,
    input  wire               takes_i,
    input  wire  [WARPS-1:0]  lost_i,
    output logic [WARPS-1:0]  turn_o
);
    localparam int COUNT_W = $clog2(PATIENCE);

    logic [WARPS-1:0]   waiting_q, late_q;
    logic [COUNT_W-1:0] passed_q;  // instructions that have gone to a unit while some warp waits and it is nobody's turn

    wire [WARPS-1:0] warp = WARPS'(1) << warp_i;
    wire [WARPS-1:0] gone = lost_i | (go_i ? warp : '0);
    wire [WARPS-1:0] waiting = (waiting_q | (sent_back_i ? warp : '0)) & ~gone;
    wire             passes = go_i && takes_i && waiting_q != '0 && late_q == '0;
    wire             due = passes && passed_q == COUNT_W'(PATIENCE - 1);

    always_ff @(posedge clk_i) begin
        waiting_q <= waiting;
        late_q <= due ? waiting : late_q & ~gone;
        if (waiting_q == '0 || due) passed_q <= '0;
        else if (passes) passed_q <= passed_q + COUNT_W'(1);
        if (rst_i) begin
            waiting_q <= '0;
            late_q <= '0;
            passed_q <= '0;
        end
    end

    assign turn_o = (late_q == '0) ? {WARPS{1'b1}} : late_q;

`ifndef SYNTHESIS
    // Instructions of others that each waiting warp has seen go to a unit.
    localparam int MOST = PATIENCE + 2 * (WARPS - 1);
    logic [WARPS*16-1:0] seen_q;
    always_ff @(posedge clk_i)
        for (int w = 0; w < WARPS; w++)
            if (rst_i || !waiting_q[w] || gone[w]) seen_q[w*16 +: 16] <= 16'd0;
            else if (go_i && takes_i) seen_q[w*16 +: 16] <= seen_q[w*16 +: 16] + 16'd1;
    initial if (PATIENCE < 2) $error("a turn comes after two others at the earliest");
    always_ff @(posedge clk_i)
        if (!rst_i) begin
            assert (!(sent_back_i && go_i));
            assert ((late_q & ~waiting_q) == '0);
            if (go_i && takes_i) assert (turn_o[warp_i]);
            for (int w = 0; w < WARPS; w++) assert (32'(seen_q[w*16 +: 16]) <= MOST);
        end
`endif

endmodule
`default_nettype wire
