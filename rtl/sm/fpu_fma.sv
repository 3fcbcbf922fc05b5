// x * y + z in single precision, exact up to the rounding: the sum that fpu_round rounds once.
//
// Protocol: start_i in cycle t with the operands (FADD comes as x * 1 + y, FMUL as x * y + a zero of the product's sign); the lane's multiplier
// gives product_i, the product of the two significands that x_significand_o and y_significand_o show in cycle t, in cycle t + 1; sum_o, sign_o,
// room_o, nan_o, infinite_o stand in t + 2. One operation a cycle; without start_i nothing moves.
//
// Numbers: a significand has 24 bits, its top one clear for subnormals, which need no other care. The sum is 77 bits wide: the product
// at bits 50:3, the addend's lowest bit between 53 (it is larger than the product by more than that: the product then only tells that the
// result is inexact, where it stands does not matter) and below bit 0 (all bits that fall out are gathered in bit 0). Three bits below the
// product are enough: a product that is not zero has its top bit at bit 26 or above unless it vanishes beside any addend, so whatever
// loses bits is so small that no more than one bit cancels. A zero product takes the addend as it is. room_o is how far the sum may be
// shifted left until its bit 53 weighs 2^-149, the lowest bit of a subnormal; it is never negative.
`default_nettype none

module fpu_fma (
    input  wire         clk_i,
    input  wire         start_i,
    input  wire  [31:0] x_i,
    input  wire  [31:0] y_i,
    input  wire  [31:0] z_i,
    output wire  [23:0] x_significand_o,
    output wire  [23:0] y_significand_o,
    input  wire  [47:0] product_i,
    output logic [76:0] sum_o,
    output logic        sign_o,
    output logic [8:0]  room_o,
    output logic        nan_o,
    output logic        infinite_o
);

    // Exponents: that of a subnormal is 1.
    wire [7:0] x_exponent = {x_i[30:24], x_i[23] || x_i[30:23] == 8'd0};
    wire [7:0] y_exponent = {y_i[30:24], y_i[23] || y_i[30:23] == 8'd0};
    wire [7:0] z_exponent = {z_i[30:24], z_i[23] || z_i[30:23] == 8'd0};
    assign x_significand_o = {x_i[30:23] != 8'd0, x_i[22:0]};
    assign y_significand_o = {y_i[30:23] != 8'd0, y_i[22:0]};

    // How far the addend stands to the right of its leftmost place.
    wire [9:0] distance = {2'd0, x_exponent} + {2'd0, y_exponent} - {2'd0, z_exponent} - 10'd100;
    wire [8:0] exponents = {1'b0, x_exponent} + {1'b0, y_exponent};

    wire x_special = x_i[30:23] == 8'hFF, y_special = y_i[30:23] == 8'hFF, z_special = z_i[30:23] == 8'hFF;
    wire x_infinite = x_special && x_i[22:0] == 23'd0, y_infinite = y_special && y_i[22:0] == 23'd0;
    wire z_infinite = z_special && z_i[22:0] == 23'd0;
    wire x_zero = x_i[30:0] == 31'd0, y_zero = y_i[30:0] == 31'd0;
    wire product_sign = x_i[31] != y_i[31];

    // Cycle t + 1: what waits for the product.
    logic        start_1_q, nan_1_q, infinite_1_q, subtract_1_q, product_sign_1_q, sign_1_q;
    logic [23:0] z_1_q;
    logic [15:0] factor_1_q;  // shift: 0 to 77, of its lowest four bits the power of two that brings the addend there
    logic [2:0]  shift_1_q;
    logic [3:0]  low_1_q;
    logic [6:0]  keeps_1_q;    // it may be shifted as far as that without losing a one
    logic [8:0]  room_1_q;

    // The addend at its place, down to bit 1. The lowest four bits of the distance are a product with a power of two.
    function automatic [75:0] aligned(input [23:0] significand, input [15:0] factor, input [2:0] shift);
        reg [33:0] low;
        reg [20:0] high;
        reg [38:0] near;
        begin
            low = significand[17:0] * factor;
            high = significand[23:18] * factor;
            near = {5'd0, low} | {high, 18'd0};  // they have no bit in common
            aligned = {near, 37'd0} >> {shift, 4'd0};
        end
    endfunction

    // Zeros below the lowest one; 31 when there is none.
    function automatic [4:0] zeros_below(input [23:0] significand);
        reg [31:0] word;
        begin
            word = {8'd0, significand};
            zeros_below[4] = word[15:0] == 16'd0;
            if (zeros_below[4]) word = word >> 16;
            zeros_below[3] = word[7:0] == 8'd0;
            if (zeros_below[3]) word = word >> 8;
            zeros_below[2] = word[3:0] == 4'd0;
            if (zeros_below[2]) word = word >> 4;
            zeros_below[1] = word[1:0] == 2'd0;
            if (zeros_below[1]) word = word >> 2;
            zeros_below[0] = !word[0];
        end
    endfunction

    // The sum, or the difference both ways; of these the one without borrow is the size, which is chosen behind the registers: it is known late.
    // Bits of the addend that fall out below make bit 0 a one; whether a one falls out is compared, beside the product that brings it there.
    wire        falls = {shift_1_q, low_1_q} > keeps_1_q;
    wire [76:0] addend = {aligned(z_1_q, factor_1_q, shift_1_q), falls}, product = {26'd0, product_i, 3'd0};
    wire        subtract = subtract_1_q && !infinite_1_q;
    wire [77:0] total = {1'b0, addend} + {1'b0, subtract ? ~product : product} + {77'd0, subtract};
    wire [77:0] reverse = {1'b0, product} - {1'b0, addend};
    wire        product_larger = subtract && !total[77];

    // Equal sizes of unlike signs: plus zero.
    logic        cancelled_q, product_larger_q, product_sign_2_q, sign_2_q;
    logic [76:0] total_q, reverse_q;
    wire  [6:0]  shift = (distance[9] || x_zero || y_zero) ? 7'd0 : (distance[8:0] > 9'd77) ? 7'd77 : distance[6:0];
    assign sum_o = product_larger_q ? reverse_q : total_q;
    assign sign_o = product_larger_q ? product_sign_2_q : sign_2_q && !cancelled_q;

    always_ff @(posedge clk_i) begin
        start_1_q <= start_i;
        if (start_i) begin
            nan_1_q <= (x_special && !x_infinite) || (y_special && !y_infinite) || (z_special && !z_infinite) ||
                       (x_infinite && y_zero) || (y_infinite && x_zero) ||
                       ((x_infinite || y_infinite) && z_infinite && product_sign != z_i[31]);
            infinite_1_q <= x_special || y_special || z_special;
            product_sign_1_q <= product_sign;
            // An infinite result has the sign of whichever is infinite.
            sign_1_q <= (x_special || y_special) ? product_sign : z_i[31];
            subtract_1_q <= product_sign != z_i[31];
            z_1_q <= {z_i[30:23] != 8'd0, z_i[22:0]};
            factor_1_q <= 16'd1 << ~shift[3:0];
            shift_1_q <= shift[6:4];
            low_1_q <= shift[3:0];
            keeps_1_q <= 7'd52 + {2'd0, zeros_below({z_i[30:23] != 8'd0, z_i[22:0]})};
            room_1_q <= (distance[9] || x_zero || y_zero) ? {1'b0, z_exponent} - 9'd1 : exponents - 9'd101;
        end
        if (start_1_q) begin
            total_q <= total[76:0];
            reverse_q <= reverse[76:0];
            product_larger_q <= product_larger;
            cancelled_q <= subtract && total[77] && !reverse[77];
            product_sign_2_q <= product_sign_1_q;
            sign_2_q <= sign_1_q;
            room_o <= room_1_q;
            nan_o <= nan_1_q;
            infinite_o <= infinite_1_q;
        end
    end

endmodule
`default_nettype wire
