// Normalizes and rounds a sum to a float; the last step of everything that gives a float by computing.
//
// Protocol: start_i in cycle t with the number; result_o stands in t + 1 and stays. The number is sum_i, bit 76 the highest place; it is shifted left
// until that bit is set, but by room_i at most: then it is subnormal. How much room is left is the result's exponent less one, so rounding
// up may carry into the exponent, from subnormal to normal and from the largest to infinity, by a plain addition. NARROW 1: of the sum only
// bits 44:13 may be set.
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

    function automatic [31:0] rounded(input [76:0] sum, input [8:0] room, input sign, input [1:0] round);
        reg [63:0] number;
        reg [8:0]  left;
        reg [6:0]  shift;
        reg        up, lost;
        reg [32:0] size;
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
            case (round)
                2'(`ROUND_RTE): up = number[39] && (lost || number[40]);
                2'(`ROUND_RTP): up = !sign && (number[39] || lost);
                2'(`ROUND_RTN): up = sign && (number[39] || lost);
                default: up = 1'b0;
            endcase
            size = {1'b0, left, 23'd0} + {9'd0, number[63:40]} + {32'd0, up};
            rounded = (size >= 33'h07F800000) ? {sign, 31'h7F800000} : {sign, size[30:0]};
        end
    endfunction

    wire [76:0] given = (NARROW != 0) ? {32'd0, sum_i[44:13], 13'd0} : sum_i;
    always_ff @(posedge clk_i)
        if (start_i) begin
            if (nan_i) result_o <= 32'h7FC00000;
            else if (infinite_i) result_o <= {sign_i, 31'h7F800000};
            else result_o <= rounded(given, room_i, sign_i, round_i);
        end

    if (NARROW != 0) begin : g_narrow
        wire unused = &{1'b0, sum_i[76:45], sum_i[12:0]};
    end

endmodule
`default_nettype wire
