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

    logic [WARPS*ROW_W-1:0] rows;

    assign clear_ready_o = !write_valid_i;

    logic [ROW_W-1:0] row;
    always_comb begin
        row = '0;
        for (int w = 0; w < WARPS; w++) if (read_warp_i == WARP_W'(w)) row = row | rows[w*ROW_W +: ROW_W];
    end
    always_ff @(posedge clk_i) if (read_i) read_o <= row;

    // Each bit by itself: one function of its place being written, its lane being in the mask, and the two values.
    for (genvar w = 0; w < WARPS; w++) begin : g_warp
        logic [ROW_W-1:0] bits_q;
        assign rows[w*ROW_W +: ROW_W] = bits_q;
        always_ff @(posedge clk_i) begin
            for (int k = 0; k < 7 * P; k++)
                if (write_valid_i && write_warp_i == WARP_W'(w) && 32'(write_pred_i) == k / P && 32'(write_portion_i) == k % P)
                    for (int l = 0; l < LANES; l++) if (write_lanes_i[l]) bits_q[k*LANES + l] <= write_data_i[l];
            if (clear_i && !write_valid_i && clear_warp_i == WARP_W'(w)) bits_q <= '0;
        end
    end

endmodule
`default_nettype wire
