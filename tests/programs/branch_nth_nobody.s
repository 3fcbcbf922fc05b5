// A branch of no active thread is not taken, whatever its kind: EXEC is zero meanwhile, and the warp's next instructions are those behind it.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-17 SV-8
// arg out global 384 zero
// expect out: 3 x 96
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R2, SR_CTAID_X
    S2R R3, SR_NTID_X
    IMAD R4, R2, R3, R0          // thread of the grid
    SHL R5, R4, 2
    LDC.32 R6, c[0][64]
    IADD R5, R5, R6              // &out[thread]
    MOV R1, 3
    VOTE S2                      // all that are active
    SMOV EXEC_LO, 0
    SMOV EXEC_HI, 0
    BRA.NTH wrong
    BRA.TURN wrong
    BRA wrong
    JMP wrong
back:
    SMOV EXEC_LO, S2
    SMOV EXEC_HI, S3
    STG.32 [R5], R1
    EXIT
wrong:
    SMOV EXEC_LO, S2
    SMOV EXEC_HI, S3
    MOV R1, 4
    STG.32 [R5], R1
    EXIT
