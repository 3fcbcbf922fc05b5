// Host registers: the AXI4-Lite slave, the register map of cmodel/host/registers.tbl, the interrupt line, the clock counters.
//
// Protocol: one write and one read at a time. A write takes effect (event REG_WRITE) and a fault that the task unit reported becomes
// visible (event FAULT) only while quiet_i says that the host has no access to memory under way, so that nobody sees an answer to a
// question that has been withdrawn; hold_o asks for that. A fault goes before a write. A read shows the registers of its cycle (event
// REG_READ) and never shares the cycle of a write. Holes read 0 and ignore writes. A write without all four byte strobes is answered
// with SLVERR and does nothing. After a write that starts an operation on a token deque (deque_valid_o) no access is taken until it is done.
// Latency: read data 1 cycle after the address; a write waits for quiet_i. Throughput: a read every 2 cycles.
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
    parameter int DEQUE_ENTRIES = 256,
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
    output logic [63:0]            time_o,            // nanoseconds since reset

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
    output logic                   space_moved_o,     // pulse: a SPACE_BASE has been written
    input  wire                    warp_held_i,       // pulse: a warp is held from the next cycle on
    input  wire  [31:0]            deque_held_i,      // DEQUE_HELD
    input  wire                    deque_selected_i,  // the warp of warp_select_o is held
    `DEQUE_OUT(deque),

    output logic [15:0]            warp_select_o,
    `WARP_IN(warp),

    `TRACE_REG_WRITE_PORTS,
    `TRACE_REG_READ_PORTS,
    `TRACE_FAULT_PORTS,
    `TRACE_INTERRUPT_PORTS
);
    localparam logic [31:0] CONFIG0 = {8'(SMS), 8'(WARPS), 8'(LANES), 8'(THREADS)};
    localparam logic [31:0] CONFIG1 = {16'(DEQUE_ENTRIES), 8'(TASK_SLOTS), 8'(CHANNELS)};
    localparam logic [31:0] CONFIG2 = {8'(PENDING_TASKS), 8'(CONST_BANKS), 16'(VGPR_ROWS)};

    // Deliberate defect 25: NON_STALL_INTERRUPT raises the bit of channel 0.
    wire inject_interrupt = (INJECT != 0) && inject_i == 8'd25;
    wire unused = &{1'b0, inject_i, s_axil_awaddr_i[1:0], s_axil_araddr_i[1:0]};

    logic [31:0] scratch_q, intr_status_q, intr_enable_q;
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
    logic [1:0]  warp_policy_q;
    logic [1:0]  deque_op_q;
    logic [15:0] deque_entry_q;
    wire         deque_busy = deque_valid_q || deque_late_q;
    wire         all_idle = channel_idle_i == '1;

    // ---- when a write and a fault may take effect ----
    logic [CHANNELS-1:0] enable_q, owned_q, faulted_q, fault_pending_q;
    logic                bvalid_q, berror_q, rvalid_q;
    logic [31:0]         rdata_q;
    wire                 write_pending = s_axil_awvalid_i && s_axil_wvalid_i && !bvalid_q && !deque_busy;
    wire                 fault_pending = fault_pending_q != '0;
    wire                 fault_take = quiet_i && fault_pending;
    wire                 write_take = quiet_i && write_pending && !fault_pending;
    wire                 write = write_take && s_axil_wstrb_i == 4'hF;
    wire                 read_take = s_axil_arvalid_i && !rvalid_q && !write_take && !deque_busy;
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

    wire deque_load = waddr == 20'(`REG_DEQUE_LOAD);
    wire deque_store = waddr == 20'(`REG_DEQUE_STORE);
    wire deque_move = waddr == 20'(`REG_DEQUE_ENDS);
    wire deque_asked = deque_load || deque_store || deque_move || waddr == 20'(`REG_DEQUE_RESUME);

    // ---- global registers ----
    logic [31:0] read_data;
    wire [31:0] intr_clear = (write && waddr == 20'(`REG_INTR_STATUS)) ? wdata : 32'd0;
    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            scratch_q <= 32'd0;
            intr_status_q <= 32'd0;
            intr_enable_q <= 32'd0;
            warp_select_q <= 16'd0;
            deque_serve_q <= 1'b0;
            deque_valid_q <= 1'b0;
            deque_late_q <= 1'b0;
            yield_seed_q <= `REG_YIELD_SEED_RESET;
            sv_order_q <= 2'd0;
            resident_peak_q <= 16'd0;
            sv_threshold_q <= 17'(`REG_SV_THRESHOLD_RESET);
            l1_enable_q <= 1'b1;
            round_robin_q <= 1'b0;
            warp_policy_q <= 2'd0;
            cycles_q <= 64'd0;
            time_q <= 64'd0;
            cycles_hi_q <= 32'd0;
            time_hi_q <= 32'd0;
            bvalid_q <= 1'b0;
            berror_q <= 1'b0;
            rvalid_q <= 1'b0;
        end else begin
            cycles_q <= cycles_q + 64'd1;
            time_q <= time_q + 64'(NS_PER_CYCLE);
            intr_status_q <= (intr_status_q & ~intr_clear) | raised;
            if (write) begin
                case (waddr)
                    20'(`REG_SCRATCH): scratch_q <= wdata;
                    20'(`REG_INTR_ENABLE): intr_enable_q <= wdata;
                    20'(`REG_WARP_SELECT): warp_select_q <= wdata[15:0];
                    20'(`REG_DEQUE_CONTROL): if (all_idle) deque_serve_q <= wdata[`REG_DEQUE_CONTROL_SERVE];
                    20'(`REG_YIELD_SEED): if (all_idle) yield_seed_q <= wdata;
                    20'(`REG_SV_ORDER): if (all_idle) sv_order_q <= wdata[`REG_SV_ORDER_ORDER];
                    20'(`REG_SV_THRESHOLD): if (all_idle) sv_threshold_q <= wdata[16:0];
                    20'(`REG_L1_CONTROL): l1_enable_q <= wdata[`REG_L1_CONTROL_ENABLE];
                    20'(`REG_TASK_SCHEDULE): if (all_idle) round_robin_q <= wdata[`REG_TASK_SCHEDULE_ROUND_ROBIN];
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
            if (read_take) rvalid_q <= 1'b1;
            else if (s_axil_rready_i) rvalid_q <= 1'b0;
        end
    end
    always_ff @(posedge clk_i) if (read_take) rdata_q <= read_data;

    // ---- operations on a token deque ----
    always_ff @(posedge clk_i) begin
        if (write) begin
            deque_op_q <= deque_load ? `DEQUE_LOAD : deque_store ? `DEQUE_STORE : deque_move ? `DEQUE_MOVE : `DEQUE_RESUME;
            deque_entry_q <= wdata[15:0];
        end
    end
    // Signatures: the units themselves keep what counts.
    assign signing_write_o = write && all_idle && {waddr[19:5], 5'd0} == 20'(`REG_SIGNATURE);
    assign signing_place_o = waddr[4:2];
    assign signing_data_o = wdata;

    assign settings_deque_serve_o = deque_serve_q;
    assign settings_yield_seed_o = yield_seed_q;
    assign settings_sv_order_o = sv_order_q;
    assign settings_sv_threshold_o = sv_threshold_q;
    assign settings_l1_enable_o = l1_enable_q;
    assign task_round_robin_o = round_robin_q;
    assign settings_policy_o = warp_policy_q;
    assign deque_valid_o = deque_valid_q;
    assign deque_op_o = deque_op_q;
    assign deque_entry_o = deque_entry_q;

    assign irq_o = (intr_status_q & intr_enable_q) != 32'd0;
    assign time_o = time_q;
    assign warp_select_o = warp_select_q;

    // ---- one block of registers for each channel, and its USERD ----
    logic [CHANNELS*8-1:0]  pending_code;
    logic [CHANNELS*32-1:0] pending_info, pending_pc;
    logic [CHANNELS-1:0]    space_moves;
    logic [CHANNELS*32-1:0] channel_read;  // what a read at raddr finds in the channel, 0 when it means another place
    for (genvar g = 0; g < CHANNELS; g++) begin : g_channel
        localparam logic [19:0] BLOCK = `REG_CHANNEL_BASE + 20'(g) * `REG_CHANNEL_STRIDE;
        localparam logic [19:0] USERD = `REG_USERD_BASE + 20'(g) * `REG_USERD_STRIDE;

        logic [1:0]  priority_q;
        logic [31:0] gp_base_q, gp_entries_q, gp_put_q, space_base_q, space_size_q, acquire_retry_q, acquire_timeout_q, reference_q;
        logic [15:0] gp_get_q;
        logic [7:0]  fault_code_q;
        logic [31:0] fault_info_q, fault_pc_q;

        // Blocks lie at multiples of their size.
        wire [19:0] woffset = {12'd0, waddr[7:0]};
        wire        wblock = write && waddr[19:8] == BLOCK[19:8];
        wire        accepted = wblock && woffset == 20'(`CHANNEL_CONTROL) && wdata[`CHANNEL_CONTROL_RESET] && channel_idle_i[g];
        // A space that moves: cached instructions are those of another.
        assign space_moves[g] = wblock && woffset == 20'(`CHANNEL_SPACE_BASE);
        // Software stops the channel: comes in place of a fault of the task unit that has not been taken, as in the model.
        wire        stopped = wblock && woffset == 20'(`CHANNEL_CONTROL) && wdata[`CHANNEL_CONTROL_STOP] && !wdata[`CHANNEL_CONTROL_RESET] && !faulted_q[g];
        // The task unit's faults; one more of a channel that has stopped, or is about to, is not kept.
        wire        reported = fault_valid_i && fault_channel_i == CHANNEL_W'(g) && !fault_pending_q[g] && !faulted_q[g];
        wire        own = host_fault_valid_i && host_fault_channel_i == CHANNEL_W'(g);
        wire        stops = fault_now && fault_channel == CHANNEL_W'(g);

        always_ff @(posedge clk_i) begin
            if (rst_i) begin
                enable_q[g] <= 1'b0;
                owned_q[g] <= 1'b0;
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
                    if (owned_q[g]) gp_put_q <= {16'd0, gp_get_q};  // the entry just passed is handed over again
                end
                if (reference_valid_i && reference_channel_i == CHANNEL_W'(g)) reference_q <= reference_value_i;
                if (wblock) begin
                    case (woffset)
                        20'(`CHANNEL_CONTROL): begin
                            enable_q[g] <= wdata[`CHANNEL_CONTROL_ENABLE];
                            owned_q[g] <= wdata[`CHANNEL_CONTROL_PPU_OWNED];
                        end
                        20'(`CHANNEL_PRIORITY): priority_q <= wdata[1:0];
                        20'(`CHANNEL_GP_BASE): gp_base_q <= {wdata[31:3], 3'd0};
                        20'(`CHANNEL_GP_ENTRIES): gp_entries_q <= wdata;
                        20'(`CHANNEL_SPACE_BASE): space_base_q <= {wdata[31:12], 12'd0};
                        20'(`CHANNEL_SPACE_SIZE): space_size_q <= {wdata[31:12], 12'd0};
                        20'(`CHANNEL_ACQUIRE_RETRY): acquire_retry_q <= wdata;
                        20'(`CHANNEL_ACQUIRE_TIMEOUT): acquire_timeout_q <= wdata;
                        default: ;
                    endcase
                end
                if (write && waddr == USERD + 20'(`USERD_GP_PUT) && !owned_q[g]) gp_put_q <= wdata;
                if (accepted) begin
                    gp_get_q <= 16'd0;
                    gp_put_q <= 32'd0;
                end
                if (wblock && woffset == 20'(`CHANNEL_CONTROL) && wdata[`CHANNEL_CONTROL_PPU_OWNED])
                    gp_put_q <= (accepted || gp_get_q == 16'd0) ? gp_entries_q - 32'd1 : {16'd0, gp_get_q} - 32'd1;
            end
        end

        always_ff @(posedge clk_i) begin
            if (rst_i) begin
                faulted_q[g] <= 1'b0;
                fault_pending_q[g] <= 1'b0;
                fault_code_q <= 8'd0;
                fault_info_q <= 32'd0;
                fault_pc_q <= 32'd0;
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

        wire [3:0]   status = faulted_q[g] ? `CHANNEL_STATUS_STATE_FAULTED : status_i[g*4 +: 4];
        logic [31:0] shown;
        always_comb begin
            shown = 32'd0;
            case (raddr)
                BLOCK + 20'(`CHANNEL_CONTROL): shown = {29'd0, owned_q[g], 1'b0, enable_q[g]};
                BLOCK + 20'(`CHANNEL_STATUS): shown = {tasks_outstanding_i[g*24 +: 24], 4'd0, status};
                BLOCK + 20'(`CHANNEL_PRIORITY): shown = {30'd0, priority_q};
                BLOCK + 20'(`CHANNEL_GP_BASE): shown = gp_base_q;
                BLOCK + 20'(`CHANNEL_GP_ENTRIES): shown = gp_entries_q;
                BLOCK + 20'(`CHANNEL_SPACE_BASE): shown = space_base_q;
                BLOCK + 20'(`CHANNEL_SPACE_SIZE): shown = space_size_q;
                BLOCK + 20'(`CHANNEL_ACQUIRE_RETRY): shown = acquire_retry_q;
                BLOCK + 20'(`CHANNEL_ACQUIRE_TIMEOUT): shown = acquire_timeout_q;
                BLOCK + 20'(`CHANNEL_FAULT_CODE): if (faulted_q[g]) shown = {24'd0, fault_code_q};
                BLOCK + 20'(`CHANNEL_FAULT_INFO): if (faulted_q[g]) shown = fault_info_q;
                BLOCK + 20'(`CHANNEL_FAULT_PC): if (faulted_q[g]) shown = fault_pc_q;
                BLOCK + 20'(`CHANNEL_BLOCKED_ADDR): shown = blocked_addr_i[g*32 +: 32];
                BLOCK + 20'(`CHANNEL_BLOCKED_PAYLOAD): shown = blocked_payload_i[g*32 +: 32];
                BLOCK + 20'(`CHANNEL_SIGNATURE): shown = signature_i[g*32 +: 32];
                USERD + 20'(`USERD_PUT), USERD + 20'(`USERD_GET): shown = get_i[g*32 +: 32];
                USERD + 20'(`USERD_REFERENCE): shown = reference_q;
                USERD + 20'(`USERD_GP_GET): shown = {16'd0, gp_get_q};
                USERD + 20'(`USERD_GP_PUT): shown = gp_put_q;
                default: ;
            endcase
        end
        assign channel_read[g*32 +: 32] = shown;
    end
    assign ring_enable_o = enable_q;
    always_ff @(posedge clk_i) space_moved_o <= !rst_i && space_moves != '0;  // with the new base
    assign ring_faulted_o = faulted_q;

    // ---- reads ----
    // What the SM in WARP_SELECT shows, or nothing when there is no such SM.
    logic [31:0] sm_data;
    always_comb begin
        sm_data = 32'd0;
        case (raddr)
            20'(`REG_WARP_PC): sm_data = warp_pc_i;
            20'(`REG_WARP_MASK_LO): sm_data = warp_mask_i[31:0];
            20'(`REG_WARP_MASK_HI): sm_data = warp_mask_i[63:32];
            20'(`REG_WARP_STATE): sm_data = {16'd0, warp_state_i};
            20'(`REG_DEQUE_ENDS): if (deque_selected_i) sm_data = deque_ends_i;
            20'(`REG_DEQUE_TOKEN_0): sm_data = deque_token_i[31:0];
            20'(`REG_DEQUE_TOKEN_1): sm_data = deque_token_i[63:32];
            20'(`REG_DEQUE_TOKEN_2): sm_data = deque_token_i[95:64];
            20'(`REG_DEQUE_TOKEN_3): sm_data = deque_token_i[127:96];
            20'(`REG_L1_HITS): sm_data = count_l1_hits_i;
            20'(`REG_L1_MISSES): sm_data = count_l1_misses_i;
            20'(`REG_SHARED_PASSES): sm_data = count_shared_passes_i;
            20'(`REG_SHARED_CONFLICTS): sm_data = count_shared_conflicts_i;
            20'(`REG_ISSUED): sm_data = count_issued_i;
            20'(`REG_IDLE_MEMORY): sm_data = count_idle_memory_i;
            20'(`REG_IDLE_SCORE): sm_data = count_idle_score_i;
            20'(`REG_IDLE_NONE): sm_data = count_idle_none_i;
            20'(`REG_SIGNATURE): sm_data = count_signature_i;
            20'(`REG_SIGNATURE_LIMIT): sm_data = count_signature_limit_i;
            default: ;
        endcase
    end

    always_comb begin
        case (raddr)
            20'(`REG_MAGIC): read_data = `REG_MAGIC_RESET;
            20'(`REG_ABI_VERSION): read_data = `REG_ABI_VERSION_RESET;
            20'(`REG_CONFIG0): read_data = CONFIG0;
            20'(`REG_CONFIG1): read_data = CONFIG1;
            20'(`REG_CONFIG2): read_data = CONFIG2;
            20'(`REG_SCRATCH): read_data = scratch_q;
            20'(`REG_INTR_STATUS): read_data = intr_status_q;
            20'(`REG_INTR_ENABLE): read_data = intr_enable_q;
            20'(`REG_CYCLES_LO): read_data = cycles_q[31:0];
            20'(`REG_CYCLES_HI): read_data = cycles_hi_q;
            20'(`REG_TIME_LO): read_data = time_q[31:0];
            20'(`REG_TIME_HI): read_data = time_hi_q;
            20'(`REG_WARP_SELECT): read_data = {16'd0, warp_select_q};
            20'(`REG_DEQUE_CONTROL): read_data = {31'd0, deque_serve_q};
            20'(`REG_DEQUE_HELD): read_data = deque_held_i;
            20'(`REG_YIELD_SEED): read_data = yield_seed_q;
            20'(`REG_WARPS_RESIDENT): read_data = {resident_peak_q, resident_i};
            20'(`REG_SV_ORDER): read_data = {30'd0, sv_order_q};
            20'(`REG_SV_THRESHOLD): read_data = {15'd0, sv_threshold_q};
            20'(`REG_L1_CONTROL): read_data = {31'd0, l1_enable_q};
            20'(`REG_TASK_SCHEDULE): read_data = {31'd0, round_robin_q};
            20'(`REG_WARP_POLICY): read_data = {30'd0, warp_policy_q};
            default: read_data = 32'd0;
        endcase
        if (warp_select_q[15:8] < 8'(SMS)) read_data = read_data | sm_data;
        for (int c = 0; c < CHANNELS; c++) read_data = read_data | channel_read[c*32 +: 32];
    end

    // ---- trace ----
    assign trace_reg_write_valid_o = write;
    assign trace_reg_write_addr_o = waddr;
    assign trace_reg_write_data_o = wdata;
    assign trace_reg_read_valid_o = read_take;
    assign trace_reg_read_addr_o = raddr;
    assign trace_reg_read_data_o = read_data;
    assign trace_fault_valid_o = fault_now;
    assign trace_fault_channel_o = 8'(fault_channel);
    assign trace_fault_code_o = fault_take ? pending_code[taken_channel*8 +: 8] : host_fault_code_i;
    assign trace_fault_info_o = fault_take ? pending_info[taken_channel*32 +: 32] : host_fault_info_i;
    assign trace_fault_pc_o = fault_take ? pending_pc[taken_channel*32 +: 32] : 32'd0;
    assign trace_interrupt_valid_o = raised != 32'd0;
    assign trace_interrupt_bits_o = raised;

`ifndef SYNTHESIS
    initial if (`REG_CHANNEL_STRIDE != 20'h100 || `REG_CHANNEL_BASE % 256 != 0) $error("host_registers: the block of a channel is 256 bytes");
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
