// A channel of the host unit in another style: a whole machine of its own, with its registers, its line of memory, its parser and
// its semaphore, so that all channels work at once. All state is one struct: what becomes of it is worked out in one block from
// top to bottom, one thing a cycle; what was committed stands in deeds_o of that cycle.
// A register write waits until the channel has no access under way (quiet_o), and the channel does nothing beside it (pause_i).
// defect_i: 0 none, others as other_host.sv lists them.
`include "gen/bundles.svh"
`include "gen/isa.svh"
`include "gen/methods.svh"
`include "gen/registers.svh"

package other_host_pkg;
    // An access to memory: of the ring or a command block, or of a semaphore.
    typedef struct packed {
        logic         valid, on_semaphore;
        logic [1:0]   op;
        logic [3:0]   atom;
        logic [31:0]  addr, strobes;
        logic [255:0] data;
    } access_t;
    typedef struct packed {
        logic        valid;
        logic [31:0] tmd, region, local_base;
    } launch_t;
    // What a channel commits in a cycle.
    typedef struct packed {
        logic        begun;  // GP_ENTRY
        logic [15:0] begun_get;
        logic [31:0] entry0, entry1;
        logic        method;
        logic [2:0]  subchannel;
        logic [11:0] address;
        logic [31:0] data;
        logic        tried;  // SEMAPHORE
        logic [4:0]  operation;
        logic [39:0] place;
        logic [31:0] payload, value;
        logic        success;
        logic [63:0] stamp;
        logic        moved;  // GP_GET
        logic [15:0] moved_to;
        logic        fault;
        logic [7:0]  code;
        logic [31:0] info, pc;
        logic        interrupt, invalidate;
    } deeds_t;
endpackage

module other_channel
    import other_host_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_i,
    input  int          defect_i,
    // registers: offset in the channel's block, or in its USERD
    input  logic        pause_i,
    output logic        quiet_o,
    input  logic        write_i,
    input  logic        userd_i,
    input  logic [8:0]  offset_i,
    input  logic [31:0] data_i,
    input  logic        read_userd_i,
    input  logic [8:0]  read_offset_i,
    output logic [31:0] read_o,
    output logic [1:0]  priority_o,
    output logic [31:0] space_base_o,
    output logic [31:0] space_size_o,
    output logic        halted_o,
    // memory
    output access_t     access_o,
    input  logic        taken_i,
    input  logic        answer_i,
    input  logic [1:0]  answer_fault_i,
    input  logic [255:0] answer_data_i,
    input  logic        snoop_i,
    input  logic [31:0] snoop_addr_i,
    input  logic [63:0] time_i,
    // tasks
    output launch_t     launch_o,
    input  logic        launched_i,
    input  logic        idle_i,
    input  logic [23:0] tasks_i,
    input  logic        broken_i,
    input  logic [7:0]  broken_code_i,
    input  logic [31:0] broken_info_i,
    input  logic [31:0] broken_pc_i,
    output deeds_t      deeds_o
);
    typedef enum logic [3:0] {REST, FETCHES_ENTRY, HAS_ENTRY, WORDS, FETCHES_WORDS, METHOD, TRIES, TRIED, PASSED, BROKEN} place_t;
    typedef struct packed {
        // registers
        logic         enabled, owned, halted, pending;
        logic [1:0]   level;
        logic [31:0]  base, entries, put, space_base, space_size, retry, timeout, reference, signature;
        logic [15:0]  get;
        logic [7:0]   code;
        logic [31:0]  info, pc;
        // where it stands
        place_t       place;
        logic [31:0]  block;       // address of the next word
        logic [20:0]  left;        // words
        logic         has_line;
        logic [26:0]  line_addr;
        logic [255:0] line;
        logic [7:0]   own_code;    // BROKEN: of the fault that comes
        logic [31:0]  own_info;
        // the method that runs, and the one that is to be executed
        logic [12:0]  count;
        logic         grows, once;  // its address after a word: goes up, goes up for the last time
        logic [11:0]  next_address, address;
        logic [2:0]   next_subchannel, subchannel;
        logic [31:0]  data;
        // what methods have set
        logic         object;
        logic [7:0]   semaphore_a;
        logic [31:0]  semaphore_b, semaphore_c, pcas, region, local_base;
        // the semaphore
        logic         blocked, woken, last_try;
        logic [31:0]  value, until_retry, waited, blocked_addr, blocked_payload;
        logic [63:0]  stamp;
    } state_t;
    state_t r, v;

    wire goes = r.enabled && !r.halted && !r.pending && !pause_i;
    assign quiet_o = r.place != FETCHES_ENTRY && r.place != FETCHES_WORDS && r.place != TRIES;
    assign priority_o = r.level;
    assign space_base_o = r.space_base;
    assign space_size_o = r.space_size;
    assign halted_o = r.halted;

    // ---- the ring ----
    wire [32:0] entry_addr = {1'b0, r.base} + {14'b0, r.get, 3'b0};
    wire        pending_entry = r.place == REST && goes && r.put != {16'b0, r.get};
    wire        sizes_bad = r.entries < 2 || r.entries > 65536;
    wire        ring_bad = sizes_bad || r.put >= r.entries || {16'b0, r.get} >= r.entries;
    function automatic logic [31:0] word_of(input logic [255:0] line, input logic [2:0] number);
        return line[{number, 5'b0} +: 32];
    endfunction

    // ---- the method in hand ----
    wire [4:0]  operation = r.data[`HOST_SEMAPHORED_OPERATION];
    wire        waits_for = operation == 1 || operation == 4 || operation == 8;
    wire        releases = operation == 2;
    wire        reduces = operation == 16;
    wire        short_one = r.data[`HOST_SEMAPHORED_RELEASE_SIZE];
    wire        is_semaphore = r.place == METHOD && r.address == `HOST_SEMAPHORED;
    wire        idle_first = releases && !r.data[`HOST_SEMAPHORED_RELEASE_WFI] && defect_i != 7;
    wire        operation_bad = !(waits_for || releases || (reduces && !r.data[30])) || r.semaphore_b[1:0] != 0
                                || (releases && !short_one && r.semaphore_b[3:0] != 0);
    wire        out_of_time = r.timeout != 0 && r.waited >= r.timeout;
    wire        tries_now = !r.blocked || r.woken || r.until_retry == 0 || out_of_time;
    wire        is_launch = r.place == METHOD && r.address == `COMPUTE_SEND_SIGNALING_PCAS_B && r.subchannel == `COMPUTE_SUBCHANNEL && r.object
                            && r.data[`COMPUTE_SEND_SIGNALING_PCAS_B_SCHEDULE] && r.pcas[31:24] == 0;

    function automatic logic [3:0] atom_of(input logic [2:0] reduction, input logic is_unsigned);
        case (reduction)
            0: return is_unsigned ? `ATOM_UMIN : `ATOM_MIN;
            1: return is_unsigned ? `ATOM_UMAX : `ATOM_MAX;
            2: return defect_i == 6 ? `ATOM_OR : `ATOM_XOR;
            3: return `ATOM_AND;
            4: return `ATOM_OR;
            5: return `ATOM_ADD;
            6: return `ATOM_INC;
            default: return `ATOM_DEC;
        endcase
    endfunction

    always_comb begin
        access_o = '0;
        if (pending_entry && !ring_bad && !entry_addr[32]) begin
            access_o.valid = 1;
            access_o.addr = {entry_addr[31:5], 5'b0};
        end else if (r.place == WORDS && goes && r.left != 0 && !(r.has_line && r.line_addr == r.block[31:5])) begin
            access_o.valid = 1;
            access_o.addr = {r.block[31:5], 5'b0};
        end else if (is_semaphore && goes && !(idle_first && !idle_i) && !operation_bad && r.semaphore_a == 0 && tries_now) begin
            access_o.valid = 1;
            access_o.on_semaphore = 1;
            access_o.op = waits_for ? `REQUEST_READ : releases ? `REQUEST_WRITE : `REQUEST_ATOMIC;
            access_o.addr = reduces ? r.semaphore_b : {r.semaphore_b[31:5], 5'b0};
            if (reduces) begin
                access_o.atom = atom_of(r.data[29:27], r.data[`HOST_SEMAPHORED_FORMAT]);
                access_o.data = 256'(r.semaphore_c);
            end
            if (releases) begin
                access_o.strobes = (short_one ? 32'hF : 32'hFFFF) << r.semaphore_b[4:0];
                access_o.data = (short_one ? 256'(r.semaphore_c) : 256'({time_i, 32'b0, r.semaphore_c})) << {r.semaphore_b[4:0], 3'b0};
                if (defect_i == 14 && !short_one) access_o.strobes = 32'hF << r.semaphore_b[4:0];
            end
        end
        launch_o = '0;
        if (is_launch && goes) launch_o = '{1, {r.pcas[23:0], 8'b0}, defect_i == 10 ? 0 : r.region, r.local_base};
    end

    // ---- what becomes of it ----
    deeds_t d;
    logic [31:0] word, old;
    logic [16:0] next_get;
    logic        host_method, executes;
    always_comb begin
        v = r;
        d = '0;
        word = word_of(r.line, r.block[4:2]);
        old = word_of(r.line, r.semaphore_b[4:2]);
        next_get = {1'b0, r.get} + 1;
        host_method = r.address < `COMPUTE_FIRST;
        executes = 0;

        // The clocks of a blocked acquire, and who wakes it: from the beginning of its last try on.
        if (r.until_retry != 0) v.until_retry = r.until_retry - 1;
        if (r.blocked && r.waited != '1) v.waited = r.waited + 1;
        if (snoop_i && snoop_addr_i[31:5] == 27'((r.space_base + r.blocked_addr) >> 5)) v.woken = 1;

        if (r.pending && !pause_i && quiet_o) begin
            d.fault = 1;
            d.code = r.code;
            d.info = r.info;
            d.pc = r.pc;
        end else case (r.place)
            REST: if (pending_entry) begin
                if (ring_bad || entry_addr[32]) begin
                    d.fault = 1;
                    d.code = ring_bad ? `FAULT_GPPTR : `FAULT_GPFIFO;
                    d.info = !ring_bad ? entry_addr[31:0] : sizes_bad ? r.entries : r.put >= r.entries ? r.put : {16'b0, r.get};
                end else if (taken_i) v.place = FETCHES_ENTRY;
            end
            FETCHES_ENTRY: if (answer_i) begin
                v.place = answer_fault_i == `ANSWER_GOOD ? HAS_ENTRY : BROKEN;
                v.own_code = answer_fault_i == `ANSWER_OUTSIDE ? `FAULT_GPFIFO : `FAULT_BUS_ERROR;
                v.own_info = entry_addr[31:0];
                v.line = answer_data_i;
            end
            HAS_ENTRY: if (goes && r.put != {16'b0, r.get}) begin
                d.begun = 1;
                d.begun_get = r.get;
                d.entry0 = word_of(r.line, entry_addr[4:2]);
                d.entry1 = word_of(r.line, entry_addr[4:2] + 3'd1);
                v.has_line = 0;
                v.left = d.entry1[`GP_ENTRY1_LENGTH];
                v.block = {d.entry0[`GP_ENTRY0_GET], 2'b0};
                v.own_code = `FAULT_GPENTRY;
                v.own_info = d.entry1;
                v.place = d.entry1[`GP_ENTRY1_GET_HI] == 0 || (defect_i == 19 && v.left != 0) ? WORDS : BROKEN;
            end
            WORDS: if (goes) begin
                if (r.left == 0) begin
                    d.moved = 1;
                    d.moved_to = 32'(next_get) == r.entries + (defect_i == 1 ? 1 : 0) ? 0 : next_get[15:0];
                    v.get = d.moved_to;
                    if (r.owned && defect_i != 18) v.put = {16'b0, r.get};
                    v.has_line = 0;
                    v.place = REST;
                end else if (access_o.valid) begin
                    if (taken_i) v.place = FETCHES_WORDS;
                end else begin
                    v.block = r.block + 4;
                    v.left = r.left - 1;
                    if (r.count != 0) begin
                        v.count = r.count - 1;
                        v.address = r.next_address;
                        v.subchannel = r.next_subchannel;
                        v.data = word;
                        if (r.grows) v.next_address = r.next_address + 1;
                        if (r.once && defect_i != 3) v.grows = 0;
                        v.place = METHOD;
                    end else begin
                        v.address = word[`DMA_METHOD_ADDRESS];
                        v.subchannel = word[`DMA_METHOD_SUBCHANNEL];
                        v.data = 32'(word[`DMA_IMMD_DATA]);
                        v.own_code = `FAULT_PBENTRY;
                        v.own_info = word;
                        case (word[`DMA_SEC_OP])
                            1, 3, 5: begin
                                v.count = word[`DMA_METHOD_COUNT];
                                if (defect_i == 2 && v.count > 4) v.count = v.count - 1;
                                v.next_address = v.address;
                                v.next_subchannel = v.subchannel;
                                v.grows = word[30:29] == 1;
                                v.once = word[31];
                            end
                            4: v.place = METHOD;
                            0: if (word != 0) v.place = BROKEN;
                            7: begin
                                if (word[28:0] != 0) v.place = BROKEN;
                                else if (defect_i != 17) v.left = 0;
                            end
                            default: v.place = BROKEN;
                        endcase
                    end
                end
            end
            FETCHES_WORDS: if (answer_i) begin
                v.place = answer_fault_i == `ANSWER_GOOD ? WORDS : BROKEN;
                v.own_code = answer_fault_i == `ANSWER_OUTSIDE ? `FAULT_PBFETCH : `FAULT_BUS_ERROR;
                v.own_info = r.block;
                v.has_line = 1;
                v.line_addr = r.block[31:5];
                v.line = answer_data_i;
            end
            METHOD: if (goes) begin
                d.code = `FAULT_METHOD;
                d.info = {13'b0, defect_i == 11 ? 3'b0 : r.subchannel, 2'b0, r.address, 2'b0};
                if (!host_method && (r.subchannel != `COMPUTE_SUBCHANNEL || !r.object)) begin
                    d.fault = 1;
                    d.code = `FAULT_DEVICE;
                    d.info = 32'(r.subchannel);
                end else case (r.address)
                    `HOST_SET_OBJECT: begin
                        executes = r.data[15:0] == `COMPUTE_CLASS && r.subchannel == `COMPUTE_SUBCHANNEL;
                        d.fault = !executes;
                    end
                    `HOST_NOP, `HOST_SEMAPHOREA, `HOST_SEMAPHOREB, `HOST_SEMAPHOREC, `HOST_NON_STALL_INTERRUPT, `HOST_YIELD,
                    `COMPUTE_NO_OPERATION, `COMPUTE_INVALIDATE_SHADER_CACHES, `COMPUTE_SEND_PCAS_A, `COMPUTE_SET_SHADER_LOCAL_MEMORY_B,
                    `COMPUTE_SET_PROGRAM_REGION_B: executes = 1;
                    `HOST_SET_REFERENCE, `HOST_WFI, `COMPUTE_WAIT_FOR_IDLE: begin
                        executes = idle_i || defect_i == 9;
                        if (!executes) v.has_line = 0;  // what follows is read again
                    end
                    `COMPUTE_SET_SHADER_LOCAL_MEMORY_A, `COMPUTE_SET_PROGRAM_REGION_A: begin
                        executes = r.data == 0;
                        d.fault = !executes;
                    end
                    `COMPUTE_SEND_SIGNALING_PCAS_B: if (is_launch) executes = launched_i;
                    else begin
                        executes = !r.data[`COMPUTE_SEND_SIGNALING_PCAS_B_SCHEDULE];
                        d.fault = !executes;
                        d.code = `FAULT_TMD_FETCH;
                        d.info = {r.pcas[23:0], 8'b0};
                    end
                    `HOST_SEMAPHORED: if (!(idle_first && !idle_i)) begin
                        d.code = operation_bad ? `FAULT_SEMAPHORE : `FAULT_SEMAPHORE_ADDRESS;
                        d.info = r.semaphore_b;
                        d.fault = operation_bad || r.semaphore_a != 0;
                        if (taken_i) begin
                            v.place = TRIES;
                            v.last_try = r.blocked && out_of_time;
                            v.stamp = releases && !short_one ? time_i : 0;
                            v.woken = 0;
                            v.blocked_addr = r.semaphore_b;
                            v.blocked_payload = r.semaphore_c;
                        end
                    end
                    default: d.fault = 1;
                endcase
            end
            TRIES: if (answer_i) begin
                v.place = answer_fault_i == `ANSWER_GOOD ? TRIED : BROKEN;
                v.own_code = answer_fault_i == `ANSWER_OUTSIDE ? `FAULT_SEMAPHORE_ADDRESS : `FAULT_BUS_ERROR;
                v.own_info = r.semaphore_b;
                v.value = reduces ? answer_data_i[31:0] : releases ? 0 : word_of(answer_data_i, r.semaphore_b[4:2]);
            end
            TRIED: if (goes) begin
                case (operation)
                    1: d.success = r.value == r.semaphore_c;
                    4: d.success = defect_i == 4 ? r.value >= r.semaphore_c : $signed(r.value - r.semaphore_c) >= 0;
                    8: d.success = defect_i == 5 ? (r.value & r.semaphore_c) == r.semaphore_c : (r.value & r.semaphore_c) != 0;
                    default: d.success = 1;
                endcase
                d.tried = 1;
                d.operation = operation;
                d.place = {8'b0, r.semaphore_b};
                d.payload = r.semaphore_c;
                d.value = r.value;
                d.stamp = r.stamp;
                v.place = d.success ? PASSED : r.last_try ? BROKEN : METHOD;
                v.own_code = `FAULT_ACQUIRE;
                v.own_info = defect_i == 15 ? r.semaphore_c : r.semaphore_b;
                v.blocked = !d.success;
                if (!d.success) begin
                    v.until_retry = r.retry;
                    if (defect_i != 8) v.has_line = 0;
                    if (!r.blocked) v.waited = 0;
                end
            end
            PASSED: executes = goes;
            default: if (goes) begin
                d.fault = 1;
                d.code = r.own_code;
                d.info = r.own_info;
            end
        endcase

        if (executes) begin
            d.method = 1;
            d.subchannel = r.subchannel;
            d.address = r.address;
            d.data = r.data;
            d.interrupt = r.address == `HOST_NON_STALL_INTERRUPT;
            d.invalidate = r.address == `COMPUTE_INVALIDATE_SHADER_CACHES;
            v.signature = {r.signature[30:0], r.signature[31]} ^ r.data ^ {1'b0, r.subchannel, r.address, 16'b0};
            v.place = WORDS;
            case (r.address)
                `HOST_SET_OBJECT: v.object = 1;
                `HOST_SEMAPHOREA: v.semaphore_a = r.data[7:0];
                `HOST_SEMAPHOREB: v.semaphore_b = r.data;
                `HOST_SEMAPHOREC: v.semaphore_c = r.data;
                `HOST_SET_REFERENCE: v.reference = r.data;
                `COMPUTE_SEND_PCAS_A: v.pcas = r.data;
                `COMPUTE_SET_SHADER_LOCAL_MEMORY_B: v.local_base = r.data;
                `COMPUTE_SET_PROGRAM_REGION_B: v.region = r.data;
                default: ;
            endcase
        end

        if (write_i && !userd_i) case (offset_i[7:0])
            `CHANNEL_CONTROL: begin
                v.enabled = data_i[`CHANNEL_CONTROL_ENABLE] || (defect_i == 20 && r.count != 0);
                v.owned = data_i[`CHANNEL_CONTROL_PPU_OWNED];
                if (data_i[`CHANNEL_CONTROL_RESET]) begin
                    if (idle_i) begin
                        {v.halted, v.get, v.put, v.count, v.has_line, v.blocked, v.woken} = 0;
                        {v.semaphore_a, v.semaphore_b, v.semaphore_c, v.pcas, v.region, v.local_base, v.blocked_addr, v.blocked_payload} = 0;
                        if (defect_i != 12) v.object = 0;
                        if (defect_i == 21) v.signature = 0;
                        v.place = REST;
                    end
                end else if (data_i[`CHANNEL_CONTROL_STOP] && !r.halted && !(defect_i == 16 && r.blocked)) begin
                    v.pending = 1;
                    v.code = `FAULT_STOPPED;
                    {v.info, v.pc} = 0;
                end
                if (v.owned) v.put = v.get == 0 ? r.entries - 1 : {16'b0, v.get} - 1;
            end
            `CHANNEL_PRIORITY: v.level = data_i[1:0];
            `CHANNEL_GP_BASE: v.base = {data_i[31:3], 3'b0};
            `CHANNEL_GP_ENTRIES: v.entries = data_i;
            `CHANNEL_SPACE_BASE: v.space_base = {data_i[31:12], 12'b0};
            `CHANNEL_SPACE_SIZE: v.space_size = {data_i[31:12], 12'b0};
            `CHANNEL_ACQUIRE_RETRY: v.retry = data_i;
            `CHANNEL_ACQUIRE_TIMEOUT: v.timeout = data_i;
            default: ;
        endcase
        if (write_i && userd_i && offset_i == `USERD_GP_PUT && !r.owned) v.put = data_i;

        // The first fault of the task unit is kept, unless the channel stands, or falls now.
        if (d.fault) begin
            v.halted = 1;
            v.pending = 0;
            v.code = d.code;
            v.info = d.info;
            v.pc = d.pc;
        end else if (broken_i && !r.halted && !v.pending) begin
            v.pending = 1;
            v.code = broken_code_i;
            v.info = broken_info_i;
            v.pc = broken_pc_i;
        end
        if (rst_i) begin
            v = '0;
            v.place = REST;
            v.retry = `CHANNEL_ACQUIRE_RETRY_RESET;
        end
    end
    assign deeds_o = d;
    always_ff @(posedge clk_i) r <= v;

    // ---- what the CPU sees ----
    logic [3:0] state;
    always_comb begin
        state = `CHANNEL_STATUS_STATE_IDLE;
        if (r.halted) state = `CHANNEL_STATUS_STATE_FAULTED;
        else if (r.blocked) state = `CHANNEL_STATUS_STATE_BLOCKED_ON_AN_ACQUIRE;
        else if (is_launch) state = `CHANNEL_STATUS_STATE_WAITING_FOR_THE_TASK_UNIT;
        else if (r.place == METHOD && !idle_i) state = `CHANNEL_STATUS_STATE_WAITING_FOR_IDLE;
        else if (!quiet_o) state = `CHANNEL_STATUS_STATE_FETCHING;
        else if (r.place != REST) state = `CHANNEL_STATUS_STATE_EXECUTING;
        read_o = 0;
        if (read_userd_i) case (read_offset_i)
            `USERD_PUT, `USERD_GET: read_o = r.block;
            `USERD_REFERENCE: read_o = r.reference;
            `USERD_GP_GET: read_o = {16'b0, r.get};
            `USERD_GP_PUT: read_o = r.put;
            default: ;
        endcase else case (read_offset_i[7:0])
            `CHANNEL_CONTROL: read_o = {29'b0, r.owned, 1'b0, r.enabled};
            `CHANNEL_STATUS: read_o = {tasks_i, 4'b0, state};
            `CHANNEL_PRIORITY: read_o = {30'b0, r.level};
            `CHANNEL_GP_BASE: read_o = r.base;
            `CHANNEL_GP_ENTRIES: read_o = r.entries;
            `CHANNEL_SPACE_BASE: read_o = r.space_base;
            `CHANNEL_SPACE_SIZE: read_o = r.space_size;
            `CHANNEL_ACQUIRE_RETRY: read_o = r.retry;
            `CHANNEL_ACQUIRE_TIMEOUT: read_o = r.timeout;
            `CHANNEL_FAULT_CODE: if (r.halted) read_o = {24'b0, r.code};
            `CHANNEL_FAULT_INFO: if (r.halted) read_o = r.info;
            `CHANNEL_FAULT_PC: if (r.halted) read_o = r.pc;
            `CHANNEL_BLOCKED_ADDR: read_o = r.blocked_addr;
            `CHANNEL_BLOCKED_PAYLOAD: read_o = r.blocked_payload;
            `CHANNEL_SIGNATURE: read_o = r.signature;
            default: ;
        endcase
    end
endmodule
