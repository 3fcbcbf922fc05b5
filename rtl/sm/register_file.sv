// The vector registers: VGPR_ROWS rows of LANES x 32 bits. A register is named {0, number}: row = number * P + portion, or {1, row}: one
// row for all portions (a shared register), whatever the portion.
//
// Read: rows in cycle t (with read_i), data in cycle t + 1 and on until the next read; zeros of a port whose bit of zeros_i is set. Three ports; the
// synthesis tool replicates the RAM for them. Write: the row is announced in cycle t (prepare_i), lane mask and data, zeros outside it, come in cycle
// t + 1 (write_i). One write a cycle. A register that nobody wrote since its warp started reads as zero: a bit a row tells; the first write of a row
// fills the lanes outside its mask. clear_* forgets registers (all their portions), up to four side by side; it is taken when clear_ready_o is high
// (no write).
// Who reads a row in the cycle in which it is written gets what is written, past the RAM (kept_a_q, kept_b_q, kept_c_q).
// b_else_i comes in cycle t + 1: what b_o has where b names no register (zeros_i), zeros else; here it costs b_o no gate more.
`default_nettype none
`include "gen/bundles.svh"

module register_file #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int VGPR_ROWS = 1024,
    parameter int INJECT = 0,
    localparam int P = THREADS / LANES,
    localparam int REGS = VGPR_ROWS / P,
    localparam int REG_W = $clog2(REGS),
    localparam int REF_W = REG_W + $clog2(P) + 1,
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1
) (
    input  wire                  clk_i,
    input  wire  [7:0]           inject_i,

    input  wire                  read_i,
    input  wire  [PORTION_W-1:0] read_portion_i,
    input  wire  [REF_W-1:0]     reg_a_i,
    input  wire  [REF_W-1:0]     reg_b_i,
    input  wire  [REF_W-1:0]     reg_c_i,
    input  wire  [2:0]           zeros_i,  // c, b, a
    input  wire  [LANES*32-1:0]  b_else_i,
    output logic [LANES*32-1:0]  a_o,
    output logic [LANES*32-1:0]  b_o,
    output logic [LANES*32-1:0]  c_o,

    input  wire                  prepare_i,
    input  wire  [REF_W-1:0]     prepare_reg_d_i,
    input  wire  [PORTION_W-1:0] prepare_portion_i,
    input  wire                  write_i,
    input  wire  [LANES-1:0]     write_lanes_i,
    input  wire  [LANES*32-1:0]  write_data_i,

    `CLEAR_IN(clear)
);

    localparam int ROW_W = $clog2(VGPR_ROWS);

    function automatic [ROW_W-1:0] row_of(input [REF_W-1:0] register, input [PORTION_W-1:0] portion);
        row_of = register[REF_W-1] ? ROW_W'(register) : ROW_W'(32'(register) * P + 32'(portion));
    endfunction
    wire [ROW_W-1:0] row_a = row_of(reg_a_i, read_portion_i);
    wire [ROW_W-1:0] row_b = row_of(reg_b_i, read_portion_i);
    wire [ROW_W-1:0] row_c = row_of(reg_c_i, read_portion_i);

    logic [ROW_W-1:0]     write_row_q;
    wire  [ROW_W-1:0]     prepare_row = row_of(prepare_reg_d_i, prepare_portion_i);
    wire  [REG_W-1:0]     write_reg = REG_W'(32'(write_row_q) / P);
    wire  [PORTION_W-1:0] write_portion = PORTION_W'(32'(write_row_q) % P);

    // Which portions of a register have been written: four RAMs whose words are changed where they stand; register r is in number r % 4.
    wire [REG_W-1:0] reg_a = REG_W'(32'(row_a) / P), reg_b = REG_W'(32'(row_b) / P), reg_c = REG_W'(32'(row_c) / P);
    logic [4*P-1:0] already_of, written_a, written_b, written_c;
    logic [P-1:0] written_a_q, written_b_q, written_c_q;
    logic [PORTION_W-1:0] portion_a_q, portion_b_q, portion_c_q;

    wire [P-1:0]     already = already_of[32'(write_reg[1:0])*P +: P];
    wire [P-1:0]     portion_bit = P'(1) << write_portion;
    wire [REG_W-3:0] written_group = write_i ? write_reg[REG_W-1:2] : clear_group_i;
    wire             forget = clear_valid_i && !(INJECT != 0 && inject_i == 8'd14);
    wire             first_write = (already & portion_bit) == '0;
    assign clear_ready_o = !write_i;

    always_ff @(posedge clk_i) begin
        if (read_i) begin
            written_a_q <= written_a[32'(reg_a[1:0])*P +: P];
            written_b_q <= written_b[32'(reg_b[1:0])*P +: P];
            written_c_q <= written_c[32'(reg_c[1:0])*P +: P];
            portion_a_q <= PORTION_W'(32'(row_a) % P);
            portion_b_q <= PORTION_W'(32'(row_b) % P);
            portion_c_q <= PORTION_W'(32'(row_c) % P);
        end
        if (prepare_i) write_row_q <= prepare_row;
    end

    // What is written while it is read. Lanes outside the mask keep what the RAM has, or are zero, since the bit of a first write is not set yet.
    logic [2:0]          zeros_q;
    logic [LANES-1:0]    past_a_q, past_b_q, past_c_q;  // lanes that take it
    logic [LANES*32-1:0] kept_a_q, kept_b_q, kept_c_q;
    wire  [LANES-1:0]    written_lanes = (write_i && !(INJECT != 0 && inject_i == 8'd62)) ? write_lanes_i : '0;
    wire  [LANES-1:0]    past_a = (write_row_q == row_a && !zeros_i[0]) ? written_lanes : '0;
    wire  [LANES-1:0]    past_b = (write_row_q == row_b && !zeros_i[1]) ? written_lanes : '0;
    wire  [LANES-1:0]    past_c = (write_row_q == row_c && !zeros_i[2]) ? written_lanes : '0;
    always_ff @(posedge clk_i)
        if (read_i) begin
            zeros_q <= zeros_i;
            past_a_q <= past_a;
            past_b_q <= past_b;
            past_c_q <= past_c;
            for (int l = 0; l < LANES; l++) begin
                kept_a_q[l*32 +: 32] <= past_a[l] ? write_data_i[l*32 +: 32] : 32'd0;
                kept_b_q[l*32 +: 32] <= past_b[l] ? write_data_i[l*32 +: 32] : 32'd0;
                kept_c_q[l*32 +: 32] <= past_c[l] ? write_data_i[l*32 +: 32] : 32'd0;
            end
        end
    wire there_a = written_a_q[portion_a_q] && !zeros_q[0], there_b = written_b_q[portion_b_q] && !zeros_q[1];
    wire there_c = written_c_q[portion_c_q] && !zeros_q[2];

    for (genvar k = 0; k < 4; k++) begin : g_written
        logic [P-1:0] mem_q [REGS / 4];
        assign already_of[k*P +: P] = mem_q[write_reg[REG_W-1:2]];
        assign written_a[k*P +: P] = mem_q[reg_a[REG_W-1:2]];
        assign written_b[k*P +: P] = mem_q[reg_b[REG_W-1:2]];
        assign written_c[k*P +: P] = mem_q[reg_c[REG_W-1:2]];
        wire changes = write_i ? write_reg[1:0] == 2'(k) : forget && clear_which_i[k];
        always_ff @(posedge clk_i) if (changes) mem_q[written_group] <= write_i ? already | portion_bit : '0;
    end

    for (genvar l = 0; l < LANES; l++) begin : g_lane
        (* no_rw_check *) logic [31:0] mem_q [VGPR_ROWS];
        logic [31:0] a_q, b_q, c_q;
        always_ff @(posedge clk_i) begin
            if (read_i) begin
                a_q <= mem_q[row_a];
                b_q <= mem_q[row_b];
                c_q <= mem_q[row_c];
            end
            if (write_i && (write_lanes_i[l] || first_write)) mem_q[write_row_q] <= write_data_i[l*32 +: 32];
        end
        assign a_o[l*32 +: 32] = kept_a_q[l*32 +: 32] | ((there_a && !past_a_q[l]) ? a_q : 32'd0);
        assign b_o[l*32 +: 32] = kept_b_q[l*32 +: 32] | ((there_b && !past_b_q[l]) ? b_q : 32'd0) | b_else_i[l*32 +: 32];
        assign c_o[l*32 +: 32] = kept_c_q[l*32 +: 32] | ((there_c && !past_c_q[l]) ? c_q : 32'd0);
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i)
        if (write_i) for (int l = 0; l < LANES; l++) assert (write_lanes_i[l] || write_data_i[l*32 +: 32] == 32'd0);
`endif

endmodule
`default_nettype wire
