"""The page and all that belongs to it: read once at the start, and answered from memory."""

import hashlib
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import msgspec
from litestar import Response, get
from litestar.exceptions import NotFoundException

import royalcrypt.server
from royalcrypt.server.http.common import AnyRequest

SERVER = Path(royalcrypt.server.__file__).parent
FOLDERS = (SERVER / "page", SERVER / "pages")
"""The page as it was built (``web``), then the host's own and what is shown where none was built."""
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
PACKED = {".br": "br", ".gz": "gzip"}
"""Encodings in which a file may lie beside itself, the smallest first."""
IMMUTABLE, REVALIDATE = "public, max-age=31536000, immutable", "no-cache"
FOUND, NOT_MODIFIED = 302, 304
NOT_PAGES = ("/api/", "/assets/")
WORKER = "/sw.js"
"""The page's service worker: for all of the site, and asked for again at every visit."""


class File(msgspec.Struct, frozen=True):
    kind: str
    etag: str
    cache: str
    contents: dict[str, bytes]
    """By encoding; as it is under the empty one."""


class Choice(NamedTuple):
    encoding: str
    content: bytes


def read_files(*folders: Path) -> dict[str, File]:
    """By path; what an earlier folder has hides what a later one has."""
    found: dict[str, File] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            name = f"/{path.relative_to(folder).as_posix()}"
            if path.is_file() and path.suffix not in PACKED and name not in found:
                found[name] = read_file(path, name)
    return found


def read_file(path: Path, name: str) -> File:
    content = path.read_bytes()
    contents = {"": content}
    for suffix, encoding in PACKED.items():
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            contents[encoding] = beside.read_bytes()
    # What is in `assets` has a digest in its name: another content is another file.
    cache = IMMUTABLE if name.startswith("/assets/") else REVALIDATE
    return File(KINDS[path.suffix], f'"{hashlib.sha256(content).hexdigest()[:20]}"', cache, contents)


def chosen(file: File, accepted: str) -> Choice:
    """The smallest that the reader can unpack."""
    offers = [offer.replace(" ", "").lower() for offer in accepted.split(",")]
    for encoding in PACKED.values():
        wanted = encoding in offers or any(
            offer.startswith(f"{encoding};q=") and float_of(offer) > 0 for offer in offers
        )
        if wanted and encoding in file.contents:
            return Choice(encoding, file.contents[encoding])
    return Choice("", file.contents[""])


def float_of(offer: str) -> float:
    try:
        return float(offer.partition("q=")[2])
    except ValueError:
        return 0.0


def is_page(path: str, accepted: str) -> bool:
    """Whether somebody who reads wants it: the page has a screen for it, or shows its home."""
    return "text/html" in accepted and not path.startswith(NOT_PAGES)


FILES = read_files(*FOLDERS)


@get(["/", "/{file_path:path}"], include_in_schema=False, name="pages")
async def page(request: AnyRequest) -> Response[bytes]:
    path = str(request.path_params.get("file_path", "/"))
    file = FILES.get(path) or FILES.get(f"{path.rstrip('/')}/index.html")
    if file is None and is_page(path, request.headers.get("accept", "")):
        return Response(b"", status_code=FOUND, headers={"Location": f"/#{quote(path)}"})
    if file is None:
        raise NotFoundException
    headers = {"ETag": file.etag, "Cache-Control": file.cache, "Vary": "Accept-Encoding"}
    if path == WORKER:
        headers["Service-Worker-Allowed"] = "/"
    if file.etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=NOT_MODIFIED, headers=headers)
    encoding, content = chosen(file, request.headers.get("accept-encoding", ""))
    if encoding:
        headers["Content-Encoding"] = encoding
    return Response(content, headers=headers | {"Content-Type": file.kind})
