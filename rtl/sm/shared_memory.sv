// The shared memory of the SM and the unit that works on it: LDS, STS, ATOMS, several warp instructions at a time, in the order in which
// they come. Of LD, ST and ATOM it serves the threads whose generic address is in its window: load_store, which is reserved with it, checks
// all (refuse_i) and does the others. That unit then ends the instruction; wb_partial_o: it writes other lanes of the portion later, which is
// when left_o no longer has it.
//
// LANES banks of 32 bits: word w lies in bank w % LANES, row w / LANES. A CTA has whole rows of it (cta_launcher), base_i on; an
// address is good when it lies, with its whole access, below bytes_i.
//
// Reserved by start_i (only while free_o, a generic access only while generic_done_o as well) with what holds for the whole instruction; then its
// portions come (in_*), as in load_store. shared_intake keeps SHARED_DEPTH instructions and checks them, each as a whole; this unit serves
// their portions; shared_results hands their rows over. In a cycle each bank serves one row: of the lowest thread left that wants
// the bank, and of all others that want the same word. So threads that want different rows of a bank (a conflict) take a cycle each. Of a wide
// access a thread gets SHARED_WORDS words at once, which lie side by side in as many banks; of more words the others come after the
// portion has had these (beats). Of several stores to one byte the highest thread stays. Atomics: a round serves one thread of each bank. With a
// unit for each bank (SHARED_ATOMICS = LANES) all at once, 3 cycles a round (read, calculate, write); with one unit one thread a cycle, which
// waits until what the same bank has of an atomic is written: 3 cycles a round at least. Threads of one word
// come in ascending order, so the outcome is that of all threads one after the other: the whole instruction counts as done when it is
// issued (event INSTR), which is when the unit is reserved.
//
// Pipeline: S select (addresses, bytes), M the banks, R the words go to their lanes (atomics: new values), A atomics are written.
// done_valid_o stands until done_taken_i. Throughput: a portion without conflicts a cycle for each beat, and for each row that it writes.
// Latency: from an instruction's last portion in to its first row 5 cycles. clear_*: a row of zeros is written when no access needs the
// banks, after one cycle of waiting in any case. passes_o, conflicts_o: what conflicts cost; a conflict of a load or store is one cycle,
// of an atomic a round.
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
    parameter int SHARED_WORDS = 4,
    parameter int SHARED_DEPTH = 4,
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
    output logic                generic_done_o,  // no generic access is inside
    input  wire                 start_i,
    `ACCESS_KEPT_IN(access),
    input  wire  [SHARED_W-1:0] base_i,      // the CTA's first row
    input  wire  [17:0]         bytes_i,     // that it has
    input  wire                 refuse_i,    // with the last portion of a generic access: it faults
    output logic [P-1:0]        left_o,      // portions of a generic access that are not done
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
    output logic [31:0]         conflicts_o  // of these: beyond the first of a portion's beat
);

    localparam int WORD_W = LANES * 32;
    localparam int BANK_W = $clog2(LANES);
    localparam int PLACE_W = SHARED_W + BANK_W + 2;
    localparam int RESULTS_W = $clog2(4 * SHARED_WORDS);

    // ---- portions, in their order ----
    logic                             next_valid, next_last;
    logic [PORTION_W-1:0]             next_portion;
    logic [LANES-1:0]                 next_lanes;
    logic [LANES*PLACE_W-1:0]         next_place;
    logic [`ACCESS_SERVED_W-1:0]      next_access;
    logic                             take, further, finish, serve;
    logic [SHARED_WORDS*WORD_W-1:0]   data_q;
    logic [SHARED_ATOMICS*32-1:0]     operand_q;  // of atomics, in stage M and until others are served
    logic [BANK_W-1:0]                one_lane;
    logic [P-1:0]                     others;
    logic                             part_done, generic_end;
    logic [PORTION_W-1:0]             part_portion;
    logic                             portion_valid_q;
    logic                             portion_last_q;  // of its instruction
    logic [PORTION_W-1:0]             portion_q;
    logic [LANES-1:0]                 lanes_q, left_q;  // of the portion; of the beat
    logic [LANES*PLACE_W-1:0]         place_q;
    logic [1:0]                       beat_q;
    `ACCESS_SERVED_REG(access);

    shared_intake #(
        .THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .SHARED_BYTES(SHARED_BYTES), .SHARED_ATOMICS(SHARED_ATOMICS), .SHARED_WORDS(SHARED_WORDS),
        .SHARED_DEPTH(SHARED_DEPTH), .REF_W(REF_W)
    ) u_shared_intake (
        .clk_i(unit_clk), .rst_i, .free_o, .generic_done_o, .start_i, `ACCESS_KEPT_PASS_IN(access, access), .base_i, .bytes_i, .refuse_i,
        .in_valid_i, `OPERANDS_PASS_IN(in, in), `FAULT_FOUND_PASS_OUT(fault, fault),
        .next_valid_o(next_valid), .next_last_o(next_last), .next_portion_o(next_portion), .next_lanes_o(next_lanes), .next_place_o(next_place),
        .next_access_o(next_access), .take_i(take), .further_i(further), .beat_i(beat_q + 2'd1), .data_o(data_q),
        .operands_i(serve), .operands_lane_i(one_lane), .operand_o(operand_q),
        .busy_i(portion_valid_q), .ended_i(finish && portion_last_q),
        .left_o, .others_o(others), .part_done_i(part_done), .part_portion_i(part_portion), .generic_end_i(generic_end)
    );
    assign take = next_valid && (!portion_valid_q || finish);

    // The unit stands still when no instruction of its is under way.
    wire unit_clk;
    clock_gate #(.AFTER(8)) u_clock_gate (
        .clk_i, .enable_i(start_i || in_valid_i || clear_valid_i || take || portion_valid_q || wb_valid_o || done_valid_o || fault_valid_o || rst_i),
        .clk_o(unit_clk)
    );

    wire [3:0] size = access_atomic_q ? `SIZE_32 : access_mod_q;
    wire [1:0] span = (size == `SIZE_128) ? 2'd3 : (size == `SIZE_64) ? 2'd1 : 2'd0;  // words of a thread, less one
    wire [BANK_W-1:0] side = BANK_W'(span) & BANK_W'(SHARED_WORDS - 1);                // of a beat
    wire [BANK_W-1:0] first_bank = ~side;                                               // bits of a bank that name its group
    wire [1:0] last_beat = span >> $clog2(SHARED_WORDS);
    wire       byte_size = size == `SIZE_U8 || size == `SIZE_S8;
    wire       half_size = size == `SIZE_U16 || size == `SIZE_S16;

    // ---- S: the threads whose turn it is ----
    localparam int ONE = (SHARED_ATOMICS == 1) ? 1 : 0;  // unit for atomics
    logic room, clear_waits_q;
    logic m_valid_q, r_valid_q, a_valid_q, m_atomic_q, r_atomic_q;
    wire  m_atomic = m_valid_q && m_atomic_q;
    wire  r_atomic = r_valid_q && r_atomic_q;
    // What is read behind an atomic, or written, waits until that is written; behind the one unit only its bank's.
    wire  one = ONE != 0 && access_atomic_q;
    logic one_waits;
    assign serve = portion_valid_q && room && !clear_waits_q && (one ? !one_waits : !m_atomic && !r_atomic);

    // The thread whose turn it is at the one unit: the lowest whose bank has not been served in this round.
    logic [LANES-1:0]  round_q;     // threads whose bank has been
    logic [LANES-1:0]  one_lanes, one_turn, one_same, one_busy;  // one_same: of the same bank; one_busy: of one that has an atomic's word
    logic [BANK_W-1:0] one_bank;
    logic              one_begins;  // a round
    always_comb begin
        one_lanes = left_q & ~round_q;
        one_begins = one_lanes == '0;
        if (one_begins) one_lanes = left_q;
        one_turn = one_lanes & (~one_lanes + LANES'(1));
        one_lane = '0;
        for (int l = 0; l < LANES; l++) if (one_turn[l]) one_lane = one_lane | BANK_W'(l);
        one_bank = '0;
        for (int l = 0; l < LANES; l++) if (one_turn[l]) one_bank = one_bank | place_q[l*PLACE_W+2 +: BANK_W];
        for (int l = 0; l < LANES; l++) begin
            one_same[l] = place_q[l*PLACE_W+2 +: BANK_W] == one_bank;
            one_busy[l] = (m_atomic && m_bank_q[BANK_W-1:0] == place_q[l*PLACE_W+2 +: BANK_W]) ||
                          (r_atomic && r_bank_q[BANK_W-1:0] == place_q[l*PLACE_W+2 +: BANK_W]);
        end
        one_waits = (one_turn & one_busy) != '0;
    end

    logic [LANES-1:0]          turn, bank_used;
    logic [LANES*SHARED_W-1:0] bank_row;
    logic [LANES*BANK_W-1:0]   lane_bank;             // bank of each lane's first word
    logic [LANES*BANK_W-1:0]   bank_lane;             // lowest lane of each bank
    logic [LANES*4-1:0]        bank_we, lane_we, lane_stores;
    logic [WORD_W-1:0]         bank_data;
    logic [LANES*LANES-1:0]    same_bank, same_word;  // of each two lanes, the higher first
    logic [LANES-1:0]          first;                 // lowest lanes of their banks
    logic                      meets, picked, stores;
    // Bytes of a word that a thread stores; narrow stores have theirs in every place of the word. Addresses are aligned.
    wire  [3:0]                size_we = byte_size ? 4'b0001 : half_size ? 4'b0011 : 4'b1111;

    always_comb begin
        same_bank = '0;
        same_word = '0;
        for (int l = 0; l < LANES; l++) begin
            lane_bank[l*BANK_W +: BANK_W] = place_q[l*PLACE_W+2 +: BANK_W] | (BANK_W'(beat_q) << $clog2(SHARED_WORDS));
            lane_we[l*4 +: 4] = size_we << place_q[l*PLACE_W +: 2];
            for (int o = 0; o < LANES; o++) if (o < l) begin
                same_bank[l*LANES + o] = place_q[l*PLACE_W+2 +: BANK_W] == place_q[o*PLACE_W+2 +: BANK_W];
                same_word[l*LANES + o] = same_bank[l*LANES + o] && place_q[l*PLACE_W+2+BANK_W +: SHARED_W] == place_q[o*PLACE_W+2+BANK_W +: SHARED_W];
            end
        end
        // The banks of a group have the same lowest lane, so a lane has its turn in all of them or in none.
        first = left_q;
        for (int l = 0; l < LANES; l++) begin
            for (int o = 0; o < LANES; o++) if (o < l && left_q[o] && same_bank[l*LANES + o]) first[l] = 1'b0;
            turn[l] = first[l];
            for (int o = 0; o < LANES; o++) if (o < l && left_q[l] && first[o] && same_word[l*LANES + o] && !access_atomic_q) turn[l] = 1'b1;
            if (INJECT != 0 && inject_i == 8'd19 && !access_atomic_q) turn[l] = left_q[l];
        end
        if (one) turn = one_turn;
        // Of a byte the highest lane that stores it stays.
        for (int l = 0; l < LANES; l++) begin
            lane_stores[l*4 +: 4] = turn[l] ? lane_we[l*4 +: 4] : 4'd0;
            for (int o = 0; o < LANES; o++)
                if (o > l && turn[o] && same_word[o*LANES + l]) lane_stores[l*4 +: 4] = lane_stores[l*4 +: 4] & ~lane_we[o*4 +: 4];
        end
        // Bank by bank, so that every place is a constant. What nobody wants or stores is zero. The place of bank 0 has what the one unit for
        // atomics works on, whose bank that is not.
        bank_used = '0;
        bank_row = '0;
        bank_lane = '0;
        bank_we = '0;
        bank_data = '0;
        for (int b = 0; b < LANES; b++)
            for (int l = 0; l < LANES; l++) begin
                meets = lane_bank[l*BANK_W +: BANK_W] == (BANK_W'(b) & first_bank);
                picked = (one && b == 0) ? one_turn[l] : first[l] && meets;
                bank_used[b] = bank_used[b] | picked;
                bank_lane[b*BANK_W +: BANK_W] = bank_lane[b*BANK_W +: BANK_W] | ({BANK_W{picked}} & BANK_W'(l));
                bank_row[b*SHARED_W +: SHARED_W] = bank_row[b*SHARED_W +: SHARED_W] | ({SHARED_W{picked}} & place_q[l*PLACE_W+2+BANK_W +: SHARED_W]);
                for (int k = 0; k < 4; k++) begin
                    stores = lane_stores[l*4 + k] && (meets || (one && b == 0));
                    bank_we[b*4 + k] = bank_we[b*4 + k] | (stores && access_store_q);
                    bank_data[b*32 + k*8 +: 8] = bank_data[b*32 + k*8 +: 8] | ({8{stores}} & data_q[(b % SHARED_WORDS)*WORD_W + l*32 + k*8 +: 8]);
                end
            end
    end
    wire beat_end = serve && turn == left_q;
    assign further = beat_end && beat_q != last_beat;

    // ---- M: the banks ----
    // What an atomic has in M stays until it is written, where nothing is served before.
    logic [LANES-1:0]          m_turn_q, m_used_q, r_turn_q, a_used_q, a_used;
    logic [LANES*SHARED_W-1:0] m_row_q;
    logic [LANES*BANK_W-1:0]   m_bank_q, m_lane_q, r_bank_q;
    logic [LANES*2-1:0]        m_low_q, r_low_q;    // bits 1:0 of the addresses
    logic [LANES*4-1:0]        m_we_q;
    logic [WORD_W-1:0]         m_data_q, bank_read;
    logic [SHARED_ATOMICS*32-1:0] a_data_q, atomic_result;
    logic [1:0]                m_beat_q, r_beat_q;
    logic                      m_byte_q, m_half_q, m_signed_q, r_byte_q, r_half_q, r_signed_q;
    logic                      m_end_q, r_end_q;             // a portion's last pass
    logic [3:0]                m_atom_q;
    logic [SHARED_W-1:0]       a_row;                        // of the one unit for atomics
    logic [RESULTS_W-1:0]      slot, m_slot_q, r_slot_q;

    assign clear_ready_o = !m_valid_q && !a_valid_q;
    wire clear_go = clear_valid_i && clear_ready_o;
    wire [SHARED_W-1:0] other_row = a_valid_q ? a_row : clear_row_i;  // than that in M; not both at once

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
            if (clear_go || (a_valid_q && a_used_q[b])) begin
                use_bank = 1'b1;
                if (ONE != 0 || clear_go) row = other_row;
                we = 4'b1111;
                data = clear_go ? 32'd0 : a_data_q[(b % SHARED_ATOMICS)*32 +: 32];
            end
        end
        always_ff @(posedge unit_clk)
            if (use_bank) begin
                for (int i = 0; i < 4; i++) if (we[i]) bank_mem_q[row][i*8 +: 8] <= data[i*8 +: 8];
                if (we == 4'd0) read_q <= bank_mem_q[row];
            end
        assign bank_read[b*32 +: 32] = read_q;
    end

    // ---- R: words to their lanes; word k of a lane comes from its first bank | k ----
    // Of the banks k, k + SHARED_WORDS, ... a lane takes one word; of these words its first is one, the others are behind it.
    logic [SHARED_WORDS*WORD_W-1:0] value;
    logic [SHARED_WORDS*32-1:0]     column_words;
    logic [31:0]                    lane_word, first_word;  // first_word: lane 0's, whole
    logic                           fill;                   // above a narrow word
    always_comb begin
        for (int l = LANES - 1; l >= 0; l--) begin
            for (int k = 0; k < SHARED_WORDS; k++)
                column_words[k*32 +: 32] = bank_read[(32'(r_bank_q[l*BANK_W +: BANK_W]) & ~(SHARED_WORDS - 1) | k)*32 +: 32];
            for (int k = 1; k < SHARED_WORDS; k++)
                value[(k*LANES + l)*32 +: 32] = column_words[((k == 1) ? (32'(r_bank_q[l*BANK_W +: BANK_W]) % SHARED_WORDS | 1) : k)*32 +: 32];
            first_word = column_words[(32'(r_bank_q[l*BANK_W +: BANK_W]) % SHARED_WORDS)*32 +: 32];
            // Whole words have zeros in the low bits of their addresses.
            lane_word = first_word;
            lane_word[7:0] = first_word[32'(r_low_q[l*2 +: 2])*8 +: 8];
            if (r_low_q[l*2+1]) lane_word[15:8] = first_word[31:24];
            fill = r_signed_q && (r_byte_q ? lane_word[7] : lane_word[15]);
            if (r_byte_q) lane_word[15:8] = {8{fill}};
            if (r_byte_q || r_half_q) lane_word[31:16] = {16{fill}};
            value[l*32 +: 32] = lane_word;
        end
    end

    // ---- R: atomics ----
    if (ONE != 0) begin : g_one
        // Lane 0 has the bank's word too, and bank 0 the new value of CAS. The word is taken before it is made narrower, which takes time.
        logic [31:0]         r_operand_q, r_swap_q;
        logic [3:0]          r_atom_q;
        logic [SHARED_W-1:0] r_row_q, a_row_q;
        logic                known;
        always_ff @(posedge unit_clk) begin
            r_operand_q <= operand_q;
            r_swap_q <= m_data_q[31:0];
            r_atom_q <= m_atom_q;
            r_row_q <= m_row_q[SHARED_W-1:0];
            a_row_q <= r_row_q;
        end
        atomic_alu u_atomic_alu (
            .atom_i(r_atom_q), .old_i(first_word), .operand_i(r_operand_q), .swap_i(r_swap_q), .result_o(atomic_result), .known_o(known)
        );
        assign a_row = a_row_q;
        always_comb for (int b = 0; b < LANES; b++) a_used[b] = r_bank_q[BANK_W-1:0] == BANK_W'(b);
        wire unused = &{1'b0, known, m_lane_q};  // other operations are illegal instructions
    end else begin : g_each
        logic [LANES-1:0]  known;
        for (genvar b = 0; b < LANES; b++) begin : g_atomic
            atomic_alu u_atomic_alu (
                .atom_i(m_atom_q), .old_i(bank_read[b*32 +: 32]), .swap_i(m_data_q[b*32 +: 32]),
                .operand_i(operand_q[32'(m_lane_q[b*BANK_W +: BANK_W])*32 +: 32]), .result_o(atomic_result[b*32 +: 32]), .known_o(known[b])
            );
        end
        assign a_row = '0;
        assign a_used = m_used_q;
        wire unused = &{1'b0, known};
    end

    assign finish = beat_end && beat_q == last_beat;

    shared_results #(.THREADS(THREADS), .LANES(LANES), .WARPS(WARPS), .SHARED_WORDS(SHARED_WORDS), .REF_W(REF_W)) u_shared_results (
        .clk_i(unit_clk), .rst_i, .room_o(room), .slot_o(slot), .claim_i(finish),
        .claim_warp_i(access_warp_q), .claim_portion_i(portion_q), .claim_lanes_i(lanes_q), .claim_rd_i(access_rd_q), .claim_reg_d_i(access_reg_d_q),
        .claim_keeps_i(!access_store_q && access_rd_q != `ISA_RZ), .claim_span_i(span), .claim_last_i(portion_last_q),
        .claim_generic_i(access_generic_q),
        .write_turn_i(r_valid_q ? r_turn_q : '0), .write_slot_i(r_slot_q), .write_beat_i(r_beat_q), .write_data_i(value),
        .complete_i(r_end_q), `ROW_PASS_OUT(wb, wb), `DONE_PASS_OUT(done, done), .done_taken_i,
        .others_i(others), .part_done_o(part_done), .part_portion_o(part_portion), .generic_end_o(generic_end)
    );

    // ---- the steps ----
    always_ff @(posedge unit_clk) begin
        clear_waits_q <= clear_valid_i && !clear_ready_o;
        if (take) begin
            portion_q <= next_portion;
            portion_last_q <= next_last;
            lanes_q <= next_lanes;
            left_q <= next_lanes;
            place_q <= next_place;
            beat_q <= 2'd0;
            `ACCESS_SERVED_PACK_Q(access) <= next_access;
        end else if (serve) begin
            left_q <= further ? lanes_q : left_q & ~turn;
            if (further) beat_q <= beat_q + 2'd1;
        end
        if (take) round_q <= '0;
        else if (serve) round_q <= one_same | (one_begins ? '0 : round_q);
        portion_valid_q <= take || (portion_valid_q && !finish);

        m_valid_q <= serve;
        m_end_q <= finish;
        if (serve) begin
            m_turn_q <= turn;
            m_used_q <= bank_used;
            m_row_q <= bank_row;
            m_bank_q <= lane_bank;
            if (one) m_bank_q[BANK_W-1:0] <= one_bank;
            for (int l = 0; l < LANES; l++) m_low_q[l*2 +: 2] <= place_q[l*PLACE_W +: 2];
            m_we_q <= bank_we;
            m_data_q <= bank_data;
            m_lane_q <= bank_lane;
            m_beat_q <= beat_q;
            m_byte_q <= byte_size;
            m_half_q <= half_size;
            m_signed_q <= size == `SIZE_S8 || size == `SIZE_S16;
            m_atom_q <= access_mod_q;
            m_atomic_q <= access_atomic_q;
            m_slot_q <= slot;
        end
        r_valid_q <= m_valid_q;  // of a store nobody looks at what comes
        r_end_q <= m_end_q;
        if (m_valid_q) begin
            r_turn_q <= m_turn_q;
            r_bank_q <= m_bank_q;
            r_low_q <= m_low_q;
            r_beat_q <= m_beat_q;
            r_byte_q <= m_byte_q;
            r_half_q <= m_half_q;
            r_signed_q <= m_signed_q;
            r_slot_q <= m_slot_q;
            r_atomic_q <= m_atomic_q;
        end
        a_valid_q <= r_atomic;
        if (r_valid_q) begin
            a_used_q <= a_used;
            a_data_q <= atomic_result;
        end
        if (serve && (!one || one_begins || round_q == '0)) begin
            passes_o <= passes_o + 32'd1;
            if (left_q != lanes_q) conflicts_o <= conflicts_o + 32'd1;
        end
        if (rst_i) begin
            passes_o <= 32'd0;
            conflicts_o <= 32'd0;
            portion_valid_q <= 1'b0;
            m_valid_q <= 1'b0;
            m_end_q <= 1'b0;
            r_valid_q <= 1'b0;
            r_end_q <= 1'b0;
            a_valid_q <= 1'b0;
        end
    end

`ifndef SYNTHESIS
    initial if (LANES < 2 || SHARED_WORDS > LANES || SHARED_BYTES != ROWS * 4 * LANES || ROWS != (1 << SHARED_W)) $error("shared_memory: 2^n rows of lanes");
    initial if (SHARED_WORDS != 1 && SHARED_WORDS != 2 && SHARED_WORDS != 4) $error("shared_memory: SHARED_WORDS must be 1, 2 or 4");
    initial if (SHARED_ATOMICS != 1 && SHARED_ATOMICS != LANES) $error("shared_memory: SHARED_ATOMICS must be 1 or LANES");
    always_ff @(posedge clk_i)
        if (!rst_i) begin
            if (serve) assert (turn != '0);
            if (a_valid_q && m_valid_q) assert (ONE != 0 && m_atomic_q && !a_used_q[m_bank_q[BANK_W-1:0]]);
            if (portion_valid_q) assert (left_q != '0);
        end
`endif

endmodule
`default_nettype wire
