// The predicates P0 to P6 of all warps, 7 x THREADS bits a warp: bit p * THREADS + t is predicate p of thread t.
//
// Read: warp in cycle t (with read_i), all predicates in cycle t + 1 and on until the next read. Write: LANES bits of one predicate
// under a mask, at the clock edge. clear_i sets a warp's predicates to zero; it is taken when clear_ready_o is high (no write).
`default_nettype none
`include "gen/bundles.svh"

module predicate_file #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    localparam int P = THREADS / LANES,
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1
) (
    input  wire                  clk_i,
    input  wire                  read_i,
    input  wire  [WARP_W-1:0]    read_warp_i,
    output logic [7*THREADS-1:0] read_o,
    `PRED_WRITE_IN(write),
    input  wire                  clear_i,
    input  wire  [WARP_W-1:0]    clear_warp_i,
    output logic                 clear_ready_o
);

    localparam int ROW_W = 7 * THREADS;

    logic [ROW_W-1:0] row_q [WARPS];

    assign clear_ready_o = !write_valid_i;

    wire [LANES-1:0] ones = write_data_i & write_lanes_i;
    logic [ROW_W-1:0] mask, data;
    always_comb begin
        mask = '0;
        data = '0;
        if (write_valid_i) begin
            mask = ROW_W'(write_lanes_i) << (32'(write_pred_i) * THREADS + 32'(write_portion_i) * LANES);
            data = ROW_W'(ones) << (32'(write_pred_i) * THREADS + 32'(write_portion_i) * LANES);
        end
    end

    always_ff @(posedge clk_i) begin
        if (read_i) read_o <= row_q[read_warp_i];
        if (write_valid_i) row_q[write_warp_i] <= (row_q[write_warp_i] & ~mask) | data;
        else if (clear_i) row_q[clear_warp_i] <= '0;
    end

endmodule
`default_nettype wire
