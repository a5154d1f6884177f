"""A game session in the terminal, from the first screen to the score sheet."""

import contextlib
import re
from argparse import Namespace
from functools import partial
from importlib import import_module

from rich.console import Group
from rich.text import Text

from royalcrypt.bots.warming import WarmUp
from royalcrypt.cli.terminal import console, games, labels
from royalcrypt.cli.terminal.console import Leave, Screen, uninterrupted
from royalcrypt.cli.terminal.games import CannotPlay, SavedGame
from royalcrypt.cli.terminal.labels import BAD, DIM, EMBER, SeatLabels, begin
from royalcrypt.cli.terminal.menu import MoveMenu
from royalcrypt.cli.terminal.pages import draw_help, draw_sheet, draw_unseen
from royalcrypt.cli.terminal.sentences import EventFormatter
from royalcrypt.cli.terminal.table import draw_table
from royalcrypt.locales import say
from royalcrypt.notation.moves import Move, Placement, Verb
from royalcrypt.notation.reasons import Refusal
from royalcrypt.play.views import View

OUT_OF_TURN = (Verb.PEEK, Verb.MEND)
BOT_SECONDS = 1.0
OTHERS_ACTION = re.compile(r"\s*([^:]+?)\s*:\s*([a-z].*)", re.IGNORECASE)
"""Another player's action: ``2: peek M2`` or ``bo: mend R1 R3``; claims have a digit after the colon."""


def play_at_terminal(arguments: Namespace) -> None:
    """Play a new or saved game; raises CannotPlay for invalid options or without a terminal."""
    if arguments.resume:
        games.check_resume(arguments)
        saved, greeting = games.read_save(), say("terminal.welcome_back")
    else:
        saved = games.new_game(arguments)
        greeting = say("terminal.waiting_save") if games.save_path().exists() else ""
    if not console.is_at_terminal():
        raise CannotPlay(say("terminal.refuse.no_terminal"))
    with contextlib.suppress(ImportError):
        import_module("readline")  # Arrow keys and history at the prompt, if the system supports them.
    console.watch_for_hangup()
    with contextlib.closing(labels.warm_up_bots(SeatLabels(saved.game.seats).bots)) as warm_up:
        session = TerminalSession(Screen(console.open_console()), saved, warm_up, greeting=greeting)
        try:
            session.play()
        except Leave:
            with contextlib.suppress(Leave), uninterrupted():
                session.leave()
            return
        session.finish()


class TerminalSession:
    """One game of people and bots at one screen."""

    def __init__(self, screen: Screen, saved: SavedGame, warm_up: WarmUp, *, greeting: str = "") -> None:
        self.screen = screen
        self.saved = saved
        self.game = saved.game
        self.people = SeatLabels(saved.game.seats)
        self.warm_up = warm_up
        self.shown_notices: set[str] = set()
        """Notices about substitute bots that were already shown; each is shown once."""
        self.at_screen: int | None = None
        """Seat of the person at the screen, if confirmed."""
        self.notice = Text(greeting, DIM)

    def play(self) -> None:
        """Play to the end of the game; raises Leave if a player leaves before."""
        try:
            with self.screen.alternate():
                while (actor := self.game.actor) is not None:
                    if self.people.bot(actor) is None:
                        self._human_turn(actor)
                    else:
                        self._bot_turn(actor)
        except KeyboardInterrupt:
            raise Leave from None

    def finish(self) -> None:
        """Show the last events, the score sheet, and the record's path."""
        viewer = self.people.humans[0] if len(self.people.humans) == 1 else None
        people = self.people.seen_by(viewer)
        result = self.game.result()
        if result is None:
            return
        start = min(self.saved.told[seat] for seat in self.people.humans)
        sheet = draw_sheet(result, self.game.collectors, people)
        self.screen.console.print(Group(Text(""), *self._log(viewer, start), Text(""), sheet))
        path = games.keep_record(self.game)
        games.drop_save(self.game)
        self.screen.note(say("terminal.kept", path=path))

    def leave(self) -> None:
        """Save the game and print how to resume it."""
        games.write_save(self.saved)
        self.screen.console.print(Text(say("terminal.saved"), EMBER))

    def _log(self, viewer: int | None, start: int, *, is_brief: bool = False) -> list[Text]:
        """Return sentences for the events from number ``start`` on."""
        formatter = EventFormatter(self.people.seen_by(viewer), is_brief=is_brief)
        sentences = formatter.sentences(self.game.events_for(viewer))
        return [sentence for sentence in sentences[start:] if sentence is not None]

    def _play(self, move: Move, seat: int) -> None:
        with uninterrupted():
            self.game.play(move, seat=seat)

    def _bot_turn(self, seat: int) -> None:
        from royalcrypt.bots import Budget, bot_named

        name = self.people.bot(seat) or ""
        playing = labels.substitute_for(name, self.warm_up)
        self.screen.note(say("terminal.thinking", name=self.people.name(seat)))
        if playing != name:
            words = labels.substitute_notice(self.people.name(seat), playing.capitalize(), self.warm_up)
            if words not in self.shown_notices:
                self.shown_notices.add(words)
                self.notice = Text("\n").join(line for line in (self.notice, Text(words, DIM)) if line.plain)
        budget = Budget(seconds=BOT_SECONDS, seed=self.saved.bot_seed)
        self._play(bot_named(playing).choose(self.game.view(seat), budget), seat)

    def _hand_over(self, seat: int) -> None:
        """Ask for this seat's player to come to the screen; until confirmed, nothing private is shown."""
        if self.at_screen == seat or len(self.people.humans) == 1:
            self.at_screen = seat
            return
        self.at_screen = None
        name = self.people.name(seat)
        text = Text(say("terminal.hand_over", name=name), f"bold {EMBER}", justify="center")
        text.highlight_words([name], self.people.colour(seat))
        self.screen.show(Text("\n" * max(self.screen.height // 2 - 3, 0)), text)
        self.screen.pause(say("terminal.ask.hand_over"))
        self.at_screen = seat

    def _human_turn(self, seat: int) -> None:
        self._hand_over(seat)
        seen = len(self.game.events)
        while True:
            view = self.game.view(seat)
            self._show(view, [], [self.notice, self._call(view)])
            self.notice = Text("")
            typed = self.screen.ask(f"{self.people.name(seat)}> ")
            decisions = len(self.game.moves)
            self._run_command(view, seat, typed)
            if len(self.game.moves) > decisions:
                break
        _, move = self.game.moves[-1]
        if any(action.verb not in OUT_OF_TURN for action in move.actions):
            self.saved.told[seat] = max(seen, self.saved.told[seat])

    def _call(self, view: View) -> Text:
        """Return the prompt that says what the player must decide."""
        key = f"terminal.call.{view.phase}"
        if view.phase == "claim" and view.form is not None:
            key += ".none" if not view.form.ready else ".last" if view.form.one_card_only else ""
        return begin(say(key), f"bold {EMBER}").append("  ").append(say("terminal.call.keys"), DIM)

    def _show(self, view: View, staged: list[Placement], lines: list[Text]) -> None:
        seat = view.seat or 0
        log = self._log(seat, self.saved.told[seat], is_brief=True)
        people = self.people.seen_by(seat)
        notice = [line for line in lines if line.plain]
        self.screen.show(draw_table(self.screen.console, view, people, log, staged=staged, notice=notice))

    def _run_command(self, view: View, seat: int, typed: str) -> None:
        match typed.lower():
            case "" | "m" | "menu":
                self._menu(view, seat)
            case "?" | "h" | "help":
                self.screen.page(draw_help(view))
            case "log" | "l":
                self.screen.page(*self._log(seat, 0))
            case "deck" | "d":
                self.screen.page(draw_unseen(view))
            case "cards" | "table" | "t":
                pass
            case "u" | "x" | "undo":
                self._show_refusal(say("terminal.nothing_staged"))
            case "save":
                try:
                    games.write_save(self.saved)
                    self.notice = Text(say("terminal.saved_on"), EMBER)
                except CannotPlay as error:
                    self._show_refusal(str(error))
            case "quit" | "q" | "exit":
                raise Leave
            case _:
                self._try(seat, typed)

    def _show_refusal(self, words: str) -> None:
        self.notice = Text(words, BAD)

    def _try(self, seat: int, typed: str) -> None:
        """Play the typed move, or show why it is refused."""
        try:
            other = OTHERS_ACTION.fullmatch(typed)
            if other is None:
                self._play(Move.parse(typed), seat)
            else:
                self._out_of_turn(seat, other[1], Move.parse(other[2]))
        except Refusal as refusal:
            self._show_refusal(str(refusal))

    def _out_of_turn(self, seat: int, name: str, move: Move) -> None:
        """Play another person's any-time action (R9.1); only that person sees the result of a peek."""
        other = self.people.called(name)
        verbs = {action.verb for action in move.actions}
        if other is None or other not in self.people.humans:
            self._show_refusal(say("terminal.nobody", name=name))
        elif other != seat and not verbs.issubset(OUT_OF_TURN):
            self._show_refusal(say("terminal.out_of_turn", name=self.people.name(other)))
        else:
            self._play(move, other)
            if other != seat and Verb.PEEK in verbs:
                self._hand_over(other)
                self._show(self.game.view(other), [], [Text(say("terminal.looked"), f"bold {EMBER}")])
                self.screen.pause(say("terminal.ask.seen"))

    def _menu(self, view: View, seat: int) -> None:
        def judge(move: Move) -> str:
            try:
                self.game.clone().play(move, seat=seat)
            except Refusal as refusal:
                return str(refusal)
            return ""

        show = partial(self._show, view)
        move = MoveMenu(view, self.people.seen_by(seat), show, self.screen.ask, judge).run()
        if move is not None:
            self._try(seat, str(move))
