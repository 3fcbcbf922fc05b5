// A function that calls itself as often as the thread says; return addresses on a stack in memory.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-6 TD-18
// arg out global 384 zero
// arg stack global 3072 zero
// expect out: 0 1 3 6 10 15 0 1 3 6 10 15 0 1 3 6 10 15 0 1 3 6 10 15 0 1 3 6 10 15 0 1 3 6 10 15 0 1 3 6 10 15 0 1 3 6 10 15
// more: 0 1 3 6 10 15 0 1 3 6 10 15 0 1 3 6 10 15 0 1 3 6 10 15 0 1 3 6 10 15 0 1 3 6 10 15 0 1 3 6 10 15 0 1 3 6 10 15
.kernel main
.arg global out
.arg global stack
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    LDC.32 R12, c[0][68]
    SHL R4, R0, 5
    IADD R12, R12, R4            // the thread's stack: 8 words
    UMULHI R5, R0, 0x2AAAAAAB    // R0 / 6
    IMUL R5, R5, 6
    ISUB R5, R0, R5
    MOV R6, 0
    CAL R10, sum
    STG.32 [R3], R6
    EXIT
sum:
    ISETP.EQ P0, R5, 0
    @P0 RET R10
    STG.32 [R12], R10
    IADD R12, R12, 4
    IADD R6, R6, R5
    ISUB R5, R5, 1
    CAL R10, sum
    ISUB R12, R12, 4
    LDG.32 R10, [R12]
    RET R10
