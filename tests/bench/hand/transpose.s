// Tiles of 8 by 8.
.kernel transpose
.registers 12
.shared_bytes 288
.barriers 1
.arg global in
.arg global out
.arg value n 4
    S2R R4, SR_CTAID_X
    S2R R5, SR_CTAID_Y
    S2R R6, SR_TID_X
    S2R R7, SR_TID_Y
    LDC.32 R0, c[0][64]
    LDC.32 R1, c[0][68]
    LDC.32 R2, c[0][72]
    SHL R4, R4, 3
    SHL R5, R5, 3
    IADD R8, R5, R7              // row + y
    IADD R9, R4, R6              // column + x
    IMAD R8, R8, R2, R9
    SHL R8, R8, 2
    IADD R0, R0, R8
    LDG.32 R10, [R0]
    IADD R4, R4, R7
    IADD R5, R5, R6
    IMAD R4, R4, R2, R5
    SHL R4, R4, 2
    IADD R1, R1, R4
    IMUL R8, R7, 36
    SHL R9, R6, 2
    IADD R8, R8, R9              // [y][x]
    IMUL R9, R6, 36
    SHL R7, R7, 2
    IADD R9, R9, R7              // [x][y]
    STS.32 [R8], R10
    MEMBAR
    BAR
    LDS.32 R10, [R9]
    STG.32 [R1], R10
    EXIT
