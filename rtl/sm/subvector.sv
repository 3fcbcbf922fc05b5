// Which order a sub-vector sequence is executed in: asked by each SVSTART that a thread executes.
//
// Second (portion by portion) when the task has shared register rows, which the first order could not give each portion; else as the setting
// says (1 first, 2 second); else as the program says: ALWAYS, or AUTO: misses / accesses of the warp is at least threshold_i / 65536. A warp
// without an access has no rate: first, unless the threshold is 0.
// Combinational; go_i: the SVSTART is handed over in this cycle (event SV_MODE).
`default_nettype none
`include "gen/isa.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"

module subvector #(
    parameter int WARPS = 4,
    parameter int TASK_SLOTS = 4,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1
) (
    input  wire                     go_i,
    input  wire  [WARP_W-1:0]       warp_i,
    input  wire  [SLOT_W-1:0]       slot_i,
    input  wire  [3:0]              mod_i,
    input  wire  [1:0]              setting_i,    // SV_ORDER
    input  wire  [16:0]             threshold_i,  // SV_THRESHOLD
    input  wire  [TASK_SLOTS*8-1:0] slot_shared_rows_i,
    input  wire  [WARPS*16-1:0]     l1_accesses_i,
    input  wire  [WARPS*16-1:0]     l1_misses_i,
    output logic                    second_o,
    `TRACE_SV_MODE_PORTS
);

    wire [15:0] accesses = l1_accesses_i[32'(warp_i)*16 +: 16];
    wire [15:0] misses = l1_misses_i[32'(warp_i)*16 +: 16];
    wire        shared = slot_shared_rows_i[32'(slot_i)*8 +: 8] != 8'd0;
    wire        measured = threshold_i == 17'd0 || (accesses != 16'd0 && {1'b0, misses, 16'd0} >= 33'(accesses) * 33'(threshold_i));

    always_comb begin
        if (shared) second_o = 1'b1;
        else if (setting_i == `REG_SV_ORDER_ORDER_FIRST) second_o = 1'b0;
        else if (setting_i == `REG_SV_ORDER_ORDER_SECOND) second_o = 1'b1;
        else second_o = mod_i == `SV_ALWAYS || measured;
    end

    assign trace_sv_mode_valid_o = go_i;
    assign trace_sv_mode_warp_o = 8'(warp_i);
    assign trace_sv_mode_accesses_o = accesses;
    assign trace_sv_mode_misses_o = misses;
    assign trace_sv_mode_second_o = second_o;

endmodule
`default_nettype wire
