// One 32-bit lane: every arithmetic and logic instruction of the table in cmodel/isa/isa.tbl whose column "built" says yes.
//
// Protocol: operands and operation come with valid_i in cycle t; result_o stands in cycle t + 3, pred_o (ISETP, PSETP, R2P, carries) in t + 1.
// No back pressure. Throughput: one operation a cycle. The multiplier is four products of halves (cycle t), their sum, of which a half
// is chosen (t + 1), the addend of IMAD, IMADHI and UMADHI (t + 2), which is what FPGA multipliers of 18 x 18 bits want.
// Floating point: comparisons, FMIN and FMAX are done in cycle t; FADD, FMUL and FFMA are one operation x * y + z (fpu_fma, with the same
// four products), rounded in t + 2 (fpu_round). SHL, SHR, SAR and rotations are products too. FRCP, FRSQ, FEX2, FLG2, F2I, FRND, I2F, PRMT, POPC, CLZ, BREV,
// fields and funnel shifts are those of lane_special: the lane's own (SPECIAL 1), or one that lanes share (SPECIAL 0): it hands over its result by
// special_*. A unit that has nothing to do stands still.
// op_i is the opcode with bit 7 clear: register and immediate forms are one operation here. Moves (MOV, S2R, P2R, CAL) come as MOV.
`default_nettype none
`include "gen/isa.svh"

module lane #(
    parameter int SPECIAL = 1,
    parameter int INJECT = 0
) (
    input  wire         clk_i,
    input  wire  [7:0]  inject_i,
    input  wire         valid_i,
    input  wire  [6:0]  op_i,
    input  wire  [3:0]  mod_i,
    input  wire  [31:0] a_i,
    input  wire  [31:0] b_i,
    input  wire  [31:0] c_i,
    input  wire         rotate_i,  // a funnel shift whose ra and rc are one register
    input  wire  [1:0]  p_i,  // SEL: p_i[0] chooses; IADDC, ISUBC: the carry in; PSETP: both operands; R2P: p_i[0] is the bit
    input  wire         special_valid_i,  // SPECIAL 0: takes the place of an operation in t + 2
    input  wire  [31:0] special_i,
    output logic [31:0] result_o,
    output logic        pred_o
);

    // Operations by their register-form opcodes.
    localparam logic [6:0] IADD = 7'(`OP_IADD), ISUB = 7'(`OP_ISUB), IMUL = 7'(`OP_IMUL);
    localparam logic [6:0] IMULHI = 7'(`OP_IMULHI), UMULHI = 7'(`OP_UMULHI), IMAD = 7'(`OP_IMAD);
    localparam logic [6:0] IMADHI = 7'(`OP_IMADHI), UMADHI = 7'(`OP_UMADHI);
    localparam logic [6:0] FADD = 7'(`OP_FADD), FMUL = 7'(`OP_FMUL), FFMA = 7'(`OP_FFMA);
    localparam logic [6:0] FRCP = 7'(`OP_FRCP), FRSQ = 7'(`OP_FRSQ), FEX2 = 7'(`OP_FEX2), FLG2 = 7'(`OP_FLG2);
    localparam logic [6:0] F2I = 7'(`OP_F2I), I2F = 7'(`OP_I2F), FRND = 7'(`OP_FRND);
    localparam logic [6:0] PRMT = 7'(`OP_PRMT), POPC = 7'(`OP_POPC), CLZ = 7'(`OP_CLZ), BREV = 7'(`OP_BREV);

    // One adder: it adds for these, and subtracts for all others, which compare by it.
    wire adds = op_i == IADD || op_i == 7'(`OP_IADDO) || op_i == 7'(`OP_IADDC) || op_i == 7'(`OP_IADDSAT) || op_i == 7'(`OP_UADDSAT);
    wire chained = op_i == 7'(`OP_IADDC) || op_i == 7'(`OP_ISUBC);
    wire carry_in = !adds != (chained && p_i[0]);
    logic [32:0] total;
    always_comb begin
        total = {1'b0, a_i} + {1'b0, adds ? b_i : ~b_i} + {32'd0, carry_in};
        if (INJECT != 0 && inject_i == 8'd1 && op_i == IADD) total = {1'b0, a_i[31:16] + b_i[31:16], a_i[15:0] + b_i[15:0]};
    end
    wire carry = total[32] == adds;  // carry, or borrow
    wire overflow = (a_i[31] != b_i[31]) != adds && a_i[31] != total[31];

    // Of an operation that subtracts.
    wire less_unsigned = !total[32];
    wire less_signed = (a_i[31] != b_i[31]) ? a_i[31] : less_unsigned;
    wire equal = a_i == b_i;

    // Floats: order with -0 below +0, for FMIN and FMAX; for comparisons zeros are equal.
    wire a_nan = a_i[30:23] == 8'hFF && a_i[22:0] != 23'd0, b_nan = b_i[30:23] == 8'hFF && b_i[22:0] != 23'd0;
    wire below_float = (a_i[31] && b_i[31]) ? !less_unsigned && !equal : less_signed;
    wire equal_float = equal || (a_i[30:0] == 31'd0 && b_i[30:0] == 31'd0);

    // Shifts are products with a power of two: to the left their low half, to the right their high half; rotations have both.
    wire        rotate_left = rotate_i && op_i == 7'(`OP_FSHL), rotate_right = rotate_i && op_i == 7'(`OP_FSHR);
    wire        rotate = rotate_left || rotate_right;
    wire        left_shift = op_i == 7'(`OP_SHL);
    wire        arithmetic = op_i == 7'(`OP_SAR);
    wire        right_shift = op_i == 7'(`OP_SHR) || arithmetic;
    wire        shifts = left_shift || right_shift || rotate;
    wire [4:0]  places = (left_shift || rotate_left) ? b_i[4:0] : 5'd0 - b_i[4:0];
    wire [31:0] power = 32'd1 << places;

    // What is a function of two bits, by its table: bit {ra, rb} of it.
    localparam logic [3:0] A = 4'b1100, B = 4'b1010;
    logic [3:0]  table_of_two;
    logic [31:0] of_two;
    always_comb begin
        case (op_i)
            7'(`OP_AND): table_of_two = A & B;
            7'(`OP_OR): table_of_two = A | B;
            7'(`OP_XOR): table_of_two = A ^ B;
            7'(`OP_IMIN): table_of_two = less_signed ? A : B;
            7'(`OP_IMAX): table_of_two = less_signed ? B : A;
            7'(`OP_UMIN): table_of_two = less_unsigned ? A : B;
            7'(`OP_UMAX): table_of_two = less_unsigned ? B : A;
            7'(`OP_SEL): table_of_two = p_i[0] ? A : B;
            7'(`OP_FMIN): table_of_two = (b_nan || (!a_nan && below_float)) ? A : B;
            7'(`OP_FMAX): table_of_two = (a_nan || (!b_nan && below_float)) ? B : A;
            default: table_of_two = B;  // MOV, and operations whose result comes from elsewhere
        endcase
        // table_of_two[{a_i[i], b_i[i]}] for each bit i
        of_two = (a_i & b_i & {32{table_of_two[3]}}) | (a_i & ~b_i & {32{table_of_two[2]}}) | (~a_i & b_i & {32{table_of_two[1]}}) |
                 (~a_i & ~b_i & {32{table_of_two[0]}});
    end

    // Where the sum saturates: all bits but the highest, and the highest. When it overflows, ra has the sign of the true value.
    logic saturates, nearest, nearest_top;
    always_comb begin
        saturates = 1'b0;
        nearest = !a_i[31];
        nearest_top = a_i[31];
        case (op_i)
            7'(`OP_IADDSAT), 7'(`OP_ISUBSAT): saturates = overflow;
            7'(`OP_UADDSAT), 7'(`OP_USUBSAT): begin
                saturates = carry;
                nearest = adds;
                nearest_top = adds;
            end
            default: ;
        endcase
    end

    // Cycle t: everything but the multiplications is finished here, but for the negation of a negative difference: its bits are turned here, and where
    // the products go through the last adder it has the one that is missing.
    logic [31:0] simple;
    logic        negate;
    always_comb begin
        negate = (op_i == 7'(`OP_IABSD) && less_signed) || (op_i == 7'(`OP_UABSD) && less_unsigned);
        case (op_i)
            IADD, ISUB, 7'(`OP_IADDO), 7'(`OP_IADDC), 7'(`OP_ISUBO), 7'(`OP_ISUBC), 7'(`OP_IADDSAT), 7'(`OP_ISUBSAT), 7'(`OP_UADDSAT),
            7'(`OP_USUBSAT): simple = saturates ? {nearest_top, {31{nearest}}} : total[31:0];
            7'(`OP_IABSD), 7'(`OP_UABSD): simple = negate ? ~total[31:0] : total[31:0];
            7'(`OP_FMIN), 7'(`OP_FMAX): simple = (a_nan && b_nan) ? 32'h7FC00000 : of_two;
            default: simple = of_two;
        endcase
    end

    typedef enum logic [1:0] {BOTH, EITHER, ONE} plop_t;  // AND, OR, XOR of PSETP
    logic less, pred;
    always_comb begin
        less = mod_i[3] ? less_unsigned : less_signed;
        if (INJECT != 0 && inject_i == 8'd16) less = less_signed;
        case (op_i)
            7'(`OP_ISETP):
                case (mod_i[2:0])
                    3'(`CMP_EQ): pred = equal;
                    3'(`CMP_NE): pred = !equal;
                    3'(`CMP_LT): pred = less;
                    3'(`CMP_LE): pred = less || equal;
                    3'(`CMP_GT): pred = !less && !equal;
                    default: pred = !less;
                endcase
            7'(`OP_FSETP):
                if (a_nan || b_nan) pred = mod_i[3];
                else pred = equal_float ? mod_i[0] : below_float ? mod_i[2] : mod_i[1];
            7'(`OP_PSETP): pred = (mod_i[1:0] == BOTH) ? (p_i[0] && p_i[1]) : (mod_i[1:0] == EITHER) ? (p_i[0] || p_i[1]) : (p_i[0] != p_i[1]);
            7'(`OP_IADDO), 7'(`OP_IADDC), 7'(`OP_ISUBO), 7'(`OP_ISUBC): pred = carry;
            default: pred = p_i[0];  // R2P
        endcase
    end

    wire multiply = op_i == IMUL || op_i == IMULHI || op_i == UMULHI || op_i == IMAD || op_i == IMADHI || op_i == UMADHI || shifts;
    wire low_half = op_i == IMUL || op_i == IMAD || left_shift || (right_shift && places == 5'd0);
    wire fma = op_i == FADD || op_i == FMUL || op_i == FFMA;

    wire [31:0] y = (op_i == FADD) ? 32'h3F800000 : b_i;
    wire [31:0] z = (op_i == FADD) ? b_i : (op_i == FMUL) ? {a_i[31] != b_i[31], 31'd0} : c_i;
    wire [23:0] x_significand, y_significand;
    wire [31:0] left_word = fma ? {8'd0, x_significand} : a_i, right_word = fma ? {8'd0, y_significand} : shifts ? power : b_i;

    // The high halves have a sign of their own: that of a signed product's operand.
    wire        signed_product = (op_i == IMULHI || op_i == IMADHI) && !(INJECT != 0 && inject_i == 8'd10);
    wire        signed_left = signed_product || (arithmetic && !(INJECT != 0 && inject_i == 8'd5));
    wire [17:0] left_low = {2'd0, left_word[15:0]}, left_high = {{2{signed_left && left_word[31]}}, left_word[31:16]};
    wire [17:0] right_low = {2'd0, right_word[15:0]}, right_high = {{2{signed_product && right_word[31]}}, right_word[31:16]};

    logic [31:0] addend_1_q, addend_2_q;  // what the product is added to, or the whole result
    logic [35:0] pp_ll_q, pp_lh_q, pp_hl_q, pp_hh_q;
    wire         unused = &{1'b0, pp_ll_q[35:32], pp_lh_q[35:34], pp_hl_q[35:34], pp_hh_q[35:32]};
    logic [31:0] product_2_q;
    logic        low_half_1_q, rotate_1_q, negate_1_q, valid_1_q, valid_2_q, multiply_1_q, fma_1_q, fma_2_q, round_3_q;

    wire [33:0] middle_1 = pp_lh_q[33:0] + pp_hl_q[33:0];
    wire [63:0] product_1 = {pp_hh_q[31:0], pp_ll_q[31:0]} + {{14{middle_1[33]}}, middle_1, 16'd0};

    wire [76:0] fma_sum;
    wire [8:0]  fma_room;
    wire [31:0] float_result, special_result;
    wire        fma_sign, fma_nan, fma_infinite, special_3;

    fpu_fma u_fpu_fma (
        .clk_i, .start_i(valid_i && fma), .x_i(a_i), .y_i(y), .z_i(z), .x_significand_o(x_significand), .y_significand_o(y_significand),
        .product_i(product_1[47:0]), .sum_o(fma_sum), .sign_o(fma_sign), .room_o(fma_room), .nan_o(fma_nan), .infinite_o(fma_infinite)
    );

    wire round_2 = valid_2_q && fma_2_q;
    fpu_round u_fpu_round (
        .clk_i, .start_i(round_2), .sum_i(fma_sum), .room_i(fma_room), .sign_i(fma_sign), .round_i(2'(`ROUND_RTE)), .nan_i(fma_nan),
        .infinite_i(fma_infinite), .result_o(float_result)
    );

    if (SPECIAL != 0) begin : g_special
        wire  special = op_i == FRCP || op_i == FRSQ || op_i == FEX2 || op_i == FLG2 || op_i == F2I || op_i == I2F || op_i == FRND ||
                        op_i == PRMT || op_i == POPC || op_i == CLZ || op_i == BREV || op_i == 7'(`OP_UBFE) || op_i == 7'(`OP_IBFE) ||
                        op_i == 7'(`OP_BFI) || (op_i == 7'(`OP_FSHL) && !rotate) || (op_i == 7'(`OP_FSHR) && !rotate);
        logic special_1_q, special_2_q, special_3_q;
        always_ff @(posedge clk_i) begin
            if (valid_i) special_1_q <= special;
            if (valid_1_q) special_2_q <= special_1_q;
            if (valid_2_q) special_3_q <= special_2_q;
        end
        assign special_3 = special_3_q;
        lane_special u_lane_special (
            .clk_i, .start_i(valid_i && special), .op_i, .mod_i(mod_i[2:0]), .a_i, .b_i, .c_i, .result_o(special_result)
        );
        wire unused_shared = &{1'b0, special_valid_i, special_i};
    end else begin : g_shared
        assign special_3 = 1'b0;
        assign special_result = 32'd0;
    end

    logic [31:0] integer_result_q;
    assign result_o = special_3 ? special_result : round_3_q ? float_result : integer_result_q;

    always_ff @(posedge clk_i) begin
        valid_1_q <= valid_i;
        valid_2_q <= valid_1_q;
        if (valid_i) begin
            pred_o <= pred;
            negate_1_q <= negate;
            low_half_1_q <= low_half;
            rotate_1_q <= rotate;
            multiply_1_q <= multiply;
            fma_1_q <= fma;
            if (multiply || fma) begin
                pp_ll_q <= $signed(left_low) * $signed(right_low);
                pp_lh_q <= $signed(left_low) * $signed(right_high);
                pp_hl_q <= $signed(left_high) * $signed(right_low);
                pp_hh_q <= $signed(left_high) * $signed(right_high);
            end
            if (multiply) addend_1_q <= (op_i == IMAD || op_i == IMADHI || op_i == UMADHI) ? c_i : 32'd0;
            else addend_1_q <= simple;
        end
        if (valid_1_q) begin
            addend_2_q <= addend_1_q;
            fma_2_q <= fma_1_q;
            if (multiply_1_q) product_2_q <= (low_half_1_q || rotate_1_q ? product_1[31:0] : 32'd0) | (low_half_1_q ? 32'd0 : product_1[63:32]);
            else product_2_q <= {31'd0, negate_1_q};
        end
        if (valid_2_q) begin
            round_3_q <= round_2;
            integer_result_q <= product_2_q + addend_2_q;
        end
        if (SPECIAL == 0 && special_valid_i) begin
            round_3_q <= 1'b0;
            integer_result_q <= special_i;
        end
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) if (valid_i) begin
        assert (op_i != 7'd0);
        if (rotate) assert (a_i == c_i);
    end
`endif

endmodule
`default_nettype wire
