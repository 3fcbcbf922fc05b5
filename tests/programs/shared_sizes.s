// Shared memory: stores and loads of all sizes; each thread reads what another one of its CTA has written.
// launch: grid 2 1 1 cta 48 1 1
// arg a global 384 zero
// arg b global 384 zero
// arg c global 384 zero
// arg d global 384 zero
// arg e global 384 zero
// expect a: (1034..1094 step 2 1000..1032 step 2) x 2
// expect b: (58..148 step 3 7..55 step 3) x 2
// expect c: (-32751..-32721 -32768..-32752) x 2
// expect d: (-111..-81 -128..-112) x 2
// expect e: (32930..32990 step 2 32896..32928 step 2) x 2
.kernel main
.shared_bytes 1536
.arg global a
.arg global b
.arg global c
.arg global d
.arg global e
    S2R R0, SR_TID_X
    SHL R1, R0, 5                // mine: 32 bytes
    MOV R4, R0
    IADD R5, R0, 1000
    MOV R6, 5
    MOV R7, 6
    STS.128 [R1], R4
    IMUL R8, R0, 3
    MOV R9, 7
    STS.64 [R1 + 16], R8
    IADD R10, R0, 0x128000
    STS.U16 [R1 + 24], R10
    IADD R10, R0, 0x1280
    STS.U8 [R1 + 26], R10
    STS.S8 [R1 + 27], RZ
    STS.32 [R1 + 28], RZ
    BAR
    IADD R2, R0, 17
    ISETP.GE P0, R2, 48
    @P0 ISUB R2, R2, 48
    SHL R2, R2, 5                // another one's
    LDS.128 R12, [R2]
    LDS.64 R16, [R2 + 16]
    LDS.S16 R18, [R2 + 24]
    LDS.U16 R19, [R2 + 24]
    LDS.S8 R20, [R2 + 26]
    LDS.U8 R21, [R2 + 26]
    LDS.32 R22, [R2 + 28]
    LDS.32 RZ, [R2 + 28]
    IADD R12, R12, R13
    IADD R12, R12, R22
    ISUB R14, R14, 5             // both 0
    ISUB R15, R15, 6
    IADD R12, R12, R14
    IADD R12, R12, R15
    IADD R16, R16, R17
    IADD R19, R19, R21
    S2R R3, SR_CTAID_X
    IMUL R3, R3, 48
    IADD R3, R3, R0
    SHL R3, R3, 2
    LDC.32 R4, c[0][64]
    IADD R4, R4, R3
    STG.32 [R4], R12
    LDC.32 R4, c[0][68]
    IADD R4, R4, R3
    STG.32 [R4], R16
    LDC.32 R4, c[0][72]
    IADD R4, R4, R3
    STG.32 [R4], R18
    LDC.32 R4, c[0][76]
    IADD R4, R4, R3
    STG.32 [R4], R20
    LDC.32 R4, c[0][80]
    IADD R4, R4, R3
    STG.32 [R4], R19
    EXIT
