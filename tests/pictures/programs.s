// The kernels whose runs the manual's pictures show.

// One thread adds 1 to a word.
.kernel add
.arg global word
    LDC.32 R1, c[0][0x40]
    MOV R3, 1
    ATOMG.ADD R2, [R1 + 0], R3
    EXIT

// Each CTA counts to a number.
.kernel count
.arg value number 4
    LDC.32 R1, c[0][0x40]
again:
    ISUB R1, R1, 1
    ISETP.NE P0, R1, 0
    @P0 BRA again
    EXIT
