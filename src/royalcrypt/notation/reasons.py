"""Why something was refused: a code with parameters. Its words are in ``royalcrypt.locales``."""

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Any, ClassVar


class Reason(StrEnum):
    # Text that could not be read.
    NOT_A_MOVE = "not_a_move"
    NOT_A_POSITION = "not_a_position"
    NOT_A_RECORD = "not_a_record"
    WRONG_VERSION = "wrong_version"
    WRONG_RULES = "wrong_rules"
    # Set-up.
    WRONG_PLAYERS = "wrong_players"
    WRONG_COLLECTORS = "wrong_collectors"
    WRONG_LEADER = "wrong_leader"
    WRONG_SEED = "wrong_seed"
    GHOST_LEADS = "ghost_leads"
    WRONG_SEAT = "wrong_seat"
    NO_SUCH_BOT = "no_such_bot"
    BROKEN_BOT = "broken_bot"
    NO_SUCH_STUDY = "no_such_study"
    NOT_A_TRAINING = "not_a_training"
    OTHER_PLAN = "other_plan"
    NOT_A_TOURNAMENT = "not_a_tournament"
    TOO_FEW_BOTS = "too_few_bots"
    BOT_TWICE = "bot_twice"
    # The command line.
    WRONG_NUMBER = "wrong_number"
    NUMBER_OUT_OF_RANGE = "number_out_of_range"
    WRONG_CHOICE = "wrong_choice"
    OPTION_WITHOUT = "option_without"
    WRONG_BOTS = "wrong_bots"
    NOT_ALONE = "not_alone"
    NO_SUCH_CARRIER = "no_such_carrier"
    NO_COMPILER = "no_compiler"
    NO_PLOTS = "no_plots"
    NO_DATA_FRAMES = "no_data_frames"
    NOT_A_DATASET = "not_a_dataset"
    NOT_A_PICTURE = "not_a_picture"
    CANNOT_WRITE = "cannot_write"
    CANNOT_READ = "cannot_read"
    # Work on a cluster.
    NO_RAY = "no_ray"
    NOT_A_CLUSTER = "not_a_cluster"
    NO_CLUSTER = "no_cluster"
    NO_CLUSTER_TOKEN = "no_cluster_token"  # noqa: S105 (the name of a refusal)
    CLUSTER_FAILED = "cluster_failed"
    OTHER_SOURCES = "other_sources"
    RAY_OR_JOBS = "ray_or_jobs"
    # Settings and keys of a server.
    UNKNOWN_SETTING = "unknown_setting"
    WRONG_SETTING = "wrong_setting"
    MISSING_SETTING = "missing_setting"
    NO_CHANNEL = "no_channel"
    MISPLACED_SETTING = "misplaced_setting"
    NOT_TOML = "not_toml"
    NO_REDIS = "no_redis"
    BROKEN_KEY = "broken_key"
    # Starting a server.
    PORT_TAKEN = "port_taken"
    PORTS_TAKEN = "ports_taken"
    CANNOT_LISTEN = "cannot_listen"
    ALREADY_SERVED = "already_served"
    MIXED_OPTIONS = "mixed_options"
    # A program on somebody's server.
    NO_TOKEN = "no_token"  # noqa: S105 (the name of a refusal)
    NOT_A_SERVER = "not_a_server"
    NO_ANSWER = "no_answer"
    SERVER_REFUSED = "server_refused"
    NO_FREE_SEAT = "no_free_seat"
    # When.
    GAME_OVER = "game_over"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_NOW = "not_now"
    TURN_HAS_ENDED = "turn_has_ended"
    NOTHING_TO_UNDO = "nothing_to_undo"
    # Live tables.
    NO_SUCH_TABLE = "no_such_table"
    NO_SPECTATORS = "no_spectators"
    NO_SUCH_DAY = "no_such_day"
    NO_SUCH_DUPLICATE = "no_such_duplicate"
    SITS_ELSEWHERE = "sits_elsewhere"
    BOTS_ONLY = "bots_only"
    SEAT_TAKEN = "seat_taken"
    SEAT_KEPT = "seat_kept"
    PROGRAM_SEATED = "program_seated"
    SEATS_EMPTY = "seats_empty"
    NOT_YOUR_SEAT = "not_your_seat"
    NOT_SEATED = "not_seated"
    NOT_OWNER = "not_owner"
    NOT_STARTED = "not_started"
    ALREADY_STARTED = "already_started"
    TABLE_CLOSED = "table_closed"
    SEAT_WITH_BOT = "seat_with_bot"
    ALREADY_AWAY = "already_away"
    NOT_AWAY = "not_away"
    BOT_DECIDES = "bot_decides"
    STILL_THERE = "still_there"
    STALE = "stale"
    PLY_AHEAD = "ply_ahead"
    ALREADY_DONE = "already_done"
    WRONG_NAME = "wrong_name"
    WRONG_CHAT = "wrong_chat"
    WRONG_MEMO = "wrong_memo"
    MEMO_CHANGED = "memo_changed"
    WRONG_ORDER = "wrong_order"
    ORDERS_AT_TURN = "orders_at_turn"
    OTHER_ROUND = "other_round"
    TURNS_OVER = "turns_over"
    NEVER_SO = "never_so"
    MUTED = "muted"
    # The server.
    NOT_A_MESSAGE = "not_a_message"
    MESSAGE_TOO_LONG = "message_too_long"
    NOT_SIGNED_IN = "not_signed_in"
    ALREADY_SIGNED_IN = "already_signed_in"
    BANNED = "banned"
    INVITE_ONLY = "invite_only"
    WRONG_CODE = "wrong_code"
    WRONG_PHRASE = "wrong_phrase"
    OTHER_NAME = "other_name"
    WRONG_TOKEN = "wrong_token"  # noqa: S105 (the name of a refusal)
    NO_SUCH_PROGRAM = "no_such_program"
    NOT_FOR_PROGRAMS = "not_for_programs"
    NO_MAIL = "no_mail"
    WRONG_ADDRESS = "wrong_address"
    MAIL_FAILED = "mail_failed"
    TOO_FAST = "too_fast"
    TOO_MANY = "too_many"
    FOREIGN_ORIGIN = "foreign_origin"
    NOT_HOST = "not_host"
    NO_SUCH_PERSON = "no_such_person"
    NO_RECORD = "no_record"
    NOT_OVER = "not_over"
    NO_ANALYSIS = "no_analysis"
    ANALYSIS_UNREADY = "analysis_unready"
    ANALYSIS_UNDER_WAY = "analysis_under_way"
    ANALYSIS_FAILED = "analysis_failed"
    NO_SUCH_PAGE = "no_such_page"
    SERVER_FAILED = "server_failed"
    NOT_WATCHING = "not_watching"
    # Claims.
    NO_SUCH_CARD = "no_such_card"
    CARD_GONE = "card_gone"
    CARD_TWICE = "card_twice"
    WRONG_EFFORT = "wrong_effort"
    WRONG_DICE = "wrong_dice"
    NO_READY_DICE = "no_ready_dice"
    TOO_FEW_DICE = "too_few_dice"
    OWN_CARD = "own_card"
    EFFORT_TOO_LOW = "effort_too_low"
    CANNOT_PUSH_OUT = "cannot_push_out"
    ONE_CARD_ONLY = "one_card_only"
    # Collectors.
    WRONG_SIDE = "wrong_side"
    TOO_FEW_TO_FLIP = "too_few_to_flip"
    CHOOSE_FLIPS = "choose_flips"
    CANNOT_FLIP = "cannot_flip"
    ALREADY_PEEKED = "already_peeked"
    NOTHING_FACE_DOWN = "nothing_face_down"
    NOT_FACE_DOWN = "not_face_down"
    NOBODY_EXHAUSTED = "nobody_exhausted"
    NO_FAILED_DIE = "no_failed_die"
    # Records.
    VIEWERS_RECORD = "viewers_record"
    HIDDEN_VALUE = "hidden_value"
    NO_HISTORY = "no_history"
    IMPOSSIBLE_CHANCE = "impossible_chance"
    BROKEN_RULE = "broken_rule"
    BROKEN_EVENT = "broken_event"
    MISSING_EVENT = "missing_event"
    SUPERFLUOUS_EVENT = "superfluous_event"
    WRONG_RESULT = "wrong_result"
    # Storage.
    STORAGE_BUSY = "storage_busy"
    STORAGE_CLOSED = "storage_closed"
    STORAGE_FAILED = "storage_failed"
    STORAGE_SILENT = "storage_silent"
    DISK_FULL = "disk_full"
    DATABASE_BUSY = "database_busy"
    DATABASE_IN_USE = "database_in_use"
    DATABASE_UNREACHABLE = "database_unreachable"
    CLUSTER_NOT_INSTALLED = "cluster_not_installed"
    ONLY_WITH_A_FILE = "only_with_a_file"
    DATABASE_NEWER = "database_newer"
    DATABASE_DAMAGED = "database_damaged"
    NOT_A_DATABASE = "not_a_database"
    MIGRATION_FAILED = "migration_failed"
    FILE_EXISTS = "file_exists"
    # A database that is moved to another place.
    UNFINISHED_MOVE = "unfinished_move"
    OTHER_MOVE = "other_move"
    NOT_EMPTY = "not_empty"
    NOT_TAKEN = "not_taken"
    MOVED_WRONGLY = "moved_wrongly"
    NOT_A_BACKUP = "not_a_backup"


Detail = str | int
HEAD = -1
"""In place of an event's number: what comes before the events of a record."""


def seat_number(seat: int | None) -> Detail:
    """As people count; a dash for nobody's."""
    return "–" if seat is None else seat + 1


def _code(reason: Reason, details: dict[str, Detail]) -> str:
    return f"{reason}({', '.join(f'{name}={value}' for name, value in details.items())})"


class Refusal(ValueError):  # noqa: N818 (bad input is no error of ours)
    """Bad input: what was wrong, and with the parameters what would be right."""

    wording: ClassVar[Callable[[Reason, dict[str, Detail]], str]] = staticmethod(_code)
    """Puts a reason into words; ``royalcrypt.play`` lends it the catalogue."""

    def __init__(self, reason: Reason, **details: Detail) -> None:
        super().__init__(reason, details)
        self.reason = reason
        self.details = details

    def __str__(self) -> str:
        return Refusal.wording(self.reason, self.details)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **self.details), (self.reason,)
