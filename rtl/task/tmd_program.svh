// The program of tmd_check (inside its module, and of the harness that proves it): what is done with each word of a TMD, a step each. A step is a
// word of S_W bits; names of bits are put together.
    localparam int S_W = 72;
    localparam int S_FAULT = 7, S_WHEN = 15, S_ELSE = 19;  // from bit 0 on: the word of the TMD
    localparam logic [S_W-1:0] LINE0 = S_W'(0), LINE1 = S_W'(8), LINE2 = S_W'(16), LINE3 = S_W'(24), LINE5 = S_W'(40), LINE6 = S_W'(48), LINE7 = S_W'(56);
    // It is done, and those up to what S_ELSE names, when
    localparam logic [S_W-1:0] QUEUE = S_W'(1) << S_WHEN, GRID = S_W'(2) << S_WHEN, LOCAL = S_W'(3) << S_WHEN, RELEASE = S_W'(4) << S_WHEN,
                               FREES = S_W'(6) << S_WHEN, BANK = S_W'(8) << S_WHEN, NUMBERS = S_W'(1) << S_WHEN;
    // The sum: of one of these (else 0) and the word, or what stands instead of it;
    localparam logic [S_W-1:0] SPACE = S_W'(1) << 26, KEEP = S_W'(1) << 27, MOST = S_W'(1) << 28, REACH = S_W'(1) << 29,
                               PRODUCT = S_W'(1) << 30, MINUS = S_W'(1) << 31, PLUS_ONE = S_W'(1) << 32, LESS_ONE = S_W'(1) << 33,
                               LOW_25 = S_W'(1) << 34, LOW_16 = S_W'(1) << 35, FROM_15 = S_W'(1) << 36, MODULO = S_W'(1) << 37;
    // what it is multiplied with in the step after that;
    localparam logic [S_W-1:0] BY_HIGH = S_W'(1) << 38, BY_PLACES = S_W'(1) << 39, BY_256 = S_W'(1) << 40;
    // what is bad: the sum below zero or beyond 2^32, parts of it 0;
    localparam logic [S_W-1:0] BELOW = S_W'(1) << 41, BELOW_LOW = S_W'(1) << 42, BEYOND = S_W'(1) << 43, NOUGHT = S_W'(1) << 44, NOUGHT_LOW = S_W'(1) << 45,
                               NOUGHT_HIGH = S_W'(1) << 46, NOUGHT_256 = S_W'(1) << 47, SOME = S_W'(1) << 48, FEW = S_W'(1) << 49, MANY_BITS = S_W'(1) << 50,
    // the product beyond 2^32, bits of the word, something else;
                               LARGE = S_W'(1) << 51, BY_8 = S_W'(1) << 52, BY_16 = S_W'(1) << 53, BY_32 = S_W'(1) << 54, BY_WORDS = S_W'(1) << 55,
                               UPPER = S_W'(1) << 56, REGISTERS = S_W'(1) << 57, SHARED = S_W'(1) << 58, ALWAYS = S_W'(1) << 59;
    // and what it is kept as.
    localparam logic [S_W-1:0] IS_QUEUE = S_W'(1) << 60, IS_LOCAL = S_W'(1) << 61, IS_ZERO = S_W'(1) << 62, IS_RESUME = S_W'(1) << 63, IS_NEXT = S_W'(1) << 64,
                               IS_GRID_X = S_W'(1) << 65, IS_GRID_Y = S_W'(1) << 66, IS_GRID_Z = S_W'(1) << 67, IS_NEXT_X = S_W'(1) << 68,
                               IS_BASE = S_W'(1) << 69, LAST = S_W'(1) << 70, STOP = S_W'(1) << 71;  // LAST: of those of one fault
    localparam logic [S_W-1:0] W_PUT = LINE0, W_GET = LINE0 + 1, W_SIZE = LINE0 + 7, W_OFFSET = LINE1, W_RING = LINE1 + 1, W_ENTRY = LINE1 + 2,
                               W_GRID_X = LINE1 + 4, W_GRID_YZ = LINE1 + 5, W_NEXT_X = LINE1 + 6, W_NEXT_YZ = LINE1 + 7, W_SHARED = LINE2 + 1,
                               W_NTID_X = LINE2 + 2, W_NTID_YZ = LINE2 + 3, W_RELEASE = LINE2 + 7, W_LOCAL_BYTES = LINE5 + 5, W_PER_CTA = LINE6 + 2,
                               W_CODE_SIZE = LINE6 + 7, W_ROWS = LINE7, W_REGION = LINE7 + 1, W_LOCAL = LINE7 + 3, W_FREES = LINE7 + 6,
                               W_BANK = LINE3 + 5;
    localparam int TO_THREADS = 17, TO_REGISTERS = 25, TO_PROGRAM = 32, TO_BANKS = 40, TO_OTHERS = TO_BANKS + CONST_BANKS, TO_RELEASES = TO_OTHERS + 8,
                   TO_FREES = TO_RELEASES + 6;
    localparam logic [S_W-1:0] ON = S_W'(1) << S_ELSE, ELSE_BANKS = S_W'(TO_BANKS) << S_ELSE, ELSE_OTHERS = S_W'(TO_OTHERS) << S_ELSE,
                               ELSE_RELEASES = S_W'(TO_RELEASES) << S_ELSE, ELSE_FREES = S_W'(TO_FREES) << S_ELSE;

    (* no_rw_check, ram_style = "block" *) logic [S_W-1:0] rom [128];
    initial begin
        for (int i = 0; i < 128; i++) rom[i] = W_ROWS | STOP;
        rom[0] = W_SIZE | LOW_25 | IS_QUEUE | IS_GRID_X;
        rom[1] = W_GET | IS_NEXT_X;
        // A grid; where it goes on, if it has been evicted, lies inside.
        rom[2] = W_GRID_X | GRID | S_W'(7) << S_ELSE | IS_GRID_X | IS_ZERO | NOUGHT;
        rom[3] = W_NEXT_X | KEEP | MINUS | IS_RESUME | BELOW | NOUGHT;
        rom[4] = W_GRID_YZ | IS_GRID_Y | IS_GRID_Z | IS_ZERO | NOUGHT_LOW | NOUGHT_HIGH;
        rom[5] = W_NEXT_YZ | KEEP | MINUS | IS_RESUME | BELOW | BELOW_LOW | NOUGHT_LOW;
        rom[6] = W_NEXT_X | IS_NEXT_X;
        rom[7] = W_NEXT_X | IS_NEXT | SOME;
        rom[8] = W_NEXT_YZ | IS_NEXT | SOME;
        // A queue: its ring is a power of two, of entries, and inside of the space; it holds no more than it can.
        rom[9] = W_ENTRY | QUEUE | (S_W'(TO_THREADS) << S_ELSE) | IS_GRID_Z | BY_HIGH | NOUGHT_HIGH;
        rom[10] = W_SIZE | LOW_25;
        rom[11] = W_SIZE | LOW_25 | MINUS | MANY_BITS | LAST | S_W'(`FAULT_TMD_CIRCULAR_QUEUE_SIZE) << S_FAULT;
        rom[12] = W_ENTRY | SPACE | PRODUCT | MINUS | BELOW | LARGE | UPPER;
        rom[13] = W_RING | KEEP | MINUS | BELOW | LAST | S_W'(`FAULT_TMD_CIRCULAR_QUEUE_ADDR) << S_FAULT;
        rom[14] = W_PUT;
        rom[15] = W_GET | KEEP | MINUS | MODULO;
        rom[16] = W_SIZE | LOW_25 | KEEP | MINUS | LESS_ONE | BEYOND | LAST | S_W'(`FAULT_TMD_GET_PUT_TOO_LARGE) << S_FAULT;
        // Threads: two products.
        rom[TO_THREADS] = W_NTID_X | BY_HIGH | IS_ZERO | NOUGHT_HIGH;
        rom[18] = W_NTID_YZ | LOW_16;
        rom[19] = W_NTID_YZ | BY_HIGH | IS_ZERO | NOUGHT_LOW | NOUGHT_HIGH;
        rom[20] = W_NTID_YZ | PRODUCT;
        rom[21] = W_NTID_YZ;
        rom[22] = W_NTID_YZ | MOST | PRODUCT | MINUS | BELOW | LARGE | LAST | S_W'(`FAULT_TMD_TOTAL_THREADS) << S_FAULT;
        rom[23] = W_LOCAL_BYTES | LOW_25 | IS_LOCAL;
        rom[24] = W_PER_CTA | QUEUE | (S_W'(TO_REGISTERS) << S_ELSE) | PLUS_ONE | IS_GRID_Y;
        rom[TO_REGISTERS] = W_ROWS | REGISTERS | LAST | S_W'(`FAULT_TMD_REGISTER_COUNT) << S_FAULT;
        rom[26] = W_SHARED | MINUS | SHARED | LAST | S_W'(`FAULT_TMD_SHARED_MEMORY_SIZE) << S_FAULT;
        // Every place where a warp can run has its own piece of local memory.
        rom[27] = W_LOCAL_BYTES | LOCAL | (S_W'(TO_PROGRAM) << S_ELSE) | LOW_25 | BY_PLACES;
        rom[28] = W_LOCAL | NOUGHT | BY_32;
        rom[29] = W_LOCAL | SPACE | PRODUCT | MINUS | BELOW | LARGE;
        rom[30] = W_LOCAL | KEEP | MINUS | BELOW;
        rom[31] = W_LOCAL_BYTES | LOW_25 | MINUS | BY_16 | LAST | S_W'(`FAULT_TMD_LOCAL_MEMORY) << S_FAULT;
        // The program is inside of the space, and of what the instruction index from the region reaches.
        rom[TO_PROGRAM] = W_REGION | BY_8;
        rom[33] = W_OFFSET | KEEP | IS_BASE | BY_8;
        rom[34] = W_CODE_SIZE | NOUGHT | BY_8;
        rom[35] = W_REGION | SPACE | MINUS | BELOW;
        rom[36] = W_CODE_SIZE | KEEP | MINUS | BELOW;
        rom[37] = W_OFFSET | KEEP | MINUS | BELOW;
        rom[38] = W_CODE_SIZE | REACH | MINUS | BELOW;
        rom[39] = W_OFFSET | KEEP | MINUS | BELOW | LAST | S_W'(`FAULT_TMD_PROGRAM_OFFSET) << S_FAULT;
        for (int b = 0; b < CONST_BANKS; b++) begin
            rom[TO_BANKS+2*b] = (W_BANK + S_W'(2 * b)) | (BANK + S_W'(b) * NUMBERS) | (ELSE_BANKS + S_W'(2 * b + 2) * ON) | SPACE | MINUS | BELOW;
            rom[TO_BANKS+2*b+1] = (W_BANK + S_W'(2 * b + 1)) | (BANK + S_W'(b) * NUMBERS) | FROM_15 | KEEP | MINUS | BELOW | UPPER | LAST |
                                  S_W'(`FAULT_TMD_CONSTANT_BUFFER) << S_FAULT;
        end
        for (int b = CONST_BANKS; b < 8; b++)
            rom[TO_OTHERS+b] = W_BANK | (BANK + S_W'(b) * NUMBERS) | (ELSE_OTHERS + S_W'(b) * ON + ON) | ALWAYS | LAST |
                                          S_W'(`FAULT_TMD_CONSTANT_BUFFER) << S_FAULT;
        for (int r = 0; r < 2; r++) begin
            rom[TO_RELEASES+3*r] = (W_RELEASE + S_W'(3 * r)) | (RELEASE + S_W'(r) * NUMBERS) | (ELSE_RELEASES + S_W'(3 * r + 3) * ON) | MINUS | BY_WORDS |
                                   LAST | S_W'(`FAULT_SEMAPHORE) << S_FAULT;
            rom[TO_RELEASES+3*r+1] = (W_RELEASE + S_W'(3 * r + 1)) | (RELEASE + S_W'(r) * NUMBERS) | UPPER;
            rom[TO_RELEASES+3*r+2] = (W_RELEASE + S_W'(3 * r)) | (RELEASE + S_W'(r) * NUMBERS) | SPACE | MINUS | BELOW | FEW | LAST |
                                     S_W'(`FAULT_SEMAPHORE_ADDRESS) << S_FAULT;
            rom[TO_FREES+3*r] = (W_FREES + S_W'(r)) | (FREES + S_W'(r) * NUMBERS) | (ELSE_FREES + S_W'(3 * r + 3) * ON) | MODULO | BY_256;
            rom[TO_FREES+3*r+1] = W_FREES | (FREES + S_W'(r) * NUMBERS);
            rom[TO_FREES+3*r+2] = W_FREES | (FREES + S_W'(r) * NUMBERS) | SPACE | PRODUCT | MINUS | BELOW | LARGE | NOUGHT_256 | LAST |
                                  S_W'(`FAULT_TMD_DEPENDENT_QMD) << S_FAULT;
        end
    end
