// Generic atomics: a counter in global memory, one in the CTA's shared memory and one of each thread, in one instruction. Threads of a CTA
// come in ascending order; CAS without a new value changes nothing.
// shows: SP-2
// launch: grid 2 1 1 cta 32 1 1
// arg count global 32 zero
// arg old global 256 zero
// arg last global 256 zero
// expect count: 22 0 0 0 0 0 0 0
// expect old: (0 0 100 0 1 100 0 2 100 0 3 100 0 4 100 0 5 100 0 6 100 0 7 100 0 8 100 0 9 100 0 10) x 2
// expect last: (0 11 101 0 11 101 0 11 101 0 11 101 0 11 101 0 11 101 0 11 101 0 11 101 0 11 101 0 11 101 0 11) x 2
.kernel main
.shared_bytes 8
.local_bytes 8
.arg global count
.arg global old
.arg global last
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    SHL R2, R1, 5
    IADD R2, R2, R0
    SHL R2, R2, 2
    MOV R6, 100
    STL.32 [4], R6
    UMULHI R7, R0, 0x55555556
    IMUL R7, R7, 3
    ISUB R7, R0, R7
    LDC.32 R3, c[0][64]
    ISETP.EQ P0, R7, 0
    ISETP.EQ P1, R7, 1
    ISETP.EQ P2, R7, 2
    @P1 MOV R3, 0xFE000004
    @P2 MOV R3, 0xFF000004
    MOV R4, 1
    IADD R5, R3, 0x100
    ATOM.ADD R5, [R5 - 0x100], R4
    ATOM.CAS R6, [R3], R4, R4    // none is 1 any more, but global memory's at first
    ATOM.OR RZ, [R3], RZ
    @P0 MOV R5, 0                // any order of the CTAs
    @P0 MOV R6, 0
    LDC.32 R8, c[0][68]
    IADD R8, R8, R2
    STG.32 [R8], R5
    LDC.32 R8, c[0][72]
    IADD R8, R8, R2
    STG.32 [R8], R6
    EXIT
