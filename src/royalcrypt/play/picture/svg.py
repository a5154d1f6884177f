"""Shapes, text and symbols as SVG, without gradients, references or style sheets.

Those need names, which would clash between pictures on one page.
"""

from html import escape

STONE, STONE_LIT, LINE = "#231f2e", "#2f2a3d", "#463f5a"
PARCHMENT, INK = "#f5ead0", "#2b2118"
VAULT_STONE, CHALK = "#35474a", "#dfe9e4"
EMBER, GOLD, BRONZE = "#ffb454", "#f0c14f", "#5b3a06"
TEXT, DIM, NIGHT = "#f2ecdf", "#b7aecb", "#12101a"
TYPE_COLOURS = ("#c9a24b", "#4f8fd8", "#a7adb8", "#c8663f", "#8fb28a", "#9a63b8")
SEAT_COLOURS = (("#d9483d", "#ffffff"), ("#238f94", "#ffffff"), ("#9467d4", "#ffffff"), ("#e9e2d2", INK))
"""The colours of each seat's dice and of their pips."""
GHOST_COLOURS = ("#aebfd4", "#1c2733")
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
"""The column and row of each pip, by die face."""


def tag(name: str, content: str = "", /, **attributes: str | float) -> str:
    """An SVG element; underscores in attribute names become hyphens."""
    written = "".join(
        f' {key.replace("_", "-")}="{escape(value) if isinstance(value, str) else f"{value:.5g}"}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def document(content: str, width: float, height: float) -> str:
    """An SVG document that is scaled down to the available width."""
    box = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    style = f'style="max-width:100%;height:auto" font-family="{SANS}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box} {style} role="img">{content}</svg>'


def group(*parts: str, at: tuple[float, float] = (0, 0), scale: float = 1, title: str = "") -> str:
    """Shapes relative to the origin, moved and scaled. The title is for screen readers and tooltips."""
    name = tag("title", escape(title)) if title else ""
    transform = f"translate({at[0]:g} {at[1]:g})" + (f" scale({scale:.4g})" if scale != 1 else "")
    return tag("g", name + "".join(parts), transform=transform)


def box(x: float, y: float, width: float, height: float, fill: str, **more: str | float) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, fill=fill, **more)


def disc(x: float, y: float, radius: float, fill: str, **more: str | float) -> str:
    return tag("circle", cx=x, cy=y, r=radius, fill=fill, **more)


def path(outline: str, fill: str = "none", **more: str | float) -> str:
    return tag("path", d=outline, fill=fill, **more)


def solid(outline: str, fill: str) -> str:
    """A filled shape with a dark edge."""
    return path(outline, fill, stroke=INK, stroke_width=1.6, stroke_linejoin="round")


def line(outline: str, colour: str, width: float, opacity: float = 1) -> str:
    return path(outline, stroke=colour, stroke_width=width, stroke_linecap="round", stroke_opacity=opacity)


def words(
    text: str,
    x: float,
    y: float,
    size: float,
    fill: str = TEXT,
    *,
    anchor: str = "start",
    room: float = 0,
    is_title: bool = False,
) -> str:
    """A line of text, condensed to the width ``room`` if necessary; titles are bold with serifs."""
    more: dict[str, str | float] = {"font_family": SERIF, "font_weight": "700"} if is_title else {}
    if room and width_of(text, size, is_title=is_title) > room:
        more |= {"textLength": room, "lengthAdjust": "spacingAndGlyphs"}
    return tag("text", escape(text), x=x, y=y, fill=fill, font_size=size, text_anchor=anchor, **more)


def width_of(text: str, size: float, *, is_title: bool = False) -> float:
    """An upper bound on the width of a line of text, since browsers use different fonts."""
    return (0.66 if is_title else 0.58) * size * len(text)


def pill(text: str, fill: str, ink: str) -> tuple[str, float]:
    """A word on a rounded background, and the width of the shape."""
    width = width_of(text, 12) + 16
    return box(0, 0, width, 21, fill, rx=10.5) + words(text, width / 2, 15, 12, ink, anchor="middle"), width


def die(x: float, y: float, size: float, face: int, colours: tuple[str, str]) -> str:
    """A die from above, lit from the left; face 0 has no pips."""
    return group(
        box(0, 2, 32, 32, "#000000", rx=8, opacity=0.35),
        box(0, 0, 32, 32, colours[0], rx=8, stroke="#ffffff", stroke_opacity=0.35),
        box(3, 2, 26, 10, "#ffffff", rx=5, opacity=0.14),
        *(disc(8 + 8 * column, 8 + 8 * row, 3, colours[1]) for column, row in PIPS[face]),
        at=(x, y),
        scale=size / 32,
    )


def exhausted_die(x: float, y: float, size: float, colour: str) -> str:
    """A pale, crossed-out die."""
    edge = {"stroke": colour, "stroke_width": 1.8, "stroke_opacity": 0.6, "stroke_dasharray": "4 3.5"}
    ground = box(3, 3, 26, 26, colour, rx=7, fill_opacity=0.18, transform="rotate(14 16 16)", **edge)
    return group(ground, line("M9 14l14 4", colour, 2.2, 0.7), at=(x, y), scale=size / 32)


def coin(x: float, y: float, radius: float, text: str, *, is_gold: bool = True) -> str:
    """A coin with the value of a card; grey if the value is not public."""
    face, rim, ink, shine = (
        (GOLD, "#8a5c10", BRONZE, "#fff0bd") if is_gold else ("#7f9c95", "#2c423d", "#10201c", "#b9cec8")
    )
    return group(
        disc(0, 1.6, 16, "#000000", opacity=0.35),
        disc(0, 0, 16, face, stroke=rim, stroke_width=2),
        disc(0, 0, 12, "none", stroke=shine, stroke_width=1.2, opacity=0.8),
        words(text, 0, 6.4, 19.2, ink, anchor="middle", is_title=True),
        at=(x, y),
        scale=radius / 16,
    )


def symbol(drawing: str, x: float, y: float, size: float, *, title: str = "") -> str:
    """One of the symbols defined below, scaled from a square of 64 units."""
    return group(drawing, at=(x, y), scale=size / 64, title=title)


IDOL = (
    solid("M18 58h28l-4-9H22z", "#7d6b53")
    + solid("M14 49c0-9 5-14 11-16h14c6 2 11 7 11 16z", "#d9ae52")
    + solid("M32 8c8 0 12 6 12 13 0 8-5 14-12 14s-12-6-12-14c0-7 4-13 12-13z", "#e8c169")
    + solid("M21 12l3-9 8 5 8-5 3 9c-6-3-16-3-22 0z", "#b8452f")
    + line("M25 21q2.5-2 5 0M34 21q2.5-2 5 0M28 28q4 2.5 8 0", INK, 1.8)
    + disc(32, 42, 3.4, "#b8452f")
)
JEWELRY = (
    disc(32, 40, 16, "none", stroke=INK, stroke_width=8.5)
    + disc(32, 40, 16, "none", stroke="#e8c169", stroke_width=5.5)
    + solid("M22 8h20l7 9-17 17L15 17z", "#4f8fd8")
    + line("M15 17h34M22 8l5 9 5 17 5-17 5-9M27 17l5-9 5 9", "#cfe3ff", 1.3)
)
MANUSCRIPT = (
    solid("M16 12h32v40H16z", "#f2ead6")
    + box(11, 6, 42, 8, "#b9a27a", rx=4, stroke=INK, stroke_width=1.6)
    + box(11, 50, 42, 8, "#b9a27a", rx=4, stroke=INK, stroke_width=1.6)
    + line("M22 21h20M22 27h20M22 33h13", "#7b6f86", 2)
    + disc(41, 41, 5, "#b8452f", stroke=INK, stroke_width=1.4)
)
POTTERY = (
    solid("M24 6h16v5c0 4 11 11 11 25 0 12-8 22-12 22H25c-4 0-12-10-12-22 0-14 11-21 11-25z", "#c8663f")
    + line("M14.5 29h35M13.5 41h37", INK, 1.6)
    + line("M16 37l4-5 4 5 4-5 4 5 4-5 4 5 4-5 4 5", "#f5dcb8", 2)
    + line("M22 6h20", INK, 4)
)
REMAINS = (
    solid("M32 6c14 0 22 9 22 21 0 8-4 13-9 16v9H19v-9c-5-3-9-8-9-16C10 15 18 6 32 6z", "#eef0df")
    + disc(23, 27, 5.6, "#3b4a3f")
    + disc(41, 27, 5.6, "#3b4a3f")
    + path("M32 33l-3.5 7h7z", "#3b4a3f")
    + line("M25.5 46v6M32 46v6M38.5 46v6", INK, 1.6)
)
TAPESTRY = (
    solid("M14 10h36v46l-9-6-9 6-9-6-9 6z", "#8b55aa")
    + line("M8 10h48", "#7d5a2b", 5)
    + line("M18 12.500v36M46 12.500v36", "#d9b3ea", 1.4)
    + solid("M32 18l3.3 6.9 7.6 1-5.6 5.2 1.4 7.5L32 35l-6.7 3.6 1.4-7.5-5.6-5.2 7.6-1z", "#f0c14f")
)
EMBLEMS = (IDOL, JEWELRY, MANUSCRIPT, POTTERY, REMAINS, TAPESTRY)
"""The emblem of each card type."""
VAULT = path("M10 60V30a22 22 0 0 1 44 0v30z", "#141c1d", stroke="#7d958f", stroke_width=3) + path(
    "M22 60v-7h20v7M26 53v-6h12v6", "#2b3d3c", stroke="#7d958f", stroke_width=1.2
)
"""The background of the emblem of a face-down card."""
FLAME = "#ff8a2f"
TORCH = solid("M28 34h8l-2 26h-4z", "#8a6238")
BURNING_TORCH = (
    TORCH
    + path("M32 3c9 10 13 16 13 22 0 7-6 12-13 12s-13-5-13-12c0-4 2-7 5-10 1 4 3 5 4 5 0-6 1-12 4-17z", FLAME)
    + path("M32 17c5 5 6 8 6 11 0 4-3 6-6 6s-6-2-6-6c0-3 3-6 6-11z", "#ffe08a")
)
EXTINGUISHED_TORCH = TORCH + line("M32 30c-6-5 6-8 0-14s5-8 1-13", DIM, 3)
