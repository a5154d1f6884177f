"""What a search tree is kept in: rows of records for nodes and edges, and how far the search has come."""

from typing import Annotated, Protocol

from royalcrypt.rules.layout import SEATS, Ints
from royalcrypt.search.carrier import record_dtype

I4, I8, F4, F8 = "i4", "i8", "f4", "f8"
DEEPEST = 64
"""Small decisions on the way down a tree."""


class Shares(Protocol):
    def __getitem__(self, seat: int, /) -> float: ...
    def __setitem__(self, seat: int, share: float, /) -> None: ...


class Node(Protocol):
    """A decision as the viewer knows it."""

    look: Annotated[int, I8]
    """What the viewer sees here that the actions before do not tell."""
    ways: Annotated[int, I4]
    """How many edges it has; 0 before it is reached again."""
    first_edge: Annotated[int, I4]
    visits: Annotated[int, I4]
    won: Annotated[float, F4]
    """By whoever decides here."""
    sibling: Annotated[int, I4]
    """Another node that the same action led to; 0 if there is none, for the root is nobody's child."""


class Nodes(Protocol):
    def __getitem__(self, index: int, /) -> Node: ...


class Edge(Protocol):
    """A small decision at a node."""

    visits: Annotated[int, I4]
    available: Annotated[int, I4]
    """How often it was legal when the node was passed."""
    child: Annotated[int, I4]
    won: Annotated[float, F4]


class Edges(Protocol):
    def __getitem__(self, index: int, /) -> Edge: ...


class Search(Protocol):
    """What a search is told, and how far it has come."""

    viewer: Annotated[int, I4]
    simulations: Annotated[int, I4]
    nodes: Annotated[int, I4]
    edges: Annotated[int, I4]
    edges_at_most: Annotated[int, I4]
    exploration: Annotated[float, F8]
    margin: Annotated[float, F8]
    """How much of a share goes by the lead, from 0 to 1."""
    depth: Annotated[int, I4]
    path: Annotated[Ints, I4, (DEEPEST,)]
    """Nodes of the simulation under way."""
    choices: Annotated[Ints, I4, (DEEPEST,)]
    """Edges of the simulation under way."""
    deciders: Annotated[Ints, I4, (DEEPEST,)]
    shares: Annotated[Shares, F8, (SEATS,)]


NODE = record_dtype(Node)
EDGE = record_dtype(Edge)
SEARCH = record_dtype(Search)
