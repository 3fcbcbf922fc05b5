// Host registers: the AXI4-Lite slave, the register map of cmodel/host/registers.tbl, the interrupt line, the clock counters.
//
// Protocol: one write and one read at a time. A write takes effect (event REG_WRITE) and a fault that the task unit reported becomes
// visible (event FAULT) only while quiet_i says that the host has no access to memory under way, so that nobody sees an answer to a
// question that has been withdrawn; hold_o asks for that. A fault goes before a write. A read shows the registers of the cycle in which its
// address is taken (event REG_READ), and never shares it with a write. Holes read 0 and ignore writes. A write without all four byte strobes is answered
// with SLVERR and does nothing. After a write that starts an operation on a token deque (deque_valid_o) no access is taken until it is done.
// Latency: read data 2 cycles after the address; a write waits for quiet_i. Throughput: a read every 3 cycles.
// How a read chooses: each word has a register before the choice, which is 0 unless the read wants that word, and the choice is an OR of
// these registers. So wires of the whole machine need not meet in one place of a die. Whole words that only software changes stand in a
// small memory once more, where reads find them.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"
`include "coverage.svh"

module host_registers #(
    parameter int THREADS = 32,
    parameter int LANES = 8,
    parameter int WARPS = 4,
    parameter int SMS = 1,
    parameter int CHANNELS = 4,
    parameter int TASK_SLOTS = 4,
    parameter int PENDING_TASKS = 8,
    parameter int DEQUE_ENTRIES = 16,
    parameter int DEQUE_MOST = 32768,
    parameter int VGPR_ROWS = 1024,
    parameter int CONST_BANKS = 2,
    parameter int NS_PER_CYCLE = 40,
    parameter int INJECT = 0,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                    clk_i,
    input  wire                    rst_i,
    input  wire  [7:0]             inject_i,

    `AXIL_IN(s_axil),
    output logic                   irq_o,

    output logic                   hold_o,
    input  wire                    quiet_i,

    // state of the channels, channel c at c*W +: W
    `GP_RING_OUTS(ring, CHANNELS),
    `SPACE_OUTS(space, CHANNELS),
    output logic [CHANNELS*32-1:0] acquire_retry_o,
    output logic [CHANNELS*32-1:0] acquire_timeout_o,
    output logic [63:0]            cycle_o,           // since reset
    output logic [63:0]            time_o,            // in nanoseconds

    // what the other units of the host change
    `GP_GET_IN(gp_get),
    input  wire                    reference_valid_i,
    input  wire  [CHANNEL_W-1:0]   reference_channel_i,
    input  wire  [31:0]            reference_value_i,
    input  wire                    interrupt_valid_i,
    input  wire  [CHANNEL_W-1:0]   interrupt_channel_i,
    `UNIT_FAULT_IN(host_fault),

    // only shown
    input  wire  [CHANNELS*4-1:0]  status_i,
    input  wire  [CHANNELS*32-1:0] get_i,
    input  wire  [CHANNELS*32-1:0] signature_i,       // of methods
    `BLOCKED_INS(blocked, CHANNELS),

    // task unit
    input  wire  [CHANNELS-1:0]    channel_idle_i,
    input  wire  [CHANNELS*24-1:0] tasks_outstanding_i,
    `FAULT_IN(fault),

    // the token deques of held warps, and what YIELD and the deques are told
    `SETTINGS_OUT(settings),
    input  wire  [15:0]            resident_i,        // warps
    `COUNTS_IN(count),
    `SIGNING_OUT(signing),
    output logic                   task_round_robin_o,
    output logic [7:0]             task_slice_o,
    output logic [CHANNELS-1:0]    task_suspend_o,
    input  wire  [CHANNELS-1:0]    task_settled_i,    // nothing of the channel is in the task table or on its way there
    output logic                   space_moved_o,     // pulse: a SPACE_BASE has been written
    input  wire                    warp_held_i,       // pulse: a warp is held from the next cycle on
    input  wire  [31:0]            deque_held_i,      // DEQUE_HELD
    input  wire                    deque_selected_i,  // the warp of warp_select_o is held
    `DEQUE_OUT(deque),
    output logic [31:12]           deque_base_o,      // DEQUE_MEMORY.BASE

    output logic [15:0]            warp_select_o,
    `WARP_IN(warp),

    `TRACE_REG_WRITE_PORTS,
    `TRACE_REG_READ_PORTS,
    `TRACE_FAULT_PORTS,
    `TRACE_INTERRUPT_PORTS
);
    localparam logic [31:0] CONFIG0 = {8'(SMS), 8'(WARPS), 8'(LANES), 8'(THREADS)};
    localparam logic [3:0] DEQUE_SIZE_MOST = 4'($clog2(DEQUE_MOST) - $clog2(DEQUE_ENTRIES / 2));
    localparam logic [31:0] CONFIG1 = {16'(DEQUE_ENTRIES), 8'(TASK_SLOTS), 8'(CHANNELS)};
    localparam logic [31:0] CONFIG2 = {8'(PENDING_TASKS), 8'(CONST_BANKS), 16'(VGPR_ROWS)};

    // Bits of INTR_STATUS that are ever raised. (INTR_ENABLE reads as it was written.)
    localparam logic [31:0] INTR_BITS = {16'((1 << CHANNELS) - 1), 1'b1, 15'((1 << CHANNELS) - 1)};

    // Deliberate defect 25: NON_STALL_INTERRUPT raises the bit of channel 0.
    wire inject_interrupt = (INJECT != 0) && inject_i == 8'd25;
    wire unused = &{1'b0, inject_i, s_axil_awaddr_i[1:0], s_axil_araddr_i[1:0]};

    logic [31:0] intr_status_q, intr_enable_q;
    logic [63:0] cycles_q, time_q;
    logic [31:0] cycles_hi_q, time_hi_q;
    logic [15:0] warp_select_q;
    logic        deque_serve_q, deque_valid_q, deque_late_q;
    logic [31:0] yield_seed_q;
    logic [1:0]  sv_order_q;
    logic [15:0] resident_peak_q;
    logic [16:0] sv_threshold_q;
    logic        l1_enable_q;
    logic        round_robin_q;
    logic [7:0]  slice_q;
    logic [1:0]  warp_policy_q;
    logic        deque_op_q;
    logic [15:0] deque_places_q;
    logic [31:12] deque_base_q;
    logic [3:0]  deque_size_q;
    wire         deque_busy = deque_valid_q || deque_late_q;
    wire         all_idle = channel_idle_i == '1;

    // ---- when a write and a fault may take effect ----
    logic [CHANNELS-1:0] enable_q, owned_q, suspend_q, faulted_q, fault_pending_q;
    logic                bvalid_q, berror_q, reading_q, rvalid_q;
    logic [31:0]         rdata_q;
    wire                 write_pending = s_axil_awvalid_i && s_axil_wvalid_i && !bvalid_q && !deque_busy;
    wire                 fault_pending = fault_pending_q != '0;
    wire                 fault_take = quiet_i && fault_pending;
    wire                 write_take = quiet_i && write_pending && !fault_pending;
    wire                 write = write_take && s_axil_wstrb_i == 4'hF;
    wire                 read_take = s_axil_arvalid_i && !reading_q && !rvalid_q && !write_take && !deque_busy;
    assign hold_o = write_pending || fault_pending;

    wire [19:0] waddr = {s_axil_awaddr_i[19:2], 2'd0};
    wire [31:0] wdata = s_axil_wdata_i;
    wire [19:0] raddr = {s_axil_araddr_i[19:2], 2'd0};

    assign s_axil_awready_o = write_take;
    assign s_axil_wready_o = write_take;
    assign s_axil_bvalid_o = bvalid_q;
    assign s_axil_bresp_o = {berror_q, 1'b0};
    assign s_axil_arready_o = read_take;
    assign s_axil_rvalid_o = rvalid_q;
    assign s_axil_rdata_o = rdata_q;
    assign s_axil_rresp_o = 2'd0;

    // ---- the faults: the first one of the task unit that waits, then that of the host's own units ----
    logic [CHANNEL_W-1:0] taken_channel;
    always_comb begin
        taken_channel = '0;
        for (int c = CHANNELS - 1; c >= 0; c--) if (fault_pending_q[c]) taken_channel = CHANNEL_W'(c);
    end
    wire                 fault_now = fault_take || host_fault_valid_i;
    wire [CHANNEL_W-1:0] fault_channel = fault_take ? taken_channel : host_fault_channel_i;

    logic [31:0] raised;
    always_comb begin
        raised = 32'd0;
        for (int c = 0; c < CHANNELS; c++) begin
            raised[16 + c] = fault_now && fault_channel == CHANNEL_W'(c);
            raised[c] = interrupt_valid_i && (inject_interrupt ? c == 0 : interrupt_channel_i == CHANNEL_W'(c));
        end
        if (warp_held_i) raised[`REG_INTR_STATUS_WARP_HELD] = 1'b1;
    end

    wire deque_move = waddr == 20'(`REG_DEQUE_MOVE);
    wire deque_asked = deque_move || waddr == 20'(`REG_DEQUE_RESUME);

    // ---- what a read chooses from ----
    localparam int GLOBAL_ROWS = 25, CHANNEL_ROWS = 10, ROWS = GLOBAL_ROWS + CHANNEL_ROWS * CHANNELS;
    localparam int ROW_W = 64;    // a word, whether the read wants it, nothing: in places that a simulator finds whole
    localparam logic [ROW_W-34:0] PAD = '0;
    logic [ROWS*ROW_W-1:0] rows;
    logic [ROWS*32-1:0]  word_q;
    logic [31:0]         few;
    logic [CHANNELS-1:0] rblock;  // the read is in the block of a channel

    // ---- whole words that only software changes, once more for its reads ----
    // The slot of a word is its channel, and bits 4:2 of its offset, which tell six words of a block apart; SCRATCH and INTR_ENABLE have
    // slots that these leave. A word that has not been written since the reset reads as its reset value, whatever the memory holds.
    localparam int SLOTS = 8 * CHANNELS;
    localparam int SLOT_W = $clog2(SLOTS);
    logic [31:0]      kept_q [SLOTS];
    logic [SLOTS-1:0] written_q;
    logic             wkept, rkept;
    wire              wchannels = waddr[19:12] == 8'(`REG_CHANNEL_BASE >> 12) && waddr[11:8] < 4'(CHANNELS);
    wire [SLOT_W-1:0] wslot = wchannels ? SLOT_W'({waddr[8 +: CHANNEL_W], waddr[4:2]}) : SLOT_W'({waddr[3], !waddr[3]});
    wire [SLOT_W-1:0] rslot = rblock != '0 ? SLOT_W'({raddr[8 +: CHANNEL_W], raddr[4:2]}) : SLOT_W'({raddr[3], !raddr[3]});
    always_comb begin
        case (waddr[7:0])
            `CHANNEL_GP_BASE, `CHANNEL_GP_ENTRIES, `CHANNEL_SPACE_BASE, `CHANNEL_SPACE_SIZE, `CHANNEL_ACQUIRE_RETRY, `CHANNEL_ACQUIRE_TIMEOUT:
                wkept = wchannels;
            default: wkept = 1'b0;
        endcase
        case (raddr[7:0])
            `CHANNEL_GP_BASE, `CHANNEL_GP_ENTRIES, `CHANNEL_SPACE_BASE, `CHANNEL_SPACE_SIZE, `CHANNEL_ACQUIRE_RETRY, `CHANNEL_ACQUIRE_TIMEOUT:
                rkept = rblock != '0;
            default: rkept = 1'b0;
        endcase
        if (waddr == 20'(`REG_SCRATCH) || waddr == 20'(`REG_INTR_ENABLE)) wkept = 1'b1;
        if (raddr == 20'(`REG_SCRATCH) || raddr == 20'(`REG_INTR_ENABLE)) rkept = 1'b1;
    end
    // Low bits that read 0.
    wire wspace = wchannels && (waddr[7:0] == `CHANNEL_SPACE_BASE || waddr[7:0] == `CHANNEL_SPACE_SIZE);
    wire wbase = wchannels && waddr[7:0] == `CHANNEL_GP_BASE;
    always_ff @(posedge clk_i) begin
        if (write && wkept) kept_q[wslot] <= {wdata[31:12], wspace ? 9'd0 : wdata[11:3], (wspace || wbase) ? 3'd0 : wdata[2:0]};
    end
    always_ff @(posedge clk_i) begin
        if (rst_i) written_q <= '0;
        else if (write && wkept) written_q[wslot] <= 1'b1;
    end

    // ---- global registers ----
    wire [31:0] intr_clear = (write && waddr == 20'(`REG_INTR_STATUS)) ? wdata : 32'd0;
    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            intr_status_q <= 32'd0;
            intr_enable_q <= 32'd0;
            warp_select_q <= 16'd0;
            deque_serve_q <= 1'b0;
            deque_base_q <= '0;
            deque_size_q <= '0;
            deque_valid_q <= 1'b0;
            deque_late_q <= 1'b0;
            yield_seed_q <= `REG_YIELD_SEED_RESET;
            sv_order_q <= 2'd0;
            resident_peak_q <= 16'd0;
            sv_threshold_q <= 17'(`REG_SV_THRESHOLD_RESET);
            l1_enable_q <= 1'b1;
            round_robin_q <= 1'b0;
            slice_q <= 8'd0;
            warp_policy_q <= 2'd0;
            cycles_q <= 64'd0;
            time_q <= 64'd0;
            cycles_hi_q <= 32'd0;
            time_hi_q <= 32'd0;
            bvalid_q <= 1'b0;
            berror_q <= 1'b0;
            reading_q <= 1'b0;
            rvalid_q <= 1'b0;
        end else begin
            cycles_q <= cycles_q + 64'd1;
            time_q <= time_q + 64'(NS_PER_CYCLE);
            intr_status_q <= ((intr_status_q & ~intr_clear) | raised) & INTR_BITS;
            if (write) begin
                case (waddr)
                    20'(`REG_INTR_ENABLE): intr_enable_q <= wdata & INTR_BITS;
                    20'(`REG_WARP_SELECT): warp_select_q <= wdata[15:0];
                    20'(`REG_DEQUE_CONTROL): if (all_idle) deque_serve_q <= wdata[`REG_DEQUE_CONTROL_SERVE];
                    20'(`REG_DEQUE_MEMORY):
                        if (all_idle && wdata[`REG_DEQUE_MEMORY_SIZE] <= DEQUE_SIZE_MOST) begin
                            deque_base_q <= wdata[`REG_DEQUE_MEMORY_BASE];
                            deque_size_q <= wdata[`REG_DEQUE_MEMORY_SIZE];
                        end
                    20'(`REG_YIELD_SEED): if (all_idle) yield_seed_q <= wdata;
                    20'(`REG_SV_ORDER): if (all_idle) sv_order_q <= wdata[`REG_SV_ORDER_ORDER];
                    20'(`REG_SV_THRESHOLD): if (all_idle) sv_threshold_q <= wdata[16:0];
                    20'(`REG_L1_CONTROL): l1_enable_q <= wdata[`REG_L1_CONTROL_ENABLE];
                    20'(`REG_TASK_SCHEDULE): if (all_idle) {slice_q, round_robin_q} <= {wdata[`REG_TASK_SCHEDULE_SLICE], wdata[`REG_TASK_SCHEDULE_ROUND_ROBIN]};
                    20'(`REG_WARP_POLICY): warp_policy_q <= wdata[`REG_WARP_POLICY_POLICY];
                    default: ;
                endcase
            end
            if (resident_i > resident_peak_q || (write && waddr == 20'(`REG_WARPS_RESIDENT))) resident_peak_q <= resident_i;
            deque_late_q <= deque_valid_q;
            if (deque_ready_i) deque_valid_q <= 1'b0;
            if (write && deque_asked && deque_selected_i) deque_valid_q <= 1'b1;
            if (read_take && raddr == 20'(`REG_CYCLES_LO)) cycles_hi_q <= cycles_q[63:32];
            if (read_take && raddr == 20'(`REG_TIME_LO)) time_hi_q <= time_q[63:32];
            if (write_take) begin
                bvalid_q <= 1'b1;
                berror_q <= !write;
            end else if (s_axil_bready_i) bvalid_q <= 1'b0;
            reading_q <= read_take;
            if (reading_q) rvalid_q <= 1'b1;
            else if (s_axil_rready_i) rvalid_q <= 1'b0;
        end
    end

    // ---- operations on a token deque ----
    always_ff @(posedge clk_i) begin
        if (write) begin
            deque_op_q <= deque_move ? `DEQUE_MOVE : `DEQUE_RESUME;
            deque_places_q <= wdata[15:0];
        end
    end
    // Signatures: the units themselves keep what counts.
    assign signing_write_o = write && all_idle && {waddr[19:5], 5'd0} == 20'(`REG_SIGNATURE);
    assign signing_place_o = waddr[4:2];
    assign signing_data_o = wdata;

    assign settings_deque_serve_o = deque_serve_q;
    assign settings_deque_size_o = deque_size_q;
    assign deque_base_o = deque_base_q;
    assign settings_yield_seed_o = yield_seed_q;
    assign settings_sv_order_o = sv_order_q;
    assign settings_sv_threshold_o = sv_threshold_q;
    assign settings_l1_enable_o = l1_enable_q;
    assign task_round_robin_o = round_robin_q;
    assign task_slice_o = slice_q;
    assign task_suspend_o = suspend_q;
    assign settings_policy_o = warp_policy_q;
    assign deque_valid_o = deque_valid_q;
    assign deque_op_o = deque_op_q;
    assign deque_places_o = deque_places_q;

    assign irq_o = (intr_status_q & intr_enable_q) != 32'd0;
    assign cycle_o = cycles_q;
    assign time_o = time_q;
    assign warp_select_o = warp_select_q;

    // ---- the next GP_PUT of the channel that gets one: at most one in a cycle ----
    // Of a channel of the PPU's own one behind GP_GET: the entry just passed is handed over again. CONTROL.RESET makes GP_GET 0.
    wire [CHANNEL_W-1:0] put_channel = gp_get_valid_i ? gp_get_channel_i : waddr[8 +: CHANNEL_W];  // of a write to its block
    wire [15:0]          put_get = ring_get_o[put_channel*16 +: 16];
    wire                 put_last = put_get == 16'd0 || ring_reset_o != '0;
    wire [31:0]          put_behind = (put_last ? ring_entries_o[put_channel*32 +: 32] : {16'd0, put_get}) - 32'd1;
    wire [31:0]          next_put = gp_get_valid_i ? {16'd0, put_get} : waddr[16] ? wdata : wdata[`CHANNEL_CONTROL_PPU_OWNED] ? put_behind : 32'd0;

    // ---- one block of registers for each channel, and its USERD ----
    logic [CHANNELS*8-1:0]  pending_code;
    logic [CHANNELS*32-1:0] pending_info, pending_pc;
    logic [CHANNELS-1:0]    space_moves;
    logic [CHANNELS*8-1:0]  channel_few;  // what a read at raddr finds in the channel, of registers with few bits; 0 when it means another place
    for (genvar g = 0; g < CHANNELS; g++) begin : g_channel
        localparam logic [19:0] BLOCK = `REG_CHANNEL_BASE + 20'(g) * `REG_CHANNEL_STRIDE;
        localparam logic [19:0] USERD = `REG_USERD_BASE + 20'(g) * `REG_USERD_STRIDE;

        logic [1:0]  priority_q;
        logic [31:0] gp_base_q, gp_entries_q, gp_put_q, space_base_q, space_size_q, acquire_retry_q, acquire_timeout_q, reference_q;
        logic [15:0] gp_get_q;
        logic [7:0]  fault_code_q;
        logic [31:0] fault_info_q, fault_pc_q;

        // Blocks lie at multiples of their size.
        wire [7:0]  woffset = waddr[7:0];
        wire        wblock = write && waddr[19:8] == BLOCK[19:8];
        wire        accepted = wblock && woffset == `CHANNEL_CONTROL && wdata[`CHANNEL_CONTROL_RESET] && channel_idle_i[g];
        wire        puts = (gp_get_valid_i && gp_get_channel_i == CHANNEL_W'(g) && owned_q[g]) ||
                           (write && waddr == USERD + 20'(`USERD_GP_PUT) && !owned_q[g]) || accepted ||
                           (wblock && woffset == `CHANNEL_CONTROL && wdata[`CHANNEL_CONTROL_PPU_OWNED]);
        // A space that moves: cached instructions are those of another.
        assign space_moves[g] = wblock && woffset == `CHANNEL_SPACE_BASE;
        // Software stops the channel: comes in place of a fault of the task unit that has not been taken, as in the model.
        wire        stopped = wblock && woffset == `CHANNEL_CONTROL && wdata[`CHANNEL_CONTROL_STOP] && !wdata[`CHANNEL_CONTROL_RESET] && !faulted_q[g];
        // The task unit's faults; one more of a channel that has stopped, or is about to, is not kept.
        wire        reported = fault_valid_i && fault_channel_i == CHANNEL_W'(g) && !fault_pending_q[g] && !faulted_q[g];
        wire        own = host_fault_valid_i && host_fault_channel_i == CHANNEL_W'(g);
        wire        stops = fault_now && fault_channel == CHANNEL_W'(g);

        always_ff @(posedge clk_i) begin
            if (rst_i) begin
                enable_q[g] <= 1'b0;
                owned_q[g] <= 1'b0;
                suspend_q[g] <= 1'b0;
                priority_q <= 2'd0;
                gp_base_q <= 32'd0;
                gp_entries_q <= 32'd0;
                gp_put_q <= 32'd0;
                gp_get_q <= 16'd0;
                space_base_q <= 32'd0;
                space_size_q <= 32'd0;
                acquire_retry_q <= `CHANNEL_ACQUIRE_RETRY_RESET;
                acquire_timeout_q <= 32'd0;
                reference_q <= 32'd0;
            end else begin
                if (gp_get_valid_i && gp_get_channel_i == CHANNEL_W'(g)) begin
                    gp_get_q <= gp_get_value_i;
                end
                if (reference_valid_i && reference_channel_i == CHANNEL_W'(g)) reference_q <= reference_value_i;
                if (wblock) begin
                    case (woffset)
                        `CHANNEL_CONTROL: begin
                            enable_q[g] <= wdata[`CHANNEL_CONTROL_ENABLE];
                            owned_q[g] <= wdata[`CHANNEL_CONTROL_PPU_OWNED];
                            suspend_q[g] <= wdata[`CHANNEL_CONTROL_SUSPEND];
                        end
                        `CHANNEL_PRIORITY: priority_q <= wdata[1:0];
                        `CHANNEL_GP_BASE: gp_base_q <= {wdata[31:3], 3'd0};
                        `CHANNEL_GP_ENTRIES: gp_entries_q <= wdata;
                        `CHANNEL_SPACE_BASE: space_base_q <= {wdata[31:12], 12'd0};
                        `CHANNEL_SPACE_SIZE: space_size_q <= {wdata[31:12], 12'd0};
                        `CHANNEL_ACQUIRE_RETRY: acquire_retry_q <= wdata;
                        `CHANNEL_ACQUIRE_TIMEOUT: acquire_timeout_q <= wdata;
                        default: ;
                    endcase
                end
                if (accepted) gp_get_q <= 16'd0;
                if (puts) gp_put_q <= next_put;
            end
        end

        always_ff @(posedge clk_i) begin
            if (rst_i) begin
                faulted_q[g] <= 1'b0;
                fault_pending_q[g] <= 1'b0;
            end else begin
                if (stops) begin
                    faulted_q[g] <= 1'b1;
                    fault_pending_q[g] <= 1'b0;
                end else if (reported || stopped) begin
                    fault_pending_q[g] <= 1'b1;
                end else if (accepted) begin
                    faulted_q[g] <= 1'b0;
                end
                if (own) begin
                    fault_code_q <= host_fault_code_i;
                    fault_info_q <= host_fault_info_i;
                    fault_pc_q <= 32'd0;
                end else if (stopped) begin
                    fault_code_q <= `FAULT_STOPPED;
                    fault_info_q <= 32'd0;
                    fault_pc_q <= 32'd0;
                end else if (reported) begin
                    fault_code_q <= fault_code_i;
                    fault_info_q <= fault_info_i;
                    fault_pc_q <= fault_pc_i;
                end
            end
        end

        assign ring_reset_o[g] = accepted;
        assign ring_priority_o[g*2 +: 2] = priority_q;
        assign ring_base_o[g*32 +: 32] = gp_base_q;
        assign ring_entries_o[g*32 +: 32] = gp_entries_q;
        assign ring_put_o[g*32 +: 32] = gp_put_q;
        assign ring_get_o[g*16 +: 16] = gp_get_q;
        assign space_base_o[g*32 +: 32] = space_base_q;
        assign space_size_o[g*32 +: 32] = space_size_q;
        assign acquire_retry_o[g*32 +: 32] = acquire_retry_q;
        assign acquire_timeout_o[g*32 +: 32] = acquire_timeout_q;
        assign pending_code[g*8 +: 8] = fault_code_q;
        assign pending_info[g*32 +: 32] = fault_info_q;
        assign pending_pc[g*32 +: 32] = fault_pc_q;

        // ---- reads ----
        wire [3:0]  status = faulted_q[g] ? `CHANNEL_STATUS_STATE_FAULTED : status_i[g*4 +: 4];
        wire        ruserd = raddr[19:9] == USERD[19:9];
        wire        rfault = rblock[g] && faulted_q[g];
        assign rblock[g] = raddr[19:8] == BLOCK[19:8];
        assign rows[(GLOBAL_ROWS + g*CHANNEL_ROWS)*ROW_W +: CHANNEL_ROWS*ROW_W] = {
            {PAD, rblock[g] && raddr[7:0] == `CHANNEL_STATUS, tasks_outstanding_i[g*24 +: 24], 3'd0, suspend_q[g] && task_settled_i[g], status},
            {PAD, rfault && raddr[7:0] == `CHANNEL_FAULT_INFO, fault_info_q},
            {PAD, rfault && raddr[7:0] == `CHANNEL_FAULT_PC, fault_pc_q},
            {PAD, rblock[g] && raddr[7:0] == `CHANNEL_BLOCKED_ADDR, blocked_addr_i[g*32 +: 32]},
            {PAD, rblock[g] && raddr[7:0] == `CHANNEL_BLOCKED_PAYLOAD, blocked_payload_i[g*32 +: 32]},
            {PAD, rblock[g] && raddr[7:0] == `CHANNEL_SIGNATURE, signature_i[g*32 +: 32]},
            {PAD, ruserd && (raddr[8:0] == `USERD_PUT || raddr[8:0] == `USERD_GET), get_i[g*32 +: 32]},
            {PAD, ruserd && raddr[8:0] == `USERD_REFERENCE, reference_q},
            {PAD, ruserd && raddr[8:0] == `USERD_GP_GET, 16'd0, gp_get_q},
            {PAD, ruserd && raddr[8:0] == `USERD_GP_PUT, gp_put_q}};
        assign channel_few[g*8 +: 8] = (rblock[g] && raddr[7:0] == `CHANNEL_CONTROL) ? {3'd0, suspend_q[g], 1'b0, owned_q[g], 1'b0, enable_q[g]}
                                       : (rblock[g] && raddr[7:0] == `CHANNEL_PRIORITY) ? {6'd0, priority_q}
                                       : (rfault && raddr[7:0] == `CHANNEL_FAULT_CODE) ? fault_code_q : 8'd0;
    end
    assign ring_enable_o = enable_q;
    always_ff @(posedge clk_i) space_moved_o <= !rst_i && space_moves != '0;  // with the new base
    assign ring_faulted_o = faulted_q;

    // ---- reads ----
    wire rglobal = raddr[19:9] == 11'd0;
    wire rsm = rglobal && warp_select_q[15:8] < 8'(SMS);  // the SM in WARP_SELECT, when there is such an SM
    assign rows[GLOBAL_ROWS*ROW_W-1:0] = {
        {PAD, rglobal && raddr[8:0] == 9'(`REG_INTR_STATUS), intr_status_q},
        {PAD, rglobal && raddr[8:0] == 9'(`REG_CYCLES_LO), cycles_q[31:0]},
        {PAD, rglobal && raddr[8:0] == 9'(`REG_CYCLES_HI), cycles_hi_q},
        {PAD, rglobal && raddr[8:0] == 9'(`REG_TIME_LO), time_q[31:0]},
        {PAD, rglobal && raddr[8:0] == 9'(`REG_TIME_HI), time_hi_q},
        {PAD, rglobal && raddr[8:0] == 9'(`REG_DEQUE_HELD), deque_held_i},
        {PAD, rglobal && raddr[8:0] == 9'(`REG_WARPS_RESIDENT), resident_peak_q, resident_i},
        {PAD, rkept && written_q[rslot], kept_q[rslot]},
        {PAD, rsm && raddr[8:0] == 9'(`REG_WARP_PC), warp_pc_i},
        {PAD, rsm && raddr[8:0] == 9'(`REG_WARP_MASK_LO), warp_mask_i[31:0]},
        {PAD, rsm && raddr[8:0] == 9'(`REG_WARP_MASK_HI), warp_mask_i[63:32]},
        {PAD, rsm && raddr[8:0] == 9'(`REG_WARP_STATE), 16'd0, warp_state_i},
        {PAD, rsm && raddr[8:0] == 9'(`REG_DEQUE_ENDS) && deque_selected_i, deque_ends_i},
        {PAD, rsm && raddr[8:0] == 9'(`REG_DEQUE_KEPT) && deque_selected_i, deque_kept_i},
        {PAD, rsm && raddr[8:0] == 9'(`REG_L1_HITS), count_l1_hits_i},
        {PAD, rsm && raddr[8:0] == 9'(`REG_L1_MISSES), count_l1_misses_i},
        {PAD, rsm && raddr[8:0] == 9'(`REG_SHARED_PASSES), count_shared_passes_i},
        {PAD, rsm && raddr[8:0] == 9'(`REG_SHARED_CONFLICTS), count_shared_conflicts_i},
        {PAD, rsm && raddr[8:0] == 9'(`REG_ISSUED), count_issued_i},
        {PAD, rsm && raddr[8:0] == 9'(`REG_IDLE_MEMORY), count_idle_memory_i},
        {PAD, rsm && raddr[8:0] == 9'(`REG_IDLE_SCORE), count_idle_score_i},
        {PAD, rsm && raddr[8:0] == 9'(`REG_IDLE_NONE), count_idle_none_i},
        {PAD, rsm && raddr[8:0] == 9'(`REG_SIGNATURE), count_signature_i},
        {PAD, rsm && raddr[8:0] == 9'(`REG_SIGNATURE_LIMIT), count_signature_limit_i},
        {PAD, 1'b1, few}};
    // Constants, and registers with few bits.
    always_comb begin
        few = 32'd0;
        if (rglobal) begin
            case (raddr[8:0])
                9'(`REG_MAGIC): few = `REG_MAGIC_RESET;
                9'(`REG_ABI_VERSION): few = `REG_ABI_VERSION_RESET;
                9'(`REG_CONFIG0): few = CONFIG0;
                9'(`REG_CONFIG1): few = CONFIG1;
                9'(`REG_CONFIG2): few = CONFIG2;
                9'(`REG_WARP_SELECT): few = {16'd0, warp_select_q};
                9'(`REG_DEQUE_CONTROL): few = {31'd0, deque_serve_q};
                9'(`REG_DEQUE_MEMORY): few = {deque_base_q, 8'd0, deque_size_q};
                9'(`REG_YIELD_SEED): few = yield_seed_q;
                9'(`REG_SV_ORDER): few = {30'd0, sv_order_q};
                9'(`REG_SV_THRESHOLD): few = {15'd0, sv_threshold_q};
                9'(`REG_L1_CONTROL): few = {31'd0, l1_enable_q};
                9'(`REG_TASK_SCHEDULE): few = {16'd0, slice_q, 7'd0, round_robin_q};
                9'(`REG_WARP_POLICY): few = {30'd0, warp_policy_q};
                default: ;
            endcase
        end
        if (rblock != '0 && raddr[7:0] == `CHANNEL_ACQUIRE_RETRY && !written_q[rslot]) few = `CHANNEL_ACQUIRE_RETRY_RESET;
        for (int c = 0; c < CHANNELS; c++) few[7:0] = few[7:0] | channel_few[c*8 +: 8];
    end
    for (genvar i = 0; i < ROWS; i++) begin : g_row
        always_ff @(posedge clk_i) if (read_take) word_q[i*32 +: 32] <= rows[i*ROW_W + 32] ? rows[i*ROW_W +: 32] : 32'd0;
    end
    logic [31:0] read_data, told_data;
    always_comb begin
        read_data = 32'd0;
        told_data = 32'd0;  // the same a cycle earlier, for the event
        if (reading_q) for (int i = 0; i < ROWS; i++) read_data = read_data | word_q[i*32 +: 32];
        if (read_take) for (int i = 0; i < ROWS; i++) if (rows[i*ROW_W + 32]) told_data = told_data | rows[i*ROW_W +: 32];
    end
    always_ff @(posedge clk_i) if (reading_q) rdata_q <= read_data;

    // ---- trace ----
    assign trace_reg_write_valid_o = write;
    assign trace_reg_write_addr_o = waddr;
    assign trace_reg_write_data_o = wdata;
    assign trace_reg_read_valid_o = read_take;
    assign trace_reg_read_addr_o = raddr;
    assign trace_reg_read_data_o = told_data;
    assign trace_fault_valid_o = fault_now;
    assign trace_fault_channel_o = 8'(fault_channel);
    assign trace_fault_code_o = fault_take ? pending_code[taken_channel*8 +: 8] : host_fault_code_i;
    assign trace_fault_info_o = fault_take ? pending_info[taken_channel*32 +: 32] : host_fault_info_i;
    assign trace_fault_pc_o = fault_take ? pending_pc[taken_channel*32 +: 32] : 32'd0;
    assign trace_interrupt_valid_o = raised != 32'd0;
    assign trace_interrupt_bits_o = raised;

`ifndef SYNTHESIS
    initial if (`REG_CHANNEL_STRIDE != 20'h100 || `REG_CHANNEL_BASE % 256 != 0) $error("host_registers: the block of a channel is 256 bytes");
    initial if (32'(`REG_CHANNEL_BASE) + 256 * CHANNELS > 65536 || `REG_USERD_BASE != 20'h10000) $error("host_registers: bit 16 is that of USERD");
    always_ff @(posedge clk_i) begin
        if (!rst_i) begin
            assert (!(fault_take && host_fault_valid_i));     // quiet: the host's own units find nothing in this cycle
            assert (!(write_take && gp_get_valid_i));
            assert ((faulted_q & fault_pending_q) == '0);
            // Never empty: its threads' entries go on behind GP_GET. (Only software that makes the ring one entry short while it is at work gets there.)
            if (gp_get_valid_i && owned_q[gp_get_channel_i] && ring_entries_o[gp_get_channel_i*32 +: 32] != 32'd1)
                assert (gp_get_value_i != ring_get_o[gp_get_channel_i*16 +: 16]);
        end
    end
    always_ff @(posedge clk_i) if (!rst_i) begin
        `COVER(fault_gpfifo, fault_now && trace_fault_code_o == `FAULT_GPFIFO)
        `COVER(fault_gpptr, fault_now && trace_fault_code_o == `FAULT_GPPTR)
        `COVER(fault_gpentry, fault_now && trace_fault_code_o == `FAULT_GPENTRY)
        `COVER(fault_pbentry, fault_now && trace_fault_code_o == `FAULT_PBENTRY)
        `COVER(fault_method, fault_now && trace_fault_code_o == `FAULT_METHOD)
        `COVER(fault_semaphore, fault_now && trace_fault_code_o == `FAULT_SEMAPHORE)
        `COVER(fault_acquire, fault_now && trace_fault_code_o == `FAULT_ACQUIRE)
        `COVER(fault_device, fault_now && trace_fault_code_o == `FAULT_DEVICE)
        `COVER(fault_pbfetch, fault_now && trace_fault_code_o == `FAULT_PBFETCH)
        `COVER(fault_semaphore_address, fault_now && trace_fault_code_o == `FAULT_SEMAPHORE_ADDRESS)
        `COVER(fault_stopped, fault_now && trace_fault_code_o == `FAULT_STOPPED)
        `COVER(fault_tmd_fetch, fault_now && trace_fault_code_o == `FAULT_TMD_FETCH)
        `COVER(fault_tmd_version, fault_now && trace_fault_code_o == `FAULT_TMD_VERSION)
        `COVER(fault_tmd_register_count, fault_now && trace_fault_code_o == `FAULT_TMD_REGISTER_COUNT)
        `COVER(fault_tmd_total_threads, fault_now && trace_fault_code_o == `FAULT_TMD_TOTAL_THREADS)
        `COVER(fault_tmd_program_offset, fault_now && trace_fault_code_o == `FAULT_TMD_PROGRAM_OFFSET)
        `COVER(fault_tmd_shared_memory_size, fault_now && trace_fault_code_o == `FAULT_TMD_SHARED_MEMORY_SIZE)
        `COVER(fault_tmd_cta_thread_dimension_zero, fault_now && trace_fault_code_o == `FAULT_TMD_CTA_THREAD_DIMENSION_ZERO)
        `COVER(fault_tmd_constant_buffer, fault_now && trace_fault_code_o == `FAULT_TMD_CONSTANT_BUFFER)
        `COVER(fault_tmd_kind, fault_now && trace_fault_code_o == `FAULT_TMD_KIND)
        `COVER(fault_tmd_resume, fault_now && trace_fault_code_o == `FAULT_TMD_RESUME)
        `COVER(fault_tmd_active, fault_now && trace_fault_code_o == `FAULT_TMD_ACTIVE)
        `COVER(fault_tmd_local_memory, fault_now && trace_fault_code_o == `FAULT_TMD_LOCAL_MEMORY)
        `COVER(fault_tmd_link, fault_now && trace_fault_code_o == `FAULT_TMD_LINK)
        `COVER(fault_child_deadlock, fault_now && trace_fault_code_o == `FAULT_CHILD_DEADLOCK)
        `COVER(fault_tmd_circular_queue_size, fault_now && trace_fault_code_o == `FAULT_TMD_CIRCULAR_QUEUE_SIZE)
        `COVER(fault_tmd_circular_queue_addr, fault_now && trace_fault_code_o == `FAULT_TMD_CIRCULAR_QUEUE_ADDR)
        `COVER(fault_illegal_instruction, fault_now && trace_fault_code_o == `FAULT_ILLEGAL_INSTRUCTION)
        `COVER(fault_program_bounds, fault_now && trace_fault_code_o == `FAULT_PROGRAM_BOUNDS)
        `COVER(fault_memory_bounds, fault_now && trace_fault_code_o == `FAULT_MEMORY_BOUNDS)
        `COVER(fault_memory_alignment, fault_now && trace_fault_code_o == `FAULT_MEMORY_ALIGNMENT)
        `COVER(fault_constant_bounds, fault_now && trace_fault_code_o == `FAULT_CONSTANT_BOUNDS)
        `COVER(fault_register_bounds, fault_now && trace_fault_code_o == `FAULT_REGISTER_BOUNDS)
        `COVER(fault_barrier_diverged, fault_now && trace_fault_code_o == `FAULT_BARRIER_DIVERGED)
        `COVER(fault_deque_full, fault_now && trace_fault_code_o == `FAULT_DEQUE_FULL)
        `COVER(fault_shared_bounds, fault_now && trace_fault_code_o == `FAULT_SHARED_BOUNDS)
        `COVER(fault_local_bounds, fault_now && trace_fault_code_o == `FAULT_LOCAL_BOUNDS)
        `COVER(fault_tmd_get_put_too_large, fault_now && trace_fault_code_o == `FAULT_TMD_GET_PUT_TOO_LARGE)
        `COVER(fault_tmd_dependent_qmd, fault_now && trace_fault_code_o == `FAULT_TMD_DEPENDENT_QMD)
        `COVER(fault_tmd_dependence_counter, fault_now && trace_fault_code_o == `FAULT_TMD_DEPENDENCE_COUNTER)
        `COVER(fault_bus_error, fault_now && trace_fault_code_o == `FAULT_BUS_ERROR)
        `COVER(fault_of_two_channels, (fault_pending_q & (fault_pending_q - CHANNELS'(1))) != '0)
        `COVER(write_waits_for_fault, write_pending && fault_pending)
        `COVER(read_waits, s_axil_rvalid_o && !s_axil_rready_i)
    end
`endif
endmodule
`default_nettype wire
