// Each CTA takes 4096 bytes, on the smallest SM all there is, so one CTA comes after the other and finds the memory cleared.
// launch: grid 3 1 1 cta 48 1 1
// arg out global 576 zero
// expect out: 0 x 144
// arg sums global 12 zero
// expect sums: 48 x 3
.kernel main
.shared_bytes 4096
.arg global out
.arg global sums
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    IMUL R2, R0, 80
    LDS.128 R4, [R2 + 256]
    OR R4, R4, R5
    OR R4, R4, R6
    OR R4, R4, R7
    BAR
    MOV R8, -1
    MOV R9, -2
    MOV R10, -3
    MOV R11, -4
    STS.128 [R2 + 256], R8
    MOV R12, 1
    ATOMS.ADD RZ, [RZ + 252], R12
    IMUL R3, R1, 48
    IADD R3, R3, R0
    SHL R3, R3, 2
    LDC.32 R5, c[0][64]
    IADD R5, R5, R3
    STG.32 [R5], R4
    BAR
    LDS.32 R6, [RZ + 252]
    LDC.32 R5, c[0][68]
    SHL R1, R1, 2
    IADD R5, R5, R1
    STG.32 [R5], R6
    EXIT
