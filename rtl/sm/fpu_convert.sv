// F2I, FRND and I2F: between floats and integers.
//
// Protocol: start_i in cycle t with the operand; integer_o (the result of F2I) stands in t + 2, and so do sum_o, sign_o, room_o, nan_o,
// infinite_o, which fpu_round makes the result of FRND and I2F of. One operation a cycle; without start_i nothing moves.
// F2I and FRND shift the significand until its point stands at bit 24, then round the integer above it. Operations: OP_F2I, OP_I2F, OP_FRND;
// mod_i: tables cvt and round of the ISA (1:0 rounding, 2 unsigned).
`default_nettype none
`include "gen/isa.svh"

module fpu_convert (
    input  wire         clk_i,
    input  wire         start_i,
    input  wire  [6:0]  op_i,
    input  wire  [2:0]  mod_i,
    input  wire  [31:0] b_i,
    output logic [31:0] integer_o,
    output logic [31:0] sum_o,  // the lowest bit of an integer has bit 13 of the rounder's sum
    output logic        sign_o,
    output logic [8:0]  room_o,
    output logic [1:0]  round_o,
    output logic        nan_o,
    output logic        infinite_o
);

    // Where the rounder's bit 53 weighs 2^-149 after so many shifts, when bit 13 weighs 1.
    localparam logic [8:0] ROOM_OF_INTEGERS = 9'd189;

    function automatic [55:0] shifted(input [7:0] exponent, input [23:0] significand);
        if (exponent >= 8'd126) shifted = {32'd0, significand} << (6'(exponent - 8'd126));
        else shifted = {55'd0, significand != 24'd0};
    endfunction

    // The integer above bit 24, rounded: 33 bits.
    function automatic [32:0] rounded(input [55:0] number, input [1:0] round, input sign);
        reg up;
        begin
            case (round)
                2'(`ROUND_RTE): up = number[23] && (number[22:0] != 23'd0 || number[24]);
                2'(`ROUND_RTP): up = !sign && number[23:0] != 24'd0;
                2'(`ROUND_RTN): up = sign && number[23:0] != 24'd0;
                default: up = 1'b0;
            endcase
            rounded = {1'b0, number[55:24]} + {32'd0, up};
        end
    endfunction

    // Cuts an integer to the range, 32 bits.
    function automatic [31:0] saturated(input [32:0] size, input sign, input is_unsigned);
        if (is_unsigned) saturated = sign ? 32'd0 : size[32] ? 32'hFFFFFFFF : size[31:0];
        else if (sign) saturated = (size > 33'h080000000) ? 32'h80000000 : 32'd0 - size[31:0];
        else saturated = (size > 33'h07FFFFFFF) ? 32'h7FFFFFFF : size[31:0];
    endfunction

    wire [7:0]  exponent = {b_i[30:24], b_i[23] || b_i[30:23] == 8'd0};
    wire [23:0] significand = {b_i[30:23] != 8'd0, b_i[22:0]};
    wire        special = b_i[30:23] == 8'hFF;
    wire        negative = b_i[31] && !mod_i[2];  // integer

    logic        start_1_q, from_integer_1_q, integral_1_q, too_large_1_q, nan_1_q, infinite_1_q, sign_1_q, unsigned_1_q;
    logic [1:0]  round_1_q;
    logic [55:0] number_1_q;  // I2F: 31:0 the integer's size; a float that has no fraction: 23:0 its significand
    logic [7:0]  exponent_1_q;

    always_ff @(posedge clk_i) begin
        start_1_q <= start_i;
        if (start_i) begin
            from_integer_1_q <= op_i == 7'(`OP_I2F);
            integral_1_q <= op_i == 7'(`OP_FRND) && exponent >= 8'd150;
            too_large_1_q <= exponent > 8'd158;
            round_1_q <= mod_i[1:0];
            unsigned_1_q <= mod_i[2];
            if (op_i == 7'(`OP_I2F)) begin
                number_1_q <= {24'd0, negative ? 32'd0 - b_i : b_i};
                sign_1_q <= negative;
                nan_1_q <= 1'b0;
                infinite_1_q <= 1'b0;
            end else begin
                number_1_q <= (op_i == 7'(`OP_FRND) && exponent >= 8'd150) ? {32'd0, significand} : shifted(exponent, significand);
                sign_1_q <= b_i[31];
                nan_1_q <= special && b_i[22:0] != 23'd0;
                infinite_1_q <= special;
            end
            exponent_1_q <= exponent;
        end
        if (start_1_q) begin
            if (nan_1_q) integer_o <= 32'd0;
            else integer_o <= saturated(too_large_1_q ? 33'h1FFFFFFFF : rounded(number_1_q, round_1_q, sign_1_q), sign_1_q, unsigned_1_q);
            if (from_integer_1_q || integral_1_q) sum_o <= number_1_q[31:0];
            else sum_o <= 32'(rounded(number_1_q, round_1_q, sign_1_q));
            room_o <= integral_1_q ? {1'b0, exponent_1_q} + 9'd39 : ROOM_OF_INTEGERS;
            sign_o <= sign_1_q;
            round_o <= round_1_q;
            nan_o <= nan_1_q;
            infinite_o <= infinite_1_q;
        end
    end

endmodule
`default_nettype wire
