// The vector registers: VGPR_ROWS rows of LANES x 32 bits. A register is named {0, number}: row = number * P + portion, or {1, row}: one
// row for all portions (a shared register), whatever the portion.
//
// Read: rows in cycle t (with read_i), data in cycle t + 1 and on until the next read; zeros of a port whose bit of zeros_i is set. Three ports; the
// synthesis tool replicates the RAM for them. Write: the row is announced in cycle t (prepare_i), lane mask and data, zeros outside it, come in cycle
// t + 1 (write_i). load_* is a second port to write, of the same protocol. The file has two halves, of which each writes one row a cycle, so the two
// may not name rows of one half in one cycle. Portions of a register are in the halves by turns, and so are the first portions of registers: what goes
// on in rows, be it portions of a register or registers of a portion, leaves every other cycle of a half to the other port.
// A register that nobody wrote since its warp started reads as zero: a bit a row tells; the first write of a row fills the lanes outside its mask.
// clear_* forgets registers (all their portions), up to four side by side; it is taken when clear_ready_o is high (no write).
// Who reads a row in the cycle in which it is written gets what is written, past the RAM (kept_*_q, new_*_q).
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

    input  wire                  load_prepare_i,
    input  wire  [REF_W-1:0]     load_prepare_reg_d_i,
    input  wire  [PORTION_W-1:0] load_prepare_portion_i,
    input  wire                  load_i,
    input  wire  [LANES-1:0]     load_lanes_i,
    input  wire  [LANES*32-1:0]  load_data_i,

    `CLEAR_IN(clear)
);

    localparam int ROW_W = $clog2(VGPR_ROWS);
    localparam int PLACE_W = $clog2(P);

    function automatic [ROW_W-1:0] row_of(input [REF_W-1:0] register, input [PORTION_W-1:0] portion);
        row_of = register[REF_W-1] ? ROW_W'(register) : ROW_W'(32'(register) * P + 32'(portion));
    endfunction
    wire [ROW_W-1:0] row_a = row_of(reg_a_i, read_portion_i);
    wire [ROW_W-1:0] row_b = row_of(reg_b_i, read_portion_i);
    wire [ROW_W-1:0] row_c = row_of(reg_c_i, read_portion_i);

    logic [ROW_W-1:0] write_row_q, load_row_q;
    always_ff @(posedge clk_i) begin
        if (prepare_i) write_row_q <= row_of(prepare_reg_d_i, prepare_portion_i);
        if (load_prepare_i) load_row_q <= row_of(load_prepare_reg_d_i, load_prepare_portion_i);
    end

    // Of two rows side by side one is in each half.
    function automatic half_of(input [ROW_W-1:0] row);
        half_of = row[0] ^ row[PLACE_W];
    endfunction
    wire  write_half = half_of(write_row_q), load_half = half_of(load_row_q), half_a = half_of(row_a), half_b = half_of(row_b), half_c = half_of(row_c);

    // What each half writes.
    logic [1:0]                writes;
    logic [ROW_W-2:0]          half_pair [2];
    logic [LANES-1:0]          half_lanes [2];
    logic [LANES*32-1:0]       half_data [2];
    always_comb
        for (int h = 0; h < 2; h++) begin
            writes[h] = (write_i && write_half == 1'(h)) || (load_i && load_half == 1'(h));
            half_pair[h] = (write_i && write_half == 1'(h)) ? write_row_q[ROW_W-1:1] : load_row_q[ROW_W-1:1];
            half_lanes[h] = (write_i && write_half == 1'(h)) ? write_lanes_i : load_lanes_i;
            half_data[h] = (write_i && write_half == 1'(h)) ? write_data_i : load_data_i;
        end

    // Which portions of a register have been written: of each half four RAMs whose words are changed where they stand; register r is in number r % 4.
    wire [REG_W-1:0] reg_a = REG_W'(32'(row_a) / P), reg_b = REG_W'(32'(row_b) / P), reg_c = REG_W'(32'(row_c) / P);
    localparam int HALF = P / 2;
    localparam int HALF_W = (HALF > 1) ? $clog2(HALF) : 1;
    logic [4*HALF-1:0] written_a [2], written_b [2], written_c [2];
    logic [3:0]      first_write [2];
    wire             forget = clear_valid_i && clear_ready_o && !(INJECT != 0 && inject_i == 8'd14);
    assign clear_ready_o = !write_i && !load_i;

    // What is written while it is read, by which port. Lanes outside the mask keep what the RAM has, or are zero, since the bit of a first write is not
    // set yet. Each operand is what is or-ed of both ports and both halves, of which at most one is not zero in a lane.
    wire  [LANES-1:0] written_lanes = (write_i && !(INJECT != 0 && inject_i == 8'd62)) ? write_lanes_i : '0;
    wire  [LANES-1:0] loaded_lanes = load_i ? load_lanes_i : '0;
    wire  [LANES-1:0] past_a = (write_row_q == row_a && !zeros_i[0]) ? written_lanes : '0, past_b = (write_row_q == row_b && !zeros_i[1]) ? written_lanes : '0;
    wire  [LANES-1:0] past_c = (write_row_q == row_c && !zeros_i[2]) ? written_lanes : '0;
    wire  [LANES-1:0] loaded_a = (load_row_q == row_a && !zeros_i[0]) ? loaded_lanes : '0, loaded_b = (load_row_q == row_b && !zeros_i[1]) ? loaded_lanes : '0;
    wire  [LANES-1:0] loaded_c = (load_row_q == row_c && !zeros_i[2]) ? loaded_lanes : '0;
    logic [HALF-1:0]  portions_a, portions_b, portions_c;
    wire  there_a = portions_a[HALF_W'(32'(row_a) % P / 2)] && !zeros_i[0], there_b = portions_b[HALF_W'(32'(row_b) % P / 2)] && !zeros_i[1];
    wire  there_c = portions_c[HALF_W'(32'(row_c) % P / 2)] && !zeros_i[2];
    always_comb begin
        portions_a = written_a[half_a][32'(reg_a[1:0])*HALF +: HALF];
        portions_b = written_b[half_b][32'(reg_b[1:0])*HALF +: HALF];
        portions_c = written_c[half_c][32'(reg_c[1:0])*HALF +: HALF];
    end

    logic [LANES*32-1:0] kept_a_q, kept_b_q, kept_c_q, new_a_q, new_b_q, new_c_q;  // of the lanes, of a memory unit
    always_ff @(posedge clk_i)
        if (read_i)
            for (int l = 0; l < LANES; l++) begin
                kept_a_q[l*32 +: 32] <= past_a[l] ? write_data_i[l*32 +: 32] : 32'd0;
                kept_b_q[l*32 +: 32] <= past_b[l] ? write_data_i[l*32 +: 32] : 32'd0;
                kept_c_q[l*32 +: 32] <= past_c[l] ? write_data_i[l*32 +: 32] : 32'd0;
                new_a_q[l*32 +: 32] <= loaded_a[l] ? load_data_i[l*32 +: 32] : 32'd0;
                new_b_q[l*32 +: 32] <= loaded_b[l] ? load_data_i[l*32 +: 32] : 32'd0;
                new_c_q[l*32 +: 32] <= loaded_c[l] ? load_data_i[l*32 +: 32] : 32'd0;
            end

    for (genvar h = 0; h < 2; h++) begin : g_written_half
        wire  [REG_W-1:0] register = REG_W'(32'(half_pair[h]) / HALF);
        wire  [HALF-1:0]  portion_bit = HALF'(1) << HALF_W'(32'(half_pair[h]) % HALF);
        wire  [REG_W-3:0] group = writes[h] ? register[REG_W-1:2] : clear_group_i;
        for (genvar k = 0; k < 4; k++) begin : g_written
            logic [HALF-1:0] mem_q [REGS / 4];
            wire  [HALF-1:0] already = mem_q[group];
            assign written_a[h][k*HALF +: HALF] = mem_q[reg_a[REG_W-1:2]];
            assign written_b[h][k*HALF +: HALF] = mem_q[reg_b[REG_W-1:2]];
            assign written_c[h][k*HALF +: HALF] = mem_q[reg_c[REG_W-1:2]];
            assign first_write[h][k] = (already & portion_bit) == '0 && register[1:0] == 2'(k);
            wire changes = writes[h] ? register[1:0] == 2'(k) : forget && clear_which_i[k];
            always_ff @(posedge clk_i) if (changes) mem_q[group] <= writes[h] ? already | portion_bit : '0;
        end
    end

    for (genvar l = 0; l < LANES; l++) begin : g_lane
        logic [31:0] a_q [2];
        logic [31:0] b_q [2];
        logic [31:0] c_q [2];
        wire a_there = there_a && !past_a[l] && !loaded_a[l], b_there = there_b && !past_b[l] && !loaded_b[l];
        wire c_there = there_c && !past_c[l] && !loaded_c[l];
        for (genvar h = 0; h < 2; h++) begin : g_half
            (* no_rw_check *) logic [31:0] mem_q [VGPR_ROWS / 2];
            always_ff @(posedge clk_i) begin
                if (read_i && !(a_there && half_a == 1'(h))) a_q[h] <= 32'd0;
                else if (read_i) a_q[h] <= mem_q[row_a[ROW_W-1:1]];
                if (read_i && !(b_there && half_b == 1'(h))) b_q[h] <= 32'd0;
                else if (read_i) b_q[h] <= mem_q[row_b[ROW_W-1:1]];
                if (read_i && !(c_there && half_c == 1'(h))) c_q[h] <= 32'd0;
                else if (read_i) c_q[h] <= mem_q[row_c[ROW_W-1:1]];
                if (writes[h] && (half_lanes[h][l] || first_write[h] != 4'd0)) mem_q[half_pair[h]] <= half_data[h][l*32 +: 32];
            end
        end
        assign a_o[l*32 +: 32] = kept_a_q[l*32 +: 32] | new_a_q[l*32 +: 32] | a_q[0] | a_q[1];
        assign b_o[l*32 +: 32] = kept_b_q[l*32 +: 32] | new_b_q[l*32 +: 32] | b_q[0] | b_q[1] | b_else_i[l*32 +: 32];
        assign c_o[l*32 +: 32] = kept_c_q[l*32 +: 32] | new_c_q[l*32 +: 32] | c_q[0] | c_q[1];
    end

`ifndef SYNTHESIS
    // After power-up anything may be written until the first reset.
    logic begun_q = 1'b0;
    always_ff @(posedge clk_i) begin
        begun_q <= 1'b1;
        if (begun_q && write_i) for (int l = 0; l < LANES; l++) assert (write_lanes_i[l] || write_data_i[l*32 +: 32] == 32'd0);
        if (begun_q && load_i) for (int l = 0; l < LANES; l++) assert (load_lanes_i[l] || load_data_i[l*32 +: 32] == 32'd0);
        if (begun_q) assert (!(write_i && load_i) || write_half != load_half);
    end
`endif

endmodule
`default_nettype wire
