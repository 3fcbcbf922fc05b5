// Tiles of 8 by 8; the next tile is loaded while one is worked on.
.kernel matrix_product
.registers 28
.shared_bytes 512
.barriers 1
.arg global a
.arg global b
.arg global c
.arg value n 4
    S2R R4, SR_TID_X
    S2R R5, SR_TID_Y
    S2R R6, SR_CTAID_X
    S2R R7, SR_CTAID_Y
    LDC.32 R0, c[0][64]
    LDC.32 R1, c[0][68]
    LDC.32 R2, c[0][72]
    LDC.32 R3, c[0][76]
    SHL R6, R6, 3
    SHL R7, R7, 3
    IADD R6, R6, R4              // column
    IADD R7, R7, R5              // row
    IMUL R8, R7, R3
    IADD R9, R8, R6
    SHL R9, R9, 2
    IADD R2, R2, R9
    IADD R8, R8, R4
    SHL R8, R8, 2
    IADD R0, R0, R8
    IMAD R8, R5, R3, R6
    SHL R8, R8, 2
    IADD R1, R1, R8
    LDG.32 R10, [R0]
    LDG.32 R11, [R1]
    SHL R5, R5, 5               // row of the left tile
    SHL R4, R4, 2                // column of the right one
    IADD R6, R5, R4
    SHL R8, R3, 5
    MOV R7, RZ
tiles:
    STS.32 [R6], R10
    STS.32 [R6 + 256], R11
    ISUB R3, R3, 8
    ISETP.NE P0, R3, 0
    IADD R0, R0, 32
    IADD R1, R1, R8
    MEMBAR
    BAR
    @P0 LDG.32 R10, [R0]
    @P0 LDG.32 R11, [R1]
    LDS.128 R12, [R5 + 0]
    LDS.32 R20, [R4 + 256]
    LDS.32 R21, [R4 + 288]
    LDS.32 R22, [R4 + 320]
    LDS.32 R23, [R4 + 352]
    LDS.128 R16, [R5 + 16]
    LDS.32 R24, [R4 + 384]
    LDS.32 R25, [R4 + 416]
    LDS.32 R26, [R4 + 448]
    LDS.32 R27, [R4 + 480]
    FFMA R7, R12, R20, R7
    FFMA R7, R13, R21, R7
    FFMA R7, R14, R22, R7
    FFMA R7, R15, R23, R7
    FFMA R7, R16, R24, R7
    FFMA R7, R17, R25, R7
    FFMA R7, R18, R26, R7
    FFMA R7, R19, R27, R7
    MEMBAR
    BAR
    @P0 BRA tiles
    STG.32 [R2], R7
    EXIT
