"""The server's key is made once, kept private, and everything else is derived from it."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.keys import ServerKeys, load_keys, replace_admin_link


def test_a_fresh_folder_gets_a_key_that_stays(tmp_path: Path) -> None:
    data = tmp_path / "new" / "data"
    keys = load_keys(data)
    assert len(keys.secret) == 32
    assert load_keys(data) == keys
    assert load_keys(tmp_path) != keys
    assert [path.name for path in data.iterdir()] == ["server.key"]


def test_the_key_is_for_its_owners_eyes_only(tmp_path: Path) -> None:
    load_keys(tmp_path / "data")
    path = tmp_path / "data" / "server.key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o077 == 0
    path.chmod(0o644)
    load_keys(tmp_path / "data")
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_secret_is_never_printed() -> None:
    keys = ServerKeys(bytes(32), "epoch")
    assert repr(keys) == "ServerKeys()"


def test_several_who_start_at_once_agree_on_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        assert len(set(pool.map(load_keys, [tmp_path] * 64))) == 1


def test_a_disk_without_hard_links_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(Path, "hardlink_to", no_links)
    assert load_keys(tmp_path) == load_keys(tmp_path)


@pytest.mark.parametrize("text", ["", "nonsense", "00" * 31, "00" * 33, "\xff"])
def test_a_broken_key_is_never_replaced_silently(tmp_path: Path, text: str) -> None:
    (tmp_path / "server.key").write_text(text, "latin-1")
    with pytest.raises(Refusal, match="does not hold a server key") as refused:
        load_keys(tmp_path)
    assert refused.value.reason is Reason.BROKEN_KEY
    assert (tmp_path / "server.key").read_text("latin-1") == text


def test_a_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(Refusal) as refused:
        load_keys(tmp_path / "file")
    assert refused.value.reason is Reason.CANNOT_READ
    with pytest.raises(Refusal) as refused:
        replace_admin_link(tmp_path / "file")
    assert refused.value.reason is Reason.CANNOT_WRITE


def test_what_is_derived_differs_by_purpose_and_key() -> None:
    one, other = ServerKeys(bytes(32)), ServerKeys(b"1" * 32)
    assert len({one.signing_key(), other.signing_key(), one.derived("admin|"), one.derived("x")}) == 4
    assert one.signing_key() == ServerKeys(bytes(32)).signing_key()
    assert one.admin_token() != other.admin_token()


def test_a_new_admin_link_ends_the_old_ones_and_signs_nobody_out(tmp_path: Path) -> None:
    before = load_keys(tmp_path)
    replace_admin_link(tmp_path)
    after = load_keys(tmp_path)
    assert not after.is_admin_token(before.admin_token())
    assert after.is_admin_token(after.admin_token())
    assert after.signing_key() == before.signing_key()
    assert (tmp_path / "admin.epoch").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["", "x", "é", "\ud800"])
def test_any_text_may_be_tried_as_a_token(text: str) -> None:
    keys = ServerKeys(bytes(32))
    assert not keys.is_admin_token(text)
    assert len(keys.admin_token()) == 43
