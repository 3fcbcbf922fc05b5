// A stack in local memory: each thread recurses as deep as it wants, return address and argument on its own stack, and adds up
// the numbers below. Threads of a warp stand at different depths.
// launch: grid 4 1 1 cta 48 1 1
// arg out global 768 zero
// expect out: (0 1 3 6 10 15 21 28 36 45 55 66 78 91 105 120) x 12
.kernel main
.local_bytes 256
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    IMUL R7, R1, 48
    IADD R7, R7, R0
    AND R2, R0, 15               // argument, then result
    MOV R3, 256                  // stack pointer
    CAL R4, sum
    SHL R7, R7, 2
    LDC.32 R5, c[0][64]
    IADD R5, R5, R7
    STG.32 [R5], R2
    EXIT
sum:
    SSY done
    ISETP.EQ P0, R2, 0
    @P0 SYNC done
    ISUB R3, R3, 8
    STL.32 [R3], R2
    STL.U16 [R3 + 4], R4
    ISUB R2, R2, 1
    CAL R4, sum
    LDL.U16 R4, [R3 + 4]
    LDL.32 R6, [R3]
    IADD R3, R3, 8
    IADD R2, R2, R6
    SYNC done
done:
    RET R4
