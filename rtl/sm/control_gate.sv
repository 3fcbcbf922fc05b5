// Between the issue stage and the divergence unit.
//
// A control instruction goes straight on (control_* to req_*, combinational). One whose targets come from a register (RET, BRX, JMX, JCALX)
// first reserves the unit (control_reserve_i, with its control_*) while execute gathers them; it goes on in the cycle after gather_done_i.
// control_ready_o: the unit takes an instruction, none is reserved and no fault waits.
// A fault of the unit stays here until warp_faults takes it (fault_*). good_o: done_* is an end without fault, and the warp is not held. A
// warp that is held is told in the cycle after (hold_o, event WARP_HELD).
`default_nettype none
`include "gen/bundles.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"

module control_gate #(
    parameter int THREADS = 32,
    parameter int WARPS = 4,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1
) (
    input  wire                 clk_i,
    input  wire                 rst_i,
    // from the issue stage; what execute has gathered
    `CONTROL_IN(control),
    input  wire                 control_reserve_i,
    input  wire                 gather_done_i,
    input  wire  [21:0]         gather_target_i,
    input  wire  [THREADS-1:0]  gather_group_i,
    // divergence unit
    `CONTROL_OUT(req),
    `CONTROL_DONE_IN(done),
    // what comes of it
    output logic                good_o,
    output logic                hold_o,
    output logic [WARP_W-1:0]   hold_warp_o,
    input  wire  [WARPS*22-1:0] instr_pc_i,  // of the warps' instructions
    `FAULT_FOUND_OUT(fault),
    `TRACE_WARP_HELD_PORTS
);

    logic reserved_q, gathered_q, fault_q;
    `CONTROL_KEPT_REG(kept);                    // target: what is added to the gathered ones
    logic [7:0] fault_code_q;

    assign control_ready_o = req_ready_i && !reserved_q && !fault_q;

    assign req_valid_o = control_valid_i || gathered_q;
    assign `CONTROL_PACK_O(req) = !gathered_q ? `CONTROL_PACK_I(control)
                                : {kept_warp_q, kept_opcode_q, kept_next_q, kept_exec_q, gather_target_i + kept_target_q, gather_group_i};

    assign good_o = done_valid_i && done_fault_i == `FAULT_NONE && !done_held_i;

    always_ff @(posedge clk_i) begin
        if (control_reserve_i) begin
            reserved_q <= 1'b1;
            `CONTROL_KEPT_PACK_Q(kept) <= `CONTROL_KEPT_PACK_I(control);
        end
        if (gather_done_i) gathered_q <= 1'b1;
        if (gathered_q && req_ready_i) begin
            gathered_q <= 1'b0;
            reserved_q <= 1'b0;
        end
        if (fault_taken_i) fault_q <= 1'b0;
        if (done_valid_i && done_fault_i != `FAULT_NONE) begin
            fault_q <= 1'b1;
            fault_warp_o <= done_warp_i;
            fault_code_q <= done_fault_i;
        end
        hold_o <= done_valid_i && done_held_i;
        if (done_held_i) hold_warp_o <= done_warp_i;
        if (rst_i) begin
            reserved_q <= 1'b0;
            gathered_q <= 1'b0;
            fault_q <= 1'b0;
            hold_o <= 1'b0;
        end
    end

    assign fault_valid_o = fault_q;
    assign fault_code_o = fault_code_q;
    assign fault_info_o = 32'(fault_warp_o);
    assign fault_pc_o = instr_pc_i[32'(fault_warp_o)*22 +: 22];

    assign trace_warp_held_valid_o = hold_o;
    assign trace_warp_held_warp_o = 8'(hold_warp_o);

    wire unused = &{1'b0, done_pc_i, done_ended_i};  // the warp table's

endmodule
`default_nettype wire
