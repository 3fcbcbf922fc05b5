// Which YIELDs fire: per warp a count for each thread (NTH) and the state of a generator (RANDOM).
//
// warp_i, exec_i, mod_i, target_i: the instruction under way; they stay as they are until it is done and while counting_o. fires_o: its threads
// are switched off; of the cycle before. done_i: it is a YIELD, and done: the generator has rolled, or exec_i's threads get their new count, a
// portion a cycle (counting_o). Counts are not looked at meanwhile.
// start_i: warp start_warp_i begins, with no counts and start_seed_i (0 counts as 1); its counts are written likewise (uncounted_o is high too).
//   NTH: fires when count + 1 >= N (target_i) or count == 255, where count is that of the lowest thread of exec_i. Then 0, else count + 1.
//   RANDOM: fires when the next state of the generator (xorshift of 32 bits), bits 31:16, is below the threshold (target_i).
//   Any other: fires.
// bound_o: of sel_warp_i; no thread's count is higher.
// Latency: fires_o one cycle; counts THREADS / LANES cycles after start_i or done_i. Throughput: a YIELD in as many and one.
`default_nettype none
`include "gen/isa.svh"
`include "coverage.svh"
`include "token.svh"

module yield_counts #(
    parameter int THREADS = 32,
    parameter int LANES = 4,
    parameter int WARPS = 2,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1
) (
    input  wire                      clk_i,
    input  wire                      rst_i,
    input  wire                      start_i,
    input  wire  [WARP_W-1:0]        start_warp_i,
    input  wire  [31:0]              start_seed_i,
    input  wire  [WARP_W-1:0]        warp_i,
    input  wire  [THREADS-1:0]       exec_i,
    input  wire  [3:0]               mod_i,
    input  wire  [`TOKEN_ADDR_W-1:0] target_i,
    input  wire                      done_i,
    output logic                     fires_o,
    output logic                     counting_o,
    output logic                     uncounted_o,
    input  wire  [WARP_W-1:0]        sel_warp_i,
    output logic [7:0]               bound_o
);
    localparam int P = THREADS / LANES;
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1;

    // A count for each thread is in a RAM for each lane.
    logic                 counting_q;     // exec_i's threads get next_count_q, those of portion count_place_q now
    logic                 uncounted_q;    // .. all threads of a warp that starts get 0
    logic [WARP_W-1:0]    count_warp_q;
    logic [PORTION_W-1:0] count_place_q;
    logic                 fires_q;
    logic [7:0]           next_count_q;   // the count after a YIELD
    // No count of a warp is higher. Back to 0 when all its threads fire together; others' counts may still be as high when some of them do.
    logic [7:0]           count_bound_q [WARPS];
    logic [31:0]          random_q [WARPS];

    logic [8*LANES-1:0]   counts;         // of a portion
    logic [PORTION_W-1:0] count_place;
    logic [LANES-1:0]     count_lanes;
    logic [7:0]           count, count_d;
    logic [31:0]          random, random_1, random_2, random_d;
    logic                 fires;

    always_comb begin
        count_place = '0;
        for (int p = P - 1; p >= 0; p--) if (exec_i[p*LANES +: LANES] != '0) count_place = PORTION_W'(p);
        if (counting_q) count_place = count_place_q;
    end
    assign count_lanes = exec_i[32'(count_place)*LANES +: LANES];
    always_comb begin
        count = 8'd0;
        for (int l = LANES - 1; l >= 0; l--) if (count_lanes[l]) count = counts[l*8 +: 8];
    end
    wire [WARP_W+PORTION_W-1:0] count_row = {counting_q ? count_warp_q : warp_i, count_place};
    for (genvar l = 0; l < LANES; l++) begin : g_count
        logic [7:0] count_mem_q [1 << (WARP_W + PORTION_W)];
        assign counts[l*8 +: 8] = count_mem_q[count_row];
        always_ff @(posedge clk_i) if (counting_q && (uncounted_q || count_lanes[l])) count_mem_q[count_row] <= next_count_q;
    end
    assign random = random_q[warp_i];
    assign random_1 = random ^ (random << 13);
    assign random_2 = random_1 ^ (random_1 >> 17);
    assign random_d = random_2 ^ (random_2 << 5);
    always_comb begin
        case (mod_i)
            `YIELD_NTH: fires = 22'(count) + 22'd1 >= target_i || count == 8'd255;
            `YIELD_RANDOM: fires = 22'(random_d[31:16]) < target_i;
            default: fires = 1'b1;
        endcase
    end
    assign count_d = fires ? 8'd0 : count + 8'd1;

    assign fires_o = fires_q;
    assign counting_o = counting_q;
    assign uncounted_o = uncounted_q;
    assign bound_o = count_bound_q[sel_warp_i];

    always_ff @(posedge clk_i) begin
        if (!counting_q) fires_q <= fires;
        if (start_i) next_count_q <= 8'd0;
        else if (!counting_q) next_count_q <= count_d;

        if (start_i) begin
            count_bound_q[start_warp_i] <= 8'd0;
            random_q[start_warp_i] <= start_seed_i == 32'd0 ? 32'd1 : start_seed_i;
        end else if (done_i) begin
            if (mod_i == `YIELD_NTH && (fires_q ? exec_i == '1 : next_count_q > count_bound_q[warp_i])) count_bound_q[warp_i] <= next_count_q;
            if (mod_i == `YIELD_RANDOM) random_q[warp_i] <= random_d;
        end

        if (start_i || (done_i && mod_i == `YIELD_NTH)) begin
            counting_q <= 1'b1;
            uncounted_q <= start_i;
            count_warp_q <= start_i ? start_warp_i : warp_i;
            count_place_q <= '0;
        end else if (counting_q) begin
            count_place_q <= count_place_q + PORTION_W'(1);
            if (32'(count_place_q) == P - 1) counting_q <= 1'b0;
        end
        if (rst_i) counting_q <= 1'b0;
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) if (!rst_i) begin
        assert (!(start_i && done_i));
        assert (!(counting_q && (start_i || (done_i && mod_i == `YIELD_NTH))));
        if (done_i) assert (exec_i != '0);
    end
    always_ff @(posedge clk_i) if (!rst_i) begin
        `COVER(nth_fires, done_i && fires_q && mod_i == `YIELD_NTH && count != 8'd255)
        `COVER(nth_at_limit, done_i && fires_q && mod_i == `YIELD_NTH && count == 8'd255)
        `COVER(nth_counts, done_i && !fires_q && mod_i == `YIELD_NTH)
        `COVER(random_fires, done_i && fires_q && mod_i == `YIELD_RANDOM)
        `COVER(random_not, done_i && !fires_q && mod_i == `YIELD_RANDOM)
    end
`endif
endmodule
`default_nettype wire
