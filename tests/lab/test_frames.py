"""Results as data frames."""

from royalcrypt.lab.backends import plain_backend
from royalcrypt.lab.frames import outcome_frame
from royalcrypt.lab.simulate import simulate
from royalcrypt.lab.summary import Summary
from royalcrypt.lab.tables import Setting

SETTING = Setting(2, ("random", "novice"), seed=1)


def test_outcomes_are_a_row_a_game_and_seat() -> None:
    outcomes = list(simulate(SETTING, 3, plain_backend()))
    frame = outcome_frame(outcomes)
    assert len(frame) == 6
    assert frame["bot"].tolist() == ["random", "novice"] * 3
    assert frame["score"].tolist() == [score for outcome in outcomes for score in outcome.scores]
    assert frame.groupby("game")["is_winner"].sum().tolist() == [len(one.winners) for one in outcomes]


def test_a_summary_is_a_row_a_bot_or_seat_with_the_figures_of_its_json() -> None:
    summary = Summary(SETTING)
    for outcome in simulate(SETTING, 4, plain_backend()):
        summary.add(outcome)
    told = summary.to_dict()["bots"]["novice"]
    frame = summary.to_frame().set_index("bot")
    assert frame.loc["novice", "win_share"] == told["win_share"]
    assert frame.loc["novice", "score_mean"] == told["scores"]["mean"]
    assert summary.to_frame(by_seat=True)["seat"].tolist() == [0, 1]


def test_alone_nobody_has_wins() -> None:
    setting = Setting(1, ("random",), seed=1)
    summary = Summary(setting)
    for outcome in simulate(setting, 2, plain_backend()):
        summary.add(outcome)
    assert "wins" not in summary.to_frame().columns
