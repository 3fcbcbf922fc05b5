// Brings the faults of warps, which several units find, into one stream: one fault a cycle, as event WARP_FAULT and to the task unit.
//
// A source holds valid until source_taken_o. The one with the lowest number goes first. A fault stops its warp (warp_table) and the task unit
// answers by killing the warp's task slot. Further faults of a warp that has faulted, of instructions that were in flight, are taken and
// not told.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/trace.svh"

module warp_faults #(
    parameter int SOURCES = 4,
    parameter int WARPS = 4,
    parameter int SLOT_W = 2,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1
) (
    `FAULT_FOUND_INS(source, SOURCES),
    input  wire  [WARPS*SLOT_W-1:0] slot_i,  // task slot of each warp
    input  wire  [WARPS-1:0]        faulted_i,

    `WARP_FAULT_OUT(fault),
    output logic [WARP_W-1:0]       fault_warp_o,
    `TRACE_WARP_FAULT_PORTS
);

    always_comb begin
        source_taken_o = '0;
        fault_warp_o = '0;
        fault_code_o = '0;
        fault_info_o = '0;
        fault_pc_o = '0;
        if (source_valid_i != '0)
            for (int s = SOURCES - 1; s >= 0; s--)
                if (source_valid_i[s]) begin
                    source_taken_o = SOURCES'(1) << s;
                    fault_warp_o = source_warp_i[s*WARP_W +: WARP_W];
                    fault_code_o = source_code_i[s*8 +: 8];
                    fault_info_o = source_info_i[s*32 +: 32];
                    fault_pc_o = 32'(source_pc_i[s*22 +: 22]);
                end
        fault_valid_o = source_valid_i != '0 && !faulted_i[fault_warp_o];
        fault_slot_o = slot_i[32'(fault_warp_o)*SLOT_W +: SLOT_W];
    end

    assign trace_warp_fault_valid_o = fault_valid_o;
    assign trace_warp_fault_warp_o = 8'(fault_warp_o);
    assign trace_warp_fault_code_o = fault_code_o;
    assign trace_warp_fault_info_o = fault_info_o;
    assign trace_warp_fault_pc_o = fault_pc_o;

endmodule
`default_nettype wire
