// Decodes one instruction word; combinational. What the fields of the word mean is said in cmodel/isa/isa.tbl; legality comes from
// gen/isa.svh; what comes out is told in rtl/bundles.tbl (DECODED).
//
// dec_passes_o: wide stores read one data register a round over the portions, R2P writes one predicate a round, SHFL reads all registers
// before the portions pick.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "token.svh"

module decode (
    input  wire  [63:0] word_i,
    input  wire  [7:0]  registers_i,   // REGISTER_COUNT of the task
    input  wire  [7:0]  privates_i,    // of them private; the others are shared rows
    input  wire         shared_use_i,  // which may be used now
    input  wire         trap_i,        // the warp is in a trap
    input  wire  [21:0] pc_next_i,
    output logic        illegal_o,
    output logic        bad_register_o,
    `DECODED_OUT(dec)
);

    wire [7:0]  opcode = word_i[7:0];
    wire [7:0]  rd = word_i[19:12];
    wire [7:0]  ra = word_i[27:20];
    wire [3:0]  mod = word_i[31:28];
    wire [7:0]  rb = word_i[39:32];
    wire [7:0]  rc = word_i[47:40];
    wire [31:0] imm = word_i[63:32];
    wire [4:0]  format = `ISA_FORMAT(opcode);

    // Which registers the format names.
    logic names_rd, names_ra, names_rb, names_rc;
    always_comb begin
        names_rd = 1'b0;
        names_ra = 1'b0;
        names_rb = 1'b0;
        names_rc = 1'b0;
        case (format)
            `FORMAT_B, `FORMAT_CVT, `FORMAT_RND: begin
                names_rd = 1'b1;
                names_rb = !opcode[7];
            end
            `FORMAT_B2, `FORMAT_SELP, `FORMAT_CALLX, `FORMAT_CARRY: begin
                names_rd = 1'b1;
                names_ra = 1'b1;
                names_rb = !opcode[7];
            end
            `FORMAT_R3, `FORMAT_R3S, `FORMAT_ATOM: begin
                names_rd = 1'b1;
                names_ra = 1'b1;
                names_rb = 1'b1;
                names_rc = format != `FORMAT_ATOM || mod == `ATOM_CAS;
            end
            `FORMAT_CMP, `FORMAT_FCMP: begin
                names_ra = 1'b1;
                names_rb = !opcode[7];
            end
            `FORMAT_SR, `FORMAT_CALLR: names_rd = 1'b1;
            `FORMAT_PR: names_rd = opcode != `OP_VOTE;
            `FORMAT_SS: begin
                names_rd = opcode == `OP_SRD;
                names_ra = opcode == `OP_R2S;
            end
            `FORMAT_RA, `FORMAT_RP, `FORMAT_RETR, `FORMAT_RELR, `FORMAT_ABSR: names_ra = 1'b1;
            `FORMAT_LD, `FORMAT_ST, `FORMAT_LDC: begin
                names_rd = 1'b1;
                names_ra = 1'b1;
            end
            default: ;
        endcase
    end

    wire memory = format == `FORMAT_LD || format == `FORMAT_ST || format == `FORMAT_LDC;
    wire wide64 = memory && mod == `SIZE_64;
    wire wide128 = memory && mod == `SIZE_128;
    wire [8:0] last_rd = {1'b0, rd} + (wide128 ? 9'd3 : wide64 ? 9'd1 : 9'd0);
    wire rd_outside = last_rd >= {1'b0, registers_i} || (last_rd >= {1'b0, privates_i} && (!shared_use_i || rd < privates_i));
    wire rd_bad = rd != `ISA_RZ && (rd_outside || (wide64 && rd[0]) || (wide128 && rd[1:0] != 2'd0));

    // Scalar registers that do not exist, or may not stand where they stand.
    wire scalar_d_bad = rd >= `ISA_SCALARS && rd != `SCALAR_EXEC_LO && rd != `SCALAR_EXEC_HI;
    wire scalar_b_bad = rb >= `ISA_SCALARS && rb != `SCALAR_EXEC_LO && rb != `SCALAR_EXEC_HI;
    logic scalar_bad;
    always_comb begin
        case (opcode)
            `OP_SMOV: scalar_bad = scalar_d_bad || scalar_b_bad;
            `OP_SMOV_I: scalar_bad = scalar_d_bad;
            `OP_R2S: scalar_bad = rd >= `ISA_SCALARS && !(trap_i && rd[7:3] == 5'h10 && rd[1:0] != 2'd1 && (rd[2] || !rd[1]));
            `OP_SRD: scalar_bad = scalar_b_bad && !(trap_i && rb[7:4] == 4'h8 && rb[3:1] != 3'd3);
            `OP_VOTE: scalar_bad = scalar_d_bad || rd[0];
            default: scalar_bad = 1'b0;
        endcase
    end

    // In a trap only branches of the whole warp and the trap's own are control.
    wire trap_only = `TRAP_ONLY(opcode);
    wire branch = opcode == `OP_JMP || (opcode == `OP_BRA && mod == `BRA_PLAIN);
    wire trap_bad = trap_i ? (dec_unit_o == `UNIT_CONTROL && !branch && !trap_only) || dec_unit_o == `UNIT_BARRIER || dec_launch_o
                         : trap_only;
    assign illegal_o = !(`ISA_LEGAL_WORD(word_i)) || trap_bad;
    wire [7:0] limit = shared_use_i ? registers_i : privates_i;
    assign bad_register_o = scalar_bad || (names_rd && rd_bad) || (names_ra && ra != `ISA_RZ && ra >= limit) ||
                            (names_rb && rb != `ISA_RZ && rb >= limit) || (names_rc && rc != `ISA_RZ && rc >= limit);

    always_comb begin
        dec_op_o = {opcode[6:0]};
        dec_imm_o = imm;
        dec_b_imm_o = opcode[7];
        dec_uses_a_o = names_ra;
        dec_ra_o = ra;
        dec_rb_o = rb;
        dec_rc_o = rc;
        dec_writes_reg_o = 1'b0;
        dec_writes_pred_o = 1'b0;
        dec_pred_o = rd[2:0];
        dec_passes_o = 7'd1;
        dec_p1_o = mod;
        dec_p2_o = 4'd0;
        dec_special_o = 1'b0;
        dec_thread_id_o = 1'b0;
        dec_preds_to_b_o = 1'b0;
        dec_call_o = 1'b0;
        dec_store_o = 1'b0;
        dec_atomic_o = 1'b0;
        dec_constant_o = 1'b0;
        dec_scalar_o = 1'b0;
        dec_scalar_read_o = 1'b0;
        dec_to_scalar_o = 1'b0;
        dec_shuffle_o = 1'b0;
        dec_unit_o = `UNIT_LANES;
        case (format)
            `FORMAT_B, `FORMAT_B2, `FORMAT_R3, `FORMAT_SELP, `FORMAT_CVT, `FORMAT_RND: begin
                dec_writes_reg_o = rd != `ISA_RZ;
                dec_shuffle_o = opcode == `OP_SHFL || opcode == `OP_SHFL_I;
                if (dec_shuffle_o) dec_passes_o = 7'b0000011;
            end
            `FORMAT_SS: begin
                dec_to_scalar_o = opcode == `OP_R2S;
                dec_scalar_read_o = opcode == `OP_SRD;
                dec_scalar_o = !dec_to_scalar_o && !dec_scalar_read_o;
                if (dec_scalar_o) dec_unit_o = (rd >= `ISA_SCALARS) ? `UNIT_CONTROL : `UNIT_SCALAR;
                if (dec_scalar_read_o) begin
                    dec_writes_reg_o = rd != `ISA_RZ;
                    dec_op_o = 7'(`OP_MOV);
                    dec_b_imm_o = 1'b1;
                end
            end
            `FORMAT_R3S: begin
                dec_writes_reg_o = rd != `ISA_RZ;
                dec_b_imm_o = rb == `ISA_RZ;
                dec_imm_o = {16'd0, word_i[63:48]};
            end
            `FORMAT_CARRY: begin
                dec_writes_reg_o = rd != `ISA_RZ;
                dec_writes_pred_o = mod[2:0] != `ISA_PT;
                dec_pred_o = mod[2:0];
                dec_p1_o = {1'b0, mod[2:0]};
            end
            `FORMAT_CMP, `FORMAT_FCMP: dec_writes_pred_o = rd[2:0] != `ISA_PT;
            `FORMAT_PLOP: begin
                dec_writes_pred_o = rd[2:0] != `ISA_PT;
                dec_p1_o = ra[3:0];
                dec_p2_o = rb[3:0];
            end
            `FORMAT_PR:
                if (opcode == `OP_VOTE) begin
                    dec_scalar_o = 1'b1;
                    dec_unit_o = (rd >= `ISA_SCALARS) ? `UNIT_CONTROL : `UNIT_SCALAR;
                end else begin
                    dec_writes_reg_o = rd != `ISA_RZ;
                    dec_op_o = 7'(`OP_MOV);
                    dec_preds_to_b_o = 1'b1;
                end
            `FORMAT_RP: begin
                dec_writes_pred_o = 1'b1;
                dec_passes_o = imm[6:0];
            end
            `FORMAT_SR: begin
                dec_writes_reg_o = rd != `ISA_RZ;
                dec_op_o = 7'(`OP_MOV);
                dec_special_o = 1'b1;
                dec_thread_id_o = imm[7:0] == `SR_TID_X || imm[7:0] == `SR_TID_Y || imm[7:0] == `SR_TID_Z || imm[7:0] == `SR_LANEID;
            end
            `FORMAT_LD, `FORMAT_RA: dec_unit_o = `UNIT_MEMORY;
            `FORMAT_ST: begin
                dec_unit_o = `UNIT_MEMORY;
                dec_store_o = 1'b1;
                dec_rc_o = rd;
                dec_passes_o = wide128 ? 7'b1111 : wide64 ? 7'b0011 : 7'b0001;
            end
            `FORMAT_LDC: begin
                dec_unit_o = `UNIT_MEMORY;
                dec_constant_o = 1'b1;
                dec_imm_o = {16'd0, imm[15:0]};
            end
            `FORMAT_ATOM: begin
                dec_unit_o = `UNIT_MEMORY;
                dec_atomic_o = 1'b1;
                dec_imm_o = {{16{word_i[63]}}, word_i[63:48]};
            end
            `FORMAT_CALLR, `FORMAT_CALLX: begin
                dec_unit_o = `UNIT_CONTROL;
                dec_op_o = 7'(`OP_MOV);
                dec_call_o = 1'b1;
                dec_writes_reg_o = rd != `ISA_RZ;
            end
            default:
                if (opcode == `OP_SVLOOP_BEGIN || opcode == `OP_SVLOOP_END) begin
                    dec_scalar_o = 1'b1;
                    dec_unit_o = `UNIT_CONTROL;
                end else dec_unit_o = `DIVERGENCE_EXECUTES(opcode) ? `UNIT_CONTROL : (opcode == `OP_BAR) ? `UNIT_BARRIER : `UNIT_NONE;
        endcase
    end

    assign dec_names_o = {names_rd && rd != `ISA_RZ, names_rc && rc != `ISA_RZ, names_rb && rb != `ISA_RZ, names_ra && ra != `ISA_RZ};
    assign dec_more_o = wide128 ? 2'd3 : wide64 ? 2'd1 : 2'd0;
    wire [6:0] one_pred = 7'd1;  // moved out of sight for PT
    wire [6:0] pred_d = one_pred << rd[2:0], pred_mod = one_pred << mod[2:0];
    always_comb begin
        case (format)
            `FORMAT_SELP, `FORMAT_CARRY: dec_preds_named_o = pred_mod;
            `FORMAT_CMP, `FORMAT_FCMP: dec_preds_named_o = pred_d;
            `FORMAT_PLOP: dec_preds_named_o = pred_d | (one_pred << ra[2:0]) | (one_pred << rb[2:0]);
            `FORMAT_PR: dec_preds_named_o = (opcode == `OP_VOTE) ? 7'd0 : 7'h7F;
            `FORMAT_RP: dec_preds_named_o = imm[6:0];
            default: dec_preds_named_o = 7'd0;
        endcase
    end
    // BRA, JMP: when they diverge, the issue stage's to know.
    wire pushes = `DIVERGENCE_PUSHES(opcode);
    assign dec_alone_o = dec_unit_o == `UNIT_BARRIER || opcode == `OP_MEMBAR || dec_launch_o || dec_to_scalar_o ||
                         (dec_unit_o == `UNIT_CONTROL && !pushes && opcode != `OP_BRA && opcode != `OP_JMP);

    assign dec_shared_o = opcode == `OP_LDS || opcode == `OP_STS || opcode == `OP_ATOMS;
    assign dec_generic_o = opcode == `OP_LD || opcode == `OP_ST || opcode == `OP_ATOM;
    assign dec_local_o = opcode == `OP_LDL || opcode == `OP_STL;
    assign dec_launch_o = opcode == `OP_LAUNCH;
    assign dec_uniform_o = pushes || opcode == `OP_TRAP || opcode == `OP_TRET || opcode == `OP_TLEAVE || opcode == `OP_TEXIT || opcode == `OP_TFAIL ||
                           (trap_i && branch) ||
                           opcode == `OP_YIELD || opcode == `OP_SVLOOP_BEGIN || opcode == `OP_SVLOOP_END || opcode == `OP_SVSTART ||
                           format == `FORMAT_CALLR || format == `FORMAT_CALLX;
    // RET, BRX, JMX, JCALX with a register: what is added to the targets that are gathered from the threads.
    assign dec_target_o = (opcode == `OP_RET) ? 22'd0
                    : (opcode == `OP_JMP || opcode == `OP_JCAL || opcode == `OP_JMX || opcode == `OP_JCALX || opcode == `OP_YIELD) ? imm[21:0]
                    : pc_next_i + imm[21:0];

    wire unused = &{1'b0, word_i[11:8]};  // the guard: the issue stage's

endmodule
`default_nettype wire
