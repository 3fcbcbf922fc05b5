// Which of two words is less, on the carry chain of an ECP5 and with nothing beside it. Yosys puts the operands of a comparison in an order of its own
// and then also asks whether they are the same wherever that order is the wrong one: 15 LUT4 more for 20 bits, in a row behind each other.
(* techmap_celltype = "$lt $le $gt $ge" *)
module ecp5_less (A, B, Y);
    parameter A_SIGNED = 0;
    parameter B_SIGNED = 0;
    parameter A_WIDTH = 1;
    parameter B_WIDTH = 1;
    parameter Y_WIDTH = 1;
    parameter _TECHMAP_CELLTYPE_ = "";
    (* force_downto *)
    input [A_WIDTH-1:0] A;
    (* force_downto *)
    input [B_WIDTH-1:0] B;
    (* force_downto *)
    output [Y_WIDTH-1:0] Y;
    parameter _TECHMAP_CONSTMSK_A_ = 0;
    parameter _TECHMAP_CONSTMSK_B_ = 0;
    localparam WIDTH = A_WIDTH > B_WIDTH ? A_WIDTH : B_WIDTH;
    wire _TECHMAP_FAIL_ = WIDTH <= 4 || &_TECHMAP_CONSTMSK_A_ || &_TECHMAP_CONSTMSK_B_;
    localparam IS_SIGNED = A_SIGNED && B_SIGNED;
    localparam SWAPPED = _TECHMAP_CELLTYPE_ == "$gt" || _TECHMAP_CELLTYPE_ == "$le";
    localparam NEGATED = _TECHMAP_CELLTYPE_ == "$ge" || _TECHMAP_CELLTYPE_ == "$le";
    wire [WIDTH-1:0] first, second, chain_y, chain_x, carry;
    \$pos #(.A_SIGNED(IS_SIGNED), .A_WIDTH(A_WIDTH), .Y_WIDTH(WIDTH)) widen_a (.A(A), .Y(first));
    \$pos #(.A_SIGNED(IS_SIGNED), .A_WIDTH(B_WIDTH), .Y_WIDTH(WIDTH)) widen_b (.A(B), .Y(second));
    wire [WIDTH-1:0] sign = IS_SIGNED ? {1'b1, {(WIDTH-1){1'b0}}} : {WIDTH{1'b0}};
    // What is left of the first less the second has no carry where the first is less.
    \$alu #(.A_SIGNED(0), .B_SIGNED(0), .A_WIDTH(WIDTH), .B_WIDTH(WIDTH), .Y_WIDTH(WIDTH)) chain (
        .A((SWAPPED ? second : first) ^ sign), .B((SWAPPED ? first : second) ^ sign), .CI(1'b1), .BI(1'b1), .X(chain_x), .Y(chain_y), .CO(carry)
    );
    assign Y = carry[WIDTH-1] ^ !NEGATED;
endmodule
