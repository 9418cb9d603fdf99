"""What a monitor reads at /metrics, in Prometheus' format; docs/hosting.md says what each figure means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from dashboard.app.server.health import OK
from dashboard.ledger.vitals import Vitals


class Traffic:
    """What this process counts as it goes: requests and open pages; and what it uses of the machine."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry(auto_describe=False)
        ProcessCollector(registry=self.registry)
        self.requests = Counter(
            "dashboard_http_requests",
            "HTTP requests answered, by method and status.",
            ("method", "status"),
            registry=self.registry,
        )
        self.sockets = Gauge("dashboard_open_websockets", "Pages open in browsers.", registry=self.registry)


def exposition(traffic: Traffic, checks: Mapping[str, str], vitals: Vitals | None) -> bytes:
    """Everything as one text; for a ledger that cannot be read, only that it cannot."""
    read = CollectorRegistry(auto_describe=False)
    read.register(_Read([*_of_checks(checks, vitals), *(_of_ledger(vitals) if vitals else ())]))
    return generate_latest(traffic.registry) + generate_latest(read)


class _Read(Collector):
    """Figures that have just been read."""

    def __init__(self, families: list[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families


def _of_checks(checks: Mapping[str, str], vitals: Vitals | None) -> list[Metric]:
    by_name = {name: float(word == OK) for name, word in checks.items()}
    return [
        _by("dashboard_check_ok", "1 if what /readyz names is ok, else 0.", "check", by_name),
        _gauge("dashboard_ledger_read", "1 if the figures of the ledger could be read.", vitals is not None),
    ]


def _of_ledger(vitals: Vitals) -> Iterable[Metric]:
    yield _by("dashboard_campaigns", "Campaigns by state.", "state", vitals.campaigns)
    yield _by(
        "dashboard_batches",
        "Batches by state, of campaigns that are not over; unknown of all campaigns.",
        "state",
        vitals.batches,
    )
    attempts = CounterMetricFamily(
        "dashboard_batch_attempts",
        "Batches claimed, and how their requests ended, since this process started.",
        labels=["event"],
    )
    for event, count in vitals.attempts.items():
        attempts.add_metric([event], count)
    yield attempts
    yield _gauge(
        "dashboard_queue_age_seconds",
        "For how long the oldest ready batch could have gone out; 0 if none waits.",
        vitals.queue_age_s,
    )
    yield _gauge(
        "dashboard_report_lag_seconds",
        "For how long the service has had the oldest batch of a day about which it has reported nothing.",
        vitals.report_lag_s,
    )
    yield _gauge(
        "dashboard_gate_closed_seconds", "For how much longer all sending waits.", vitals.gate_closed_s
    )
    yield _gauge("dashboard_senders", "Processes registered to send.", vitals.senders)
    yield _gauge("dashboard_sign_in_sessions", "Browsers that are signed in.", vitals.sessions)
    moments = {
        "dashboard_last_claim_timestamp_seconds": ("When a batch was last claimed.", vitals.last_claim),
        "dashboard_last_backup_timestamp_seconds": (
            "When the last backup was complete.",
            vitals.backed_up_at,
        ),
    }
    for name, (meaning, at) in moments.items():
        if at is not None:
            yield _gauge(name, meaning, at.timestamp())


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(name, meaning, value=float(value))


def _by(name: str, meaning: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, meaning, labels=[label])
    for value, count in values.items():
        family.add_metric([value], count)
    return family
