"""Letters: nobody gets one they did not ask for, none comes twice, and a dead mail server hurts nobody."""

import asyncio
import contextlib
import io
import random
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import pytest

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.mail.notifications import MailNotifications, day_of, read_address
from tests.server.harness import Host, Person, any_action, people, person, run, seated, serving, until
from tests.server.letterbox import (
    PASSWORD,
    SENDER,
    SITE,
    USER,
    Letterbox,
    certificate,
    link_in,
    signing_in,
    text_of,
)
from tests.server.registries import Hands

MINUTE, HOUR, DAY = 60, 3600, 86400
ADA = "ada@mail.example"


@pytest.fixture
def box() -> Iterator[Letterbox]:
    opened = Letterbox().open()
    yield opened
    opened.close()


async def give(someone: Person, address: str = ADA, *, status: int = 200, language: str = "en") -> Any:
    body = {"address": address, "language": language}
    return await someone.ask("PUT", "/api/me/address", body, status=status)


async def confirmed(someone: Person, box: Letterbox, address: str = ADA, **options: Any) -> None:
    await give(someone, address, **options)
    await someone.http.post(link_in(box.letters.pop(), "confirm"))
    assert (await someone.ask("GET", "/api/me/address"))["is_confirmed"]


@contextlib.asynccontextmanager
async def waiting_game(
    data: Path, box: Letterbox, clock: Hands, **options: Any
) -> AsyncGenerator[tuple[Host, list[Person], str]]:
    """Ada and Bo play; it is the turn of Ada, who gave an address; both went away."""
    async with serving(data, clock=clock, **box.settings | options) as host, people(host, 2) as (ada, bo):
        await confirmed(ada, box)
        table = await seated([ada, bo], leader=0)
        for someone in (ada, bo):
            await leave(someone)
        clock.turn(11 * MINUTE)
        yield host, [ada, bo], table


async def move(someone: Person, table: str) -> None:
    """Somebody comes, moves, and goes."""
    await someone.connect()
    await someone.watch(table)
    while someone.view["actor"] == someone.view["seat"]:
        await play_one(someone, table)
    await leave(someone)


async def leave(someone: Person) -> None:
    """Until the server has noticed."""
    await someone.disconnect()
    await until(lambda: someone.id not in someone.host.service.hub.of_person)


async def play_one(someone: Person, table: str) -> None:

    assert (await someone.act(table, any_action(someone.view, random.Random(1))))["type"] == "update"


def test_an_address_is_confirmed_by_a_button_and_not_by_looking(tmp_path: Path, box: Letterbox) -> None:
    async def test() -> None:
        async with serving(tmp_path, **box.settings) as host, person(host, is_connected=False) as ada:
            assert await ada.ask("GET", "/api/me/address") == {
                "is_offered": True, "address": None, "is_confirmed": False, "language": None,
            }  # fmt: skip
            given = await give(ada, " Ada@Mail.EXAMPLE ", language="fr")
            assert (given["address"], given["is_confirmed"]) == ("Ada@mail.example", False)
            (letter,) = box.letters
            assert (letter["To"], letter["From"]) == ("Ada@mail.example", SENDER)
            assert letter["Subject"] == "Est-ce bien ton adresse ?"
            html = letter.get_body(("html",))
            assert html
            assert link_in(letter, "confirm") in html.get_content()
            async with host.client() as stranger:
                link = link_in(letter, "confirm")
                looked = await stranger.get(link)
                assert (looked.status_code, looked.headers["content-type"]) == (
                    200,
                    "text/html; charset=utf-8",
                )
                assert '<form method="post">' in looked.text
                assert 'lang="fr"' in looked.text
                assert not (await ada.ask("GET", "/api/me/address"))["is_confirmed"]
                done = await stranger.post(link)
                assert "<form" not in done.text
                again = await stranger.post(link)
                assert again.status_code == 200
            assert (await ada.ask("GET", "/api/me/address"))["is_confirmed"]
            await give(ada, "Ada@mail.example", language="pl")
            assert len(box.letters) == 1, "it is confirmed already"
            assert (await ada.ask("GET", "/api/me/address"))["language"] == "pl"
            await ada.ask("DELETE", "/api/me/address", status=204)
            assert (await ada.ask("GET", "/api/me/address"))["address"] is None

    run(test())


def test_a_link_is_good_for_a_day_for_its_purpose_and_for_the_newest_address(
    tmp_path: Path, box: Letterbox
) -> None:
    async def test() -> None:
        clock = Hands()
        async with (
            serving(tmp_path, clock=clock, **box.settings) as host,
            person(host, is_connected=False) as ada,
        ):
            await give(ada, "old@mail.example")
            await give(ada)
            old, new = (link_in(letter, "confirm") for letter in box.letters)
            assert (await ada.http.post(old)).status_code == 404
            assert (await ada.http.post(new.replace("key=", "key=A"))).status_code == 404
            assert (await ada.http.get("/mail/confirm")).status_code == 404
            await ada.http.post(new.replace("/confirm?", "/stop?"))
            clock.turn(DAY)
            gone = await ada.http.post(new, headers={"Accept-Language": "el-GR,en"})
            assert gone.status_code == 404
            assert 'lang="el"' in gone.text
            assert (await ada.ask("GET", "/api/me/address"))["address"] is None
            await host.service.send_reminders()
            assert await host.service.mailing._addresses.of(ada.id) is None, "forgotten"

    run(test())


def test_who_is_away_at_their_turn_is_written_to_once_a_turn_and_once_a_day(
    tmp_path: Path, box: Letterbox
) -> None:
    async def test() -> None:
        clock = Hands()
        async with waiting_game(tmp_path, box, clock) as (host, (ada, bo), table):
            for _ in range(3):
                await host.service.send_reminders()
            (letter,) = box.letters
            assert letter["To"] == ADA
            assert letter["Subject"] == "Your turn – Bo"
            assert f"{SITE}/#/table/{table}" in text_of(letter)
            assert letter["List-Unsubscribe"] == f"<{SITE}{link_in(letter, 'stop')}>"
            assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
            await move(ada, table)
            await move(bo, table)
            clock.turn(HOUR)
            await host.service.send_reminders()
            assert len(box.letters) == 1, "not twice on one day"
            clock.turn(DAY)
            for _ in range(2):
                await host.service.send_reminders()
            assert len(box.letters) == 2
            clock.turn(DAY)
            await host.service.send_reminders()
            assert len(box.letters) == 2, "this turn was told already"

    run(test())


def test_nobody_is_written_to_without_need(tmp_path: Path, box: Letterbox) -> None:
    """Not too early, not who is here, not alone or against bots, not whom a bot plays for, not the banned."""

    async def test() -> None:
        clock = Hands()
        async with serving(tmp_path, clock=clock, **box.settings) as host, people(host, 2) as (ada, bo):
            await confirmed(ada, box)
            await ada.open_table(players=1, start=True)
            await ada.open_table(players=2, leader=0, bots=[{"seat": 1, "level": "random"}], start=True)
            away = await seated([ada, bo], leader=0)
            await ada.post(f"/api/tables/{away}/leave")
            table = await seated([ada, bo], leader=0)
            await leave(ada)
            clock.turn(9 * MINUTE)
            await host.service.send_reminders()
            assert box.letters == []
            clock.turn(2 * MINUTE)
            await ada.connect()
            await host.service.send_reminders()
            assert box.letters == []
            await leave(ada)
            await host.service.people.update(ada.id, is_banned=True)
            await host.service.send_reminders()
            assert box.letters == []
            await host.service.people.update(ada.id, is_banned=False)
            await host.service.send_reminders()
            (letter,) = box.letters
            assert table in text_of(letter)

    run(test())


def test_one_click_stops_it_without_signing_in(tmp_path: Path, box: Letterbox) -> None:
    async def test() -> None:
        clock = Hands()
        async with waiting_game(tmp_path, box, clock) as (host, (ada, _), _):
            await host.service.send_reminders()
            link = link_in(box.letters[0], "stop")
            async with host.client() as program:
                looked = await program.get(link)
                assert ADA in looked.text
                assert (await ada.ask("GET", "/api/me/address"))["is_confirmed"], "looking stops nothing"
                body = {"List-Unsubscribe": "One-Click"}
                assert (await program.post(link, data=body)).status_code == 200
                assert (await program.post(link, data=body)).status_code == 200
                assert (await program.get(link)).status_code == 200
            assert (await ada.ask("GET", "/api/me/address"))["address"] is None
            clock.turn(2 * DAY)
            await host.service.send_reminders()
            assert len(box.letters) == 1

    run(test())


def test_of_two_services_at_once_one_writes(tmp_path: Path, box: Letterbox) -> None:
    async def test() -> None:
        async with waiting_game(tmp_path, box, Hands()) as (host, _, _):
            service = host.service
            addresses = service.mailing._addresses
            twins = [
                MailNotifications(
                    service.settings,
                    service.keys,
                    addresses,
                    service.hub,
                    service.tables.now,
                    on_limit=service.metrics.count_limit,
                )
                for _ in range(4)
            ]
            box.pause = 0.05
            await asyncio.gather(*(twin.send_reminders() for twin in twins))
            assert box.attempts == 2, "the question whether it is their address, and one letter"
            assert len(box.letters) == 1

    run(test())


def test_a_dead_mail_server_hurts_nobody_and_letters_come_when_it_lives_again(
    tmp_path: Path, box: Letterbox, log: io.StringIO
) -> None:
    async def test() -> None:
        clock = Hands()
        async with waiting_game(tmp_path, box, clock) as (host, (_, bo), _):
            await asyncio.to_thread(box.close)
            await host.service.send_reminders()
            assert "mail server not reached" in log.getvalue()
            assert (await give(bo, "bo@mail.example", status=503))["code"] == "mail_failed"
            await bo.ask("GET", "/api/me/games")
            await asyncio.to_thread(box.open)
            await host.service.send_reminders()
            assert box.letters == [], "it is left alone for a while"
            clock.turn(2 * MINUTE)
            await host.service.send_reminders()
            assert len(box.letters) == 1
            assert ADA not in log.getvalue()

    run(test())


@pytest.mark.parametrize(
    ("trouble", "comes_again"),
    [
        ({"answer_to_letters": "451 Try again later"}, True),
        ({"answer_to_recipients": "450 Mailbox busy"}, True),
        ({"answer_to_recipients": "550 No such mailbox"}, False),
        ({"drops_line": True}, False),
    ],
    ids=["not now", "busy", "nobody there", "line lost"],
)
def test_what_certainly_did_not_arrive_is_sent_again_and_nothing_else(
    tmp_path: Path, box: Letterbox, trouble: dict[str, Any], comes_again: bool
) -> None:
    async def test() -> None:
        clock = Hands()
        async with waiting_game(tmp_path, box, clock) as (host, _, _):
            for name, value in trouble.items():
                setattr(box, name, value)
            await host.service.send_reminders()
            before = len(box.letters)
            fresh = Letterbox()
            for name in trouble:
                setattr(box, name, getattr(fresh, name))
            clock.turn(HOUR)
            await host.service.send_reminders()
            assert len(box.letters) - before == int(comes_again)

    run(test())


def test_a_full_mailbox_delays_nobody_elses_letters(tmp_path: Path, box: Letterbox) -> None:
    async def test() -> None:
        clock = Hands()
        async with waiting_game(tmp_path, box, clock) as (host, (ada, bo), _):
            await confirmed(bo, box, "bo@mail.example")
            for someone in (ada, bo):
                await someone.connect()
            await seated([ada, bo], leader=1)
            for someone in (ada, bo):
                await leave(someone)
            clock.turn(11 * MINUTE)
            box.busy = {ADA}
            await host.service.send_reminders()
            assert [letter["To"] for letter in box.letters] == ["bo@mail.example"]
            box.busy = set()
            clock.turn(2 * MINUTE)
            await host.service.send_reminders()
            assert [letter["To"] for letter in box.letters] == ["bo@mail.example", ADA]

    run(test())


@pytest.mark.parametrize(("path", "body"), [("/api/me/address", None), ("/api/me", {"name": "Ada"})])
def test_who_wants_no_letters_any_more_gets_not_even_the_one_at_hand(
    tmp_path: Path, box: Letterbox, path: str, body: Any
) -> None:
    async def test() -> None:
        async with waiting_game(tmp_path, box, Hands()) as (host, (ada, _), _):
            addresses, now = host.service.mailing._addresses, host.service.tables.now()
            (waiting,) = await addresses.waiting(now, day_of(now))
            await ada.ask("DELETE", path, body, status=204)
            assert not await addresses.take(waiting, day_of(now), now)

    run(test())


def test_nobody_is_told_of_a_game_with_somebody_who_is_gone(tmp_path: Path, box: Letterbox) -> None:
    async def test() -> None:
        clock = Hands()
        async with waiting_game(tmp_path, box, clock) as (host, (ada, bo), table):
            await bo.ask("DELETE", "/api/me", {"name": "Bo"}, status=204)
            await move(ada, table)  # and a bot answers for Bo
            await until(lambda: host.service.tables.loaded[table].table.actor == 0)
            clock.turn(11 * MINUTE)
            await host.service.send_reminders()
            assert box.letters == []

    run(test())


def test_a_strangers_mailbox_cannot_be_flooded(tmp_path: Path, box: Letterbox) -> None:
    """Also where the host has switched off the other limits."""

    async def test() -> None:
        async with serving(tmp_path, **box.settings) as host:
            refused = 0
            for number in range(8):
                async with person(host, f"Eve {number}", is_connected=False) as eve:
                    written = ADA.upper() if number % 2 else ADA.replace("@", f"+{number}@")
                    answer = await eve.http.put("/api/me/address", json={"address": written})
                    refused += answer.status_code == 429
                    if answer.status_code == 429:
                        assert int(answer.headers["retry-after"]) > HOUR
            assert len(box.letters) == 3
            assert refused == 5
            async with person(host, is_connected=False) as mallory:
                statuses = [
                    (
                        await mallory.http.put("/api/me/address", json={"address": f"{name}@mail.example"})
                    ).status_code
                    for name in "abcdefgh"
                ]
            assert statuses.count(200) == 4
            assert statuses.count(429) == 4

    run(test())


WRONG = (
    "ada", "ada@", "@mail.example", "ada@mail", "a da@mail.example", "ada@@mail.example", ".ada@mail.example",
    "ada@mail.example\nBcc: b@c.example", "ada@mail..example", "ada@-", "x" * 65 + "@mail.example",
    "ada@mail.example, bo@mail.example", "<ada@mail.example>", "ada@" + "x" * 64 + ".example",
)  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_no_address_is_refused(wrong: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_address(wrong)
    assert refused.value.reason is Reason.WRONG_ADDRESS


def test_addresses_of_other_alphabets_are_written_as_the_mail_wants_them() -> None:
    assert read_address("ada@Παράδειγμα.example") == "ada@xn--hxajbheg2az3al.example"


def test_without_a_mail_server_nothing_is_offered(tmp_path: Path) -> None:
    async def test() -> None:
        async with serving(tmp_path) as host, person(host, is_connected=False) as ada:
            assert not (await ada.ask("GET", "/api/me/address"))["is_offered"]
            assert (await give(ada, status=409))["code"] == "no_mail"
            assert (await ada.http.get("/mail/confirm?key=" + "A" * 32)).status_code == 404
            assert (await ada.http.post("/mail/stop?key=" + "A" * 32)).status_code == 200

    run(test())


# The mail server's own: it notes the name of who signed in where it will not be kept one day.
@pytest.mark.filterwarnings("ignore:Session.login_data is deprecated")
@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_the_way_is_encrypted_and_signed_in_and_the_password_is_in_no_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: io.StringIO, security: str
) -> None:
    context, trusted = certificate(tmp_path)
    options: dict[str, Any] = {"authenticator": signing_in}
    if security == "starttls":
        options |= {"tls_context": context, "require_starttls": True, "auth_required": True}
    else:
        options |= {"ssl_context": context, "auth_require_tls": False}
    box = Letterbox().open(**options)
    settings: dict[str, Any] = box.settings | {
        "smtp_host": "localhost",
        "smtp_security": security,
        "smtp_user": USER,
        "smtp_password": PASSWORD,
    }

    async def test() -> None:
        async with serving(tmp_path / "data", **settings) as host, person(host, is_connected=False) as ada:
            assert (await give(ada, status=503))["code"] == "mail_failed", "not trusted"
            monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
            await give(ada)
            assert len(box.letters) == 1
            if security == "starttls":
                assert box.is_encrypted == [True]
        wrong: dict[str, Any] = settings | {"smtp_password": "wrong-sesame"}
        async with serving(tmp_path / "other", **wrong) as host, person(host, is_connected=False) as ada:
            await give(ada, status=503)
            assert PASSWORD not in repr(host.service.settings)
        assert "sesame" not in log.getvalue()

    try:
        run(test())
    finally:
        box.close()


def test_names_cannot_write_headers_or_pages(tmp_path: Path, box: Letterbox) -> None:
    async def test() -> None:
        clock = Hands()
        async with serving(tmp_path, clock=clock, **box.settings) as host, people(host, 2) as (ada, bo):
            await confirmed(ada, box)
            await bo.ask("PATCH", "/api/me", {"name": "<b>Bo</b> & Co"})
            await seated([ada, bo], leader=0)
            await leave(ada)
            clock.turn(HOUR)
            await host.service.send_reminders()
            (letter,) = box.letters
            assert letter["Subject"] == "Your turn – <b>Bo</b> & Co"
            html = letter.get_body(("html",))
            assert html
            assert "&lt;b&gt;Bo&lt;/b&gt; &amp; Co" in html.get_content()

    run(test())
