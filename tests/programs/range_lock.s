// Locks over ranges: each thread holds four cells at once, taken one by one; ranges overlap.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-11 TD-16
// arg out global 384 zero
// arg shared global 128 zero
// expect out: 4 x 96
// expect shared: 0 x 16 8 16 24 32 x 2 31 30 29 28 x 5 21 14 7
//
// variant no_yield: without YIELD
// The thread that holds a cell waits behind those that spin on it.
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
    LDC.32 R5, c[0][68]          // 16 locks, then 16 counters
    MOV R6, 1
    UMULHI R7, R0, 0x13B13B14    // R0 / 13
    IMUL R7, R7, 13
    ISUB R7, R0, R7              // first cell of my range of four
    SHL R7, R7, 2
    IADD R7, R7, R5
    MOV R8, 0
    MOV R9, R7
take:                            // cell by cell, upwards, so that no two threads wait for each other
    ATOMG.CAS R10, [R9], RZ, R6
    ISETP.EQ P0, R10, 0
    @P0 BRA taken
    YIELD
    BRA take
taken:
    IADD R9, R9, 4
    IADD R8, R8, 1
    ISETP.LT P1, R8, 4
    @P1 BRA take
    MOV R8, 0
add:
    LDG.32 R10, [R7 + 64]
    IADD R10, R10, 1
    STG.32 [R7 + 64], R10
    MEMBAR
    ATOMG.XCHG RZ, [R7], RZ
    IADD R7, R7, 4
    IADD R8, R8, 1
    ISETP.LT P1, R8, 4
    @P1 BRA add
    STG.32 [R3], R8
    EXIT
