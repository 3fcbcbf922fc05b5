// Four pixels a round.
.kernel histogram
.registers 20
.arg global in
.arg value n 4
.arg global bins
    S2R R4, SR_NCTAID_X
    S2R R5, SR_NTID_X
    S2R R6, SR_CTAID_X
    S2R R7, SR_TID_X
    IMUL R4, R4, R5
    IMAD R7, R6, R5, R7          // i
    LDC.32 R0, c[0][64]
    LDC.32 R1, c[0][72]
    LDC.32 R3, c[0][68]
    MOV R16, 1
    IADD R9, R0, R3              // end of in
    IADD R0, R0, R7
    IMUL R5, R4, 3
    IADD R6, R0, R5
    ISETP.UGE P0, R6, R9
    @P0 BRA rest
rounds:
    IADD R6, R0, R4
    LDG.U8 R12, [R0]
    IADD R7, R6, R4
    LDG.U8 R13, [R6]
    IADD R8, R7, R4
    LDG.U8 R14, [R7]
    LDG.U8 R15, [R8]
    IADD R0, R8, R4
    IADD R6, R0, R5
    ISETP.ULT P0, R6, R9
    SHL R12, R12, 2
    IADD R12, R12, R1
    ATOMG.ADD RZ, [R12], R16
    SHL R13, R13, 2
    IADD R13, R13, R1
    ATOMG.ADD RZ, [R13], R16
    SHL R14, R14, 2
    IADD R14, R14, R1
    ATOMG.ADD RZ, [R14], R16
    SHL R15, R15, 2
    IADD R15, R15, R1
    ATOMG.ADD RZ, [R15], R16
    @P0 BRA rounds
rest:
    ISETP.UGE P0, R0, R9
    @P0 EXIT
    LDG.U8 R12, [R0]
    IADD R0, R0, R4
    SHL R12, R12, 2
    IADD R12, R12, R1
    ATOMG.ADD RZ, [R12], R16
    BRA rest
