// 4 by 4 sums of each of 8 by 8 work-items; the next tile is loaded while one is worked on.
.kernel sgemm_blocks
.registers 56
.shared_bytes 2048
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
    SHL R6, R6, 5                // column
    SHL R7, R7, 5                // row
    SHL R8, R5, 3
    IADD R8, R8, R4              // item
    SHR R9, R8, 1
    IADD R10, R7, R9
    IMUL R10, R10, R3
    AND R11, R8, 1
    SHL R12, R11, 2
    IADD R10, R10, R12
    SHL R10, R10, 2
    IADD R0, R0, R10             // part of a's tile
    SHL R12, R4, 2
    IADD R12, R12, R6
    IMAD R13, R5, R3, R12
    SHL R13, R13, 2
    IADD R1, R1, R13             // part of b's tile
    SHL R13, R5, 2
    IADD R13, R13, R7
    IMAD R13, R13, R3, R12
    SHL R13, R13, 2
    IADD R2, R2, R13             // sums
    SHL R11, R11, 9
    SHL R9, R9, 2
    IADD R6, R11, R9             // where the part of a goes
    SHL R7, R8, 4                // that of b, behind 1024
    SHL R4, R4, 4                // x of the right tile
    SHL R5, R5, 4                // y of the left one
    SHL R8, R3, 5                // eight rows of b
    SHL R9, R3, 2                // one row
    LDG.128 R12, [R0]
    LDG.128 R16, [R1]
    MOV R24, RZ
    MOV R25, RZ
    MOV R26, RZ
    MOV R27, RZ
    MOV R28, RZ
    MOV R29, RZ
    MOV R30, RZ
    MOV R31, RZ
    MOV R32, RZ
    MOV R33, RZ
    MOV R34, RZ
    MOV R35, RZ
    MOV R36, RZ
    MOV R37, RZ
    MOV R38, RZ
    MOV R39, RZ
tiles:
    STS.32 [R6 + 0], R12
    STS.32 [R6 + 128], R13
    STS.32 [R6 + 256], R14
    STS.32 [R6 + 384], R15
    STS.128 [R7 + 1024], R16
    ISUB R3, R3, 8
    ISETP.NE P0, R3, 0
    IADD R0, R0, 32
    IADD R1, R1, R8
    MEMBAR
    BAR
    @P0 LDG.128 R12, [R0]
    @P0 LDG.128 R16, [R1]
    LDS.128 R40, [R5 + 0]
    LDS.128 R44, [R4 + 1024]
    LDS.128 R48, [R5 + 128]
    LDS.128 R52, [R4 + 1152]
    FFMA R24, R40, R44, R24
    FFMA R25, R40, R45, R25
    FFMA R26, R40, R46, R26
    FFMA R27, R40, R47, R27
    FFMA R28, R41, R44, R28
    FFMA R29, R41, R45, R29
    FFMA R30, R41, R46, R30
    FFMA R31, R41, R47, R31
    FFMA R32, R42, R44, R32
    FFMA R33, R42, R45, R33
    FFMA R34, R42, R46, R34
    FFMA R35, R42, R47, R35
    FFMA R36, R43, R44, R36
    FFMA R37, R43, R45, R37
    FFMA R38, R43, R46, R38
    FFMA R39, R43, R47, R39
    LDS.128 R40, [R5 + 256]
    LDS.128 R44, [R4 + 1280]
    FFMA R24, R48, R52, R24
    FFMA R25, R48, R53, R25
    FFMA R26, R48, R54, R26
    FFMA R27, R48, R55, R27
    FFMA R28, R49, R52, R28
    FFMA R29, R49, R53, R29
    FFMA R30, R49, R54, R30
    FFMA R31, R49, R55, R31
    FFMA R32, R50, R52, R32
    FFMA R33, R50, R53, R33
    FFMA R34, R50, R54, R34
    FFMA R35, R50, R55, R35
    FFMA R36, R51, R52, R36
    FFMA R37, R51, R53, R37
    FFMA R38, R51, R54, R38
    FFMA R39, R51, R55, R39
    LDS.128 R48, [R5 + 384]
    LDS.128 R52, [R4 + 1408]
    FFMA R24, R40, R44, R24
    FFMA R25, R40, R45, R25
    FFMA R26, R40, R46, R26
    FFMA R27, R40, R47, R27
    FFMA R28, R41, R44, R28
    FFMA R29, R41, R45, R29
    FFMA R30, R41, R46, R30
    FFMA R31, R41, R47, R31
    FFMA R32, R42, R44, R32
    FFMA R33, R42, R45, R33
    FFMA R34, R42, R46, R34
    FFMA R35, R42, R47, R35
    FFMA R36, R43, R44, R36
    FFMA R37, R43, R45, R37
    FFMA R38, R43, R46, R38
    FFMA R39, R43, R47, R39
    LDS.128 R40, [R5 + 512]
    LDS.128 R44, [R4 + 1536]
    FFMA R24, R48, R52, R24
    FFMA R25, R48, R53, R25
    FFMA R26, R48, R54, R26
    FFMA R27, R48, R55, R27
    FFMA R28, R49, R52, R28
    FFMA R29, R49, R53, R29
    FFMA R30, R49, R54, R30
    FFMA R31, R49, R55, R31
    FFMA R32, R50, R52, R32
    FFMA R33, R50, R53, R33
    FFMA R34, R50, R54, R34
    FFMA R35, R50, R55, R35
    FFMA R36, R51, R52, R36
    FFMA R37, R51, R53, R37
    FFMA R38, R51, R54, R38
    FFMA R39, R51, R55, R39
    LDS.128 R48, [R5 + 640]
    LDS.128 R52, [R4 + 1664]
    FFMA R24, R40, R44, R24
    FFMA R25, R40, R45, R25
    FFMA R26, R40, R46, R26
    FFMA R27, R40, R47, R27
    FFMA R28, R41, R44, R28
    FFMA R29, R41, R45, R29
    FFMA R30, R41, R46, R30
    FFMA R31, R41, R47, R31
    FFMA R32, R42, R44, R32
    FFMA R33, R42, R45, R33
    FFMA R34, R42, R46, R34
    FFMA R35, R42, R47, R35
    FFMA R36, R43, R44, R36
    FFMA R37, R43, R45, R37
    FFMA R38, R43, R46, R38
    FFMA R39, R43, R47, R39
    LDS.128 R40, [R5 + 768]
    LDS.128 R44, [R4 + 1792]
    FFMA R24, R48, R52, R24
    FFMA R25, R48, R53, R25
    FFMA R26, R48, R54, R26
    FFMA R27, R48, R55, R27
    FFMA R28, R49, R52, R28
    FFMA R29, R49, R53, R29
    FFMA R30, R49, R54, R30
    FFMA R31, R49, R55, R31
    FFMA R32, R50, R52, R32
    FFMA R33, R50, R53, R33
    FFMA R34, R50, R54, R34
    FFMA R35, R50, R55, R35
    FFMA R36, R51, R52, R36
    FFMA R37, R51, R53, R37
    FFMA R38, R51, R54, R38
    FFMA R39, R51, R55, R39
    LDS.128 R48, [R5 + 896]
    LDS.128 R52, [R4 + 1920]
    FFMA R24, R40, R44, R24
    FFMA R25, R40, R45, R25
    FFMA R26, R40, R46, R26
    FFMA R27, R40, R47, R27
    FFMA R28, R41, R44, R28
    FFMA R29, R41, R45, R29
    FFMA R30, R41, R46, R30
    FFMA R31, R41, R47, R31
    FFMA R32, R42, R44, R32
    FFMA R33, R42, R45, R33
    FFMA R34, R42, R46, R34
    FFMA R35, R42, R47, R35
    FFMA R36, R43, R44, R36
    FFMA R37, R43, R45, R37
    FFMA R38, R43, R46, R38
    FFMA R39, R43, R47, R39
    FFMA R24, R48, R52, R24
    FFMA R25, R48, R53, R25
    FFMA R26, R48, R54, R26
    FFMA R27, R48, R55, R27
    FFMA R28, R49, R52, R28
    FFMA R29, R49, R53, R29
    FFMA R30, R49, R54, R30
    FFMA R31, R49, R55, R31
    FFMA R32, R50, R52, R32
    FFMA R33, R50, R53, R33
    FFMA R34, R50, R54, R34
    FFMA R35, R50, R55, R35
    FFMA R36, R51, R52, R36
    FFMA R37, R51, R53, R37
    FFMA R38, R51, R54, R38
    FFMA R39, R51, R55, R39
    MEMBAR
    BAR
    @P0 BRA tiles
    STG.128 [R2], R24
    IADD R2, R2, R9
    STG.128 [R2], R28
    IADD R2, R2, R9
    STG.128 [R2], R32
    IADD R2, R2, R9
    STG.128 [R2], R36
    EXIT
