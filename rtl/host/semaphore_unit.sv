// Semaphore unit: carries out one SEMAPHORED operation at a time and remembers, for each channel, the acquire that it waits for.
//
// Protocol: op_valid_i stays high, with the other op_* inputs unchanged, until op_done_o (one cycle). op_result_o then says:
// DONE (acquired, released or reduced), BLOCKED (an acquire did not get its value: offer the operation again when retry_o of the
// channel is high) or FAULT (op_code_o, op_info_o). Nothing of an operation that faults before its access reaches the memory.
// Memory: one request at a time on port 1. ACQUIRE, ACQ_GEQ, ACQ_AND read the line; RELEASE writes 4 bytes, or 16 bytes {payload, 0,
// time} in one request, so that nobody sees the payload without the time; REDUCTION is an atomic of the memory unit.
// A blocked channel is offered again when (a) somebody wrote the semaphore's line since its last try began (snoop), (b) ACQUIRE_RETRY
// cycles have passed, (c) ACQUIRE_TIMEOUT cycles have passed since the first try: that try is the last one, and faults when it fails.
// blocked_addr_o, blocked_payload_o: those of the acquire that was tried last, whatever came of it; 0 behind a reset of the channel.
// Latency: request 1 cycle after op_valid_i, op_done_o 1 cycle after the answer. Snoop to retry_o: 1 cycle.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/methods.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"
`include "coverage.svh"

module semaphore_unit #(
    parameter int CHANNELS = 4,
    parameter int INJECT = 0,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                    clk_i,
    input  wire                    rst_i,
    input  wire  [7:0]             inject_i,

    `SEMAPHORE_IN(op),
    input  wire  [63:0]            time_i,   // nanoseconds

    // the channels' waits
    input  wire  [CHANNELS-1:0]    clear_i,  // the channel has been reset
    input  wire  [CHANNELS*32-1:0] acquire_retry_i,
    input  wire  [CHANNELS*32-1:0] acquire_timeout_i,
    input  wire  [CHANNELS*32-1:0] space_base_i,
    `SNOOP_IN(snoop),
    output logic [CHANNELS-1:0]    blocked_o,
    output logic [CHANNELS-1:0]    retry_o,
    `BLOCKED_OUTS(blocked, CHANNELS),

    // port 1 of the memory unit
    `REQUEST_OUT(mem_req),
    `ANSWER_IN(mem_rsp),

    `TRACE_SEMAPHORE_PORTS
);
    localparam logic [4:0] ACQUIRE = `HOST_SEMAPHORED_OPERATION_ACQUIRE, RELEASE = `HOST_SEMAPHORED_OPERATION_RELEASE,
                           ACQ_GEQ = `HOST_SEMAPHORED_OPERATION_ACQ_GEQ, ACQ_AND = `HOST_SEMAPHORED_OPERATION_ACQ_AND,
                           REDUCTION = `HOST_SEMAPHORED_OPERATION_REDUCTION;
    typedef enum logic [1:0] {S_IDLE, S_REQUEST, S_WAIT, S_DONE} state_t;

    // Deliberate defects: 21 compares ACQ_GEQ as unsigned numbers, 23 reduces with OR where XOR is asked for.
    wire inject_geq = (INJECT != 0) && inject_i == 8'd21;
    wire inject_reduction = (INJECT != 0) && inject_i == 8'd23;

    state_t               state_q, state_d;
    logic [1:0]           result_q, result_d;
    logic [7:0]           code_q, code_d;
    logic [31:0]          info_q, info_d;
    logic [63:0]          time_q;
    logic                 last_try_q;   // the wait was over when this try began

    // A write is known late in its cycle, so what was seen of it is put together in the next one.
    logic                   snoop_q;
    logic [CHANNELS-1:0]    blocked_q, wake_q, same_q, wake;  // same: the line that snoop_q is about is the channel's
    logic [CHANNELS*32-1:0] addr_q, payload_q, retry_q, waited_q;
    logic [CHANNELS-1:0]    timed_out;

    // ---- what the operation asks for ----
    wire [4:0] operation = op_word_i[`HOST_SEMAPHORED_OPERATION];
    wire       size_4 = op_word_i[`HOST_SEMAPHORED_RELEASE_SIZE] == `HOST_SEMAPHORED_RELEASE_SIZE_4BYTE;
    wire [3:0] reduction = op_word_i[`HOST_SEMAPHORED_REDUCTION];
    wire       is_unsigned = op_word_i[`HOST_SEMAPHORED_FORMAT] == `HOST_SEMAPHORED_FORMAT_UNSIGNED;
    wire       is_acquire = operation == ACQUIRE || operation == ACQ_GEQ || operation == ACQ_AND;
    wire       is_release = operation == RELEASE;
    wire       is_reduction = operation == REDUCTION;
    wire       bad = !(is_acquire || is_release || (is_reduction && !reduction[3])) || op_addr_i[1:0] != 2'd0
                     || (is_release && !size_4 && op_addr_i[3:2] != 2'd0);
    wire       outside = op_addr_i[39:32] != 8'd0;

    logic [3:0] atom;
    always_comb begin
        case (reduction)
            `HOST_SEMAPHORED_REDUCTION_MIN: atom = is_unsigned ? `ATOM_UMIN : `ATOM_MIN;
            `HOST_SEMAPHORED_REDUCTION_MAX: atom = is_unsigned ? `ATOM_UMAX : `ATOM_MAX;
            `HOST_SEMAPHORED_REDUCTION_XOR: atom = inject_reduction ? `ATOM_OR : `ATOM_XOR;
            `HOST_SEMAPHORED_REDUCTION_AND: atom = `ATOM_AND;
            `HOST_SEMAPHORED_REDUCTION_OR: atom = `ATOM_OR;
            `HOST_SEMAPHORED_REDUCTION_ADD: atom = `ATOM_ADD;
            `HOST_SEMAPHORED_REDUCTION_INC: atom = `ATOM_INC;
            default: atom = `ATOM_DEC;
        endcase
    end

    // Registered, for the memory unit's arbiter asks for it: the operation has stood at least a cycle before its request.
    logic [1:0]  request_op_q;
    logic [31:0] second_q;  // the second word that is written
    always_ff @(posedge clk_i) begin
        request_op_q <= is_acquire ? `REQUEST_READ : is_release ? `REQUEST_WRITE : `REQUEST_ATOMIC;
        second_q <= size_4 && !is_reduction ? op_payload_i : 32'd0;
    end

    always_comb begin
        mem_req_valid_o = state_q == S_REQUEST;
        mem_req_channel_o = op_channel_i;
        mem_req_op_o = request_op_q;
        mem_req_atom_o = is_reduction ? atom : 4'd0;
        mem_req_addr_o = is_reduction ? op_addr_i[31:0] : {op_addr_i[31:5], 5'd0};
        mem_req_wstrb_o = 32'd0;
        // The same in both halves of the line; the strobes choose. Of a reduction the words behind the operand are 0 or nobody's.
        mem_req_wdata_o = {2{size_4 ? {2{op_payload_i}} : time_q, second_q, op_payload_i}};
        if (is_release) begin
            for (int w = 0; w < 8; w++)
                if (size_4 ? op_addr_i[4:2] == 3'(w) : op_addr_i[4] == (w >= 4)) mem_req_wstrb_o[4*w +: 4] = 4'hF;
        end
    end

    // ---- the answer ----
    wire [31:0] word = is_reduction ? mem_rsp_data_i[31:0] : mem_rsp_data_i[{op_addr_i[4:2], 5'd0} +: 32];
    wire [31:0] above = word - op_payload_i;
    // Bits that nothing of an operation depends on.
    wire unused = &{1'b0, op_word_i[23:5], op_word_i[26:25], above[30:0], snoop_addr_i[4:0], inject_i};
    logic       success;
    always_comb begin
        case (operation)
            ACQUIRE: success = word == op_payload_i;
            ACQ_GEQ: success = inject_geq ? word >= op_payload_i : !above[31];
            ACQ_AND: success = (word & op_payload_i) != 32'd0;
            default: success = 1'b1;
        endcase
    end
    wire tried = state_q == S_WAIT && mem_rsp_valid_i && mem_rsp_fault_i == `ANSWER_GOOD;

    always_comb begin
        state_d = state_q;
        result_d = result_q;
        code_d = code_q;
        info_d = info_q;
        case (state_q)
            S_IDLE: if (op_valid_i) begin
                info_d = op_addr_i[31:0];
                result_d = `SEMAPHORE_FAULT;
                code_d = bad ? `FAULT_SEMAPHORE : `FAULT_SEMAPHORE_ADDRESS;
                state_d = S_REQUEST;
                if (bad || outside) state_d = S_DONE;
            end
            S_REQUEST: if (mem_req_ready_i) state_d = S_WAIT;
            S_WAIT: if (mem_rsp_valid_i) begin
                state_d = S_DONE;
                if (mem_rsp_fault_i != `ANSWER_GOOD) begin
                    result_d = `SEMAPHORE_FAULT;
                    code_d = mem_rsp_fault_i == `ANSWER_OUTSIDE ? `FAULT_SEMAPHORE_ADDRESS : `FAULT_BUS_ERROR;
                end else if (success) begin
                    result_d = `SEMAPHORE_DONE;
                end else begin
                    result_d = last_try_q ? `SEMAPHORE_FAULT : `SEMAPHORE_BLOCKED;
                    code_d = `FAULT_ACQUIRE;
                end
            end
            default: state_d = S_IDLE;
        endcase
    end

    always_ff @(posedge clk_i) begin
        if (rst_i) begin
            state_q <= S_IDLE;
            result_q <= `SEMAPHORE_DONE;
            code_q <= 8'd0;
            info_q <= 32'd0;
            time_q <= 64'd0;
            last_try_q <= 1'b0;
        end else begin
            state_q <= state_d;
            result_q <= result_d;
            code_q <= code_d;
            info_q <= info_d;
            if (state_q == S_IDLE) begin
                time_q <= time_i;
                last_try_q <= blocked_q[op_channel_i] && timed_out[op_channel_i];
            end
        end
    end

    assign op_done_o = state_q == S_DONE;
    assign op_result_o = result_q;
    assign op_code_o = code_q;
    assign op_info_o = info_q;

    // ---- the channels' waits ----
    always_ff @(posedge clk_i) snoop_q <= snoop_valid_i;
    for (genvar g = 0; g < CHANNELS; g++) begin : g_channel
        wire        mine = op_channel_i == CHANNEL_W'(g);
        wire        start = state_q == S_IDLE && op_valid_i && mine && is_acquire && !bad && !outside;  // a try begins
        wire        finish = state_q == S_DONE && mine;
        wire [31:0] timeout = acquire_timeout_i[g*32 +: 32];
        // The carries say that the one is 0, and that the other has come to its end.
        wire [32:0] retry_less = {1'b0, retry_q[g*32 +: 32]} - 33'd1;
        wire [32:0] waited_more = {1'b0, waited_q[g*32 +: 32]} + 33'd1;
        wire [31:0] physical = space_base_i[g*32 +: 32] + addr_q[g*32 +: 32];
        wire        unused_low = &{1'b0, physical[4:0]};

        assign timed_out[g] = timeout != 32'd0 && waited_q[g*32 +: 32] >= timeout;
        assign wake[g] = wake_q[g] || (snoop_q && same_q[g]);
        assign retry_o[g] = blocked_q[g] && (wake[g] || retry_less[32] || timed_out[g]);

        always_ff @(posedge clk_i) begin
            if (rst_i || clear_i[g]) begin
                blocked_q[g] <= 1'b0;
                addr_q[g*32 +: 32] <= 32'd0;
                payload_q[g*32 +: 32] <= 32'd0;
            end else begin
                // A write while the try is under way must not be missed: remembered from the start of the try on.
                wake_q[g] <= wake[g] && !start;
                same_q[g] <= physical[31:5] == snoop_addr_i[31:5] && !start;
                if (start) begin
                    addr_q[g*32 +: 32] <= op_addr_i[31:0];
                    payload_q[g*32 +: 32] <= op_payload_i;
                end
                if (finish) begin
                    blocked_q[g] <= result_q == `SEMAPHORE_BLOCKED;
                    retry_q[g*32 +: 32] <= acquire_retry_i[g*32 +: 32];
                end else if (!retry_less[32]) begin
                    retry_q[g*32 +: 32] <= retry_less[31:0];
                end
                if (!blocked_q[g]) waited_q[g*32 +: 32] <= 32'd0;
                else if (!waited_more[32]) waited_q[g*32 +: 32] <= waited_more[31:0];
            end
        end
    end

    assign blocked_o = blocked_q;
    assign blocked_addr_o = addr_q;
    assign blocked_payload_o = payload_q;

    // ---- trace ----
    assign trace_semaphore_valid_o = tried;
    assign trace_semaphore_channel_o = 8'(op_channel_i);
    assign trace_semaphore_operation_o = operation;
    assign trace_semaphore_addr_o = op_addr_i;
    assign trace_semaphore_payload_o = op_payload_i;
    assign trace_semaphore_value_o = is_release ? 32'd0 : word;
    assign trace_semaphore_done_o = success;
    assign trace_semaphore_time_o = (is_release && !size_4) ? time_q : 64'd0;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (!rst_i) begin
            assert (!(state_q != S_IDLE && !op_valid_i));                     // an operation is not taken back
            assert (!(mem_rsp_valid_i && state_q != S_WAIT));                 // no answer without a request
            assert (!(|(clear_i & ({{(CHANNELS-1){1'b0}}, state_q != S_IDLE} << op_channel_i))));  // no reset in the middle of one
        end
    end
    always_ff @(posedge clk_i) if (!rst_i) begin
        `COVER(acquire, tried && operation == ACQUIRE && success)
        `COVER(acq_geq, tried && operation == ACQ_GEQ && success)
        `COVER(acq_and, tried && operation == ACQ_AND && success)
        `COVER(blocked, op_done_o && result_q == `SEMAPHORE_BLOCKED)
        `COVER(timed_out, op_done_o && result_q == `SEMAPHORE_FAULT && code_q == `FAULT_ACQUIRE)
        `COVER(release_4, tried && is_release && size_4)
        `COVER(release_16, tried && is_release && !size_4)
        `COVER(reduction_min, tried && is_reduction && reduction == `HOST_SEMAPHORED_REDUCTION_MIN && is_unsigned)
        `COVER(reduction_signed_min, tried && is_reduction && reduction == `HOST_SEMAPHORED_REDUCTION_MIN && !is_unsigned)
        `COVER(reduction_max, tried && is_reduction && reduction == `HOST_SEMAPHORED_REDUCTION_MAX && is_unsigned)
        `COVER(reduction_signed_max, tried && is_reduction && reduction == `HOST_SEMAPHORED_REDUCTION_MAX && !is_unsigned)
        `COVER(reduction_xor, tried && is_reduction && reduction == `HOST_SEMAPHORED_REDUCTION_XOR && is_unsigned)
        `COVER(reduction_signed_xor, tried && is_reduction && reduction == `HOST_SEMAPHORED_REDUCTION_XOR && !is_unsigned)
        `COVER(reduction_and, tried && is_reduction && reduction == `HOST_SEMAPHORED_REDUCTION_AND && is_unsigned)
        `COVER(reduction_signed_and, tried && is_reduction && reduction == `HOST_SEMAPHORED_REDUCTION_AND && !is_unsigned)
        `COVER(reduction_or, tried && is_reduction && reduction == `HOST_SEMAPHORED_REDUCTION_OR && is_unsigned)
        `COVER(reduction_signed_or, tried && is_reduction && reduction == `HOST_SEMAPHORED_REDUCTION_OR && !is_unsigned)
        `COVER(reduction_add, tried && is_reduction && reduction == `HOST_SEMAPHORED_REDUCTION_ADD && is_unsigned)
        `COVER(reduction_signed_add, tried && is_reduction && reduction == `HOST_SEMAPHORED_REDUCTION_ADD && !is_unsigned)
        `COVER(reduction_inc, tried && is_reduction && reduction == `HOST_SEMAPHORED_REDUCTION_INC && is_unsigned)
        `COVER(reduction_signed_inc, tried && is_reduction && reduction == `HOST_SEMAPHORED_REDUCTION_INC && !is_unsigned)
        `COVER(reduction_dec, tried && is_reduction && reduction == `HOST_SEMAPHORED_REDUCTION_DEC && is_unsigned)
        `COVER(reduction_signed_dec, tried && is_reduction && reduction == `HOST_SEMAPHORED_REDUCTION_DEC && !is_unsigned)
        `COVER(several_blocked, (blocked_q & (blocked_q - CHANNELS'(1))) != '0)
        `COVER(woken_by_a_write, |(blocked_q & wake))
        `COVER(written_while_tried, state_q == S_WAIT && wake[op_channel_i])
    end
`endif
endmodule
`default_nettype wire
