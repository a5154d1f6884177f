"""What holds for every channel."""

import pytest

from royalcrypt.server.cluster.channel import Channel
from tests.server.channel.conftest import Opener
from tests.server.channel.ears import Ear, hears, is_up, until

pytestmark = pytest.mark.anyio


async def speaker(enter: Opener) -> Channel:
    """Of a process that only speaks."""
    channel = enter(Ear())
    await is_up(channel)
    return channel


async def test_a_hint_reaches_every_other_process_that_asked_for_it_and_nobody_else(enter: Opener) -> None:
    speaking = await speaker(enter)
    ears = [Ear() for _ in range(3)]
    for ear, topic in zip(ears, ("crypt", "crypt", "tomb"), strict=True):
        enter(ear).subscribe(topic)
        await hears(ear, topic)
    speaking.publish("crypt", b"moved")
    speaking.publish("tomb", b"opened")
    await until(lambda: all(ear.heard for ear in ears))
    assert [ear.heard for ear in ears] == [[("crypt", b"moved")]] * 2 + [[("tomb", b"opened")]]


async def test_hints_of_one_process_come_in_order_whatever_is_in_them(enter: Opener) -> None:
    speaking, ear = await speaker(enter), Ear()
    enter(ear).subscribe("crypt")
    await hears(ear, "crypt")
    hints = [b"", b"\r\n", b"$-1\r\n", b"\0\xff", *(b"%d" % number for number in range(500)), bytes(100_000)]
    for hint in hints:
        speaking.publish("crypt", hint)
    await until(lambda: len(ear.heard) == len(hints))
    assert ear.heard == [("crypt", hint) for hint in hints]


async def test_topics_may_have_any_name(enter: Opener) -> None:
    speaking, ear = await speaker(enter), Ear()
    topic = "table:Κρύπτη * [a-z]\r\n"
    enter(ear).subscribe(topic)
    await hears(ear, topic)
    speaking.publish("table:Κρύπτη * b\r\n", b"no pattern")
    speaking.publish(topic, b"moved")
    await until(lambda: ear.heard)
    assert ear.heard == [(topic, b"moved")]


async def test_nothing_is_heard_before_publish_and_subscribe_return(enter: Opener) -> None:
    speaking, ear = await speaker(enter), Ear()
    hearing = enter(ear)
    await is_up(hearing)
    hearing.subscribe("crypt")
    assert ear.hearing == []
    await hears(ear, "crypt")
    speaking.publish("crypt", b"moved")
    assert ear.heard == []


async def test_whoever_hears_may_answer_at_once(enter: Opener) -> None:
    class Echo(Ear):
        def on_message(self, topic: str, hint: bytes) -> None:
            super().on_message(topic, hint)
            answering.publish("answers", hint)
            answering.unsubscribe(topic)

    ear, echo = Ear(), Echo()
    asking, answering = enter(ear), enter(echo)
    asking.subscribe("answers")
    answering.subscribe("questions")
    await hears(ear, "answers")
    await hears(echo, "questions")
    asking.publish("questions", b"who?")
    await until(lambda: ear.heard)
    assert ear.heard == [("answers", b"who?")]


async def test_a_topic_subscribed_twice_is_heard_once(enter: Opener) -> None:
    speaking, ear = await speaker(enter), Ear()
    hearing = enter(ear)
    hearing.subscribe("crypt")
    hearing.subscribe("crypt")
    hearing.subscribe("last")
    await until(lambda: "last" in ear.hearing)
    hearing.subscribe("crypt")
    assert ear.hearing == ["crypt", "last"]
    speaking.publish("crypt", b"moved")
    speaking.publish("last", b"moved")
    await until(lambda: len(ear.heard) >= 2)
    assert ear.heard == [("crypt", b"moved"), ("last", b"moved")]


async def test_after_leaving_a_topic_nothing_of_it_is_heard_until_asked_for_again(
    enter: Opener,
) -> None:
    speaking, ear = await speaker(enter), Ear()
    hearing = enter(ear)
    for topic in ("crypt", "last"):
        hearing.subscribe(topic)
    await hears(ear, "crypt", "last")
    speaking.publish("crypt", b"on its way")
    hearing.unsubscribe("crypt")
    hearing.unsubscribe("crypt")
    hearing.unsubscribe("never asked for")
    speaking.publish("last", b"1")
    await until(lambda: ear.heard)
    assert ear.heard == [("last", b"1")]
    hearing.subscribe("crypt")
    await hears(ear, "crypt")
    speaking.publish("crypt", b"moved")
    await until(lambda: len(ear.heard) == 2)
    assert ear.heard[-1] == ("crypt", b"moved")


@pytest.mark.parametrize("is_wanted", [True, False])
async def test_of_changes_of_mind_the_last_one_holds(enter: Opener, is_wanted: bool) -> None:
    speaking, ear = await speaker(enter), Ear()
    hearing = enter(ear)
    await is_up(hearing)
    for is_subscribed in (not is_wanted, is_wanted, not is_wanted, is_wanted):
        (hearing.subscribe if is_subscribed else hearing.unsubscribe)("crypt")
    hearing.subscribe("last")
    await until(lambda: "last" in ear.hearing)
    speaking.publish("crypt", b"moved")
    speaking.publish("last", b"moved")
    await until(lambda: ("last", b"moved") in ear.heard)
    assert (("crypt", b"moved") in ear.heard, "crypt" in ear.hearing) == (is_wanted, is_wanted)


async def test_thousands_of_topics_are_asked_for_at_once(enter: Opener) -> None:
    speaking, ear = await speaker(enter), Ear()
    hearing = enter(ear)
    await is_up(hearing)
    topics = [f"table:{number}" for number in range(5000)]
    for topic in topics:
        hearing.subscribe(topic)
    await until(lambda: len(ear.hearing) == len(topics))
    assert ear.hearing == topics
    for topic in topics[1:]:
        hearing.unsubscribe(topic)
    for topic in reversed(topics):
        speaking.publish(topic, b"moved")
    await until(lambda: ear.heard)
    assert ear.heard == [(topics[0], b"moved")]


async def test_a_closed_channel_hears_and_says_nothing(enter: Opener) -> None:
    speaking, closing = await speaker(enter), Ear()
    other = Ear()
    enter(other).subscribe("crypt")
    leaving = enter(closing)
    leaving.subscribe("crypt")
    await hears(other, "crypt")
    await hears(closing, "crypt")
    speaking.publish("crypt", b"too late for one")
    await leaving.close()
    await leaving.close()
    assert not leaving.is_up
    heard = list(closing.heard)
    leaving.publish("crypt", b"from the grave")
    leaving.subscribe("tomb")
    leaving.unsubscribe("crypt")
    speaking.publish("tomb", b"opened")
    speaking.publish("crypt", b"moved")
    await until(lambda: ("crypt", b"moved") in other.heard)
    assert other.heard == [("crypt", b"too late for one"), ("crypt", b"moved")]
    assert closing.heard == heard
    assert closing.hearing == []


async def test_what_was_published_last_goes_out_before_the_end(enter: Opener) -> None:
    leaving, ear = await speaker(enter), Ear()
    enter(ear).subscribe("crypt")
    await hears(ear, "crypt")
    leaving.publish("crypt", b"farewell")
    await leaving.close()
    await until(lambda: ear.heard)
