"""Metrics of the server in the Prometheus format."""

from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from royalcrypt.live.changes import Change
from royalcrypt.notation.reasons import Reason

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.connections = Gauge("royalcrypt_connections", "Open sockets", registry=self.registry)
        self.tables = Gauge("royalcrypt_tables_in_memory", "Tables in use", registry=self.registry)
        self.moves = Counter("royalcrypt_moves", "Moves of people", registry=self.registry)
        self.thoughts = Counter(
            "royalcrypt_thoughts",
            "Moves computed by bots in this server (here) or in bot-workers (elsewhere)",
            ["where"],
            registry=self.registry,
        )
        self.workers = Gauge(
            "royalcrypt_bot_worker_processes",
            "Processes of connected bot-workers, by state",
            ["state"],
            registry=self.registry,
        )
        self.refusals = Counter("royalcrypt_refusals", "Refused messages", ["reason"], registry=self.registry)
        self.limits = Counter(
            "royalcrypt_limits_reached", "Times a limit was applied", ["limit"], registry=self.registry
        )
        self.seconds = Histogram(
            "royalcrypt_move_seconds",
            "From a move's arrival until it is stored and sent to everybody",
            buckets=BUCKETS,
            registry=self.registry,
        )

    def on_change(self, change: Change) -> None:
        if change.is_move and change.sender is not None:
            self.moves.inc()
            self.seconds.observe(perf_counter() - change.sender.received)

    def count_refusal(self, reason: Reason) -> None:
        self.refusals.labels(reason).inc()

    def count_limit(self, name: str) -> None:
        self.limits.labels(name).inc()

    def count_bot_move(self, where: str) -> None:
        self.thoughts.labels(where).inc()

    def set_worker_processes(self, processes: int, busy: int) -> None:
        self.workers.labels("busy").set(busy)
        self.workers.labels("idle").set(processes - busy)

    def text(self) -> bytes:
        return generate_latest(self.registry)
