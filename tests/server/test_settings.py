"""Settings come from four places, the later wins, and what is wrong is said in one line."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from royalcrypt.locales import catalogue, say
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.settings import (
    SECRETS,
    SETTINGS,
    LoadedSettings,
    ServerSettings,
    needed,
    read_settings,
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where settings are looked for without --data; nobody's real folder."""
    monkeypatch.setattr("royalcrypt.server.settings.default_folder", lambda: tmp_path)
    return tmp_path


def read(options: dict[str, Any] | None = None, **environment: str) -> LoadedSettings:
    return read_settings(options, {f"ROYALCRYPT_{name.upper()}": text for name, text in environment.items()})


def refusal(options: dict[str, Any] | None = None, **environment: str) -> Refusal:
    with pytest.raises(Refusal) as refused:
        read(options, **environment)
    assert "\n" not in str(refused.value)
    return refused.value


def test_without_anything_given_the_defaults_hold(home: Path) -> None:
    settings, given = read({"port": None, "config": None})
    assert given == frozenset()
    assert (settings.host, settings.port, settings.is_lan, settings.bot_pause) == (
        "127.0.0.1",
        8642,
        False,
        0.9,
    )
    assert 1 <= settings.bot_workers <= 8


def test_the_later_source_wins(home: Path) -> None:
    (home / "royalcrypt.toml").write_text('port = 1\nhost = "::1"\nlog_level = "debug"\n', "utf-8")
    settings, given = read({"port": "3"}, port="2", host="localhost")
    assert (settings.port, settings.host, settings.log_level) == (3, "localhost", "debug")
    assert given == {"port", "host", "log_level"}


def test_the_file_lies_in_the_data_folder_or_where_config_says(home: Path) -> None:
    (home / "royalcrypt.toml").write_text("port = 1\n", "utf-8")
    other = home / "other"
    other.mkdir()
    assert read().settings.port == 1
    assert read({"data": str(other)}).settings.port == 8642
    (other / "royalcrypt.toml").write_text("port = 2\n", "utf-8")
    assert read({"data": str(other)}).settings.port == 2
    assert read(data=str(other)).settings.port == 2
    (home / "mine.toml").write_text('port = 3\ndata = "there"\n', "utf-8")
    for found in (read({"config": str(home / "mine.toml")}), read(config=str(home / "mine.toml"))):
        assert found.settings.port == 3
        assert found.settings.data == home / "there", "relative to the file"
        assert found.settings.database_file == home / "there" / "royalcrypt.db"


def test_every_kind_of_value_can_be_written_everywhere(home: Path) -> None:
    (home / "royalcrypt.toml").write_text(
        'lan = true\ntrusted_proxies = ["::1", "10.1.2.3/8"]\nbot_pause = 2\nmetrics = "off"\n', "utf-8"
    )
    written = read().settings
    told = read(lan="1", trusted_proxies="::1, 10.1.2.3/8", bot_pause="2", metrics="off").settings
    assert written == told
    assert told.trusted_proxies == ("::1", "10.0.0.0/8")
    assert told.bot_pause == 2.0
    assert read({"lan": True}).settings.is_lan


def test_an_empty_variable_counts_as_none() -> None:
    assert read(port="").given == frozenset()


def test_on_the_lan_every_address_is_listened_on_unless_another_was_chosen() -> None:
    assert ServerSettings().address == "127.0.0.1"
    assert ServerSettings(is_lan=True).address == "0.0.0.0"
    assert ServerSettings(is_lan=True, host="192.168.1.2").address == "192.168.1.2"


def test_behind_https_cookies_are_secure() -> None:
    assert not ServerSettings().is_secure
    assert not read(public_url="http://crypt.example.org").settings.is_secure
    settings = read(public_url="https://crypt.example.org:8443/").settings
    assert settings.is_secure
    assert settings.public_url == "https://crypt.example.org:8443"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("port", "65536"),
        ("port", "-1"),
        ("port", "1.5"),
        ("port", "http"),
        ("port", "9" * 5000),
        ("lan", "perhaps"),
        ("bot_pause", "31"),
        ("bot_pause", "nan"),
        ("bot_pause", "-0.1"),
        ("bot_workers", "0"),
        ("log_format", "xml"),
        ("metrics", "yes"),
        ("trusted_proxies", "somebody"),
        ("trusted_proxies", "10.0.0.1,*"),
        ("public_url", "crypt.example.org"),
        ("public_url", "ftp://crypt.example.org"),
        ("public_url", "https://crypt.example.org/games"),
        ("public_url", "https://crypt.example.org?a=1"),
        ("public_url", "https://me@crypt.example.org"),
        ("public_url", "https://crypt.example.org:99999"),
        ("public_url", "https://[::1"),
        ("smtp_host", "smtp://mail.example.org"),
        ("smtp_port", "0"),
        ("smtp_security", "ssl"),
        ("database", "crypt.db"),
        ("database", "mysql://db.example.org/crypt"),
        ("database", "postgresql://"),
        ("database", "postgresql://db.example.org:0/crypt"),
        ("database", "postgresql://one.example.org,two.example.org:0/crypt"),
        ("database", "postgresql://one.example.org,/crypt"),
        ("channel", "cache.example.org:6379"),
        ("channel", "postgresql://db.example.org/crypt"),
        ("smtp_from", "crypt"),
        ("smtp_from", "Crypt <crypt@>"),
        ("smtp_from", "a@example.org, b@example.org"),
        ("mail_after_minutes", "0"),
    ],
)
def test_a_wrong_value_is_refused_with_its_source_and_what_would_be_right(name: str, text: str) -> None:
    for refused, where in (
        (refusal(None, **{name: text}), "ROYALCRYPT_" + name.upper()),
        (refusal({name: text}), "--" + name.replace("_", "-")),
    ):
        assert refused.reason is Reason.WRONG_SETTING
        assert refused.details["where"] == where
        shown = "…" if name in SECRETS else text[:100]
        assert str(refused).startswith(f'{where}: {name} cannot be "{shown}')
        assert refused.details.items() >= needed(name).items()
        assert f'cannot be "{shown}' in str(refused).partition(": give ")[0]
        assert str(refused).partition(": give ")[2]


MAIL = {
    "smtp_host": "mail.example.org",
    "smtp_from": "Royal Crypt <crypt@example.org>",
    "public_url": "https://crypt.example.org",
    "smtp_user": "crypt",
    "smtp_password": "open-sesame",
}


def test_letters_need_a_sender_and_links_that_lead_here() -> None:
    assert read(MAIL).settings.smtp_from == "Royal Crypt <crypt@example.org>"
    for left_out in MAIL:
        refused = refusal({name: text for name, text in MAIL.items() if name != left_out})
        assert refused.reason is Reason.MISSING_SETTING
        assert left_out in (refused.details["companion"], refused.details["name"])
    assert read({"public_url": MAIL["public_url"]}).settings.smtp_host is None


def test_a_password_is_never_shown_not_even_a_wrong_one() -> None:
    assert "open-sesame" not in repr(read(MAIL).settings)
    for refused in (
        refusal(MAIL | {"smtp_password": "open\nsesame"}),
        refusal({"database": "mysql://crypt:sesame@db.example.org/crypt"}),
        refusal({"channel": "http://:sesame@cache.example.org"}),
    ):
        assert "sesame" not in str(refused)
        assert "sesame" not in repr(refused)


def test_several_processes_share_a_database_and_a_channel_and_a_channel_alone_is_of_no_use() -> None:
    database, channel = (
        "postgresql://crypt:sesame@db.example.org/crypt",
        "rediss://:sesame@cache.example.org/1",
    )
    settings = read({"database": database}, channel=channel).settings
    assert (settings.database, settings.channel) == (database, channel)
    assert "sesame" not in repr(settings)
    assert read(database="postgresql:///crypt?host=/run/postgresql").settings.channel is None
    several = "postgresql://crypt@one.example.org:5432,[::1]:5433/crypt"
    assert read(database=several).settings.database == several
    refused = refusal({"channel": channel})
    assert (refused.reason, refused.details["companion"]) == (Reason.MISSING_SETTING, "database")


@pytest.mark.parametrize(
    "line",
    [
        'port = "8642"',
        "port = 1.5",
        "port = true",
        "port = 2026-01-01",
        "lan = 1",
        'lan = "true"',
        'trusted_proxies = "10.0.0.1"',
        "trusted_proxies = [1]",
        "public_url = 7",
        "data = 7",
        'data = ""',
        'data = "a\\u0000b"',
        'host = ""',
        "bot_pause = nan",
        "bot_pause = []",
        "[port]",
    ],
)
def test_a_file_must_have_the_right_types(home: Path, line: str) -> None:
    file = home / "mine.toml"
    file.write_text(line + "\n", "utf-8")
    refused = refusal({"config": str(file)})
    assert refused.reason is Reason.WRONG_SETTING
    assert str(refused).startswith(f"{file}: ")


def test_an_unknown_name_is_refused_with_the_nearest_known_one(home: Path) -> None:
    (home / "royalcrypt.toml").write_text("bot_pauze = 1\n", "utf-8")
    words = f'{home / "royalcrypt.toml"}: there is no setting "bot_pauze"; the nearest is "bot_pause".'
    assert str(refusal()) == words
    (home / "royalcrypt.toml").unlink()
    assert 'there is no setting "ROYALCRYPT_PROT"; the nearest is "ROYALCRYPT_PORT".' in str(
        refusal(prot="1")
    )
    assert refusal(zzz="1").reason is Reason.UNKNOWN_SETTING


def test_names_of_the_environment_that_are_no_settings_are_left_alone() -> None:
    assert read(cache_dir="here").given == frozenset()


@pytest.mark.parametrize("text", [b"port = = 1", b"port", b"\xff", b"a = " + b"[" * 5000], ids=str)
def test_a_file_that_is_not_toml_is_refused(home: Path, text: bytes) -> None:
    (home / "royalcrypt.toml").write_bytes(text)
    refused = refusal()
    assert refused.reason is Reason.NOT_TOML
    assert str(home / "royalcrypt.toml") in str(refused)


def test_a_file_that_cannot_be_read_is_refused(home: Path) -> None:
    assert refusal({"config": str(home / "none.toml")}).reason is Reason.CANNOT_READ
    (home / "royalcrypt.toml").mkdir()
    assert refusal().reason is Reason.CANNOT_READ


def test_the_file_in_the_data_folder_cannot_move_the_data_folder(home: Path) -> None:
    (home / "royalcrypt.toml").write_text('data = "elsewhere"\n', "utf-8")
    assert refusal().reason is Reason.MISPLACED_SETTING


def test_every_setting_has_words() -> None:
    assert {f"settings.{name}" for name in SETTINGS} <= set(catalogue())
    kinds = {needed(name)["needed"] for name in SETTINGS}
    assert {f"reason.wrong_setting.{kind}" for kind in kinds} <= catalogue().keys()


def test_the_docs_name_every_setting_its_default_and_its_meaning() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "hosting.md").read_text("utf-8")
    in_words = {"data": "the user's data folder", "bot_workers": "one less than the cores, from 1 to 8"}
    table = page[page.index("| name | default | meaning |") :].split("\n\n")[0]
    expected = ["| name | default | meaning |", "|---|---|---|"]
    for name, field in SETTINGS.items():
        written = (
            "none"
            if field.default is None
            else f"`{msgspec.json.encode(field.default, enc_hook=str).decode()}`"
        )
        expected.append(f"| `{name}` | {in_words.get(name, written)} | {say(f'settings.{name}')} |")
    assert table.splitlines() == expected
