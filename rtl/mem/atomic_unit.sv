// atomic_unit: read-modify-write of words, in up to LINES lines that it keeps.
//
// A line has one place, which its low address bits say. An ATOMIC of a line that is not there makes the unit read it over AXI (tx OPEN),
// in place of the one before; atomics of it are then performed one a cycle. A line that was changed is written back (tx CLOSE) when
//   - the request at the head is an atomic of another line with its place, or of another channel in it, or any other access to it,
//   - it holds MAX_COUNT atomics: so many can be told as lost when the write-back fails,
//   - no atomic came for IDLE_CLOSE cycles, or
//   - the unit has been busy for MAX_OPEN cycles: it then performs none before all lines are written back.
// A line that was written back stays (tx_keep_o), locked until memory has answered (closed_*), and so a later atomic need not read it;
// it goes for one with its place, for a WRITE of it, when the write-back failed, and with all others when somebody else changed
// memory (changed_i, in whose cycle nothing is performed). Requests other than atomics wait only while their line is changed and not
// handed over to the AXI port, which keeps an exclusive entry for a write-back under way.
// busy_o is high from the cycle after the first atomic until all lines are written back: whoever changes memory from outside waits.
// It is low for at least a cycle in between, in which nothing is performed, and comes from registers alone.
// A transaction is offered from the cycle after the one that finds it needed (tx_* come from registers), and nothing is performed while it is.
//
// Latency: an atomic of a line that is there 1 cycle (done_o is combinational, the answer is registered outside), one more when busy_o
// was low; else a memory read before it.
// fault_o: the read was answered with an error; the line is not kept. An error that answers a write-back comes after the answers of
// its atomics: it is the channel's, and tx_channel_o, tx_count_o go with the CLOSE to say whose and how many atomics are lost.
`default_nettype none
`include "coverage.svh"
`include "gen/isa.svh"

module atomic_unit #(
    parameter int CHANNELS = 2,
    parameter int LINES = 4,
    parameter int IDLE_CLOSE = 8,
    parameter int MAX_OPEN = 1024,
    parameter int INJECT = 0,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    input  wire  [7:0]           inject_i,
    input  wire                  changed_i,
    // The request at the head: an atomic inside its space ...
    input  wire                  req_valid_i,
    input  wire  [CHANNEL_W-1:0] req_channel_i,
    input  wire  [31:2]          req_word_i,    // of any request
    input  wire  [3:0]           req_atom_i,
    input  wire  [31:0]          req_operand_i,
    input  wire  [31:0]          req_swap_i,
    input  wire                  hold_i,        // nothing may be performed in this cycle
    output logic                 done_o,        // performed in this cycle
    output logic [31:0]          old_o,
    output logic [1:0]           fault_o,
    // ... or something else.
    input  wire                  other_valid_i,
    input  wire                  other_write_i,
    output logic                 other_wait_o,  // it may not go now
    // Transactions of the AXI port, decided on in the cycle before. While one is offered no other request goes there.
    output logic                 tx_valid_o,
    output logic                 tx_close_o,    // 0 OPEN, 1 CLOSE
    output logic                 tx_keep_o,     // of a CLOSE: closed_* is wanted
    output logic [31:5]          tx_line_o,
    output logic [255:0]         tx_data_o,
    output logic [CHANNEL_W-1:0] tx_channel_o,
    output logic [6:0]           tx_count_o,    // atomics that are lost with it
    input  wire                  tx_ready_i,
    input  wire                  write_busy_i,  // a write, a write-back perhaps, leaves the port later than in this cycle
    input  wire                  closed_valid_i,
    input  wire                  closed_fault_i,
    input  wire  [10:5]          closed_line_i,
    input  wire                  open_valid_i,
    input  wire  [255:0]         open_data_i,
    input  wire  [1:0]           open_fault_i,
    output logic                 busy_o
);
    localparam int PLACE_BITS = $clog2(LINES);
    localparam int PLACE_W = (LINES > 1) ? PLACE_BITS : 1;
    localparam int TAG_W = 27 - PLACE_BITS;
    localparam int IDLE_W = $clog2(IDLE_CLOSE + 1);
    localparam int OPEN_W = $clog2(MAX_OPEN + 1);
    localparam logic [6:0] MAX_COUNT = 7'd127;

    // ---- the lines, by place ----
    logic [LINES-1:0]           valid_q;         // it is there
    logic [LINES-1:0]           dirty_q;         // and was changed
    logic [LINES-1:0]           locked_q;        // its write-back is not answered
    logic [TAG_W-1:0]           tag_q [LINES];
    logic [CHANNEL_W+6:0]       note_q [LINES];  // of a changed line: channel, atomics since it was read or written back
    logic [255:0]               data;
    logic [7:0]                 write;

    logic                       run_q;           // busy
    logic                       tx_q, tx_close_q, tx_keep_q;  // a transaction is offered
    logic [PLACE_W-1:0]         tx_place_q;
    logic [TAG_W-1:0]           tx_tag_q;
    logic                       opening_q, refused_q;  // a line is read for the request at the head; that was answered with an error
    logic [IDLE_W-1:0]          idle_q;
    logic [OPEN_W-1:0]          open_q;

    logic [PLACE_W-1:0]         place, dirty_place, at, closed_place;
    logic [TAG_W-1:0]           tag;
    logic [CHANNEL_W-1:0]       channel;
    logic [6:0]                 count;
    logic [2:0]                 word;
    logic [31:0]                old, alu_result, result;
    logic                       there, changed, full, changes, hit, expired, idle, sweep, close, evict, open, decides, taken;

    assign place = (LINES > 1) ? req_word_i[5 +: PLACE_W] : '0;
    assign closed_place = (LINES > 1) ? closed_line_i[5 +: PLACE_W] : '0;
    assign tag = req_word_i[31 -: TAG_W];
    assign word = req_word_i[4:2];

    always_comb begin
        dirty_place = '0;
        for (int i = LINES - 1; i >= 0; i--) if (dirty_q[i]) dirty_place = PLACE_W'(i);
    end

    // ---- what the head is to the line in its place ----
    always_comb begin
        expired = open_q == OPEN_W'(MAX_OPEN);
        idle = idle_q == IDLE_W'(IDLE_CLOSE);
        at = tx_q ? tx_place_q : place;
        {channel, count} = note_q[at];
        there = valid_q[place] && tag_q[place] == tag;
        changed = dirty_q[place];
        full = count == MAX_COUNT;
        // A request that is no atomic does not look at the line's channel and count. (Those are another line's while a transaction is
        // offered: nothing is performed or decided on then.)
        hit = req_valid_i && there && !locked_q[place] && !changed_i && (!changed || (channel == req_channel_i && !full));
        evict = (req_valid_i && !there) || (other_valid_i && other_write_i);
        // All lines are written back, one after the other, between the requests that can be performed.
        sweep = run_q && dirty_q != '0 && (expired || (idle && !req_valid_i));
        close = changed && ((req_valid_i && !hit) || (other_valid_i && there));
        open = req_valid_i && !there && !changed && !locked_q[place] && !opening_q && !refused_q && !expired;
        decides = !tx_q && (sweep || close || open);
        other_wait_o = tx_q || (changed && there);
    end

    atomic_alu u_atomic_alu (
        .atom_i(req_atom_i), .old_i(old), .operand_i(req_operand_i), .swap_i(req_swap_i), .result_o(alu_result), .known_o(changes)
    );

    assign old = data[32*word +: 32];

    always_comb begin
        result = alu_result;
        // Defect 43: the signed minimum compares unsigned.
        if (INJECT != 0 && inject_i == 8'd43 && req_atom_i == `ATOM_MIN) result = req_operand_i < old ? req_operand_i : old;
    end

    always_comb begin
        done_o = run_q && !tx_q && !hold_i && (refused_q || (hit && !expired));
        old_o = refused_q ? 32'd0 : old;
        fault_o = {refused_q, 1'b0};
        for (int w = 0; w < 8; w++) write[w] = open_valid_i || (done_o && !refused_q && changes && word == 3'(w));
    end

    always_comb begin
        tx_valid_o = tx_q;
        tx_close_o = tx_close_q;
        tx_keep_o = tx_keep_q;
        tx_line_o = (LINES > 1) ? 27'({tx_tag_q, tx_place_q}) : 27'(tx_tag_q);
        tx_data_o = data;
        tx_channel_o = channel;
        tx_count_o = count;
        busy_o = run_q;
    end

    assign taken = tx_q && tx_ready_i;
    wire unused = &{1'b0, closed_line_i};

    // ---- words of the lines: a RAM for each place in a line ----
    for (genvar w = 0; w < 8; w++) begin : g_word
        logic [31:0] word_q [LINES];
        assign data[32*w +: 32] = word_q[at];
        always_ff @(posedge clk_i) if (write[w]) word_q[place] <= open_valid_i ? open_data_i[32*w +: 32] : result;
    end

    always_ff @(posedge clk_i) begin
        if (decides) begin
            tx_close_q <= sweep || close;
            tx_keep_q <= sweep || !evict;
            tx_place_q <= sweep ? dirty_place : place;
            tx_tag_q <= sweep ? tag_q[dirty_place] : close ? tag_q[place] : tag;
        end
        if (open_valid_i) tag_q[place] <= tag;
        if (done_o && !refused_q) note_q[place] <= {req_channel_i, changed ? count + 7'd1 : 7'd1};
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            valid_q <= '0;
            dirty_q <= '0;
            locked_q <= '0;
            run_q <= 1'b0;
            tx_q <= 1'b0;
            opening_q <= 1'b0;
            refused_q <= 1'b0;
            idle_q <= '0;
            open_q <= '0;
        end else begin
            if (!tx_q || tx_ready_i) tx_q <= decides;
            if (done_o && !refused_q && changes) dirty_q[place] <= 1'b1;
            if (taken && tx_close_o) begin
                dirty_q[tx_place_q] <= 1'b0;
                if (tx_keep_o) locked_q[tx_place_q] <= 1'b1;
                else valid_q[tx_place_q] <= 1'b0;
            end
            if (closed_valid_i) begin
                locked_q[closed_place] <= 1'b0;
                if (closed_fault_i) valid_q[closed_place] <= 1'b0;
            end
            // Defect 44: a line that is written over stays as it was.
            if (other_valid_i && other_write_i && there && !other_wait_o && !(INJECT != 0 && inject_i == 8'd44)) valid_q[place] <= 1'b0;
            if (taken && !tx_close_o) begin
                opening_q <= 1'b1;
                valid_q[tx_place_q] <= 1'b0;
            end
            if (open_valid_i) begin
                opening_q <= 1'b0;
                refused_q <= open_fault_i != 2'd0;
                valid_q[place] <= open_fault_i == 2'd0;
            end
            if (done_o) refused_q <= 1'b0;
            if (changed_i) valid_q <= '0;

            if (!run_q) begin
                run_q <= req_valid_i;
                open_q <= '0;
                idle_q <= '0;
            end else begin
                if (!expired) open_q <= open_q + OPEN_W'(1);
                if (done_o || opening_q) idle_q <= '0;
                else if (!idle) idle_q <= idle_q + IDLE_W'(1);
                if ((idle || expired) && dirty_q == '0 && !done_o && !opening_q && !refused_q && !write_busy_i && !tx_q && !decides) run_q <= 1'b0;
            end
        end
    end

`ifndef SYNTHESIS
    initial if (LINES != (1 << PLACE_BITS) || LINES > 64) $error("LINES must be a power of two up to 64");
    always_ff @(posedge clk_i) begin
        if (!rst_i) begin
            assert ((dirty_q & ~valid_q) == '0);
            assert ((dirty_q & locked_q) == '0);
            if (open_valid_i) assert (opening_q && req_valid_i);
            if (opening_q || refused_q) assert (run_q && req_valid_i);
            if (changed_i) assert (dirty_q == '0);
            if (closed_valid_i) assert (locked_q[closed_place]);
            // What was decided on is still so when it is offered, and the line stays as it is until it is taken.
            if (tx_q && tx_close_q) assert (dirty_q[tx_place_q] && valid_q[tx_place_q] && tag_q[tx_place_q] == tx_tag_q);
            if (tx_q && !tx_close_q) assert (req_valid_i && tx_place_q == place && tx_tag_q == tag && !opening_q && !dirty_q[place]);
            `COVER(expired, expired && dirty_q != '0)
            `COVER(full, req_valid_i && !tx_q && there && changed && full)
            `COVER(other_channel, req_valid_i && !tx_q && there && changed && channel != req_channel_i)
            `COVER(failed, closed_valid_i && closed_fault_i)
        end
    end
`endif
endmodule
`default_nettype wire
