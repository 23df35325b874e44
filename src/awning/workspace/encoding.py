"""Whether a file of the author's is UTF-8, and where it stops being so. One judge for everything that is read."""

from awning.diagnostics import Diagnostic, Place


def encoding_fault(content: bytes, path: str) -> Diagnostic | None:
    """What is wrong with the bytes of a text file: the place of the first that is not UTF-8."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        return _fault(content, error.start, path)
    return None


def _fault(content: bytes, at: int, path: str) -> Diagnostic:
    begin = max(content.rfind(b"\n", 0, at), content.rfind(b"\r", 0, at)) + 1
    line = content[:at].replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
    before = content[begin:at].decode("utf-8").removeprefix("\ufeff")
    return Diagnostic(
        rule="file-encoding",
        message=f"not UTF-8 (byte 0x{content[at]:02x})",
        place=Place(path=path, line=line, column=len(before) + 1),
        hint="save it as UTF-8",
        excerpt=before + content[at:].splitlines()[0].decode("utf-8", "replace"),
    )
