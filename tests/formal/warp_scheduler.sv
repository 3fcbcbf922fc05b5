// Only ready warps are granted, one a cycle. A warp that stays ready is granted after at most WARPS - 1 grants to others by round robin, and
// after at most PATIENCE + WARPS - 2 by greedy then oldest. Policies may change, warps may start, in every cycle.
//
// proof quick induction frames 24
// reads rtl/sm/warp_scheduler.sv
// sets WARPS=4 PATIENCE=6
// sets WARPS=1 PATIENCE=6
// sets WARPS=2 PATIENCE=6
// sets WARPS=4 PATIENCE=64
// sets WARPS=16 PATIENCE=64
// mutant the pointer never moves: rtl/sm/warp_scheduler.sv
// - behind_q <= ALL << grant_warp_o << 1;
// + behind_q <= '1;
// mutant a warp that is not ready is granted: rtl/sm/warp_scheduler.sv
// - if (!greedy) candidates = |behind ? behind : ready_i;
// + if (!greedy) candidates = |behind_q ? behind_q : ready_i;
// mutant greed without an end: rtl/sm/warp_scheduler.sv
// - else if (|impatient) candidates = impatient;
// + else if (1'b0) candidates = impatient;
// mutant two warps are each older than the other: rtl/sm/warp_scheduler.sv
// - else if (start_i) older_q[w*WARPS +: WARPS] <= older_q[w*WARPS +: WARPS] & ~(WARPS'(1) << start_warp_i);
// + else if (1'b0) older_q <= '0;
`include "formal.svh"

module prove_warp_scheduler #(
    parameter WARPS = 4,
    parameter PATIENCE = 64
) (
    input wire clk_i
);
    localparam WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1;
    localparam COUNT_W = $clog2(PATIENCE + 1);
    localparam WAIT_W = $clog2(PATIENCE + WARPS + 1) + 1;
    `RESET(rst)
    `ANY(WARPS, ready)
    `ANY(2, policy)
    `ANY(1, taken)
    `ANY(1, start)
    `ANY(WARP_W, start_warp)
    `SOME(WARP_W, watched)
    wire grant_valid;
    wire [WARP_W-1:0] grant;
    (* hierconn *) wire [WARPS-1:0] \dut.behind_q ;
    (* hierconn *) wire [WARPS*WARPS-1:0] \dut.older_q ;
    (* hierconn *) wire [WARPS*COUNT_W-1:0] \dut.passed_q ;

    warp_scheduler #(.WARPS(WARPS), .PATIENCE(PATIENCE)) dut (
        .clk_i, .rst_i(rst), .policy_i(policy), .start_i(start), .start_warp_i(start_warp), .ready_i(ready), .grant_valid_o(grant_valid),
        .grant_warp_o(grant), .grant_taken_i(taken)
    );
    `ASSUME(!taken || (grant_valid && !rst))
    `ASSUME(32'(watched) < WARPS && 32'(start_warp) < WARPS)
    `ASSUME(!start || !ready[start_warp])

    // Used grants to others since the watched warp is ready without a break, all by one policy.
    wire greedy = policy == 2'd1;
    logic [WARP_W+1:0] waited = '0;
    logic [WAIT_W-1:0] greedy_waited = '0;
    always_ff @(posedge clk_i) begin
        if (rst || greedy || !ready[watched] || (taken && grant == watched)) waited <= '0;
        else if (taken) waited <= waited + 1'b1;
        if (rst || !greedy || !ready[watched] || (taken && grant == watched)) greedy_waited <= '0;
        else if (taken) greedy_waited <= greedy_waited + 1'b1;
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
    `CHECK(rst || !grant_valid || (32'(grant) < WARPS && ready[grant]))
    `CHECK(32'(waited) <= WARPS - 1)
    `CHECK(rst || 32'(waited) + 32'(before) <= WARPS - 1)
    // behind_q is a run of ones at the top.
    `CHECK(rst || (~\dut.behind_q & (~\dut.behind_q + 1'b1)) == '0)

    // Greedy. While the watched warp is past its patience only others that were past theirs are granted, each once: those that have been, and
    // the one before them, have been passed over at most as often as the watched one has been since.
    logic [WARP_W+1:0] served;
    logic patient, older_good;
    always_comb begin
        served = '0;
        patient = 1'b1;
        older_good = 1'b1;
        for (int w = 0; w < WARPS; w++) begin
            if (w != 32'(watched) && 32'(\dut.passed_q [w*COUNT_W +: COUNT_W]) + PATIENCE <= 32'(greedy_waited)) served = served + 1'b1;
            if (32'(\dut.passed_q [w*COUNT_W +: COUNT_W]) > PATIENCE) patient = 1'b0;
            // Which warp is older is a strict order of all.
            if (\dut.older_q [w*WARPS+w]) older_good = 1'b0;
            for (int v = 0; v < WARPS; v++) begin
                if (v != w && \dut.older_q [w*WARPS+v] == \dut.older_q [v*WARPS+w]) older_good = 1'b0;
                if (\dut.older_q [w*WARPS+v] && (\dut.older_q [v*WARPS +: WARPS] & ~\dut.older_q [w*WARPS +: WARPS]) != '0) older_good = 1'b0;
            end
        end
    end
    `CHECK(rst || patient)
    `CHECK(rst || older_good)
    `CHECK(rst || 32'(\dut.passed_q [32'(watched)*COUNT_W +: COUNT_W]) >= (32'(greedy_waited) < PATIENCE ? 32'(greedy_waited) : PATIENCE))
    `CHECK(rst || 32'(greedy_waited) < PATIENCE || 32'(served) >= 32'(greedy_waited) - PATIENCE + 1)
    `CHECK(32'(greedy_waited) <= PATIENCE + WARPS - 2)

    `REACH(32'(waited) == WARPS - 1 && taken && grant == watched)
    `REACH(!rst && taken && ready == '1 && 32'(grant) == WARPS - 1)
    `REACH(PATIENCE > 6 || (32'(greedy_waited) == (WARPS > 1 ? PATIENCE + WARPS - 2 : 0) && taken && grant == watched))
endmodule
