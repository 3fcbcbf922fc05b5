// memory_unit: one order of memory for all requesters (ports, order and answers: README.md beside this file).
//
//   requests -> arbiter -> head (with the physical address) -> axi_port      -> answers
//                                                           -> atomic_unit (axi_port reads and writes its line)
//                                                           -> answered at once: outside the channel's space
//
// The head register holds one request; nothing overtakes in it, so requests of a port are performed in order. A request is taken
// over only when its answer can keep the port's order cheaply: an ATOMIC (answered at once when performed) waits until the
// port's reads and writes have been answered, and so does, at the head, a request outside its space. At most one request is performed
// in a cycle; the trace shows it in that cycle.
//
// An answer of the memory that is an error is told to its requester (fault 2, event BUS_ERROR the cycle before). When it answers the
// write-back of a line that atomics have changed they have been answered long before: lost_*_o then say that the channel faults (a
// request for it, until lost_take_i), and the line stays taken until then (event WRITE_BACK_ERROR).
//
// Latency of a read: 2 cycles to AR valid, and 2 from the last R beat to the answer. Throughput: a request a cycle as far as AXI lets it,
// a read or write in REQUEST_CYCLES.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/trace.svh"

module memory_unit #(
    parameter int CHANNELS = 2,
    parameter int SMS = 1,
    parameter int ATOMIC_LINES = 4,
    parameter int OUTSTANDING = 8,
    parameter int WRITE_DEPTH = 1,
    parameter int REQUEST_CYCLES = 1,
    parameter int AXI_DATA_W = 64,
    parameter int MEMORY_PAGES = 0,
    parameter int INJECT = 0,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1,
    localparam int PORTS = 4 + 3 * SMS  // those from TOKENS on, of tokens and the CPU, have physical addresses
) (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire  [7:0] inject_i,
    `SPACE_INS(space, CHANNELS),

    `REQUEST_INS(req, PORTS),
    `ANSWER_OUTS(rsp, PORTS),

    `LOST_OUT(lost),

    output logic       rmw_busy_o,
    input  wire        changed_i,  // somebody else has changed memory before this cycle
    `SNOOP_OUT(snoop),

    `AXI_OUT(m_axi),

    `TRACE_MEM_PORTS
);
    localparam int PORT_W = $clog2(PORTS);
    localparam int TOKENS = 3 + 2 * SMS;
    localparam logic [PORTS-1:0] TOKEN_PORTS = ((PORTS'(1) << SMS) - PORTS'(1)) << TOKENS;
    localparam int COUNT_W = $clog2(OUTSTANDING) + 1;  // of a port: all transactions, and the head

    // ---- the arbiter, and what it chose ----
    logic [PORTS-1:0]         able, eligible, would;
    logic                     grant_valid, accept;
    logic [PORT_W-1:0]        grant;
    logic [PORTS*COUNT_W-1:0] unanswered_q;  // reads and writes of each port that wait for an answer, the head's included

    always_comb begin
        for (int p = 0; p < PORTS; p++) begin
            able[p] = req_op_i[2*p +: 2] != `REQUEST_ATOMIC || unanswered_q[COUNT_W*p +: COUNT_W] == '0;
            eligible[p] = req_valid_i[p] && able[p];
        end
    end

    // Tokens go first, a request of each SM in three cycles at most; all others take turns.
    logic              turn_valid, tokens;
    logic [PORT_W-1:0] turn, token_port;
    arbiter #(.PORTS(PORTS)) u_arbiter (
        .clk_i, .rst_i, .request_i(eligible & ~TOKEN_PORTS), .taken_i(accept && !tokens), .grant_valid_o(turn_valid), .grant_o(turn),
        .would_o(would)
    );
    always_comb begin
        token_port = '0;
        for (int p = TOKENS + SMS - 1; p >= TOKENS; p--) if (req_valid_i[p]) token_port = PORT_W'(p);
    end
    assign tokens = |(req_valid_i & TOKEN_PORTS);
    assign grant_valid = tokens || turn_valid;
    assign grant = tokens ? token_port : turn;

    `REQUEST_PAYLOAD(in);
    logic [31:2]          in_physical;
    logic                 in_outside;
    logic [127:0]         in_half;
    logic [255:0]         in_wide;  // zeros but for whole lines, where in_half is

    // Whole lines are written by loads and stores alone. Host, task unit, tokens and CPU write sixteen bytes at most, which stand in both halves
    // of the line; GP fetch and the fetch of instructions write nothing.
    function automatic is_wide(input int port);
        is_wide = port >= 4 && port < TOKENS && port % 2 == 0;
    endfunction
    function automatic is_reader(input int port);
        is_reader = port == 0 || (port < TOKENS && port % 2 != 0 && port != 1);
    endfunction
    // A port of tokens that is the only one is granted whenever it asks, and shows zeros when it does not: no choice is needed.
    function automatic is_free(input int port);
        is_free = SMS == 1 && port == TOKENS;
    endfunction
    always_comb begin
        {in_op, in_atom, in_channel, in_addr, in_wstrb, in_half} = '0;
        for (int p = 0; p < PORTS; p++) begin
            if (is_free(p) || grant == PORT_W'(p)) begin
                in_channel = in_channel | req_channel_i[CHANNEL_W*p +: CHANNEL_W];
                in_addr = in_addr | req_addr_i[32*p +: 32];
                in_op = in_op | req_op_i[2*p +: 2];
                if (!is_reader(p)) in_atom = in_atom | req_atom_i[4*p +: 4];
                if (!is_reader(p)) in_wstrb = in_wstrb | req_wstrb_i[32*p +: 32];
                if (!is_reader(p) && !is_wide(p)) in_half = in_half | req_wdata_i[256*p +: 128];
            end
        end
        in_wdata = {2{in_half}};
        in_wide = '0;
        for (int p = 0; p < PORTS; p++) if (is_wide(p) && grant == PORT_W'(p)) in_wide = in_wide | req_wdata_i[256*p +: 256];
    end

    address_space #(.CHANNELS(CHANNELS), .INJECT(INJECT)) u_address_space (
        .inject_i,
        `SPACE_PASS_IN(space, space), .direct_i(32'(grant) >= TOKENS),
        .channel_i(in_channel), .addr_i(in_addr[31:2]),
        .physical_o(in_physical), .outside_o(in_outside)
    );

    // ---- the head ----
    logic                 h_valid_q, h_outside, h_outside_q;
    logic [PORT_W-1:0]    h_port_q;
    `REQUEST_REG(h);
    logic [31:2]          h_word_q;  // physical
    logic [255:0]         h_wide_q, h_data;  // what h_wdata_q has not, and both: one of them is zero
    assign h_data = h_wdata_q | h_wide_q;
    // Outside its space, or past the end of memory: that is looked at here, since the sum is known late in the cycle before.
    assign h_outside = h_outside_q || (MEMORY_PAGES != 0 && 32'(h_word_q[31:12]) >= MEMORY_PAGES);

    logic                 h_leaves, h_free, h_is_rw, h_to_axi, h_goes, h_last;
    logic                 performed, outside_done, atomic_done;
    logic                 atomic_tx, atomic_wait, atomic_close, atomic_keep, read_busy, write_busy, closed_valid, closed_fault, open_valid;
    logic [31:5]          atomic_tx_line, tx_line;
    logic [10:5]          closed_line;
    logic [31:0]          atomic_old;
    logic [255:0]         atomic_tx_data, open_data, axi_rsp_data;
    logic [1:0]           atomic_fault, open_fault, axi_rsp_fault;
    logic                 tx_valid, tx_ready;
    logic [1:0]           tx_kind;
    logic [PORTS-1:0]     answer, axi_rsp_valid;
    logic                 atomic_busy, error_valid, wrong, failing, sending;
    logic [CHANNEL_W-1:0] close_channel;
    logic [6:0]           close_count, lost_count;
    logic [PORT_W-1:0]    error_port;
    logic [31:5]          error_line, lost_line;
    logic [4:0]           error_after;

    always_comb begin
        h_is_rw = h_op_q != `REQUEST_ATOMIC;
        // The port's only unanswered request is this one (an atomic came in when there was none and is not counted).
        h_last = 1'b0;
        for (int p = 0; p < PORTS; p++) if (h_port_q == PORT_W'(p)) h_last = unanswered_q[COUNT_W*p +: COUNT_W] == (h_is_rw ? COUNT_W'(1) : COUNT_W'(0));
        outside_done = h_valid_q && h_outside && h_last && !performed;
        h_to_axi = h_valid_q && !h_outside && h_is_rw;
    end

    // The atomic unit goes first: what stands at the head may be waiting for its line.
    assign h_goes = h_to_axi && !atomic_wait && tx_ready;
    always_comb begin
        tx_valid = atomic_tx || (h_to_axi && !atomic_wait);
        tx_kind = atomic_tx ? (atomic_close ? `TX_CLOSE : `TX_OPEN) : {1'b0, h_op_q[0]};
        tx_line = atomic_tx ? atomic_tx_line : h_word_q[31:5];
    end

    // What is done is known early. That axi_port takes the head is not, and requesters hear of it over long wires: with REQUEST_CYCLES 2 the next
    // request comes in the cycle after.
    always_comb begin
        h_leaves = outside_done || atomic_done || h_goes;
        h_free = !h_valid_q || outside_done || atomic_done || (REQUEST_CYCLES == 1 && h_goes);
        accept = grant_valid && h_free;
        // A level 1 cache knows late whether it asks, and load_store needs the answer in the same cycle: its ready does not wait for its valid.
        for (int p = 0; p < PORTS; p++) begin
            req_ready_o[p] = is_wide(p) ? h_free && !tokens && able[p] && would[p] : accept && grant == PORT_W'(p);
        end
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            h_valid_q <= 1'b0;
            unanswered_q <= '0;
        end else begin
            if (h_leaves) h_valid_q <= 1'b0;
            if (accept) begin
                h_valid_q <= 1'b1;
                h_outside_q <= in_outside;
                h_port_q <= grant;
                h_word_q <= in_physical;
                `REQUEST_PACK_Q(h) <= `REQUEST_PACK(in);
                h_wide_q <= in_wide;
            end
            for (int p = 0; p < PORTS; p++) begin
                unanswered_q[COUNT_W*p +: COUNT_W] <= unanswered_q[COUNT_W*p +: COUNT_W]
                    + COUNT_W'(accept && grant == PORT_W'(p) && in_op != `REQUEST_ATOMIC)
                    - COUNT_W'(answer[p] || (outside_done && h_is_rw && h_port_q == PORT_W'(p)));
            end
        end
    end

    // One BUS_ERROR a cycle: an atomic waits while there is an answer that is one. It waits for a read that is not performed yet, too: that may be
    // one of its line as memory has it.
    atomic_unit #(.CHANNELS(CHANNELS), .LINES(ATOMIC_LINES), .INJECT(INJECT)) u_atomic_unit (
        .clk_i, .rst_i, .inject_i, .changed_i,
        .req_valid_i(h_valid_q && !h_outside && !h_is_rw), .req_channel_i(h_channel_q), .req_word_i(h_word_q), .req_atom_i(h_atom_q),
        .req_operand_i(h_data[31:0]), .req_swap_i(h_data[63:32]), .hold_i(performed || read_busy || wrong),
        .done_o(atomic_done), .old_o(atomic_old), .fault_o(atomic_fault),
        .other_valid_i(h_to_axi), .other_write_i(h_op_q == `REQUEST_WRITE), .other_wait_o(atomic_wait),
        .tx_valid_o(atomic_tx), .tx_close_o(atomic_close), .tx_keep_o(atomic_keep), .tx_line_o(atomic_tx_line),
        .tx_data_o(atomic_tx_data), .tx_channel_o(close_channel), .tx_count_o(close_count), .tx_ready_i(tx_ready), .write_busy_i(write_busy),
        .closed_valid_i(closed_valid), .closed_fault_i(closed_fault), .closed_line_i(closed_line),
        .open_valid_i(open_valid), .open_data_i(open_data), .open_fault_i(open_fault), .busy_o(atomic_busy)
    );

    // A write that was answered with an error has its place in the order of memory only when its requester knows; one that is sent has
    // its place already, and memory will have it at the latest when the next write is performed.
    assign rmw_busy_o = atomic_busy || failing || sending;
    assign lost_addr_o = {lost_line, 5'd0} - {space_base_i[32*lost_channel_o+12 +: 20], 12'd0};

    axi_port #(.CHANNELS(CHANNELS), .PORTS(PORTS), .AXI_DATA_W(AXI_DATA_W), .OUTSTANDING(OUTSTANDING), .WRITE_DEPTH(WRITE_DEPTH),
        .INJECT(INJECT)) u_axi_port (
        .clk_i, .rst_i, .inject_i, .tx_valid_i(tx_valid), .tx_ready_o(tx_ready), .tx_kind_i(tx_kind), .tx_port_i(h_port_q), .tx_line_i(tx_line),
        .tx_strb_i(h_wstrb_q), .tx_data_i(h_wide_q), .tx_half_i(h_wdata_q[127:0]), .tx_close_data_i(atomic_tx_data),
        .tx_channel_i(close_channel), .tx_count_i(close_count), .tx_keep_i(atomic_keep),
        .performed_o(performed), .sending_o(sending), .read_busy_o(read_busy), .write_busy_o(write_busy),
        .closed_valid_o(closed_valid), .closed_fault_o(closed_fault), .closed_line_o(closed_line),
        .open_valid_o(open_valid), .open_data_o(open_data), .open_fault_o(open_fault),
        .answer_o(answer), .rsp_valid_o(axi_rsp_valid), .rsp_data_o(axi_rsp_data), .rsp_fault_o(axi_rsp_fault),
        .error_valid_o(error_valid), .error_port_o(error_port), .error_line_o(error_line), .error_after_o(error_after), .wrong_o(wrong),
        .lost_valid_o, .lost_take_i, .lost_line_o(lost_line), .lost_channel_o, .lost_count_o(lost_count), .failing_o(failing),
        `AXI_PASS_OUT(m_axi, m_axi)
    );

    // ---- answers: those of the AXI port, and those given at once ----
    logic [PORTS-1:0] now_valid_q;
    logic [31:0]      now_old_q;
    logic [1:0]       now_fault_q;

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            now_valid_q <= '0;
        end else begin
            now_valid_q <= (outside_done || atomic_done) ? PORTS'(1) << h_port_q : '0;
        end
        now_fault_q <= outside_done ? 2'd1 : atomic_fault;
        now_old_q <= outside_done ? 32'd0 : atomic_old;
    end
    always_comb begin
        for (int p = 0; p < PORTS; p++) begin
            rsp_valid_o[p] = axi_rsp_valid[p] || now_valid_q[p];
            rsp_fault_o[2*p +: 2] = now_valid_q[p] ? now_fault_q : axi_rsp_fault;
            // A reader is told at once of nothing but a fault.
            rsp_data_o[256*p +: 256] = {axi_rsp_data[255:32], now_valid_q[p] && !is_reader(p) ? now_old_q : axi_rsp_data[31:0]};
        end
    end

    // ---- what is performed: for the trace and for those that wait for a word to change ----
    // The request that went over to axi_port last, as its requester gave it.
    logic [PORT_W-1:0]    x_port_q;
    logic                 x_write_q;
    logic [CHANNEL_W-1:0] x_channel_q;
    logic [31:0]          x_addr_q, x_wstrb_q;
    logic [31:5]          x_line_q;
    logic [255:0]         x_wdata_q;
    logic                 now_done;

    always_ff @(posedge clk_i) begin
        if (h_goes) begin
            x_port_q <= h_port_q;
            x_write_q <= h_op_q == `REQUEST_WRITE;
            x_channel_q <= h_channel_q;
            x_addr_q <= h_addr_q;
            x_line_q <= h_word_q[31:5];
            x_wstrb_q <= h_wstrb_q;
            x_wdata_q <= h_data;
        end
    end

    always_comb begin
        now_done = outside_done || atomic_done;
        snoop_valid_o = (performed && x_write_q) || atomic_done;
        snoop_addr_o = {performed ? x_line_q : h_word_q[31:5], 5'd0};

        trace_perform_valid_o = (performed || now_done) && !rst_i;
        trace_perform_port_o = performed ? 8'(x_port_q) : 8'(h_port_q);
        trace_perform_op_o = performed ? {1'b0, x_write_q} : h_op_q;
        trace_perform_channel_o = performed ? 8'(x_channel_q) : 8'(h_channel_q);
        if (trace_perform_port_o >= 8'(TOKENS)) trace_perform_channel_o = 8'hFF;
        trace_perform_addr_o = performed ? x_addr_q : h_addr_q;
        trace_perform_wstrb_o = trace_perform_op_o == `REQUEST_WRITE ? (performed ? x_wstrb_q : h_wstrb_q) : 32'd0;
        trace_perform_wdata_o = '0;
        if (trace_perform_valid_o) begin
            for (int b = 0; b < 32; b++) begin
                if (trace_perform_op_o == `REQUEST_WRITE ? trace_perform_wstrb_o[b] : (trace_perform_op_o == `REQUEST_ATOMIC && b < 8))
                    trace_perform_wdata_o[8*b +: 8] = performed ? x_wdata_q[8*b +: 8] : h_data[8*b +: 8];
            end
        end
        trace_perform_fault_o = {1'b0, outside_done};

        trace_bus_error_valid_o = (error_valid || (atomic_done && atomic_fault != 2'd0)) && !rst_i;
        trace_bus_error_port_o = error_valid ? 8'(error_port) : 8'(h_port_q);
        trace_bus_error_after_o = error_valid ? 8'(error_after) : 8'd0;
        trace_bus_error_addr_o = {error_valid ? error_line : h_word_q[31:5], 5'd0};

        trace_write_back_error_valid_o = lost_take_i && !rst_i;
        trace_write_back_error_lost_o = 8'(lost_count);
        trace_write_back_error_channel_o = 8'(lost_channel_o);
        trace_write_back_error_addr_o = {lost_line, 5'd0};
        trace_write_back_error_info_o = lost_addr_o;
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (!rst_i) begin
            assert (!(performed && now_done));
            assert ((axi_rsp_valid & now_valid_q) == '0);
            for (int p = 0; p < PORTS; p++) assert (32'(unanswered_q[COUNT_W*p +: COUNT_W]) <= OUTSTANDING + 1);
            for (int p = 0; p < PORTS; p++) assert ((req_valid_i[p] && req_ready_o[p]) == (accept && grant == PORT_W'(p)));
            for (int p = 0; p < PORTS; p++) begin
                if (is_free(p)) assert (req_valid_i[p] || {req_op_i[2*p +: 2], req_atom_i[4*p +: 4], req_channel_i[CHANNEL_W*p +: CHANNEL_W],
                                                           req_addr_i[32*p +: 32], req_wstrb_i[32*p +: 32], req_wdata_i[256*p +: 256]} == '0);
                if (req_valid_i[p] && is_reader(p)) assert (req_op_i[2*p +: 2] == `REQUEST_READ);
                if (req_valid_i[p] && !is_wide(p)) assert (req_op_i[2*p +: 2] != `REQUEST_WRITE ||
                                                           req_wdata_i[256*p +: 128] == req_wdata_i[256*p+128 +: 128]);
            end
            if (h_valid_q) begin
                assert (h_op_q != 2'd3);
                // A READ or WRITE names a line, an ATOMIC a word.
                assert (h_addr_q[1:0] == 2'd0);
                assert (!h_is_rw || h_addr_q[4:2] == 3'd0);
                // An atomic is one of a channel.
                assert (h_is_rw || 32'(h_port_q) < TOKENS);
            end
        end
    end
`endif
endmodule
`default_nettype wire
