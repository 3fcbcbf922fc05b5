// sm_select: between the registers and the SMs. What registers show of all SMs: WARPS_RESIDENT, DEQUE_HELD, whether a warp is held from the next
// cycle on; what they show of the SM that WARP_SELECT names, or of its warp; and the way of an operation on a token deque to that SM.
//
// resident_o is of the cycle before, all else combinational.
`default_nettype none
`include "gen/bundles.svh"

module sm_select #(
    parameter int WARPS = 4,
    parameter int SMS = 1
) (
    input  wire                  clk_i,
    input  wire                  rst_i,

    // registers
    input  wire  [15:0]          warp_select_i,     // WARP_SELECT
    output logic [15:0]          resident_o,        // warps
    output logic                 warp_held_o,       // pulse
    output logic [31:0]          deque_held_o,      // DEQUE_HELD
    output logic                 deque_selected_o,  // the warp of warp_select_i is held
    `DEQUE_IN(deque),                               // of a warp that is held
    `WARP_OUT(warp),                                // these two of an SM that there is not: the first one's
    `COUNTS_OUT(count),

    // SMs
    input  wire  [SMS*WARPS-1:0] sm_live_i,
    input  wire  [SMS-1:0]       sm_warp_held_i,
    input  wire  [SMS*WARPS-1:0] sm_held_i,
    `DEQUE_OUTS(sm_deque, SMS),
    `WARP_INS(sm_warp, SMS),
    `COUNTS_INS(sm_count, SMS)
);
    localparam int SM_W = (SMS > 1) ? $clog2(SMS) : 1;

    // ---- of all ----
    logic [15:0] resident_d;
    always_ff @(posedge clk_i) resident_o <= rst_i ? 16'd0 : resident_d;
    always_comb begin
        resident_d = '0;
        for (int i = 0; i < SMS * WARPS; i++) resident_d = resident_d + 16'(sm_live_i[i]);
    end

    assign warp_held_o = sm_warp_held_i != '0;
    always_comb begin
        deque_held_o = '0;
        for (int w = SMS * WARPS - 1; w >= 0; w--) if (sm_held_i[w]) deque_held_o = {16'h8000, 8'(w / WARPS), 8'(w % WARPS)};
    end

    // ---- of one ----
    always_comb begin
        `COUNTS_PACK_O(count) = `COUNTS_PICK_I(sm_count, 0);
        `WARP_PACK_O(warp) = `WARP_PICK_I(sm_warp, 0);
        deque_ends_o = sm_deque_ends_i[31:0];
        deque_kept_o = sm_deque_kept_i[31:0];
        for (int g = 1; g < SMS; g++)
            if (warp_select_i[15:8] == 8'(g)) begin
                `COUNTS_PACK_O(count) = `COUNTS_PICK_I(sm_count, g);
                `WARP_PACK_O(warp) = `WARP_PICK_I(sm_warp, g);
                deque_ends_o = sm_deque_ends_i[g*32 +: 32];
                deque_kept_o = sm_deque_kept_i[g*32 +: 32];
            end
    end
    always_comb begin
        deque_selected_o = 1'b0;
        deque_ready_o = 1'b0;
        for (int g = 0; g < SMS; g++)
            if (warp_select_i[15:8] == 8'(g)) begin
                for (int w = 0; w < WARPS; w++) if (warp_select_i[7:0] == 8'(w)) deque_selected_o = sm_held_i[g*WARPS + w];
                deque_ready_o = sm_deque_ready_i[g];
            end
    end
    for (genvar g = 0; g < SMS; g++) begin : g_sm
        // Of a warp that is held, so the SM in WARP_SELECT is one that there is.
        assign sm_deque_valid_o[g] = deque_valid_i && (SMS == 1 || warp_select_i[8 +: SM_W] == SM_W'(g));
        assign `DEQUE_PICK_O(sm_deque, g) = `DEQUE_PACK_I(deque);
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) if (!rst_i && deque_valid_i) assert (warp_select_i[15:8] < 8'(SMS));
`endif
endmodule
`default_nettype wire
