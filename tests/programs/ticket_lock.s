// A ticket lock: threads enter in the order of their tickets.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-11 TD-16
// arg out global 384 zero
// arg shared global 12 zero
// expect out: 1 x 96
// expect shared: 96 x 2 288
//
// variant no_yield: without YIELD
// Those whose turn it is wait in the deque for ever.
// shows: TD-16
// deadline 60000
// hangs
.kernel main
.arg global out
.arg global shared
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    LDC.32 R5, c[0][68]          // next ticket, now serving, counter
    MOV R6, 1
    ATOMG.ADD R7, [R5], R6       // my ticket
wait:
    LDG.32 R8, [R5 + 4]
    ISETP.EQ P0, R8, R7
    @P0 BRA mine
    YIELD
    BRA wait
mine:
    LDG.32 R9, [R5 + 8]
    IADD R9, R9, 3
    STG.32 [R5 + 8], R9
    MOV R10, 1
    STG.32 [R3], R10
    MEMBAR
    ATOMG.ADD RZ, [R5 + 4], R6
    EXIT
