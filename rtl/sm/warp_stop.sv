// Warps that step aside: which ones enter a trap by request, and what the task unit must know of the warps of a slot. Combinational but for
// a bit a warp.
//
// A warp is to be stopped (stops_o) while its task slot is (slot_stop_i, which stays until the slot has no warp or is killed), or when its
// CTA comes back (start_resume_i), until it has entered its first trap. Then it executes nothing more: warp_table lets it enter when nothing
// of it is in flight (stop_i). Not while it is in a trap, nor while its JCALX or SVSTART has been done in part (partly_i): a trap does not
// show that.
// rests_o: no warp of the slot can go on (each waits for children or at a barrier, and none is about to start); waits_o: one waits for children;
// trapped_o: one is in a trap, or enters one since its CTA comes back.
`default_nettype none
`include "gen/bundles.svh"

module warp_stop #(
    parameter int WARPS = 4,
    parameter int TASK_SLOTS = 4,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1
) (
    input  wire                     clk_i,
    input  wire                     rst_i,
    input  wire  [TASK_SLOTS-1:0]   slot_stop_i,
    input  wire                     start_i,         // a warp starts
    input  wire  [WARP_W-1:0]       start_warp_i,
    input  wire                     start_resume_i,
    input  wire                     stop_i,          // a warp enters a trap by request
    input  wire  [WARP_W-1:0]       stop_warp_i,
    input  wire  [WARPS-1:0]        partly_i,
    input  wire                     trap_busy_i,     // a warp is in a trap
    input  wire  [WARP_W-1:0]       trap_warp_i,
    output logic [WARPS-1:0]        stops_o,
    // what the task unit must know
    input  wire  [WARPS-1:0]        live_i,
    input  wire  [WARPS*SLOT_W-1:0] slot_i,          // task slot of each warp
    input  wire  [WARPS-1:0]        at_barrier_i,
    input  wire  [WARPS-1:0]        waiting_i,       // for children
    input  wire                     launching_i,     // warps of launch_slot_i are about to start
    input  wire  [SLOT_W-1:0]       launch_slot_i,
    output logic [TASK_SLOTS-1:0]   rests_o,
    output logic [TASK_SLOTS-1:0]   waits_o,
    output logic [TASK_SLOTS-1:0]   trapped_o
);

    logic [WARPS-1:0] resume_q;

    wire [WARPS-1:0] one = WARPS'(1);
    wire [WARPS-1:0] start_set = start_i ? one << start_warp_i : '0;
    wire [WARPS-1:0] stop_set = stop_i ? one << stop_warp_i : '0;

    always_ff @(posedge clk_i) resume_q <= rst_i ? '0 : (resume_q & ~start_set & ~stop_set) | (start_resume_i ? start_set : '0);

    always_comb
        for (int w = 0; w < WARPS; w++)
            stops_o[w] = (slot_stop_i[slot_i[w*SLOT_W +: SLOT_W]] || resume_q[w]) && !partly_i[w] &&
                         !(trap_busy_i && trap_warp_i == WARP_W'(w));

    always_comb
        for (int k = 0; k < TASK_SLOTS; k++) begin
            rests_o[k] = !(launching_i && launch_slot_i == SLOT_W'(k));
            waits_o[k] = 1'b0;
            trapped_o[k] = 1'b0;
            for (int w = 0; w < WARPS; w++)
                if (live_i[w] && slot_i[w*SLOT_W +: SLOT_W] == SLOT_W'(k)) begin
                    if (!waiting_i[w] && !at_barrier_i[w]) rests_o[k] = 1'b0;
                    if (waiting_i[w]) waits_o[k] = 1'b1;
                    if (resume_q[w] || (trap_busy_i && trap_warp_i == WARP_W'(w))) trapped_o[k] = 1'b1;
                end
        end

endmodule
`default_nettype wire
