// axi_port: the AXI4 master of the memory unit; keeps lines coherent and answers in order.
//
// A transaction (one line of 32 bytes, an INCR burst of 32 / bus width beats) goes over when tx_valid_i and tx_ready_o are high. It gets
// an entry of the table; the entry's number is its AXI ID, so the memory may answer in any order and mix the beats. In front of the bus stand
// a register of reads and `write_stage`, WRITE_DEPTH writes with their data: while beats of writes go out, reads of other lines do too. Kinds:
//   READ, WRITE   of a requester: answered to tx_port_i, in the order in which the port's transactions went over
//   OPEN          reads a line for the atomic unit (open_*_o); one at a time
//   CLOSE         writes one of its lines back; closed_*_o is the answer, where it wants to know (tx_keep_i). When that is an error the
//                 entry stays, and the line taken, until lost_take_i: lost_*_o say which line, and what came with the CLOSE
// tx_ready_o is low while the line has an entry and not both are READs: two transactions of a line are never under way unless
// both read. So all that differs from the order of performed_o (a read: AR taken, a write: the cycle after it went over) is lines that have
// nothing to do with each other. sending_o: a write is performed, and has not left altogether: memory has not got it yet.
//
// R and B are always ready: beats go to a line buffer, an entry's answer waits there until those before it of its port have been given.
// error_*_o: the answer that will be given in the next cycle is an error (error_after_o: requests of the port performed later).
// wrong_o: an answer that is an error is there and has not been given, or is in this cycle; known early in the cycle.
// Latency: request to AR/AW valid 1 cycle; last R beat or B to the answer 2 cycles.
// Throughput: a transaction per cycle (256-bit bus), one answer per cycle.
`default_nettype none
`include "gen/bundles.svh"

module axi_port #(
    parameter int CHANNELS = 2,
    parameter int PORTS = 5,
    parameter int AXI_DATA_W = 64,
    parameter int OUTSTANDING = 8,
    parameter int WRITE_DEPTH = 1,
    parameter int INJECT = 0,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1,
    localparam int PORT_W = $clog2(PORTS)
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    input  wire  [7:0]           inject_i,

    input  wire                  tx_valid_i,
    output logic                 tx_ready_o,
    input  wire  [1:0]           tx_kind_i,
    input  wire  [PORT_W-1:0]    tx_port_i,
    input  wire  [31:5]          tx_line_i,
    input  wire  [31:0]          tx_strb_i,     // of a WRITE
    input  wire  [255:0]         tx_data_i,     // likewise, all of the line, or zeros
    input  wire  [127:0]         tx_half_i,     // likewise, both halves of it, or zeros
    input  wire  [255:0]         tx_close_data_i,
    input  wire  [CHANNEL_W-1:0] tx_channel_i,  // of a CLOSE
    input  wire  [6:0]           tx_count_i,    // likewise
    input  wire                  tx_keep_i,     // likewise

    output logic                 performed_o,   // of a READ or WRITE: the one that went over last
    output logic                 sending_o,
    output logic                 read_busy_o,   // a READ waits for the bus
    output logic                 write_busy_o,  // a write has not left, nor does it in this cycle
    output logic                 closed_valid_o,
    output logic                 closed_fault_o,
    output logic [10:5]          closed_line_o,  // of its address so much as says its place among LINES of the atomic unit
    output logic                 open_valid_o,
    output logic [255:0]         open_data_o,
    output logic [1:0]           open_fault_o,

    output logic [PORTS-1:0]     answer_o,      // the answer will be given in the next cycle
    output logic [PORTS-1:0]     rsp_valid_o,
    output logic [255:0]         rsp_data_o,
    output logic [1:0]           rsp_fault_o,

    output logic                 error_valid_o,
    output logic [PORT_W-1:0]    error_port_o,
    output logic [31:5]          error_line_o,
    output logic [4:0]           error_after_o,
    output logic                 wrong_o,
    output logic                 lost_valid_o,
    input  wire                  lost_take_i,
    output logic [31:5]          lost_line_o,
    output logic [CHANNEL_W-1:0] lost_channel_o,
    output logic [6:0]           lost_count_o,
    output logic                 failing_o,     // a write was answered with an error, its requester does not know yet

    `AXI_OUT(m_axi)
);
    localparam int BEATS = 256 / AXI_DATA_W;
    localparam int BEAT_W = BEATS > 1 ? $clog2(BEATS) : 1;
    localparam int SLOT_W = $clog2(OUTSTANDING);
    localparam int STRB_W = AXI_DATA_W / 8;

    // ---- the table of what is under way, one entry a transaction ----
    logic [OUTSTANDING-1:0]        valid_q, exclusive_q, open_q, closing_q, keep_q, done_q, fault_q;
    logic [26:0]                   line_q [OUTSTANDING];
    logic [OUTSTANDING*BEAT_W-1:0] beat_q;
    logic [SLOT_W-1:0]             open_slot_q;

    // ---- the read in front of the bus ----
    logic              x_valid_q, x_open_q;
    logic [SLOT_W-1:0] x_slot_q;
    logic [PORT_W-1:0] x_port_q;
    logic [31:5]       x_line_q;
    logic              x_waits;

    // ---- the writes in front of the bus ----
    logic              w_fresh_q, w_close_q;  // a write went over in the cycle before; it was a CLOSE
    logic              w_full;
    logic [SLOT_W-1:0] w_slot;
    logic [31:5]       w_line;

    always_comb begin
        m_axi_arvalid_o = x_valid_q;
        m_axi_arid_o = 5'(x_slot_q);
        m_axi_araddr_o = {x_line_q, 5'd0};
        m_axi_arlen_o = 8'(BEATS - 1);
        m_axi_arsize_o = 3'($clog2(STRB_W));
        m_axi_arburst_o = 2'b01;
        m_axi_awid_o = 5'(w_slot);
        m_axi_awaddr_o = {w_line, 5'd0};
        m_axi_awlen_o = 8'(BEATS - 1);
        m_axi_awsize_o = 3'($clog2(STRB_W));
        m_axi_awburst_o = 2'b01;
        m_axi_bready_o = 1'b1;
        m_axi_rready_o = 1'b1;
        x_waits = x_valid_q && !m_axi_arready_i;
        performed_o = (x_valid_q && !x_open_q && m_axi_arready_i) || (w_fresh_q && !w_close_q);
        read_busy_o = x_valid_q && !x_open_q;
    end

    // ---- may the next transaction go? ----
    logic              tx_exclusive, tx_write, hazard, slot_free, taken;
    logic [SLOT_W-1:0] free_slot;

    always_comb begin
        tx_exclusive = tx_kind_i != `TX_READ;
        hazard = 1'b0;
        slot_free = 1'b0;
        free_slot = '0;
        for (int s = OUTSTANDING - 1; s >= 0; s--) begin
            if (!valid_q[s]) begin
                slot_free = 1'b1;
                free_slot = SLOT_W'(s);
            end
            // Defect 45: a write does not wait for reads of its line.
            if (valid_q[s] && line_q[s] == tx_line_i && (exclusive_q[s] ||
                (tx_exclusive && !(INJECT != 0 && inject_i == 8'd45)))) hazard = 1'b1;
        end
        // A write does not pass a read either: so each port's order is kept.
        tx_write = tx_kind_i == `TX_WRITE || tx_kind_i == `TX_CLOSE;
        tx_ready_o = !x_waits && !(tx_write && w_full) && slot_free && !hazard;
        taken = tx_valid_i && tx_ready_o;
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            x_valid_q <= 1'b0;
            w_fresh_q <= 1'b0;
        end else begin
            if (m_axi_arready_i) x_valid_q <= 1'b0;
            w_fresh_q <= taken && tx_write;
            if (taken && !tx_write) x_valid_q <= 1'b1;
        end
        w_close_q <= tx_kind_i == `TX_CLOSE;  // what it says when nothing is taken, nobody looks at
        if (taken && !tx_write) begin
            x_open_q <= tx_kind_i == `TX_OPEN;
            x_slot_q <= free_slot;
            x_port_q <= tx_port_i;
            x_line_q <= tx_line_i;
        end
    end

    write_stage #(.DEPTH(WRITE_DEPTH), .AXI_DATA_W(AXI_DATA_W), .SLOT_W(SLOT_W), .INJECT(INJECT)) u_write_stage (
        .clk_i, .rst_i, .inject_i, .push_i(taken && tx_write), .close_i(tx_kind_i == `TX_CLOSE), .slot_i(free_slot), .line_i(tx_line_i),
        .strb_i(tx_strb_i), .data_i(tx_data_i), .half_i(tx_half_i), .close_data_i(tx_close_data_i),
        .full_o(w_full), .busy_o(write_busy_o), .sending_o,
        .awvalid_o(m_axi_awvalid_o), .awready_i(m_axi_awready_i), .awid_o(w_slot), .awline_o(w_line), .wvalid_o(m_axi_wvalid_o),
        .wready_i(m_axi_wready_i), .wdata_o(m_axi_wdata_o), .wstrb_o(m_axi_wstrb_o), .wlast_o(m_axi_wlast_o)
    );

    // ---- each port's order: a ring of entry numbers ----
    logic [PORTS-1:0]        head_done, head_fault, pop;
    logic [PORTS*SLOT_W-1:0] head_slot;
    logic [PORTS*(SLOT_W+1)-1:0] waiting;  // transactions of each port that are not answered

    for (genvar p = 0; p < PORTS; p++) begin : g_order
        logic [SLOT_W-1:0] ring_q [OUTSTANDING];
        logic [SLOT_W-1:0] head_q, tail_q;
        logic [SLOT_W:0]   count_q;
        logic              push;
        wire  [SLOT_W-1:0] first = ring_q[head_q];

        always_comb begin
            push = taken && (tx_kind_i == `TX_READ || tx_kind_i == `TX_WRITE) && tx_port_i == PORT_W'(p);
            head_slot[SLOT_W*p +: SLOT_W] = first;
            waiting[(SLOT_W+1)*p +: SLOT_W+1] = count_q;
            head_done[p] = count_q != '0 && done_q[first];
            head_fault[p] = fault_q[first];
        end
        always_ff @(posedge clk_i) begin
            if (rst_i) begin
                head_q <= '0;
                tail_q <= '0;
                count_q <= '0;
            end else begin
                if (push) tail_q <= tail_q + SLOT_W'(1);
                if (pop[p]) head_q <= head_q + SLOT_W'(1);
                count_q <= count_q + (SLOT_W+1)'(push) - (SLOT_W+1)'(pop[p]);
            end
            if (push) ring_q[tail_q] <= free_slot;
        end
    end

    // ---- one answer a cycle: the opened line first, then the lowest port whose next answer is there ----
    logic              give, give_open, give_fault;  // the fault beside the entry's number: memory_unit waits for it in the same cycle
    logic [SLOT_W-1:0] give_slot;

    always_comb begin
        give = 1'b0;
        pop = '0;
        give_slot = open_slot_q;
        give_fault = fault_q[open_slot_q];
        give_open = open_q[open_slot_q] && done_q[open_slot_q];
        if (!give_open) begin
            for (int p = PORTS - 1; p >= 0; p--) begin
                if (head_done[p]) begin
                    give = 1'b1;
                    pop = PORTS'(1) << p;
                    give_slot = head_slot[SLOT_W*p +: SLOT_W];
                    give_fault = head_fault[p];
                end
            end
        end
        answer_o = pop;
    end

    // ---- answers that are errors, write-backs that were lost ----
    logic [SLOT_W-1:0]           lost_slot, r_slot, b_slot;
    logic [4:0]                  error_waiting;
    logic [CHANNEL_W-1:0] close_channel_q [OUTSTANDING];
    logic [6:0]                  close_count_q [OUTSTANDING];
    // The lines once more for each place that wants one of them: a RAM each, where line_q is compared as a whole.
    logic [26:0]                 given_line_q [OUTSTANDING], lost_line_q [OUTSTANDING];
    logic [5:0]                  closed_line_q [OUTSTANDING];

    always_comb begin
        error_valid_o = give && give_fault;
        error_line_o = given_line_q[give_slot];
        error_port_o = '0;
        error_waiting = '0;
        for (int p = 0; p < PORTS; p++)
            if (pop[p]) begin
                error_port_o = PORT_W'(p);
                error_waiting = 5'(waiting[(SLOT_W+1)*p +: SLOT_W+1]);
            end
        // All behind it have gone over; a read in front of the bus may not have been performed.
        error_after_o = error_waiting - 5'd1 -
                        5'(x_waits && !x_open_q && x_port_q == error_port_o);

        lost_valid_o = 1'b0;
        lost_slot = '0;
        for (int s = OUTSTANDING - 1; s >= 0; s--) begin
            if (valid_q[s] && closing_q[s] && done_q[s]) begin
                lost_valid_o = 1'b1;
                lost_slot = SLOT_W'(s);
            end
        end
        lost_line_o = lost_line_q[lost_slot];
        lost_channel_o = close_channel_q[lost_slot];
        lost_count_o = close_count_q[lost_slot];
        failing_o = (valid_q & exclusive_q & fault_q) != '0;
        wrong_o = (valid_q & done_q & fault_q & ~closing_q) != '0;
        closed_valid_o = m_axi_bvalid_i && closing_q[b_slot] && keep_q[b_slot];
        closed_fault_o = m_axi_bresp_i[1];
        closed_line_o = closed_line_q[b_slot];
    end

    always_ff @(posedge clk_i) begin
        if (taken) begin
            line_q[free_slot] <= tx_line_i;
            given_line_q[free_slot] <= tx_line_i;
            lost_line_q[free_slot] <= tx_line_i;
            closed_line_q[free_slot] <= tx_line_i[10:5];
            close_channel_q[free_slot] <= tx_channel_i;
            close_count_q[free_slot] <= tx_count_i;
        end
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            rsp_valid_o <= '0;
            rsp_fault_o <= '0;
            open_valid_o <= 1'b0;
        end else begin
            rsp_valid_o <= pop;
            rsp_fault_o <= {give_fault, 1'b0};
            open_valid_o <= give_open;
        end
    end
    assign open_data_o = rsp_data_o;
    assign open_fault_o = rsp_fault_o;

    // ---- the line buffer: a RAM for each beat of a line, by entry ----
    logic [BEAT_W-1:0] r_beat;

    always_comb begin
        r_slot = m_axi_rid_i[SLOT_W-1:0];
        b_slot = m_axi_bid_i[SLOT_W-1:0];
        r_beat = beat_q[BEAT_W*r_slot +: BEAT_W];
    end

    for (genvar b = 0; b < BEATS; b++) begin : g_buffer
        (* no_rw_check, ram_style = "block" *) logic [AXI_DATA_W-1:0] buffer_q [OUTSTANDING];
        logic [AXI_DATA_W-1:0] read_q;
        always_ff @(posedge clk_i) begin
            if (m_axi_rvalid_i && r_beat == BEAT_W'(b)) buffer_q[r_slot] <= m_axi_rdata_i;
            read_q <= buffer_q[give_slot];
        end
        assign rsp_data_o[AXI_DATA_W*b +: AXI_DATA_W] = read_q;
    end

    // ---- the entries' lives ----
    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            valid_q <= '0;
            exclusive_q <= '0;
            open_q <= '0;
            closing_q <= '0;
            done_q <= '0;
            fault_q <= '0;
            beat_q <= '0;
            open_slot_q <= '0;
        end else begin
            if (m_axi_rvalid_i) begin
                beat_q[BEAT_W*r_slot +: BEAT_W] <= m_axi_rlast_i ? '0 : r_beat + BEAT_W'(1);
                fault_q[r_slot] <= fault_q[r_slot] | m_axi_rresp_i[1];
                if (m_axi_rlast_i) done_q[r_slot] <= 1'b1;
            end
            if (m_axi_bvalid_i) begin
                fault_q[b_slot] <= m_axi_bresp_i[1];
                if (closing_q[b_slot] && !m_axi_bresp_i[1]) valid_q[b_slot] <= 1'b0;
                else done_q[b_slot] <= 1'b1;
            end
            if (give || give_open) valid_q[give_slot] <= 1'b0;
            if (give_open) open_q[open_slot_q] <= 1'b0;
            if (lost_take_i) valid_q[lost_slot] <= 1'b0;
            if (taken) begin
                valid_q[free_slot] <= 1'b1;
                exclusive_q[free_slot] <= tx_exclusive;
                open_q[free_slot] <= tx_kind_i == `TX_OPEN;
                closing_q[free_slot] <= tx_kind_i == `TX_CLOSE;
                keep_q[free_slot] <= tx_keep_i;
                done_q[free_slot] <= 1'b0;
                fault_q[free_slot] <= 1'b0;
                if (tx_kind_i == `TX_OPEN) open_slot_q <= free_slot;
            end
        end
    end

`ifndef SYNTHESIS
    initial begin
        if (AXI_DATA_W != 32 && AXI_DATA_W != 64 && AXI_DATA_W != 128 && AXI_DATA_W != 256)
            $error("AXI_DATA_W must be 32, 64, 128 or 256");
        if (OUTSTANDING != 2 && OUTSTANDING != 4 && OUTSTANDING != 8 && OUTSTANDING != 16 && OUTSTANDING != 32)
            $error("OUTSTANDING must be 2, 4, 8, 16 or 32");
    end
    always_ff @(posedge clk_i) begin
        if (!rst_i) begin
            // The memory answers only what was asked, with the right number of beats.
            if (m_axi_rvalid_i) begin
                assert ({1'b0, m_axi_rid_i} < 6'(OUTSTANDING) && valid_q[r_slot] && !done_q[r_slot]);
                assert (m_axi_rresp_i != 2'b01);  // EXOKAY answers exclusive accesses: there are none
                assert (m_axi_rlast_i == (r_beat == BEAT_W'(BEATS - 1)));
            end
            if (m_axi_bvalid_i) begin
                assert ({1'b0, m_axi_bid_i} < 6'(OUTSTANDING) && valid_q[b_slot] && !done_q[b_slot] && exclusive_q[b_slot]);
                assert (m_axi_bresp_i != 2'b01);
            end
            // An entry is given only while it lives.
            if (give) assert (valid_q[give_slot]);
            if (error_valid_o) assert (wrong_o);
            if (give_open) assert (valid_q[open_slot_q]);
            if (lost_take_i) assert (lost_valid_o);
        end
    end
`endif
endmodule
`default_nettype wire
