// FRCP, FRSQ, FEX2, FLG2: a table of straight lines, 128 an octave, made by scripts/gen_fpu_table.py for both houses.
//
// Protocol: start_i in cycle t with the operand; sum_o, sign_o, room_o, nan_o, infinite_o stand in t + 2 for fpu_round, as those of fpu_convert.
// One operation a cycle; without start_i nothing moves. Cycle t: the argument is reduced and the table read; t + 1: value + change * rest, and what
// the exponent alone decides.
// Subnormal operands are normalized first. How exact the results are is said in instructions.md.
`default_nettype none
`include "gen/isa.svh"

module fpu_table (
    input  wire         clk_i,
    input  wire         start_i,
    input  wire  [6:0]  op_i,
    input  wire  [31:0] b_i,
    output logic [31:0] sum_o,
    output logic        sign_o,
    output logic [8:0]  room_o,
    output logic        nan_o,
    output logic        infinite_o
);

    localparam logic [6:0] RCP = 7'(`OP_FRCP), RSQ = 7'(`OP_FRSQ), EX2 = 7'(`OP_FEX2), LG2 = 7'(`OP_FLG2);
    // Where fpu_round's bit 53 weighs 2^-149 after so many shifts, when the lowest bit of sum_o weighs 2^-24.
    localparam logic [9:0] ROOM = 10'd165;

    logic [42:0] rom [640];
    initial begin
`include "gen/fpu_table.svh"
    end

    // {exponent (10 bits, of the leading one), fraction}
    function automatic [32:0] normalized(input [7:0] exponent, input [22:0] fraction);
        reg [23:0] number;
        reg [9:0]  count;
        begin
            number = {exponent != 8'd0, fraction};
            count = (exponent == 8'd0) ? 10'd1 : {2'd0, exponent};
            for (int step = 16; step > 0; step = step / 2)
                if ((number >> (24 - step)) == 24'd0) begin
                    number = number << step;
                    count = count - 10'(step);
                end
            normalized = {count - 10'd127, number[22:0]};
        end
    endfunction

    // A float as a signed number with 23 bits behind the point, rounded down in size; for sizes below 256.
    function automatic [31:0] fixed(input [7:0] exponent, input [22:0] fraction, input sign);
        reg [31:0] size;
        begin
            if (exponent >= 8'd127) size = {8'd0, 1'b1, fraction} << 3'(exponent - 8'd127);
            else if (exponent >= 8'd103) size = {8'd0, 1'b1, fraction} >> 5'(8'd127 - exponent);
            else size = 32'd0;
            fixed = sign ? 32'd0 - size : size;
        end
    endfunction

    wire special = b_i[30:23] == 8'hFF, zero = b_i[30:0] == 31'd0;
    wire nan = special && b_i[22:0] != 23'd0;
    wire too_large = b_i[30:23] >= 8'd135;  // in size 256 and more

    logic [9:0]  exponent;
    logic [22:0] fraction;
    logic [2:0]  part;
    always_comb begin
        if (op_i == EX2) begin
            {exponent[8:0], fraction} = fixed(b_i[30:23], b_i[22:0], b_i[31]);
            exponent[9] = exponent[8];
        end else {exponent, fraction} = normalized(b_i[30:23], b_i[22:0]);
        case (op_i)
            RCP: part = 3'd0;
            RSQ: part = exponent[0] ? 3'd2 : 3'd1;
            EX2: part = 3'd3;
            default: part = 3'd4;
        endcase
    end

    logic        start_1_q, logarithm_1_q, sign_1_q, nan_1_q, infinite_1_q, vanishes_1_q;
    logic        reciprocal_1_q, root_1_q, power_1_q;
    logic [42:0] entry_1_q;
    logic [15:0] rest_1_q;
    logic [9:0]  exponent_1_q;  // below zero: the operand of FLG2 is below one

    wire [24:0] change_1 = 25'(({16'd0, entry_1_q[17:0]} * {18'd0, rest_1_q}) >> 16);
    wire [24:0] value_1 = power_1_q || logarithm_1_q ? entry_1_q[42:18] + change_1 : entry_1_q[42:18] - change_1;
    wire [31:0] logarithm_1 = {exponent_1_q[7:0], 24'd0} + {7'd0, value_1};
    wire        vanishes_1 = vanishes_1_q || $signed(exponent_1_q) < -10'sd165;  // a power of two: the others' are -149 and more

    always_ff @(posedge clk_i) begin
        start_1_q <= start_i;
        if (start_i) begin
            entry_1_q <= rom[10'({part, fraction[22:16]})];
            rest_1_q <= fraction[15:0];
            exponent_1_q <= exponent;
            {reciprocal_1_q, root_1_q, power_1_q, logarithm_1_q} <= {op_i == RCP, op_i == RSQ, op_i == EX2, op_i == LG2};
            case (op_i)
                RCP: begin
                    sign_1_q <= b_i[31];
                    nan_1_q <= nan;
                    infinite_1_q <= zero;
                    vanishes_1_q <= special;
                end
                RSQ: begin
                    sign_1_q <= b_i[31];
                    nan_1_q <= nan || (b_i[31] && !zero);
                    infinite_1_q <= zero;
                    vanishes_1_q <= special;
                end
                EX2: begin
                    sign_1_q <= 1'b0;
                    nan_1_q <= nan;
                    infinite_1_q <= too_large && !b_i[31];
                    vanishes_1_q <= b_i[31] && too_large;
                end
                default: begin
                    sign_1_q <= zero;
                    nan_1_q <= nan || (b_i[31] && !zero);
                    infinite_1_q <= zero || special;
                    vanishes_1_q <= 1'b0;
                end
            endcase
        end
        if (start_1_q) begin
            sign_o <= sign_1_q;
            if (vanishes_1) sum_o <= 32'd0;
            else if (!logarithm_1_q) sum_o <= {7'd0, value_1};
            else if (exponent_1_q[9]) begin
                sum_o <= 32'd0 - logarithm_1;
                sign_o <= 1'b1;
            end else sum_o <= logarithm_1;
            room_o <= 9'(ROOM);
            if (reciprocal_1_q) room_o <= 9'(ROOM - exponent_1_q);
            if (root_1_q) room_o <= 9'(ROOM - {exponent_1_q[9], exponent_1_q[9:1]});
            if (power_1_q) room_o <= 9'(ROOM + exponent_1_q);
            nan_o <= nan_1_q;
            infinite_o <= infinite_1_q;
        end
    end

endmodule
`default_nettype wire
