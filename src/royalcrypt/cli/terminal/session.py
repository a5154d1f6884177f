"""A game at this terminal, from the first screen to the score sheet."""

import re

from rich.console import Group
from rich.text import Text

from royalcrypt.bots.warming import WarmUp
from royalcrypt.cli.terminal.console import Leave, Screen, uninterrupted
from royalcrypt.cli.terminal.grid import draw_unseen
from royalcrypt.cli.terminal.help import draw_help
from royalcrypt.cli.terminal.menu import Menu
from royalcrypt.cli.terminal.palette import BAD, DIM, EMBER, begin
from royalcrypt.cli.terminal.people import People
from royalcrypt.cli.terminal.saves import CannotPlay, SavedGame, drop_save, keep_record, write_save
from royalcrypt.cli.terminal.sheet import draw_sheet
from royalcrypt.cli.terminal.story import Story
from royalcrypt.cli.terminal.table import draw_table
from royalcrypt.cli.terminal.waking import excuse, stand_in
from royalcrypt.locales import say
from royalcrypt.notation.moves import Move, Placement, Verb
from royalcrypt.notation.reasons import Refusal
from royalcrypt.play.views import View

OUT_OF_TURN = (Verb.PEEK, Verb.MEND)
BOT_SECONDS = 1.0
OTHERS_ACTION = re.compile(r"\s*([^:]+?)\s*:\s*([a-z].*)", re.IGNORECASE)
"""``2: peek M2`` or ``bo: mend R1 R3``; a claim such as ``2:1x3`` has a figure after the colon."""


class Session:
    """Seats people and bots at one screen and lets them play."""

    def __init__(self, screen: Screen, saved: SavedGame, warm_up: WarmUp, *, greeting: str = "") -> None:
        self.screen = screen
        self.saved = saved
        self.game = saved.game
        self.people = People(saved.game.seats)
        self.warm_up = warm_up
        self.excused: set[str] = set()
        """What was said of bots that others play for."""
        self.at_screen: int | None = None
        """Who looks at the screen now."""
        self.notice = Text(greeting, DIM)

    def play(self) -> None:
        """To the end of the game; raises Leave when somebody leaves before that."""
        try:
            with self.screen.apart():
                while (actor := self.game.actor) is not None:
                    if self.people.bot(actor) is None:
                        self._human_turn(actor)
                    else:
                        self._bot_turn(actor)
        except KeyboardInterrupt:
            raise Leave from None

    def finish(self) -> None:
        """The end of the story, the score sheet, and where the record is kept."""
        viewer = self.people.humans[0] if len(self.people.humans) == 1 else None
        people = self.people.seen_by(viewer)
        result = self.game.result()
        if result is None:
            return
        start = min(self.saved.told[seat] for seat in self.people.humans)
        parts = [
            Text(""),
            *self._story(viewer, start),
            Text(""),
            draw_sheet(result, self.game.collectors, people),
        ]
        self.screen.console.print(Group(*parts))
        path = keep_record(self.game)
        drop_save(self.game)
        self.screen.note(say("terminal.kept", path=path))

    def leave(self) -> None:
        """Save, and say how to go on."""
        write_save(self.saved)
        self.screen.console.print(Text(say("terminal.saved"), EMBER))

    def _story(self, viewer: int | None, start: int, *, is_brief: bool = False) -> list[Text]:
        told = Story(self.people.seen_by(viewer), is_brief=is_brief).tell(self.game.events_for(viewer))
        return [sentence for sentence in told[start:] if sentence is not None]

    def _play(self, move: Move, seat: int) -> None:
        with uninterrupted():
            self.game.play(move, seat=seat)

    def _bot_turn(self, seat: int) -> None:
        from royalcrypt.bots import Budget, bot_named

        name = self.people.bot(seat) or ""
        playing = stand_in(name, self.warm_up)
        self.screen.note(say("terminal.thinking", name=self.people.name(seat)))
        if playing != name:
            self._excuse(excuse(self.people.name(seat), playing.capitalize(), self.warm_up))
        budget = Budget(seconds=BOT_SECONDS, seed=self.saved.bot_seed)
        self._play(bot_named(playing).choose(self.game.view(seat), budget), seat)

    def _excuse(self, words: str) -> None:
        """Once, beside whatever else the next player is to be told."""
        if words not in self.excused:
            self.excused.add(words)
            lines = [line for line in (self.notice, Text(words, DIM)) if line.plain]
            self.notice = Text("\n").join(lines)

    def _hand_over(self, seat: int) -> None:
        """Nobody sees another's cards: the screen is empty until the right person says so."""
        if self.at_screen == seat or len(self.people.humans) == 1:
            self.at_screen = seat
            return
        self.at_screen = None
        self.screen.show(Text("\n" * max(self.screen.height // 2 - 3, 0)), self._hand_over_words(seat))
        self.screen.pause(say("terminal.ask.hand_over"))
        self.at_screen = seat

    def _hand_over_words(self, seat: int) -> Text:
        text = Text(say("terminal.hand_over", name=self.people.name(seat)), f"bold {EMBER}", justify="center")
        text.highlight_words([self.people.name(seat)], self.people.colour(seat))
        return text

    def _human_turn(self, seat: int) -> None:
        self._hand_over(seat)
        seen = len(self.game.events)
        while True:
            view = self.game.view(seat)
            self._show(view, [], [self.notice, self._call(view)])
            self.notice = Text("")
            typed = self.screen.ask(self._prompt(seat))
            decisions = len(self.game.moves)
            self._obey(view, seat, typed)
            if len(self.game.moves) > decisions:
                break
        _, move = self.game.moves[-1]
        if any(action.verb not in OUT_OF_TURN for action in move.actions):
            self.saved.told[seat] = max(seen, self.saved.told[seat])

    def _prompt(self, seat: int) -> str:
        return f"{self.people.name(seat)}> "

    def _call(self, view: View) -> Text:
        """What is to be decided."""
        key = f"terminal.call.{view.phase}"
        if view.phase == "claim" and view.form is not None:
            key += ".none" if not view.form.ready else ".last" if view.form.one_card_only else ""
        keys = say("terminal.call.keys")
        return begin(say(key), f"bold {EMBER}").append("  ").append(keys, DIM)

    def _show(self, view: View, staged: list[Placement], lines: list[Text]) -> None:
        seat = view.seat or 0
        story = self._story(seat, self.saved.told[seat], is_brief=True)
        people = self.people.seen_by(seat)
        notice = [line for line in lines if line.plain]
        self.screen.show(draw_table(self.screen.console, view, people, story, staged=staged, notice=notice))

    def _obey(self, view: View, seat: int, typed: str) -> None:
        match typed.lower():
            case "" | "m" | "menu":
                self._menu(view, seat)
            case "?" | "h" | "help":
                self.screen.page(draw_help(view))
            case "log" | "l":
                self.screen.page(*self._story(seat, 0))
            case "deck" | "d":
                self.screen.page(draw_unseen(view))
            case "cards" | "table" | "t":
                pass
            case "u" | "x" | "undo":
                self._complain(say("terminal.nothing_staged"))
            case "save":
                self._save()
            case "quit" | "q" | "exit":
                raise Leave
            case _:
                self._try(seat, typed)

    def _complain(self, words: str) -> None:
        self.notice = Text(words, BAD)

    def _save(self) -> None:
        try:
            write_save(self.saved)
            self.notice = Text(say("terminal.saved_on"), EMBER)
        except CannotPlay as error:
            self._complain(str(error))

    def _try(self, seat: int, typed: str) -> None:
        """Play what was typed, or say why not."""
        try:
            other = OTHERS_ACTION.fullmatch(typed)
            if other is None:
                self._play(Move.parse(typed), seat)
            else:
                self._out_of_turn(seat, other[1], Move.parse(other[2]))
        except Refusal as refusal:
            self._complain(str(refusal))

    def _out_of_turn(self, seat: int, name: str, move: Move) -> None:
        """Another person's action at any time (R9.1); what they see is for their eyes."""
        other = self.people.called(name)
        if other is None or other not in self.people.humans:
            self._complain(say("terminal.nobody", name=name))
            return
        if other != seat and any(action.verb not in OUT_OF_TURN for action in move.actions):
            self._complain(say("terminal.out_of_turn", name=self.people.name(other)))
            return
        self._play(move, other)
        if other == seat or not any(action.verb is Verb.PEEK for action in move.actions):
            return
        self._hand_over(other)
        self._show(self.game.view(other), [], [Text(say("terminal.looked"), f"bold {EMBER}")])
        self.screen.pause(say("terminal.ask.seen"))

    def _menu(self, view: View, seat: int) -> None:
        def show(staged: list[Placement], lines: list[Text]) -> None:
            self._show(view, staged, lines)

        def judge(move: Move) -> str:
            try:
                self.game.clone().play(move, seat=seat)
            except Refusal as refusal:
                return str(refusal)
            return ""

        move = Menu(view, self.people.seen_by(seat), show, self.screen.ask, judge).run()
        if move is None:
            return
        try:
            self._play(move, seat)
        except Refusal as refusal:
            self._complain(str(refusal))
