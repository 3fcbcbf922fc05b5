// A trap sees and writes what its CTA has: how many warps are alive, a word for the handler, where it is in its grid.
// launch: grid 3 1 1 cta 16 1 1
// shows: TU-12
// arg out global 96 zero
// expect out: 1 0 9 70 8 7 1 0 10 71 8 7 1 0 11 72 8 7
.kernel main
.arg global out
    LDC.32 R4, c[0][64]
    S2R R5, SR_CTAID_X
    IMUL R6, R5, 24
    IADD R4, R4, R6
    TRAP handler
    S2R R7, SR_CTAID_X
    STG.32 [R4 + 12], R7
    S2R R7, SR_CTAID_Y
    STG.32 [R4 + 16], R7
    S2R R7, SR_CTAID_Z
    STG.32 [R4 + 20], R7
    EXIT
handler:
    S2R R0, SR_LANEID
    LDC.32 R4, c[0][64]
    IADD R4, R4, R6
    SRD R1, CTA_ALIVE
    SRD R2, CTA_RECORD
    IADD R3, R5, 9
    R2S CTA_RECORD, R3
    SRD R3, CTA_RECORD
    IADD R8, R5, 70
    R2S CTA_X, R8
    MOV R8, 0x70008
    R2S CTA_YZ, R8
    ISETP.EQ P0, R0, 0
    @P0 STG.32 [R4], R1
    @P0 STG.32 [R4 + 4], R2
    @P0 STG.32 [R4 + 8], R3
    TRET
