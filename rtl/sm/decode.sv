// Decodes one instruction word; combinational. What the fields mean is said in cmodel/isa/isa.tbl; legality comes from gen/isa.svh.
//
// unit_o: where the instruction goes (UNIT_*). op_o, mod_o: operation of the lanes (opcode without bit 7; all moves are MOV).
// passes_o: which rounds over the portions it takes, a bit each: wide stores read one data register a round, R2P writes one predicate a round.
`default_nettype none
`include "gen/isa.svh"
`include "sm.svh"
`include "token.svh"

module decode (
    input  wire  [63:0] word_i,
    input  wire  [7:0]  registers_i,       // REGISTER_COUNT of the task
    input  wire  [7:0]  privates_i,        // of them private; the others are shared rows
    input  wire         shared_use_i,      // which may be used now
    output logic        illegal_o,
    output logic        bad_register_o,
    output logic [2:0]  unit_o,
    output logic [6:0]  op_o,
    output logic [31:0] imm_o,
    output logic        b_is_imm_o,
    output logic        uses_a_o,          // else zero
    output logic [7:0]  reg_a_o,
    output logic [7:0]  reg_b_o,
    output logic [7:0]  reg_c_o,
    output logic        writes_reg_o,      // rd, not RZ, by the lanes
    output logic        writes_pred_o,     // pd, not PT
    output logic [2:0]  pred_o,
    output logic [6:0]  passes_o,
    output logic [3:0]  p1_o,              // predicate operands: number 2:0, negated 3
    output logic [3:0]  p2_o,
    output logic        special_o,         // S2R
    output logic        thread_id_o,       // S2R of TID_X, TID_Y, TID_Z or LANEID: differs from thread to thread
    output logic        preds_to_b_o,      // P2R
    output logic        call_o,            // CAL, JCAL: rd = return address
    output logic        memory_write_o,
    output logic        memory_atomic_o,
    output logic        memory_constant_o,
    output logic        scalar_o,          // the scalar unit's: SMOV, VOTE, SVLOOP_BEGIN, SVLOOP_END
    output logic        scalar_read_o,     // SRD
    output logic        to_scalar_o,       // R2S
    output logic        shuffle_o,         // SHFL
    output logic        memory_shared_o,   // LDS, STS, ATOMS
    output logic        memory_local_o,    // LDL, STL
    output logic        launch_o,          // LAUNCH
    output logic        uniform_o,         // legal only when all active threads execute it
    output logic [3:0]  names_o,           // vector registers that it reads or writes: rd, rc, rb, ra
    output logic [1:0]  more_o,            // registers behind rd that it reads or writes too
    output logic [6:0]  preds_o,           // predicates that it reads or writes beside the guard
    output logic        alone_o,           // issued when nothing of the warp is in flight
    input  wire  [21:0] pc_next_i,
    output logic [21:0] target_o           // of branches; YIELD: N or threshold
);

    wire [7:0]  op = word_i[7:0];
    wire [7:0]  rd = word_i[19:12];
    wire [7:0]  ra = word_i[27:20];
    wire [3:0]  mod = word_i[31:28];
    wire [7:0]  rb = word_i[39:32];
    wire [7:0]  rc = word_i[47:40];
    wire [31:0] imm = word_i[63:32];
    wire [4:0]  format = `ISA_FORMAT(op);

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
                names_rb = !op[7];
            end
            `FORMAT_B2, `FORMAT_SELP, `FORMAT_CALLX, `FORMAT_CARRY: begin
                names_rd = 1'b1;
                names_ra = 1'b1;
                names_rb = !op[7];
            end
            `FORMAT_R3, `FORMAT_R3S, `FORMAT_ATOM: begin
                names_rd = 1'b1;
                names_ra = 1'b1;
                names_rb = 1'b1;
                names_rc = format != `FORMAT_ATOM || mod == `ATOM_CAS;
            end
            `FORMAT_CMP, `FORMAT_FCMP: begin
                names_ra = 1'b1;
                names_rb = !op[7];
            end
            `FORMAT_SR, `FORMAT_CALLR: names_rd = 1'b1;
            `FORMAT_PR: names_rd = op != `OP_VOTE;
            `FORMAT_SS: begin
                names_rd = op == `OP_SRD;
                names_ra = op == `OP_R2S;
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
    wire rd_bad = rd != 8'd255 && (rd_outside || (wide64 && rd[0]) || (wide128 && rd[1:0] != 2'd0));

    // Scalar registers that do not exist, or may not stand where they stand.
    wire scalar_d_bad = rd >= `ISA_SCALARS && rd != `SCALAR_EXEC_LO && rd != `SCALAR_EXEC_HI;
    wire scalar_b_bad = rb >= `ISA_SCALARS && rb != `SCALAR_EXEC_LO && rb != `SCALAR_EXEC_HI;
    logic scalar_bad;
    always_comb begin
        case (op)
            `OP_SMOV: scalar_bad = scalar_d_bad || scalar_b_bad;
            `OP_SMOV_I: scalar_bad = scalar_d_bad;
            `OP_R2S: scalar_bad = rd >= `ISA_SCALARS;
            `OP_SRD: scalar_bad = scalar_b_bad;
            `OP_VOTE: scalar_bad = scalar_d_bad || rd[0];
            default: scalar_bad = 1'b0;
        endcase
    end

    assign illegal_o = !(`ISA_LEGAL_WORD(word_i));
    wire [7:0] limit = shared_use_i ? registers_i : privates_i;
    assign bad_register_o = scalar_bad || (names_rd && rd_bad) || (names_ra && ra != 8'd255 && ra >= limit) ||
                            (names_rb && rb != 8'd255 && rb >= limit) || (names_rc && rc != 8'd255 && rc >= limit);

    always_comb begin
        op_o = {op[6:0]};
        imm_o = imm;
        b_is_imm_o = op[7];
        uses_a_o = names_ra;
        reg_a_o = ra;
        reg_b_o = rb;
        reg_c_o = rc;
        writes_reg_o = 1'b0;
        writes_pred_o = 1'b0;
        pred_o = rd[2:0];
        passes_o = 7'd1;
        p1_o = mod;
        p2_o = 4'd0;
        special_o = 1'b0;
        thread_id_o = 1'b0;
        preds_to_b_o = 1'b0;
        call_o = 1'b0;
        memory_write_o = 1'b0;
        memory_atomic_o = 1'b0;
        memory_constant_o = 1'b0;
        scalar_o = 1'b0;
        scalar_read_o = 1'b0;
        to_scalar_o = 1'b0;
        shuffle_o = 1'b0;
        unit_o = `UNIT_LANES;
        case (format)
            `FORMAT_B, `FORMAT_B2, `FORMAT_R3, `FORMAT_SELP, `FORMAT_CVT, `FORMAT_RND: begin
                writes_reg_o = rd != 8'd255;
                shuffle_o = op == `OP_SHFL || op == `OP_SHFL_I;
                if (shuffle_o) passes_o = 7'b0000011;  // all registers are read, then the portions pick
            end
            `FORMAT_SS: begin
                to_scalar_o = op == `OP_R2S;
                scalar_read_o = op == `OP_SRD;
                scalar_o = !to_scalar_o && !scalar_read_o;
                if (scalar_o) unit_o = (rd >= `ISA_SCALARS) ? `UNIT_CONTROL : `UNIT_SCALAR;
                if (scalar_read_o) begin
                    writes_reg_o = rd != 8'd255;
                    op_o = 7'(`OP_MOV);
                    b_is_imm_o = 1'b1;
                end
            end
            `FORMAT_R3S: begin
                writes_reg_o = rd != 8'd255;
                b_is_imm_o = rb == 8'd255;
                imm_o = {16'd0, word_i[63:48]};
            end
            `FORMAT_CARRY: begin
                writes_reg_o = rd != 8'd255;
                writes_pred_o = mod[2:0] != 3'd7;
                pred_o = mod[2:0];
                p1_o = {1'b0, mod[2:0]};
            end
            `FORMAT_CMP, `FORMAT_FCMP: writes_pred_o = rd[2:0] != 3'd7;
            `FORMAT_PLOP: begin
                writes_pred_o = rd[2:0] != 3'd7;
                p1_o = ra[3:0];
                p2_o = rb[3:0];
            end
            `FORMAT_PR:
                if (op == `OP_VOTE) begin
                    scalar_o = 1'b1;
                    unit_o = (rd >= `ISA_SCALARS) ? `UNIT_CONTROL : `UNIT_SCALAR;
                end else begin
                    writes_reg_o = rd != 8'd255;
                    op_o = 7'(`OP_MOV);
                    preds_to_b_o = 1'b1;
                end
            `FORMAT_RP: begin
                writes_pred_o = 1'b1;
                passes_o = imm[6:0];
            end
            `FORMAT_SR: begin
                writes_reg_o = rd != 8'd255;
                op_o = 7'(`OP_MOV);
                special_o = 1'b1;
                thread_id_o = imm[7:0] == `SR_TID_X || imm[7:0] == `SR_TID_Y || imm[7:0] == `SR_TID_Z || imm[7:0] == `SR_LANEID;
            end
            `FORMAT_LD, `FORMAT_RA: unit_o = `UNIT_MEMORY;
            `FORMAT_ST: begin
                unit_o = `UNIT_MEMORY;
                memory_write_o = 1'b1;
                reg_c_o = rd;
                passes_o = wide128 ? 7'b1111 : wide64 ? 7'b0011 : 7'b0001;
            end
            `FORMAT_LDC: begin
                unit_o = `UNIT_MEMORY;
                memory_constant_o = 1'b1;
                imm_o = {16'd0, imm[15:0]};
            end
            `FORMAT_ATOM: begin
                unit_o = `UNIT_MEMORY;
                memory_atomic_o = 1'b1;
                imm_o = {{16{word_i[63]}}, word_i[63:48]};
            end
            `FORMAT_CALLR, `FORMAT_CALLX: begin
                unit_o = `UNIT_CONTROL;
                op_o = 7'(`OP_MOV);
                call_o = 1'b1;
                writes_reg_o = rd != 8'd255;
            end
            default:
                if (op == `OP_SVLOOP_BEGIN || op == `OP_SVLOOP_END) begin
                    scalar_o = 1'b1;
                    unit_o = `UNIT_CONTROL;
                end else unit_o = `DIVERGENCE_EXECUTES(op) ? `UNIT_CONTROL : (op == `OP_BAR) ? `UNIT_BARRIER : `UNIT_NONE;
        endcase
    end

    assign names_o = {names_rd && rd != 8'd255, names_rc && rc != 8'd255, names_rb && rb != 8'd255, names_ra && ra != 8'd255};
    assign more_o = wide128 ? 2'd3 : wide64 ? 2'd1 : 2'd0;
    wire [6:0] one_pred = 7'd1;  // moved out of sight for PT
    wire [6:0] pred_d = one_pred << rd[2:0], pred_mod = one_pred << mod[2:0];
    always_comb begin
        case (format)
            `FORMAT_SELP, `FORMAT_CARRY: preds_o = pred_mod;
            `FORMAT_CMP, `FORMAT_FCMP: preds_o = pred_d;
            `FORMAT_PLOP: preds_o = pred_d | (one_pred << ra[2:0]) | (one_pred << rb[2:0]);
            `FORMAT_PR: preds_o = (op == `OP_VOTE) ? 7'd0 : 7'h7F;
            `FORMAT_RP: preds_o = imm[6:0];
            default: preds_o = 7'd0;
        endcase
    end
    // BRA, JMP: when they diverge, the issue stage's to know.
    assign alone_o = unit_o == `UNIT_BARRIER || op == `OP_MEMBAR || launch_o || to_scalar_o ||
                     (unit_o == `UNIT_CONTROL && op != `OP_BRA && op != `OP_JMP);

    assign memory_shared_o = op == `OP_LDS || op == `OP_STS || op == `OP_ATOMS;
    assign memory_local_o = op == `OP_LDL || op == `OP_STL;
    assign launch_o = op == `OP_LAUNCH;
    assign uniform_o = op == `OP_SSY || op == `OP_PBRK || op == `OP_PCONT || op == `OP_PEXIT || op == `OP_PLONGJMP || op == `OP_YIELD ||
                       op == `OP_SVLOOP_BEGIN || op == `OP_SVLOOP_END || op == `OP_SVSTART || format == `FORMAT_CALLR || format == `FORMAT_CALLX;
    // RET, BRX, JMX, JCALX with a register: what is added to the targets that are gathered from the threads.
    assign target_o = (op == `OP_RET) ? 22'd0
                    : (op == `OP_JMP || op == `OP_JCAL || op == `OP_JMX || op == `OP_JCALX || op == `OP_YIELD) ? imm[21:0]
                    : pc_next_i + imm[21:0];

    wire unused = &{1'b0, word_i[11:8]};  // the guard: the issue stage's

endmodule
`default_nettype wire
