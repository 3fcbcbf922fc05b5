// Whether two words are the same, on the carry chain of an ECP5: a LUT4 of it compares two bits and hands on that those before were the same, where
// LUT4s alone need a tree behind them. 27 bits take 8 CCU2C instead of 19 LUT4, and less time. Read four times (ecp5_mapping.py):
// DIFFER so that of two words that are compared for both there is one comparison
// FIND   before the gates: comparisons of WIDTH bits and more become a cell of their own
// BOX    what the mapper is told of that cell: nothing but its time. Given CCU2C it would believe from 16 bits on that nothing is ever the same.
// CELLS  after the mapper: the cell becomes a chain
`ifdef DIFFER
(* techmap_celltype = "$ne" *)
module ecp5_equal_differ (A, B, Y);
    parameter A_SIGNED = 0;
    parameter B_SIGNED = 0;
    parameter A_WIDTH = 1;
    parameter B_WIDTH = 1;
    parameter Y_WIDTH = 1;
    (* force_downto *)
    input [A_WIDTH-1:0] A;
    (* force_downto *)
    input [B_WIDTH-1:0] B;
    (* force_downto *)
    output [Y_WIDTH-1:0] Y;
    wire _TECHMAP_FAIL_ = A_WIDTH != B_WIDTH || A_WIDTH < `WIDTH;
    assign Y = !(A == B);
endmodule
`endif

`ifdef FIND
(* techmap_celltype = "$eq" *)
module ecp5_equal_find (A, B, Y);
    parameter A_SIGNED = 0;
    parameter B_SIGNED = 0;
    parameter A_WIDTH = 1;
    parameter B_WIDTH = 1;
    parameter Y_WIDTH = 1;
    parameter _TECHMAP_CONSTMSK_A_ = 0;
    parameter _TECHMAP_CONSTMSK_B_ = 0;
    (* force_downto *)
    input [A_WIDTH-1:0] A;
    (* force_downto *)
    input [B_WIDTH-1:0] B;
    (* force_downto *)
    output [Y_WIDTH-1:0] Y;
    wire _TECHMAP_FAIL_ = A_WIDTH != B_WIDTH || A_WIDTH < `WIDTH || _TECHMAP_CONSTMSK_A_ != 0 || _TECHMAP_CONSTMSK_B_ != 0;
    wire same;
    \$__ECP5_EQUAL #(.WIDTH(A_WIDTH)) equal (.A(A), .B(B), .Y(same));
    assign Y = same;
endmodule
`endif

`ifdef BOX
(* abc9_box, blackbox *)
module \$__ECP5_EQUAL (A, B, Y);
    parameter WIDTH = 1;
    input [WIDTH-1:0] A;
    input [WIDTH-1:0] B;
    output Y;
    specify
        (A *> Y) = 1500;
        (B *> Y) = 1500;
    endspecify
endmodule
`endif

`ifdef CELLS
// The first half has no half before it: it takes one bit, and is told that by constants at C and D. The last one brings the carry out.
module \$__ECP5_EQUAL (A, B, Y);
    parameter WIDTH = 1;
    (* force_downto *)
    input [WIDTH-1:0] A;
    (* force_downto *)
    input [WIDTH-1:0] B;
    output Y;
    localparam HALVES = WIDTH / 2 + 1;
    localparam CELLS = HALVES / 2 + 1;
    (* force_downto *)
    wire [4*CELLS-2:0] a = A;
    (* force_downto *)
    wire [4*CELLS-2:0] b = B;
    wire [CELLS:0] carry;
    wire [CELLS-1:0] out0, out1;
    assign carry[0] = 1'b0;
    assign Y = HALVES % 2 == 0 ? out0[CELLS-1] : out1[CELLS-1];
    genvar i;
    generate for (i = 0; i < CELLS; i = i + 1) begin : slice
        if (i == 0)
            CCU2C #(.INIT0(16'h0009), .INIT1(16'h9009), .INJECT1_0("NO"), .INJECT1_1("YES")) chain (
                .CIN(carry[i]), .A0(a[0]), .B0(b[0]), .C0(1'b1), .D0(1'b1), .A1(a[1]), .B1(b[1]), .C1(a[2]), .D1(b[2]),
                .S0(out0[i]), .S1(out1[i]), .COUT(carry[i+1])
            );
        else if (i < CELLS - 1)
            CCU2C #(.INIT0(16'h9009), .INIT1(16'h9009), .INJECT1_0("YES"), .INJECT1_1("YES")) chain (
                .CIN(carry[i]), .A0(a[4*i-1]), .B0(b[4*i-1]), .C0(a[4*i]), .D0(b[4*i]), .A1(a[4*i+1]), .B1(b[4*i+1]), .C1(a[4*i+2]), .D1(b[4*i+2]),
                .S0(out0[i]), .S1(out1[i]), .COUT(carry[i+1])
            );
        else if (HALVES % 2 == 1)
            CCU2C #(.INIT0(16'h9009), .INIT1(16'h0000), .INJECT1_0("YES"), .INJECT1_1("NO")) chain (
                .CIN(carry[i]), .A0(a[4*i-1]), .B0(b[4*i-1]), .C0(a[4*i]), .D0(b[4*i]), .A1(1'b0), .B1(1'b0), .C1(1'b0), .D1(1'b0),
                .S0(out0[i]), .S1(out1[i]), .COUT(carry[i+1])
            );
        else
            CCU2C #(.INIT0(16'h0000), .INIT1(16'h0000), .INJECT1_0("NO"), .INJECT1_1("NO")) chain (
                .CIN(carry[i]), .A0(1'b0), .B0(1'b0), .C0(1'b0), .D0(1'b0), .A1(1'b0), .B1(1'b0), .C1(1'b0), .D1(1'b0),
                .S0(out0[i]), .S1(out1[i]), .COUT(carry[i+1])
            );
    end endgenerate
endmodule
`endif
