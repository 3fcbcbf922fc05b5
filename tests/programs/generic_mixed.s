// Generic addresses: threads of one instruction store to and load from global, shared and local memory, side by side; what each stored it
// finds by the instructions of that memory, and the other way round. Whole and partial warps, all threads in one memory too.
// shows: SP-2
// launch: grid 4 1 1 cta 48 1 1
// arg out global 768 zero
// arg place global 768 zero
// expect out: 7..198
// expect place: ((0 1000 0) x 16) x 4
.kernel main
.shared_bytes 200
.local_bytes 16
.arg global out
.arg global place
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    IMUL R2, R1, 48
    IADD R2, R2, R0              // number of the thread
    SHL R3, R2, 2
    LDC.32 R4, c[0][64]
    IADD R4, R4, R3              // out: kind 0
    SHL R5, R0, 2
    IADD R5, R5, 0xFE000008      // shared: kind 1
    MOV R6, 0xFF000004           // local: kind 2
    UMULHI R7, R0, 0x55555556
    IMUL R7, R7, 3
    ISUB R7, R0, R7              // thread modulo 3
    MOV R8, R4
    ISETP.EQ P1, R7, 1
    ISETP.EQ P2, R7, 2
    @P1 MOV R8, R5
    @P2 MOV R8, R6
    IADD R9, R2, 7
    ST.32 [R8], R9               // three memories
    LD.32 R10, [R8]
    ISETP.EQ P3, R10, R9
    @!P3 EXIT
    @P1 LDS.32 R11, [R5 + 0x02000000]
    @P2 LDL.32 R11, [4]
    ISETP.EQ P0, R7, 0
    @P0 LDG.32 R11, [R4]
    ISETP.EQ P3, R11, R9
    @!P3 EXIT
    @P1 LD.32 R12, [R5]          // one memory, parts of the warp
    @P2 LD.32 R12, [R6]
    @P0 LD.32 R12, [R4]
    ST.32 [R4], R12              // one memory, all
    ST.32 [R6 + 4], R0
    LD.32 R13, [R6 + 4]
    ISETP.NE P3, R13, R0
    @P3 ST.32 [R4], RZ
    LDC.32 R14, c[0][68]
    IADD R14, R14, R3
    MOV R15, 1000
    @P1 STG.32 [R14], R15
    EXIT
