"""Six treasures, a vault, torches and the Ghost, each in a square of 64."""

from royalcrypt.play.picture.strokes import INK, box, disc, group, path

SIDE = 64
EDGE = {"stroke": INK, "stroke_width": 1.6, "stroke_linejoin": "round"}


def idol() -> str:
    return "".join(
        [
            path("M18 58h28l-4-9H22z", "#7d6b53", **EDGE),
            path("M14 49c0-9 5-14 11-16h14c6 2 11 7 11 16z", "#d9ae52", **EDGE),
            path("M32 8c8 0 12 6 12 13 0 8-5 14-12 14s-12-6-12-14c0-7 4-13 12-13z", "#e8c169", **EDGE),
            path("M21 12l3-9 8 5 8-5 3 9c-6-3-16-3-22 0z", "#b8452f", **EDGE),
            path(
                "M25 21q2.5-2 5 0M34 21q2.5-2 5 0M28 28q4 2.5 8 0",
                stroke=INK,
                stroke_width=1.8,
                stroke_linecap="round",
            ),
            disc(32, 42, 3.4, "#b8452f"),
        ]
    )


def jewelry() -> str:
    return "".join(
        [
            disc(32, 40, 16, "none", stroke=INK, stroke_width=8.5),
            disc(32, 40, 16, "none", stroke="#e8c169", stroke_width=5.5),
            path("M22 8h20l7 9-17 17L15 17z", "#4f8fd8", **EDGE),
            path("M15 17h34M22 8l5 9 5 17 5-17 5-9M27 17l5-9 5 9", stroke="#cfe3ff", stroke_width=1.3),
        ]
    )


def manuscript() -> str:
    return "".join(
        [
            path("M16 12h32v40H16z", "#f2ead6", **EDGE),
            box(11, 6, 42, 8, "#b9a27a", rx=4, stroke=INK, stroke_width=1.6),
            box(11, 50, 42, 8, "#b9a27a", rx=4, stroke=INK, stroke_width=1.6),
            path("M22 21h20M22 27h20M22 33h13", stroke="#7b6f86", stroke_width=2, stroke_linecap="round"),
            disc(41, 41, 5, "#b8452f", stroke=INK, stroke_width=1.4),
        ]
    )


def pottery() -> str:
    return "".join(
        [
            path(
                "M24 6h16v5c0 4 11 11 11 25 0 12-8 22-12 22H25c-4 0-12-10-12-22 0-14 11-21 11-25z",
                "#c8663f",
                **EDGE,
            ),
            path("M14.5 29h35M13.5 41h37", stroke=INK, stroke_width=1.6),
            path(
                "M16 37l4-5 4 5 4-5 4 5 4-5 4 5 4-5 4 5",
                stroke="#f5dcb8",
                stroke_width=2,
                stroke_linejoin="round",
            ),
            path("M22 6h20", stroke=INK, stroke_width=4, stroke_linecap="round"),
        ]
    )


def remains() -> str:
    return "".join(
        [
            path(
                "M32 6c14 0 22 9 22 21 0 8-4 13-9 16v9H19v-9c-5-3-9-8-9-16C10 15 18 6 32 6z",
                "#eef0df",
                **EDGE,
            ),
            disc(23, 27, 5.6, "#3b4a3f"),
            disc(41, 27, 5.6, "#3b4a3f"),
            path("M32 33l-3.5 7h7z", "#3b4a3f"),
            path("M25.5 46v6M32 46v6M38.5 46v6", stroke=INK, stroke_width=1.6, stroke_linecap="round"),
        ]
    )


def tapestry() -> str:
    return "".join(
        [
            path("M14 10h36v46l-9-6-9 6-9-6-9 6z", "#8b55aa", **EDGE),
            path("M8 10h48", stroke="#7d5a2b", stroke_width=5, stroke_linecap="round"),
            path("M18 12.500v36M46 12.500v36", stroke="#d9b3ea", stroke_width=1.4),
            path(
                "M32 18l3.3 6.9 7.6 1-5.6 5.2 1.4 7.5L32 35l-6.7 3.6 1.4-7.5-5.6-5.2 7.6-1z",
                "#f0c14f",
                **EDGE,
            ),
        ]
    )


EMBLEMS = (idol, jewelry, manuscript, pottery, remains, tapestry)


def vault() -> str:
    """Behind which a face-down card keeps its value."""
    return "".join(
        [
            path("M10 60V30a22 22 0 0 1 44 0v30z", "#141c1d", stroke="#7d958f", stroke_width=3),
            path("M22 60v-7h20v7M26 53v-6h12v6", "#2b3d3c", stroke="#7d958f", stroke_width=1.2),
        ]
    )


def flame() -> str:
    return "".join(
        [
            path("M28 34h8l-2 26h-4z", "#8a6238", **EDGE),
            path(
                "M32 3c9 10 13 16 13 22 0 7-6 12-13 12s-13-5-13-12c0-4 2-7 5-10 1 4 3 5 4 5 0-6 1-12 4-17z",
                "#ff8a2f",
            ),
            path("M32 17c5 5 6 8 6 11 0 4-3 6-6 6s-6-2-6-6c0-3 3-6 6-11z", "#ffe08a"),
        ]
    )


def smoke() -> str:
    """A torch that has gone out."""
    return "".join(
        [
            path("M28 34h8l-2 26h-4z", "#8a6238", **EDGE),
            path(
                "M32 30c-6-5 6-8 0-14s5-8 1-13",
                stroke="#b7aecb",
                stroke_width=3,
                stroke_linecap="round",
            ),
        ]
    )


def placed(drawing: str, x: float, y: float, size: float, *, title: str = "") -> str:
    """A drawing at a place, as large as asked."""
    return group([drawing], title=title, transform=f"translate({x:g} {y:g}) scale({size / SIDE:.4g})")
