// The shared memory of the SM and the unit that works on it: LDS, STS, ATOMS, one warp instruction at a time. Of LD, ST and ATOM it serves
// the threads whose generic address is in its window: load_store, which is reserved with it, checks all (refuse_i) and does the others.
// That unit then ends the instruction; wb_partial_o: it writes other lanes of the portion later, which is when left_o no longer has it.
//
// LANES banks of 32 bits: word w lies in bank w % LANES, row w / LANES. A CTA has whole rows of it (cta_launcher), base_i on; an
// address is good when it lies, with its whole access, below bytes_i.
//
// Reserved by start_i (only while free_o) with what holds for the whole instruction; then its portions come (in_*), as in load_store.
// When the last one is in, the first bad thread faults the warp (MEMORY_ALIGNMENT, SHARED_BOUNDS) and nothing is done, or the portions are
// served in ascending order, wide accesses one word of all threads after the other (beats). In a cycle each bank serves one row: of the
// lowest thread left that wants the bank, and of all others that want the same word. So threads that want different rows of a bank
// (a conflict) take a cycle each. Of several stores to one byte the highest thread stays. Atomics: one thread a bank and round, a round
// takes 4 cycles (read, calculate, write), and one more for each further group of SHARED_ATOMICS banks that it uses. Threads of one word
// come in ascending order, so the outcome is that of all threads one after the other: the whole instruction counts as done when it is
// issued (event INSTR), which is when the unit is reserved.
//
// Pipeline: S select (addresses, bytes), M the banks, R the words go to their lanes (atomics: new values), A atomics are written. Loads and
// atomics then hand over one row a register (wb_*). done_valid_o stands until done_taken_i. An instruction of N portions without conflicts
// takes about N * (4 + words) cycles from its last portion in. clear_*: a row of zeros is written when no access needs the banks.
// passes_o, conflicts_o: what conflicts cost; a conflict of a load or store is one cycle, of an atomic a round.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/registers.svh"

module shared_memory #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int SHARED_BYTES = 16384,
    parameter int SHARED_ATOMICS = 8,
    parameter int REF_W = 8,
    parameter int INJECT = 0,
    localparam int P = THREADS / LANES,
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int ROWS = SHARED_BYTES / (4 * LANES),
    localparam int SHARED_W = $clog2(ROWS)
) (
    input  wire                 clk_i,
    input  wire                 rst_i,
    input  wire  [7:0]          inject_i,
    // an instruction
    output logic                free_o,
    input  wire                 start_i,
    `ACCESS_IN(access),
    input  wire  [SHARED_W-1:0] base_i,      // the CTA's first row
    input  wire  [17:0]         bytes_i,     // that it has
    input  wire                 refuse_i,    // with the last portion of a generic access: it faults
    output logic [P-1:0]        left_o,      // portions that are not done
    // its portions
    input  wire                 in_valid_i,
    `OPERANDS_IN(in),
    // its end: a fault, or done
    `FAULT_FOUND_OUT(fault),
    `DONE_OUT(done),
    input  wire                 done_taken_i,
    // rows to write
    `ROW_OUT(wb),
    // clearing
    `CLEAR_SHARED_IN(clear),
    // counted since reset
    output logic [31:0]         passes_o,    // cycles (atomics: rounds) in which the banks served threads
    output logic [31:0]         conflicts_o  // of these: beyond the first of a portion's word
);

    localparam int WORD_W = LANES * 32;
    localparam int BANK_W = $clog2(LANES);

    // ---- the instruction ----
    typedef enum logic [2:0] {FREE, INTAKE, FAULT, SERVE, WRITE, DONE} state_t;
    state_t              state_q;
    `ACCESS_KEPT_REG(access);
    logic [THREADS-1:0]  exec_q;  // threads of portions that are not begun
    logic [SHARED_W-1:0] base_q;
    logic [17:0]         bytes_q;
    logic [P-1:0]        others_q;  // portions of a generic access in which load_store has threads

    wire [3:0] size = access_atomic_q ? `SIZE_32 : access_mod_q;
    logic [4:0] bytes;
    always_comb
        case (size)
            `SIZE_U8, `SIZE_S8: bytes = 5'd1;
            `SIZE_U16, `SIZE_S16: bytes = 5'd2;
            `SIZE_32: bytes = 5'd4;
            `SIZE_64: bytes = 5'd8;
            default: bytes = 5'd16;
        endcase
    wire [3:0] low_ones = 4'(bytes - 5'd1);  // address bits that must be zero
    wire [1:0] last_beat = (size == `SIZE_128) ? 2'd3 : (size == `SIZE_64) ? 2'd1 : 2'd0;
    wire       keeps = !access_store_q && access_rd_q != `ISA_RZ;

    assign free_o = state_q == FREE;

    // ---- intake: addresses and checks ----
    logic [WORD_W-1:0] in_addr;
    logic              bad;
    logic [7:0]        bad_code;
    logic [31:0]       bad_info, address;
    logic [LANES-1:0]  in_own;  // threads that are this unit's
    always_comb begin
        in_addr = '0;
        in_own = in_lanes_i;
        bad = 1'b0;
        bad_code = `FAULT_NONE;
        bad_info = '0;
        address = '0;
        if (in_valid_i && in_pass_i == 3'd0)
            for (int l = LANES - 1; l >= 0; l--) begin
                address = in_a_i[l*32 +: 32] + access_imm_q;
                in_addr[l*32 +: 32] = address;
                if (access_generic_q && address[31:24] != `WINDOW_SHARED) in_own[l] = 1'b0;
                if (in_lanes_i[l] && !access_generic_q && ((address[3:0] & low_ones) != 4'd0 || {1'b0, address} + 33'(bytes) > 33'(bytes_q))) begin
                    bad = 1'b1;
                    bad_code = (address[3:0] & low_ones) != 4'd0 ? `FAULT_MEMORY_ALIGNMENT : `FAULT_SHARED_BOUNDS;
                    bad_info = address;
                end
            end
    end

    // ---- S: the portion, and the threads whose turn it is ----
    logic                 portion_valid_q;
    logic [PORTION_W-1:0] portion, portion_q;
    logic [LANES-1:0]     lanes_q, left_q;  // of the portion; of the beat
    logic [1:0]           beat_q;
    logic [LANES-1:0]     portion_lanes;
    logic                 portion_read;
    logic                 more;             // a portion follows
    logic [WORD_W-1:0]    addr_q, data0_q, data1_q, data2_q, data3_q;  // of the portion

    portion_rows #(.THREADS(THREADS), .LANES(LANES)) u_portion_rows (
        .clk_i, .in_valid_i, .in_portion_i, .in_pass_i, .in_atomic_i(access_atomic_q), .in_addr_i(in_addr), .in_b_i, .in_c_i,
        .pick_i(state_q == SERVE || state_q == WRITE), .exec_i(exec_q), .next_valid_o(more), .next_portion_o(portion), .next_lanes_o(portion_lanes),
        .read_i(portion_read), .addr_o(addr_q), .data0_o(data0_q), .data1_o(data1_q), .data2_o(data2_q), .data3_o(data3_q)
    );
    assign portion_read = state_q == SERVE && !portion_valid_q && more;
    always_comb
        for (int p = 0; p < P; p++)
            left_o[p] = exec_q[p*LANES +: LANES] != '0 || ((portion_valid_q || state_q == WRITE) && portion_q == PORTION_W'(p));

    logic m_valid_q, r_valid_q, a_valid_q;
    wire  empty = !m_valid_q && !r_valid_q && !a_valid_q;
    wire  serve = state_q == SERVE && portion_valid_q && left_q != '0 && (!access_atomic_q || empty);
    wire  portion_done = state_q == SERVE && portion_valid_q && left_q == '0 && empty;

    logic [LANES-1:0]        turn, bank_used;
    logic [LANES*SHARED_W-1:0] bank_row, lane_row;
    logic [LANES*BANK_W-1:0] lane_bank, bank_lane;  // bank of each lane; lowest lane of each bank
    logic [LANES*4-1:0]      bank_we;
    logic [WORD_W-1:0]       bank_data;
    logic [BANK_W+SHARED_W-1:0] word_index;
    logic [WORD_W-1:0]       lane_data;
    logic [LANES*4-1:0]      lane_we;
    wire  [WORD_W-1:0]       beat_data = (beat_q == 2'd3) ? data3_q : (beat_q == 2'd2) ? data2_q : (beat_q == 2'd1) ? data1_q : data0_q;
    // Bytes of a word that a thread stores; narrow stores have theirs in every place of the word.
    wire  [3:0]              size_we = (bytes == 5'd1) ? 4'b0001 : (bytes == 5'd2) ? 4'b0011 : 4'b1111;

    always_comb begin
        turn = '0;
        bank_used = '0;
        bank_row = '0;
        bank_lane = '0;
        lane_bank = '0;
        bank_we = '0;
        bank_data = '0;
        lane_row = '0;
        word_index = '0;
        lane_data = '0;
        lane_we = '0;
        if (serve) begin
            for (int l = 0; l < LANES; l++) begin
                word_index = addr_q[l*32+2 +: BANK_W+SHARED_W] + (BANK_W+SHARED_W)'(beat_q);
                lane_bank[l*BANK_W +: BANK_W] = word_index[BANK_W-1:0];
                lane_row[l*SHARED_W +: SHARED_W] = base_q + word_index[BANK_W +: SHARED_W];
                lane_data[l*32 +: 32] = beat_data[l*32 +: 32];
                if (bytes == 5'd1) lane_data[l*32 +: 32] = {4{beat_data[l*32 +: 8]}};
                if (bytes == 5'd2) lane_data[l*32 +: 32] = {2{beat_data[l*32 +: 16]}};
                lane_we[l*4 +: 4] = size_we << ((bytes < 5'd4) ? addr_q[l*32 +: 2] : 2'd0);
            end
            // Bank by bank, so that every place is a constant.
            for (int b = 0; b < LANES; b++) begin
                for (int l = LANES - 1; l >= 0; l--)
                    if (left_q[l] && lane_bank[l*BANK_W +: BANK_W] == BANK_W'(b)) begin
                        bank_used[b] = 1'b1;
                        bank_row[b*SHARED_W +: SHARED_W] = lane_row[l*SHARED_W +: SHARED_W];
                        bank_lane[b*BANK_W +: BANK_W] = BANK_W'(l);
                    end
                for (int l = 0; l < LANES; l++)
                    if (left_q[l] && lane_bank[l*BANK_W +: BANK_W] == BANK_W'(b)) begin
                        turn[l] = access_atomic_q ? bank_lane[b*BANK_W +: BANK_W] == BANK_W'(l)
                                                  : bank_row[b*SHARED_W +: SHARED_W] == lane_row[l*SHARED_W +: SHARED_W];
                        if (INJECT != 0 && inject_i == 8'd19 && !access_atomic_q) turn[l] = 1'b1;
                        if (turn[l]) begin
                            for (int k = 0; k < 4; k++) if (lane_we[l*4 + k]) bank_data[b*32 + k*8 +: 8] = lane_data[l*32 + k*8 +: 8];
                            if (access_store_q) bank_we[b*4 +: 4] = bank_we[b*4 +: 4] | lane_we[l*4 +: 4];
                        end
                    end
            end
        end
    end

    // ---- M: the banks ----
    // What an atomic has in M stays until it is written: nothing is served before.
    logic [LANES-1:0]        m_turn_q, m_used_q, r_turn_q, a_used_q;
    logic [LANES*SHARED_W-1:0] m_row_q;
    logic [LANES*BANK_W-1:0] m_bank_q, m_lane_q, r_bank_q;
    logic [LANES*4-1:0]      m_we_q;
    logic [WORD_W-1:0]       m_data_q, bank_read;
    logic [SHARED_ATOMICS*32-1:0] a_data_q, atomic_result;
    logic [1:0]              m_beat_q, r_beat_q;

    assign clear_ready_o = !m_valid_q && !a_valid_q;
    wire clear_go = clear_valid_i && clear_ready_o;

    for (genvar b = 0; b < LANES; b++) begin : g_bank
        (* no_rw_check *) logic [31:0] bank_mem_q [ROWS];
        logic [31:0]      read_q;
        logic             use_bank;
        logic [SHARED_W-1:0] row;
        logic [3:0]       we;
        logic [31:0]      data;
        always_comb begin
            use_bank = m_valid_q && m_used_q[b];
            row = m_row_q[b*SHARED_W +: SHARED_W];
            we = m_we_q[b*4 +: 4];
            data = m_data_q[b*32 +: 32];
            if (a_valid_q) begin
                use_bank = a_used_q[b];
                row = m_row_q[b*SHARED_W +: SHARED_W];
                we = 4'b1111;
                data = a_data_q[(b % SHARED_ATOMICS)*32 +: 32];
            end else if (clear_go) begin
                use_bank = 1'b1;
                row = clear_row_i;
                we = 4'b1111;
                data = 32'd0;
            end
        end
        always_ff @(posedge clk_i)
            if (use_bank) begin
                for (int i = 0; i < 4; i++) if (we[i]) bank_mem_q[row][i*8 +: 8] <= data[i*8 +: 8];
                if (we == 4'd0) read_q <= bank_mem_q[row];
            end
        assign bank_read[b*32 +: 32] = read_q;
    end

    // ---- R: atomics, the banks in groups of SHARED_ATOMICS ----
    localparam int TURNS = LANES / SHARED_ATOMICS;
    logic [LANES-1:0] r_left_q, r_group;  // banks of the round that are not done; those whose turn it is
    wire              r_stays = r_valid_q && access_atomic_q && (r_left_q & ~r_group) != '0;
    always_comb begin
        r_group = '0;
        for (int g = TURNS - 1; g >= 0; g--)
            if (r_left_q[g*SHARED_ATOMICS +: SHARED_ATOMICS] != '0) begin
                r_group = '0;
                r_group[g*SHARED_ATOMICS +: SHARED_ATOMICS] = r_left_q[g*SHARED_ATOMICS +: SHARED_ATOMICS];
            end
    end

    for (genvar u = 0; u < SHARED_ATOMICS; u++) begin : g_atomic
        logic [31:0]       old, operand;
        logic [BANK_W-1:0] lane;
        logic              known;
        always_comb begin
            old = '0;
            operand = '0;
            lane = '0;
            for (int g = 0; g < TURNS; g++)
                if (r_group[g*SHARED_ATOMICS + u]) begin
                    old = old | bank_read[(g*SHARED_ATOMICS + u)*32 +: 32];
                    operand = operand | m_data_q[(g*SHARED_ATOMICS + u)*32 +: 32];
                    lane = lane | m_lane_q[(g*SHARED_ATOMICS + u)*BANK_W +: BANK_W];
                end
        end
        atomic_alu u_atomic_alu (
            .atom_i(access_mod_q), .old_i(old), .operand_i(operand), .swap_i(data1_q[32'(lane)*32 +: 32]),
            .result_o(atomic_result[u*32 +: 32]), .known_o(known)
        );
        wire unused = &{1'b0, known};  // other operations are illegal instructions
    end

    // ---- R: words to their lanes ----
    logic [WORD_W-1:0] value;
    logic [31:0]       lane_word;
    always_comb begin
        value = '0;
        lane_word = '0;
        if (r_valid_q)
            for (int l = 0; l < LANES; l++) begin
                lane_word = bank_read[32'(r_bank_q[l*BANK_W +: BANK_W])*32 +: 32];
                case (size)
                    `SIZE_U8: lane_word = {24'd0, lane_word[32'(addr_q[l*32 +: 2])*8 +: 8]};
                    `SIZE_S8: begin
                        lane_word = {24'd0, lane_word[32'(addr_q[l*32 +: 2])*8 +: 8]};
                        lane_word[31:8] = {24{lane_word[7]}};
                    end
                    `SIZE_U16: lane_word = {16'd0, addr_q[l*32+1] ? lane_word[31:16] : lane_word[15:0]};
                    `SIZE_S16: begin
                        lane_word = {16'd0, addr_q[l*32+1] ? lane_word[31:16] : lane_word[15:0]};
                        lane_word[31:16] = {16{lane_word[15]}};
                    end
                    default: ;
                endcase
                value[l*32 +: 32] = lane_word;
            end
    end

    logic [1:0]        wb_word_q;
    logic [WORD_W-1:0] words;
    for (genvar l = 0; l < LANES; l++) begin : g_words
        logic [31:0] words_q [4];  // of the portion
        always_ff @(posedge clk_i) if (r_valid_q && r_turn_q[l]) words_q[r_beat_q] <= value[l*32 +: 32];
        assign words[l*32 +: 32] = words_q[wb_word_q];
    end

    // ---- the steps ----
    wire wb_end = state_q == WRITE && wb_ready_i && wb_word_q == last_beat;

    always_ff @(posedge clk_i) begin
        m_valid_q <= serve;
        if (serve) begin
            m_turn_q <= turn;
            m_used_q <= bank_used;
            m_row_q <= bank_row;
            m_bank_q <= lane_bank;
            m_we_q <= bank_we;
            m_data_q <= bank_data;
            m_lane_q <= bank_lane;
            m_beat_q <= beat_q;
        end
        r_valid_q <= (m_valid_q && !access_store_q) || r_stays;
        if (m_valid_q) begin
            r_turn_q <= m_turn_q;
            r_bank_q <= m_bank_q;
            r_beat_q <= m_beat_q;
            r_left_q <= m_used_q;
        end else r_left_q <= r_left_q & ~r_group;
        a_valid_q <= r_valid_q && access_atomic_q;
        if (r_valid_q) begin
            a_used_q <= r_group;
            a_data_q <= atomic_result;
        end

        case (state_q)
            FREE:
                if (start_i) begin
                    state_q <= INTAKE;
                    `ACCESS_KEPT_PACK_Q(access) <= `ACCESS_KEPT_PACK_I(access);
                    exec_q <= access_exec_i;
                    base_q <= base_i;
                    bytes_q <= bytes_i;
                    others_q <= '0;
                    fault_code_o <= `FAULT_NONE;
                    portion_valid_q <= 1'b0;
                end
            INTAKE:
                if (in_valid_i) begin
                    if (bad && fault_code_o == `FAULT_NONE) begin
                        fault_code_o <= bad_code;
                        fault_info_o <= bad_info;
                    end
                    if (access_generic_q) exec_q[32'(in_portion_i)*LANES +: LANES] <= in_own;
                    if (in_own != in_lanes_i) others_q[in_portion_i] <= 1'b1;
                    if (in_last_i) state_q <= access_generic_q ? (refuse_i ? FREE : SERVE) : (bad || fault_code_o != `FAULT_NONE) ? FAULT : SERVE;
                end
            FAULT: if (fault_taken_i) state_q <= FREE;
            SERVE: begin
                if (portion_read) begin
                    portion_valid_q <= 1'b1;
                    portion_q <= portion;
                    lanes_q <= portion_lanes;
                    left_q <= portion_lanes;
                    beat_q <= 2'd0;
                    exec_q[32'(portion)*LANES +: LANES] <= '0;
                end else if (serve) begin
                    left_q <= left_q & ~turn;
                    if (turn == left_q && beat_q != last_beat) begin
                        beat_q <= beat_q + 2'd1;
                        left_q <= lanes_q;
                    end
                end
                if (portion_done) begin
                    portion_valid_q <= 1'b0;
                    wb_word_q <= 2'd0;
                    if (keeps) state_q <= WRITE;
                    else if (!more) state_q <= others_q != '0 ? FREE : DONE;
                end else if (!portion_valid_q && !more) state_q <= FREE;  // a generic access of other threads
            end
            WRITE: begin
                if (wb_ready_i) wb_word_q <= wb_word_q + 2'd1;
                if (wb_end) state_q <= more ? SERVE : others_q != '0 ? FREE : DONE;
            end
            default: if (done_taken_i) state_q <= FREE;  // DONE
        endcase
        if (serve) begin
            passes_o <= passes_o + 32'd1;
            if (left_q != lanes_q) conflicts_o <= conflicts_o + 32'd1;
        end
        if (rst_i) begin
            passes_o <= 32'd0;
            conflicts_o <= 32'd0;
            state_q <= FREE;
            m_valid_q <= 1'b0;
            r_valid_q <= 1'b0;
            a_valid_q <= 1'b0;
        end
    end

    assign fault_valid_o = state_q == FAULT;
    assign fault_warp_o = access_warp_q;
    assign fault_pc_o = access_pc_q;
    assign done_valid_o = state_q == DONE;
    assign done_warp_o = access_warp_q;

    assign wb_valid_o = state_q == WRITE;
    assign wb_warp_o = access_warp_q;
    assign wb_rd_o = access_rd_q + 8'(wb_word_q);
    assign wb_reg_d_o = access_reg_d_q + REF_W'(wb_word_q);
    assign wb_portion_o = portion_q;
    assign wb_lanes_o = lanes_q;
    assign wb_partial_o = others_q[portion_q];
    assign wb_data_o = words;

`ifndef SYNTHESIS
    initial if (LANES < 4 || SHARED_BYTES != ROWS * 4 * LANES || ROWS != (1 << SHARED_W)) $error("shared_memory: at least 4 lanes, 2^n rows");
    always_ff @(posedge clk_i)
        if (!rst_i) begin
            if (start_i) assert (free_o);
            if (in_valid_i) assert (state_q == INTAKE);
            if (serve) assert (turn != '0);
        end
`endif

endmodule
`default_nettype wire
