// Four neighbouring words for each work-item; the last ones, fewer than four, by the first work-items.
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
    IMAD R7, R6, R5, R7          // item
    LDC.32 R0, c[0][64]
    LDC.32 R1, c[0][68]
    LDC.32 R3, c[0][72]
    SHL R4, R4, 4                // bytes of a round
    SHL R5, R7, 4
    SHR R9, R3, 2
    SHL R9, R9, 4
    IADD R8, R0, R9              // end of in's whole fours
    ISUB R1, R1, R0              // out - in
    SHL R6, R3, 2
    IADD R6, R6, R0              // end of in
    SHL R7, R7, 2
    IADD R7, R7, R8              // what is left over
    IADD R0, R0, R5
    ISETP.UGE P0, R0, R8
    @P0 BRA rest
rounds:
    LDG.128 R12, [R0]
    IADD R2, R0, R1
    IADD R0, R0, R4
    ISETP.ULT P0, R0, R8
    STG.128 [R2], R12
    @P0 BRA rounds
rest:
    ISETP.UGE P0, R7, R6
    @P0 EXIT
    LDG.32 R12, [R7]
    IADD R2, R7, R1
    STG.32 [R2], R12
    EXIT
