// Picks the warp that goes next among those that are ready.
//
// policy_i 0, loose round robin: the first ready warp behind the one granted last, around the circle; a warp that is not ready is passed
// over. A warp that stays ready is granted after at most WARPS - 1 others.
// policy_i 1, greedy then oldest: the warp granted last while it is ready, else of the ready ones the one that started first. No warp starves:
// one that has been passed over PATIENCE times (it was ready and another was granted) since its own last grant goes before all others. So a
// warp that stays ready is granted after at most PATIENCE + WARPS - 2 others. PATIENCE >= WARPS.
// Other values are like 0. The policy may change in any cycle; a warp starts (start_i) while it is not ready.
// Combinational from ready_i to grant; the state moves at the end of a cycle in which grant_taken_i is high. One grant a cycle.
`default_nettype none
`include "gen/registers.svh"

module warp_scheduler #(
    parameter int WARPS = 2,
    parameter int PATIENCE = 64,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1
) (
    input  wire               clk_i,
    input  wire               rst_i,
    input  wire  [1:0]        policy_i,
    input  wire               start_i,  // a warp starts: from now on it is the youngest
    input  wire  [WARP_W-1:0] start_warp_i,
    input  wire  [WARPS-1:0]  ready_i,
    output logic              grant_valid_o,
    output logic [WARP_W-1:0] grant_warp_o,
    input  wire               grant_taken_i
);
    localparam logic [WARPS-1:0] ALL = {WARPS{1'b1}};  // Yosys 0.23 takes '1 for 1 here
    localparam int COUNT_W = $clog2(PATIENCE + 1);

    logic [WARPS-1:0]         behind_q;  // the warps with a higher number than the one granted last
    logic [WARPS-1:0]         last_q;    // the one granted last
    logic [WARPS*WARPS-1:0]   older_q;   // the warps that started before each
    logic [WARPS*COUNT_W-1:0] passed_q;  // how often each was ready and another was granted, since its last grant
    logic [WARPS-1:0]         impatient, oldest, behind, candidates;
    logic                     greedy;

    assign greedy = policy_i == `REG_WARP_POLICY_POLICY_GREEDY;
    assign behind = ready_i & behind_q;
    always_comb begin
        for (int w = 0; w < WARPS; w++) begin
            impatient[w] = ready_i[w] && passed_q[w*COUNT_W +: COUNT_W] == COUNT_W'(PATIENCE);
            oldest[w] = ready_i[w] && (ready_i & older_q[w*WARPS +: WARPS]) == '0;
        end
        if (!greedy) candidates = |behind ? behind : ready_i;
        else if (|impatient) candidates = impatient;
        else if (|(ready_i & last_q)) candidates = ready_i & last_q;
        else candidates = oldest;
    end
    assign grant_valid_o = |ready_i;

    always_comb begin
        grant_warp_o = '0;
        for (int w = WARPS - 1; w >= 0; w--) begin
            if (candidates[w]) grant_warp_o = WARP_W'(w);
        end
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            behind_q <= '1;  // as if the last had been granted: warp 0 is first
            last_q <= '0;
        end else if (grant_valid_o && grant_taken_i) begin
            behind_q <= ALL << grant_warp_o << 1;
            last_q <= WARPS'(1) << grant_warp_o;
        end
        for (int w = 0; w < WARPS; w++) begin
            if (rst_i || (start_i && start_warp_i == WARP_W'(w))) passed_q[w*COUNT_W +: COUNT_W] <= '0;
            else if (grant_valid_o && grant_taken_i) begin
                if (grant_warp_o == WARP_W'(w)) passed_q[w*COUNT_W +: COUNT_W] <= '0;
                else if (ready_i[w] && !impatient[w]) passed_q[w*COUNT_W +: COUNT_W] <= passed_q[w*COUNT_W +: COUNT_W] + COUNT_W'(1);
            end
            if (rst_i) older_q[w*WARPS +: WARPS] <= ~(ALL << w);
            else if (start_i && start_warp_i == WARP_W'(w)) older_q[w*WARPS +: WARPS] <= ~(WARPS'(1) << w);
            else if (start_i) older_q[w*WARPS +: WARPS] <= older_q[w*WARPS +: WARPS] & ~(WARPS'(1) << start_warp_i);
        end
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (!rst_i && grant_valid_o) assert (ready_i[grant_warp_o]);
        if (!rst_i && grant_taken_i) assert (grant_valid_o);
        if (!rst_i && start_i) assert (!ready_i[start_warp_i]);
    end
`endif
endmodule
`default_nettype wire
