// Several instructions of a warp in flight: operands that are overwritten behind a store or an atomic, results that are overwritten or
// read behind a load, predicates likewise, wide accesses, one warp's own order of memory.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 6144 zero
// expect out: (100 7 9 101 7 5 7 3 1..4 5 0 2 40) x 96
.kernel main
.registers 32
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0
    LDC.32 R3, c[0][64]
    SHL R1, R0, 6
    IADD R3, R3, R1
    MOV R5, 100
    STG.32 [R3], R5
    MOV R5, 7                    // the store has read its operand
    STG.32 [R3 + 4], R5
    LDG.32 R6, [R3 + 60]
    MOV R6, 9                    // comes after what the load writes
    STG.32 [R3 + 8], R6
    LDG.32 R7, [R3]
    IADD R8, R7, 1
    STG.32 [R3 + 12], R8
    MOV R11, 0
    MOV R12, 5
    ATOMG.ADD R9, [R3 + 16], R5
    MOV R5, 50
    ATOMG.CAS R10, [R3 + 20], R11, R12
    MOV R12, 77
    MOV R11, 78
    LDG.32 R13, [R3 + 16]
    STG.32 [R3 + 24], R13
    MOV R14, 1
    ISETP.EQ P0, R13, 7          // waits for the load
    @P0 MOV R14, 3
    ISETP.NE P0, R13, 7          // after its last reader
    @P0 MOV R14, 4
    STG.32 [R3 + 28], R14
    MOV R16, 1
    MOV R17, 2
    MOV R18, 3
    MOV R19, 4
    STG.128 [R3 + 32], R16
    MOV R16, 0
    MOV R17, 0
    MOV R18, 0
    MOV R19, 0
    LDG.128 R20, [R3 + 32]
    LDG.128 R16, [R3 + 32]
    MOV R16, 1
    IADD R20, R20, R23
    STG.32 [R3 + 48], R20
    ISUB R18, R18, R16           // 3 - 1
    STG.32 [R3 + 56], R18
    MOV R25, 40
    MEMBAR
    STG.32 [R3 + 60], R25
    EXIT
