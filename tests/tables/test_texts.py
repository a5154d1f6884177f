"""Names and chat are plain text, and cannot disturb what stands around them."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables.texts import MAX_CHAT_LENGTH, MAX_MARKS, MAX_NAME_LENGTH, clean_chat, clean_name


@pytest.mark.parametrize(
    "name",
    ["Ada", "Zoë", "Łukasz", "李小龍", "Ὀδυσσεύς", "שרה", "محمد", "ශ්‍රී", "สมชาย", "O'Neil-Smith", "<b>Bo</b>"],
)
def test_names_of_all_scripts_stay_as_they_are(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize("picture", ["👨‍👩‍👧", "🏳️‍🌈", "👩🏽‍🚀", "❤️‍🔥", "🙂‍↔️", "1️⃣", "🇵🇱"])
def test_pictures_of_several_signs_stay_whole(picture: str) -> None:
    assert clean_name(f"Ada {picture}") == f"Ada {picture}"


UNSEEN = [
    *("\x00", "\x1b", "\x7f", "\u200b", "\u200e", "\u202e", "\u2066", "\u061c", "\ufeff", "\ue000"),
    *("\u3164", "\u2800"),
]


@pytest.mark.parametrize("unseen", UNSEEN)
def test_signs_that_show_nothing_or_turn_the_writing_around_are_left_out(unseen: str) -> None:
    assert clean_name(f"A{unseen}da{unseen}") == "Ada"
    assert clean_chat(f"{unseen}well {unseen} played") == "well played"


@pytest.mark.parametrize(
    "nothing",
    [
        "",
        "   ",
        "\u200d",
        "\u3164",
        "\u2800\u115f",
        "\u202e\u202c",
        "\u0301\u0301",
        "\ufe0f",
        "\t\n",
        "\u00a0",
    ],
)
def test_a_name_or_a_line_that_shows_nothing_is_refused(nothing: str) -> None:
    with pytest.raises(Refusal) as name:
        clean_name(nothing)
    with pytest.raises(Refusal) as chat:
        clean_chat(nothing)
    assert (name.value.reason, name.value.details) == (Reason.WRONG_NAME, {"most": MAX_NAME_LENGTH})
    assert (chat.value.reason, chat.value.details) == (Reason.WRONG_CHAT, {"most": MAX_CHAT_LENGTH})


def test_white_space_of_any_kind_becomes_one_space() -> None:
    assert clean_chat("  one\r\ntwo\u2028three\u00a0\u3000 four\t") == "one two three four"


@pytest.mark.parametrize("mark", ["\u0301", "\u0489", "\u20dd", "\u0e49", "\u1ab0", "\ufe21", "\u064b"])
def test_marks_do_not_pile_up(mark: str) -> None:
    assert clean_name(f"x{mark * 50}y") == f"x{mark * MAX_MARKS}y"
    assert clean_name("x" + f"\u200d{mark}" * 50 + "y") == f"x{mark * MAX_MARKS}y"


def test_a_mark_finds_nothing_to_stand_on_before_the_first_sign() -> None:
    assert clean_name("\u0301Ada \u0301Lovelace") == "Ada Lovelace"


def test_joiners_do_not_pile_up() -> None:
    assert clean_name("\u200d👩\u200d\u200d\u200d🚀\u200d") == "👩\u200d🚀"


def test_length_is_counted_after_cleaning() -> None:
    assert clean_name("\u200b" * 100 + "x" * MAX_NAME_LENGTH) == "x" * MAX_NAME_LENGTH
    with pytest.raises(Refusal):
        clean_name("x" * (MAX_NAME_LENGTH + 1))
    assert clean_chat("y" * MAX_CHAT_LENGTH) == "y" * MAX_CHAT_LENGTH
    with pytest.raises(Refusal):
        clean_chat("y" * (MAX_CHAT_LENGTH + 1))


@given(st.text(max_size=60))
def test_what_is_clean_stays_as_it_is(text: str) -> None:
    try:
        once = clean_chat(text)
    except Refusal:
        return
    assert clean_chat(once) == once
    assert once == once.strip()
    assert "  " not in once
    joined = once.replace("\u200d", "")
    assert not [sign for sign in joined if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")]
