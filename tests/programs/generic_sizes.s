// Generic loads and stores of 8 and 16 bits, extended with and without a sign, in all three memories at once; addresses with an offset
// that leads from one window into another count as the place where they end.
// shows: SP-2
// launch: grid 2 1 1 cta 48 1 1
// arg bytes global 384 zero
// arg out global 384 zero
// expect out: (0x8001FF80 x 48) x 2
.kernel main
.shared_bytes 192
.local_bytes 8
.arg global bytes
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    IMUL R2, R1, 48
    IADD R2, R2, R0
    SHL R2, R2, 2
    LDC.32 R3, c[0][64]
    IADD R3, R3, R2
    AND R4, R0, 3
    ISETP.EQ P1, R4, 1
    ISETP.UGE P2, R4, 2
    SHL R5, R0, 2
    @P1 IADD R3, R5, 0xFE000000
    @P2 MOV R3, 0xFF000004
    MOV R6, 0x1280
    ST.U8 [R3], R6               // 80
    MOV R6, -1
    ST.S8 [R3 + 1], R6           // FF80
    MOV R6, 0x77778001
    IADD R7, R3, 0x01000002
    ST.U16 [R7 - 0x01000000], R6 // 8001FF80
    LD.S8 R8, [R3]
    LD.U8 R9, [R3 + 1]
    LD.U16 R10, [R7 - 0x01000000]
    ISUB R11, R3, 0x02000000
    LD.S16 R12, [R11 + 0x02000002]
    LD.32 R13, [R3]
    IADD R8, R8, 0x80            // 0
    ISUB R9, R9, 0xFF            // 0
    ISUB R10, R10, 0x8001        // 0
    IADD R12, R12, 0x7FFF        // 0
    OR R8, R8, R9
    OR R10, R10, R12
    OR R8, R8, R10
    IADD R13, R13, R8
    LDC.32 R14, c[0][68]
    IADD R14, R14, R2
    STG.32 [R14], R13
    LD.32 RZ, [R3]               // the value is not wanted
    EXIT
