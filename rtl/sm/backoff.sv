// Backing off: warps that wait for other warps for long try again one after the other, and not all at once.
//
// A thread that waits (for a lock, a flag) tries again and again, with a YIELD each time, and its tries take cycles of the lanes and of memory from
// those who will let it go on. A try that fails is like the one before it: between the YIELDs the warp executes as many instructions, and writes
// nothing (writes_i: a store, an atomic operation whose old value nobody wants). A warp that has failed TRIES times, one behind the other, waits
// here behind each further one: it is not picked (waits_o) until its turn comes. Every EVERY cycles one that waits has its turn, around the circle;
// the first one at once when nobody has had one for as long. So tries of warps that wait for long take the same part of the machine's time however
// many they are, while who waits shortly and who has got something (its way was another, then) goes on at once. So does mostly one whose threads
// wait for one another: something is written between their tries.
//
// warp_i: whose instruction goes on (go_i); with it yields_i, a YIELD, or writes_i. lost_i: warps that have ended. waits_o changes at the clock
// edge. A warp waits for at most WARPS * EVERY cycles. Throughput: an instruction a cycle. cmodel/sm/backoff.c is the twin.
`default_nettype none

module backoff #(
    parameter int WARPS = 4,
    parameter int EVERY = 64,
    parameter int TRIES = 8,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1
) (
    input  wire               clk_i,
    input  wire               rst_i,
    input  wire  [WARP_W-1:0] warp_i,
    input  wire               go_i,
    input  wire               yields_i,
    input  wire               writes_i,
    input  wire  [WARPS-1:0]  lost_i,
    output logic [WARPS-1:0]  waits_o
);
    localparam int COUNT_W = $clog2(EVERY);
    localparam int TRIES_W = $clog2(TRIES + 1);
    localparam logic [7:0] OTHER = 8'h80;  // of no try: too many instructions, or something was written

    logic [WARPS-1:0]   fresh_q;           // no YIELD yet: what stands below means nothing
    logic [7:0]         since_q [WARPS];   // instructions since the last YIELD, or OTHER
    logic [7:0]         last_q [WARPS];    // .. between that and the one before
    logic [TRIES_W-1:0] fails_q [WARPS];   // tries alike, one behind the other; TRIES at most

    logic [WARPS-1:0]   waits_q;
    logic [WARPS-1:0]   passed_q;          // the last one whose turn it was, and those below it
    logic [COUNT_W-1:0] left_q;            // cycles until the next turn

    wire [WARPS-1:0]    warp = WARPS'(1) << warp_i;
    wire                fresh = fresh_q[warp_i];
    wire [7:0]          since = since_q[warp_i];
    wire [TRIES_W-1:0]  fails = fails_q[warp_i];
    wire                alike = !fresh && since != OTHER && since == last_q[warp_i];
    wire                waits = yields_i && alike && fails == TRIES_W'(TRIES);

    wire [WARPS-1:0]    behind = waits_q & ~passed_q, from = behind != '0 ? behind : waits_q;
    wire [WARPS-1:0]    next = from & (~from + WARPS'(1));
    wire                turn = waits_q != '0 && left_q == '0;

    always_ff @(posedge clk_i) begin
        if (yields_i) begin
            since_q[warp_i] <= 8'd0;
            last_q[warp_i] <= fresh ? OTHER : since;
            fails_q[warp_i] <= !alike ? '0 : waits ? fails : fails + TRIES_W'(1);
        end else if (go_i) since_q[warp_i] <= (writes_i || since == OTHER) ? OTHER : since + 8'd1;
        fresh_q <= (fresh_q & ~(yields_i ? warp : '0)) | lost_i;
        waits_q <= ((waits_q & ~(turn ? next : '0)) | (waits ? warp : '0)) & ~lost_i;
        if (turn) passed_q <= next | (next - WARPS'(1));
        if (turn) left_q <= COUNT_W'(EVERY - 1);
        else if (left_q != '0) left_q <= left_q - COUNT_W'(1);
        if (rst_i) begin
            fresh_q <= '1;
            waits_q <= '0;
            passed_q <= '0;
            left_q <= '0;
        end
    end
    assign waits_o = waits_q;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i)
        if (!rst_i) assert (!((yields_i || writes_i) && !go_i) && !(yields_i && writes_i));
`endif
endmodule
`default_nettype wire
