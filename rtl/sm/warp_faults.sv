// Brings the faults of warps, which several units find, into one stream: one fault a cycle, as event WARP_FAULT and to the task unit.
//
// A source holds valid until source_taken_o. The one with the lowest number goes first. A fault stops its warp (warp_table) and the task unit
// answers by killing the warp's task slot. Further faults of a warp that has faulted, of instructions that were in flight, are taken and
// not told.
// Latency: a fault is told in the cycle after it has been taken, and its instruction counts as in flight until then (fault_source_o).
`default_nettype none
`include "gen/bundles.svh"
`include "gen/trace.svh"

module warp_faults #(
    parameter int SOURCES = 4,
    parameter int WARPS = 4,
    parameter int SLOT_W = 2,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1
) (
    input  wire                     clk_i,
    input  wire                     rst_i,
    `FAULT_FOUND_INS(source, SOURCES),
    input  wire  [WARPS*SLOT_W-1:0] slot_i,  // task slot of each warp
    input  wire  [WARPS-1:0]        faulted_i,

    `WARP_FAULT_OUT(fault),
    output logic [WARP_W-1:0]       fault_warp_o,
    output logic [SOURCES-1:0]      fault_source_o,  // whose fault leaves, told or not
    `TRACE_WARP_FAULT_PORTS
);

    logic [WARP_W-1:0] warp, warp_q;
    logic [7:0]        code, code_q;
    logic [31:0]       info, info_q;
    logic [21:0]       pc, pc_q;

    always_comb begin
        source_taken_o = '0;
        warp = '0;
        code = '0;
        info = '0;
        pc = '0;
        for (int s = SOURCES - 1; s >= 0; s--)
            if (source_valid_i[s]) begin
                source_taken_o = SOURCES'(1) << s;
                warp = source_warp_i[s*WARP_W +: WARP_W];
                code = source_code_i[s*8 +: 8];
                info = source_info_i[s*32 +: 32];
                pc = source_pc_i[s*22 +: 22];
            end
    end

    always_ff @(posedge clk_i) begin
        fault_source_o <= rst_i ? '0 : source_taken_o;
        warp_q <= warp;
        code_q <= code;
        info_q <= info;
        pc_q <= pc;
    end

    assign fault_valid_o = fault_source_o != '0 && !faulted_i[warp_q];
    assign fault_warp_o = warp_q;
    assign fault_code_o = code_q;
    assign fault_info_o = info_q;
    assign fault_pc_o = 32'(pc_q);
    assign fault_slot_o = slot_i[32'(warp_q)*SLOT_W +: SLOT_W];

    assign trace_warp_fault_valid_o = fault_valid_o;
    assign trace_warp_fault_warp_o = 8'(fault_warp_o);
    assign trace_warp_fault_code_o = fault_code_o;
    assign trace_warp_fault_info_o = fault_info_o;
    assign trace_warp_fault_pc_o = fault_pc_o;

endmodule
`default_nettype wire
