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

    // Leading zeros, 77 when there is no one: of pairs, then of pairs of those, each the left one's unless it has none but zeros.
    function automatic [6:0] zeros_before(input [76:0] bits);
        reg [127:0]   number;
        reg [63:0]    none;
        reg [64*7-1:0] count;
        begin
            number = {bits, {51{1'b1}}};
            count = '0;
            for (int n = 0; n < 64; n++) begin
                none[n] = number[127-2*n -: 2] == 2'd0;
                count[7*n] = !number[127-2*n];
            end
            for (int level = 1; level < 7; level++)
                for (int n = 0; n < (64 >> level); n++) begin
                    count[7*n +: 7] = none[2*n] ? count[7*(2*n+1) +: 7] : count[7*2*n +: 7];
                    count[7*n + level] = none[2*n];
                    none[n] = none[2*n] && none[2*n+1];
                end
            zeros_before = count[6:0];
        end
    endfunction

    // Normalized: how much room is left, the bits from the highest place on down to the one that is rounded by, and whether any below are lost.
    function automatic [34:0] normalized(input [76:0] sum, input [8:0] room);
        reg [63:0] number;
        reg [8:0]  left;
        reg [6:0]  shift;
        reg        lost;
        begin
            shift = zeros_before(sum);
            if ({2'd0, shift} > room) shift = room[6:0];
            left = room - {2'd0, shift};
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
            if (!number[63]) left = 9'd0;  // zero
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
    wire  [32:0] size = {1'b0, left_q, 23'd0} + {9'd0, bits_q} + {32'd0, up};
    always_comb begin
        case (round_q)
            2'(`ROUND_RTE): up = half_q && (lost_q || bits_q[0]);
            2'(`ROUND_RTP): up = !sign_q && (half_q || lost_q);
            2'(`ROUND_RTN): up = sign_q && (half_q || lost_q);
            default: up = 1'b0;
        endcase
        result_o = (size >= 33'h07F800000) ? {sign_q, 8'hFF, nan_q, 22'd0} : {sign_q, size[30:0]};
    end

    if (NARROW != 0) begin : g_narrow
        wire unused = &{1'b0, sum_i[76:45], sum_i[12:0]};
    end

endmodule
`default_nettype wire
