// A warp reads what it is in a trap: why its threads are off, its tokens, where it goes on; takes the tokens away, puts them back, goes on.
// launch: grid 1 1 1 cta 16 1 1
// shows: TU-12
// arg out global 192 zero
// expect out threads 32: 0xffff000f x 3 0xffff0000 0 9 0x7000000b 0xf 0x1000000d 0xffff 0x0000000d 0xffff
// more: 0 x 4 100..103 204..215
// expect out threads 64: 0xffff000f x 3 0xffff0000 0xffffffff 9 0x7000000b 0xf 0x1000000d 0xffff 0x0000000d 0xffff
// more: 0 x 4 100..103 204..215
.kernel main
.arg global out
    S2R R0, SR_LANEID
    LDC.32 R4, c[0][64]
    SHL R5, R0, 2
    IADD R5, R5, R4
    ISETP.LT P0, R0, 4
    MOV R1, 200
    SSY join
    @P0 BRA low                  // a token for threads 0 to 3
    TRAP handler
    SYNC join                    // 9
    NOP
low:                             // 11
    MOV R1, 100
    SYNC join
join:                            // 13
    IADD R1, R1, R0
    STG.32 [R5 + 64], R1
    EXIT
handler:
    S2R R7, SR_LANEID            // all threads execute, those that were never started too
    LDC.32 R4, c[0][64]
    ISETP.EQ P1, R7, 0
    SRD R6, REASON0_LO
    @P1 STG.32 [R4], R6
    SRD R6, REASON1_LO
    @P1 STG.32 [R4 + 4], R6
    SRD R6, REASON2_LO
    @P1 STG.32 [R4 + 8], R6
    SRD R6, REASON3_LO
    @P1 STG.32 [R4 + 12], R6
    SRD R6, REASON3_HI
    @P1 STG.32 [R4 + 16], R6
    SRD R8, TPC
    @P1 STG.32 [R4 + 20], R8
    TPOP                         // DIV
    SRD R9, TOKEN
    @P1 STG.32 [R4 + 24], R9
    SRD R6, TOKEN_LO
    @P1 STG.32 [R4 + 28], R6
    TPOP                         // SYNC
    SRD R10, TOKEN
    @P1 STG.32 [R4 + 32], R10
    SRD R6, TOKEN_LO
    @P1 STG.32 [R4 + 36], R6
    TPOP                         // none
    SRD R6, TOKEN
    @P1 STG.32 [R4 + 40], R6
    SRD R6, TOKEN_LO
    @P1 STG.32 [R4 + 44], R6
    ISETP.LT P2, R7, 16
    ISETP.LT P3, R7, 4
    R2S TPC, R10
    @P2 TPUSH.SYNC
    R2S TPC, R9
    @P3 TPUSH.DIV
    TREASON.ABSENT               // everybody, then as before
    @P2 TREASON.NONE
    @P3 TREASON.DIV
    R2S TPC, R8
    TRET
