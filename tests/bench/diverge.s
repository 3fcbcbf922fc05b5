// Kernels of build/sm-bench that do hardly anything but move tokens. Arguments: out, rounds. out[thread]: how often the
// thread came round, times the operations of a round that it took part in.

// Eight times in a round the odd threads part from the even ones and meet them again: four operations of the deque each
// (push SYNC, push DIV, pop DIV, pop SYNC), in four instructions.
.kernel part_and_meet
.arg global out
.arg value rounds 4
.registers 8
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R1, R1, R2, R0
    LDC.32 R2, c[0][64]
    SHL R1, R1, 2
    IADD R2, R2, R1              // &out[thread]
    LDC.32 R3, c[0][68]
    AND R4, R0, 1
    ISETP.NE P0, R4, 0
    MOV R5, 0
again:
    SSY m0
    @P0 BRA a0
    SYNC
a0: SYNC
m0: SSY m1
    @P0 BRA a1
    SYNC
a1: SYNC
m1: SSY m2
    @P0 BRA a2
    SYNC
a2: SYNC
m2: SSY m3
    @P0 BRA a3
    SYNC
a3: SYNC
m3: SSY m4
    @P0 BRA a4
    SYNC
a4: SYNC
m4: SSY m5
    @P0 BRA a5
    SYNC
a5: SYNC
m5: SSY m6
    @P0 BRA a6
    SYNC
a6: SYNC
m6: SSY m7
    @P0 BRA a7
    SYNC
a7: SYNC
m7: IADD R5, R5, 8
    ISUB R3, R3, 1
    ISETP.NE P1, R3, 0
    @P1 BRA again
    STG.32 [R2], R5
    EXIT

// Odd and even threads yield to each other, eight times in a round: two operations for a YIELD of either half (push at
// the back, pop at the front). The deque is never empty, so after some rounds it comes to its bound, where the driver
// moves its tokens.
.kernel yield
.arg global out
.arg value rounds 4
.registers 8
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R1, R1, R2, R0
    LDC.32 R2, c[0][64]
    SHL R1, R1, 2
    IADD R2, R2, R1
    LDC.32 R3, c[0][68]
    AND R4, R0, 1
    ISETP.NE P0, R4, 0
    MOV R5, 0
    SSY joined
    @P0 BRA odd
even:
    YIELD
    YIELD
    YIELD
    YIELD
    YIELD
    YIELD
    YIELD
    YIELD
    IADD R5, R5, 8
    ISUB R3, R3, 1
    ISETP.NE P1, R3, 0
    @P1 BRA even
    SYNC joined
odd:
    YIELD
    YIELD
    YIELD
    YIELD
    YIELD
    YIELD
    YIELD
    YIELD
    IADD R5, R5, 8
    ISUB R3, R3, 1
    ISETP.NE P1, R3, 0
    @P1 BRA odd
    SYNC joined
joined:
    STG.32 [R2], R5
    EXIT
