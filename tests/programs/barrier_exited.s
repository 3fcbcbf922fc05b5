// A barrier is for the warps that have not ended and the threads that have not exited.
// launch: grid 2 1 1 cta 64 1 1
// arg sum global 8 zero
// expect sum: 47 47
.kernel main
.arg global sum
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    LDC.32 R3, c[0][64]
    SHL R4, R1, 2
    IADD R3, R3, R4
    ISETP.GE P0, R0, 60          // these leave
    @P0 EXIT
    ISETP.LT P1, R0, 10          // and the first ten
    @P1 EXIT
    ISETP.EQ P2, R0, 20
    MOV R6, 1
    @!P2 ATOMG.ADD RZ, [R3], R6
    MEMBAR
    BAR
    ISETP.EQ P3, R0, 20
    @!P3 EXIT
    LDG.32 R7, [R3]
    ISUB R7, R7, 2
    STG.32 [R3], R7
    EXIT
