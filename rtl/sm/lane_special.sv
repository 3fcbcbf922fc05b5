// The operations that a lane seldom needs: FRCP, FRSQ, FEX2, FLG2 (fpu_table), F2I, FRND, I2F (fpu_convert), and their rounding;
// PRMT, POPC, CLZ, BREV; fields (UBFE, IBFE, BFI) and funnel shifts (FSHL, FSHR); MOV of ra for SHFL.
//
// Protocol: start_i in cycle t with operation and operands; result_o stands in t + 3 until the next one's. One operation a cycle.
`default_nettype none
`include "gen/isa.svh"

module lane_special (
    input  wire         clk_i,
    input  wire         start_i,
    input  wire  [6:0]  op_i,
    input  wire  [2:0]  mod_i,
    input  wire  [31:0] a_i,
    input  wire  [31:0] b_i,
    input  wire  [31:0] c_i,
    output logic [31:0] result_o
);

    localparam logic [6:0] F2I = 7'(`OP_F2I), I2F = 7'(`OP_I2F), FRND = 7'(`OP_FRND);

    wire converts = op_i == F2I || op_i == I2F || op_i == FRND;
    wire inserts = op_i == 7'(`OP_BFI);
    wire extracts = op_i == 7'(`OP_UBFE) || op_i == 7'(`OP_IBFE);
    wire funnel = op_i == 7'(`OP_FSHL) || op_i == 7'(`OP_FSHR);
    wire of_bits = op_i == 7'(`OP_PRMT) || op_i == 7'(`OP_POPC) || op_i == 7'(`OP_CLZ) || op_i == 7'(`OP_BREV) || op_i == 7'(`OP_MOV) ||
                   inserts || extracts || funnel;

    // ---- operations on bits: finished in cycle t ----
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

    // Leading zeros of rb: by halves.
    logic [5:0]  leading;
    logic [31:0] led;
    always_comb begin
        leading = 6'd0;
        led = b_i;
        for (int k = 4; k >= 0; k--)
            if ((led >> (32 - (1 << k))) == 32'd0) begin
                led = led << (1 << k);
                leading = leading | 6'(1 << k);
            end
        if (!led[31]) leading = 6'd32;
    end

    // One shifter to the right, of 64 bits: left by n is right by 32 - n, in two steps because n may be 0.
    wire shift_left = inserts || op_i == 7'(`OP_FSHL);
    wire sign_comes_in = a_i[31] && op_i == 7'(`OP_IBFE);
    wire [31:0] high = (shift_left || funnel) ? a_i : {32{sign_comes_in}};
    wire [31:0] low = funnel ? c_i : shift_left ? 32'd0 : a_i;
    wire [62:0] pair = shift_left ? {high, low[31:1]} : {high[30:0], low};
    wire [31:0] moved = 32'(pair >> (shift_left ? ~b_i[4:0] : b_i[4:0]));

    // Fields: of the shifted bits those from first up to, not including, behind are taken; the others are those of rc or the field's sign.
    wire [4:0] first = inserts ? b_i[4:0] : 5'd0;
    wire [6:0] behind = (inserts || extracts) ? 7'(first) + 7'(b_i[13:8]) : 7'd64;
    // The field's sign, where it stands in ra, beside the shift. Of 32 bits and more all are taken, and the sign is nowhere.
    wire [4:0] width_less_one = b_i[12:8] - 5'd1;
    wire [5:0] sign_at = {1'b0, b_i[4:0]} + {1'b0, width_less_one};
    wire       field_sign = op_i == 7'(`OP_IBFE) && b_i[12:8] != 5'd0 && (sign_at[5] ? a_i[31] : a_i[sign_at[4:0]]);
    // Ones from a place on are a shift of ones: no comparison of each bit's place.
    wire [31:0] taken = (32'hFFFFFFFF << first) & ((behind[6:5] != 2'd0) ? 32'hFFFFFFFF : ~(32'hFFFFFFFF << behind[4:0]));
    wire [31:0] field = (moved & taken) | ((inserts ? c_i : {32{field_sign}}) & ~taken);

    logic [31:0] bits_0, bits_1_q, bits_2_q;
    logic        of_bits_1_q, of_bits_2_q;
    always_comb begin
        case (op_i)
            7'(`OP_PRMT): bits_0 = picked;
            7'(`OP_POPC): bits_0 = 32'($countones(b_i));
            7'(`OP_CLZ): bits_0 = {26'd0, leading};
            7'(`OP_BREV): for (int i = 0; i < 32; i++) bits_0[i] = b_i[31-i];
            7'(`OP_MOV): bits_0 = a_i;
            default: bits_0 = field;
        endcase
    end

    // ---- floats ----

    logic        start_1_q, start_2_q, converts_1_q, converts_2_q, integer_1_q, integer_2_q, integer_3_q;
    logic [31:0] integer_result_q;
    wire  [31:0] convert_integer, convert_sum, table_sum, float_result;
    wire  [8:0]  convert_room, table_room;
    wire  [1:0]  convert_round;
    wire         convert_sign, convert_nan, convert_infinite, table_sign, table_nan, table_infinite;

    fpu_convert u_fpu_convert (
        .clk_i, .start_i(start_i && converts), .op_i, .mod_i, .b_i, .integer_o(convert_integer), .sum_o(convert_sum),
        .sign_o(convert_sign), .room_o(convert_room), .round_o(convert_round), .nan_o(convert_nan), .infinite_o(convert_infinite)
    );

    fpu_table u_fpu_table (
        .clk_i, .start_i(start_i && !converts && !of_bits), .op_i, .b_i, .sum_o(table_sum), .sign_o(table_sign), .room_o(table_room),
        .nan_o(table_nan), .infinite_o(table_infinite)
    );

    // The sum of fpu_round is wider: it is made for products, and narrow here.
    fpu_round #(.NARROW(1)) u_fpu_round (
        .clk_i, .start_i(start_2_q && !integer_2_q), .sum_i({32'd0, converts_2_q ? convert_sum : table_sum, 13'd0}),
        .room_i(converts_2_q ? convert_room : table_room), .sign_i(converts_2_q ? convert_sign : table_sign),
        .round_i(converts_2_q ? convert_round : 2'(`ROUND_RTE)), .nan_i(converts_2_q ? convert_nan : table_nan),
        .infinite_i(converts_2_q ? convert_infinite : table_infinite), .result_o(float_result)
    );

    assign result_o = integer_3_q ? integer_result_q : float_result;

    always_ff @(posedge clk_i) begin
        start_1_q <= start_i;
        start_2_q <= start_1_q;
        if (start_i) begin
            converts_1_q <= converts;
            integer_1_q <= op_i == F2I || of_bits;
            of_bits_1_q <= of_bits;
            bits_1_q <= bits_0;
        end
        if (start_1_q) begin
            converts_2_q <= converts_1_q;
            integer_2_q <= integer_1_q;
            of_bits_2_q <= of_bits_1_q;
            bits_2_q <= bits_1_q;
        end
        if (start_2_q) begin
            integer_3_q <= integer_2_q;
            if (integer_2_q) integer_result_q <= of_bits_2_q ? bits_2_q : convert_integer;
        end
    end

endmodule
`default_nettype wire
