// For lanes that store a line at once: four words a round; what is left over one by one.
.kernel copy
.registers 16
.arg global in
.arg global out
.arg value n 4
    S2R R4, SR_NCTAID_X
    S2R R5, SR_NTID_X
    S2R R6, SR_CTAID_X
    S2R R7, SR_TID_X
    IMUL R4, R4, R5
    IMAD R7, R6, R5, R7          // i
    LDC.32 R0, c[0][64]
    LDC.32 R1, c[0][68]
    LDC.32 R3, c[0][72]
    SHL R8, R3, 2
    SHL R7, R7, 2
    IADD R9, R0, R8              // end of in
    ISUB R1, R1, R0              // out - in
    IADD R0, R0, R7
    SHL R4, R4, 2
    IMUL R5, R4, 3
    IADD R6, R0, R5
    ISETP.UGE P0, R6, R9
    @P0 BRA rest
rounds:
    IADD R2, R0, R4
    IADD R3, R2, R4
    IADD R6, R3, R4
    LDG.32 R12, [R0]
    LDG.32 R13, [R2]
    LDG.32 R14, [R3]
    LDG.32 R15, [R6]
    IADD R7, R0, R1
    IADD R2, R2, R1
    IADD R3, R3, R1
    IADD R8, R6, R1
    IADD R0, R6, R4
    IADD R10, R0, R5
    ISETP.ULT P0, R10, R9
    STG.32 [R7], R12
    STG.32 [R2], R13
    STG.32 [R3], R14
    STG.32 [R8], R15
    @P0 BRA rounds
rest:
    ISETP.UGE P0, R0, R9
    @P0 EXIT
    LDG.32 R12, [R0]
    IADD R7, R0, R1
    IADD R0, R0, R4
    STG.32 [R7], R12
    BRA rest
