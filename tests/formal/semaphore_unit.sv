// One operation of the semaphore unit is one request to memory at most, with all of it: its channel, place, data, kind of reduction; so nothing
// of another operation comes between its parts. It is answered exactly once, and at once; what it may not do never reaches the memory; no write
// that could end a channel's wait is missed.
//
// proof quick frames 14
// shows WQ-7
// reads rtl/host/semaphore_unit.sv
// sets CHANNELS=2
// mutant asks again while it waits for the answer: rtl/host/semaphore_unit.sv
// - mem_req_valid_o = state_q == S_REQUEST;
// + mem_req_valid_o = state_q == S_REQUEST || state_q == S_WAIT;
// mutant a write during the try is forgotten: rtl/host/semaphore_unit.sv
// - wake_q[g] <= wake[g] && !start;
// + wake_q[g] <= wake[g] && !start && blocked_q[g];
// mutant compares ACQ_GEQ as unsigned numbers: rtl/host/semaphore_unit.sv
// - ACQ_GEQ: success = inject_geq ? word >= op_payload_i : !above[31];
// + ACQ_GEQ: success = word >= op_payload_i;
// mutant the time of a release comes in another write: rtl/host/semaphore_unit.sv
// - op_addr_i[4] == (w >= 4)) mem_req_wstrb_o
// + op_addr_i[4] == (w >= 4) && w % 4 < 2) mem_req_wstrb_o
`include "formal.svh"
`include "gen/isa.svh"
`include "gen/registers.svh"

module prove_semaphore_unit #(
    parameter CHANNELS = 2
) (
    input wire clk_i
);
    localparam CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1;
    localparam [4:0] ACQUIRE = 5'd1, RELEASE = 5'd2, ACQ_GEQ = 5'd4, ACQ_AND = 5'd8, REDUCTION = 5'd16;
    localparam [1:0] DONE = 2'd0, BLOCKED = 2'd1, FAULT = 2'd2;
    `RESET(rst)
    `SOME(1, c)               // a channel
    `ANY(1, op_valid)
    `ANY(CHANNEL_W, channel)
    `ANY(32, op_word)
    `ANY(40, op_addr)
    `ANY(32, payload)
    `ANY(64, now)
    `ANY(CHANNELS, clear)
    `ANY(CHANNELS*32, retry_cycles)
    `ANY(CHANNELS*32, timeout_cycles)
    `ANY(1, snoop)
    `ANY(32, snoop_addr)
    `ANY(1, mem_ready)
    `ANY(1, mem_rsp)
    `ANY(256, mem_data)
    `ANY(2, mem_fault)
    wire done, mem_valid;
    wire [1:0] result, mem_op;
    wire [CHANNELS-1:0] blocked, retry;
    wire [31:0] mem_addr, mem_strobes;
    wire [CHANNEL_W-1:0] mem_channel;
    wire [3:0] mem_atom;
    wire [255:0] mem_wdata;

    semaphore_unit #(.CHANNELS(CHANNELS)) dut (
        .clk_i, .rst_i(rst), .inject_i(8'd0), .op_valid_i(op_valid), .op_channel_i(channel), .op_word_i(op_word), .op_addr_i(op_addr),
        .op_payload_i(payload), .time_i(now), .op_done_o(done), .op_result_o(result), .clear_i(clear), .acquire_retry_i(retry_cycles),
        .acquire_timeout_i(timeout_cycles), .space_base_i({CHANNELS{32'd0}}), .snoop_valid_i(snoop), .snoop_addr_i(snoop_addr),
        .blocked_o(blocked), .retry_o(retry), .mem_req_valid_o(mem_valid), .mem_req_ready_i(mem_ready), .mem_req_op_o(mem_op),
        .mem_req_addr_o(mem_addr), .mem_req_wstrb_o(mem_strobes), .mem_req_channel_o(mem_channel),
        .mem_req_atom_o(mem_atom), .mem_req_wdata_o(mem_wdata), .mem_rsp_valid_i(mem_rsp), .mem_rsp_data_i(mem_data), .mem_rsp_fault_i(mem_fault));

    // ---- the parser keeps an operation until it is done; the memory answers a request once; a channel with an operation is not reset ----
    logic under_way = 1'b0, taken = 1'b0, answered = 1'b0;
    logic [CHANNEL_W-1:0] channel_q;
    logic [31:0] word_q, payload_q;
    logic [39:0] addr_q;
    always_ff @(posedge clk_i) begin
        under_way <= op_valid && !done && !rst;
        channel_q <= channel;
        word_q <= op_word;
        payload_q <= payload;
        addr_q <= op_addr;
        taken <= !rst && !done && (taken || (mem_valid && mem_ready));
        answered <= !rst && !done && (answered || mem_rsp);
    end
    `ASSUME(!rst || !op_valid)
    `ASSUME(!under_way || (op_valid && channel == channel_q && op_word == word_q && payload == payload_q && op_addr == addr_q))
    `ASSUME(!mem_rsp || (taken && !answered))
    `ASSUME(!op_valid || !clear[channel])

    wire [4:0] operation = op_word[4:0];
    wire acquire = operation == ACQUIRE || operation == ACQ_GEQ || operation == ACQ_AND;
    wire allowed = (acquire || operation == RELEASE || (operation == REDUCTION && !op_word[30])) && op_addr[39:32] == 8'd0 &&
                   op_addr[1:0] == 2'd0 && !(operation == RELEASE && !op_word[24] && op_addr[3:2] != 2'd0);

    // One request, one answer.
    `CHECK(rst || !done || op_valid)
    `CHECK(rst || !(mem_valid && (taken || !op_valid || done)))
    `CHECK(rst || !done || taken == answered)
    `CHECK(rst || !done || taken == allowed)
    `CHECK(rst || !done || taken || result == FAULT)
    `CHECK(rst || !mem_valid || allowed)
    `CHECK(rst || !under_way || done || mem_valid || (taken && !answered))   // it never stands still
    `CHECK(rst || !answered || done)
    // The request is the whole operation.
    `CHECK(rst || !mem_valid || mem_op == (acquire ? 2'd0 : operation == RELEASE ? 2'd1 : 2'd2))
    `CHECK(rst || !mem_valid || (mem_op == 2'd2 ? mem_addr == op_addr[31:0] : mem_addr == {op_addr[31:5], 5'd0}))
    `CHECK(rst || !mem_valid || mem_op != 2'd1 || mem_strobes == (op_word[24] ? 32'hF : 32'hFFFF) << op_addr[4:0])
    logic [31:0] release_word;
    logic [63:0] release_words;   // without the time
    logic [3:0] atom;
    always_comb begin
        release_word = '0;
        for (int w = 0; w < 8; w++) if (op_addr[4:2] == 3'(w)) release_word = mem_wdata[32*w +: 32];
        release_words = op_addr[4] ? mem_wdata[191:128] : mem_wdata[63:0];
        case (op_word[29:27])
            3'd0: atom = op_word[31] ? `ATOM_UMIN : `ATOM_MIN;
            3'd1: atom = op_word[31] ? `ATOM_UMAX : `ATOM_MAX;
            3'd2: atom = `ATOM_XOR;
            3'd3: atom = `ATOM_AND;
            3'd4: atom = `ATOM_OR;
            3'd5: atom = `ATOM_ADD;
            3'd6: atom = `ATOM_INC;
            default: atom = `ATOM_DEC;
        endcase
    end
    `CHECK(rst || !mem_valid || mem_channel == channel)
    `CHECK(rst || !mem_valid || mem_op != 2'd1 || (op_word[24] ? release_word == payload : release_words == {32'd0, payload}))
    `CHECK(rst || !mem_valid || mem_op != 2'd2 || (mem_atom == atom && mem_wdata[31:0] == payload))
    // An acquire is done when the word fits, and only then; nothing else waits.
    logic [31:0] word;
    always_comb begin
        word = '0;
        for (int w = 0; w < 8; w++) if (op_addr[4:2] == 3'(w)) word = mem_data[32*w +: 32];
    end
    wire [31:0] difference = word - payload;
    logic fits = 1'b0, broken = 1'b0;
    always_ff @(posedge clk_i) begin
        if (mem_rsp) begin
            fits <= operation == ACQUIRE ? word == payload : operation == ACQ_GEQ ? !difference[31] : (word & payload) != '0;
            broken <= mem_fault != 2'd0;
        end
    end
    `CHECK(rst || !(done && answered) || (result == FAULT) >= broken)
    `CHECK(rst || !(done && answered && !broken && acquire) || (result == DONE) == fits)
    `CHECK(rst || !(done && answered && !broken && !acquire) || result == DONE)

    // No lost wake: after a write to the semaphore's line since the try began, a blocked channel is tried again.
    logic hit = 1'b0;
    logic [31:5] line = '0;
    wire begins = op_valid && !under_way && !rst && acquire && allowed && channel == CHANNEL_W'(c);
    always_ff @(posedge clk_i) begin
        if (rst || clear[c]) begin
            hit <= 1'b0;
            line <= '0;
        end else if (begins) begin
            hit <= 1'b0;
            line <= op_addr[31:5];
        end else if (snoop && snoop_addr[31:5] == line) hit <= 1'b1;
    end
    `CHECK(rst || !(blocked[c] && hit) || retry[c])

    `REACH(!rst && done && result == DONE && acquire)
    `REACH(!rst && done && result == BLOCKED && blocked[c] && hit)
    `REACH(!rst && done && result == FAULT && acquire && answered && !broken)
    `REACH(!rst && done && operation == RELEASE && !op_word[24] && result == DONE)
    `REACH(!rst && done && operation == REDUCTION && result == DONE)
    `REACH(!rst && done && !taken)
endmodule
