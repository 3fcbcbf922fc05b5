// A barrier opens only when all warps of its CTA wait, opens for all of them in one cycle and for nobody else, and opens within WARPS cycles.
//
// proof quick frames 12
// reads rtl/sm/barrier.sv
// sets WARPS=4
// sets WARPS=2
// mutant opens when one warp has not come yet: rtl/sm/barrier.sv
// - here_count == needed
// + here_count + 1'b1 >= needed
// mutant looks at one CTA slot only: rtl/sm/barrier.sv
// - look_q <= (look_q == WARP_W'(WARPS - 1)) ? '0 : look_q + WARP_W'(1);
// + look_q <= '0;
// mutant leaves its highest warp behind: rtl/sm/barrier.sv
// - ? here : '0;
// + ? here & ~(here & {1'b1, {(WARPS-1){1'b0}}}) : '0;
`include "formal.svh"

module prove_barrier #(
    parameter WARPS = 4
) (
    input wire clk_i
);
    localparam WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1;
    localparam COUNT_W = $clog2(WARPS + 1);
    `RESET(rst)
    `ANY(WARPS, waiting)
    `ANY(WARPS*WARP_W, cta)
    `ANY(WARPS*COUNT_W, alive)
    `SOME(WARP_W, watched)   // a CTA slot
    wire [WARPS-1:0] release_now;
    wire trace_valid;
    wire [7:0] trace_cta;

    barrier #(.WARPS(WARPS)) dut (
        .clk_i, .rst_i(rst), .inject_i(8'd0), .waiting_i(waiting), .cta_i(cta), .alive_i(alive), .release_o(release_now),
        .trace_barrier_valid_o(trace_valid), .trace_barrier_cta_o(trace_cta));

    `ASSUME(32'(watched) < WARPS)
    // The warps of the watched CTA slot that wait, and how many it has.
    logic [WARPS-1:0] mine;
    logic [COUNT_W-1:0] mine_count;
    always_comb begin
        mine = '0;
        mine_count = '0;
        for (int w = 0; w < WARPS; w++) begin
            mine[w] = waiting[w] && cta[w*WARP_W +: WARP_W] == watched;
            mine_count = mine_count + COUNT_W'(mine[w]);
        end
    end
    wire complete = mine != '0 && mine_count == alive[32'(watched)*COUNT_W +: COUNT_W];

    // Cycles in which all of its warps have waited without the barrier opening.
    logic [WARP_W+1:0] late = '0;
    (* hierconn *) wire [WARP_W-1:0] \dut.look_q ;
    always_ff @(posedge clk_i) begin
        if (rst || !complete || release_now != '0 && 32'(trace_cta) == 32'(watched)) late <= '0;
        else late <= late + 1'b1;
    end
    wire [WARP_W+1:0] ahead = watched >= \dut.look_q ? (WARP_W+2)'(watched) - (WARP_W+2)'(\dut.look_q )
                                                    : (WARP_W+2)'(WARPS) + (WARP_W+2)'(watched) - (WARP_W+2)'(\dut.look_q );

    `CHECK(rst || trace_valid == (release_now != '0))
    `CHECK(rst || !trace_valid || 32'(trace_cta) < WARPS)
    `CHECK(rst || !(trace_valid && 32'(trace_cta) == 32'(watched)) || (complete && release_now == mine))
    `CHECK(rst || (trace_valid && 32'(trace_cta) == 32'(watched)) || (release_now & mine) == '0)
    `CHECK(rst || 32'(late) < WARPS)
    `CHECK(rst || 32'(\dut.look_q ) < WARPS)
    `CHECK(rst || 32'(late) + 32'(ahead) <= WARPS - 1 || !complete || late == '0)
    `REACH(!rst && trace_valid && mine == '1)
    `REACH(!rst && 32'(late) == WARPS - 1 && trace_valid && 32'(trace_cta) == 32'(watched))
    `REACH(!rst && trace_valid && waiting == '1 && (release_now & mine) == '0)
endmodule
