"""The means: shapes and text as SVG, in the colours of the house. No gradients, no references, no styles:
pictures stand side by side on a page, and names in them would meet."""

from collections.abc import Iterable
from html import escape

Area = tuple[float, float, float, float]
"""Left, top, width and height."""
NIGHT, STONE, STONE_LIT, LINE = "#12101a", "#231f2e", "#2f2a3d", "#463f5a"
WALL, JOINT = "#2f2938", "#272130"
PARCHMENT, PARCHMENT_SHADE, INK = "#f5ead0", "#e3d3ae", "#2b2118"
VAULT, VAULT_SHADE, CHALK = "#35474a", "#22302f", "#dfe9e4"
EMBER, GOLD, GOLD_SHADE, GOLD_LIT, BRONZE = "#ffb454", "#f0c14f", "#8a5c10", "#fff0bd", "#5b3a06"
TEXT, DIM = "#f2ecdf", "#b7aecb"
TYPE_COLOURS = ("#c9a24b", "#4f8fd8", "#a7adb8", "#c8663f", "#8fb28a", "#9a63b8")
SEAT_COLOURS = ("#d9483d", "#238f94", "#9467d4", "#e9e2d2")
SEAT_INKS = ("#ffffff", "#ffffff", "#ffffff", INK)
GHOST_COLOUR, GHOST_INK = "#aebfd4", "#1c2733"
SERIF = "Alegreya, Georgia, 'Times New Roman', serif"
SANS = "Commissioner, system-ui, 'Segoe UI', sans-serif"

PIPS = (
    (),
    ((1, 1),),
    ((0, 0), (2, 2)),
    ((0, 0), (1, 1), (2, 2)),
    ((0, 0), (2, 0), (0, 2), (2, 2)),
    ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
)
"""By face, in a grid of three by three."""


def tag(name: str, content: str = "", /, **attributes: str | float) -> str:
    """An element; underscores in the names of its attributes stand for hyphens."""
    told = "".join(
        f' {key.replace("_", "-")}="{escape(_number(value))}"' for key, value in attributes.items()
    )
    return f"<{name}{told}>{content}</{name}>" if content else f"<{name}{told}/>"


def _number(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")


def group(parts: Iterable[str], *, title: str = "", transform: str = "") -> str:
    """Shapes that belong together; a title is read aloud, and shown under the mouse."""
    named = tag("title", escape(title)) if title else ""
    content = named + "".join(parts)
    return tag("g", content, transform=transform) if transform else tag("g", content)


def box(x: float, y: float, width: float, height: float, fill: str, **more: str | float) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, fill=fill, **more)


def disc(x: float, y: float, radius: float, fill: str, **more: str | float) -> str:
    return tag("circle", cx=x, cy=y, r=radius, fill=fill, **more)


def path(outline: str, fill: str = "none", **more: str | float) -> str:
    return tag("path", d=outline, fill=fill, **more)


def words(  # noqa: PLR0913 (all that a line of text can be)
    text: str,
    x: float,
    y: float,
    size: float,
    *,
    fill: str = TEXT,
    anchor: str = "start",
    room: float = 0,
    is_bold: bool = False,
    has_serifs: bool = False,
) -> str:
    """A line of text; what may be too long for its room is drawn closer together."""
    closer: dict[str, str | float] = {}
    if room and width_of(text, size, is_bold=is_bold) > room:
        closer = {"textLength": room, "lengthAdjust": "spacingAndGlyphs"}
    return tag(
        "text",
        escape(text),
        x=x,
        y=y,
        fill=fill,
        font_size=size,
        font_family=SERIF if has_serifs else SANS,
        font_weight="700" if is_bold else "400",
        text_anchor=anchor,
        **closer,
    )


def width_of(text: str, size: float, *, is_bold: bool = False) -> float:
    """At most what a line takes; browsers have different fonts."""
    return (0.66 if is_bold else 0.58) * size * len(text)


def pill(text: str, x: float, y: float, *, fill: str, ink: str, size: float = 12) -> tuple[str, float]:
    """A word on a rounded ground, and how wide it is."""
    width = width_of(text, size) + size * 1.3
    height = size * 1.7
    ground = box(x, y, width, height, fill, rx=height / 2)
    return ground + words(text, x + width / 2, y + height * 0.69, size, fill=ink, anchor="middle"), width


def die(x: float, y: float, size: float, face: int, fill: str, ink: str) -> str:
    """Seen from above, lit from the left; without pips where no face counts."""
    parts = [
        box(x, y + size * 0.06, size, size, "#000000", rx=size * 0.24, opacity=0.35),
        box(x, y, size, size, fill, rx=size * 0.24, stroke="#ffffff", stroke_opacity=0.35, stroke_width=1),
        box(
            x + size * 0.08,
            y + size * 0.07,
            size * 0.84,
            size * 0.3,
            "#ffffff",
            rx=size * 0.16,
            opacity=0.14,
        ),
    ]
    for column, row in PIPS[face]:
        parts.append(
            disc(x + size * (0.24 + 0.26 * column), y + size * (0.24 + 0.26 * row), size * 0.095, ink)
        )
    return "".join(parts)


def tired_die(x: float, y: float, size: float, fill: str) -> str:
    """Exhausted: pale, lying askew, with a line through it."""
    middle = f"rotate(14 {_number(x + size / 2)} {_number(y + size / 2)})"
    inset = size * 0.08
    return group(
        [
            box(
                x + inset,
                y + inset,
                size - 2 * inset,
                size - 2 * inset,
                fill,
                rx=size * 0.22,
                fill_opacity=0.18,
                stroke=fill,
                stroke_opacity=0.6,
                stroke_width=1.2,
                stroke_dasharray="3 2.5",
            ),
            path(
                f"M{_number(x + size * 0.28)} {_number(y + size / 2)}h{_number(size * 0.44)}",
                stroke=fill,
                stroke_opacity=0.7,
                stroke_width=1.6,
                stroke_linecap="round",
            ),
        ],
        transform=middle,
    )


def coin(x: float, y: float, radius: float, text: str, *, is_gold: bool) -> str:
    """What a card is worth; grey where not everybody may know."""
    face, rim, ink, shine = (
        (GOLD, GOLD_SHADE, BRONZE, GOLD_LIT) if is_gold else ("#7f9c95", "#2c423d", "#10201c", "#b9cec8")
    )
    return "".join(
        [
            disc(x, y + radius * 0.1, radius, "#000000", opacity=0.35),
            disc(x, y, radius, face, stroke=rim, stroke_width=2),
            disc(x, y, radius * 0.74, "none", stroke=shine, stroke_width=1.2, opacity=0.8),
            words(
                text,
                x,
                y + radius * 0.4,
                radius * 1.2,
                fill=ink,
                anchor="middle",
                is_bold=True,
                has_serifs=True,
            ),
        ]
    )
