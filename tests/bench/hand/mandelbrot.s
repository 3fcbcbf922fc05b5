// At least one round.
.kernel mandelbrot
.registers 20
.arg global out
.arg value width 4
.arg value most 4
    S2R R4, SR_CTAID_X
    S2R R5, SR_NTID_X
    S2R R6, SR_TID_X
    S2R R7, SR_CTAID_Y
    S2R R8, SR_NTID_Y
    S2R R9, SR_TID_Y
    LDC.32 R0, c[0][64]
    LDC.32 R1, c[0][68]
    LDC.32 R2, c[0][72]
    IMAD R4, R4, R5, R6          // x
    IMAD R7, R7, R8, R9          // y
    IMAD R5, R7, R1, R4
    SHL R5, R5, 2
    IADD R0, R0, R5
    // cell = 3 / width: an estimate of 1 / width, two steps of Newton, then the product and its correction.
    I2F.URTE R6, R1
    FRCP R8, R6
    XOR R9, R6, 0x80000000
    MOV R10, 0x3F800000
    FFMA R11, R9, R8, R10
    FFMA R8, R8, R11, R8
    FFMA R11, R9, R8, R10
    FFMA R8, R8, R11, R8
    MOV R10, 0x40400000
    FMUL R11, R10, R8
    FFMA R10, R9, R11, R10
    FFMA R6, R10, R8, R11
    I2F.URTE R4, R4
    I2F.URTE R7, R7
    MOV R8, 0xC0100000           // -2.25
    MOV R9, 0xBFC00000           // -1.5
    FFMA R4, R4, R6, R8          // x0
    FFMA R7, R7, R6, R9          // y0
    MOV R10, RZ                  // x
    MOV R11, RZ                  // y
    MOV R12, RZ                  // rounds
    PBRK out
rounds:
    FMUL R13, R10, R10
    FMUL R14, R11, R11
    FADD R15, R10, R10
    FADD R16, R13, R14
    FSETP.OGT P0, R16, 0x40800000
    @P0 BRK out
    FFMA R11, R15, R11, R7
    XOR R14, R14, 0x80000000
    FADD R13, R13, R14
    FADD R10, R13, R4
    IADD R12, R12, 1
    ISETP.NE P0, R12, R2
    @P0 BRA rounds
    BRK out
out:
    STG.32 [R0], R12
    EXIT
