"""Observers: what a player, a spectator or all players may see, as a tensor and as text.

=================  ==================================================================================
public, private
=================  ==================================================================================
yes, one player    what this seat knows
yes, none          what a spectator knows, seats from 0 on
yes, all players   what the players together know, seats from the observer's on
no, one player     what this seat knows and a spectator does not
no, all players    what any of the players knows and a spectator does not
no, none           nothing
=================  ==================================================================================

With perfect recall, public information is the whole story so far. Private information is never lost.
"""

from math import prod
from typing import Any

import numpy as np
import pyspiel

from royalcrypt.envs.openspiel.boards import board_text
from royalcrypt.envs.openspiel.pieces import (
    Shapes,
    observe,
    observe_secrets,
    public_shapes,
    secret_shapes,
    write_story,
)
from royalcrypt.envs.openspiel.settings import SpielSettings
from royalcrypt.envs.openspiel.tables import LENGTH, TOGETHER, copy_known, first_in, state_in, story_in
from royalcrypt.envs.openspiel.words import STEP_NAMES
from royalcrypt.notation.cards import card_of
from royalcrypt.rules.layout import I2, SPECTATOR
from royalcrypt.rules.views import knows
from royalcrypt.search.compilation import compiled

spiel: Any = pyspiel
NO_PLAYER = spiel.PrivateInfoType.NONE
ONE_PLAYER = spiel.PrivateInfoType.SINGLE_PLAYER
ALL_PLAYERS = spiel.PrivateInfoType.ALL_PLAYERS


class Observer:
    """``set_from`` fills ``tensor``; ``dict`` holds the named pieces of it."""

    def __init__(self, wanted: Any, settings: SpielSettings, longest: int) -> None:
        self.is_public = bool(wanted.public_info)
        self.private = wanted.private_info
        self.recalls = bool(wanted.perfect_recall)
        self.settings = settings
        self.known: Any = np.zeros(LENGTH, I2)
        shapes = self._shapes(longest)
        self.tensor: Any = np.zeros(sum(prod(shape) for shape in shapes.values()), np.float32)
        self.dict: dict[str, Any] = {}
        at = 0
        for name, shape in shapes.items():
            self.dict[name] = self.tensor[at : at + prod(shape)].reshape(shape)
            at += prod(shape)

    def _shapes(self, longest: int) -> Shapes:
        players = self.settings.players
        shapes: Shapes = {"player": (players,)} if self.private == ONE_PLAYER else {}
        if self.is_public:
            shapes |= public_shapes(players)
            shapes |= {"story": (longest,)} if self.recalls else {}
        elif self.private != NO_PLAYER:
            shapes |= secret_shapes(players)
        return shapes

    def set_from(self, state: Any, player: int) -> None:
        """Hidden information is removed from a copy first; the tensor is written from that copy."""
        numbers = self.tensor
        numbers.fill(0)
        at = 0
        if self.private == ONE_PLAYER:
            numbers[player] = 1
            at = self.settings.players
        first = 0 if self.private == NO_PLAYER else player
        if self.is_public:
            at = compiled(observe)(state.memory, self.known, numbers, self._viewer(player), first, at)
            if self.recalls:
                compiled(write_story)(self.known, numbers, at)
        elif self.private != NO_PLAYER:
            compiled(observe_secrets)(state.memory, self.known, numbers, self._viewer(player), first, at)

    def string_from(self, state: Any, player: int) -> str:
        lines = [f"seat {player} of {self.settings.players}"] if self.private == ONE_PLAYER else []
        compiled(copy_known)(state.memory, self.known, self._viewer(player))
        if not self.is_public:
            lines += [self._secrets()] if self.private != NO_PLAYER else []
        elif self.recalls:
            lines += [f"{self.settings.collectors}, seat {self.settings.leader} leads"]
            lines += ["; ".join(STEP_NAMES[step] for step in story_in(self.known))]
            lines += [f"first: seat {seat}" for seat, is_first in enumerate(first_in(self.known)) if is_first]
        else:
            lines += [board_text(state_in(self.known))]
        return "\n".join(lines)

    def _viewer(self, player: int) -> int:
        """Whose knowledge is shown: a seat's, SPECTATOR's, or that of all players TOGETHER."""
        if self.private == ALL_PLAYERS:
            return TOGETHER
        return player if self.private == ONE_PLAYER else SPECTATOR

    def _secrets(self) -> str:
        known = state_in(self.known)
        cards = [
            f"card {card + 1} is {card_of(known, card)}"
            for card in range(known.drawn)
            if known.card_value[card] > 0 and not knows(known, SPECTATOR, card)
        ]
        return ", ".join(cards) or "no secrets"
