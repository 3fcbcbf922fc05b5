// Shared memory: the sum of a CTA by halves, with barriers; the words of the first steps lie far apart, so that banks conflict.
// launch: grid 3 1 1 cta 48 1 1
// arg out global 12 zero
// expect out: 1128 5928 10728
.kernel main
.shared_bytes 1536
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    IMUL R2, R1, 100
    IADD R2, R2, R0
    MOV R7, 5                    // bytes a thread: 32, so that every kind of SM has enough
    SHL R3, R0, R7
    STS.32 [R3], R2
    MOV R4, 32                   // distance
round:
    BAR
    IADD R5, R0, R4
    ISETP.LT P0, R0, R4
    ISETP.LT P1, R5, 48
    PSETP.AND P0, P0, P1
    SHL R5, R5, R7
    @P0 LDS.32 R6, [R5]
    @P0 LDS.32 R2, [R3]
    @P0 IADD R2, R2, R6
    @P0 STS.32 [R3], R2
    SHR R4, R4, 1
    ISETP.NE P2, R4, 0
    @P2 BRA round
    ISETP.EQ P0, R0, 0
    LDC.32 R8, c[0][64]
    SHL R1, R1, 2
    IADD R8, R8, R1
    @P0 LDS.32 R2, [RZ]
    @P0 STG.32 [R8], R2
    EXIT
