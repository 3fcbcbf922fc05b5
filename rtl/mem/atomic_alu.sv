// atomic_alu: the new value of a word under an atomic operation (table `atom` of the ISA); combinational. Used by atomic_unit (global
// memory) and by shared_memory, once for each bank. Its C twin is atomic_unit_result().
`default_nettype none
`include "gen/isa.svh"

module atomic_alu (
    input  wire  [3:0]  atom_i,
    input  wire  [31:0] old_i,
    input  wire  [31:0] operand_i,
    input  wire  [31:0] swap_i,  // CAS: the new value
    output logic [31:0] result_o,
    output logic        known_o  // else no such operation: the word stays
);
    // One comparison, one sum, and the rest is a function of two bits by its table: bit {old, operand} of it.
    localparam logic [3:0] OLD = 4'b1100, OPERAND = 4'b1010, NOTHING = 4'b0000;

    wire below = old_i < operand_i, equal = old_i == operand_i;
    wire below_signed = (old_i[31] != operand_i[31]) ? old_i[31] : below;

    logic        adds, subtracts, by_one, swaps;
    logic [3:0]  bits;
    always_comb begin
        known_o = 1'b1;
        adds = 1'b0;
        subtracts = 1'b0;
        by_one = 1'b0;
        swaps = 1'b0;
        bits = OLD;
        case (atom_i)
            `ATOM_ADD:  adds = 1'b1;
            `ATOM_SUB:  begin adds = 1'b1; subtracts = 1'b1; end
            `ATOM_MIN:  bits = below_signed ? OLD : OPERAND;
            `ATOM_MAX:  bits = below_signed ? OPERAND : OLD;
            `ATOM_UMIN: bits = below ? OLD : OPERAND;
            `ATOM_UMAX: bits = below ? OPERAND : OLD;
            `ATOM_AND:  bits = OLD & OPERAND;
            `ATOM_OR:   bits = OLD | OPERAND;
            `ATOM_XOR:  bits = OLD ^ OPERAND;
            `ATOM_XCHG: bits = OPERAND;
            `ATOM_CAS:  swaps = equal;
            `ATOM_INC:  begin adds = below; by_one = 1'b1; bits = NOTHING; end
            `ATOM_DEC:  begin adds = old_i != 32'd0 && (below || equal); by_one = 1'b1; subtracts = 1'b1; bits = OPERAND; end
            default: known_o = 1'b0;  // the word stays
        endcase
    end

    wire [31:0] step = by_one ? 32'd1 : operand_i;
    wire [31:0] sum = old_i + (subtracts ? ~step : step) + {31'd0, subtracts};
    // bits[{old_i[i], operand_i[i]}] for each bit i
    wire [31:0] chosen = (old_i & operand_i & {32{bits[3]}}) | (old_i & ~operand_i & {32{bits[2]}}) | (~old_i & operand_i & {32{bits[1]}}) |
                         (~old_i & ~operand_i & {32{bits[0]}});
    assign result_o = adds ? sum : swaps ? swap_i : chosen;
endmodule
`default_nettype wire
