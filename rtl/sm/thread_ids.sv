// The thread ids (x, y, z in the CTA) of every thread of every warp, written by cta_launcher a portion at a time, read by S2R.
// Read: warp and portion in cycle t (with read_i), ids in cycle t + 1 and on until the next read.
`default_nettype none
`include "gen/bundles.svh"

module thread_ids #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    localparam int P = THREADS / LANES,
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int TID_W = $clog2(WARPS * THREADS)
) (
    input  wire                      clk_i,
    `TID_WRITE_IN(write),
    input  wire                      read_i,
    input  wire  [WARP_W-1:0]        read_warp_i,
    input  wire  [PORTION_W-1:0]     read_portion_i,
    output logic [LANES*3*TID_W-1:0] read_o
);

    localparam int ROWS = WARPS * P;
    localparam int ROW_W = $clog2(ROWS);

    (* no_rw_check *) logic [LANES*3*TID_W-1:0] ids_q [ROWS];

    always_ff @(posedge clk_i) begin
        if (write_valid_i) ids_q[ROW_W'(32'(write_warp_i) * P + 32'(write_portion_i))] <= write_data_i;
        if (read_i) read_o <= ids_q[ROW_W'(32'(read_warp_i) * P + 32'(read_portion_i))];
    end

endmodule
`default_nettype wire
