// The cells of an ECP5 that mapping leaves of the RTL, as a simulator needs them: function, no timing. Lookup tables are expressions of the netlist.
// A block RAM of which one port reads what the other writes in the same cycle reads garbage, and what both write is garbage: so it may be on the chip.
`default_nettype none
/* verilator lint_off DECLFILENAME */
/* verilator lint_off UNUSED */

module TRELLIS_FF #(
    parameter GSR = "AUTO", CEMUX = "1", CLKMUX = "CLK", LSRMUX = "LSR", SRMODE = "LSR_OVER_CE", REGSET = "RESET", LSRMODE = "LSR"
) (
    input  wire  CLK, LSR, CE, DI, M,
    output logic Q
);
    wire enable = CEMUX == "1" || (CEMUX == "INV" ? !CE : CE), set = LSRMUX == "INV" ? !LSR : LSR;
    initial if (CLKMUX != "CLK" || SRMODE == "ASYNC" || LSRMODE != "LSR") $error("a flip-flop of a kind that the RTL has none of");
    always_ff @(posedge CLK)
        if (SRMODE == "CE_OVER_LSR") begin
            if (enable) Q <= set ? REGSET == "SET" : DI;
        end else if (set) Q <= REGSET == "SET";
        else if (enable) Q <= DI;
endmodule

// Two bits of a sum, and the carry from the one below to the one above.
module CCU2C #(
    parameter [15:0] INIT0 = 0,
    parameter [15:0] INIT1 = 0,
    parameter INJECT1_0 = "YES", INJECT1_1 = "YES"
) (
    input  wire  CIN, A0, B0, C0, D0, A1, B1, C1, D1,
    output logic S0, S1, COUT
);
    wire all_0 = INIT0[{D0, C0, B0, A0}], two_0 = INIT0[{2'd0, B0, A0}];
    wire all_1 = INIT1[{D1, C1, B1, A1}], two_1 = INIT1[{2'd0, B1, A1}];
    wire middle = all_0 ? CIN : INJECT1_0 != "YES" && two_0;
    assign S0 = all_0 != (INJECT1_0 != "YES" && CIN);
    assign S1 = all_1 != (INJECT1_1 != "YES" && middle);
    assign COUT = all_1 ? middle : INJECT1_1 != "YES" && two_1;
endmodule

module TRELLIS_DPR16X4 #(
    parameter WCKMUX = "WCK", WREMUX = "WRE",
    parameter [63:0] INITVAL = 0
) (
    input  wire        WCK, WRE,
    input  wire  [3:0] WAD, DI, RAD,
    output logic [3:0] DO
);
    logic [3:0] words [16];
    initial if (WCKMUX != "WCK" || WREMUX != "WRE") $error("a LUT RAM of a kind that the RTL has none of");
    always_ff @(posedge WCK) if (WRE) words[WAD] <= DI;
    assign DO = words[RAD];
endmodule

module MULT18X18D #(
    parameter GSR = "ENABLED"
) (
    input  wire  A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17,
    input  wire  B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11, B12, B13, B14, B15, B16, B17,
    input  wire  C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14, C15, C16, C17,
    input  wire  SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
    output logic P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16, P17, P18, P19, P20, P21, P22, P23, P24, P25, P26, P27, P28, P29, P30, P31, P32, P33, P34, P35
);
    wire [17:0] a = {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
    wire [17:0] b = {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
    wire signed [35:0] product = $signed({{18{SIGNEDA && A17}}, a}) * $signed({{18{SIGNEDB && B17}}, b});
    assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = product;
endmodule

// One port's view of a block RAM, whose rows have two bytes of 9 bits: row, the bits of it that the address names, and its data there.
module block_ram_view #(
    parameter int WIDTH = 18
) (
    input  wire  [13:0] address_i,
    input  wire  [17:0] data_i,
    output logic [17:0] named_o,    // bits of the row that are read, and written where the bytes are enabled
    output logic [17:0] enabled_o,
    output logic [17:0] placed_o,
    input  wire  [17:0] row_i,
    output logic [17:0] read_o
);
    wire [3:0] place = (WIDTH == 18) ? 4'd0 : (WIDTH == 9) ? {address_i[3], 3'd0} : (WIDTH == 4) ? {address_i[3:2], 2'd0}
                     : (WIDTH == 2) ? {address_i[3:1], 1'd0} : address_i[3:0];
    wire [4:0] shift = {1'b0, place} + (place[3] ? 5'd1 : 5'd0);
    wire [17:0] ones = 18'((64'd1 << WIDTH) - 64'd1);
    assign named_o = ones << shift;
    assign enabled_o = (WIDTH == 18) ? {{9{address_i[1]}}, {9{address_i[0]}}} : '1;
    assign placed_o = (data_i & ones) << shift;
    assign read_o = (row_i >> shift) & ones;
endmodule

module DP16KD #(
    parameter [319:0] INITVAL_00 = 0, parameter [319:0] INITVAL_01 = 0, parameter [319:0] INITVAL_02 = 0, parameter [319:0] INITVAL_03 = 0,
    parameter [319:0] INITVAL_04 = 0, parameter [319:0] INITVAL_05 = 0, parameter [319:0] INITVAL_06 = 0, parameter [319:0] INITVAL_07 = 0,
    parameter [319:0] INITVAL_08 = 0, parameter [319:0] INITVAL_09 = 0, parameter [319:0] INITVAL_0A = 0, parameter [319:0] INITVAL_0B = 0,
    parameter [319:0] INITVAL_0C = 0, parameter [319:0] INITVAL_0D = 0, parameter [319:0] INITVAL_0E = 0, parameter [319:0] INITVAL_0F = 0,
    parameter [319:0] INITVAL_10 = 0, parameter [319:0] INITVAL_11 = 0, parameter [319:0] INITVAL_12 = 0, parameter [319:0] INITVAL_13 = 0,
    parameter [319:0] INITVAL_14 = 0, parameter [319:0] INITVAL_15 = 0, parameter [319:0] INITVAL_16 = 0, parameter [319:0] INITVAL_17 = 0,
    parameter [319:0] INITVAL_18 = 0, parameter [319:0] INITVAL_19 = 0, parameter [319:0] INITVAL_1A = 0, parameter [319:0] INITVAL_1B = 0,
    parameter [319:0] INITVAL_1C = 0, parameter [319:0] INITVAL_1D = 0, parameter [319:0] INITVAL_1E = 0, parameter [319:0] INITVAL_1F = 0,
    parameter [319:0] INITVAL_20 = 0, parameter [319:0] INITVAL_21 = 0, parameter [319:0] INITVAL_22 = 0, parameter [319:0] INITVAL_23 = 0,
    parameter [319:0] INITVAL_24 = 0, parameter [319:0] INITVAL_25 = 0, parameter [319:0] INITVAL_26 = 0, parameter [319:0] INITVAL_27 = 0,
    parameter [319:0] INITVAL_28 = 0, parameter [319:0] INITVAL_29 = 0, parameter [319:0] INITVAL_2A = 0, parameter [319:0] INITVAL_2B = 0,
    parameter [319:0] INITVAL_2C = 0, parameter [319:0] INITVAL_2D = 0, parameter [319:0] INITVAL_2E = 0, parameter [319:0] INITVAL_2F = 0,
    parameter [319:0] INITVAL_30 = 0, parameter [319:0] INITVAL_31 = 0, parameter [319:0] INITVAL_32 = 0, parameter [319:0] INITVAL_33 = 0,
    parameter [319:0] INITVAL_34 = 0, parameter [319:0] INITVAL_35 = 0, parameter [319:0] INITVAL_36 = 0, parameter [319:0] INITVAL_37 = 0,
    parameter [319:0] INITVAL_38 = 0, parameter [319:0] INITVAL_39 = 0, parameter [319:0] INITVAL_3A = 0, parameter [319:0] INITVAL_3B = 0,
    parameter [319:0] INITVAL_3C = 0, parameter [319:0] INITVAL_3D = 0, parameter [319:0] INITVAL_3E = 0, parameter [319:0] INITVAL_3F = 0,
    parameter int DATA_WIDTH_A = 18, DATA_WIDTH_B = 18,
    parameter REGMODE_A = "NOREG", REGMODE_B = "NOREG", RESETMODE = "SYNC", ASYNC_RESET_RELEASE = "SYNC",
    parameter CSDECODE_A = "0b000", CSDECODE_B = "0b000", CLKAMUX = "CLKA", CLKBMUX = "CLKB",
    parameter WRITEMODE_A = "NORMAL", WRITEMODE_B = "NORMAL", GSR = "AUTO"
) (
    input  wire  CLKA, CEA, OCEA, WEA, RSTA, CSA0, CSA1, CSA2,
    input  wire  ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6, ADA7, ADA8, ADA9, ADA10, ADA11, ADA12, ADA13,
    input  wire  DIA0, DIA1, DIA2, DIA3, DIA4, DIA5, DIA6, DIA7, DIA8, DIA9, DIA10, DIA11, DIA12, DIA13, DIA14, DIA15, DIA16, DIA17,
    output logic DOA0, DOA1, DOA2, DOA3, DOA4, DOA5, DOA6, DOA7, DOA8, DOA9, DOA10, DOA11, DOA12, DOA13, DOA14, DOA15, DOA16, DOA17,
    input  wire  CLKB, CEB, OCEB, WEB, RSTB, CSB0, CSB1, CSB2,
    input  wire  ADB0, ADB1, ADB2, ADB3, ADB4, ADB5, ADB6, ADB7, ADB8, ADB9, ADB10, ADB11, ADB12, ADB13,
    input  wire  DIB0, DIB1, DIB2, DIB3, DIB4, DIB5, DIB6, DIB7, DIB8, DIB9, DIB10, DIB11, DIB12, DIB13, DIB14, DIB15, DIB16, DIB17,
    output logic DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8, DOB9, DOB10, DOB11, DOB12, DOB13, DOB14, DOB15, DOB16, DOB17
);
    localparam [64*320-1:0] INIT = {INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39, INITVAL_38,
        INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30,
        INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28,
        INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20,
        INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18,
        INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10,
        INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08,
        INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01, INITVAL_00};
    logic [17:0] rows [1024];
    initial begin
        if (INIT != '0) for (int i = 0; i < 1024; i++) rows[i] = INIT[20*i +: 18];  // else anything, as after a reset
        if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG" || RESETMODE != "SYNC" || CLKAMUX != "CLKA" || CLKBMUX != "CLKB")
            $error("a block RAM of a kind that the RTL has none of");
    end

    wire [13:0] address_a = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
    wire [13:0] address_b = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
    wire [17:0] data_a = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
    wire [17:0] data_b = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0};
    logic [17:0] named_a, named_b, enabled_a, enabled_b, placed_a, placed_b, read_a, read_b, new_a, new_b, q_a, q_b;
    wire [17:0] row_a = rows[address_a[13:4]], row_b = rows[address_b[13:4]];
    block_ram_view #(.WIDTH(DATA_WIDTH_A)) u_a (.address_i(address_a), .data_i(data_a), .named_o(named_a), .enabled_o(enabled_a), .placed_o(placed_a),
                                                .row_i(seen_a), .read_o(read_a));
    block_ram_view #(.WIDTH(DATA_WIDTH_B)) u_b (.address_i(address_b), .data_i(data_b), .named_o(named_b), .enabled_o(enabled_b), .placed_o(placed_b),
                                                .row_i(seen_b), .read_o(read_b));

    // Which bits of their rows the ports write, and where they meet.
    wire [17:0] writes_a = (CEA && WEA && !RSTA) ? named_a & enabled_a : '0, writes_b = (CEB && WEB && !RSTB) ? named_b & enabled_b : '0;
    wire        same_row = address_a[13:4] == address_b[13:4];
    wire [17:0] meets_a = same_row ? writes_b : '0, meets_b = same_row ? writes_a : '0;
    assign new_a = (row_a & ~writes_a) | (placed_a & writes_a);
    assign new_b = (row_b & ~writes_b) | (placed_b & writes_b);
    wire [17:0] own_a = (WRITEMODE_A == "WRITETHROUGH") ? new_a : row_a, own_b = (WRITEMODE_B == "WRITETHROUGH") ? new_b : row_b;
    logic [17:0] garbage_q;
    wire [17:0] seen_a = (own_a & ~meets_a) | (garbage_q & meets_a), seen_b = (own_b & ~meets_b) | (garbage_q & meets_b);
    wire [17:0] both = meets_a & writes_a;
    wire [17:0] all = same_row ? (new_a & ~writes_b) | (placed_b & writes_b & ~both) | (garbage_q & both) : new_a;

    always_ff @(posedge CLKA) begin
        garbage_q <= {garbage_q[16:0], !(garbage_q[17] ^ garbage_q[10])};  // 2^18 - 1 numbers, one after the other
        if (writes_a != '0 || (same_row && writes_b != '0)) rows[address_a[13:4]] <= all;
        if (writes_b != '0 && !same_row) rows[address_b[13:4]] <= new_b;
        if (RSTA) q_a <= '0;
        else if (CEA && (!WEA || WRITEMODE_A != "NORMAL")) q_a <= read_a;
        if (RSTB) q_b <= '0;
        else if (CEB && (!WEB || WRITEMODE_B != "NORMAL")) q_b <= read_b;
    end
    assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0} = q_a;
    assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0} = q_b;
endmodule
/* verilator lint_on UNUSED */
/* verilator lint_on DECLFILENAME */
`default_nettype wire
