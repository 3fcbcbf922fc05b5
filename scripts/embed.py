#!/usr/bin/env python3
"""Prints a file as a constant array of C: embed.py FILE NAME."""
import sys


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: embed.py FILE NAME")
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    # A static analyser learns nothing from half a million numbers, and takes minutes over them.
    print(f"#ifdef __cppcheck__\nextern const unsigned char {sys.argv[2]}[{len(data)}];\n#else")
    # LLVM reads bitcode in words of 32 bits.
    print(f"static const _Alignas(4) unsigned char {sys.argv[2]}[{len(data)}] = {{")
    for at in range(0, len(data), 32):
        print("    " + ", ".join(str(byte) for byte in data[at:at + 32]) + ",")
    print("};\n#endif")


main()
