// Picks the warp that goes next among those that are ready.
//
// Loose round robin: the first ready warp behind the one granted last, around the circle; a warp that is not ready is passed over.
// A warp that stays ready is granted after at most WARPS - 1 others.
// Combinational from ready_i to grant; the pointer moves at the end of a cycle in which grant_taken_i is high. One grant a cycle.
// policy_i: 0 loose round robin; the other values are kept for further policies and do the same today.
`default_nettype none

module warp_scheduler #(
    parameter WARPS = 2,
    localparam WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic [1:0]        policy_i,
    input  logic [WARPS-1:0]  ready_i,
    output logic              grant_valid_o,
    output logic [WARP_W-1:0] grant_warp_o,
    input  logic              grant_taken_i
);
    localparam [WARPS-1:0] ALL = {WARPS{1'b1}};  // Yosys 0.23 takes '1 for 1 here

    logic [WARPS-1:0] behind_q;    // the warps with a higher number than the one granted last
    logic [WARPS-1:0] behind, candidates;
    logic unused_policy;

    assign unused_policy = ^policy_i;
    assign behind = ready_i & behind_q;
    assign candidates = |behind ? behind : ready_i;
    assign grant_valid_o = |ready_i;

    always_comb begin
        grant_warp_o = '0;
        for (int w = WARPS - 1; w >= 0; w--) begin
            if (candidates[w]) grant_warp_o = WARP_W'(w);
        end
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) behind_q <= '1;  // as if the last had been granted: warp 0 is first
        else if (grant_valid_o && grant_taken_i) behind_q <= ALL << grant_warp_o << 1;
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (!rst_i && grant_valid_o) assert (ready_i[grant_warp_o]);
        if (!rst_i && grant_taken_i) assert (grant_valid_o);
    end
`endif
endmodule

`default_nettype wire
