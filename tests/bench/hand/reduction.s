// Four values a round, then a tree in local memory whose own part stays in a register. Groups of at least two.
.kernel reduction
.registers 16
.shared_bytes 1024
.barriers 1
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
    LDC.32 R3, c[0][72]
    S2R R11, SR_TID_X
    SHL R3, R3, 2
    SHL R7, R7, 2
    IADD R9, R0, R3              // end of in
    IADD R0, R0, R7
    SHL R4, R4, 2
    IMUL R8, R4, 3
    IADD R10, R0, R8
    ISETP.UGE P0, R10, R9
    @P0 BRA rest
rounds:
    IADD R2, R0, R4
    LDG.32 R12, [R0]
    IADD R3, R2, R4
    LDG.32 R13, [R2]
    IADD R7, R3, R4
    LDG.32 R14, [R3]
    IADD R0, R7, R4
    LDG.32 R15, [R7]
    IADD R10, R0, R8
    ISETP.ULT P0, R10, R9
    IADD R1, R1, R12
    IADD R1, R1, R13
    IADD R1, R1, R14
    IADD R1, R1, R15
    @P0 BRA rounds
rest:
    ISETP.UGE P0, R0, R9
    @P0 BRA tree
    LDG.32 R12, [R0]
    IADD R0, R0, R4
    IADD R1, R1, R12
    BRA rest
tree:
    SHL R0, R11, 2
    STS.32 [R0], R1
    MEMBAR
    BAR
    SHL R5, R5, 1                // bytes of half of the part
halves:
    ISETP.ULT P0, R0, R5
    IADD R2, R0, R5
    @P0 LDS.32 R3, [R2]
    @P0 IADD R1, R1, R3
    @P0 STS.32 [R0], R1
    SHR R5, R5, 1
    ISETP.GE P1, R5, 4
    MEMBAR
    BAR
    @P1 BRA halves
    ISETP.NE P0, R11, 0
    @P0 EXIT
    LDC.32 R2, c[0][68]
    SHL R6, R6, 2
    IADD R2, R2, R6
    STG.32 [R2], R1
    EXIT
