// Scalar registers: SMOV, R2S, SRD, VOTE, and EXEC read and written; partial warps.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 6528 zero
// expect out threads 32: 0x12345678 x 96 7 x 32 103 x 16 151 x 32 247 x 16 22 x 32 118 x 16 166 x 32 262 x 16 22 x 32
// more: 118 x 16 166 x 32 262 x 16 0 x 96 43690 x 128 0 x 16 43690 x 32 0 x 112 65535 x 128 0 x 16 65535 x 32 0 x 16
// more: 0x12345678 x 96 2 x 96 3 x 4 1 x 12 0 x 16 3 x 4 1 x 12 3 x 4 1 x 12 0 x 16 3 x 4 1 x 12 0 x 96 5 x 96 0 1 0 1
// more: 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1
// more: 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 43981 x 96
// expect out threads 64: 0x12345678 x 96 7 x 48 151 x 48 22 x 48 166 x 48 22 x 48 166 x 48 0 x 96 0xaaaaaaaa x 96
// more: 43690 x 96 0 x 96 0xffffffff x 96 65535 x 96 0x12345678 x 96 2 x 96 3 x 4 1 x 28 0 x 16 3 x 4 1 x 28 0 x 112
// more: 5 x 96 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1
// more: 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 43981 x 96
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
    SMOV S3, 0x12345678
    SMOV S4, S3
    SRD R11, S4
    STG.32 [R5 + 0], R11
    R2S S5, R10
    SRD R11, S5
    STG.32 [R5 + 384], R11
    ISETP.GE P1, R1, 5
    @P1 R2S S5, R10              // the lowest thread that executes it
    SRD R11, S5
    STG.32 [R5 + 768], R11
    ISETP.LT P2, RZ, 0           // nobody
    @P2 R2S S5, R10
    SRD R11, S5
    STG.32 [R5 + 1152], R11
    SRD R11, S9                  // never written
    STG.32 [R5 + 1536], R11
    AND R11, R1, 1
    ISETP.NE P3, R11, 0
    @P3 VOTE S6
    SRD R11, S6
    STG.32 [R5 + 1920], R11
    SRD R11, S7
    STG.32 [R5 + 2304], R11
    @P2 VOTE S6
    SRD R11, S6
    SRD R12, S7
    OR R11, R11, R12
    STG.32 [R5 + 2688], R11
    SRD R11, EXEC_LO
    STG.32 [R5 + 3072], R11
    SRD R11, EXEC_HI
    STG.32 [R5 + 3456], R11
    SMOV S8, S3
    @P2 SMOV S8, 1               // its guard holds for nobody
    SRD R11, S8
    STG.32 [R5 + 3840], R11
    @P1 SMOV S8, 2
    SRD R11, S8
    STG.32 [R5 + 4224], R11
    SMOV S10, EXEC_LO
    SMOV S15, EXEC_HI
    MOV R13, 0
    SMOV EXEC_HI, 0
    IADD R13, R13, 1             // the low half
    SMOV EXEC_LO, 15
    IADD R13, R13, 2             // the four lowest
    SMOV EXEC_LO, S10
    SMOV EXEC_HI, S15
    STG.32 [R5 + 4608], R13
    MOV R13, 0
    SMOV S12, 4
    SMOV EXEC_LO, 0
    SMOV EXEC_HI, 0
    MOV R13, 99                  // nobody
    EXIT                         // nobody
    @!PT SMOV S12, 5             // executed: the warp has no active thread
    SMOV EXEC_LO, S10
    SMOV EXEC_HI, S15
    STG.32 [R5 + 4992], R13
    SRD R11, S12
    STG.32 [R5 + 5376], R11
    MOV R13, 0
    @P3 VOTE EXEC_LO             // the others are held
    MOV R13, 1
    SMOV EXEC_LO, -1             // bits of threads that are not held change nothing
    SMOV EXEC_HI, -1
    STG.32 [R5 + 5760], R13
    MOV R13, 0xABCD
    STG.32 [R5 + 6144], R13
    EXIT
