// Atomics on shared memory: all operations; the threads of an instruction come in ascending order, which the old values show.
// launch: grid 2 1 1 cta 32 1 1
// arg add global 256 zero
// arg xchg global 256 zero
// arg inc global 256 zero
// arg dec global 256 zero
// arg cas global 256 zero
// arg last global 128 zero
// expect add: (0 1 3 6 10 15 21 28 36 45 55 66 78 91 105 120 136 153 171 190 210 231 253 276 300 325 351 378 406 435 465 496) x 2
// expect xchg: (0..31) x 2
// expect inc: (0..9 0..9 0..9 0 1) x 2
// expect dec: (0 9..1 step -1 0 9..1 step -1 0 9..1 step -1 0 9) x 2
// expect cas: (0..31) x 2
// expect last: (528 32 2 8 32 115 -40 -5 0 0xFF00 31 32 -496 0 0 0) x 2
.kernel main
.shared_bytes 64
.arg global add
.arg global xchg
.arg global inc
.arg global dec
.arg global cas
.arg global last
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    SHL R2, R1, 5
    IADD R2, R2, R0
    SHL R2, R2, 2                // my word of the buffers
    IADD R3, R0, 1
    MOV R4, 9
    MOV R5, -1
    STS.32 [RZ + 32], R5
    STS.32 [RZ + 36], R5
    ATOMS.ADD R10, [RZ], R3
    ATOMS.XCHG R11, [RZ + 4], R3
    ATOMS.INC R12, [RZ + 8], R4
    ATOMS.DEC R13, [RZ + 12], R4
    ATOMS.CAS R14, [RZ + 16], R0, R3
    IMUL R6, R0, 5
    ISUB R6, R6, 40
    ATOMS.MAX RZ, [RZ + 20], R6
    MOV R7, 400
    ATOMS.MIN RZ, [R7 - 376], R6
    ATOMS.UMAX RZ, [RZ + 28], R6
    ATOMS.UMIN RZ, [RZ + 32], R6
    OR R7, R0, 0xFF00
    ATOMS.AND RZ, [RZ + 36], R7
    ATOMS.OR RZ, [RZ + 40], R0
    ATOMS.XOR RZ, [RZ + 44], R3
    ATOMS.SUB RZ, [RZ + 48], R0
    LDC.32 R8, c[0][64]
    IADD R8, R8, R2
    STG.32 [R8], R10
    LDC.32 R8, c[0][68]
    IADD R8, R8, R2
    STG.32 [R8], R11
    LDC.32 R8, c[0][72]
    IADD R8, R8, R2
    STG.32 [R8], R12
    LDC.32 R8, c[0][76]
    IADD R8, R8, R2
    STG.32 [R8], R13
    LDC.32 R8, c[0][80]
    IADD R8, R8, R2
    STG.32 [R8], R14
    ISETP.LT P0, R0, 16
    SHL R9, R0, 2
    @P0 LDS.32 R10, [R9]
    LDC.32 R8, c[0][84]
    SHL R1, R1, 6
    IADD R8, R8, R1
    IADD R8, R8, R9
    @P0 STG.32 [R8], R10
    EXIT
