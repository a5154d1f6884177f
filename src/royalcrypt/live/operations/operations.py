"""All operations, built from what a server or a browser provides."""

from collections.abc import Callable
from typing import NamedTuple

from royalcrypt.live.bot_scheduler import MoveChooser
from royalcrypt.live.heavy_work import SharedWork
from royalcrypt.live.hub import Hub
from royalcrypt.live.operations.analyses import Analyser, Analyses
from royalcrypt.live.operations.daily import Daily
from royalcrypt.live.operations.duplicates import DuplicateService
from royalcrypt.live.operations.history import History
from royalcrypt.live.operations.new_tables import NewTables
from royalcrypt.live.operations.notes import Notes
from royalcrypt.live.operations.orders import OrderOperations
from royalcrypt.live.operations.records import Downloads, GameRecords
from royalcrypt.live.operations.replays import Replays
from royalcrypt.live.operations.tables import TableOperations
from royalcrypt.live.operations.what_if import WhatIfLines
from royalcrypt.live.registry import TableRegistry
from royalcrypt.live.seals import Seals
from royalcrypt.live.standing_orders import StandingOrders
from royalcrypt.live.stores import (
    DailyStore,
    DuplicateStore,
    MemoStore,
    PersonalStore,
    RatingStore,
    ResultStore,
    TableJournal,
)


class Stores(NamedTuple):
    journal: TableJournal
    memos: MemoStore
    dailies: DailyStore
    duplicates: DuplicateStore
    results: ResultStore
    ratings: RatingStore
    personal: PersonalStore


class Operations:
    def __init__(
        self,
        stores: Stores,
        tables: TableRegistry,
        hub: Hub,
        standing_orders: StandingOrders,
        *,
        chooser: MoveChooser,
        analyser: Analyser,
        shared: SharedWork,
        is_bot_available: Callable[[str], bool],
    ) -> None:
        work = shared.work
        self.seals = Seals(stores.duplicates, tables.now)
        self.daily = Daily(stores.dailies, tables, stores.journal, self.seals)
        self.duplicates = DuplicateService(stores.duplicates, tables, self.seals)
        self.tables = TableOperations(tables, hub, self.duplicates, is_available=is_bot_available)
        self.new_tables = NewTables(tables)
        self.notes = Notes(tables, stores.memos)
        self.orders = OrderOperations(tables, standing_orders)
        self.history = History(stores.results, stores.ratings, work)
        self.records = GameRecords(tables, self.seals, work)
        self.downloads = Downloads(stores.journal, stores.personal, self.seals, work)
        self.replays = Replays(self.records, work, shared.replays)
        self.analyses = Analyses(self.records, analyser, work, shared.replays)
        self.lines = WhatIfLines(self.records, chooser, work, shared.lines)
