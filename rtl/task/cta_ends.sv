// cta_ends: the ends of CTAs that SMs tell, one a cycle (end_*).
//
// One SM ends one a cycle: it is told in the next one. Several may end one each: they are counted for each SM and slot, those that leave apart,
// and told the lowest SM first, then the lowest slot.
`default_nettype none
`include "gen/bundles.svh"

module cta_ends #(
    parameter int SMS = 1,
    parameter int TASK_SLOTS = 2,
    parameter int COUNT_W = 3,  // CTAs of an SM that have ended and are not told
    localparam int SM_W = (SMS > 1) ? $clog2(SMS) : 1,
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1
) (
    input  wire               clk_i,
    input  wire               rst_i,
    `CTA_DONE_INS(cta_done, SMS),
    output logic              end_valid_o,
    output logic [SM_W-1:0]   end_sm_o,
    output logic [SLOT_W-1:0] end_slot_o,
    output logic              end_left_o
);
    if (SMS == 1) begin : g_one
        always_ff @(posedge clk_i) begin
            end_valid_o <= cta_done_valid_i[0] && !rst_i;
            end_slot_o <= cta_done_slot_i;
            end_left_o <= cta_done_left_i[0];
        end
        assign end_sm_o = '0;
    end else begin : g_several
        logic [2*SMS*TASK_SLOTS*COUNT_W-1:0] done_q;  // of each slot first those that have ended, then those that have left
        always_comb begin
            end_valid_o = 1'b0;
            end_sm_o = '0;
            end_slot_o = '0;
            end_left_o = 1'b0;
            for (int s = SMS - 1; s >= 0; s--) begin
                for (int k = 2 * TASK_SLOTS - 1; k >= 0; k--) begin
                    if (done_q[COUNT_W*(2*s*TASK_SLOTS+k) +: COUNT_W] != '0) begin
                        end_valid_o = 1'b1;
                        end_sm_o = SM_W'(s);
                        end_slot_o = SLOT_W'(k / 2);
                        end_left_o = 1'(k % 2);
                    end
                end
            end
        end
        for (genvar s = 0; s < SMS; s++) begin : g_sm
            for (genvar k = 0; k < 2 * TASK_SLOTS; k++) begin : g_slot
                localparam int AT = COUNT_W * (2 * s * TASK_SLOTS + k);
                logic more, less;
                assign more = cta_done_valid_i[s] && cta_done_slot_i[SLOT_W*s +: SLOT_W] == SLOT_W'(k / 2) && cta_done_left_i[s] == 1'(k % 2);
                assign less = end_valid_o && end_sm_o == SM_W'(s) && end_slot_o == SLOT_W'(k / 2) && end_left_o == 1'(k % 2);
                always_ff @(posedge clk_i) begin
                    if (rst_i) done_q[AT +: COUNT_W] <= '0;
                    else done_q[AT +: COUNT_W] <= done_q[AT +: COUNT_W] + COUNT_W'(more) - COUNT_W'(less);
                end
`ifndef SYNTHESIS
                always_ff @(posedge clk_i) if (!rst_i) assert (!more || less || done_q[AT +: COUNT_W] != '1);
`endif
            end
        end
    end
endmodule
`default_nettype wire
