// One CTA faults while the others have loads, stores, atomics and accesses to shared memory in flight: all are stopped.
// launch: grid 3 1 1 cta 16 1 1
// arg out global 4096 zero
// arg room local 256
// fault MEMORY_ALIGNMENT info 2 pc 9
.kernel main
.registers 16
.arg global out
.arg local room
    LDC.32 R3, c[0][64]
    S2R R1, SR_CTAID_X
    S2R R2, SR_TID_X
    MOV R6, 200
    ISETP.NE P0, R1, 1
    @P0 BRA busy
soon:
    ISUB R6, R6, 1
    ISETP.NE P1, R6, 0
    @P1 BRA soon
    LDG.32 R4, [2]
    EXIT
busy:
    SHL R2, R2, 2
    IADD R3, R3, R2
around:
    LDG.32 R4, [R3]
    STG.32 [R3 + 512], R2
    ATOMG.ADD R5, [R3 + 1024], R2
    LDS.32 R7, [R2]
    STS.32 [R2], R6
    LDG.32 R8, [R3 + 2048]
    IADD R12, R12, 1
    BRA around
