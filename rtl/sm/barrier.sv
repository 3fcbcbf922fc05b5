// The barrier of each CTA: its warps that have not ended wait until all of them wait.
//
// waiting_i: warps that stand at a BAR; cta_i: the CTA slot of each warp; alive_i: how many warps of a CTA slot have not ended,
// counting those that have not started yet. One CTA slot is looked at in a cycle; when all of its warps wait, release_o names them
// for one cycle and the event BARRIER is given. A barrier so opens at most WARPS cycles after the last warp came.
`default_nettype none
`include "gen/trace.svh"

module barrier #(
    parameter int WARPS = 4,
    parameter int INJECT = 0,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int COUNT_W = $clog2(WARPS + 1)
) (
    input  wire                      clk_i,
    input  wire                      rst_i,
    input  wire  [7:0]               inject_i,
    input  wire  [WARPS-1:0]         waiting_i,
    input  wire  [WARPS*WARP_W-1:0]  cta_i,
    input  wire  [WARPS*COUNT_W-1:0] alive_i,
    output logic [WARPS-1:0]         release_o,
    `TRACE_BARRIER_PORTS
);

    logic [WARP_W-1:0]  look_q;
    logic [WARPS-1:0]   here;
    logic [COUNT_W-1:0] here_count, needed;

    always_comb begin
        here = '0;
        here_count = '0;
        needed = alive_i[32'(look_q)*COUNT_W +: COUNT_W];
        if (INJECT != 0 && inject_i == 8'd8 && needed > COUNT_W'(1)) needed = needed - COUNT_W'(1);
        if (waiting_i != '0) begin
            for (int w = 0; w < WARPS; w++) begin
                here[w] = waiting_i[w] && cta_i[w*WARP_W +: WARP_W] == look_q;
                if (here[w]) here_count = here_count + COUNT_W'(1);
            end
        end
        release_o = (here != '0 && here_count == needed) ? here : '0;
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) look_q <= '0;
        else if (waiting_i != '0) look_q <= (look_q == WARP_W'(WARPS - 1)) ? '0 : look_q + WARP_W'(1);
    end

    assign trace_barrier_valid_o = release_o != '0;
    assign trace_barrier_cta_o = 8'(look_q);

endmodule
`default_nettype wire
