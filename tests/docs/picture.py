#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/sheet.png is drawn from output/sheet.pdf as it stands:  picture.py draw|check PDF PICTURE

`draw` renders the page with pdftoppm and writes the hash of the PDF and the renderer's version into
the picture. `check` compares that hash with the PDF, which holds whatever poppler is installed, and
the picture with a fresh rendering: its size always, its pixels where the renderer is the same. Other
versions of poppler and FreeType place the edges of letters differently."""

import hashlib
import pathlib
import struct
import subprocess
import sys
import zlib

DPI = "110"
MARK = b"\x89PNG\r\n\x1a\n"
MOST_DIFFERENT = 0.001  # of all pixels; the same renderer gives none on one machine


def renderer():
    shown = subprocess.run(["pdftoppm", "-v"], capture_output=True, text=True, check=True).stderr
    return shown.splitlines()[0].strip()


def rendered(pdf):
    """Width, height and the bytes of the page, three a pixel."""
    ppm = subprocess.run(["pdftoppm", "-r", DPI, "-singlefile", str(pdf)],
                         capture_output=True, check=True).stdout
    kind, size, depth, pixels = ppm.split(b"\n", 3)
    if kind != b"P6" or depth != b"255":
        raise SystemExit(f"{pdf}: pdftoppm gave {kind!r} with {depth!r} shades, expected P6 with 255")
    width, height = (int(number) for number in size.split())
    return width, height, pixels


def chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data +
            struct.pack(">I", zlib.crc32(kind + data)))


def drawn(pdf):
    width, height, pixels = rendered(pdf)
    line = 3 * width
    lines = b"".join(b"\0" + pixels[i * line:(i + 1) * line] for i in range(height))
    words = {"Source": "SHA-256 " + hashlib.sha256(pdf.read_bytes()).hexdigest(),
             "Software": renderer()}
    return (MARK + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            b"".join(chunk(b"tEXt", f"{key}\0{text}".encode("latin-1"))
                     for key, text in words.items()) +
            chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


def parts_of(picture):
    """Width, height, words and pixels of a picture that `draw` wrote."""
    data = picture.read_bytes()
    at = len(MARK)
    words, packed, width, height = {}, b"", 0, 0
    while at < len(data):
        length = struct.unpack_from(">I", data, at)[0]
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        at += 12 + length
        if kind == b"IHDR":
            width, height = struct.unpack_from(">II", body)
        elif kind == b"tEXt":
            key, text = body.decode("latin-1").split("\0", 1)
            words[key] = text
        elif kind == b"IDAT":
            packed += body
    if "Source" not in words or "Software" not in words:
        raise SystemExit(f"{picture}: it does not say what it was drawn from. Run 'make picture'.")
    lines, line = zlib.decompress(packed), 3 * width + 1
    return width, height, words, b"".join(lines[i * line + 1:(i + 1) * line]
                                          for i in range(height))


def check(pdf, picture):
    width, height, words, pixels = parts_of(picture)
    digest = "SHA-256 " + hashlib.sha256(pdf.read_bytes()).hexdigest()
    if words["Source"] != digest:
        raise SystemExit(f"{picture}: drawn from a PDF of {words['Source']}, but {pdf} has {digest}. "
                         "Run 'make picture'.")
    fresh_width, fresh_height, fresh = rendered(pdf)
    if (width, height) != (fresh_width, fresh_height):
        raise SystemExit(f"{picture}: {width} x {height}, but {pdf} gives {fresh_width} x "
                         f"{fresh_height} at {DPI} dpi. Run 'make picture'.")
    if words["Software"] != renderer():
        print(f"{picture} is of {pdf}; pixels not compared: drawn by {words['Software']}, here is "
              f"{renderer()}")
        return
    different = sum(pixels[i:i + 3] != fresh[i:i + 3] for i in range(0, len(pixels), 3))
    share = different / (width * height)
    if share > MOST_DIFFERENT:
        raise SystemExit(f"{picture}: {different} of {width * height} pixels are not those of {pdf}. "
                         "Run 'make picture'.")
    print(f"{picture} is of {pdf}: {different} of {width * height} pixels differ")


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("draw", "check"):
        raise SystemExit("usage: picture.py draw|check PDF PICTURE")
    pdf, picture = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    if sys.argv[1] == "draw":
        picture.write_bytes(drawn(pdf))
    else:
        check(pdf, picture)


if __name__ == "__main__":
    main()
