// Random work for channels: rings and command blocks with everything that is legal and, now and then, what is not; and a CPU that
// sets channels up, hands work over, looks at registers, wakes acquires, stops, disables and resets.
`include "gen/methods.svh"
`include "gen/registers.svh"

package host_programs_pkg;
    import host_world_pkg::*;

    // Places in a channel's space: semaphores, a ring and blocks for each channel, TMDs, programs. Channels may share a space.
    localparam int SPACE = 32'h40000, RING = 32'h1000, RING_BYTES = 32'h200, ENTRIES = 24, BLOCKS = 32'h2000, BLOCK_WORDS = 96, TMDS = 32'h30000,
                   CODE = 32'h38000, TMD_KINDS = 5;

    logic [31:0] words[BLOCK_WORDS];
    int          count, left_over[CHANNELS];  // data words with which the channel's next block has to begin
    logic        object[CHANNELS];

    function automatic void word(input logic [31:0] value);
        if (count < BLOCK_WORDS) begin
            words[count] = value;
            count++;
        end
    endfunction

    function automatic void header(input logic [2:0] op, input int length, input int subchannel, input logic [11:0] method);
        word({op, 13'(length), 3'(subchannel), 1'b0, method});
    endfunction

    function automatic void method(input int subchannel, input logic [11:0] address, input logic [31:0] data);
        if (data < 8192 && one_in(2)) header(`DMA_SEC_OP_IMMD_DATA_METHOD, int'(data), subchannel, address);
        else begin
            case ($urandom_range(2))
                0: header(`DMA_SEC_OP_INC_METHOD, 1, subchannel, address);
                1: header(`DMA_SEC_OP_NON_INC_METHOD, 1, subchannel, address);
                default: header(`DMA_SEC_OP_ONE_INC, 1, subchannel, address);
            endcase
            word(data);
        end
    endfunction

    function automatic logic [31:0] number();
        case ($urandom_range(4))
            0: return $urandom_range(3);
            1: return -$urandom_range(3);
            2: return 32'h7FFFFFFE + $urandom_range(3);
            default: return $urandom;
        endcase
    endfunction

    function automatic void semaphore_method();
        automatic logic [31:0] data = $urandom, addr = 4 * $urandom_range(63);
        case ($urandom_range(10))
            0: data[4:0] = `HOST_SEMAPHORED_OPERATION_ACQUIRE;
            1, 2, 3: data[4:0] = `HOST_SEMAPHORED_OPERATION_RELEASE;
            4, 5: data[4:0] = `HOST_SEMAPHORED_OPERATION_ACQ_GEQ;
            6: data[4:0] = `HOST_SEMAPHORED_OPERATION_ACQ_AND;
            default: data[4:0] = `HOST_SEMAPHORED_OPERATION_REDUCTION;
        endcase
        if (one_in(150)) data[4:0] = 5'($urandom);
        if (!one_in(100)) data[30] = 0;
        if (data[4:0] == `HOST_SEMAPHORED_OPERATION_RELEASE && !data[24] && !one_in(30)) addr &= ~15;
        if (one_in(200)) addr |= $urandom_range(3);
        if (one_in(200)) addr = SPACE + 4 * $urandom_range(one_in(2) ? 32'h7FFF : 32'hFFFFF);
        header(`DMA_SEC_OP_INC_METHOD, 4, $urandom_range(7), `HOST_SEMAPHOREA);
        word(one_in(200) ? $urandom_range(255) : $urandom & ~255);
        word(addr);
        word(data[4:0] == `HOST_SEMAPHORED_OPERATION_ACQ_AND ? $urandom : number());
        word(data);
    endfunction

    function automatic void launch();
        automatic logic [31:0] pointer = TMDS / 256 + $urandom_range(TMD_KINDS - 1);
        if (!one_in(4)) pointer = TMDS / 256 + (one_in(4) ? 4 : 0);
        if (one_in(40)) pointer = one_in(2) ? $urandom : SPACE / 256 - $urandom_range(1) + $urandom_range(1);
        method(1, `COMPUTE_SET_PROGRAM_REGION_B, CODE + 64 * $urandom_range(3));
        method(1, `COMPUTE_SEND_PCAS_A, pointer);
        method(1, `COMPUTE_SEND_SIGNALING_PCAS_B, one_in(10) ? $urandom : 2 | $urandom_range(1));
    endfunction

    function automatic void compute(input int c);
        if (!object[c] && !one_in(50)) method(1, `HOST_SET_OBJECT, 32'(`COMPUTE_CLASS));
        object[c] = 1;
        case ($urandom_range(9))
            0: method(1, `COMPUTE_NO_OPERATION, $urandom);
            1: method(1, `COMPUTE_WAIT_FOR_IDLE, $urandom);
            2: method(1, `COMPUTE_INVALIDATE_SHADER_CACHES, $urandom);
            3: method(1, `COMPUTE_SET_SHADER_LOCAL_MEMORY_B, one_in(3) ? $urandom : one_in(2) ? 0 : 32'h3C000 + 8 * $urandom_range(3));
            4: method(1, `COMPUTE_SET_SHADER_LOCAL_MEMORY_A, one_in(20) ? 3 : 0);
            5: method(1, `COMPUTE_SET_PROGRAM_REGION_A, one_in(20) ? 1 : 0);
            default: launch();
        endcase
    endfunction

    // Data words that nothing depends on; the rest of a run that is cut off starts the next block.
    function automatic void run(input int c);
        automatic int length = $urandom_range(19), cut = one_in(8) ? $urandom_range(length) : 0;
        case ($urandom_range(3))
            0: header(`DMA_SEC_OP_NON_INC_METHOD, length, $urandom_range(7), `HOST_NOP);
            1: header(`DMA_SEC_OP_NON_INC_METHOD, length, $urandom_range(7), `HOST_SEMAPHOREC);
            2: header(`DMA_SEC_OP_ONE_INC, length, $urandom_range(7), `HOST_SEMAPHOREB);
            default: begin
                length = $urandom_range(3);
                cut = $urandom_range(length);
                header(`DMA_SEC_OP_INC_METHOD, length, $urandom_range(7), `HOST_SEMAPHOREA);
            end
        endcase
        for (int i = cut; i < length; i++) word($urandom);
        left_over[c] = cut;
    endfunction

    function automatic void nonsense();
        case ($urandom_range(5))
            0: word({3'd2, 29'($urandom)});
            1: word({3'd6, 29'($urandom)});
            2: word(32'hE0000001 + $urandom_range(999));
            3: word({3'd0, 29'($urandom | 1)});
            4: word($urandom);
            default: method($urandom_range(7), 12'($urandom_range(1) == 0 ? $urandom_range(63) : $urandom), $urandom);
        endcase
    endfunction

    function automatic void block(input int c);
        count = 0;
        while (left_over[c] != 0) begin
            word($urandom);
            left_over[c] = left_over[c] - 1;
        end
        for (int i = $urandom_range(11); i > 0 && left_over[c] == 0; i--) case ($urandom_range(13))
            0, 1, 2: semaphore_method();
            3, 4, 5, 6: compute(c);
            7: run(c);
            8: method($urandom_range(7), `HOST_SET_REFERENCE, number());
            9: method($urandom_range(7), `HOST_WFI, $urandom_range(1));
            10: method($urandom_range(7), `HOST_YIELD, $urandom_range(3));
            11: method($urandom_range(7), one_in(4) ? `HOST_NON_STALL_INTERRUPT : `HOST_NOP, $urandom);
            12: begin
                for (int n = $urandom_range(4); n > 0; n--) word(0);
                header(`DMA_SEC_OP_INC_METHOD, 0, 3, 12'h48D);
            end
            default: begin
                if (one_in(12)) nonsense();
                if (one_in(12)) begin
                    word({`DMA_SEC_OP_END_PB_SEGMENT, 29'b0});
                    nonsense();
                    return;
                end
            end
        endcase
    endfunction

    // ---- the CPU ----
    typedef struct packed {
        logic        write;
        logic [19:0] addr;
        logic [31:0] data;
    } access_t;
    typedef enum {DOWN, UP, DISABLED, RESETS, STANDS} life_t;
    access_t     accesses[$];
    life_t       life[CHANNELS];
    logic        owned[CHANNELS], broken_ring[CHANNELS];
    int          entries[CHANNELS], put[CHANNELS], get[CHANNELS];
    logic [31:0] base[CHANNELS], blocked_addr;

    function automatic logic [19:0] block_register(input int c, input logic [7:0] offset);
        return `REG_CHANNEL_BASE + 20'(c) * `REG_CHANNEL_STRIDE + 20'(offset);
    endfunction
    function automatic logic [19:0] userd_register(input int c, input logic [8:0] offset);
        return `REG_USERD_BASE + 20'(c) * `REG_USERD_STRIDE + 20'(offset);
    endfunction
    function automatic void write(input logic [19:0] addr, input logic [31:0] data);
        automatic access_t access = '{1, addr, data};
        accesses.push_back(access);
    endfunction
    function automatic void read(input logic [19:0] addr);
        automatic access_t access = '{0, addr, 0};
        accesses.push_back(access);
    endfunction

    // The next entry of a ring, with a block.
    function automatic void entry(input int c, input int number);
        automatic logic [31:0] addr = BLOCKS + (c * ENTRIES + number) * BLOCK_WORDS * 4, entry0, entry1, at;
        block(c);
        for (int i = 0; i < count; i++) write_word(base[c] + addr + 4 * i, words[i]);
        entry0 = addr | $urandom_range(3);
        entry1 = 32'(count) << 10 | ($urandom & 32'h80000300);
        if (count == 0) begin
            entry0 = $urandom;
            if (one_in(20)) entry1[7:0] = 8'($urandom);
        end else if (one_in(200)) entry1[7:0] = 8'($urandom);
        else if (one_in(200)) entry0 = SPACE - 4 * $urandom_range(8);  // runs out of the space
        entry1[8] = one_in(2);
        at = base[c] + RING + c * RING_BYTES + 8 * number;
        write_word(at, entry0);
        write_word(at + 4, entry1);
    endfunction

    // All of a channel that stands still, anew.
    function automatic void set_up(input int c);
        automatic logic [31:0] ring = RING + c * RING_BYTES, size = $urandom_range(ENTRIES - 2) + 2, first = 0;
        base[c] = one_in(2) ? 0 : SPACE;
        entries[c] = int'(size);
        put[c] = 0;
        get[c] = 0;
        left_over[c] = 0;
        object[c] = 0;
        broken_ring[c] = one_in(10);
        owned[c] = !broken_ring[c] && one_in(5);
        if (broken_ring[c]) case ($urandom_range(4))
            0: ring = SPACE - 32 + 8 * $urandom_range(9);
            1: ring = 32'hFFFFFFF8;
            2: size = one_in(2) ? $urandom_range(1) : 65537 + $urandom_range(99);
            3: first = size + $urandom_range(999);
            default: first = $urandom | 32'h10000;
        endcase
        if (broken_ring[c] && first == 0) first = 1;
        if (owned[c]) for (int i = 0; i < entries[c]; i++) entry(c, i);
        write(block_register(c, `CHANNEL_SPACE_BASE), base[c] + $urandom_range(4095));
        write(block_register(c, `CHANNEL_SPACE_SIZE), SPACE + $urandom_range(4095));
        write(block_register(c, `CHANNEL_GP_BASE), ring + $urandom_range(7));
        write(block_register(c, `CHANNEL_GP_ENTRIES), size);
        write(block_register(c, `CHANNEL_PRIORITY), $urandom_range(3));
        write(block_register(c, `CHANNEL_ACQUIRE_RETRY), $urandom_range(99));
        write(block_register(c, `CHANNEL_ACQUIRE_TIMEOUT), one_in(4) ? 1 + $urandom_range(2999) : 0);
        write(userd_register(c, `USERD_GP_PUT), first);
        write(block_register(c, `CHANNEL_CONTROL), owned[c] ? 5 : 1);
        life[c] = UP;
    endfunction

    function automatic void submit(input int c);
        automatic int added = 0;
        read(userd_register(c, `USERD_GP_GET));
        if (owned[c]) begin  // GP_PUT is not the CPU's
            if (one_in(8)) write(userd_register(c, `USERD_GP_PUT), $urandom_range(entries[c]));
            return;
        end
        for (; added < 4 && (put[c] + 1) % entries[c] != get[c]; added++) begin
            entry(c, put[c]);
            put[c] = put[c] + 1 == entries[c] ? 0 : put[c] + 1;
        end
        if (added != 0) write(userd_register(c, `USERD_GP_PUT), put[c]);
    endfunction

    function automatic void stop(input int c);
        write(block_register(c, `CHANNEL_CONTROL), 8 | 1 | (owned[c] ? 4 : 0));
    endfunction

    // What a read has brought; the CPU acts on it.
    function automatic void seen(input logic [19:0] addr, input logic [31:0] data);
        for (int c = 0; c < CHANNELS; c++) begin
            if (addr == userd_register(c, `USERD_GP_GET)) get[c] = int'(data);
            if (addr == block_register(c, `CHANNEL_FAULT_CODE)) begin
                if (data == 0 && life[c] == STANDS) begin
                    life[c] = DOWN;
                    resets++;
                end else if (data != 0 && life[c] != STANDS) begin
                    life[c] = STANDS;
                    read(block_register(c, `CHANNEL_FAULT_INFO));
                    read(block_register(c, `CHANNEL_FAULT_PC));
                end
            end
            if (addr == block_register(c, `CHANNEL_STATUS) && life[c] == RESETS && data[31:8] == 0) begin
                write(block_register(c, `CHANNEL_CONTROL), 2);  // disabled and idle: no more tasks come
                life[c] = DOWN;
                resets++;
            end
            if (addr == block_register(c, `CHANNEL_STATUS) && data[3:0] == `CHANNEL_STATUS_STATE_BLOCKED_ON_AN_ACQUIRE) begin
                if (one_in(20)) stop(c);
                read(block_register(c, `CHANNEL_BLOCKED_ADDR));
                read(block_register(c, `CHANNEL_BLOCKED_PAYLOAD));
            end
            if (addr == block_register(c, `CHANNEL_BLOCKED_ADDR)) blocked_addr = data;
            if (addr == block_register(c, `CHANNEL_BLOCKED_PAYLOAD) && blocked_addr < 256) begin
                write_word(base[c] + (blocked_addr & ~3), one_in(4) ? number() : data);
                if (!one_in(4)) begin  // as a thread would
                    snoop = 1;
                    snoop_addr = base[c] + blocked_addr;
                end
            end
        end
    endfunction

    function automatic void looks(input int c);
        case ($urandom_range(5))
            0: read(20'(4 * $urandom_range(12)));
            1: read(block_register(c, 8'(4 * $urandom_range(20))));
            2: read(userd_register(c, 9'h40 + 9'(4 * $urandom_range(20))));
            3: read(block_register(c, `CHANNEL_SIGNATURE));
            4: case ($urandom_range(7))
                0: write(20'(`REG_MAGIC), $urandom);
                1: write(20'(`REG_SCRATCH), $urandom);
                2, 3: write(20'(`REG_INTR_STATUS), $urandom);
                4: write(20'(`REG_INTR_ENABLE), $urandom);
                5: write(20'(`REG_WARP_SELECT), $urandom);
                6: write(20'h0F000, $urandom);
                default: write(block_register(c, `CHANNEL_SIGNATURE), $urandom);
            endcase
            default: read(20'(`REG_INTR_STATUS));
        endcase
    endfunction

    // What the CPU does next, on some channel. wild: it also stops, disables and resets what runs.
    function automatic void think(input logic wild);
        automatic int c = $urandom_range(CHANNELS - 1);
        automatic logic [31:0] mine = owned[c] ? 4 : 0;
        case (life[c])
            DOWN: set_up(c);
            STANDS: if (one_in(8)) begin
                write(block_register(c, `CHANNEL_CONTROL), one_in(4) ? 10 : 2);
                read(block_register(c, `CHANNEL_FAULT_CODE));  // refused while tasks run
            end
            RESETS: read(block_register(c, `CHANNEL_STATUS));
            DISABLED: if (one_in(4)) begin
                write(block_register(c, `CHANNEL_CONTROL), 1 | mine);
                life[c] = UP;
            end
            default: case ($urandom_range(15))
                0, 1, 2, 3: if (!broken_ring[c]) submit(c);
                4, 5: read(block_register(c, `CHANNEL_FAULT_CODE));
                6, 7: read(block_register(c, `CHANNEL_STATUS));
                8: if (wild && one_in(20)) stop(c);
                9: if (wild && one_in(4)) begin
                    write(block_register(c, `CHANNEL_CONTROL), mine);
                    life[c] = DISABLED;
                end
                10: if (wild && one_in(20)) begin  // out of the blue: refused while tasks run
                    write(block_register(c, `CHANNEL_CONTROL), 2);
                    life[c] = RESETS;
                end
                default: looks(c);
            endcase
        endcase
    endfunction

    // TMDs: one that is good, one whose program is nothing, one of another version, one without registers, one with local memory; and
    // the programs.
    function automatic void write_tasks();
        for (int s = 0; s < 2; s++) for (int k = 0; k < TMD_KINDS; k++) begin
            automatic logic [31:0] at = s * SPACE + TMDS + 256 * k;
            for (int w = 0; w < 64; w++) write_word(at + 4 * w, 0);
            write_word(at + 4 * 8, k == 1 ? 8 : 0);   // PROGRAM_OFFSET
            write_word(at + 4 * 12, 1);               // one CTA
            write_word(at + 4 * 13, 32'h00010001);
            write_word(at + 4 * 18, k == 2 ? 32'h00010015 : 32'h00010016);
            write_word(at + 4 * 19, 32'h00010001);    // of one thread
            write_word(at + 4 * 45, k == 4 ? 16 : 0);  // LOCAL_MEMORY_LOW
            write_word(at + 4 * 46, k == 3 ? 0 : 32'h01000000);
            write_word(at + 4 * 55, 8);               // bytes of the program
        end
        // At each region EXIT, then a word that is no instruction.
        for (int s = 0; s < 2; s++) for (int region = 0; region < 4; region++) begin
            write_word(s * SPACE + CODE + 64 * region, host_tasks_pkg::EXIT);
            write_word(s * SPACE + CODE + 64 * region + 4, 0);
            write_word(s * SPACE + CODE + 64 * region + 8, region << 8);
            write_word(s * SPACE + CODE + 64 * region + 12, 0);
        end
    endfunction
endpackage
