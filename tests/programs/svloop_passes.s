// What each pass of a software sub-vector loop sees: EXEC_LO, EXEC_HI, S0; and EXEC after it.
// launch: grid 2 1 1 cta 48 1 1
// shows: SV-8
// arg out global 1920 zero
// expect out threads 32: 65535 x 16 0 x 16 65535 x 32 0 x 16 65535 x 16 0 x 16 65535 x 16 0 x 32 65535 x 16 0 x 16
// more: 65535 x 32 0 x 16 65535 x 32 0 x 16 65535 x 128 0 x 16 65535 x 32 0 x 16
// expect out threads 64: 0xffffffff x 32 0 x 16 0xffffffff x 32 0 x 48 65535 x 16 0 x 32 65535 x 48 0xffffffff x 16
// more: 65535 x 32 0xffffffff x 112 65535 x 96
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_LANEID
    S2R R2, SR_CTAID_X
    S2R R3, SR_NTID_X
    IMAD R4, R2, R3, R0          // thread of the grid
    SHL R5, R4, 2
    LDC.32 R6, c[0][64]
    IADD R5, R5, R6              // &out[thread]
    IMUL R10, R4, 3
    IADD R10, R10, 7             // the thread's value
    SVLOOP_BEGIN after
first:
    SRD R11, EXEC_LO
    STG.32 [R5 + 0], R11
    SRD R11, EXEC_HI
    STG.32 [R5 + 384], R11
    SRD R11, S0
    STG.32 [R5 + 768], R11
    SVLOOP_END first
after:
    SRD R11, EXEC_LO
    STG.32 [R5 + 1152], R11
    SRD R11, EXEC_HI
    STG.32 [R5 + 1536], R11
    EXIT
