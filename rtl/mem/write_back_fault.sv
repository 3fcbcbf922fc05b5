// write_back_fault: a lost write-back of the memory unit (lost_*) is a fault of its channel like those of the task unit (task_fault_*), and goes
// among them to the host (fault_*).
//
// It waits while one of these is told or on its way, and while a register is written: so which comes first is the same for everybody.
// Combinational.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/registers.svh"

module write_back_fault #(
    parameter int SMS = 1,
    parameter int CHANNELS = 2,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    `LOST_IN(lost),
    `FAULT_IN(task_fault),
    input  wire  [SMS-1:0] sm_fault_valid_i,  // a warp's, on its way to the task unit
    input  wire            register_write_i,
    `FAULT_OUT(fault)
);
    assign lost_take_o = lost_valid_i && !task_fault_valid_i && sm_fault_valid_i == '0 && !register_write_i;
    assign fault_valid_o = task_fault_valid_i || lost_take_o;
    assign `FAULT_PACK_O(fault) = lost_take_o ? {lost_channel_i, `FAULT_BUS_ERROR, lost_addr_i, 32'd0} : `FAULT_PACK_I(task_fault);

`ifndef SYNTHESIS
    // Lines begin at multiples of their size in every space.
    always @* assert (!lost_valid_i || lost_addr_i[4:0] == 5'd0 || $isunknown(lost_valid_i) || $isunknown(lost_addr_i[4:0]));
`endif
endmodule
`default_nettype wire
