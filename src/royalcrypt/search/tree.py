"""Single-observer information-set Monte Carlo tree search: a search based on one viewer's knowledge.

Every simulation deals the hidden cards, descends the tree by small decisions, adds one node, and plays the
game to its end. A node stands for what the viewer sees after its actions: different dice or peeked values
lead to different nodes. The tree ends with the round, because rows of the next one hardly ever repeat.
"""

from dataclasses import dataclass
from math import inf, log, sqrt
from time import monotonic
from typing import Annotated, Any, Protocol

import numpy as np

from royalcrypt.rules.actions import FLIP
from royalcrypt.rules.chance import draw_chance, game_key, numbered_key
from royalcrypt.rules.layout import (
    CHANCE,
    NOBODY,
    NONE,
    SEATS,
    VALUES,
    Ints,
    Options,
    State,
    copy_of,
    no_options,
)
from royalcrypt.rules.phases import NO_ERRAND
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.scoring import contenders, scoring_seats
from royalcrypt.rules.turns import apply, is_under_way, legal_actions
from royalcrypt.rules.views import knows
from royalcrypt.search.backend import Floats, RecordArray, record_dtype, record_of
from royalcrypt.search.compilation import compiled
from royalcrypt.search.light_play import light_action
from royalcrypt.search.simulation import STEPS_AT_MOST, deal_hidden

ROOT, PLAYED = range(2)
"""Indices of the board's states: the searched position, and the current simulation."""
FULL_SCORE = 60
"""The score that counts as a full win in solo games."""
FULL_LEAD = 30
"""The lead in coins that counts as a full win; an equal deficit counts as 0."""
I4, I8, F4, F8 = "i4", "i8", "f4", "f8"
EXPLORATION = 0.15
MARGIN = 0.5
"""The weight of the lead, relative to the win, in a result; it reduces noise and matters in lost games."""
DEEPEST = 64
"""The most small decisions on a path through the tree."""


class Node(Protocol):
    """A decision, as the viewer knows the state."""

    digest: Annotated[int, I8]
    """The digest of the information visible to the viewer."""
    edge_count: Annotated[int, I4]
    """The number of edges; 0 until the second visit."""
    first_edge: Annotated[int, I4]
    visits: Annotated[int, I4]
    won: Annotated[float, F4]
    """The sum of results for the seat that decides at this node."""
    sibling: Annotated[int, I4]
    """The next node that the same action can lead to; 0 if there is none."""


class Edge(Protocol):
    """A small decision at a node."""

    visits: Annotated[int, I4]
    available: Annotated[int, I4]
    """The number of visits of the node at which this decision was legal."""
    child: Annotated[int, I4]
    won: Annotated[float, F4]


class Search(Protocol):
    """The settings and progress of a search."""

    board: Annotated[RecordArray[State], State, (2,)]
    options: Annotated[Options, Options]
    viewer: Annotated[int, I4]
    simulations: Annotated[int, I4]
    nodes: Annotated[int, I4]
    edges: Annotated[int, I4]
    edges_at_most: Annotated[int, I4]
    depth: Annotated[int, I4]
    path: Annotated[Ints, I4, (DEEPEST,)]
    """The nodes of the current simulation."""
    choices: Annotated[Ints, I4, (DEEPEST,)]
    """The edges of the current simulation."""
    deciders: Annotated[Ints, I4, (DEEPEST,)]
    shares: Annotated[Floats, F8, (SEATS,)]


Nodes = RecordArray[Node]
Edges = RecordArray[Edge]
NODE = record_dtype(Node)
EDGE = record_dtype(Edge)
SEARCH = record_dtype(Search)


def visible_digest(state: State, viewer: int) -> int:
    """A digest of the game's progress, the holders of cards and dice, and the row's known values."""
    digest = (state.phase * 8 + state.errand) * 8 + state.actor
    for position in range(row_length(state)):
        slot = state.slots[position]
        here = ((slot.holder + 1) * 4 + slot.dice) * 8 + slot.effort
        card = slot.card
        known = 0
        if card != NONE and knows(state, viewer, card):
            known = state.card_value[card]
        digest = (digest * 1000003 + (here * 4 + slot.failed) * 8 + known) & 0xFFFFFFFFFF
    return digest


def child_of(search: Search, nodes: Nodes, edge: Edge, digest: int) -> int:
    """The index of the node with this digest below the edge; NONE if it was just created."""
    child = edge.child
    while child != 0:
        if nodes[child].digest == digest:
            return child
        child = nodes[child].sibling
    made = nodes[search.nodes]
    made.digest = digest
    made.edge_count = 0
    made.sibling = edge.child
    edge.child = search.nodes
    search.nodes += 1
    return NONE


def add_edges(search: Search, node: Node, actions: int) -> bool:
    """Add the edges of a node; return whether there was enough capacity."""
    if search.edges + actions > search.edges_at_most:
        return False
    node.first_edge = search.edges
    node.edge_count = actions
    search.edges += actions
    return True


def edge_at(state: State, options: Options, node: Node, index: int) -> int:
    """The edge of the legal action with this index; legal flips depend on the sampled deal."""
    if state.errand != NO_ERRAND:
        return node.first_edge + options.codes[index] - FLIP
    return node.first_edge + index


def select(node: Node, edges: Edges, state: State, options: Options, count: int) -> int:
    """The index of the legal action with the highest upper confidence bound.

    Each action has one extra visit with the node's mean result, so bad actions may remain unvisited.
    """
    average = node.won / node.visits if node.visits > 0 else 0.5
    best = -1.0
    chosen = 0
    for index in range(count):
        edge = edges[edge_at(state, options, node, index)]
        edge.available += 1
        visits = edge.visits + 1
        bound = (edge.won + average) / visits + EXPLORATION * sqrt(log(edge.available + 1) / visits)
        if bound > best:
            best = bound
            chosen = index
    return chosen


def write_shares(search: Search, state: State) -> None:
    """Write each seat's share of the win (R7.3) blended with its lead; in solo games, by score (R10.7)."""
    seats = scoring_seats(state)
    if seats == 1:
        search.shares[0] = min(1.0, state.players[0].score / FULL_SCORE)
        return
    winners = contenders(state)
    for seat in range(seats):
        share = state.players[seat].is_contender / winners
        search.shares[seat] = (1 - MARGIN) * share + MARGIN * lead_of(state, seat)


def lead_of(state: State, seat: int) -> float:
    """A seat's lead over its best rival, scaled from 0 to 1; 0.5 for a tie."""
    rival = 0
    for other in range(scoring_seats(state)):
        if other != seat:
            rival = max(rival, state.players[other].score)
    lead = 0.5 + (state.players[seat].score - rival) / (2 * FULL_LEAD)
    return min(1.0, max(0.0, lead))


def backpropagate(search: Search, nodes: Nodes, edges: Edges) -> None:
    for step in range(search.depth):
        share = search.shares[search.deciders[step]]
        node = nodes[search.path[step]]
        node.visits += 1
        node.won += share
        edge = edges[search.choices[step]]
        edge.visits += 1
        edge.won += share


def descend(search: Search, nodes: Nodes, edges: Edges, state: State, options: Options, node: int) -> int:
    """Choose the action at this node and append it to the path; NONE if the tree is full."""
    here = nodes[node]
    count = legal_actions(state, options)
    actions = count if state.errand == NO_ERRAND else VALUES
    if search.depth == DEEPEST or (here.edge_count == 0 and not add_edges(search, here, actions)):
        return NONE
    index = select(here, edges, state, options, min(count, here.edge_count))
    search.path[search.depth] = node
    search.choices[search.depth] = edge_at(state, options, here, index)
    search.deciders[search.depth] = state.actor
    search.depth += 1
    return options.codes[index]


def simulate(search: Search, nodes: Nodes, edges: Edges, high: int, low: int) -> None:
    """Simulate one game to its end: first in the tree, then by light players."""
    state = search.board[PLAYED]
    options = search.options
    deal_hidden(state, high, low)
    search.depth = 0
    node = 0
    this_round = state.round_number
    for _ in range(STEPS_AT_MOST):
        if state.actor == NOBODY:
            break
        action = NONE
        if state.actor == CHANCE:
            action = draw_chance(state, high, low)
        else:
            if node != NONE and search.depth > 0:
                node = NONE
                if state.round_number == this_round:
                    last_edge = edges[search.choices[search.depth - 1]]
                    node = child_of(search, nodes, last_edge, visible_digest(state, search.viewer))
            if node != NONE:
                action = descend(search, nodes, edges, state, options, node)
                if action == NONE:
                    node = NONE
            if node == NONE:
                action = light_action(state, options, high, low)
        apply(state, state.actor, action)
    write_shares(search, state)
    backpropagate(search, nodes, edges)


def run_search(search: Search, nodes: Nodes, edges: Edges, simulations: int, high: int, low: int) -> None:
    """Run more simulations from the root; the key is that of the whole search."""
    for _ in range(simulations):
        own_high, own_low = numbered_key(high, low, search.simulations)
        search.board[PLAYED] = search.board[ROOT]
        simulate(search, nodes, edges, own_high, own_low)
        search.simulations += 1


SIMULATIONS_PER_CHECK = 256
"""The number of simulations between two checks of the time."""
EDGES_PER_SIMULATION, EDGES_AT_LEAST, EDGES_AT_MOST = 32, 4096, 1 << 22


@dataclass(frozen=True)
class SearchLimits:
    """The limits of a search, and the seed of its random numbers."""

    simulations: int
    seconds: float = inf
    seed: int = 0


class Tree:
    """A search tree that starts at one decision of the viewer."""

    def __init__(self, known: State, viewer: int, limits: SearchLimits) -> None:
        self.viewer = viewer
        self.search: Any = np.zeros(1, SEARCH)[0]
        self.search.board[ROOT] = record_of(known)
        self.search.viewer = viewer
        self.search.nodes = 1
        most = min(EDGES_AT_MOST, EDGES_AT_LEAST + EDGES_PER_SIMULATION * limits.simulations)
        self.search.edges_at_most = most
        self.nodes: Any = np.zeros(limits.simulations + 1, NODE)
        self.edges: Any = np.zeros(most, EDGE)
        key = game_key(limits.seed, known.decisions)
        run, until, left = compiled(run_search), monotonic() + limits.seconds, limits.simulations
        while left > 0:
            now = min(SIMULATIONS_PER_CHECK, left)
            run(self.search, self.nodes, self.edges, now, *key)
            left = left - now if monotonic() < until else 0

    def _edges_of(self, known: State, node: int) -> dict[int, Any]:
        """The edges of the node for this state, by legal action."""
        options, here = no_options(), self.nodes[node]
        indices = range(min(legal_actions(known, options), int(here.edge_count)))
        return {options.codes[index]: self.edges[edge_at(known, options, here, index)] for index in indices}

    def visits(self, known: State, node: int = 0) -> dict[int, int]:
        """The number of visits of each legal action at the node for this state."""
        return {code: int(edge.visits) for code, edge in self._edges_of(known, node).items()}

    def child(self, known: State, node: int, action: int, after: State) -> int | None:
        """The index of the node that the action leads to; None if it has no edges yet."""
        digest, child = visible_digest(after, self.viewer), int(self._edges_of(known, node)[action].child)
        while child and self.nodes[child].digest != digest:
            child = int(self.nodes[child].sibling)
        return child if child and self.nodes[child].edge_count else None


def best_action(known: State, viewer: int, limits: SearchLimits) -> list[int]:
    """The small decisions of the most visited action; beyond the tree's leaves, a new tree is built."""
    state = copy_of(known)
    tree, node = Tree(state, viewer, limits), 0
    codes: list[int] = []
    while not codes or is_under_way(state, viewer):
        visits = tree.visits(state, node)
        codes.append(max(visits, key=lambda code: visits[code]))
        before = copy_of(state)
        apply(state, viewer, codes[-1])
        if is_under_way(state, viewer):
            child = tree.child(before, node, codes[-1], state)
            tree, node = (Tree(state, viewer, limits), 0) if child is None else (tree, child)
    return codes
