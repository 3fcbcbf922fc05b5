// atomic_unit: read-modify-write of words, one line open at a time.
//
// An ATOMIC of a line that is not open makes the unit read that line over AXI (tx OPEN); the line then stays here, and atomics of it
// are performed one a cycle. The line is written back (tx CLOSE, byte strobes of the words that changed; a clean line is only
// released) when
//   - the next request is an atomic of another line or channel, or any other access to this line, or
//   - no atomic came for IDLE_CLOSE cycles, or
//   - it has been open for MAX_OPEN cycles: so the CPU, which waits for busy_o low, is never kept out for ever.
// While the line is open the AXI port keeps an exclusive entry for it, so all other requests to it wait; requests to other lines pass.
// busy_o is high from the cycle after the OPEN went out until the write-back is performed, and low for at least a cycle in between two lines.
//
// Latency: an atomic of the open line 1 cycle (done_o is combinational, the answer is registered outside); else a memory read before it.
// fault_o: the read was answered with an error; such a line is never dirty. An error that answers a write-back comes after the
// answers of its atomics: it is the channel's, and tx_channel_o, tx_count_o go with the CLOSE to say whose and how many atomics are lost.
`default_nettype none
`include "gen/isa.svh"

module atomic_unit #(
    parameter int CHANNELS = 2,
    parameter int IDLE_CLOSE = 8,
    parameter int MAX_OPEN = 64,
    parameter int INJECT = 0,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    input  wire  [7:0]           inject_i,
    // The request at the head: an atomic inside its space ...
    input  wire                  req_valid_i,
    input  wire  [CHANNEL_W-1:0] req_channel_i,
    input  wire  [31:2]          req_word_i,
    input  wire  [3:0]           req_atom_i,
    input  wire  [31:0]          req_operand_i,
    input  wire  [31:0]          req_swap_i,
    input  wire                  hold_i,        // nothing may be performed in this cycle
    output logic                 done_o,        // performed in this cycle
    output logic [31:0]          old_o,
    output logic [1:0]           fault_o,
    // ... or something else that touches this line.
    input  wire                  other_valid_i,
    input  wire  [31:5]          other_line_i,
    // Transactions of the AXI port.
    output logic                 tx_valid_o,
    output logic                 tx_close_o,    // 0 OPEN, 1 CLOSE
    output logic [31:5]          tx_line_o,
    output logic [31:0]          tx_strb_o,
    output logic [255:0]         tx_data_o,
    output logic [CHANNEL_W-1:0] tx_channel_o,
    output logic [6:0]           tx_count_o,    // atomics done since the line was opened
    input  wire                  tx_ready_i,
    output logic                 release_o,     // the open line was not changed: forget its entry
    input  wire                  close_busy_i,  // a write-back is handed over but not yet performed
    input  wire                  open_valid_i,
    input  wire  [255:0]         open_data_i,
    input  wire  [1:0]           open_fault_i,
    output logic                 busy_o
);
    localparam int IDLE_W = $clog2(IDLE_CLOSE + 1);
    localparam int OPEN_W = $clog2(MAX_OPEN + 1);

    typedef enum logic [1:0] {IDLE, OPENING, OPEN, CLOSING} state_t;

    state_t            state_q;
    logic [31:5]       line_q;
    logic [6:0]        count_q;
    logic [CHANNEL_W-1:0] channel_q;
    logic [255:0]      data_q;
    logic [7:0]        dirty_q;
    logic [1:0]        fault_q;
    logic [IDLE_W-1:0] idle_q;
    logic [OPEN_W-1:0] open_q;

    logic [2:0]  word;
    logic [31:0] old, alu_result, result;
    logic        same_line, changes, want_close, expired;

    assign word = req_word_i[4:2];
    assign old = data_q[32*word +: 32];

    atomic_alu u_atomic_alu (
        .atom_i(req_atom_i), .old_i(old), .operand_i(req_operand_i), .swap_i(req_swap_i), .result_o(alu_result), .known_o(changes)
    );

    always_comb begin
        result = alu_result;
        // Defect 43: the signed minimum compares unsigned.
        if (INJECT != 0 && inject_i == 8'd43 && req_atom_i == `ATOM_MIN) result = req_operand_i < old ? req_operand_i : old;
    end

    always_comb begin
        same_line = req_word_i[31:5] == line_q && req_channel_i == channel_q;
        expired = open_q == OPEN_W'(MAX_OPEN);
        want_close = (req_valid_i && !same_line) || (other_valid_i && other_line_i == line_q) ||
                     idle_q == IDLE_W'(IDLE_CLOSE) || expired;
        done_o = state_q == OPEN && req_valid_i && same_line && !expired && !hold_i;
        old_o = fault_q == 2'd0 ? old : 32'd0;
        fault_o = fault_q;
        release_o = state_q == OPEN && want_close && !done_o && dirty_q == 8'd0;
    end

    always_comb begin
        // The line behind close_busy_i may be another one: wait all the same, so that busy_o falls in between.
        tx_valid_o = (state_q == IDLE && req_valid_i && !close_busy_i) || state_q == CLOSING;
        tx_close_o = state_q == CLOSING;
        tx_line_o = state_q == CLOSING ? line_q : req_word_i[31:5];
        tx_data_o = data_q;
        tx_channel_o = channel_q;
        tx_count_o = count_q;
        for (int w = 0; w < 8; w++) tx_strb_o[4*w +: 4] = {4{dirty_q[w]}};
        busy_o = state_q != IDLE || close_busy_i;
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            state_q <= IDLE;
            dirty_q <= '0;
            fault_q <= '0;
            line_q <= '0;
            count_q <= '0;
            channel_q <= '0;
            idle_q <= '0;
            open_q <= '0;
        end else begin
            case (state_q)
                IDLE: if (tx_valid_o && tx_ready_i) begin
                    state_q <= OPENING;
                    line_q <= req_word_i[31:5];
                    channel_q <= req_channel_i;
                end
                OPENING: if (open_valid_i) begin
                    state_q <= OPEN;
                    data_q <= open_data_i;
                    fault_q <= open_fault_i;
                    dirty_q <= '0;
                    idle_q <= '0;
                    open_q <= '0;
                    count_q <= '0;
                end
                OPEN: begin
                    if (!expired) open_q <= open_q + OPEN_W'(1);
                    idle_q <= idle_q + IDLE_W'(1);
                    if (done_o) begin
                        idle_q <= '0;
                        count_q <= count_q + 7'd1;
                        if (changes && fault_q == 2'd0) begin
                            data_q[32*word +: 32] <= result;
                            dirty_q[word] <= 1'b1;
                        end
                    end else if (want_close) begin
                        state_q <= dirty_q == 8'd0 ? IDLE : CLOSING;
                    end
                end
                CLOSING: if (tx_ready_i) state_q <= IDLE;
            endcase
        end
    end

`ifndef SYNTHESIS
    initial if (MAX_OPEN > 127) $error("MAX_OPEN must fit tx_count_o");
`endif
endmodule
`default_nettype wire
