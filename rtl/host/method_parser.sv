// Method parser: decodes the words of command blocks and executes the methods of the host class (B06F) and the compute class (A0C0).
//
// Each channel has its own parser state (rest of the running method, semaphore words, bound object, launch words), so channels can be
// served in any order. A method whose data words end with a block goes on in the channel's next block.
// Protocol: run_valid_i and the other run_* inputs stay until run_done_o, in the same cycle for all but semaphore operations. run_result_o:
// NEXT (the word was a header or a NOP), METHOD (a method is executed: event METHOD), HELD (the method waits: the parser keeps it; the
// channel is offered again with run_held_i when held_ready_o is high), FAULT (run_code_o, run_info_o), END (rest of the block is
// to be skipped), YIELD (METHOD, and another channel shall have its turn).
// Latency: 0 cycles; semaphores those of semaphore_unit. Throughput: a word a cycle.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/methods.svh"
`include "gen/registers.svh"
`include "gen/trace.svh"

module method_parser #(
    parameter int CHANNELS = 4,
    parameter int INJECT = 0,
    localparam int CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1
) (
    input  wire                   clk_i,
    input  wire                   rst_i,
    input  wire  [7:0]            inject_i,

    input  wire  [CHANNELS-1:0]   reset_i,

    `RUN_IN(run),
    output logic [CHANNELS-1:0]   held_o,
    output logic [CHANNELS-1:0]   held_ready_o,
    output logic [CHANNELS*2-1:0] held_reason_o,  // 0 idle, 1 task unit, 2 semaphore

    // semaphore unit
    `SEMAPHORE_OUT(sem),
    input  wire  [CHANNELS-1:0]   sem_retry_i,

    // registers
    output logic                  reference_valid_o,
    output logic [31:0]           reference_value_o,
    output logic                  interrupt_valid_o,
    output logic [CHANNELS*32-1:0] signature_o,  // of all methods executed

    // task unit
    `LAUNCH_OUT(launch),
    output logic                  icache_invalidate_o,
    input  wire  [CHANNELS-1:0]   channel_idle_i,

    `TRACE_METHOD_PORTS
);
    localparam logic [31:0] END_PB_SEGMENT = {`DMA_SEC_OP_END_PB_SEGMENT, 29'd0};
    // What the address does after each data word.
    localparam logic [1:0] MODE_INC = 2'd0, MODE_NON_INC = 2'd1, MODE_ONE_INC = 2'd2;

    // Deliberate defects: 22 counts one data word too few for methods of more than four, 24 does not wait for idle before a release,
    // 27 forgets the second increment state of ONE_INC.
    wire inject_count = (INJECT != 0) && inject_i == 8'd22;
    wire inject_release = (INJECT != 0) && inject_i == 8'd24;
    wire inject_one = (INJECT != 0) && inject_i == 8'd27;
    wire unused = &{1'b0, inject_i};

    // ---- state of the channels, channel c at c*W +: W ----
    logic [CHANNELS*13-1:0] count_q;      // data words still to come of the running method
    logic [CHANNELS*12-1:0] address_q;
    logic [CHANNELS*3-1:0]  subchannel_q;  // of the last header, whose method may be held
    logic [CHANNELS*2-1:0]  mode_q;
    logic [CHANNELS-1:0]    object_q;     // the compute class is bound to its subchannel
    logic [CHANNELS*8-1:0]  semaphore_a_q;
    logic [CHANNELS*32-1:0] semaphore_b_q, semaphore_c_q, pcas_a_q, region_q, local_q;
    logic [CHANNELS-1:0]    held_q;
    logic [CHANNELS*2-1:0]  held_reason_q;
    logic [CHANNELS*12-1:0] held_address_q;
    logic [CHANNELS*32-1:0] held_data_q;

    wire [CHANNEL_W-1:0] c = run_channel_i;
    logic [12:0] count;
    logic [11:0] address, held_address;
    logic [2:0]  open_subchannel;
    always_comb begin
        {count, address, held_address, open_subchannel} = '0;
        for (int i = 0; i < CHANNELS; i++)
            if (c == CHANNEL_W'(i)) begin
                count = count_q[i*13 +: 13];
                address = address_q[i*12 +: 12];
                held_address = held_address_q[i*12 +: 12];
                open_subchannel = subchannel_q[i*3 +: 3];
            end
    end
    wire [1:0]  mode = mode_q[c*2 +: 2];
    wire        idle = channel_idle_i[c];
    wire [31:0] pcas_a = pcas_a_q[c*32 +: 32];

    // ---- header or data ----
    wire [31:0] word = run_word_i;
    wire [2:0]  sec_op = word[`DMA_SEC_OP];
    wire        is_header = !run_held_i && count == 13'd0;
    wire        opens = sec_op == `DMA_SEC_OP_INC_METHOD || sec_op == `DMA_SEC_OP_NON_INC_METHOD || sec_op == `DMA_SEC_OP_ONE_INC;  // a method with data words
    wire        is_method = !is_header || sec_op == `DMA_SEC_OP_IMMD_DATA_METHOD;
    wire [12:0] words = word[`DMA_METHOD_COUNT] - ((inject_count && word[`DMA_METHOD_COUNT] > 13'd4) ? 13'd1 : 13'd0);

    // ---- the method, if there is one ----
    wire [2:0]  subchannel = is_header ? word[`DMA_METHOD_SUBCHANNEL] : open_subchannel;
    wire [11:0] method = run_held_i ? held_address : is_header ? word[`DMA_METHOD_ADDRESS] : address;
    wire [31:0] data = run_held_i ? held_data_q[c*32 +: 32] : is_header ? {19'd0, word[`DMA_IMMD_DATA]} : word;
    wire        is_host = method < `COMPUTE_FIRST;
    wire        is_release = data[`HOST_SEMAPHORED_OPERATION] == `HOST_SEMAPHORED_OPERATION_RELEASE;
    wire [31:0] tmd = {pcas_a[23:0], 8'd0};

    assign launch_valid_o = run_valid_i && is_method && subchannel == `COMPUTE_SUBCHANNEL && object_q[c]
                            && method == `COMPUTE_SEND_SIGNALING_PCAS_B && data[`COMPUTE_SEND_SIGNALING_PCAS_B_SCHEDULE] && pcas_a[31:24] == 8'd0;

    logic       execute;       // the method is executed now
    logic       wait_idle;     // or: it waits for the channel's tasks
    logic       wait_launch;   // or: it waits for the task unit
    logic       is_semaphore;  // or: the semaphore unit works on it
    logic       fault;         // or: it faults
    logic [7:0] code;
    logic [31:0] info;
    always_comb begin
        execute = 1'b0;
        wait_idle = 1'b0;
        wait_launch = 1'b0;
        is_semaphore = 1'b0;
        fault = 1'b0;
        code = `FAULT_METHOD;
        info = {13'd0, subchannel, 2'd0, method, 2'd0};
        if (run_valid_i && is_method) begin
            if (is_host) begin
                case (method)
                    `HOST_SET_OBJECT: begin
                        execute = data[`HOST_SET_OBJECT_NVCLASS] == `COMPUTE_CLASS && subchannel == `COMPUTE_SUBCHANNEL;
                        fault = !execute;
                    end
                    `HOST_NOP, `HOST_SEMAPHOREA, `HOST_SEMAPHOREB, `HOST_SEMAPHOREC, `HOST_NON_STALL_INTERRUPT, `HOST_YIELD: execute = 1'b1;
                    `HOST_SEMAPHORED: begin
                        wait_idle = is_release && data[`HOST_SEMAPHORED_RELEASE_WFI] == `HOST_SEMAPHORED_RELEASE_WFI_EN && !idle && !inject_release;
                        is_semaphore = !wait_idle;
                    end
                    `HOST_SET_REFERENCE, `HOST_WFI: begin
                        execute = idle;
                        wait_idle = !idle;
                    end
                    default: fault = 1'b1;
                endcase
            end else if (subchannel != `COMPUTE_SUBCHANNEL || !object_q[c]) begin
                fault = 1'b1;
                code = `FAULT_DEVICE;
                info = {29'd0, subchannel};
            end else begin
                case (method)
                    `COMPUTE_NO_OPERATION, `COMPUTE_INVALIDATE_SHADER_CACHES, `COMPUTE_SEND_PCAS_A, `COMPUTE_SET_SHADER_LOCAL_MEMORY_B,
                    `COMPUTE_SET_PROGRAM_REGION_B: execute = 1'b1;
                    `COMPUTE_WAIT_FOR_IDLE: begin
                        execute = idle;
                        wait_idle = !idle;
                    end
                    `COMPUTE_SET_SHADER_LOCAL_MEMORY_A, `COMPUTE_SET_PROGRAM_REGION_A: begin  // an address beyond 32 bits
                        execute = data == 32'd0;
                        fault = !execute;
                    end
                    `COMPUTE_SEND_SIGNALING_PCAS_B: begin
                        if (!data[`COMPUTE_SEND_SIGNALING_PCAS_B_SCHEDULE]) execute = 1'b1;
                        else if (pcas_a[31:24] != 8'd0) begin
                            fault = 1'b1;
                            code = `FAULT_TMD_FETCH;
                            info = tmd;
                        end else begin
                            execute = launch_ready_i;
                            wait_launch = !launch_ready_i;
                        end
                    end
                    default: fault = 1'b1;
                endcase
            end
        end else if (run_valid_i && !opens && word != 32'd0 && word != END_PB_SEGMENT) begin
            fault = 1'b1;
            code = `FAULT_PBENTRY;
            info = word;
        end
        if (is_semaphore && sem_done_i) begin
            execute = sem_result_i == `SEMAPHORE_DONE;
            fault = sem_result_i != `SEMAPHORE_DONE && sem_result_i != `SEMAPHORE_BLOCKED;
            code = sem_code_i;
            info = sem_info_i;
        end
    end
    wire blocked = is_semaphore && sem_done_i && sem_result_i == `SEMAPHORE_BLOCKED;
    wire hold = wait_idle || wait_launch || blocked;

    assign run_done_o = run_valid_i && (!is_semaphore || sem_done_i);
    assign run_code_o = code;
    assign run_info_o = info;
    always_comb begin
        run_result_o = `RUN_NEXT;
        if (fault) run_result_o = `RUN_FAULT;
        else if (hold) run_result_o = `RUN_HELD;
        else if (is_method) run_result_o = (method == `HOST_YIELD && data[`HOST_YIELD_OP] != `HOST_YIELD_OP_NOP) ? `RUN_YIELD : `RUN_METHOD;
        else if (word == END_PB_SEGMENT) run_result_o = `RUN_END;
    end

    // ---- what a method does ----
    assign sem_valid_o = is_semaphore;
    assign sem_channel_o = c;
    assign sem_word_o = data;
    assign sem_addr_o = {semaphore_a_q[c*8 +: 8], semaphore_b_q[c*32 +: 32]};
    assign sem_payload_o = semaphore_c_q[c*32 +: 32];
    assign launch_channel_o = c;
    assign launch_tmd_o = tmd;
    assign launch_region_o = region_q[c*32 +: 32];
    assign launch_local_o = local_q[c*32 +: 32];
    assign icache_invalidate_o = execute && !is_host && method == `COMPUTE_INVALIDATE_SHADER_CACHES;
    assign reference_valid_o = execute && method == `HOST_SET_REFERENCE;
    assign reference_value_o = data;
    assign interrupt_valid_o = execute && method == `HOST_NON_STALL_INTERRUPT;

    // ---- the channels ----
    wire [1:0] new_mode = sec_op == `DMA_SEC_OP_INC_METHOD ? MODE_INC : sec_op == `DMA_SEC_OP_NON_INC_METHOD ? MODE_NON_INC : MODE_ONE_INC;
    for (genvar g = 0; g < CHANNELS; g++) begin : g_channel
        wire mine = c == CHANNEL_W'(g);
        always_ff @(posedge clk_i) begin
            // Nobody looks at these while no data words are to come and nothing is held.
            if (mine && run_done_o) begin
                if (!run_held_i) begin
                    if (is_header) begin
                        address_q[g*12 +: 12] <= word[`DMA_METHOD_ADDRESS];
                        subchannel_q[g*3 +: 3] <= word[`DMA_METHOD_SUBCHANNEL];
                        mode_q[g*2 +: 2] <= new_mode;
                    end else begin
                        if (mode != MODE_NON_INC) address_q[g*12 +: 12] <= address + 12'd1;
                        if (mode == MODE_ONE_INC && !inject_one) mode_q[g*2 +: 2] <= MODE_NON_INC;
                    end
                end
                held_reason_q[g*2 +: 2] <= blocked ? `HELD_SEMAPHORE : wait_launch ? `HELD_LAUNCH : `HELD_IDLE;
                held_address_q[g*12 +: 12] <= method;
                held_data_q[g*32 +: 32] <= data;
            end
            if (rst_i || reset_i[g]) begin
                count_q[g*13 +: 13] <= 13'd0;
                object_q[g] <= 1'b0;
                semaphore_a_q[g*8 +: 8] <= 8'd0;
                semaphore_b_q[g*32 +: 32] <= 32'd0;
                semaphore_c_q[g*32 +: 32] <= 32'd0;
                pcas_a_q[g*32 +: 32] <= 32'd0;
                region_q[g*32 +: 32] <= 32'd0;
                local_q[g*32 +: 32] <= 32'd0;
                held_q[g] <= 1'b0;
            end else begin
                if (mine && run_done_o) begin
                    held_q[g] <= hold;
                    if (is_header && opens) count_q[g*13 +: 13] <= words;
                    else if (!run_held_i && !is_header) count_q[g*13 +: 13] <= count - 13'd1;
                end
                if (mine && execute) begin
                    case (method)
                        `HOST_SET_OBJECT: object_q[g] <= 1'b1;
                        `HOST_SEMAPHOREA: semaphore_a_q[g*8 +: 8] <= data[`HOST_SEMAPHOREA_OFFSET_UPPER];
                        `HOST_SEMAPHOREB: semaphore_b_q[g*32 +: 32] <= data;
                        `HOST_SEMAPHOREC: semaphore_c_q[g*32 +: 32] <= data;
                        `COMPUTE_SEND_PCAS_A: pcas_a_q[g*32 +: 32] <= data;
                        `COMPUTE_SET_SHADER_LOCAL_MEMORY_B: local_q[g*32 +: 32] <= data;
                        `COMPUTE_SET_PROGRAM_REGION_B: region_q[g*32 +: 32] <= data;
                        default: ;
                    endcase
                end
            end
        end
    end

    assign held_o = held_q;
    assign held_reason_o = held_reason_q;
    for (genvar g = 0; g < CHANNELS; g++) begin : g_held
        wire [1:0] reason = held_reason_q[g*2 +: 2];
        assign held_ready_o[g] = reason == `HELD_IDLE ? channel_idle_i[g] : reason == `HELD_LAUNCH ? launch_ready_i : sem_retry_i[g];
    end

    wire [31:0] signature = signature_o[c*32 +: 32];
    wire [31:0] signature_d = {signature[30:0], signature[31]} ^ data ^ {1'b0, subchannel, method, 16'd0};
    for (genvar g = 0; g < CHANNELS; g++) begin : g_signature
        logic [31:0] signature_q;
        always_ff @(posedge clk_i)
            if (rst_i) signature_q <= 32'd0;
            else if (execute && c == CHANNEL_W'(g)) signature_q <= signature_d;
        assign signature_o[g*32 +: 32] = signature_q;
    end

    // ---- trace ----
    assign trace_method_valid_o = execute;
    assign trace_method_channel_o = 8'(c);
    assign trace_method_subchannel_o = subchannel;
    assign trace_method_addr_o = method;
    assign trace_method_data_o = data;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (!rst_i) begin
            assert (!(execute && hold));
            assert (!(run_valid_i && run_held_i && !held_q[c]));
            assert (!(run_valid_i && !run_held_i && held_q[c]));
        end
    end
`endif
endmodule
`default_nettype wire
