// CTAs that share an SM do not see each other's shared memory: each finds zeros, fills its memory with its number, waits, and
// finds nothing but its number. The CTAs of an SM with 4096 bytes have room for three of them.
// launch: grid 7 1 1 cta 16 1 1
// arg zeros global 448 zero
// arg mine global 448 zero
// expect zeros: 64 x 112
// expect mine: 64 x 112
.kernel main
.shared_bytes 1284
.arg global zeros
.arg global mine
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    IADD R1, R1, 1
    SHL R2, R0, 2
    MOV R4, 0                    // words that were zero
look:
    LDS.32 R3, [R2]
    ISETP.EQ P0, R3, 0
    @P0 IADD R4, R4, 1
    STS.32 [R2], R1
    IADD R2, R2, 64
    ISETP.LT P1, R2, 1280
    @P1 BRA look
    STS.32 [RZ + 1280], R1       // the last word, by all
    BAR
    MOV R5, 0
wait:
    IADD R5, R5, 1
    ISETP.LT P0, R5, 40
    @P0 BRA wait
    SHL R2, R0, 2
    MOV R6, 0                    // words that are mine
again:
    LDS.32 R3, [R2]
    ISETP.EQ P0, R3, R1
    @P0 IADD R6, R6, 1
    IADD R2, R2, 64
    ISETP.LT P1, R2, 1280
    @P1 BRA again
    LDS.32 R3, [RZ + 1280]
    ISETP.EQ P0, R3, R1
    @P0 IADD R6, R6, 44          // 20 words and this
    IADD R4, R4, 44
    ISUB R1, R1, 1
    SHL R1, R1, 4
    IADD R1, R1, R0
    SHL R1, R1, 2
    LDC.32 R7, c[0][64]
    IADD R7, R7, R1
    STG.32 [R7], R4
    LDC.32 R7, c[0][68]
    IADD R7, R7, R1
    STG.32 [R7], R6
    EXIT
