// Five points; the border by predicates.
.kernel stencil
.registers 16
.arg global in
.arg global out
.arg value width 4
.arg value height 4
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
    IMAD R4, R4, R5, R6          // x
    IMAD R7, R7, R8, R9          // y
    IMAD R5, R7, R2, R4
    SHL R5, R5, 2
    IADD R0, R0, R5
    IADD R1, R1, R5
    LDG.32 R10, [R0]
    // Inside: x - 1 below width - 2, y - 1 below height - 2, unsigned.
    ISUB R4, R4, 1
    ISUB R7, R7, 1
    SHL R5, R2, 2
    ISUB R2, R2, 2
    ISUB R3, R3, 2
    ISETP.ULT P0, R4, R2
    ISETP.ULT P1, R7, R3
    PSETP.AND P0, P0, P1
    ISUB R6, R0, R5
    IADD R5, R0, R5
    @P0 LDG.32 R11, [R0 - 4]
    @P0 LDG.32 R12, [R0 + 4]
    @P0 LDG.32 R13, [R6]
    @P0 LDG.32 R14, [R5]
    @P0 SHL R10, R10, 2
    @P0 IADD R11, R11, R12
    @P0 IADD R13, R13, R14
    @P0 IADD R10, R10, R11
    @P0 IADD R10, R10, R13
    @P0 SHR R10, R10, 3
    STG.32 [R1], R10
    EXIT
