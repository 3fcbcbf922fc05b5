// Four products a round: n is a multiple of 4.
.kernel sgemm_naive
.registers 24
.arg global a
.arg global b
.arg global c
.arg value n 4
    S2R R4, SR_CTAID_X
    S2R R5, SR_NTID_X
    S2R R6, SR_TID_X
    S2R R7, SR_CTAID_Y
    S2R R8, SR_NTID_Y
    S2R R9, SR_TID_Y
    LDC.32 R0, c[0][64]
    LDC.32 R1, c[0][68]
    LDC.32 R2, c[0][72]
    LDC.32 R3, c[0][76]
    IMAD R4, R4, R5, R6          // column
    IMAD R7, R7, R8, R9          // row
    IMUL R7, R7, R3
    IADD R8, R7, R4
    SHL R8, R8, 2
    IADD R2, R2, R8
    SHL R7, R7, 2
    IADD R0, R0, R7
    SHL R4, R4, 2
    IADD R1, R1, R4
    SHL R4, R3, 2                // bytes of a row
    IADD R5, R0, R4              // end of the row of a
    MOV R12, RZ
rounds:
    IADD R6, R1, R4
    LDG.32 R13, [R0]
    LDG.32 R17, [R1]
    IADD R7, R6, R4
    LDG.32 R14, [R0 + 4]
    LDG.32 R18, [R6]
    IADD R8, R7, R4
    LDG.32 R15, [R0 + 8]
    LDG.32 R19, [R7]
    IADD R1, R8, R4
    LDG.32 R16, [R0 + 12]
    LDG.32 R20, [R8]
    IADD R0, R0, 16
    ISETP.NE P0, R0, R5
    FFMA R12, R13, R17, R12
    FFMA R12, R14, R18, R12
    FFMA R12, R15, R19, R12
    FFMA R12, R16, R20, R12
    @P0 BRA rounds
    STG.32 [R2], R12
    EXIT
