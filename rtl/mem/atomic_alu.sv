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
    always_comb begin
        known_o = 1'b1;
        case (atom_i)
            `ATOM_ADD:  result_o = old_i + operand_i;
            `ATOM_SUB:  result_o = old_i - operand_i;
            `ATOM_MIN:  result_o = $signed(operand_i) < $signed(old_i) ? operand_i : old_i;
            `ATOM_MAX:  result_o = $signed(operand_i) > $signed(old_i) ? operand_i : old_i;
            `ATOM_UMIN: result_o = operand_i < old_i ? operand_i : old_i;
            `ATOM_UMAX: result_o = operand_i > old_i ? operand_i : old_i;
            `ATOM_AND:  result_o = old_i & operand_i;
            `ATOM_OR:   result_o = old_i | operand_i;
            `ATOM_XOR:  result_o = old_i ^ operand_i;
            `ATOM_XCHG: result_o = operand_i;
            `ATOM_CAS:  result_o = old_i == operand_i ? swap_i : old_i;
            `ATOM_INC:  result_o = old_i >= operand_i ? 32'd0 : old_i + 32'd1;
            `ATOM_DEC:  result_o = (old_i == 32'd0 || old_i > operand_i) ? operand_i : old_i - 32'd1;
            default: begin
                result_o = old_i;
                known_o = 1'b0;
            end
        endcase
    end
endmodule
`default_nettype wire
