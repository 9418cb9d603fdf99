"""`python -m dashboard send` and `worker`, against a real sandbox."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from command_line import SAMPLES, environment, open_ledger, run
from fixtures_ledger import away
from fixtures_sandbox import SandboxPeer
from odd_server import closed_port
from patience import PATIENCE_S, wait_until

from dashboard.commands.steps import following, preparing, wiring
from dashboard.contacts import guess_columns, read_sheet
from dashboard.errors import LedgerUnavailableError
from dashboard.ledger import Ledger
from dashboard.sending import Engine, engine

pytestmark = pytest.mark.usefixtures("soon")
CLEAN = SAMPLES / "contacts_clean.csv"
SEND = ["send", CLEAN, "--country", "GB", "--campaign", "Spring", "--template", "Hi {{first_name|there}}"]
ALWAYS = {"DASHBOARD_TEXTING_HOURS": "00:00-24:00"}


def service(sandbox: SandboxPeer) -> dict[str, str]:
    return {"SMS_BASE_URL": sandbox.base_url, "SMS_API_KEY": sandbox.api_key}


def test_verdicts_and_cost_come_before_the_question(tmp_path: Path) -> None:
    """And links from low to high."""
    done = run(tmp_path, *SEND, "--dry-run", DASHBOARD_PRICE_PER_CREDIT="0.07")
    assert done.returncode == 0, done.stderr
    assert "50 messages, 50 credits, €3.50" in done.stdout
    assert done.stdout.endswith("Nothing was sent.\n")
    text = "x" * 140 + " https://example.com/a/long/way/to/the/offer"
    words = [*SEND[:-1], text, "--dry-run", "--json"]
    report = json.loads(run(tmp_path, *words, DASHBOARD_PRICE_PER_CREDIT="0.07").stdout)
    assert (report["credits_low"], report["credits_high"]) == (50, 100)
    assert (report["cost_low"], report["cost_high"]) == ("3.50", "7.00")


def test_what_is_doubtful_in_the_text_is_said_before_the_question(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("First name,Mobile\nN/A,07400 183645\ninfo,07400 123456\nD&#039;Angelo,07400 195827\n")
    words = ["send", sheet, *SEND[2:-1], "Hi {{first_name|there}}, M&amp;S", "--dry-run"]
    done = run(tmp_path, *words)
    notes = json.loads(run(tmp_path, *words, "--json").stdout)["notes"]
    for said in (
        "First name: 1 filler such as N/A counts as blank (row 2).",
        "First name: 1 cell may not be a name but a word such as Null or Customer",
        "The text has an HTML code such as &amp;",
        "The text does not say how to stop these messages.",
        "HTML codes such as &amp; were read as their characters in 1 row (row 4).",
    ):
        assert said in done.stdout
        assert any(said in note for note in notes)
    refused = run(tmp_path, *words[:-2], "Hi %FIRSTNAME%", "--dry-run")
    assert refused.returncode == 2
    assert "{{ First name | there }}" in refused.stderr


def test_what_the_service_refuses_and_what_is_unknown_make_the_exit_code_1(
    tmp_path: Path, emptied_sandbox: SandboxPeer
) -> None:
    emptied_sandbox.settings(approved_senders=["Shop"])
    refused = run(tmp_path, *SEND, "--sender", "Stranger", "--yes", **service(emptied_sandbox))
    assert (refused.returncode, "sender" in refused.stdout) == (1, True)
    assert emptied_sandbox.messages() == []
    emptied_sandbox.heal()
    emptied_sandbox.faults({"kind": "error_after", "next": 1})
    unknown = run(tmp_path, *SEND, "--yes", "--again", **service(emptied_sandbox))
    assert (unknown.returncode, "50 unknown" in unknown.stdout) == (1, True)


def test_a_wrong_key_pauses_the_campaign_and_a_second_run_does_not_send_it(
    tmp_path: Path, emptied_sandbox: SandboxPeer
) -> None:
    right = service(emptied_sandbox)
    done = run(tmp_path, *SEND, "--yes", **{**right, "SMS_API_KEY": "wrong-key"})
    assert done.returncode == 1
    assert "50 not sent yet" in done.stdout
    assert "key" in done.stdout
    assert "wrong-key" not in done.stdout + done.stderr
    again = run(tmp_path, *SEND, "--yes", **right)
    assert (again.returncode, "which is paused" in again.stderr) == (2, True)
    assert emptied_sandbox.messages() == []


def test_line_links_and_tracking_are_as_asked_for(tmp_path: Path) -> None:
    words = [*SEND, "--again", "--at", "2090-03-01T10:00", "--yes"]
    for options in (["--tracking", "fair"], ["--no-opt-out-line", "--no-short-links"]):
        done = run(tmp_path, *words, *options, DASHBOARD_OPT_OUT_LINE="Reply STOP to opt out")
        assert done.returncode == 0, done.stderr
    with open_ledger(tmp_path) as ledger:
        plain, tracked = map(ledger.campaign, ledger.campaigns()["campaign"])
        (bare,), (text,) = (ledger.sent_texts(one.campaign) for one in (plain, tracked))
    assert (bare.template, bare.tracking, plain.shorten_links) == (SEND[-1], None, False)
    with_line = f"{SEND[-1]}\nReply STOP to opt out"
    assert (text.template, text.tracking, tracked.shorten_links) == (with_line, "fair", True)


def test_a_time_leaves_the_campaign_to_whoever_runs_then(
    tmp_path: Path, emptied_sandbox: SandboxPeer, ledger_url: str
) -> None:
    settings = {**service(emptied_sandbox), "DASHBOARD_DATABASE_URL": ledger_url}
    berlin = {**settings, "DASHBOARD_TIME_ZONE": "Europe/Berlin"}
    words = [*SEND, "--at", "2090-03-01T10:00", "--yes"]
    looked = run(tmp_path, *words, "--dry-run", **berlin)
    assert "To be sent at 1 Mar 2090, 10:00 (Europe/Berlin)" in looked.stdout
    done = run(tmp_path, *words, "--json", **berlin)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["state"], report["outcome"]) == ("scheduled", {"accepted": 0, "ready": 50})
    with Ledger.open(ledger_url) as ledger:
        (campaign,) = ledger.campaigns()["campaign"]
        assert ledger.campaign(campaign).scheduled_at == datetime(2090, 3, 1, 9, tzinfo=UTC)
        assert report["scheduled_at"] == "2090-03-01T09:00:00+00:00"
    again = run(tmp_path, *words, **berlin)
    assert (again.returncode, "Add --again" in again.stderr) == (2, True)
    skipped = run(tmp_path, *SEND, "--at", "2090-03-26 02:30", "--yes", **berlin)
    assert (skipped.returncode, "The clocks of Europe/Berlin are put forward" in skipped.stderr) == (2, True)
    assert emptied_sandbox.messages() == []


def test_texts_per_person_are_counted_around_the_time_of_sending(
    tmp_path: Path, emptied_sandbox: SandboxPeer
) -> None:
    capped = {"DASHBOARD_TEXTS_PER_PERSON": "1", **service(emptied_sandbox)}
    assert run(tmp_path, *SEND, "--at", "2090-03-01T10:00", "--yes", **capped).returncode == 0
    words = [*SEND, "--again", "--dry-run"]
    near = run(tmp_path, *words, "--at", "2090-03-02T10:00", **capped)
    assert (near.returncode, "No row of the sheet can be sent a message" in near.stderr) == (2, True)
    for far in (["--at", "2090-03-20T10:00"], []):
        assert "50 messages" in run(tmp_path, *words, *far, **capped).stdout


def test_quiet_hours_hold_each_message_until_its_hours(tmp_path: Path, emptied_sandbox: SandboxPeer) -> None:
    zone = {"DASHBOARD_TEXTING_HOURS": "10:00-12:00 Tue", "DASHBOARD_TIME_ZONE": "Europe/Berlin"}
    words = [*SEND, "--at", "2090-03-01T23:00", "--quiet-hours", "--yes"]  # a Wednesday
    done = run(tmp_path, *words, **zone, **service(emptied_sandbox))
    assert done.returncode == 0, done.stderr
    assert "To be sent within texting hours, from 7 Mar 2090, 11:00 (Europe/Berlin)" in done.stdout
    assert "worker" in done.stdout
    with open_ledger(tmp_path) as ledger:
        (one,) = ledger.campaigns()["campaign"]
        times = ledger.messages(one)["scheduled_at"]
        assert (ledger.campaign(one).state, set(times)) == ("running", {datetime(2090, 3, 7, 10, tzinfo=UTC)})
    assert emptied_sandbox.messages() == []


def test_nothing_is_sent_while_a_question_about_the_sheet_is_open(
    tmp_path: Path, emptied_sandbox: SandboxPeer
) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("first_name,phone,Zork\nAnn,07400 183645,y\nBob,07400 123456,n\nCy,07400 195827,y\n")
    words: list[str | Path] = ["send", sheet, *SEND[2:]]
    for more in (["--yes"], ["--dry-run"], ["--column", "Zork:y=may", "--yes"]):
        done = run(tmp_path, *words, *more, **service(emptied_sandbox))
        assert (done.returncode, "Nothing was sent. Answer the questions" in done.stderr) == (2, True)
        assert "  Zork: " in done.stdout
    report = run(tmp_path, *words, "--yes", "--json", **service(emptied_sandbox))
    assert (report.returncode, json.loads(report.stdout)["questions"]) == (2, {"Zork": {"y": 2, "n": 1}})
    assert emptied_sandbox.messages() == []
    sent = run(tmp_path, *words, "--column", "Zork=refusal", "--yes", "--json", **service(emptied_sandbox))
    assert (sent.returncode, json.loads(sent.stdout)["outcome"]) == (0, {"accepted": 1})


def test_what_was_answered_on_the_page_is_not_asked_again_and_is_said(
    tmp_path: Path, emptied_sandbox: SandboxPeer
) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("first_name,phone,Zork\nAnn,07400 183645,y\nBob,07400 123456,n\nCy,07400 195827,y\n")
    with open_ledger(tmp_path) as ledger:
        read = read_sheet(sheet)
        answered = guess_columns(read).answered({"Zork": {"y": "must_not", "n": "may"}})
        ledger.column_answers.remember(read, answered, who="Ann")
    done = run(tmp_path, "send", sheet, *SEND[2:], "--dry-run", **service(emptied_sandbox))
    assert done.returncode == 0
    assert "As answered, Zork: y = must_not, n = may" in done.stdout
    assert "2  opted out" in done.stdout


def test_nobody_to_send_to_is_explained(tmp_path: Path) -> None:
    sheet = tmp_path / "landlines.csv"
    sheet.write_text("first_name,phone\nAnn,020 7946 0991\n", encoding="utf-8")
    done = run(tmp_path, "send", sheet, *SEND[2:], "--yes")
    assert (done.returncode, "landline" in done.stderr) == (2, True)


def test_what_was_sent_is_not_sent_again_without_again(tmp_path: Path, emptied_sandbox: SandboxPeer) -> None:
    """And hours that are now send at once."""
    to = service(emptied_sandbox)
    first = run(tmp_path, *SEND, "--yes", "--json", **to)
    assert first.returncode == 0, first.stderr
    report, taken = json.loads(first.stdout), emptied_sandbox.messages("Spring")
    assert report["outcome"] == {"accepted": 50}
    assert report["messages"] == len(taken) == 50
    assert report["credits_billed"] == sum(message["credits_used"] for message in taken)
    campaign = report["campaign"]
    renamed = ["Summer" if word == "Spring" else word for word in SEND]
    for words in ([*SEND, "--yes", "--json"], SEND, [*renamed, "--yes"]):
        again = run(tmp_path, *words, **to)
        assert again.returncode == 2
        assert "50 of these 50 messages are the same text to the same person" in again.stderr
        assert f"“Spring” ({campaign})" in again.stderr
        assert "which is done. Nothing was sent. Add --again to send" in again.stderr
        assert "Traceback" not in again.stderr
    assert len(emptied_sandbox.messages()) == 50
    dry = run(tmp_path, *SEND, "--dry-run", "--json", **to)
    assert (dry.returncode, json.loads(dry.stdout)["same_campaigns"]) == (0, [campaign])
    wanted = run(tmp_path, *SEND, "--yes", "--again", "--quiet-hours", **ALWAYS, **to)
    assert (wanted.returncode, wanted.stderr) == (0, "")
    assert len(emptied_sandbox.messages()) == 100


def test_who_got_the_text_lately_is_said_although_they_are_few(tmp_path: Path, sandbox: SandboxPeer) -> None:
    to = service(sandbox)
    for last in (5, 12):
        rows = [f"Ann{n},+4474{(n + 500) * 77_773 % 10**8:08d}" for n in range(last)]
        (tmp_path / f"{last}.csv").write_text("\n".join(["first_name,phone", *rows]), encoding="utf-8")
    later = [*SEND[2:], "--at", "2090-03-01T10:00", "--yes", "--json"]
    assert run(tmp_path, "send", "5.csv", *later, **to).returncode == 0
    done = run(tmp_path, "send", "12.csv", *later, **to)
    assert (done.returncode, json.loads(done.stdout)["same_messages"]) == (0, 5)
    told = run(tmp_path, "send", "12.csv", *SEND[2:], "--dry-run", **to).stdout
    assert "12 of these 12 messages are the same text to the same person as in the campaign" in told


@pytest.mark.deep
def test_two_runs_at_once_send_once(tmp_path: Path, emptied_sandbox: SandboxPeer, ledger_url: str) -> None:
    settings = {**service(emptied_sandbox), "DASHBOARD_DATABASE_URL": ledger_url}
    Ledger.open(ledger_url).close()
    runs = [
        subprocess.Popen(
            [sys.executable, "-m", "dashboard", *map(str, SEND), "--yes"],
            cwd=tmp_path,
            env=environment(tmp_path, **settings),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        for _ in range(2)
    ]
    said = [one.communicate(timeout=PATIENCE_S) for one in runs]
    assert sorted(one.returncode for one in runs) == [0, 2], said
    assert "Add --again" in next(err for one, (_, err) in zip(runs, said, strict=True) if one.returncode)
    assert len(emptied_sandbox.messages()) == 50


def test_what_fails_after_the_start_names_the_campaign_and_does_not_end_like_what_was_never_sent(
    tmp_path: Path, emptied_sandbox: SandboxPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise LedgerUnavailableError("The ledger cannot be used right now.")

    with monkeypatch.context() as patch:
        patch.setattr(Engine, "wait_until_done", fail)
        failed = run(tmp_path, *SEND, "--yes", "--json", **service(emptied_sandbox))
    with open_ledger(tmp_path) as ledger:
        (campaign,) = ledger.campaigns()["campaign"]
    assert failed.returncode == 1
    assert (
        f"“Spring” was started as campaign {campaign}. The ledger cannot be used right now." in failed.stderr
    )


def test_what_is_stopped_while_the_database_is_away_does_not_end_like_what_was_never_sent(
    tmp_path: Path, emptied_sandbox: SandboxPeer, postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "STOP_TIMEOUT_S", 0.1)
    settings = {"DASHBOARD_DATABASE_URL": postgresql_url, "DASHBOARD_BATCH_SIZE": "10"}
    emptied_sandbox.faults(latency_s=0.5)
    ended = Event()

    def cut_off_and_stop() -> None:
        wait_until(lambda: bool(emptied_sandbox.messages()))
        with away(postgresql_url):
            os.kill(os.getpid(), signal.SIGTERM)
            ended.wait(PATIENCE_S)

    with ThreadPoolExecutor() as beside:
        cut = beside.submit(cut_off_and_stop)
        stopped = run(tmp_path, *SEND, "--yes", **settings, **service(emptied_sandbox))
        ended.set()
        cut.result()
    with Ledger.open(postgresql_url) as ledger:
        (campaign,) = ledger.campaigns()["campaign"]
    assert stopped.returncode == 1
    assert f"“Spring” was started as campaign {campaign}. " in stopped.stderr
    assert "`python -m dashboard worker` continues with the rest." in stopped.stderr


def test_it_is_followed_to_its_end_where_standard_error_is_closed(
    tmp_path: Path, emptied_sandbox: SandboxPeer
) -> None:
    words = [sys.executable, "-m", "dashboard", *map(str, SEND), "--yes"]
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", *words],
        cwd=tmp_path,
        env=environment(tmp_path, **service(emptied_sandbox)),
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, "50 accepted" in done.stdout) == (0, True)


def test_who_stops_it_before_the_campaign_is_made_sends_nothing(
    tmp_path: Path, emptied_sandbox: SandboxPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def ready_and_stopped(*given: Any, sending: Any = wiring.sending) -> Iterator[Engine]:
        with sending(*given) as made:
            os.kill(os.getpid(), signal.SIGTERM)
            yield made

    monkeypatch.setattr(wiring, "sending", ready_and_stopped)
    stopped = run(tmp_path, *SEND, "--yes", **service(emptied_sandbox))
    assert (stopped.returncode, stopped.stderr) == (2, "Error: Stopped. Nothing was sent.\n")
    with open_ledger(tmp_path) as ledger:
        assert ledger.campaigns().empty


def test_who_stops_it_while_the_sheet_is_read_sends_nothing(
    tmp_path: Path, emptied_sandbox: SandboxPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_and_be_stopped(*_given: Any) -> None:
        raise KeyboardInterrupt  # as Ctrl-C does, where it is not ignored

    monkeypatch.setattr(preparing, "prepare", read_and_be_stopped)
    stopped = run(tmp_path, *SEND, "--yes", **service(emptied_sandbox))
    assert (stopped.returncode, stopped.stderr) == (2, "Error: Stopped. Nothing was sent.\n")


def test_a_worker_counts_what_was_still_on_its_way_when_all_was_paused(
    tmp_path: Path, emptied_sandbox: SandboxPeer
) -> None:
    right = {**service(emptied_sandbox), "DASHBOARD_BATCH_SIZE": "10"}
    left = run(tmp_path, *SEND, "--yes", "--json", "--at", "2090-03-01T10:00", **right)
    campaign = json.loads(left.stdout)["campaign"]
    assert run(tmp_path, "start", campaign, "--yes", **right).returncode == 0
    emptied_sandbox.faults(
        {"kind": "slow", "next": 2, "delay_s": 1}, {"kind": "error_before", "status": 402, "next": 1}
    )
    done = run(tmp_path, "worker", "--until-done", "--json", **right)
    with open_ledger(tmp_path) as ledger:
        found = ledger.campaign(campaign)
    said = json.loads(done.stdout)
    assert (found.state, said["accepted"], said["ready"]) == ("paused", found.accepted, found.ready)
    assert "sending" not in said
    assert found.accepted > 0


@pytest.mark.parametrize("standard_input", ["</dev/null", "<&-"])
def test_where_nobody_can_answer_nothing_is_sent(tmp_path: Path, standard_input: str) -> None:
    words = [sys.executable, "-m", "dashboard", *map(str, SEND)]
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {standard_input}', "sh", *words],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, "Nothing was sent, as nobody answered." in done.stderr) == (2, True)


def test_what_is_stopped_while_the_service_is_away_a_worker_sends(
    tmp_path: Path, emptied_sandbox: SandboxPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    explain = following._Stall._explain

    def explain_and_be_stopped(stall: following._Stall, campaigns: Sequence[following.Campaign]) -> None:
        explain(stall, campaigns)
        if stall._said:
            os.kill(os.getpid(), signal.SIGTERM)

    right = service(emptied_sandbox)
    down = {**right, "SMS_BASE_URL": f"http://127.0.0.1:{closed_port()}"}
    with monkeypatch.context() as patch:
        patch.setattr(following, "PATIENCE_S", 0.2)
        patch.setattr(following._Stall, "_explain", explain_and_be_stopped)
        sent = run(tmp_path, *SEND, "--yes", **down)
    assert sent.returncode == 1
    why = sent.stderr.splitlines()[0]
    assert "does not answer" in why or "reach" in why
    assert "50 not sent yet" in sent.stdout
    assert "worker" in sent.stderr
    done = run(tmp_path, "worker", "--until-done", **right)
    assert done.returncode == 0, done.stderr
    assert "50 accepted" in done.stdout
    assert len(emptied_sandbox.messages("Spring")) == 50
