// Every atomic operation: 96 threads on one word each, and what they bring back.
// launch: grid 2 1 1 cta 48 1 1
// arg words global words 0 1000 -1 1000 0 0xFFFFFFFF 0 0 0 0 0 5000 0
// expect words: 4560 0xffffffa1 95 1 95 1792 127 0 77 55 6 440 4
.kernel main
.arg global words
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    ISUB R4, RZ, R0
    IADD R5, R0, 1
    OR R6, R0, 0x700
    MOV R7, 77
    MOV R8, 55
    MOV R9, 9
    MOV R10, 4
    ATOMG.ADD RZ, [R3], R0
    ATOMG.MIN RZ, [R3 + 4], R4
    ATOMG.MAX RZ, [R3 + 8], R0
    ATOMG.UMIN RZ, [R3 + 12], R5
    ATOMG.UMAX RZ, [R3 + 16], R0
    ATOMG.AND RZ, [R3 + 20], R6
    ATOMG.OR RZ, [R3 + 24], R0
    ATOMG.XOR RZ, [R3 + 28], R0
    ATOMG.XCHG RZ, [R3 + 32], R7
    ATOMG.CAS RZ, [R3 + 36], RZ, R8
    ATOMG.INC RZ, [R3 + 40], R9
    ATOMG.SUB RZ, [R3 + 44], R0
    ATOMG.DEC RZ, [R3 + 48], R10
    EXIT
