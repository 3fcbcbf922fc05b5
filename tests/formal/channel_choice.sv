// A channel that can go on at each choice is chosen after at most 8 * CHANNELS - 1 others, whatever its priority. An ordinary choice leaves nobody out
// who has a higher priority, and nobody of the same priority who stands between the one chosen last and the one chosen now.
//
// proof quick induction frames 24
// reads rtl/host/channel_choice.sv
// sets CHANNELS=2
// sets CHANNELS=4
// sets CHANNELS=8
// mutant there is no fair choice: rtl/host/channel_choice.sv
// - wire fair = choice_q == 3'd7;
// + wire fair = 1'b0;
// mutant fair choices always begin at the same place: rtl/host/channel_choice.sv
// - if (fair) fair_q <= pick_o;
// + if (fair) fair_q <= '0;
// mutant the lowest priority goes first: rtl/host/channel_choice.sv
// - priority_i[candidate[CHANNEL_W-1:0]*2 +: 2] > pick_priority))) begin
// + priority_i[candidate[CHANNEL_W-1:0]*2 +: 2] < pick_priority))) begin
// mutant of one priority the last in turn goes first: rtl/host/channel_choice.sv
// - priority_i[candidate[CHANNEL_W-1:0]*2 +: 2] > pick_priority))) begin
// + priority_i[candidate[CHANNEL_W-1:0]*2 +: 2] >= pick_priority))) begin
`include "formal.svh"

module prove_channel_choice #(
    parameter CHANNELS = 2
) (
    input wire clk_i
);
    localparam CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1;
    `RESET(rst)
    `ANY(CHANNELS, ready)
    `ANY(CHANNELS*2, level)
    `ANY(1, take)
    `SOME(CHANNEL_W, watched)  // the channel whose wait is watched: any of them
    wire valid;
    wire [CHANNEL_W-1:0] pick;
    (* hierconn *) wire [2:0] \dut.choice_q ;
    (* hierconn *) wire [CHANNEL_W-1:0] \dut.last_q ;
    (* hierconn *) wire [CHANNEL_W-1:0] \dut.fair_q ;

    channel_choice #(.CHANNELS(CHANNELS)) dut (
        .clk_i, .rst_i(rst), .ready_i(ready), .priority_i(level), .take_i(take), .pick_valid_o(valid), .pick_o(pick)
    );
    `ASSUME(32'(watched) < CHANNELS)
    `ASSUME(!take || valid)  // what gp_fetch does

    // Choices of others at each of which the watched channel could go on.
    logic [7:0] waited_q;
    always_ff @(posedge clk_i) begin
        if (rst) waited_q <= '0;
        else if (take) waited_q <= !ready[watched] || pick == watched ? '0 : waited_q + 8'd1;
    end
    // Choices until it is chosen at the latest: to the next fair one, and eight for each channel that fair ones may take before it.
    wire [CHANNEL_W:0] turn = watched > \dut.fair_q ? {1'b0, watched} - {1'b0, \dut.fair_q } : {1'b0, watched} + (CHANNEL_W+1)'(CHANNELS) - {1'b0, \dut.fair_q };
    wire [31:0] at_most = 32'd8 - 32'(\dut.choice_q ) + 8 * (32'(turn) - 1);
    wire fair = \dut.choice_q == 3'd7;

    // Who is ahead of the one that is picked, at an ordinary choice.
    logic passed_over;
    always_comb begin
        passed_over = 1'b0;
        for (int c = 0; c < CHANNELS; c++) begin
            if (ready[c] && level[c*2 +: 2] > level[pick*2 +: 2]) passed_over = 1'b1;
            if (ready[c] && level[c*2 +: 2] == level[pick*2 +: 2]
                && (pick > \dut.last_q ? c > 32'(\dut.last_q ) && c < 32'(pick) : c > 32'(\dut.last_q ) || c < 32'(pick))) passed_over = 1'b1;
        end
    end

    `CHECK(rst || 32'(waited_q) + at_most <= 8 * CHANNELS)
    `CHECK(rst || 32'(waited_q) < 8 * CHANNELS)
    `CHECK(rst || 32'(\dut.last_q ) < CHANNELS)
    `CHECK(rst || 32'(\dut.fair_q ) < CHANNELS)
    `CHECK(!valid || ready[pick])
    `CHECK(valid || ready == '0)
    `CHECK(rst || !take || fair || !passed_over)

    `REACH(!rst && take && fair && pick == watched && waited_q == 8'd7)
    `REACH(!rst && take && !fair && pick == watched && waited_q != '0)
endmodule
