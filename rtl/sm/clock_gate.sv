// The clock of a unit that often stands still, for simulation alone: what stands still is not evaluated.
//
// Logic between registers is evaluated by Verilator at the edges of their clocks. With clk_o, which has an edge only in cycles that end with enable_i and
// in AFTER cycles behind each of them, a unit between works costs nothing. Nothing else may hang on it: in every other tool clk_o is clk_i, so
// registers of clk_o must keep their values in the cycles that are left out. enable_i is looked at when
// clk_i falls: what it comes from has settled by then. With CLOCKS_RUN no clock stands: `make long LONG=clocks` compares what both do.
`default_nettype none

module clock_gate #(
    parameter int AFTER = 1
) (
    input  wire  clk_i,
    input  wire  enable_i,
    output logic clk_o
);

`ifdef VERILATOR
`ifndef CLOCKS_RUN
`define CLOCKS_STAND
`endif
`endif
`ifdef CLOCKS_STAND
    localparam int LEFT_W = $clog2(AFTER + 1);
    logic [LEFT_W-1:0] left_q;
    logic              enable_q;
    always_ff @(posedge clk_i) begin
        if (enable_i) left_q <= LEFT_W'(AFTER);
        else if (left_q != '0) left_q <= left_q - LEFT_W'(1);
    end
    always_ff @(negedge clk_i) enable_q <= enable_i || left_q != '0;
    assign clk_o = clk_i & enable_q;
`else
    assign clk_o = clk_i;
    wire unused = &{1'b0, enable_i, 1'(AFTER)};
`endif

endmodule
`default_nettype wire
