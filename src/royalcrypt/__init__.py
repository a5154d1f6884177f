"""Royal Crypt: the board game Crypt, to play, to host, to study and to build bots for."""

from royalcrypt.notation.moves import Move, Placement
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record, Seat
from royalcrypt.play.game import Game
from royalcrypt.play.rulings import IllegalAction
from royalcrypt.play.views import View

__all__ = ["Game", "IllegalAction", "Move", "Placement", "Reason", "Record", "Refusal", "Seat", "View"]
