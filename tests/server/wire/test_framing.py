"""A framed update is what encoding it as a message gives, to the byte."""

from hypothesis import given
from hypothesis import strategies as st

from royalcrypt.server.sockets.updates import Frame
from royalcrypt.server.wire.messages import Tick, Update, encode_message, raw_json

moments = st.none() | st.integers(0, 1 << 50)
ticks = st.builds(Tick, moments, st.lists(st.integers(0, 1 << 40), max_size=4).map(tuple))


@given(
    table=st.text() | st.just('"events":,"view":'),
    ply=st.integers(0, 1 << 40),
    clock=st.none() | ticks,
    by_bot=st.booleans(),
    re=moments,
)
def test_a_frame_leaves_out_only_events_and_view(
    table: str, ply: int, clock: Tick | None, by_bot: bool, re: int | None
) -> None:
    events, view = b'[{"n":1,"type":"recover"}]', b'{"seat":null}'
    whole = Update(
        table=table, ply=ply, events=raw_json(events), view=raw_json(view), clock=clock, by_bot=by_bot, re=re
    )
    framed = Frame.of(table, ply, clock=clock, by_bot=by_bot, re=re).around(events, view)
    assert framed == encode_message(whole)
