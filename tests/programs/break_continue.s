// break and continue, each under its own if, in one loop.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-6 TD-8 TD-9
// arg out global 384 zero
// expect out: 7 x 2 8 28 29 69 70 8 131 29 212 7 x 2 8 x 2 29 x 2 70 x 2 131 x 2 8 7 x 2 8 28 29 69 8 130 29 211 70 7 x 2 8
// more: 28 29 69 70 130 131 8 212 7 x 2 8 28 29 8 70 29 131 70 212 7 x 2 8 28 29 69 70 130 8 211 29 7 x 2 8 28 8 69 29 130 70
// more: 211 131 7 x 2 8 28 29 69 70 8 131 29 212 7 x 2 8 x 2 29 x 2 70 x 2
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    UMULHI R5, R0, 0x1745D175    // R0 / 11
    IMUL R5, R5, 11
    ISUB R5, R0, R5              // rounds
    UMULHI R6, R0, 0x24924925    // R0 / 7
    IMUL R6, R6, 7
    ISUB R6, R0, R6
    IADD R6, R6, 2
    MOV R7, 0
    MOV R8, 0                    // k
    PBRK out
loop:
    ISETP.GE P0, R8, R5
    @P0 BRK
    PCONT next
    AND R9, R8, 1
    ISETP.EQ P1, R9, 1
    SSY even
    @!P1 SYNC
    IADD R7, R7, 1
    CONT
even:
    ISETP.EQ P2, R8, R6
    @P2 BRK
    IMUL R9, R8, 10
    IADD R7, R7, R9
    CONT
next:
    IADD R8, R8, 1
    BRA loop
out:
    IADD R7, R7, 7
    STG.32 [R3], R7
    EXIT
