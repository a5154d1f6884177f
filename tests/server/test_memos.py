"""Notes to self: kept for their writer alone, and never overwritten unseen."""

from pathlib import Path

from tests.server.harness import Host, people, seated, with_server


def test_a_note_is_kept_for_its_writer_alone(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 3) as (ada, bo, cleo):
            table = await seated([ada, bo])
            path = f"/api/tables/{table}/memo"
            assert await ada.ask("GET", path) == {"text": "", "updated": 0}
            written = await ada.ask("PUT", path, {"text": "Bo bluffs.\r\nWatch the Idols."})
            assert written["text"] == "Bo bluffs.\nWatch the Idols."
            assert await ada.ask("GET", path) == written
            assert (await bo.ask("GET", path))["text"] == ""
            await cleo.ask("GET", path, status=404)
            await cleo.ask("PUT", path, {"text": "?"}, status=404)
            await bo.tell(type="ping")
            assert all(b"bluffs" not in message for message in bo.received)

    with_server(test, tmp_path)


def test_a_note_from_another_device_is_not_overwritten_unseen(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo):
            path = f"/api/tables/{await seated([ada, bo])}/memo"
            first = await ada.ask("PUT", path, {"text": "one"})
            second = await ada.ask("PUT", path, {"text": "two", "since": first["updated"]})
            assert second["updated"] > first["updated"]
            late = await ada.ask("PUT", path, {"text": "three", "since": first["updated"]}, status=409)
            assert late["code"] == "memo_changed"
            assert (await ada.ask("GET", path))["text"] == "two"

    with_server(test, tmp_path)


def test_a_note_has_an_end(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo):
            path = f"/api/tables/{await seated([ada, bo])}/memo"
            refused = await ada.ask("PUT", path, {"text": "x" * 2001}, status=400)
            assert (refused["code"], refused["details"]["most"]) == ("wrong_memo", 2000)
            await ada.ask("PUT", path, {"text": "x" * 2000})

    with_server(test, tmp_path)
