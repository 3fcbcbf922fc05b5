// For lanes that store a line at once: y = a * x + y, four elements a round; what is left over one by one.
.kernel saxpy
.registers 20
.arg global x
.arg global y
.arg value a 4
.arg value n 4
    S2R R4, SR_NCTAID_X
    S2R R5, SR_NTID_X
    S2R R6, SR_CTAID_X
    S2R R7, SR_TID_X
    IMUL R4, R4, R5
    IMAD R7, R6, R5, R7          // i
    LDC.32 R0, c[0][64]
    LDC.32 R1, c[0][68]
    LDC.32 R2, c[0][72]
    LDC.32 R3, c[0][76]
    SHL R8, R3, 2
    SHL R7, R7, 2
    IADD R9, R0, R8              // end of x
    IADD R0, R0, R7
    IADD R1, R1, R7
    SHL R4, R4, 2
    IMUL R5, R4, 3
    IADD R6, R0, R5
    ISETP.UGE P0, R6, R9
    @P0 BRA rest
rounds:
    IADD R6, R0, R4
    IADD R10, R1, R4
    LDG.32 R12, [R0]
    LDG.32 R13, [R6]
    LDG.32 R14, [R1]
    LDG.32 R15, [R10]
    IADD R6, R6, R4
    IADD R11, R10, R4
    IADD R7, R6, R4
    IADD R8, R11, R4
    LDG.32 R16, [R6]
    LDG.32 R17, [R7]
    LDG.32 R18, [R11]
    LDG.32 R19, [R8]
    IADD R0, R7, R4
    IADD R6, R0, R5
    ISETP.ULT P0, R6, R9
    FFMA R14, R2, R12, R14
    FFMA R15, R2, R13, R15
    STG.32 [R1], R14
    STG.32 [R10], R15
    FFMA R18, R2, R16, R18
    FFMA R19, R2, R17, R19
    STG.32 [R11], R18
    STG.32 [R8], R19
    IADD R1, R8, R4
    @P0 BRA rounds
rest:
    ISETP.UGE P0, R0, R9
    @P0 EXIT
    LDG.32 R12, [R0]
    LDG.32 R14, [R1]
    IADD R0, R0, R4
    FFMA R14, R2, R12, R14
    STG.32 [R1], R14
    IADD R1, R1, R4
    BRA rest
