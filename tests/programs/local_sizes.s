// Local memory: each thread has its own bytes at the same offsets; all sizes, extended with and without a sign, bytes written
// into the middle of words, a guard, an offset of each thread's own.
// launch: grid 5 1 1 cta 48 1 1
// arg a global 960 zero
// arg b global 960 zero
// arg c global 960 zero
// arg d global 960 zero
// expect a: 1000..1239
// expect b: (0x8000FF80 x 240)
// expect c: (0xFFFF8001 x 240)
// expect d: (0..47) x 5
.kernel main
.local_bytes 48
.arg global a
.arg global b
.arg global c
.arg global d
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    IMUL R2, R1, 48
    IADD R2, R2, R0              // number of the thread
    IADD R3, R2, 1000
    STL.32 [4], R3               // the same place in every thread
    STL.32 [8], RZ
    MOV R4, 0xF80
    STL.U8 [8], R4               // 80
    MOV R4, -1
    STL.S8 [9], R4               // FF80
    MOV R4, 0x12348000
    STL.U16 [10], R4             // 8000FF80
    AND R5, R0, 7
    SHL R5, R5, 2                // places that differ from thread to thread
    STL.32 [R5 + 16], R0
    ISETP.LT P0, R0, 20
    @P0 STL.32 [4], R3           // again, by some
    MOV R6, 0x8001
    STL.S16 [2], R6
    MEMBAR
    LDL.32 R10, [4]
    LDL.32 R11, [8]
    LDL.S16 R12, [2]
    LDL.32 R13, [R5 + 16]
    LDL.U8 R14, [8]              // 0x80
    LDL.S8 R15, [9]              // -1
    LDL.U16 R16, [10]            // 0x8000
    LDL.32 RZ, [44]              // the last word; the value is not wanted
    ISUB R14, R14, 0x80
    IADD R15, R15, 1
    ISUB R16, R16, 0x8000
    OR R14, R14, R15
    OR R14, R14, R16
    IADD R13, R13, R14           // all of them right: zero is added
    SHL R2, R2, 2
    LDC.32 R3, c[0][64]
    IADD R3, R3, R2
    STG.32 [R3], R10
    LDC.32 R3, c[0][68]
    IADD R3, R3, R2
    STG.32 [R3], R11
    LDC.32 R3, c[0][72]
    IADD R3, R3, R2
    STG.32 [R3], R12
    LDC.32 R3, c[0][76]
    IADD R3, R3, R2
    STG.32 [R3], R13
    EXIT
