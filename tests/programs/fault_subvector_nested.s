// A sequence inside a sequence is illegal, in a function too.
// launch: grid 1 1 1 cta 48 1 1
// shows: SV-7
// fault ILLEGAL_INSTRUCTION pc 4
.kernel main
    SVSTART after
    CAL R0, inner
    SVEND
after:
    EXIT
inner:
    SVSTART after_inner
    SVEND
after_inner:
    RET R0
