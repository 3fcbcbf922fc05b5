// The thread ids (x, y, z in the CTA) of every thread of every warp, written by cta_launcher a portion or some lanes of it at a time, read by S2R.
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

    // A few rows of many bits, read with a register behind it: so it is block RAM.
    for (genvar l = 0; l < LANES; l++) begin : g_lane
        (* no_rw_check, ram_style = "block" *) logic [3*TID_W-1:0] ids_q [ROWS];
        logic [3*TID_W-1:0] read_q;
        assign read_o[l*3*TID_W +: 3*TID_W] = read_q;
        always_ff @(posedge clk_i) begin
            if (write_valid_i && write_lanes_i[l]) ids_q[ROW_W'(32'(write_warp_i) * P + 32'(write_portion_i))] <= write_data_i[l*3*TID_W +: 3*TID_W];
            if (read_i) read_q <= ids_q[ROW_W'(32'(read_warp_i) * P + 32'(read_portion_i))];
        end
    end

endmodule
`default_nettype wire
