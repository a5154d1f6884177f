"""A tree search from a concealed state within a budget, and the best small decisions that it found."""

from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Any

import numpy as np

from royalcrypt.rules.fast_chance import game_key
from royalcrypt.rules.layout import State, copy_of, no_options
from royalcrypt.rules.turns import apply, is_under_way, legal_actions
from royalcrypt.search.carrier import record_of
from royalcrypt.search.tree import EDGE, NODE, ROOT, SEARCH, edge_at, look_of, run_search
from royalcrypt.search.twins import compiled

EXPLORATION = 0.15
MARGIN = 0.5
"""The part of a share that depends on the lead rather than the win: less noise, and no lost games."""
AT_ONCE = 256
"""Simulations between two checks of the time."""
EDGES_A_SIMULATION, EDGES_AT_LEAST, EDGES_AT_MOST = 32, 4096, 1 << 22


@dataclass(frozen=True)
class Effort:
    """How long a search may last, and the seed of all its chance."""

    simulations: int
    seconds: float = inf
    seed: int = 0


class Tree:
    """The search tree below one decision of the viewer."""

    def __init__(self, known: State, viewer: int, effort: Effort) -> None:
        self.viewer = viewer
        self.search: Any = np.zeros(1, SEARCH)[0]
        self.search.board[ROOT] = record_of(known)
        self.search.viewer = viewer
        self.search.exploration = EXPLORATION
        self.search.margin = MARGIN
        self.search.nodes = 1
        most = min(EDGES_AT_MOST, EDGES_AT_LEAST + EDGES_A_SIMULATION * effort.simulations)
        self.search.edges_at_most = most
        self.nodes: Any = np.zeros(effort.simulations + 1, NODE)
        self.edges: Any = np.zeros(most, EDGE)
        self._grow(effort, game_key(effort.seed, known.decisions))

    def _grow(self, effort: Effort, key: tuple[int, int]) -> None:
        run, until = compiled(run_search), monotonic() + effort.seconds
        left = effort.simulations
        while left > 0:
            now = min(AT_ONCE, left)
            run(self.search, self.nodes, self.edges, now, *key)
            left = left - now if monotonic() < until else 0

    def visits(self, known: State, node: int = 0) -> dict[int, int]:
        """By legal action, its visits at the node that stands for this state."""
        options, here = no_options(), self.nodes[node]
        count = min(legal_actions(known, options), int(here.ways))
        return {
            options.codes[index]: int(self.edges[edge_at(known, options, here, index)].visits)
            for index in range(count)
        }

    def child(self, known: State, node: int, action: int, after: State) -> int | None:
        """The node that the action leads to; None if it has no edges yet."""
        edge = self._edge(known, node, action)
        look, child = look_of(after, self.viewer), int(edge.child)
        while child and self.nodes[child].look != look:
            child = int(self.nodes[child].sibling)
        return child if child and self.nodes[child].ways else None

    def _edge(self, known: State, node: int, action: int) -> Any:
        options = no_options()
        codes = [options.codes[index] for index in range(legal_actions(known, options))]
        return self.edges[edge_at(known, options, self.nodes[node], codes.index(action))]


def best_action(known: State, viewer: int, effort: Effort) -> list[int]:
    """The small decisions of the action with most visits; a new tree is built where this one ends."""
    state = copy_of(known)
    tree, node = Tree(state, viewer, effort), 0
    codes: list[int] = []
    while not codes or is_under_way(state, viewer):
        visits = tree.visits(state, node)
        codes.append(max(visits, key=lambda code: visits[code]))
        before = copy_of(state)
        apply(state, viewer, codes[-1])
        if is_under_way(state, viewer):
            child = tree.child(before, node, codes[-1], state)
            tree, node = (Tree(state, viewer, effort), 0) if child is None else (tree, child)
    return codes
