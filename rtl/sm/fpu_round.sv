// Normalizes and rounds a sum to a float; the last step of everything that gives a float by computing.
//
// Protocol: start_i in cycle t with the number; result_o stands in t + 1, late in the cycle, and stays. The number is sum_i, bit 76 the
// highest place; it is shifted left until that bit is set, but by room_i at most: then it is subnormal. How much room is left is the result's
// exponent less one, so rounding up may carry into the exponent, from subnormal to normal and from the largest to infinity, by a plain
// addition. NARROW 1: of the sum only bits 44:13 may be set.
`default_nettype none
`include "gen/isa.svh"

module fpu_round #(
    parameter int NARROW = 0
) (
    input  wire         clk_i,
    input  wire         start_i,
    input  wire  [76:0] sum_i,
    input  wire  [8:0]  room_i,
    input  wire         sign_i,
    input  wire  [1:0]  round_i,     // table round of the ISA; an overflow gives infinity, as RTE says (I2F cannot overflow)
    input  wire         nan_i,
    input  wire         infinite_i,  // and not NaN
    output logic [31:0] result_o
);

    // Leading zeros of a word that is not 0. Whether there is a one in each 2, 4, 8, 16 places in a row is found for all at once; then the left half, if
    // there is one in it, of what is left: of the word, and of what was found.
    function automatic [5:0] zeros_of(input [63:0] word);
        reg [5:0]  count;
        reg [63:0] in_1, in_2, in_4, in_8, in_16;
        begin
            in_1 = word;
            in_2 = in_1 | (in_1 << 1);
            in_4 = in_2 | (in_2 << 2);
            in_8 = in_4 | (in_4 << 4);
            in_16 = in_8 | (in_8 << 8);
            count[5] = word[63:32] == 32'd0;
            if (count[5]) begin
                in_16 = in_16 << 32;
                in_8 = in_8 << 32;
                in_4 = in_4 << 32;
                in_2 = in_2 << 32;
                in_1 = in_1 << 32;
            end
            count[4] = !in_16[63];
            if (count[4]) begin
                in_8 = in_8 << 16;
                in_4 = in_4 << 16;
                in_2 = in_2 << 16;
                in_1 = in_1 << 16;
            end
            count[3] = !in_8[63];
            if (count[3]) begin
                in_4 = in_4 << 8;
                in_2 = in_2 << 8;
                in_1 = in_1 << 8;
            end
            count[2] = !in_4[63];
            if (count[2]) begin
                in_2 = in_2 << 4;
                in_1 = in_1 << 4;
            end
            count[1] = !in_2[63];
            if (count[1]) in_1 = in_1 << 2;
            count[0] = !in_1[63];
            zeros_of = count;
        end
    endfunction

    // Leading zeros, 77 when there is no one.
    function automatic [6:0] zeros_before(input [76:0] bits);
        zeros_before = (bits[76:13] != 64'd0) ? {1'b0, zeros_of(bits[76:13])} : {1'b1, zeros_of({bits[12:0], {51{1'b1}}})};
    endfunction

    // Normalized: how much room is left, the bits from the highest place on down to the one that is rounded by, and whether any below are lost.
    // It is shifted by its leading zeros or by the room, whichever is less: that is said bit by bit, the highest first, as the zeros are found.
    function automatic [34:0] normalized(input [76:0] sum, input [8:0] room);
        reg [63:0] number;
        reg [8:0]  left;
        reg [6:0]  zeros, shift;
        reg        lost, less_room, less_zeros;
        begin
            zeros = zeros_before(sum);
            less_room = 1'b0;
            less_zeros = room[8:7] != 2'd0;
            for (int k = 6; k >= 0; k--) begin
                shift[k] = less_room ? room[k] : zeros[k] && (less_zeros || room[k]);
                if (!less_room && !less_zeros) begin
                    less_room = zeros[k] && !room[k];
                    less_zeros = !zeros[k] && room[k];
                end
            end
            left = room - {2'd0, zeros};
            // 32 places first: after that 64 bits hold every bit that matters, the rest in the lowest.
            if (shift[6:5] != 2'd0) number = {sum[44:0], 19'd0};
            else number = {sum[76:14], sum[13:0] != 14'd0};
            // What no later step can bring up to bit 39, the one that is rounded by, only tells that something is lost.
            lost = 1'b0;
            for (int step = 32; step > 0; step = step / 2) begin
                if (step == 32 ? shift[6] : (shift[4:0] & 5'(step)) != 5'd0) number = number << step;
                lost = lost || (number << (24 + step)) != 64'd0;
                number = (number >> (40 - step)) << (40 - step);
            end
            if (!number[63]) left = 9'd0;  // zero, or too little room
            normalized = {left, number[63:39], lost};
        end
    endfunction

    wire [76:0] given = (NARROW != 0) ? {32'd0, sum_i[44:13], 13'd0} : sum_i;
    logic [8:0]  left_q;
    logic [23:0] bits_q;
    logic        half_q, lost_q, sign_q, nan_q;
    logic [1:0]  round_q;
    always_ff @(posedge clk_i)
        if (start_i) begin
            {left_q, bits_q, half_q, lost_q} <= normalized(given, room_i);
            if (nan_i || infinite_i) left_q <= 9'd255;  // as large as infinity, whatever the bits are
            sign_q <= sign_i && !nan_i;
            nan_q <= nan_i;
            round_q <= round_i;
        end

    // Rounding and the end of the range come behind the registers: whoever takes the result has most of a cycle for it.
    logic        up;
    logic [31:0] size;          // left is at most 407 (the largest room of fpu_fma)
    logic        unused_carry;  // one sum, with what is rounded up as its carry
    assign {size, unused_carry} = {left_q, 23'd0, 1'b1} + {8'd0, bits_q, up};
    always_comb begin
        case (round_q)
            2'(`ROUND_RTE): up = half_q && (lost_q || bits_q[0]);
            2'(`ROUND_RTP): up = !sign_q && (half_q || lost_q);
            2'(`ROUND_RTN): up = sign_q && (half_q || lost_q);
            default: up = 1'b0;
        endcase
        result_o = (size[31] || size[30:23] == 8'hFF) ? {sign_q, 8'hFF, nan_q, 22'd0} : {sign_q, size[30:0]};
    end

    if (NARROW != 0) begin : g_narrow
        wire unused = &{1'b0, sum_i[76:45], sum_i[12:0]};
    end

endmodule
`default_nettype wire
