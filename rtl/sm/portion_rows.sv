// Addresses and data of the instructions of load_store while their portions are taken in and served, a row for each portion.
//
// In: a portion (in_*) goes to row in_row_i: in pass 0 its lanes, addresses, what atomics work with (b) and the first data register (c: of CAS
// the new value), further registers of wide stores one a pass. Out: the lanes of row row_i in the same cycle; its addresses in the cycle after
// read_i, until the next read_i. words_i: in the cycle after stand the words of STORE_LANES lanes, group group_i, of row row_i, with on_i of the
// row that was read last, until the next words_i: the RAM chooses among the lanes. A row is not read in the cycle in which it is written (words_i
// without on_i and read_i: what stands then means nothing).
// Throughput: a portion a cycle in, another out.
`default_nettype none

module portion_rows #(
    parameter int LANES = 8,
    parameter int ROWS = 16,
    parameter int STORE_LANES = 8,
    localparam int ROW_W = $clog2(ROWS),
    localparam int WORD_W = LANES * 32,
    localparam int GROUPS = LANES / STORE_LANES,
    localparam int GROUP_W = (GROUPS > 1) ? $clog2(GROUPS) : 1,
    localparam int SIDE_W = STORE_LANES * 32
) (
    input  wire                clk_i,
    input  wire                in_valid_i,
    input  wire  [ROW_W-1:0]   in_row_i,
    input  wire  [2:0]         in_pass_i,
    input  wire  [LANES-1:0]   in_lanes_i,
    input  wire  [WORD_W-1:0]  in_addr_i,
    input  wire  [WORD_W-1:0]  in_b_i,
    input  wire  [WORD_W-1:0]  in_c_i,
    input  wire                read_i,
    input  wire  [ROW_W-1:0]   row_i,
    output logic [LANES-1:0]   lanes_o,
    output logic [WORD_W-1:0]  addr_o,
    input  wire                words_i,
    input  wire                on_i,
    input  wire  [GROUP_W-1:0] group_i,
    output logic [SIDE_W-1:0]  operand_o,
    output logic [SIDE_W-1:0]  data0_o,
    output logic [SIDE_W-1:0]  data1_o,
    output logic [SIDE_W-1:0]  data2_o,
    output logic [SIDE_W-1:0]  data3_o
);

    localparam int SIDES = ROWS << GROUP_W;
    (* no_rw_check *) logic [LANES-1:0] lanes_mem_q [ROWS];
    // A block RAM's answer comes 5 ns later in the cycle, and much follows on an address; with many lanes LUT RAM would take too much room.
    (* no_rw_check, ram_style = (LANES > 4) ? "block" : "distributed" *) logic [WORD_W-1:0] addr_mem_q [ROWS];
    (* no_rw_check, ram_style = "block" *) logic [SIDE_W-1:0] operand_mem_q [SIDES];
    (* no_rw_check, ram_style = "block" *) logic [SIDE_W-1:0] data0_mem_q [SIDES];
    (* no_rw_check, ram_style = "block" *) logic [SIDE_W-1:0] data1_mem_q [SIDES];
    (* no_rw_check, ram_style = "block" *) logic [SIDE_W-1:0] data2_mem_q [SIDES];
    (* no_rw_check, ram_style = "block" *) logic [SIDE_W-1:0] data3_mem_q [SIDES];

    assign lanes_o = lanes_mem_q[row_i];

    logic [ROW_W-1:0] row_q;
    wire  [ROW_W-1:0] words_row = on_i ? row_q : row_i;

    always_ff @(posedge clk_i) begin
        if (in_valid_i) begin
            if (in_pass_i == 3'd0) lanes_mem_q[in_row_i] <= in_lanes_i;
            if (in_pass_i == 3'd0) addr_mem_q[in_row_i] <= in_addr_i;
            for (int g = 0; g < GROUPS; g++) begin
                if (in_pass_i == 3'd0) operand_mem_q[{in_row_i, GROUP_W'(g)}] <= in_b_i[g*SIDE_W +: SIDE_W];
                if (in_pass_i == 3'd0) data0_mem_q[{in_row_i, GROUP_W'(g)}] <= in_c_i[g*SIDE_W +: SIDE_W];
                if (in_pass_i == 3'd1) data1_mem_q[{in_row_i, GROUP_W'(g)}] <= in_c_i[g*SIDE_W +: SIDE_W];
                if (in_pass_i == 3'd2) data2_mem_q[{in_row_i, GROUP_W'(g)}] <= in_c_i[g*SIDE_W +: SIDE_W];
                if (in_pass_i == 3'd3) data3_mem_q[{in_row_i, GROUP_W'(g)}] <= in_c_i[g*SIDE_W +: SIDE_W];
            end
        end
        if (read_i) begin
            addr_o <= addr_mem_q[row_i];
            row_q <= row_i;
        end
        if (words_i) begin
            operand_o <= operand_mem_q[{words_row, group_i}];
            data0_o <= data0_mem_q[{words_row, group_i}];
            data1_o <= data1_mem_q[{words_row, group_i}];
            data2_o <= data2_mem_q[{words_row, group_i}];
            data3_o <= data3_mem_q[{words_row, group_i}];
        end
    end

`ifndef SYNTHESIS
    initial if (LANES % STORE_LANES != 0) $error("STORE_LANES must divide LANES");
    always_ff @(posedge clk_i) begin
        if (read_i) assert (!(in_valid_i && in_row_i == row_i));
        if (words_i && (on_i || read_i)) assert (!(in_valid_i && in_row_i == words_row));
    end
`endif

endmodule
`default_nettype wire
