// Takes CTAs from the work distributor and starts their warps.
//
// A CTA is taken when as many warps as it has are idle and a contiguous piece of the register file is free for all of them: one
// candidate place is looked at in a cycle (the start of the file, then the end of each CTA that is there), the search goes on where the
// last one stopped. Then the same search finds a piece of shared memory (in rows of LANES words), if the task wants any. cta_ready_o comes
// some cycles after the offer and stays until the CTA goes over, the offer is taken back, or another size of the piece is wanted (first_i);
// cta_slot_i must not change while cta_valid_i is high (another offer comes after a cycle without one).
// The CTA's shared memory is cleared, a row a cycle, before its first warp starts.
// Then, for each warp in order of index: an idle warp is chosen; its registers are forgotten (so they read zero; up to four a cycle) while
// the thread ids are generated; a cycle later it is offered, and at the start handshake it becomes live (event WARP_START).
// Thread ids walk x, then y, then z. A portion that lies in one line of the CTA takes one cycle, and so does one without threads; others
// take one cycle a thread, and one for lanes that the CTA's last threads leave.
// A CTA that comes back (cta_resume_i) is started as a new one, but its warps start at pc 0 and are told apart (start_resume_o).
// A CTA slot has some words for its program: where the CTA is in its grid, written after it has gone over, and CTA_RECORD, 0 then. R2S in a trap
// writes them too (write_*, of a warp of write_cta_i): in such a cycle no CTA goes over.
// A CTA slot is free again when all its warps have ended: cta_done_valid_o, the cycle after the last end_valid_i; it has left
// (cta_done_left_o) if one of them did (end_left_i).
`default_nettype none
`include "gen/bundles.svh"
`include "gen/trace.svh"

module cta_launcher #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int TASK_SLOTS = 4,
    parameter int VGPR_ROWS = 1024,
    parameter int SHARED_BYTES = 16384,
    parameter int INJECT = 0,
    localparam int P = THREADS / LANES,
    localparam int PORTION_W = (P > 1) ? $clog2(P) : 1,
    localparam int WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
    localparam int SLOT_W = (TASK_SLOTS > 1) ? $clog2(TASK_SLOTS) : 1,
    localparam int COUNT_W = $clog2(WARPS + 1),
    localparam int REGS = VGPR_ROWS / P,
    localparam int REG_W = $clog2(REGS),
    localparam int TID_W = $clog2(WARPS * THREADS),
    localparam int SHARED_ROWS = SHARED_BYTES / (4 * LANES),
    localparam int SHARED_W = $clog2(SHARED_ROWS)
) (
    input  wire                      clk_i,
    input  wire                      rst_i,
    input  wire  [7:0]               inject_i,
    // work distributor
    `CTA_IN(cta),
    `CTA_DONE_OUT(cta_done),
    // task table
    `SLOT_CTA_INS(slot, TASK_SLOTS),
    input  wire                      first_i,          // sub-vector regions of the offered CTA's kernel are in the first order
    // warps
    input  wire  [WARPS-1:0]         warp_live_i,
    `WARP_START_OUT(start),
    output logic                     start_soon_o,     // start_warp_o is known: from then on until it has started
    input  wire                      end_valid_i,
    input  wire  [WARP_W-1:0]        end_cta_i,
    input  wire                      end_left_i,
    `CLEAR_OUT(clear),                                 // the warp's registers
    `CLEAR_SHARED_OUT(shared_clear),                   // the CTA's shared memory
    `TID_WRITE_OUT(tid),
    // CTA slots
    output logic [WARPS*COUNT_W-1:0] alive_o,        // warps that have not ended, those not started yet included
    output logic                     launching_o,    // warps of start_slot_o are about to start
    `SCALAR_WRITE_IN(write),
    input  wire  [WARP_W-1:0]        write_cta_i,
    input  wire  [WARP_W-1:0]        look_cta_i,
    input  wire  [1:0]               look_word_i,    // CTA_WORD_*
    output logic [31:0]              look_o,
    output logic [COUNT_W-1:0]       look_alive_o,
    output logic [SHARED_W-1:0]      look_shared_o,  // first row of its shared memory
    `TRACE_WARP_START_PORTS
);

    localparam int END_W = REG_W + 1;  // an end may be one past the last register

    localparam int PLACE_W = (END_W > SHARED_W + 1) ? END_W : SHARED_W + 1;  // a place in either
    localparam int SUM_W = PLACE_W + 1;   // and behind what begins there
    localparam int COUNTER_W = TID_W + 1; // threads of a CTA, as many as can run at most: the task unit has checked it

    typedef enum logic [2:0] {IDLE, SEARCH, SEARCH_SHARED, OFFER, LAUNCH} state_t;
    state_t state_q;

    // ---- CTA slots ----
    logic [WARPS-1:0]         used_q;
    logic [WARPS*REG_W-1:0]   base_q;
    logic [WARPS*END_W-1:0]   end_q;
    logic [WARPS*SHARED_W-1:0]     shared_base_q;
    logic [WARPS*(SHARED_W+1)-1:0] shared_end_q;
    logic [WARPS*SLOT_W-1:0]  slot_q;
    logic [WARPS*COUNT_W-1:0] alive_q;
    logic [WARPS-1:0]         left_q;         // a warp of it has left
    logic [31:0]              word_q [4 * WARPS];

    assign alive_o = alive_q;
    assign look_o = word_q[{look_cta_i, look_word_i}];
    always_comb begin
        look_shared_o = '0;
        look_alive_o = '0;
        for (int k = 0; k < WARPS; k++)
            if (look_cta_i == WARP_W'(k)) begin
                look_shared_o = shared_base_q[k*SHARED_W +: SHARED_W];
                look_alive_o = alive_q[k*COUNT_W +: COUNT_W];
            end
    end

    // ---- what the offered CTA needs ----
    wire [COUNTER_W-1:0] offer_threads = slot_threads_i[32'(cta_slot_i)*16 +: COUNTER_W];
    // What a warp takes of the register file: its private registers, then its shared rows, in whole registers.
    function automatic [7:0] units(input [7:0] count, input [7:0] rows);
        units = count - (rows - (rows >> $clog2(P)) - 8'((rows & 8'(P - 1)) != 8'd0));
    endfunction
    // WARPS is a power of two, and no CTA has more warps: with the highest bit no other is set.
    function automatic [COUNT_W+7:0] times(input [COUNT_W-1:0] warps, input [7:0] count);
        times = '0;
        for (int b = 0; b < COUNT_W - 1; b++) if (warps[b]) times = times + ((COUNT_W+8)'(count) << b);
        if (warps[COUNT_W-1]) times = times | ((COUNT_W+8)'(count) << (COUNT_W - 1));
    endfunction
    localparam int THREAD_W = $clog2(THREADS);
    wire [COUNT_W-1:0] offer_warps = COUNT_W'(offer_threads[COUNTER_W-1:THREAD_W]) + COUNT_W'(offer_threads[THREAD_W-1:0] != '0);
    // Rows are shared in the second order only: where the first is expected and all private registers fit, none are.
    wire [7:0]  offer_rows = slot_shared_rows_i[32'(cta_slot_i)*8 +: 8];
    wire [COUNT_W+7:0] offer_private = times(offer_warps, slot_registers_i[32'(cta_slot_i)*8 +: 8]);
    wire        offer_fits = 32'(offer_private) <= REGS;
    wire        offer_shares = offer_rows != 8'd0 && !(first_i && offer_fits);
    wire [7:0]  offer_registers = units(slot_registers_i[32'(cta_slot_i)*8 +: 8], offer_shares ? offer_rows : 8'd0);

    localparam int ROW_W = $clog2(4 * LANES);  // bytes of a row of shared memory
    logic [17:0] offer_shared;
    always_comb begin
        offer_shared = '0;
        for (int k = 0; k < TASK_SLOTS; k++) if (cta_slot_i == SLOT_W'(k)) offer_shared = slot_shared_i[k*18 +: 18];
    end

    logic [SLOT_W-1:0]  want_slot_q;
    logic [COUNT_W-1:0] want_warps_q;
    logic               want_shares_q;
    logic               want_rows_q, want_fits_q;  // what that follows from, but for first_i
    logic [7:0]         want_registers_q;  // of a warp
    logic [END_W-1:0]   want_regs_q;     // of the whole CTA
    logic [SHARED_W:0]  want_shared_q;   // rows
    logic [COUNT_W-1:0] candidate_q;     // 0: the start of the file, k + 1: behind the CTA in slot k
    logic [REG_W-1:0]   place_q;         // what has been found: where it begins, where it ends
    logic [END_W-1:0]   place_end_q;
    logic [SHARED_W-1:0] shared_place_q;
    logic [SHARED_W:0]  shared_place_end_q;
    logic [WARP_W-1:0]  cta_q;

    logic [PLACE_W-1:0] candidate_base;
    logic             candidate_fits;
    logic [SUM_W-1:0] candidate_end;
    logic [PLACE_W-1:0] candidate_size;
    logic [WARPS*PLACE_W-1:0] taken_base, taken_end;  // the pieces of the CTAs that are there, of the file that is searched
    logic [COUNT_W-1:0] idle_count;
    logic [WARP_W-1:0]  idle_warp, free_cta;
    wire  [WARP_W-1:0]  candidate_cta = WARP_W'(candidate_q - COUNT_W'(1));

    // One search for both files, one after the other.
    always_comb begin
        candidate_size = state_q == SEARCH_SHARED ? PLACE_W'(want_shared_q) : PLACE_W'(want_regs_q);
        for (int k = 0; k < WARPS; k++) begin
            taken_base[k*PLACE_W +: PLACE_W] = PLACE_W'(base_q[k*REG_W +: REG_W]);
            taken_end[k*PLACE_W +: PLACE_W] = PLACE_W'(end_q[k*END_W +: END_W]);
            if (state_q == SEARCH_SHARED) begin
                taken_base[k*PLACE_W +: PLACE_W] = PLACE_W'(shared_base_q[k*SHARED_W +: SHARED_W]);
                taken_end[k*PLACE_W +: PLACE_W] = PLACE_W'(shared_end_q[k*(SHARED_W+1) +: SHARED_W+1]);
            end
        end
        candidate_base = '0;
        for (int k = 0; k < WARPS; k++)
            if (candidate_q == COUNT_W'(k + 1)) candidate_base = taken_end[k*PLACE_W +: PLACE_W];
        candidate_end = SUM_W'(candidate_base) + SUM_W'(candidate_size);
        candidate_fits = (candidate_q == '0 || used_q[candidate_cta]) && 32'(candidate_end) <= (state_q == SEARCH_SHARED ? SHARED_ROWS : REGS);
        for (int k = 0; k < WARPS; k++)
            if (used_q[k] && candidate_base < taken_end[k*PLACE_W +: PLACE_W] && candidate_end > SUM_W'(taken_base[k*PLACE_W +: PLACE_W]))
                candidate_fits = 1'b0;
    end

    always_comb begin
        idle_count = '0;
        idle_warp = '0;
        free_cta = '0;
        if (state_q != IDLE)
            for (int w = WARPS - 1; w >= 0; w--) begin
                if (!warp_live_i[w]) begin
                    idle_count = idle_count + COUNT_W'(1);
                    idle_warp = WARP_W'(w);
                end
                if (!used_q[w]) free_cta = WARP_W'(w);
            end
    end

    wire writes = write_valid_i && write_rd_i[4] && write_rd_i[2];  // CTA_RECORD, CTA_X, CTA_YZ
    wire same_shares = want_shares_q == (want_rows_q && !(first_i && want_fits_q));
    assign cta_ready_o = state_q == OFFER && same_shares && !writes;

    // ---- launching ----
    logic               prepared_q;      // a warp is chosen
    logic [WARP_W-1:0]  index_q;
    logic [COUNT_W-1:0] left_warps_q;
    logic [REG_W-1:0]   warp_base_q;     // of the warp that is launched
    logic [REG_W-1:0]   clear_reg_q;     // registers of the warp that are still to be cleared: from here on
    logic [7:0]         clear_left_q;    // .. so many
    logic               shared_clearing_q;  // rows of the CTA, from shared_row_q on
    logic [SHARED_W-1:0] shared_row_q;
    logic [COUNTER_W-1:0] left_threads_q;  // of the CTA, whose ids are not made yet
    logic [THREADS-1:0] mask_q;          // comes in from above, a portion at a time
    logic               ids_done_q;
    logic [WARP_W-1:0]  warp_q;
    logic               resume_q;
    logic [21:0]        pc_q;            // where its warps start, two cycles after it has gone over
    logic [31:0]        salt_q;
    logic [31:0]        x_q, zy_q, next_zy_q;  // words of the CTA that are still to be written: one of the first two, zero when it has been; then zero
    logic [1:0]         word_number_q;   // CTA_WORD_* of the next one
    logic               words_left_q;

    wire [COUNTER_W-1:0] ntid_x = slot_ntid_x_i[32'(want_slot_q)*16 +: COUNTER_W];
    wire [TID_W-1:0] ntid_y = slot_ntid_y_i[32'(want_slot_q)*16 +: TID_W];  // modulo WARPS * THREADS
    wire [TID_W-1:0] ntid_z = slot_ntid_z_i[32'(want_slot_q)*16 +: TID_W];
    // Both are multiples of 8.
    wire [21:0] code_base = slot_code_base_i[32'(want_slot_q)*32 + 3 +: 22];
    wire [21:0] region = slot_region_i[32'(want_slot_q)*32 + 3 +: 22];

    // A warp can start: known a cycle before it is offered, since much follows the offer in the same cycle.
    wire  start_ready = state_q == LAUNCH && prepared_q && ids_done_q && clear_left_q == 8'd0 && !shared_clearing_q && !words_left_q;
    logic start_q;
    assign start_valid_o = start_q;
    assign start_soon_o = state_q == LAUNCH && prepared_q;
    assign start_warp_o = warp_q;
    assign start_mask_o = mask_q;
    assign start_slot_o = want_slot_q;
    assign start_cta_o = cta_q;
    assign start_index_o = index_q;
    assign start_shares_o = want_shares_q;
    assign start_resume_o = resume_q;
    assign start_salt_o = salt_q ^ (32'(index_q) << 26);
    assign start_base_o = warp_base_q;
    assign start_pc_o = pc_q;
    assign launching_o = state_q == LAUNCH;

    // Those of a group of four, or as many as are left.
    wire [2:0] clear_room = 3'd4 - 3'(clear_reg_q[1:0]);
    wire [2:0] clear_step = (clear_left_q < 8'(clear_room)) ? clear_left_q[2:0] : clear_room;
    assign clear_valid_o = state_q == LAUNCH && prepared_q && clear_left_q != 8'd0;
    assign clear_group_o = clear_reg_q[REG_W-1:2];
    always_comb for (int k = 0; k < 4; k++) clear_which_o[k] = k >= 32'(clear_reg_q[1:0]) && k < 32'(clear_reg_q[1:0]) + 32'(clear_step);
    assign shared_clear_valid_o = state_q == LAUNCH && shared_clearing_q;
    assign shared_clear_row_o = shared_row_q;

    // Where the warp's registers end, and the next row: modulo the size of the files, so a piece that is all of a file ends where it begins.
    wire [REG_W-1:0]    warp_next = warp_base_q + REG_W'(want_registers_q);
    wire [SHARED_W-1:0] shared_next = shared_row_q + SHARED_W'(1);
    wire start_go = start_valid_o && start_ready_i;
    wire take = cta_ready_o && cta_valid_i;

    always_ff @(posedge clk_i) begin
        cta_done_valid_o <= 1'b0;
        start_q <= start_ready && !start_go;
        pc_q <= code_base - region;
        if (resume_q) pc_q <= 22'd0;
        case (state_q)
            IDLE: begin
                want_slot_q <= cta_slot_i;
                want_warps_q <= offer_warps;
                want_shares_q <= offer_shares;
                want_rows_q <= offer_rows != 8'd0;
                want_fits_q <= offer_fits;
                want_registers_q <= offer_registers;
                want_regs_q <= END_W'(times(offer_warps, offer_registers));
                want_shared_q <= (SHARED_W+1)'(offer_shared[17:ROW_W]) + (SHARED_W+1)'(offer_shared[ROW_W-1:0] != '0);
                if (cta_valid_i) state_q <= SEARCH;
            end
            SEARCH: begin
                place_q <= REG_W'(candidate_base);
                place_end_q <= END_W'(candidate_end);
                shared_place_q <= '0;
                shared_place_end_q <= '0;
                cta_q <= free_cta;
                candidate_q <= (candidate_q == COUNT_W'(WARPS)) ? '0 : candidate_q + COUNT_W'(1);
                if (!cta_valid_i) state_q <= IDLE;
                else if (candidate_fits && idle_count >= want_warps_q) state_q <= (want_shared_q == '0) ? OFFER : SEARCH_SHARED;
            end
            SEARCH_SHARED: begin  // what was found before stays free: nobody else takes anything
                shared_place_q <= SHARED_W'(candidate_base);
                shared_place_end_q <= (SHARED_W+1)'(candidate_end);
                candidate_q <= (candidate_q == COUNT_W'(WARPS)) ? '0 : candidate_q + COUNT_W'(1);
                if (!cta_valid_i) state_q <= IDLE;
                else if (candidate_fits) state_q <= OFFER;
            end
            OFFER: begin
                if (!cta_valid_i || !same_shares) state_q <= IDLE;
                else if (take) begin
                    state_q <= LAUNCH;
                    used_q[cta_q] <= 1'b1;
                    for (int k = 0; k < WARPS; k++)
                        if (cta_q == WARP_W'(k)) begin
                            base_q[k*REG_W +: REG_W] <= place_q;
                            end_q[k*END_W +: END_W] <= place_end_q;
                            shared_base_q[k*SHARED_W +: SHARED_W] <= shared_place_q;
                            shared_end_q[k*(SHARED_W+1) +: SHARED_W+1] <= shared_place_end_q;
                            slot_q[k*SLOT_W +: SLOT_W] <= cta_slot_i;
                        end
                    shared_row_q <= shared_place_q;
                    shared_clearing_q <= want_shared_q != '0;
                    resume_q <= cta_resume_i;
                    salt_q <= cta_x_i ^ {4'd0, cta_y_i, 12'd0} ^ {cta_z_i[11:0], 20'd0};
                    x_q <= cta_x_i;
                    zy_q <= 32'd0;
                    next_zy_q <= {cta_z_i, cta_y_i};
                    word_number_q <= `CTA_WORD_X;
                    words_left_q <= 1'b1;
                    index_q <= '0;
                    left_warps_q <= want_warps_q;
                    warp_base_q <= place_q;
                    prepared_q <= 1'b0;
                end
            end
            default: begin  // LAUNCH
                if (!prepared_q) begin
                    warp_q <= idle_warp;
                    prepared_q <= 1'b1;
                    clear_reg_q <= warp_base_q;
                    clear_left_q <= want_registers_q;
                end else if (clear_valid_o && clear_ready_i) begin
                    clear_reg_q <= clear_reg_q + REG_W'(clear_step);
                    clear_left_q <= clear_left_q - 8'(clear_step);
                end
                if (shared_clear_valid_o && shared_clear_ready_i) begin
                    shared_row_q <= shared_next;
                    if (shared_next == SHARED_W'(shared_place_end_q)) shared_clearing_q <= 1'b0;
                end
                if (words_left_q && !writes) begin
                    x_q <= 32'd0;
                    zy_q <= next_zy_q;
                    if (word_number_q == `CTA_WORD_YZ) zy_q <= 32'd0;
                    word_number_q <= word_number_q + 2'd1;
                    if (word_number_q == `CTA_WORD_RECORD) words_left_q <= 1'b0;
                end
                if (start_go) begin
                    prepared_q <= 1'b0;
                    index_q <= index_q + WARP_W'(1);
                    left_warps_q <= left_warps_q - COUNT_W'(1);
                    warp_base_q <= warp_next;
                    if (left_warps_q == COUNT_W'(1)) state_q <= IDLE;
                end
            end
        endcase
        for (int k = 0; k < WARPS; k++) begin
            if (take && cta_q == WARP_W'(k)) begin
                alive_q[k*COUNT_W +: COUNT_W] <= want_warps_q;
                left_q[k] <= 1'b0;
            end
            if (end_valid_i && end_cta_i == WARP_W'(k)) begin
                if (end_left_i) left_q[k] <= 1'b1;
                alive_q[k*COUNT_W +: COUNT_W] <= alive_q[k*COUNT_W +: COUNT_W] - COUNT_W'(1);
                if (alive_q[k*COUNT_W +: COUNT_W] == COUNT_W'(1)) begin
                    used_q[k] <= 1'b0;
                    cta_done_valid_o <= 1'b1;
                    cta_done_slot_o <= slot_q[k*SLOT_W +: SLOT_W];
                    cta_done_left_o <= left_q[k] || end_left_i;
                end
            end
        end
        if (rst_i) begin
            state_q <= IDLE;
            used_q <= '0;
            alive_q <= '0;
            candidate_q <= '0;
            cta_done_valid_o <= 1'b0;
            start_q <= 1'b0;
        end
    end

    wire [WARP_W+1:0] word_place = writes ? {write_cta_i, write_rd_i[1:0]} : {cta_q, word_number_q};
    always_ff @(posedge clk_i)
        if (writes || (state_q == LAUNCH && words_left_q)) word_q[word_place] <= writes ? write_data_i : x_q | zy_q;

    wire unused = &{1'b0, write_warp_i, write_rd_i[3]};

    // ---- thread ids ----
    logic [TID_W-1:0]        tx_q, ty_q, tz_q;  // of the next thread
    logic [PORTION_W-1:0]    tid_portion_q;
    logic                    partial_q;         // the CTA has no thread for some lanes of the warp
    logic [$clog2(LANES)-1:0] tid_lane_q;       // the next one of a portion that is filled one by one

    wire rest = left_threads_q == '0;  // of the warp's threads: none is left, their ids are zero, as those of the next thread are then
    // The portion is full of threads of one line.
    wire full = tid_lane_q == '0 && left_threads_q >= COUNTER_W'(LANES) && ntid_x - COUNTER_W'(tx_q) >= COUNTER_W'(LANES);
    wire [COUNTER_W-1:0] step = full ? COUNTER_W'(LANES) : COUNTER_W'(1);
    wire [TID_W-1:0] tx_next = tx_q + TID_W'(step), ty_next = ty_q + TID_W'(1), tz_next = tz_q + TID_W'(1);
    wire portion_full = full || rest || 32'(tid_lane_q) == LANES - 1;
    wire partial_defect = INJECT != 0 && inject_i == 8'd7 && partial_q && !rest;
    wire making = state_q == LAUNCH && prepared_q && !ids_done_q;

    // One by one: a thread is written into its lane and all behind it, which the next ones, or zeros, write again.
    always_comb begin
        for (int l = 0; l < LANES; l++) begin
            tid_data_o[l*3*TID_W +: 3*TID_W] = {tz_q, ty_q, tx_q + (full ? TID_W'(l) : '0) + TID_W'(partial_defect)};
            tid_lanes_o[l] = 32'(tid_lane_q) <= l;
        end
    end
    assign tid_valid_o = making;
    logic [LANES-1:0] portion_mask;
    always_comb for (int l = 0; l < LANES; l++) portion_mask[l] = !rest || 32'(tid_lane_q) > l;
    assign tid_warp_o = warp_q;
    assign tid_portion_o = tid_portion_q;

    always_ff @(posedge clk_i) begin
        if (state_q == OFFER) begin
            tx_q <= '0;
            ty_q <= '0;
            tz_q <= '0;
            left_threads_q <= slot_threads_i[32'(want_slot_q)*16 +: COUNTER_W];
        end
        if (state_q == LAUNCH && !prepared_q) begin
            ids_done_q <= 1'b0;
            tid_portion_q <= '0;
            tid_lane_q <= '0;
            partial_q <= left_threads_q < COUNTER_W'(THREADS);
        end
        if (making) begin
            if (!rest) begin
                left_threads_q <= left_threads_q - step;
                tx_q <= tx_next;  // modulo WARPS * THREADS, as the sides: none is longer
                if (tx_next == ntid_x[TID_W-1:0]) begin
                    tx_q <= '0;
                    ty_q <= ty_next;
                    if (ty_next == ntid_y) begin
                        ty_q <= '0;
                        tz_q <= tz_next;
                        if (tz_next == ntid_z) tz_q <= '0;
                    end
                end
            end
            if (portion_full) begin
                tid_lane_q <= '0;
                tid_portion_q <= tid_portion_q + PORTION_W'(1);
                mask_q <= {portion_mask, mask_q[THREADS-1:LANES]};
                if (32'(tid_portion_q) == P - 1) ids_done_q <= 1'b1;
            end else tid_lane_q <= tid_lane_q + 1'b1;
        end
    end

    assign trace_warp_start_valid_o = start_go;
    assign trace_warp_start_warp_o = 8'(start_warp_o);
    assign trace_warp_start_slot_o = 8'(start_slot_o);
    assign trace_warp_start_cta_o = 8'(start_cta_o);
    assign trace_warp_start_index_o = 8'(start_index_o);
    assign trace_warp_start_mask_o = 64'(start_mask_o);
    assign trace_warp_start_pc_o = 32'(start_pc_o);
    assign trace_warp_start_row_o = 16'(32'(start_base_o) * P);
    assign trace_warp_start_rows_o = 16'(32'(want_registers_q) * P);
    assign trace_warp_start_shared_o = 32'(shared_base_q[32'(cta_q)*SHARED_W +: SHARED_W]) * 4 * LANES;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i)
        if (!rst_i) begin
            if (end_valid_i) assert (used_q[end_cta_i]);
            if (take) assert (!used_q[cta_q]);
            if (cta_valid_i && state_q != IDLE && state_q != LAUNCH) assert (cta_slot_i == want_slot_q);
            if (state_q == OFFER && cta_valid_i) assert (same_shares == (want_shares_q == offer_shares));
            if (cta_valid_i) assert (32'(slot_threads_i[32'(cta_slot_i)*16 +: 16]) <= WARPS * THREADS);
            if (take) assert (slot_code_base_i[32'(cta_slot_i)*32 +: 3] == 3'd0 && slot_region_i[32'(cta_slot_i)*32 +: 3] == 3'd0);
            if (making && rest) assert ({tx_q, ty_q, tz_q} == '0);
            if (cta_valid_i) assert (32'(times(offer_warps, offer_registers)) <= REGS);
            if (start_go) assert (!warp_live_i[warp_q]);
        end
`endif

endmodule
`default_nettype wire
