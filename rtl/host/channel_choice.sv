// Channel choice: which of the channels that can go on is served next.
//
// Seven choices of eight are ordinary: the highest priority goes first, and among channels of one priority the next in turn after the one chosen
// last. Each eighth is fair: the next in turn after the one that a fair choice took last, whatever its priority. So who can go on at each choice is
// chosen after at most 8 * CHANNELS - 1 others.
//
// The choice stands in the same cycle (pick_valid_o: somebody is ready_i; pick_o); take_i, only with pick_valid_o, makes it, at the clock edge.
`default_nettype none
`include "coverage.svh"

module channel_choice #(
    parameter int CHANNELS = 2,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                   clk_i,
    input  wire                   rst_i,
    input  wire  [CHANNELS-1:0]   ready_i,
    input  wire  [CHANNELS*2-1:0] priority_i,
    input  wire                   take_i,
    output logic                  pick_valid_o,
    output logic [CHANNEL_W-1:0]  pick_o
);
    logic [2:0]           choice_q;
    logic [CHANNEL_W-1:0] last_q, fair_q;  // chosen last, in an ordinary and in a fair choice

    wire fair = choice_q == 3'd7;
    logic [1:0]         pick_priority;
    logic [CHANNEL_W:0] candidate;
    always_comb begin
        pick_valid_o = 1'b0;
        pick_o = '0;
        pick_priority = 2'd0;
        candidate = {1'b0, fair ? fair_q : last_q};
        for (int i = 0; i < CHANNELS; i++) begin
            candidate = (candidate == (CHANNEL_W+1)'(CHANNELS - 1)) ? '0 : candidate + (CHANNEL_W+1)'(1);
            if (ready_i[candidate[CHANNEL_W-1:0]]
                && (!pick_valid_o || (!fair && priority_i[candidate[CHANNEL_W-1:0]*2 +: 2] > pick_priority))) begin
                pick_valid_o = 1'b1;
                pick_o = candidate[CHANNEL_W-1:0];
                pick_priority = priority_i[candidate[CHANNEL_W-1:0]*2 +: 2];
            end
        end
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            choice_q <= 3'd0;
            last_q <= '0;
            fair_q <= '0;
        end else if (take_i) begin
            choice_q <= choice_q + 3'd1;
            if (fair) fair_q <= pick_o;
            else last_q <= pick_o;
        end
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) if (!rst_i) begin
        assert (!take_i || pick_valid_o);
        `COVER(fair_choice, take_i && fair && priority_i[pick_o*2 +: 2] != 2'd3)
    end
`endif
endmodule
`default_nettype wire
