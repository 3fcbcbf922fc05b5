// Threads that exit in the first pass of a software sub-vector loop: the held ones have theirs, with EXEC zero until then.
// launch: grid 2 1 1 cta 48 1 1
// shows: SV-8
// arg out global 768 zero
// expect out threads 32: 0 x 16 6 x 16 0 x 32 6 x 16 0 x 16 1 x 96
// expect out threads 64: 0 x 32 6 x 16 0 x 32 6 x 16 1 x 96
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
    MOV R12, 1
    STG.32 [R5 + 384], R12
    SVLOOP_BEGIN after
first:
    SRD R11, EXEC_HI
    ISETP.EQ P0, R11, 0         // the low pass
    @P0 EXIT
    MOV R12, 6
    SVLOOP_END first
after:
    STG.32 [R5], R12
    EXIT
