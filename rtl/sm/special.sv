// The special registers that are alike for all threads of a warp (S2R), combinational. The thread ids come from thread_ids.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"

module special #(
    parameter int TASK_SLOTS = 4,
    parameter int INJECT = 0,
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1
) (
    input  wire  [7:0]        inject_i,
    input  wire  [7:0]        sm_index_i,
    input  wire  [7:0]        number_i,
    input  wire  [SLOT_W-1:0] slot_i,
    input  wire  [7:0]        index_i,  // of the warp in its CTA
    output logic [1:0]        cta_word_o,  // CTA_WORD_*: what of its CTA is read, also by SRD, which has its number where S2R has
    input  wire  [31:0]       cta_i,
    input  wire  [63:0]       cycle_i,
    `SLOT_IDS_INS(slot, TASK_SLOTS),
    output logic [31:0]       value_o
);

    wire x_for_y = INJECT != 0 && inject_i == 8'd13 && number_i == `SR_CTAID_Y;
    assign cta_word_o = number_i[7] ? `CTA_WORD_RECORD : (number_i == `SR_CTAID_X || x_for_y) ? `CTA_WORD_X : `CTA_WORD_YZ;

    always_comb begin
        case (number_i)
            `SR_CTAID_X: value_o = cta_i;
            `SR_CTAID_Y: value_o = x_for_y ? cta_i : {16'd0, cta_i[15:0]};
            `SR_CTAID_Z: value_o = {16'd0, cta_i[31:16]};
            `SR_NTID_X: value_o = {16'd0, slot_ntid_x_i[32'(slot_i)*16 +: 16]};
            `SR_NTID_Y: value_o = {16'd0, slot_ntid_y_i[32'(slot_i)*16 +: 16]};
            `SR_NTID_Z: value_o = {16'd0, slot_ntid_z_i[32'(slot_i)*16 +: 16]};
            `SR_NCTAID_X: value_o = slot_grid_x_i[32'(slot_i)*32 +: 32];
            `SR_NCTAID_Y: value_o = {16'd0, slot_grid_y_i[32'(slot_i)*16 +: 16]};
            `SR_NCTAID_Z: value_o = {16'd0, slot_grid_z_i[32'(slot_i)*16 +: 16]};
            `SR_WARPID: value_o = {24'd0, index_i};
            `SR_SMID: value_o = {24'd0, sm_index_i};
            `SR_TMD: value_o = slot_tmd_i[32'(slot_i)*32 +: 32];
            `SR_CLOCK_LO: value_o = cycle_i[31:0];
            `SR_CLOCK_HI: value_o = cycle_i[63:32];
            default: value_o = 32'd0;
        endcase
    end

endmodule
`default_nettype wire
