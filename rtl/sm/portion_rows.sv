// Addresses and data of one instruction of load_store while its portions are taken in and served.
//
// In: the portions of the instruction in any order (in_*), addresses in pass 0 together with the first data register, further registers
// of wide stores one a pass; an atomic brings operand (b) and new value (c) in pass 0. Out: while pick_i, next_* is the lowest
// portion of which exec_i has threads left; in the cycle after read_i stand its addresses and data, a lane each, until the next read_i.
// Latency one cycle, a portion a cycle. Rows that nobody has written read as they were: exec_i must name written portions only.
`default_nettype none

module portion_rows #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    localparam int P = THREADS / LANES,
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1,
    localparam int WORD_W = LANES * 32
) (
    input  wire                  clk_i,
    input  wire                  in_valid_i,
    input  wire  [PORTION_W-1:0] in_portion_i,
    input  wire  [2:0]           in_pass_i,
    input  wire                  in_atomic_i,
    input  wire  [WORD_W-1:0]    in_addr_i,
    input  wire  [WORD_W-1:0]    in_b_i,
    input  wire  [WORD_W-1:0]    in_c_i,
    input  wire                  pick_i,
    input  wire  [THREADS-1:0]   exec_i,  // threads of portions that are not begun
    output logic                 next_valid_o,
    output logic [PORTION_W-1:0] next_portion_o,
    output logic [LANES-1:0]     next_lanes_o,
    input  wire                  read_i,  // the next portion is begun
    output logic [WORD_W-1:0]    addr_o,
    output logic [WORD_W-1:0]    data0_o,
    output logic [WORD_W-1:0]    data1_o,
    output logic [WORD_W-1:0]    data2_o,
    output logic [WORD_W-1:0]    data3_o
);

    (* no_rw_check, ram_style = "block" *) logic [WORD_W-1:0] addr_mem_q [P];
    (* no_rw_check, ram_style = "block" *) logic [WORD_W-1:0] data0_mem_q [P];
    (* no_rw_check, ram_style = "block" *) logic [WORD_W-1:0] data1_mem_q [P];
    (* no_rw_check, ram_style = "block" *) logic [WORD_W-1:0] data2_mem_q [P];
    (* no_rw_check, ram_style = "block" *) logic [WORD_W-1:0] data3_mem_q [P];

    always_comb begin
        next_valid_o = 1'b0;
        next_portion_o = '0;
        next_lanes_o = '0;
        if (pick_i)
            for (int p = P - 1; p >= 0; p--)
                if (exec_i[p*LANES +: LANES] != '0) begin
                    next_valid_o = 1'b1;
                    next_portion_o = PORTION_W'(p);
                    next_lanes_o = exec_i[p*LANES +: LANES];
                end
    end

    always_ff @(posedge clk_i) begin
        if (in_valid_i) begin
            if (in_pass_i == 3'd0) addr_mem_q[in_portion_i] <= in_addr_i;
            if (in_pass_i == 3'd0) data0_mem_q[in_portion_i] <= in_atomic_i ? in_b_i : in_c_i;
            if (in_pass_i == 3'd1 || in_atomic_i) data1_mem_q[in_portion_i] <= in_c_i;
            if (in_pass_i == 3'd2) data2_mem_q[in_portion_i] <= in_c_i;
            if (in_pass_i == 3'd3) data3_mem_q[in_portion_i] <= in_c_i;
        end
        if (read_i) begin
            addr_o <= addr_mem_q[next_portion_o];
            data0_o <= data0_mem_q[next_portion_o];
            data1_o <= data1_mem_q[next_portion_o];
            data2_o <= data2_mem_q[next_portion_o];
            data3_o <= data3_mem_q[next_portion_o];
        end
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) if (read_i) assert (next_valid_o && !in_valid_i);
`endif

endmodule
`default_nettype wire
