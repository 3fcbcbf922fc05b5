// One 32-bit lane: every arithmetic and logic instruction of the table in cmodel/isa/isa.tbl whose column "built" says yes.
//
// Protocol: operands and operation come with valid_i in cycle t; result_o stands in cycle t + 3, pred_o (ISETP, PSETP, R2P, carries) in t + 1.
// No back pressure. Throughput: one operation a cycle. The multiplier is four 16 x 16 products (cycle t), their sum (t + 1), the
// choice of a half and the addend of IMAD, IMADHI and UMADHI (t + 2), which is what FPGA multipliers want.
// op_i is the opcode with bit 7 clear: register and immediate forms are one operation here. Moves (MOV, S2R, P2R, CAL) come as MOV.
`default_nettype none
`include "gen/isa.svh"

module lane #(
    parameter int LANE = 0,
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
    input  wire  [1:0]  p_i,       // SEL: p_i[0] chooses; IADDC, ISUBC: the carry in; PSETP: both operands; R2P: p_i[0] is the bit
    output logic [31:0] result_o,
    output logic        pred_o
);

    // Operations by their register-form opcodes.
    localparam logic [6:0] IADD = 7'(`OP_IADD), ISUB = 7'(`OP_ISUB), IMUL = 7'(`OP_IMUL);
    localparam logic [6:0] IMULHI = 7'(`OP_IMULHI), UMULHI = 7'(`OP_UMULHI), IMAD = 7'(`OP_IMAD);
    localparam logic [6:0] IMADHI = 7'(`OP_IMADHI), UMADHI = 7'(`OP_UMADHI);

    wire less_signed = (a_i[31] != b_i[31]) ? a_i[31] : (a_i[30:0] < b_i[30:0]);
    wire less_unsigned = (a_i[31] != b_i[31]) ? b_i[31] : (a_i[30:0] < b_i[30:0]);
    wire equal = a_i == b_i;

    // Cycle t: everything but the multiplications is finished here and travels along.
    logic [31:0] simple;
    logic [31:0] sum;
    always_comb begin
        sum = a_i + b_i;
        if (INJECT != 0 && inject_i == 8'd1 && LANE == 0) sum = {a_i[31:16] + b_i[31:16], a_i[15:0] + b_i[15:0]};
    end

    // One adder with carry for IADDO, IADDC, ISUBO, ISUBC and for what saturates or is a distance.
    wire subtract = op_i == 7'(`OP_ISUBO) || op_i == 7'(`OP_ISUBC) || op_i == 7'(`OP_ISUBSAT) || op_i == 7'(`OP_USUBSAT) ||
                    op_i == 7'(`OP_IABSD) || op_i == 7'(`OP_UABSD);
    wire chained = op_i == 7'(`OP_IADDC) || op_i == 7'(`OP_ISUBC);
    wire carry_in = subtract != (chained && p_i[0]);
    wire [32:0] total = {1'b0, a_i} + {1'b0, subtract ? ~b_i : b_i} + {32'd0, carry_in};
    wire carry = total[32] != subtract;  // carry, or borrow
    wire overflow = (a_i[31] != b_i[31]) == subtract && a_i[31] != total[31];
    wire [31:0] nearest = {a_i[31], {31{!a_i[31]}}};  // when it overflows, ra has the sign of the true value
    wire negative = (op_i == 7'(`OP_IABSD)) ? less_signed : less_unsigned;

    // Fields and bytes. field: the low width bits; put: the same where the field lies.
    wire [31:0] field = (b_i[13:8] >= 6'd32) ? 32'hFFFFFFFF : (32'd1 << b_i[12:8]) - 32'd1;
    wire [31:0] put = field << b_i[4:0];
    wire [31:0] shifted = (op_i == 7'(`OP_IBFE)) ? $unsigned($signed(a_i) >>> b_i[4:0]) : a_i >> b_i[4:0];
    wire        field_sign = |(shifted & (field ^ (field >> 1)));
    // One shifter to the right: left by n is right by 32 - n, in two steps because n may be 0.
    wire        left = op_i == 7'(`OP_FSHL);
    wire [62:0] pair = left ? {a_i, c_i[31:1]} : {a_i[30:0], c_i};
    wire [31:0] funnel = 32'(pair >> (left ? ~b_i[4:0] : b_i[4:0]));
    wire [63:0] bytes = {c_i, a_i};
    logic [31:0] picked;
    logic [7:0]  byte_picked;
    always_comb begin
        picked = 32'd0;
        byte_picked = 8'd0;
        for (int i = 0; i < 4; i++) begin
            byte_picked = bytes[32'(b_i[i*4 +: 3])*8 +: 8];
            picked[i*8 +: 8] = b_i[i*4 + 3] ? {8{byte_picked[7]}} : byte_picked;
        end
    end

    always_comb begin
        simple = b_i;
        case (op_i)
            IADD: simple = sum;
            ISUB: simple = a_i - b_i;
            7'(`OP_AND): simple = a_i & b_i;
            7'(`OP_OR): simple = a_i | b_i;
            7'(`OP_XOR): simple = a_i ^ b_i;
            7'(`OP_SHL): simple = a_i << b_i[4:0];
            7'(`OP_SHR): simple = a_i >> b_i[4:0];
            7'(`OP_SAR): simple = (INJECT != 0 && inject_i == 8'd5) ? a_i >> b_i[4:0] : $unsigned($signed(a_i) >>> b_i[4:0]);
            7'(`OP_IMIN): simple = less_signed ? a_i : b_i;
            7'(`OP_IMAX): simple = less_signed ? b_i : a_i;
            7'(`OP_UMIN): simple = less_unsigned ? a_i : b_i;
            7'(`OP_UMAX): simple = less_unsigned ? b_i : a_i;
            7'(`OP_SEL): simple = p_i[0] ? a_i : b_i;
            7'(`OP_POPC): simple = 32'($countones(b_i));
            7'(`OP_CLZ): begin
                simple = 32'd32;
                for (int i = 0; i < 32; i++) if (b_i[i]) simple = 32'(31 - i);
            end
            7'(`OP_BREV): for (int i = 0; i < 32; i++) simple[i] = b_i[31-i];
            7'(`OP_IADDO), 7'(`OP_IADDC), 7'(`OP_ISUBO), 7'(`OP_ISUBC): simple = total[31:0];
            7'(`OP_IADDSAT), 7'(`OP_ISUBSAT): simple = overflow ? nearest : total[31:0];
            7'(`OP_UADDSAT): simple = carry ? 32'hFFFFFFFF : total[31:0];
            7'(`OP_USUBSAT): simple = carry ? 32'd0 : total[31:0];
            7'(`OP_IABSD), 7'(`OP_UABSD): simple = negative ? 32'd0 - total[31:0] : total[31:0];
            7'(`OP_UBFE): simple = shifted & field;
            7'(`OP_IBFE): simple = (shifted & field) | (field_sign ? ~field : 32'd0);
            7'(`OP_BFI): simple = ((a_i << b_i[4:0]) & put) | (c_i & ~put);
            7'(`OP_PRMT): simple = picked;
            7'(`OP_FSHL), 7'(`OP_FSHR): simple = funnel;
            default: simple = b_i;  // MOV, and operations whose result comes from elsewhere
        endcase
    end

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
            7'(`OP_PSETP): pred = (mod_i[1:0] == 2'd0) ? (p_i[0] && p_i[1]) : (mod_i[1:0] == 2'd1) ? (p_i[0] || p_i[1]) : (p_i[0] != p_i[1]);
            7'(`OP_IADDO), 7'(`OP_IADDC), 7'(`OP_ISUBO), 7'(`OP_ISUBC): pred = carry;
            default: pred = p_i[0];  // R2P
        endcase
    end

    wire multiply = op_i == IMUL || op_i == IMULHI || op_i == UMULHI || op_i == IMAD || op_i == IMADHI || op_i == UMADHI;

    logic [31:0] simple_1_q, simple_2_q, c_1_q, c_2_q, a_1_q, b_1_q;
    logic [31:0] pp_ll_q, pp_lh_q, pp_hl_q, pp_hh_q;
    logic [63:0] product_2_q;
    logic [6:0]  op_1_q, op_2_q;
    logic        valid_1_q, valid_2_q, multiply_1_q, multiply_2_q;

    wire [32:0] middle_1 = {1'b0, pp_lh_q} + {1'b0, pp_hl_q};
    wire [63:0] product_1 = {pp_hh_q, pp_ll_q} + {15'd0, middle_1, 16'd0};
    // A negative operand counted as unsigned is 2^32 too large: the other operand is taken off the high word.
    wire signed_1 = (op_1_q == IMULHI || op_1_q == IMADHI) && !(INJECT != 0 && inject_i == 8'd10);
    wire [31:0] correction_1 = ((signed_1 && a_1_q[31]) ? b_1_q : 32'd0) + ((signed_1 && b_1_q[31]) ? a_1_q : 32'd0);

    always_ff @(posedge clk_i) begin
        valid_1_q <= valid_i;
        valid_2_q <= valid_1_q;
        if (valid_i) begin
            pred_o <= pred;
            simple_1_q <= simple;
            op_1_q <= op_i;
            multiply_1_q <= multiply;
            if (multiply) begin
                pp_ll_q <= {16'd0, a_i[15:0]} * {16'd0, b_i[15:0]};
                pp_lh_q <= {16'd0, a_i[15:0]} * {16'd0, b_i[31:16]};
                pp_hl_q <= {16'd0, a_i[31:16]} * {16'd0, b_i[15:0]};
                pp_hh_q <= {16'd0, a_i[31:16]} * {16'd0, b_i[31:16]};
                a_1_q <= a_i;
                b_1_q <= b_i;
                c_1_q <= c_i;
            end
        end
        if (valid_1_q) begin
            simple_2_q <= simple_1_q;
            op_2_q <= op_1_q;
            multiply_2_q <= multiply_1_q;
            if (multiply_1_q) begin
                product_2_q <= {product_1[63:32] - correction_1, product_1[31:0]};
                c_2_q <= c_1_q;
            end
        end
        if (valid_2_q) begin
            if (!multiply_2_q) result_o <= simple_2_q;
            else if (op_2_q == IMUL) result_o <= product_2_q[31:0];
            else if (op_2_q == IMAD) result_o <= product_2_q[31:0] + c_2_q;
            else if (op_2_q == IMADHI || op_2_q == UMADHI) result_o <= product_2_q[63:32] + c_2_q;
            else result_o <= product_2_q[63:32];
        end
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) if (valid_i) assert (op_i != 7'd0);
`endif

endmodule
`default_nettype wire
