// Threads that come to a YIELD by different ways go on together behind it.
// launch: grid 2 1 1 cta 16 1 1
// shows: TD-11
// arg out global 128 zero
// expect out: 0xFFFF x 32
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R1, R1, R2, R0
    LDC.32 R3, c[0][64]
    SHL R4, R1, 2
    IADD R3, R3, R4              // &out[thread of the grid]
    AND R7, R0, 7
    MOV R8, 0
round:
    IADD R8, R8, 1
    ISETP.GT P0, R8, R7
    @P0 BRA meet
    BRA round
meet:
    YIELD
    SRD R9, EXEC_LO              // 16 threads: all are in the low half
    STG.32 [R3], R9
    EXIT
