"""Tree search over what one viewer knows (single-observer information-set Monte Carlo tree search).

Every simulation deals the hidden cards anew, goes down the tree by small decisions, adds one node, and plays
the game to its end. A node stands for what the viewer sees after its actions: dice and peeked values part
ways. The tree ends with the round, for hardly a row comes twice.
"""

from math import log, sqrt

from royalcrypt.rules.actions import FLIP
from royalcrypt.rules.fast_chance import draw_chance, numbered_key
from royalcrypt.rules.layout import CHANCE, NOBODY, NONE, VALUES, Options, State
from royalcrypt.rules.phases import NO_ERRAND
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.scoring import contenders, scoring_seats
from royalcrypt.rules.turns import apply, legal_actions
from royalcrypt.search.carrier import Board
from royalcrypt.search.growth import DEEPEST, Edge, Edges, Node, Nodes, Search
from royalcrypt.search.light_play import light_action
from royalcrypt.search.random_play import STEPS_AT_MOST
from royalcrypt.search.sampling import deal_hidden

ROOT, PLAYED = range(2)
"""The two states of a search's board."""
FULL_SCORE = 60
"""Alone, the score that counts as a full win."""
FULL_LEAD = 30
"""Points ahead of the best rival that count as a full win, and behind as nothing."""


def look_of(state: State, viewer: int) -> int:
    """A digest of where the game stands, who holds what, and which values of the row the viewer knows."""
    look = (state.phase * 8 + state.errand) * 8 + state.actor
    for position in range(row_length(state)):
        slot = state.slots[position]
        here = ((slot.holder + 1) * 4 + slot.dice) * 8 + slot.effort
        card = slot.card
        known = 0
        if card != NONE and (state.card_knowers[card] >> viewer) & 1:
            known = state.card_value[card]
        look = (look * 1000003 + (here * 4 + slot.failed) * 8 + known) & 0xFFFFFFFFFF
    return look


def child_of(search: Search, nodes: Nodes, edge: Edge, look: int) -> int:
    """The node of this look below the edge; NONE if it had to be made."""
    child = edge.child
    while child != 0:
        if nodes[child].look == look:
            return child
        child = nodes[child].sibling
    made = nodes[search.nodes]
    made.look = look
    made.ways = 0
    made.sibling = edge.child
    edge.child = search.nodes
    search.nodes += 1
    return NONE


def grow(search: Search, node: Node, ways: int) -> bool:
    """Give a node its edges, if there is room."""
    if search.edges + ways > search.edges_at_most:
        return False
    node.first_edge = search.edges
    node.ways = ways
    search.edges += ways
    return True


def edge_at(state: State, options: Options, node: Node, index: int) -> int:
    """The edge of the legal action of this index; which flips are legal is not the same in every deal."""
    if state.errand != NO_ERRAND:
        return node.first_edge + options.codes[index] - FLIP
    return node.first_edge + index


def select(search: Search, node: Node, edges: Edges, state: State, options: Options, count: int) -> int:
    """The index of the legal action with the highest upper confidence bound.

    Every action counts one imagined visit that went as the node goes on average, so that none has to be tried
    while another is plainly good.
    """
    average = node.won / node.visits if node.visits > 0 else 0.5
    best = -1.0
    chosen = 0
    for index in range(count):
        edge = edges[edge_at(state, options, node, index)]
        edge.available += 1
        visits = edge.visits + 1
        bound = (edge.won + average) / visits + search.exploration * sqrt(log(edge.available + 1) / visits)
        if bound > best:
            best = bound
            chosen = index
    return chosen


def share_out(search: Search, state: State) -> None:
    """What each seat gets of the win (R7.3), in part by its lead; alone, by the score (R10.7)."""
    seats = scoring_seats(state)
    if seats == 1:
        search.shares[0] = min(1.0, state.players[0].score / FULL_SCORE)
        return
    winners = contenders(state)
    for seat in range(seats):
        share = state.players[seat].is_contender / winners
        search.shares[seat] = (1 - search.margin) * share + search.margin * lead_of(state, seat)


def lead_of(state: State, seat: int) -> float:
    """From 0 to 1, and one half for a tie."""
    rival = 0
    for other in range(scoring_seats(state)):
        if other != seat:
            rival = max(rival, state.players[other].score)
    lead = 0.5 + (state.players[seat].score - rival) / (2 * FULL_LEAD)
    return min(1.0, max(0.0, lead))


def back_up(search: Search, nodes: Nodes, edges: Edges) -> None:
    for step in range(search.depth):
        share = search.shares[search.deciders[step]]
        node = nodes[search.path[step]]
        node.visits += 1
        node.won += share
        edge = edges[search.choices[step]]
        edge.visits += 1
        edge.won += share


def descend(search: Search, nodes: Nodes, edges: Edges, state: State, options: Options, node: int) -> int:
    """The action to take at this node, remembered for the way back; NONE where the tree has no room."""
    here = nodes[node]
    count = legal_actions(state, options)
    ways = count if state.errand == NO_ERRAND else VALUES
    if search.depth == DEEPEST or (here.ways == 0 and not grow(search, here, ways)):
        return NONE
    index = select(search, here, edges, state, options, min(count, here.ways))
    search.path[search.depth] = node
    search.choices[search.depth] = edge_at(state, options, here, index)
    search.deciders[search.depth] = state.actor
    search.depth += 1
    return options.codes[index]


def simulate(
    search: Search, nodes: Nodes, edges: Edges, state: State, options: Options, high: int, low: int
) -> None:
    """One game from the root to the end; both in the tree and beyond it, one step at a time."""
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
                    came_by = edges[search.choices[search.depth - 1]]
                    node = child_of(search, nodes, came_by, look_of(state, search.viewer))
            if node != NONE:
                action = descend(search, nodes, edges, state, options, node)
                if action == NONE:
                    node = NONE
            if node == NONE:
                action = light_action(state, options, high, low)
        apply(state, state.actor, action)
    share_out(search, state)
    back_up(search, nodes, edges)


def run_search(
    board: Board,
    options: Options,
    search: Search,
    nodes: Nodes,
    edges: Edges,
    simulations: int,
    high: int,
    low: int,
) -> None:
    """So many simulations more from the board's root; the key is the whole search's."""
    for _ in range(simulations):
        own_high, own_low = numbered_key(high, low, search.simulations)
        board[PLAYED] = board[ROOT]
        simulate(search, nodes, edges, board[PLAYED], options, own_high, own_low)
        search.simulations += 1
