// Arguments that point to local memory: the driver gives them places behind the kernel's own 20 bytes, aligned
// to 16 bytes, and further as their size is: 40 bytes at 32, 32 bytes behind them at 96.
// launch: grid 2 1 1 cta 8 1 1
// arg first local 40
// arg out global 64 zero
// arg second local 32
// expect out: (32 0 96 0 45 0 96 109) x 2
.kernel main
.shared_bytes 20
.arg local first
.arg global out
.arg local second
    S2R R0, SR_TID_X
    LDC.32 R1, c[0][64]
    LDC.32 R2, c[0][68]
    LDC.32 R3, c[0][72]
    SHL R4, R0, 2
    IADD R5, R1, R4
    IADD R6, R0, 41
    STS.32 [R5], R6              // first[t] = 41 + t
    IADD R5, R3, R4
    IADD R6, R0, 102
    STS.32 [R5], R6              // second[t] = 102 + t, the last one at the very end
    BAR
    S2R R7, SR_CTAID_X
    SHL R7, R7, 5
    IADD R2, R2, R7
    ISETP.EQ P0, R0, 0
    @P0 STG.32 [R2], R1
    @P0 STG.32 [R2 + 8], R3
    @P0 LDS.32 R8, [R1 + 16]
    @P0 STG.32 [R2 + 16], R8
    @P0 LDS.32 R8, [RZ + 124]
    @P0 STG.32 [R2 + 28], R8
    @P0 STG.32 [R2 + 24], R3
    EXIT
