"""Handwritten pictures, and forms with files as browsers send them."""

import random
import struct
import zlib

import requests_plain as plain


def png(width=320, height=200, colour=(210, 60, 40), noise=False):
    """A PNG of one colour, which is small, or of noise, whose size is that of its pixels."""
    random.seed(str((width, height, colour)))
    if noise:
        lines = b"".join(b"\0" + random.randbytes(width * 3) for _ in range(height))
    else:
        lines = (b"\0" + bytes(colour) * width) * height

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines, 1)) + chunk(b"IEND", b"")


GIF = bytes.fromhex("47494638396101000100800000ff0000ffffff2c00000000010001000002024401003b")
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'


def write(folder, name, data):
    path = folder / name
    path.write_bytes(data)
    return str(path)


def encoded(fields, files=None, boundary="----edge7f3a"):
    """A multipart body and its content type; `files` maps field names to a file name and bytes."""
    parts = []
    for name, value in fields.items():
        parts.append(f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode())
    for name, (file, data) in (files or {}).items():
        head = f'Content-Disposition: form-data; name="{name}"; filename="{file}"\r\nContent-Type: image/png\r\n\r\n'
        parts.append(head.encode() + data)
    body = b"".join(b"--" + boundary.encode() + b"\r\n" + part + b"\r\n" for part in parts)
    return body + b"--" + boundary.encode() + b"--\r\n", f"multipart/form-data; boundary={boundary}"


def post(server, path, fields, files=None, headers=None):
    body, kind = encoded({"action": "save", **fields}, files)
    return plain.send(server, "POST", path, body, {"Content-Type": kind, **(headers or {})})
