// Addresses and data of the instructions of load_store while their portions are taken in and served, a row for each portion.
//
// In: a portion (in_*) goes to row in_row_i: in pass 0 its lanes, addresses and the first data register, further registers of wide stores
// one a pass; an atomic brings operand (b) and new value (c) in pass 0. Out: the lanes of row row_i in the same cycle; its addresses and data,
// a lane each, in the cycle after read_i, until the next read_i. A row is not read in the cycle in which it is written.
// Throughput: a portion a cycle in, another out.
`default_nettype none

module portion_rows #(
    parameter int LANES = 8,
    parameter int ROWS = 16,
    localparam int ROW_W = $clog2(ROWS),
    localparam int WORD_W = LANES * 32
) (
    input  wire                clk_i,
    input  wire                in_valid_i,
    input  wire  [ROW_W-1:0]   in_row_i,
    input  wire  [2:0]         in_pass_i,
    input  wire                in_atomic_i,
    input  wire  [LANES-1:0]   in_lanes_i,
    input  wire  [WORD_W-1:0]  in_addr_i,
    input  wire  [WORD_W-1:0]  in_b_i,
    input  wire  [WORD_W-1:0]  in_c_i,
    input  wire                read_i,
    input  wire  [ROW_W-1:0]   row_i,
    output logic [LANES-1:0]   lanes_o,
    output logic [WORD_W-1:0]  addr_o,
    output logic [WORD_W-1:0]  data0_o,
    output logic [WORD_W-1:0]  data1_o,
    output logic [WORD_W-1:0]  data2_o,
    output logic [WORD_W-1:0]  data3_o
);

    (* no_rw_check *) logic [LANES-1:0] lanes_mem_q [ROWS];
    (* no_rw_check, ram_style = "block" *) logic [WORD_W-1:0] addr_mem_q [ROWS];
    (* no_rw_check, ram_style = "block" *) logic [WORD_W-1:0] data0_mem_q [ROWS];
    (* no_rw_check, ram_style = "block" *) logic [WORD_W-1:0] data1_mem_q [ROWS];
    (* no_rw_check, ram_style = "block" *) logic [WORD_W-1:0] data2_mem_q [ROWS];
    (* no_rw_check, ram_style = "block" *) logic [WORD_W-1:0] data3_mem_q [ROWS];

    assign lanes_o = lanes_mem_q[row_i];

    always_ff @(posedge clk_i) begin
        if (in_valid_i) begin
            if (in_pass_i == 3'd0) lanes_mem_q[in_row_i] <= in_lanes_i;
            if (in_pass_i == 3'd0) addr_mem_q[in_row_i] <= in_addr_i;
            if (in_pass_i == 3'd0) data0_mem_q[in_row_i] <= in_atomic_i ? in_b_i : in_c_i;
            if (in_pass_i == 3'd1 || in_atomic_i) data1_mem_q[in_row_i] <= in_c_i;
            if (in_pass_i == 3'd2) data2_mem_q[in_row_i] <= in_c_i;
            if (in_pass_i == 3'd3) data3_mem_q[in_row_i] <= in_c_i;
        end
        if (read_i) begin
            addr_o <= addr_mem_q[row_i];
            data0_o <= data0_mem_q[row_i];
            data1_o <= data1_mem_q[row_i];
            data2_o <= data2_mem_q[row_i];
            data3_o <= data3_mem_q[row_i];
        end
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) if (read_i) assert (!(in_valid_i && in_row_i == row_i));
`endif

endmodule
`default_nettype wire
