// Special registers in a launch of three dimensions: geometry, and LANEID and WARPID against the thread number.
// launch: grid 2 2 2 cta 5 2 3
// arg out global 11520 zero
// arg lanes global 16 zero
// expect out: 0 x 6 5 2 3 2 x 3 1 0 x 5 5 2 3 2 x 4 0 x 5 5 2 3 2 x 3 3 0 x 5 5 2 3 2 x 3 4 0 x 5 5 2 3 2 x 3 0 1 0 x 4 5 2 3
// more: 2 x 3 1 x 2 0 x 4 5 2 3 2 x 4 1 0 x 4 5 2 3 2 x 3 3 1 0 x 4 5 2 3 2 x 3 4 1 0 x 4 5 2 3 2 x 3 0 x 2 1 0 x 3 5 2 3
// more: 2 x 3 1 0 1 0 x 3 5 2 3 2 x 4 0 1 0 x 3 5 2 3 2 x 3 3 0 1 0 x 3 5 2 3 2 x 3 4 0 1 0 x 3 5 2 3 2 x 3 0 1 x 2 0 x 3 5 2
// more: 3 2 x 3 1 x 3 0 x 3 5 2 3 2 x 4 1 x 2 0 x 3 5 2 3 2 x 3 3 1 x 2 0 x 3 5 2 3 2 x 3 4 1 x 2 0 x 3 5 2 3 2 x 3 0 x 2 2
// more: 0 x 3 5 2 3 2 x 3 1 0 2 0 x 3 5 2 3 2 x 4 0 2 0 x 3 5 2 3 2 x 3 3 0 2 0 x 3 5 2 3 2 x 3 4 0 2 0 x 3 5 2 3 2 x 3 0 1 2
// more: 0 x 3 5 2 3 2 x 3 1 x 2 2 0 x 3 5 2 3 2 x 4 1 2 0 x 3 5 2 3 2 x 3 3 1 2 0 x 3 5 2 3 2 x 3 4 1 2 0 x 3 5 2 3 2 x 3
// more: 0 x 3 1 0 x 2 5 2 3 2 x 3 1 0 x 2 1 0 x 2 5 2 3 2 x 4 0 x 2 1 0 x 2 5 2 3 2 x 3 3 0 x 2 1 0 x 2 5 2 3 2 x 3 4 0 x 2 1
// more: 0 x 2 5 2 3 2 x 3 0 1 0 1 0 x 2 5 2 3 2 x 3 1 x 2 0 1 0 x 2 5 2 3 2 x 4 1 0 1 0 x 2 5 2 3 2 x 3 3 1 0 1 0 x 2 5 2 3
// more: 2 x 3 4 1 0 1 0 x 2 5 2 3 2 x 3 0 x 2 1 x 2 0 x 2 5 2 3 2 x 3 1 0 1 x 2 0 x 2 5 2 3 2 x 4 0 1 x 2 0 x 2 5 2 3 2 x 3 3
// more: 0 1 x 2 0 x 2 5 2 3 2 x 3 4 0 1 x 2 0 x 2 5 2 3 2 x 3 0 1 x 3 0 x 2 5 2 3 2 x 3 1 x 4 0 x 2 5 2 3 2 x 4 1 x 3 0 x 2 5
// more: 2 3 2 x 3 3 1 x 3 0 x 2 5 2 3 2 x 3 4 1 x 3 0 x 2 5 2 3 2 x 3 0 x 2 2 1 0 x 2 5 2 3 2 x 3 1 0 2 1 0 x 2 5 2 3 2 x 4 0
// more: 2 1 0 x 2 5 2 3 2 x 3 3 0 2 1 0 x 2 5 2 3 2 x 3 4 0 2 1 0 x 2 5 2 3 2 x 3 0 1 2 1 0 x 2 5 2 3 2 x 3 1 x 2 2 1 0 x 2 5
// more: 2 3 2 x 4 1 2 1 0 x 2 5 2 3 2 x 3 3 1 2 1 0 x 2 5 2 3 2 x 3 4 1 2 1 0 x 2 5 2 3 2 x 3 0 x 4 1 0 5 2 3 2 x 3 1 0 x 3 1
// more: 0 5 2 3 2 x 4 0 x 3 1 0 5 2 3 2 x 3 3 0 x 3 1 0 5 2 3 2 x 3 4 0 x 3 1 0 5 2 3 2 x 3 0 1 0 x 2 1 0 5 2 3 2 x 3 1 x 2
// more: 0 x 2 1 0 5 2 3 2 x 4 1 0 x 2 1 0 5 2 3 2 x 3 3 1 0 x 2 1 0 5 2 3 2 x 3 4 1 0 x 2 1 0 5 2 3 2 x 3 0 x 2 1 0 1 0 5 2 3
// more: 2 x 3 1 0 1 0 1 0 5 2 3 2 x 4 0 1 0 1 0 5 2 3 2 x 3 3 0 1 0 1 0 5 2 3 2 x 3 4 0 1 0 1 0 5 2 3 2 x 3 0 1 x 2 0 1 0 5 2
// more: 3 2 x 3 1 x 3 0 1 0 5 2 3 2 x 4 1 x 2 0 1 0 5 2 3 2 x 3 3 1 x 2 0 1 0 5 2 3 2 x 3 4 1 x 2 0 1 0 5 2 3 2 x 3 0 x 2 2 0
// more: 1 0 5 2 3 2 x 3 1 0 2 0 1 0 5 2 3 2 x 4 0 2 0 1 0 5 2 3 2 x 3 3 0 2 0 1 0 5 2 3 2 x 3 4 0 2 0 1 0 5 2 3 2 x 3 0 1 2 0
// more: 1 0 5 2 3 2 x 3 1 x 2 2 0 1 0 5 2 3 2 x 4 1 2 0 1 0 5 2 3 2 x 3 3 1 2 0 1 0 5 2 3 2 x 3 4 1 2 0 1 0 5 2 3 2 x 3 0 x 3
// more: 1 x 2 0 5 2 3 2 x 3 1 0 x 2 1 x 2 0 5 2 3 2 x 4 0 x 2 1 x 2 0 5 2 3 2 x 3 3 0 x 2 1 x 2 0 5 2 3 2 x 3 4 0 x 2 1 x 2 0
// more: 5 2 3 2 x 3 0 1 0 1 x 2 0 5 2 3 2 x 3 1 x 2 0 1 x 2 0 5 2 3 2 x 4 1 0 1 x 2 0 5 2 3 2 x 3 3 1 0 1 x 2 0 5 2 3 2 x 3 4
// more: 1 0 1 x 2 0 5 2 3 2 x 3 0 x 2 1 x 3 0 5 2 3 2 x 3 1 0 1 x 3 0 5 2 3 2 x 4 0 1 x 3 0 5 2 3 2 x 3 3 0 1 x 3 0 5 2 3
// more: 2 x 3 4 0 1 x 3 0 5 2 3 2 x 3 0 1 x 4 0 5 2 3 2 x 3 1 x 5 0 5 2 3 2 x 4 1 x 4 0 5 2 3 2 x 3 3 1 x 4 0 5 2 3 2 x 3 4
// more: 1 x 4 0 5 2 3 2 x 3 0 x 2 2 1 x 2 0 5 2 3 2 x 3 1 0 2 1 x 2 0 5 2 3 2 x 4 0 2 1 x 2 0 5 2 3 2 x 3 3 0 2 1 x 2 0 5 2 3
// more: 2 x 3 4 0 2 1 x 2 0 5 2 3 2 x 3 0 1 2 1 x 2 0 5 2 3 2 x 3 1 x 2 2 1 x 2 0 5 2 3 2 x 4 1 2 1 x 2 0 5 2 3 2 x 3 3 1 2
// more: 1 x 2 0 5 2 3 2 x 3 4 1 2 1 x 2 0 5 2 3 2 x 3 0 x 5 1 5 2 3 2 x 3 1 0 x 4 1 5 2 3 2 x 4 0 x 4 1 5 2 3 2 x 3 3 0 x 4 1
// more: 5 2 3 2 x 3 4 0 x 4 1 5 2 3 2 x 3 0 1 0 x 3 1 5 2 3 2 x 3 1 x 2 0 x 3 1 5 2 3 2 x 4 1 0 x 3 1 5 2 3 2 x 3 3 1 0 x 3 1
// more: 5 2 3 2 x 3 4 1 0 x 3 1 5 2 3 2 x 3 0 x 2 1 0 x 2 1 5 2 3 2 x 3 1 0 1 0 x 2 1 5 2 3 2 x 4 0 1 0 x 2 1 5 2 3 2 x 3 3 0
// more: 1 0 x 2 1 5 2 3 2 x 3 4 0 1 0 x 2 1 5 2 3 2 x 3 0 1 x 2 0 x 2 1 5 2 3 2 x 3 1 x 3 0 x 2 1 5 2 3 2 x 4 1 x 2 0 x 2 1 5
// more: 2 3 2 x 3 3 1 x 2 0 x 2 1 5 2 3 2 x 3 4 1 x 2 0 x 2 1 5 2 3 2 x 3 0 x 2 2 0 x 2 1 5 2 3 2 x 3 1 0 2 0 x 2 1 5 2 3
// more: 2 x 4 0 2 0 x 2 1 5 2 3 2 x 3 3 0 2 0 x 2 1 5 2 3 2 x 3 4 0 2 0 x 2 1 5 2 3 2 x 3 0 1 2 0 x 2 1 5 2 3 2 x 3 1 x 2 2
// more: 0 x 2 1 5 2 3 2 x 4 1 2 0 x 2 1 5 2 3 2 x 3 3 1 2 0 x 2 1 5 2 3 2 x 3 4 1 2 0 x 2 1 5 2 3 2 x 3 0 x 3 1 0 1 5 2 3
// more: 2 x 3 1 0 x 2 1 0 1 5 2 3 2 x 4 0 x 2 1 0 1 5 2 3 2 x 3 3 0 x 2 1 0 1 5 2 3 2 x 3 4 0 x 2 1 0 1 5 2 3 2 x 3 0 1 0 1 0
// more: 1 5 2 3 2 x 3 1 x 2 0 1 0 1 5 2 3 2 x 4 1 0 1 0 1 5 2 3 2 x 3 3 1 0 1 0 1 5 2 3 2 x 3 4 1 0 1 0 1 5 2 3 2 x 3 0 x 2
// more: 1 x 2 0 1 5 2 3 2 x 3 1 0 1 x 2 0 1 5 2 3 2 x 4 0 1 x 2 0 1 5 2 3 2 x 3 3 0 1 x 2 0 1 5 2 3 2 x 3 4 0 1 x 2 0 1 5 2 3
// more: 2 x 3 0 1 x 3 0 1 5 2 3 2 x 3 1 x 4 0 1 5 2 3 2 x 4 1 x 3 0 1 5 2 3 2 x 3 3 1 x 3 0 1 5 2 3 2 x 3 4 1 x 3 0 1 5 2 3
// more: 2 x 3 0 x 2 2 1 0 1 5 2 3 2 x 3 1 0 2 1 0 1 5 2 3 2 x 4 0 2 1 0 1 5 2 3 2 x 3 3 0 2 1 0 1 5 2 3 2 x 3 4 0 2 1 0 1 5 2
// more: 3 2 x 3 0 1 2 1 0 1 5 2 3 2 x 3 1 x 2 2 1 0 1 5 2 3 2 x 4 1 2 1 0 1 5 2 3 2 x 3 3 1 2 1 0 1 5 2 3 2 x 3 4 1 2 1 0 1 5
// more: 2 3 2 x 3 0 x 4 1 x 2 5 2 3 2 x 3 1 0 x 3 1 x 2 5 2 3 2 x 4 0 x 3 1 x 2 5 2 3 2 x 3 3 0 x 3 1 x 2 5 2 3 2 x 3 4 0 x 3
// more: 1 x 2 5 2 3 2 x 3 0 1 0 x 2 1 x 2 5 2 3 2 x 3 1 x 2 0 x 2 1 x 2 5 2 3 2 x 4 1 0 x 2 1 x 2 5 2 3 2 x 3 3 1 0 x 2 1 x 2
// more: 5 2 3 2 x 3 4 1 0 x 2 1 x 2 5 2 3 2 x 3 0 x 2 1 0 1 x 2 5 2 3 2 x 3 1 0 1 0 1 x 2 5 2 3 2 x 4 0 1 0 1 x 2 5 2 3 2 x 3
// more: 3 0 1 0 1 x 2 5 2 3 2 x 3 4 0 1 0 1 x 2 5 2 3 2 x 3 0 1 x 2 0 1 x 2 5 2 3 2 x 3 1 x 3 0 1 x 2 5 2 3 2 x 4 1 x 2 0
// more: 1 x 2 5 2 3 2 x 3 3 1 x 2 0 1 x 2 5 2 3 2 x 3 4 1 x 2 0 1 x 2 5 2 3 2 x 3 0 x 2 2 0 1 x 2 5 2 3 2 x 3 1 0 2 0 1 x 2 5
// more: 2 3 2 x 4 0 2 0 1 x 2 5 2 3 2 x 3 3 0 2 0 1 x 2 5 2 3 2 x 3 4 0 2 0 1 x 2 5 2 3 2 x 3 0 1 2 0 1 x 2 5 2 3 2 x 3 1 x 2
// more: 2 0 1 x 2 5 2 3 2 x 4 1 2 0 1 x 2 5 2 3 2 x 3 3 1 2 0 1 x 2 5 2 3 2 x 3 4 1 2 0 1 x 2 5 2 3 2 x 3 0 x 3 1 x 3 5 2 3
// more: 2 x 3 1 0 x 2 1 x 3 5 2 3 2 x 4 0 x 2 1 x 3 5 2 3 2 x 3 3 0 x 2 1 x 3 5 2 3 2 x 3 4 0 x 2 1 x 3 5 2 3 2 x 3 0 1 0
// more: 1 x 3 5 2 3 2 x 3 1 x 2 0 1 x 3 5 2 3 2 x 4 1 0 1 x 3 5 2 3 2 x 3 3 1 0 1 x 3 5 2 3 2 x 3 4 1 0 1 x 3 5 2 3 2 x 3
// more: 0 x 2 1 x 4 5 2 3 2 x 3 1 0 1 x 4 5 2 3 2 x 4 0 1 x 4 5 2 3 2 x 3 3 0 1 x 4 5 2 3 2 x 3 4 0 1 x 4 5 2 3 2 x 3 0 1 x 5
// more: 5 2 3 2 x 3 1 x 6 5 2 3 2 x 4 1 x 5 5 2 3 2 x 3 3 1 x 5 5 2 3 2 x 3 4 1 x 5 5 2 3 2 x 3 0 x 2 2 1 x 3 5 2 3 2 x 3 1 0
// more: 2 1 x 3 5 2 3 2 x 4 0 2 1 x 3 5 2 3 2 x 3 3 0 2 1 x 3 5 2 3 2 x 3 4 0 2 1 x 3 5 2 3 2 x 3 0 1 2 1 x 3 5 2 3 2 x 3
// more: 1 x 2 2 1 x 3 5 2 3 2 x 4 1 2 1 x 3 5 2 3 2 x 3 3 1 2 1 x 3 5 2 3 2 x 3 4 1 2 1 x 3 5 2 3 2 x 3
// expect lanes: 0 0 0 240
.kernel main
.arg global out
.arg global lanes
    S2R R0, SR_TID_X
    S2R R1, SR_TID_Y
    S2R R2, SR_TID_Z
    MOV R4, 2
    IMAD R3, R2, R4, R1
    MOV R4, 5
    IMAD R3, R3, R4, R0          // thread of the CTA
    S2R R0, SR_CTAID_X
    S2R R1, SR_CTAID_Y
    S2R R2, SR_CTAID_Z
    SHL R2, R2, 1
    IADD R2, R2, R1
    SHL R2, R2, 1
    IADD R2, R2, R0              // CTA of the grid
    MOV R4, 30
    IMAD R5, R2, R4, R3
    IMUL R5, R5, 48
    LDC.32 R4, c[0][64]
    IADD R5, R5, R4
    S2R R6, SR_TID_X
    STG.32 [R5 + 0], R6
    S2R R6, SR_TID_Y
    STG.32 [R5 + 4], R6
    S2R R6, SR_TID_Z
    STG.32 [R5 + 8], R6
    S2R R6, SR_CTAID_X
    STG.32 [R5 + 12], R6
    S2R R6, SR_CTAID_Y
    STG.32 [R5 + 16], R6
    S2R R6, SR_CTAID_Z
    STG.32 [R5 + 20], R6
    S2R R6, SR_NTID_X
    STG.32 [R5 + 24], R6
    S2R R6, SR_NTID_Y
    STG.32 [R5 + 28], R6
    S2R R6, SR_NTID_Z
    STG.32 [R5 + 32], R6
    S2R R6, SR_NCTAID_X
    STG.32 [R5 + 36], R6
    S2R R6, SR_NCTAID_Y
    STG.32 [R5 + 40], R6
    S2R R6, SR_NCTAID_Z
    STG.32 [R5 + 44], R6
    LDC.32 R4, c[0][68]
    MOV R8, 1
    S2R R6, SR_LANEID
    ISETP.NE P0, R6, R3          // one warp: the thread's number is its lane
    @P0 ATOMG.ADD RZ, [R4], R8
    S2R R6, SR_WARPID
    ATOMG.ADD RZ, [R4 + 4], R6
    S2R R6, SR_SMID
    SHR R6, R6, 1                // there are at most two
    ATOMG.UMAX RZ, [R4 + 8], R6
    S2R R6, SR_CLOCK_LO
    S2R R7, SR_CLOCK_LO
    ISUB R7, R7, R6              // time goes on
    ISETP.GT P1, R7, 0
    S2R R6, SR_CLOCK_HI
    ISETP.EQ P2, R6, 0
    PSETP.AND P1, P1, P2
    S2R R6, SR_TMD
    ISETP.NE P2, R6, 0
    PSETP.AND P1, P1, P2
    @P1 ATOMG.ADD RZ, [R4 + 12], R8
    EXIT
