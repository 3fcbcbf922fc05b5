// Cells of a Lattice ECP5 for simulating a netlist that scripts/netlist-verilog has written: LUT RAM, block RAM, multiplier. What a cell does
// not promise it does not do here either: block RAM that is read where the other port writes in the same cycle gives the inverse of what it
// holds, and two ports that write the same place leave the inverse behind.
/* verilator lint_off DECLFILENAME */
/* verilator lint_off WIDTHCONCAT */
`default_nettype none

// TRELLIS_DPR16X4: 16 words of 4 bits, read without a clock.
module ecp5_lut_ram #(
    parameter logic [63:0] CONTENTS = '0
) (
    input  wire        clk_i,
    input  wire        write_i,
    input  wire  [3:0] write_at_i,
    input  wire  [3:0] write_data_i,
    input  wire  [3:0] at_i,
    output logic [3:0] data_o
);
    /* verilator inline_module */
    logic [3:0] mem_q[16];
    initial for (int i = 0; i < 16; i++) mem_q[i] = CONTENTS[4*i +: 4];
    always_ff @(posedge clk_i) if (write_i) mem_q[write_at_i] <= write_data_i;
    always_comb data_o = mem_q[at_i];
endmodule

// DP16KD: 1024 words of 18 bits, two ports, each of its own width, one clock. A word of 36 bits is two of 18: the lower half goes through the
// pins of side A, the upper through those of side B, and the place through the side whose width it is. A write of 18 or 36 bits has an enable for
// each 9 bits in the lowest bits of its place. Read data come a cycle after the place and stay.
module ecp5_block_ram #(
    parameter int WIDTH_A = 18,
    parameter int WIDTH_B = 18,
    parameter int WRITEMODE_A = 0,  // what a write makes of the port's own read data: 0 nothing, 1 what it writes, 2 what was there
    parameter int WRITEMODE_B = 0,
    parameter logic [1024*18-1:0] CONTENTS = '0
) (
    input  wire         clk_i,
    input  wire         we_a_i,
    input  wire         ce_a_i,
    input  wire         rst_a_i,
    input  wire  [13:0] at_a_i,
    input  wire  [17:0] data_a_i,
    output logic [17:0] data_a_o,
    input  wire         we_b_i,
    input  wire         ce_b_i,
    input  wire         rst_b_i,
    input  wire  [13:0] at_b_i,
    input  wire  [17:0] data_b_i,
    output logic [17:0] data_b_o
);
    /* verilator inline_module */
    // Two words side by side, 36 bits a row: what one access may touch.
    logic [35:0] mem_q[512];
    initial for (int i = 0; i < 512; i++) mem_q[i] = CONTENTS[36*i +: 36];

    // The bits of a row that an access names.
    function automatic logic [35:0] touched(input int width, input logic [4:0] at, input logic write);
        logic [35:0] bits;
        case (width)
            36: bits = write ? {{9{at[3]}}, {9{at[2]}}, {9{at[1]}}, {9{at[0]}}} : '1;
            18: bits = {18'd0, write ? {{9{at[1]}}, {9{at[0]}}} : 18'h3ffff} << (at[4] ? 18 : 0);
            9: bits = 36'h1ff << 9 * at[4:3];
            4: bits = 36'hf << (9 * at[4:3] + (at[2] ? 4 : 0));
            2: bits = 36'h3 << (9 * at[4:3] + 2 * at[2:1]);
            default: bits = 36'h1 << (9 * at[4:3] + 32'(at[2:0]));
        endcase
        return bits;
    endfunction

    // Where the lowest bit of an access is in its row.
    function automatic int place(input int width, input logic [4:0] at);
        case (width)
            36: return 0;
            18: return at[4] ? 18 : 0;
            9: return 9 * at[4:3];
            4: return 9 * at[4:3] + (at[2] ? 4 : 0);
            2: return 9 * at[4:3] + 2 * at[2:1];
            default: return 9 * at[4:3] + 32'(at[2:0]);
        endcase
    endfunction

    logic [35:0] write_a, write_b, row_a, row_b, read_a, read_b, stored_a, stored_b;
    logic        writes_a, writes_b, both;
    always_comb begin
        writes_a = ce_a_i && we_a_i && !rst_a_i;
        writes_b = ce_b_i && we_b_i && !rst_b_i;
        both = at_a_i[13:5] == at_b_i[13:5];
        write_a = writes_a ? touched(WIDTH_A, at_a_i[4:0], 1'b1) : '0;
        write_b = writes_b ? touched(WIDTH_B, at_b_i[4:0], 1'b1) : '0;
        row_a = mem_q[at_a_i[13:5]];
        row_b = mem_q[at_b_i[13:5]];
        stored_a = row_a & ~write_a | (WIDTH_A == 36 ? {data_b_i, data_a_i} : 36'(data_a_i) << place(WIDTH_A, at_a_i[4:0])) & write_a;
        stored_b = row_b & ~write_b | (WIDTH_B == 36 ? {data_b_i, data_a_i} : 36'(data_b_i) << place(WIDTH_B, at_b_i[4:0])) & write_b;
        read_a = WRITEMODE_A == 1 ? stored_a : row_a;
        read_b = WRITEMODE_B == 1 ? stored_b : row_b;
        if (both) begin
            read_a = read_a ^ write_b;
            read_b = read_b ^ write_a;
        end
    end

    logic [17:0] out_a_q, out_b_q;
    logic [35:0] wide_q;
    always_ff @(posedge clk_i) begin
        if (both) begin
            if (writes_a || writes_b)
                mem_q[at_a_i[13:5]] <= (row_a & ~write_a & ~write_b | stored_a & write_a & ~write_b | stored_b & write_b & ~write_a | ~row_a & write_a & write_b);
        end else begin
            if (writes_a) mem_q[at_a_i[13:5]] <= stored_a;
            if (writes_b) mem_q[at_b_i[13:5]] <= stored_b;
        end
        if (rst_a_i) out_a_q <= '0;
        else if (ce_a_i && (!writes_a || WRITEMODE_A != 0)) out_a_q <= 18'((read_a & touched(WIDTH_A, at_a_i[4:0], 1'b0)) >> place(WIDTH_A, at_a_i[4:0]));
        if (rst_b_i) begin
            out_b_q <= '0;
            wide_q <= '0;
        end else if (ce_b_i && (!writes_b || WRITEMODE_B != 0)) begin
            out_b_q <= 18'((read_b & touched(WIDTH_B, at_b_i[4:0], 1'b0)) >> place(WIDTH_B, at_b_i[4:0]));
            wide_q <= read_b;
        end
    end
    always_comb begin
        data_a_o = WIDTH_B == 36 ? wide_q[17:0] : out_a_q;
        data_b_o = WIDTH_B == 36 ? wide_q[35:18] : out_b_q;
    end
endmodule

// MULT18X18D without its registers.
module ecp5_multiplier (
    input  wire  [17:0] a_i,
    input  wire  [17:0] b_i,
    input  wire         a_signed_i,
    input  wire         b_signed_i,
    output logic [35:0] product_o
);
    /* verilator inline_module */
    always_comb product_o = 36'($signed({{18{a_signed_i && a_i[17]}}, a_i}) * $signed({{18{b_signed_i && b_i[17]}}, b_i}));
endmodule
`default_nettype wire
