// A warp that stays ready is granted after at most WARPS - 1 grants to others; only ready warps are granted, one a cycle.
//
// proof quick frames 24
// reads rtl/sm/warp_scheduler.sv
// sets WARPS=4
// sets WARPS=1
// sets WARPS=2
// sets WARPS=16
// mutant the pointer never moves: rtl/sm/warp_scheduler.sv
// - behind_q <= ALL << grant_warp_o << 1;
// + behind_q <= '1;
// mutant a warp that is not ready is granted: rtl/sm/warp_scheduler.sv
// - assign candidates = |behind ? behind : ready_i;
// + assign candidates = |behind_q ? behind_q : ready_i;
`include "formal.svh"

module prove_warp_scheduler #(
    parameter WARPS = 4
) (
    input wire clk_i
);
    localparam WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1;
    `RESET(rst)
    `ANY(WARPS, ready)
    `ANY(2, policy)
    `ANY(1, taken)
    `SOME(WARP_W, watched)
    wire grant_valid;
    wire [WARP_W-1:0] grant;
    (* hierconn *) wire [WARPS-1:0] \dut.behind_q ;

    warp_scheduler #(.WARPS(WARPS)) dut (.clk_i, .rst_i(rst), .policy_i(policy), .ready_i(ready), .grant_valid_o(grant_valid),
                                         .grant_warp_o(grant), .grant_taken_i(taken));

    `ASSUME(!taken || (grant_valid && !rst))
    `ASSUME(32'(watched) < WARPS)

    // Used grants to others since the watched warp is ready without a break.
    logic [WARP_W+1:0] waited = '0;
    always_ff @(posedge clk_i) begin
        if (rst || !ready[watched] || (taken && grant == watched)) waited <= '0;
        else if (taken) waited <= waited + 1'b1;
    end
    // The warps that may still go before the watched one: those behind the last one that have a lower number, or, when the watched one does
    // not stand behind, all of those and the lower ones.
    logic [WARP_W+1:0] before;
    always_comb begin
        before = '0;
        for (int w = 0; w < WARPS; w++)
            if (w != 32'(watched) && (\dut.behind_q [watched] ? \dut.behind_q [w] && w < 32'(watched) : \dut.behind_q [w] || w < 32'(watched)))
                before = before + 1'b1;
    end

    `CHECK(grant_valid == (ready != '0))
    `CHECK(!grant_valid || (32'(grant) < WARPS && ready[grant]))
    `CHECK(32'(waited) <= WARPS - 1)
    `CHECK(rst || 32'(waited) + 32'(before) <= WARPS - 1)
    // behind_q is a run of ones at the top.
    `CHECK(rst || (~\dut.behind_q & (~\dut.behind_q + 1'b1)) == '0)
    `REACH(32'(waited) == WARPS - 1 && taken && grant == watched)
    `REACH(!rst && taken && ready == '1 && 32'(grant) == WARPS - 1)
endmodule
