// tmd_check: takes a TMD apart line by line and checks it.
//
// begin_i names the task, and ends what was done with the one before; then the 8 lines of its TMD come in order, and no others (line_valid_i,
// whenever they are there). region_i, local_i and parent_i are taken with the last one. Done_o is a pulse some 25 to 60 cycles after that, with
// code_o = FAULT_NONE and the task in task_o, or the first fault in the order
//   TMD_FETCH or BUS_ERROR (info: address of the TMD), TMD_LINK, TMD_VERSION, TMD_ACTIVE, TMD_KIND, TMD_CTA_THREAD_DIMENSION_ZERO
//   (info: address), TMD_RESUME (address), of a queue TMD_CIRCULAR_QUEUE_SIZE (the size), TMD_CIRCULAR_QUEUE_ADDR (low word of it) and
//   TMD_GET_PUT_TOO_LARGE (address), TMD_TOTAL_THREADS (the number, at most 2^32 - 1), TMD_REGISTER_COUNT (the count),
//   TMD_SHARED_MEMORY_SIZE (the size), TMD_LOCAL_MEMORY (the size), TMD_PROGRAM_OFFSET (the offset), TMD_CONSTANT_BUFFER
//   (the lowest bad bank), and for RELEASE0, then RELEASE1:
//   SEMAPHORE (alignment; info: low word of the address), SEMAPHORE_ADDRESS (outside the space; the same), and for DEPENDENT_QMD0, then
//   DEPENDENT_QMD1: TMD_DEPENDENT_QMD (the TMD named there is not all inside the space; info: low word of its address).
// A task from a pending list (listed_i) must say that it is pending in the list of level_i, in the epoch of its channel, and link to a
// place below 2^32 (unless it is the last one, last_i), else TMD_LINK; so is one that the link does not find in the space. Its program
// region is what TANDEM_REGION says, its base of local memory TANDEM_LOCAL, its parent TANDEM_PARENT. So they are of a task that waited for others
// and is free now (freed_i). A launch must not be pending (TMD_ACTIVE). waits_o: DEPENDENCE_COUNTER is not 0.
// Only an evicted task (from a list, or free since its children have ended: resumed_o) goes on at CTA_RASTER_*_RESUME, which must be in its
// grid (TMD_RESUME), or behind it (z is the grid's) if CTAs come back; with TANDEM_SAVED of these, in no more bits than the number of warps
// has (TMD_RESUME); of others both must be 0.
// TMD_KIND is what this PPU does not have: SCHEDULE_ON_PUT_UPDATE_ENABLE without CIRCULAR_QUEUE_SIZE,
// TANDEM_SAVE_ENABLE with it or with shared registers, LOCAL_MEMORY_HIGH, more than one barrier, sub-vector settings, a wavefront other than
// THREADS, an unknown reduction format, a reduction of four words. What is said with done_o holds until the next begin_i. Where the info above is the
// address of the TMD or none is named, info_tmd_o says so, and info_o means nothing. link_o is the next task of its list, and 0 when a line has
// failed: what comes with a fault means nothing.
//
// Most of it is done word by word, from a RAM in which the lines stand, over one adder and one multiplier, by a program (tmd_program.svh): it begins
// with the first line and waits for the others when it has to look at them. Its steps are in the order of the faults above, so the first that finds
// something decides; what stands before TMD_CIRCULAR_QUEUE_SIZE are flags, which go before that.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/registers.svh"
`include "gen/tmd.svh"

module tmd_check #(
    parameter int THREADS = 32,
    parameter int LANES = 4,
    parameter int WARPS = 2,
    parameter int SMS = 1,
    parameter int CHANNELS = 2,
    parameter int VGPR_ROWS = 512,
    parameter int SHARED_BYTES = 16384,
    parameter int CONST_BANKS = 2,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    input  wire  [31:0]          space_size_i,  // of the task's channel
    input  wire                  begin_i,
    input  wire  [CHANNEL_W-1:0] channel_i,
    input  wire  [31:0]          tmd_i,
    input  wire  [31:0]          region_i,
    input  wire  [31:0]          local_i,       // the channel's base of local memory, 0: none
    input  wire  [31:0]          parent_i,
    input  wire                  listed_i,
    input  wire                  freed_i,
    input  wire                  last_i,
    input  wire  [23:0]          epoch_i,
    input  wire  [5:0]           level_i,
    input  wire                  line_valid_i,
    input  wire  [255:0]         line_i,
    input  wire  [1:0]           line_fault_i,
    output logic                 done_o,
    output logic [7:0]           code_o,
    output logic [31:0]          info_o,
    output logic                 info_tmd_o,
    output logic [5:0]           group_o,
    output logic                 add_to_head_o,
    output logic [23:0]          link_o,
    output logic                 resumed_o,
    output logic                 waits_o,
    `TASK_OUT(task)
);
    localparam int P = THREADS / LANES;
    localparam int THREAD_W = $clog2(THREADS);
    localparam int WARPS_W = $clog2(WARPS + 1);
    localparam int PLACES = SMS * WARPS * THREADS;
    localparam logic [31:0] PARENT_MASK = 32'hC0FFFFFF | (((32'd1 << ($clog2(SMS) + $clog2(WARPS))) - 32'd1) << 24);  // bits of it that are used

    // What was found in the lines.
    logic [3:0]  lines_q;  // that have come
    logic        fetch_fault_q, bus_fault_q, version_q, kind_q, head_q, sequential_q;
    logic [5:0]  group_q;
    logic [31:0] code_size_q, tmd_q, region_q, local_q, link_q, pending_q;
    logic [31:0] parent_q;
    logic [5:0]  saved_q;
    logic        save_q;
    logic [15:0] ntid_x_q, ntid_y_q, ntid_z_q;
    logic [17:0] shared_q;
    logic [23:0] local_bytes_q;
    logic [7:0]  registers_q, shared_rows_q, bank_valid_q;
    logic [CHANNEL_W-1:0]  channel_q;
    logic [CONST_BANKS*32-1:0]    bank_addr_q;
    logic [CONST_BANKS*17-1:0]    bank_size_q;
    // Of a queue.
    logic [30:0] put_q;
    logic [7:0]  period_q;
    logic        open_q;
    logic [1:0]  release_enable_q, release_red_q, release_signed_q, release_one_word_q;
    logic [5:0]  release_op_q;
    logic [63:0] release_addr_q, release_payload_q;
    logic        waits_q;
    logic [1:0]  frees_q;
    logic [47:0] frees_tmd_q;

    // What the program has found.
    logic        queue_q, local_some_q, next_some_q, zero_q, resume_bad_q, resume_z_q, bad_q;
    logic        bad_tmd_q;                       // its info is the address of the TMD
    logic [7:0]  bad_code_q;
    logic [31:0] not_info_q;
    logic [31:0] code_base_q, grid_x_q, next_x_q;
    logic [15:0] grid_y_q, grid_z_q, next_y_q, next_z_q, threads_q;

    // ---- capture ----
    logic [2:0]   number;  // of the line
    logic [255:0] line;    // what goes into the RAM: a launch has no words of its own of some
    logic         own;
    assign number = lines_q[2:0];
    assign own = listed_i || freed_i;

    // Fields that are looked at twice, or not all of whose bits are taken.
    wire [1:0]   format0   = line_i[`TMD_LINE3_RELEASE0_FORMAT];
    wire [1:0]   format1   = line_i[`TMD_LINE3_RELEASE1_FORMAT];
    wire         red0      = line_i[`TMD_LINE3_RELEASE0_RED_ENABLE];
    wire         red1      = line_i[`TMD_LINE3_RELEASE1_RED_ENABLE];
    wire         one_word0 = line_i[`TMD_LINE3_RELEASE0_STRUCTURE_SIZE] == `TMD_RELEASE_STRUCTURE_SIZE_ONE_WORD;
    wire         one_word1 = line_i[`TMD_LINE3_RELEASE1_STRUCTURE_SIZE] == `TMD_RELEASE_STRUCTURE_SIZE_ONE_WORD;
    wire [4:0]   barriers  = line_i[`TMD_LINE5_BARRIER_COUNT];
    wire         unused    = &{1'b0, barriers[0]};
    wire [7:0]   wavefront = line_i[`TMD_LINE7_TANDEM_WAVEFRONT];
    wire         save      = line_i[`TMD_LINE7_TANDEM_SAVE_ENABLE];

    always_comb begin
        line = line_i;
        if (number == 3'd7) begin
            line[`TMD_LINE7_TANDEM_REGION] = own ? line_i[`TMD_LINE7_TANDEM_REGION] : region_i;
            line[`TMD_LINE7_TANDEM_LOCAL] = own ? line_i[`TMD_LINE7_TANDEM_LOCAL] : local_i;
        end
        // What is nobody's beside a field that is looked at in its word.
        if (number == 3'd0) {line[31], line[63]} = 2'd0;                // OUTER_PUT, OUTER_GET
        if (number == 3'd5) line[184] = 1'b0;                           // LOCAL_MEMORY_LOW
        if (number == 3'd6) line[71] = 1'b0;                            // QUEUE_ENTRIES_PER_CTA_MINUS_ONE
    end

    always_ff @(posedge clk_i) begin
        if (begin_i) begin
            channel_q <= channel_i;
            tmd_q <= tmd_i;
            fetch_fault_q <= 1'b0;
            bus_fault_q <= 1'b0;
            kind_q <= 1'b0;
            version_q <= 1'b0;
        end else if (line_valid_i) begin
            // The first line that fails decides which of the two it is.
            if (line_fault_i != `ANSWER_GOOD && !fetch_fault_q && !bus_fault_q) begin
                fetch_fault_q <= line_fault_i == `ANSWER_OUTSIDE;
                bus_fault_q <= line_fault_i != `ANSWER_OUTSIDE;
            end
            case (number)
                3'd0: begin  // bits 255:0
                    group_q <= line_i[`TMD_LINE0_QMD_GROUP_ID];
                    head_q <= line_i[`TMD_LINE0_ADD_TO_HEAD_OF_QMD_GROUP_LINKED_LIST];
                    release_enable_q <= {line_i[`TMD_LINE0_SEMAPHORE_RELEASE_ENABLE1], line_i[`TMD_LINE0_SEMAPHORE_RELEASE_ENABLE0]};
                    link_q <= line_i[`TMD_LINE0_SCHEDULER_NEXT_QMD_POINTER];
                    put_q <= line_i[`TMD_LINE0_OUTER_PUT];
                    open_q <= line_i[`TMD_LINE0_SCHEDULE_ON_PUT_UPDATE_ENABLE];
                end
                3'd1: begin  // bits 511:256
                    sequential_q <= line_i[`TMD_LINE1_SEQUENTIALLY_RUN_CTAS];
                end
                3'd2: begin  // bits 767:512
                    shared_q <= line_i[`TMD_LINE2_SHARED_MEMORY_SIZE];
                    version_q <= line_i[`TMD_LINE2_QMD_VERSION] == `TMD_QMD_VERSION_CURRENT &&
                                            line_i[`TMD_LINE2_QMD_MAJOR_VERSION] == `TMD_QMD_MAJOR_VERSION_CURRENT;
                    ntid_x_q <= line_i[`TMD_LINE2_CTA_THREAD_DIMENSION0];
                    ntid_y_q <= line_i[`TMD_LINE2_CTA_THREAD_DIMENSION1];
                    ntid_z_q <= line_i[`TMD_LINE2_CTA_THREAD_DIMENSION2];
                    bank_valid_q <= line_i[`TMD_LINE2_CONSTANT_BUFFER_VALID];
                    release_addr_q[31:0] <= line_i[`TMD_LINE2_RELEASE0_ADDRESS_LOWER];
                end
                3'd3: begin  // bits 1023:768
                    release_op_q <= {line_i[`TMD_LINE3_RELEASE1_RED_OP], line_i[`TMD_LINE3_RELEASE0_RED_OP]};
                    release_signed_q <= {format1[0], format0[0]};
                    release_red_q <= {red1, red0};
                    release_one_word_q <= {one_word1, one_word0};
                    release_addr_q[63:32] <= line_i[`TMD_LINE3_RELEASE1_ADDRESS_LOWER];
                    release_payload_q <= {line_i[`TMD_LINE3_RELEASE1_PAYLOAD], line_i[`TMD_LINE3_RELEASE0_PAYLOAD]};
                    // RELEASE_FORMAT above 1, and reductions that are not of one word
                    if (release_enable_q[0] && (format0[1] || (red0 && !one_word0))) kind_q <= 1'b1;
                    if (release_enable_q[1] && (format1[1] || (red1 && !one_word1))) kind_q <= 1'b1;
                end
                3'd5: begin  // bits 1535:1280
                    registers_q <= line_i[`TMD_LINE5_REGISTER_COUNT];
                    local_bytes_q <= line_i[`TMD_LINE5_LOCAL_MEMORY_LOW];
                    if (barriers[4:1] != 4'd0 || line_i[`TMD_LINE5_LOCAL_MEMORY_HIGH] != 24'd0) kind_q <= 1'b1;
                end
                3'd6: begin  // bits 1791:1536
                    code_size_q <= line_i[`TMD_LINE6_TANDEM_CODE_SIZE];
                    period_q <= line_i[`TMD_LINE6_COALESCE_WAITING_PERIOD];
                end
                3'd7: begin  // bits 2047:1792
                    shared_rows_q <= line_i[`TMD_LINE7_TANDEM_SHARED_ROWS];
                    region_q <= line[`TMD_LINE7_TANDEM_REGION];
                    local_q <= line[`TMD_LINE7_TANDEM_LOCAL];
                    parent_q <= own ? line_i[`TMD_LINE7_TANDEM_PARENT] & PARENT_MASK : parent_i;
                    waits_q <= line_i[`TMD_LINE7_DEPENDENCE_COUNTER] != 32'd0;
                    frees_q <= {line_i[`TMD_LINE7_DEPENDENT_QMD1_SCHEDULE_ENABLE], line_i[`TMD_LINE7_DEPENDENT_QMD0_SCHEDULE_ENABLE]};
                    frees_tmd_q <= {line[247:224], line[215:192]};  // the lower 24 bits of the pointers
                    pending_q <= line_i[`TMD_LINE7_TANDEM_STATE];
                    save_q <= save;
                    saved_q <= line_i[`TMD_LINE7_TANDEM_SAVED];
                    // What a trap does not reach: registers of one portion, and entries of a ring (below).
                    if (save && line_i[`TMD_LINE7_TANDEM_SHARED_ROWS] != 8'd0) kind_q <= 1'b1;
                    if (line_i[`TMD_LINE7_TANDEM_SUBVECTOR] != 4'd0 || (wavefront != 8'd0 && wavefront != 8'(THREADS))) kind_q <= 1'b1;
                end
                default: ;
            endcase
            if (line_fault_i != `ANSWER_GOOD) link_q <= '0;  // whichever line it is
        end
    end

    for (genvar b = 0; b < CONST_BANKS; b++) begin : g_bank
        always_ff @(posedge clk_i) begin
            if (line_valid_i && number == 3'(`TMD_CONSTANT_BUFFER_ADDR_LOWER_LINE(b)))
                bank_addr_q[32*b +: 32] <= line_i[`TMD_CONSTANT_BUFFER_ADDR_LOWER(b)];
            if (line_valid_i && number == 3'(`TMD_CONSTANT_BUFFER_SIZE_LINE(b))) bank_size_q[17*b +: 17] <= line_i[`TMD_CONSTANT_BUFFER_SIZE(b)];
        end
    end

    // ---- the words, and what is done with them ----
    `include "tmd_program.svh"

    // The step that is next to be done waits for its line, while the one before is done.
    (* no_rw_check, ram_style = "block" *) logic [31:0] words_q [64];
    logic [S_W-1:0] next_q, s_q;
    logic [6:0]     at_q, at_n;
    logic           run_q, go, wanted, s_valid_q;
    logic [7:0]     above;      // of each bank: it is valid, or one behind it
    logic           last_bank;  // neither the one that is asked for nor one behind it
    logic [31:0]    word_q;

    always_comb begin
        case (next_q[S_WHEN +: 4])
            4'd0: wanted = 1'b1;
            4'd1: wanted = queue_q;
            4'd2: wanted = !queue_q;
            4'd3: wanted = local_some_q;
            4'd4, 4'd5: wanted = release_enable_q[next_q[S_WHEN]];
            4'd6, 4'd7: wanted = frees_q[next_q[S_WHEN]];
            default: wanted = bank_valid_q[next_q[S_WHEN +: 3]];
        endcase
        for (int b = 0; b < 8; b++) above[b] = (bank_valid_q >> b) != 8'd0;
        last_bank = next_q[S_WHEN+3] && !above[next_q[S_WHEN +: 3]];
        go = run_q && (lines_q[3] || next_q[5:3] < number);
        at_n = at_q;
        if (go) at_n = wanted ? at_q + 7'd1 : last_bank ? 7'(TO_RELEASES) : next_q[S_ELSE +: 7];
        if (begin_i) at_n = 7'd0;
    end

    always_ff @(posedge clk_i) begin
        next_q <= rom[at_n];
        at_q <= at_n;
        s_q <= next_q;
        s_valid_q <= go && wanted && !begin_i && !rst_i;
        word_q <= words_q[next_q[5:0]];
        if (rst_i) run_q <= 1'b0;
        else if (begin_i) run_q <= 1'b1;
        else if (go && |(next_q & STOP)) run_q <= 1'b0;
        if (begin_i) lines_q <= 4'd0;
        else if (line_valid_i) lines_q <= lines_q + 4'd1;
        if (line_valid_i) for (int i = 0; i < 8; i++) words_q[{number, 3'(i)}] <= line[32*i +: 32];
    end

    // ---- a step: the sum, the product ----
    logic [31:0] space_q, sum_q, part, shown, other, sum;
    logic [15:0] factor_q;
    logic [47:0] product_q;
    logic        carry, low, high, few, bad;  // low, high: the halves of the sum are 0

    always_comb begin
        part = |(s_q & SPACE) ? space_q : sum_q & {32{|(s_q & KEEP)}};
        if (|(s_q & MOST)) part = 32'(WARPS * THREADS);
        if (|(s_q & REACH)) part = 32'h2000000;
        shown = word_q;
        if (|(s_q & FROM_15)) shown = {15'd0, word_q[31:15]};
        if (|(s_q & LOW_25)) shown[31:25] = 7'd0;
        if (|(s_q & LOW_16)) shown[31:16] = 16'd0;
        other = (|(s_q & PRODUCT) ? product_q[31:0] : shown) ^ {32{|(s_q & MINUS)}};
        {carry, sum} = {1'b0, part} + {1'b0, other} + 33'(|(s_q & PLUS_ONE) || (|(s_q & MINUS) && !(|(s_q & LESS_ONE))));
        low = sum[15:0] == 16'd0;
        high = sum[31:16] == 16'd0;
        few = sum[31:4] == 28'd0 && (!release_one_word_q[s_q[S_WHEN]] || sum[3:2] == 2'd0);
        bad = (|(s_q & BELOW) && !carry) || (|(s_q & BELOW_LOW) && !(part[16] ^ other[16] ^ sum[16])) || (|(s_q & BEYOND) && carry) ||
              (|(s_q & NOUGHT) && low && high) || (|(s_q & NOUGHT_LOW) && low) || (|(s_q & NOUGHT_HIGH) && high) ||
              (|(s_q & NOUGHT_256) && high && sum[15:8] == 8'd0) || (|(s_q & SOME) && !(low && high)) || (|(s_q & FEW) && few) ||
              (|(s_q & MANY_BITS) && (sum_q[24:0] & ~sum[24:0]) != 25'd0) || (|(s_q & LARGE) && product_q[47:32] != 16'd0) ||
              (|(s_q & BY_8) && word_q[2:0] != 3'd0) || (|(s_q & BY_16) && word_q[3:0] != 4'd0) || (|(s_q & BY_32) && word_q[4:0] != 5'd0) ||
              (|(s_q & BY_WORDS) && (word_q[1:0] != 2'd0 || (!release_one_word_q[s_q[S_WHEN]] && word_q[3:2] != 2'd0))) ||
              (|(s_q & UPPER) && word_q[7:0] != 8'd0) || (|(s_q & REGISTERS) && registers_bad) || (|(s_q & SHARED) && shared_bad) || |(s_q & ALWAYS);
    end

    always_ff @(posedge clk_i) begin
        space_q <= space_size_i;
        if (s_valid_q) begin
            sum_q <= sum;
            if (|(s_q & MODULO)) sum_q[31] <= 1'b0;
            product_q <= {16'd0, sum_q} * {32'd0, factor_q};
            if (|(s_q & BY_HIGH)) factor_q <= word_q[31:16];
            if (|(s_q & BY_PLACES)) factor_q <= 16'(PLACES);
            if (|(s_q & BY_256)) factor_q <= 16'd256;
        end
    end

    // ---- what is found ----
    logic [8:0]               units_q;  // in the cycle before, when the fields had come
    logic [WARPS_W-1:0]       warps;    // means something when the number of threads is not too large
    logic [WARPS_W+8:0]       rows;
    logic                     registers_bad, shared_bad, bad_before_q;
    always_comb begin
        warps = WARPS_W'(threads_q >> THREAD_W) + WARPS_W'(threads_q[THREAD_W-1:0] != '0);
        rows = (WARPS_W+9)'(warps) * (WARPS_W+9)'(units_q);
        registers_bad = registers_q <= shared_rows_q || 32'(rows) > VGPR_ROWS / P;
        shared_bad = 32'(shared_q) >= SHARED_BYTES && 32'(shared_q) != SHARED_BYTES;
    end

    always_ff @(posedge clk_i) begin
        // Private registers, then the shared rows, in whole registers.
        units_q <= 9'(registers_q) - 9'(shared_rows_q) + 9'((32'(shared_rows_q) + 32'(P - 1)) / 32'(P));
        if (begin_i) begin
            bad_before_q <= 1'b0;
            bad_q <= 1'b0;
            zero_q <= 1'b0;
            resume_bad_q <= 1'b0;
            next_some_q <= 1'b0;
        end else if (s_valid_q) begin
            if (|(s_q & IS_QUEUE)) queue_q <= !(low && high);
            if (|(s_q & IS_LOCAL)) local_some_q <= !(low && high);
            if (|(s_q & IS_ZERO)) zero_q <= zero_q || bad;
            if (|(s_q & IS_NEXT)) next_some_q <= next_some_q || bad;
            if (|(s_q & IS_RESUME)) begin
                resume_bad_q <= resume_bad_q || bad;
                resume_z_q <= high;  // of the step behind the last one of these: z is the grid's
            end
            if (|(s_q & LAST)) bad_before_q <= 1'b0;
            else if (!(|(s_q & IS_NEXT))) bad_before_q <= bad_before_q || bad;
            // Whether it is bad is known late: code and info are those of each until then.
            if (|(s_q & LAST) && !bad_q) begin
                bad_q <= bad || bad_before_q;
                bad_code_q <= s_q[S_FAULT +: 8];
                bad_tmd_q <= |(s_q & BEYOND);
                not_info_q <= other;
                if (|(s_q & MOST) && product_q[47:32] != 16'd0) not_info_q <= 32'd0;
                if (|(s_q & SHARED)) not_info_q[31:18] <= '1;
                if (|(s_q & REGISTERS)) not_info_q <= {24'hFFFFFF, ~registers_q};
                if (s_q[S_WHEN+3]) not_info_q <= {29'h1FFFFFFF, ~s_q[S_WHEN +: 3]};
            end
        end
        if (s_valid_q) begin
            if (|(s_q & IS_GRID_X)) grid_x_q <= sum;
            if (|(s_q & IS_GRID_Y)) begin
                grid_y_q <= sum[15:0];
                if (queue_q) grid_y_q[15:8] <= 8'd0;
            end
            if (|(s_q & IS_GRID_Z)) grid_z_q <= sum[31:16];
            if (|(s_q & IS_NEXT_X)) next_x_q <= sum;
            if (|(s_q & IS_NEXT)) {next_z_q, next_y_q} <= queue_q ? 32'd0 : sum;
            if (|(s_q & IS_BASE)) code_base_q <= sum;
            if (|(s_q & MOST)) threads_q <= product_q[15:0];
        end
    end

    // ---- the verdict ----
    logic       link_bad, epoch_good, active, resumed, launched, resume_outside, verdict, whole;
    logic [7:0] code;

    always_comb begin
        epoch_good = pending_q[31:8] == epoch_i;
        // In a list it is pending (1) or evicted (2); one that waits for its children (3) is in none.
        resumed = listed_i ? pending_q[1:0] == 2'd2 : pending_q[1:0] == 2'd3 && (freed_i && epoch_good && pending_q[7:2] == group_q);
        active = !listed_i && !resumed && epoch_good && pending_q[1:0] != 2'd0;
        launched = resumed && saved_q != 6'd0 && resume_z_q;
        resume_outside = !queue_q && (resume_bad_q || (resume_z_q && !launched) || saved_q >> $clog2(SMS * WARPS + 1) != 6'd0);
        link_bad = listed_i && (fetch_fault_q || !epoch_good || pending_q[7:2] != level_i || pending_q[1] == pending_q[0] ||
                                group_q != level_i || (!last_i && link_q[31:24] != 8'd0));
        whole = 1'b1;
        code = bad_q ? bad_code_q : `FAULT_NONE;
        if (bus_fault_q) code = `FAULT_BUS_ERROR;
        else if (link_bad) code = `FAULT_TMD_LINK;
        else if (fetch_fault_q) code = `FAULT_TMD_FETCH;
        else if (!version_q) code = `FAULT_TMD_VERSION;
        else if (active) code = `FAULT_TMD_ACTIVE;
        else if (kind_q || (open_q && !queue_q) || (save_q && queue_q) || (!resumed && next_some_q) || (saved_q != 6'd0 && !(resumed && save_q)))
            code = `FAULT_TMD_KIND;
        else if (zero_q) code = `FAULT_TMD_CTA_THREAD_DIMENSION_ZERO;
        else if (resume_outside) code = `FAULT_TMD_RESUME;
        else whole = bad_tmd_q;
        verdict = s_valid_q && |(s_q & STOP);
    end

    always_ff @(posedge clk_i) begin
        done_o <= verdict && !begin_i && !rst_i;
        if (verdict) begin
            code_o <= code;
            info_tmd_o <= whole;
        end
    end
    assign info_o = ~not_info_q;

    always_comb begin
        group_o = group_q;
        add_to_head_o = head_q;
        link_o = link_q[23:0];
        resumed_o = resumed;
        waits_o = waits_q;
        task_group_o = group_q;
        task_sequential_o = sequential_q;
        task_parent_o = parent_q;
        task_save_o = save_q;
        task_saved_o = saved_q;
        task_launched_o = launched;
        task_channel_o = channel_q;
        task_tmd_o = tmd_q;
        task_region_o = region_q;
        task_code_base_o = code_base_q;
        task_code_size_o = code_size_q;
        task_ntid_x_o = ntid_x_q;
        task_ntid_y_o = ntid_y_q;
        task_ntid_z_o = ntid_z_q;
        task_queue_o = queue_q;
        task_open_o = open_q;
        task_put_o = put_q;
        task_period_o = period_q;
        task_grid_x_o = grid_x_q;
        task_grid_y_o = grid_y_q;
        task_grid_z_o = grid_z_q;
        task_next_x_o = next_x_q;
        task_next_y_o = next_y_q;
        task_next_z_o = next_z_q;
        task_threads_o = threads_q;
        task_registers_o = registers_q;
        task_shared_rows_o = shared_rows_q;
        task_shared_o = shared_q;
        task_local_base_o = local_q;
        task_local_bytes_o = local_bytes_q;
        task_const_valid_o = bank_valid_q[CONST_BANKS-1:0];
        task_const_addr_o = bank_addr_q;
        task_const_size_o = bank_size_q;
        task_release_enable_o = release_enable_q;
        task_release_red_o = release_red_q;
        task_release_signed_o = release_signed_q;
        task_release_one_word_o = release_one_word_q;
        task_release_op_o = release_op_q;
        task_release_addr_o = release_addr_q;
        task_release_payload_o = release_payload_q;
        task_frees_o = frees_q;
        task_frees_tmd_o = frees_tmd_q;
    end

`ifndef SYNTHESIS
    initial if (CONST_BANKS > 8 || WARPS * THREADS > 65535) $error("tmd_check: CONST_BANKS at most 8, threads of an SM at most 65535");
    initial if (PLACES > 65535) $error("tmd_check: factor_q is too narrow");
    initial if ($clog2(SMS) + $clog2(WARPS) > 6) $error("tmd_check: TANDEM_PARENT is too narrow");
    always_ff @(posedge clk_i) begin
        if (!rst_i && line_valid_i) assert (!lines_q[3]);
        // Lines come before what is made of them is told.
        if (!rst_i && s_valid_q && |(s_q & STOP)) assert (lines_q[3]);
    end
`endif
endmodule
`default_nettype wire
