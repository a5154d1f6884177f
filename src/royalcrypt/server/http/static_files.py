"""The web page's static files, read once at startup and served from memory."""

import hashlib
from pathlib import Path
from urllib.parse import quote

import msgspec
from litestar import Response, get
from litestar.exceptions import NotFoundException

import royalcrypt.server
from royalcrypt.server.http.common import AnyRequest

SERVER = Path(royalcrypt.server.__file__).parent
FOLDERS = (SERVER / "page", SERVER / "pages")
"""Source folders: the built page (from ``web``), then the host's page and the fallback page."""
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
COMPRESSED = {".br": "br", ".gz": "gzip"}
"""Maps suffixes of precompressed copies to their encoding, smallest copy first."""
IMMUTABLE, REVALIDATE = "public, max-age=31536000, immutable", "no-cache"
FOUND, NOT_MODIFIED = 302, 304
NOT_PAGES = ("/api/", "/assets/")
SERVICE_WORKER = "/sw.js"
"""Path of the page's service worker, whose scope is the whole site."""


class StaticFile(msgspec.Struct, frozen=True):
    kind: str
    etag: str
    cache: str
    contents: dict[str, bytes]
    """Maps each encoding to the content; the empty string means uncompressed."""


def read_files(*folders: Path) -> dict[str, StaticFile]:
    """Read all files, keyed by URL path; earlier folders take precedence."""
    found: dict[str, StaticFile] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            name = f"/{path.relative_to(folder).as_posix()}"
            if path.is_file() and path.suffix not in COMPRESSED and name not in found:
                found[name] = read_file(path, name)
    return found


def read_file(path: Path, name: str) -> StaticFile:
    content = path.read_bytes()
    contents = {"": content}
    for suffix, encoding in COMPRESSED.items():
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            contents[encoding] = beside.read_bytes()
    # Files in `assets` contain a digest in their name, so they never change.
    cache = IMMUTABLE if name.startswith("/assets/") else REVALIDATE
    return StaticFile(KINDS[path.suffix], f'"{hashlib.sha256(content).hexdigest()[:20]}"', cache, contents)


def negotiate(file: StaticFile, accepted: str) -> tuple[str, bytes]:
    """Return encoding and content of the smallest copy that the client accepts."""
    offers = [offer.replace(" ", "").lower() for offer in accepted.split(",")]
    for encoding in COMPRESSED.values():
        wanted = encoding in offers or any(
            offer.startswith(f"{encoding};q=") and float_of(offer) > 0 for offer in offers
        )
        if wanted and encoding in file.contents:
            return encoding, file.contents[encoding]
    return "", file.contents[""]


def float_of(offer: str) -> float:
    try:
        return float(offer.partition("q=")[2])
    except ValueError:
        return 0.0


def is_page(path: str, accepted: str) -> bool:
    """Whether the request is a browser's navigation to a screen of the single-page application."""
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
    if path == SERVICE_WORKER:
        headers["Service-Worker-Allowed"] = "/"
    if file.etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=NOT_MODIFIED, headers=headers)
    encoding, content = negotiate(file, request.headers.get("accept-encoding", ""))
    if encoding:
        headers["Content-Encoding"] = encoding
    return Response(content, headers=headers | {"Content-Type": file.kind})
