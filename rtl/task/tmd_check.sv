// tmd_check: takes a TMD apart line by line and checks it.
//
// begin_i names the task; then the 8 lines of its TMD come in order (line_valid_i, whenever they are there). After the last one the
// check takes about 50 cycles (serial multiplication); done_o is then a pulse, with code_o = FAULT_NONE and the task in task_o, or the
// first fault in the order
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
// THREADS, an unknown reduction format, a reduction of four words. Code and info hold until the next done_o, the others until the next begin_i.
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
    localparam logic [31:0] PARENT_MASK = 32'hC0FFFFFF | (((32'd1 << ($clog2(SMS) + $clog2(WARPS))) - 32'd1) << 24);  // bits of it that are used

    typedef enum logic [2:0] {LINES, MULTIPLY_Y, MULTIPLY_Z, BANKS, REPORT, IDLE} state_t;

    // What was found in the lines.
    state_t      state_q;
    logic [2:0]  line_q;
    logic        fetch_fault_q, bus_fault_q, version_q, kind_q, head_q, sequential_q;
    logic [5:0]  group_q;
    logic [31:0] offset_q, code_size_q, tmd_q, region_q, local_q, grid_x_q, link_q, pending_q, resume_x_q;
    logic [15:0] resume_y_q, resume_z_q;
    logic [31:0] parent_q;
    logic [5:0]  saved_q;
    logic        save_q;
    logic [15:0] grid_y_q, grid_z_q, ntid_x_q, ntid_y_q, ntid_z_q;
    logic [17:0] shared_q;
    logic [23:0] local_bytes_q;
    logic [7:0]  registers_q, shared_rows_q, bank_valid_q;
    logic [CHANNEL_W-1:0]  channel_q;
    logic [CONST_BANKS*32-1:0]    bank_addr_q;
    logic [CONST_BANKS*17-1:0]    bank_size_q;
    logic [CONST_BANKS-1:0]       bank_upper_q;  // the address needs more than 32 bits
    // Of a queue.
    logic [30:0] put_q, get_q;
    logic [24:0] size_q;
    logic [31:0] ring_q;
    logic [15:0] entry_q;
    logic [6:0]  per_cta_q;
    logic [7:0]  period_q;
    logic        open_q, ring_upper_q;
    logic [1:0]  release_enable_q, release_red_q, release_signed_q, release_one_word_q, release_upper_q;
    logic [5:0]  release_op_q;
    logic [63:0] release_addr_q, release_payload_q;
    logic        waits_q;
    logic [1:0]  frees_q;
    logic [61:0] frees_tmd_q;  // 31 bits each

    // The calculation.
    logic [3:0]  step_q;
    logic [31:0] product_xy_q;
    logic [47:0] product_q;
    logic        bank_bad_q;
    logic [2:0]  bank_q;
    logic [31:0] units_needed_q;  // in the cycle before, when the fields had come long before

    // ---- capture ----
    logic capture;
    assign capture = state_q == LINES && line_valid_i;

    // Fields that are looked at twice, or not all of whose bits are taken.
    wire         open      = line_i[`TMD_LINE0_SCHEDULE_ON_PUT_UPDATE_ENABLE];
    wire [24:0]  size      = line_i[`TMD_LINE0_CIRCULAR_QUEUE_SIZE];
    wire [1:0]   format0   = line_i[`TMD_LINE3_RELEASE0_FORMAT];
    wire [1:0]   format1   = line_i[`TMD_LINE3_RELEASE1_FORMAT];
    wire         red0      = line_i[`TMD_LINE3_RELEASE0_RED_ENABLE];
    wire         red1      = line_i[`TMD_LINE3_RELEASE1_RED_ENABLE];
    wire         one_word0 = line_i[`TMD_LINE3_RELEASE0_STRUCTURE_SIZE] == `TMD_RELEASE_STRUCTURE_SIZE_ONE_WORD;
    wire         one_word1 = line_i[`TMD_LINE3_RELEASE1_STRUCTURE_SIZE] == `TMD_RELEASE_STRUCTURE_SIZE_ONE_WORD;
    wire [4:0]   barriers  = line_i[`TMD_LINE5_BARRIER_COUNT];
    wire [7:0]   wavefront = line_i[`TMD_LINE7_TANDEM_WAVEFRONT];
    wire         save      = line_i[`TMD_LINE7_TANDEM_SAVE_ENABLE];
    wire         unused    = &{1'b0, barriers[0]};

    always_ff @(posedge clk_i) begin
        if (begin_i) begin
            channel_q <= channel_i;
            tmd_q <= tmd_i;
            region_q <= region_i;
            parent_q <= parent_i;
            local_q <= local_i;
            fetch_fault_q <= 1'b0;
            bus_fault_q <= 1'b0;
            kind_q <= 1'b0;
            version_q <= 1'b0;
        end else if (capture) begin
            // The first line that fails decides which of the two it is.
            if (line_fault_i != `ANSWER_GOOD && !fetch_fault_q && !bus_fault_q) begin
                fetch_fault_q <= line_fault_i == `ANSWER_OUTSIDE;
                bus_fault_q <= line_fault_i != `ANSWER_OUTSIDE;
            end
            case (line_q)
                3'd0: begin  // bits 255:0
                    group_q <= line_i[`TMD_LINE0_QMD_GROUP_ID];
                    head_q <= line_i[`TMD_LINE0_ADD_TO_HEAD_OF_QMD_GROUP_LINKED_LIST];
                    release_enable_q <= {line_i[`TMD_LINE0_SEMAPHORE_RELEASE_ENABLE1], line_i[`TMD_LINE0_SEMAPHORE_RELEASE_ENABLE0]};
                    link_q <= line_i[`TMD_LINE0_SCHEDULER_NEXT_QMD_POINTER];
                    put_q <= line_i[`TMD_LINE0_OUTER_PUT];
                    get_q <= line_i[`TMD_LINE0_OUTER_GET];
                    open_q <= open;
                    size_q <= size;
                    if (open && size == 25'd0) kind_q <= 1'b1;
                end
                3'd1: begin  // bits 511:256
                    offset_q <= line_i[`TMD_LINE1_PROGRAM_OFFSET];
                    ring_q <= line_i[`TMD_LINE1_CIRCULAR_QUEUE_ADDR_LOWER];
                    ring_upper_q <= line_i[`TMD_LINE1_CIRCULAR_QUEUE_ADDR_UPPER] != 8'd0;
                    entry_q <= line_i[`TMD_LINE1_CIRCULAR_QUEUE_ENTRY_SIZE];
                    sequential_q <= line_i[`TMD_LINE1_SEQUENTIALLY_RUN_CTAS];
                    grid_x_q <= line_i[`TMD_LINE1_CTA_RASTER_WIDTH];
                    grid_y_q <= line_i[`TMD_LINE1_CTA_RASTER_HEIGHT];
                    grid_z_q <= line_i[`TMD_LINE1_CTA_RASTER_DEPTH];
                    resume_x_q <= line_i[`TMD_LINE1_CTA_RASTER_WIDTH_RESUME];
                    resume_y_q <= line_i[`TMD_LINE1_CTA_RASTER_HEIGHT_RESUME];
                    resume_z_q <= line_i[`TMD_LINE1_CTA_RASTER_DEPTH_RESUME];
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
                    release_upper_q <= {line_i[`TMD_LINE3_RELEASE1_ADDRESS_UPPER] != 8'd0,
                                              line_i[`TMD_LINE3_RELEASE0_ADDRESS_UPPER] != 8'd0};
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
                    per_cta_q <= line_i[`TMD_LINE6_QUEUE_ENTRIES_PER_CTA_MINUS_ONE];
                    period_q <= line_i[`TMD_LINE6_COALESCE_WAITING_PERIOD];
                end
                3'd7: begin  // bits 2047:1792
                    shared_rows_q <= line_i[`TMD_LINE7_TANDEM_SHARED_ROWS];
                    if (listed_i || freed_i) begin
                        region_q <= line_i[`TMD_LINE7_TANDEM_REGION];
                        parent_q <= line_i[`TMD_LINE7_TANDEM_PARENT] & PARENT_MASK;
                        local_q <= line_i[`TMD_LINE7_TANDEM_LOCAL];
                    end
                    waits_q <= line_i[`TMD_LINE7_DEPENDENCE_COUNTER] != 32'd0;
                    frees_q <= {line_i[`TMD_LINE7_DEPENDENT_QMD1_SCHEDULE_ENABLE], line_i[`TMD_LINE7_DEPENDENT_QMD0_SCHEDULE_ENABLE]};
                    frees_tmd_q <= {line_i[`TMD_LINE7_DEPENDENT_QMD1_POINTER], line_i[`TMD_LINE7_DEPENDENT_QMD0_POINTER]};
                    pending_q <= line_i[`TMD_LINE7_TANDEM_STATE];
                    save_q <= save;
                    saved_q <= line_i[`TMD_LINE7_TANDEM_SAVED];
                    // What a trap does not reach: registers of one portion, and entries of a ring.
                    if (save && (line_i[`TMD_LINE7_TANDEM_SHARED_ROWS] != 8'd0 || size_q != 25'd0)) kind_q <= 1'b1;
                    if (line_i[`TMD_LINE7_TANDEM_SUBVECTOR] != 4'd0 || (wavefront != 8'd0 && wavefront != 8'(THREADS))) kind_q <= 1'b1;
                end
                default: ;
            endcase
        end
    end

    for (genvar b = 0; b < CONST_BANKS; b++) begin : g_bank
        always_ff @(posedge clk_i) begin
            if (capture && line_q == 3'(`TMD_CONSTANT_BUFFER_ADDR_LOWER_LINE(b)))
                bank_addr_q[32*b +: 32] <= line_i[`TMD_CONSTANT_BUFFER_ADDR_LOWER(b)];
            if (capture && line_q == 3'(`TMD_CONSTANT_BUFFER_SIZE_LINE(b))) begin
                bank_size_q[17*b +: 17] <= line_i[`TMD_CONSTANT_BUFFER_SIZE(b)];
                bank_upper_q[b] <= line_i[`TMD_CONSTANT_BUFFER_ADDR_UPPER(b)] != 8'd0;
            end
        end
    end

    // ---- one constant buffer a cycle ----
    logic        bank_bad;
    logic [31:0] bank_addr;
    logic [16:0] bank_size;
    logic        bank_upper;

    always_comb begin
        bank_addr = '0;
        bank_size = '0;
        bank_upper = 1'b1;
        for (int b = 0; b < CONST_BANKS; b++) begin
            if (step_q[2:0] == 3'(b)) begin
                bank_addr = bank_addr_q[32*b +: 32];
                bank_size = bank_size_q[17*b +: 17];
                bank_upper = bank_upper_q[b];
            end
        end
        // bank_upper stays set for a bank that does not exist.
        bank_bad = bank_valid_q[step_q[2:0]] && (bank_upper || {1'b0, bank_addr} + {16'd0, bank_size} > {1'b0, space_size_i});
    end

    // ---- steps ----
    always_ff @(posedge clk_i) begin
        done_o <= 1'b0;
        if (rst_i) begin
            state_q <= IDLE;
            line_q <= '0;
            step_q <= '0;
        end else if (begin_i) begin
            state_q <= LINES;
            line_q <= '0;
            step_q <= '0;
            product_xy_q <= '0;
            product_q <= '0;
            bank_bad_q <= 1'b0;
        end else begin
            case (state_q)
                LINES: if (line_valid_i) begin
                    line_q <= line_q + 3'd1;
                    if (line_q == 3'd7) state_q <= MULTIPLY_Y;
                end
                MULTIPLY_Y: begin
                    product_xy_q <= {product_xy_q[30:0], 1'b0} + (ntid_y_q[~step_q] ? 32'(ntid_x_q) : 32'd0);  // highest bit first
                    step_q <= step_q + 4'd1;
                    if (step_q == 4'd15) state_q <= MULTIPLY_Z;
                end
                MULTIPLY_Z: begin
                    product_q <= {product_q[46:0], 1'b0} + (ntid_z_q[~step_q] ? 48'(product_xy_q) : 48'd0);
                    step_q <= step_q + 4'd1;
                    if (step_q == 4'd15) state_q <= BANKS;
                end
                BANKS: begin
                    if (bank_bad && !bank_bad_q) begin
                        bank_bad_q <= 1'b1;
                        bank_q <= step_q[2:0];
                    end
                    step_q <= step_q + 4'd1;
                    if (step_q == 4'd7) state_q <= REPORT;
                end
                REPORT: begin
                    done_o <= 1'b1;
                    state_q <= IDLE;
                end
                default: ;
            endcase
        end
    end

    // ---- the verdict ----
    logic [WARPS_W-1:0] warps_needed;  // means something when the number of threads is not too large
    logic [31:0] rows_needed, units_needed;
    logic [33:0] code_end;
    logic [32:0] code_end_offset;
    logic        program_bad, local_bad;
    logic [35:0] local_end;
    logic [1:0]  release_misaligned, release_outside, frees_outside;
    logic        link_bad, epoch_good, active, resumed, launched, resume_outside, queue;
    logic [41:0] ring_end;
    logic [30:0] left;

    always_comb begin
        warps_needed = WARPS_W'((product_q + 48'(THREADS) - 48'd1) >> THREAD_W);
        // Private registers, then the shared rows, in whole registers.
        units_needed = 32'(registers_q) - 32'(shared_rows_q) + (32'(shared_rows_q) + 32'(P - 1)) / 32'(P);
        rows_needed = 32'(warps_needed) * units_needed_q * 32'(P);
        code_end_offset = {1'b0, offset_q} + {1'b0, code_size_q};
        code_end = {2'b0, region_q} + {1'b0, code_end_offset};
        // The instruction index from the region has 22 bits.
        program_bad = offset_q[2:0] != 3'd0 || region_q[2:0] != 3'd0 || code_size_q[2:0] != 3'd0 || code_size_q == 32'd0 ||
                      code_end_offset > 33'h2000000 || code_end > {2'b0, space_size_i};
        // Every place where a warp can run has its own piece of local memory.
        local_end = 36'(local_q) + 36'(local_bytes_q) * 36'(SMS * WARPS * THREADS);
        local_bad = local_bytes_q != 24'd0 && (local_bytes_q[3:0] != 4'd0 || local_q == 32'd0 || local_q[4:0] != 5'd0 ||
                                               local_end > 36'(space_size_i));
        epoch_good = pending_q[31:8] == epoch_i;
        // In a list it is pending (1) or evicted (2); one that waits for its children (3) is in none.
        resumed = listed_i ? pending_q[1:0] == 2'd2 : pending_q[1:0] == 2'd3 && (freed_i && epoch_good && pending_q[7:2] == group_q);
        active = !listed_i && !resumed && epoch_good && pending_q[1:0] != 2'd0;
        queue = size_q != 25'd0;
        ring_end = 42'(ring_q) + 42'(size_q) * 42'(entry_q);
        left = put_q - get_q;
        launched = resumed && saved_q != 6'd0 && resume_z_q == grid_z_q;
        resume_outside = resumed && !queue && (resume_x_q >= grid_x_q || resume_y_q >= grid_y_q || (resume_z_q >= grid_z_q && !launched) ||
                                               saved_q >> $clog2(SMS * WARPS + 1) != 6'd0);
        link_bad = listed_i && (fetch_fault_q || !epoch_good || pending_q[7:2] != level_i || pending_q[1] == pending_q[0] ||
                                group_q != level_i || (!last_i && link_q[31:24] != 8'd0));
        for (int r = 0; r < 2; r++) begin
            release_misaligned[r] = release_enable_q[r] && (release_addr_q[32*r +: 2] != 2'd0 ||
                                    (!release_one_word_q[r] && release_addr_q[32*r+2 +: 2] != 2'd0));
            release_outside[r] = release_enable_q[r] && (release_upper_q[r] ||
                {1'b0, release_addr_q[32*r +: 32]} + (release_one_word_q[r] ? 33'd4 : 33'd16) > {1'b0, space_size_i});
            frees_outside[r] = frees_q[r] && frees_tmd_q[31*r +: 31] >= {7'd0, space_size_i[31:8]};
        end
    end

    always_ff @(posedge clk_i) units_needed_q <= units_needed;

    // Comparisons behind sums: the verdict has a cycle to itself, that of REPORT.
    logic [7:0]  code;
    logic [31:0] info;
    always_comb begin
        code = `FAULT_NONE;
        info = tmd_q;
        if (bus_fault_q) code = `FAULT_BUS_ERROR;
        else if (link_bad) code = `FAULT_TMD_LINK;
        else if (fetch_fault_q) code = `FAULT_TMD_FETCH;
        else if (!version_q) code = `FAULT_TMD_VERSION;
        else if (active) code = `FAULT_TMD_ACTIVE;
        else if (kind_q || (!resumed && {resume_z_q, resume_y_q, resume_x_q} != 64'd0) || (saved_q != 6'd0 && !(resumed && save_q))) code = `FAULT_TMD_KIND;
        else if (ntid_x_q == 16'd0 || ntid_y_q == 16'd0 || ntid_z_q == 16'd0 ||
                 (!queue && (grid_x_q == 32'd0 || grid_y_q == 16'd0 || grid_z_q == 16'd0))) code = `FAULT_TMD_CTA_THREAD_DIMENSION_ZERO;
        else if (resume_outside) code = `FAULT_TMD_RESUME;
        else if (queue && ((size_q & (size_q - 25'd1)) != 25'd0 || entry_q == 16'd0)) begin
            code = `FAULT_TMD_CIRCULAR_QUEUE_SIZE;
            info = 32'(size_q);
        end else if (queue && (ring_upper_q || ring_end > 42'(space_size_i))) begin
            code = `FAULT_TMD_CIRCULAR_QUEUE_ADDR;
            info = ring_q;
        end else if (queue && left > 31'(size_q)) code = `FAULT_TMD_GET_PUT_TOO_LARGE;
        else if (product_q > 48'(WARPS * THREADS)) begin
            code = `FAULT_TMD_TOTAL_THREADS;
            info = product_q[47:32] != 16'd0 ? 32'hFFFFFFFF : product_q[31:0];
        end else if (registers_q <= shared_rows_q || rows_needed > 32'(VGPR_ROWS)) begin
            code = `FAULT_TMD_REGISTER_COUNT;
            info = 32'(registers_q);
        end else if (32'(shared_q) > SHARED_BYTES) begin
            code = `FAULT_TMD_SHARED_MEMORY_SIZE;
            info = 32'(shared_q);
        end else if (local_bad) begin
            code = `FAULT_TMD_LOCAL_MEMORY;
            info = 32'(local_bytes_q);
        end else if (program_bad) begin
            code = `FAULT_TMD_PROGRAM_OFFSET;
            info = offset_q;
        end else if (bank_bad_q) begin
            code = `FAULT_TMD_CONSTANT_BUFFER;
            info = 32'(bank_q);
        end else if (release_misaligned[0] || (release_misaligned[1] && !release_outside[0])) begin
            code = `FAULT_SEMAPHORE;
            info = release_misaligned[0] ? release_addr_q[31:0] : release_addr_q[63:32];
        end else if (release_outside != 2'd0) begin
            code = `FAULT_SEMAPHORE_ADDRESS;
            info = release_outside[0] ? release_addr_q[31:0] : release_addr_q[63:32];
        end else if (frees_outside != 2'd0) begin
            code = `FAULT_TMD_DEPENDENT_QMD;
            info = {frees_outside[0] ? frees_tmd_q[23:0] : frees_tmd_q[54:31], 8'd0};
        end
    end

    always_ff @(posedge clk_i) begin
        if (state_q == REPORT) begin
            code_o <= code;
            info_o <= info;
        end
    end

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
        task_code_base_o = region_q + offset_q;
        task_code_size_o = code_size_q;
        task_ntid_x_o = ntid_x_q;
        task_ntid_y_o = ntid_y_q;
        task_ntid_z_o = ntid_z_q;
        task_queue_o = queue;
        task_open_o = open_q;
        task_put_o = put_q;
        task_period_o = period_q;
        task_grid_x_o = queue ? 32'(size_q) : grid_x_q;
        task_grid_y_o = queue ? 16'(per_cta_q) + 16'd1 : grid_y_q;
        task_grid_z_o = queue ? entry_q : grid_z_q;
        task_next_x_o = queue ? {1'b0, get_q} : resume_x_q;
        task_next_y_o = queue ? 16'd0 : resume_y_q;
        task_next_z_o = queue ? 16'd0 : resume_z_q;
        task_threads_o = product_q[15:0];
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
        task_frees_tmd_o = {frees_tmd_q[54:31], frees_tmd_q[23:0]};
    end

`ifndef SYNTHESIS
    initial if (CONST_BANKS > 8 || WARPS * THREADS > 65535) $error("tmd_check: CONST_BANKS at most 8, threads of an SM at most 65535");
    initial if (SMS * WARPS * THREADS > 2048) $error("tmd_check: local_end is too narrow");
    initial if ($clog2(SMS) + $clog2(WARPS) > 6) $error("tmd_check: TANDEM_PARENT is too narrow");
    always_ff @(posedge clk_i) begin
        if (!rst_i && line_valid_i) assert (state_q == LINES);
    end
`endif
endmodule
`default_nettype wire
