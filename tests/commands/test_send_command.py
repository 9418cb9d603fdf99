"""`python -m dashboard send` and `worker`, against a real sandbox."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from command_line import SAMPLES, environment, run
from each import each
from fixtures_sandbox import SandboxPeer
from forked import Forked, program
from odd_server import closed_port
from patience import PATIENCE_S, wait_until
from tiers import only_deep

from dashboard.commands.steps import following
from dashboard.ledger import Ledger

pytestmark = pytest.mark.usefixtures("soon")
CLEAN = SAMPLES / "contacts_clean.csv"
SEND = ["send", CLEAN, "--country", "GB", "--campaign", "Spring", "--template", "Hi {{first_name|there}}"]


def service(sandbox: SandboxPeer) -> dict[str, str]:
    return {"SMS_BASE_URL": sandbox.base_url, "SMS_API_KEY": sandbox.api_key}


def test_send_ends_with_what_the_service_took(tmp_path: Path, emptied_sandbox: SandboxPeer) -> None:
    done = run(tmp_path, *SEND, "--yes", "--json", **service(emptied_sandbox))
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    taken = emptied_sandbox.messages("Spring")
    assert report["outcome"] == {"accepted": len(taken)} == {"accepted": report["messages"]}
    assert report["credits_billed"] == sum(message["credits_used"] for message in taken)


def test_verdicts_and_cost_come_before_the_question(tmp_path: Path) -> None:
    done = run(tmp_path, *SEND, "--dry-run", DASHBOARD_PRICE_PER_CREDIT="0.07")
    assert done.returncode == 0, done.stderr
    assert "50 messages, 50 credits, €3.50" in done.stdout
    assert done.stdout.endswith("Nothing was sent.\n")


def test_links_are_priced_low_to_high(tmp_path: Path) -> None:
    text = "x" * 140 + " https://example.com/a/long/way/to/the/offer"
    words = [*SEND[:-1], text, "--dry-run", "--json"]
    report = json.loads(run(tmp_path, *words).stdout)
    assert (report["credits_low"], report["credits_high"]) == (50, 100)


def test_what_the_service_refuses_makes_the_exit_code_1(tmp_path: Path, emptied_sandbox: SandboxPeer) -> None:
    emptied_sandbox.settings(approved_senders=["Shop"])
    words = [*SEND, "--sender", "Stranger", "--yes"]
    done = run(tmp_path, *words, **service(emptied_sandbox))
    assert done.returncode == 1
    assert "sender" in done.stdout
    assert emptied_sandbox.messages() == []


def test_unknown_messages_make_the_exit_code_1(tmp_path: Path, emptied_sandbox: SandboxPeer) -> None:
    emptied_sandbox.faults({"kind": "error_after", "next": 1})
    done = run(tmp_path, *SEND, "--yes", **service(emptied_sandbox))
    assert done.returncode == 1
    assert "50 unknown" in done.stdout


@pytest.mark.parametrize(
    "values",
    [
        {"SMS_BASE_URL": "https://sms.example?k=1", "SMS_API_KEY": "abcdefgh"},
        {"SMS_BASE_URL": "https://sms.example/#x", "SMS_API_KEY": "abcdefgh"},
        {"SMS_BASE_URL": "https://xn--", "SMS_API_KEY": "abcdefgh"},
        {"SMS_BASE_URL": "https://sms.example", "SMS_API_KEY": "\u00e9"},
        {"DASHBOARD_PRICE_PER_CREDIT": "1e999999999"},
        {"DASHBOARD_DATABASE_URL": "sqlite:///" + "x" * 5000},
    ],
    ids=["query", "fragment", "no name", "odd key", "endless price", "long path"],
)
def test_settings_that_cannot_be_used_leave_no_campaign(tmp_path: Path, values: dict[str, str]) -> None:
    done = run(tmp_path, *SEND, "--yes", **values)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr) < 1000
    with closing(Ledger.open(f"sqlite:///{tmp_path / 'data' / 'ledger.sqlite'}")) as ledger:
        assert ledger.campaigns().empty


@pytest.mark.parametrize("option", ["--template", *only_deep("--campaign", "--sender", "--tracking")])
def test_half_a_character_is_a_sentence(tmp_path: Path, option: str) -> None:
    """What a script in Latin-1 hands over: bytes that are no UTF-8 become halves of characters."""
    words = [*SEND, "--yes", option, "Hi \udcff"]
    done = run(tmp_path, *words)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert "half a character" in done.stderr


def test_a_wrong_key_pauses_the_campaign_and_says_so(tmp_path: Path, emptied_sandbox: SandboxPeer) -> None:
    wrong = {**service(emptied_sandbox), "SMS_API_KEY": "wrong-key"}
    done = run(tmp_path, *SEND, "--yes", **wrong)
    assert done.returncode == 1
    assert "50 not sent yet" in done.stdout
    assert "key" in done.stdout
    assert "wrong-key" not in done.stdout + done.stderr


MISTAKES = {
    "unknown field": ([*SEND[:-1], "Hi {{frist_name}}"], "{{ First name }}"),
    "unclosed field": ([*SEND[:-1], "Hi {{first_name"], "}}"),
    "tracking without short links": ([*SEND, "--no-short-links", "--tracking", "x"], "short"),
    "a time that has passed": ([*SEND, "--at", "2020-03-01T10:00", "--yes"], "has already passed"),
    "a day without a time": ([*SEND, "--at", "2090-03-01", "--yes"], "--at is no day with a time"),
    "no such day": ([*SEND, "--at", "2090-02-30T10:00", "--yes"], "--at is no day with a time"),
    "nobody to ask": ([*SEND, "--json"], "--yes"),
}


@each("mistake", MISTAKES)
def test_a_mistake_sends_nothing(tmp_path: Path, emptied_sandbox: SandboxPeer, mistake: str) -> None:
    words, sentence = MISTAKES[mistake]
    done = run(tmp_path, *words, **service(emptied_sandbox))
    assert done.returncode == 2
    assert sentence in done.stderr
    assert emptied_sandbox.messages() == []


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
    assert emptied_sandbox.messages() == []


def test_a_time_that_no_clock_shows_is_refused(tmp_path: Path, emptied_sandbox: SandboxPeer) -> None:
    berlin = {"DASHBOARD_TIME_ZONE": "Europe/Berlin", **service(emptied_sandbox)}
    done = run(tmp_path, *SEND, "--at", "2090-03-26 02:30", "--yes", **berlin)
    assert done.returncode == 2
    assert "The clocks of Europe/Berlin are put forward" in done.stderr
    assert emptied_sandbox.messages() == []


def test_texts_per_person_are_counted_around_the_time_of_sending(
    tmp_path: Path, emptied_sandbox: SandboxPeer
) -> None:
    capped = {"DASHBOARD_TEXTS_PER_PERSON": "1", **service(emptied_sandbox)}
    assert run(tmp_path, *SEND, "--at", "2090-03-01T10:00", "--yes", **capped).returncode == 0
    words = [*SEND, "--at", "2090-03-02T10:00", "--again", "--dry-run"]
    near = run(tmp_path, *words, **capped)
    assert (near.returncode, "No row of the sheet can be sent a message" in near.stderr) == (2, True)
    far = run(tmp_path, *[word.replace("2090-03-02", "2090-03-20") for word in map(str, words)], **capped)
    assert "50 messages" in far.stdout
    assert "50 messages" in run(tmp_path, *SEND, "--again", "--dry-run", **capped).stdout


def test_quiet_hours_hold_each_message_until_its_hours(tmp_path: Path, emptied_sandbox: SandboxPeer) -> None:
    zone = {"DASHBOARD_TEXTING_HOURS": "10:00-12:00 Tue", "DASHBOARD_TIME_ZONE": "Europe/Berlin"}
    words = [*SEND, "--at", "2090-03-01T23:00", "--quiet-hours", "--yes"]  # a Wednesday
    done = run(tmp_path, *words, **zone, **service(emptied_sandbox))
    assert done.returncode == 0, done.stderr
    assert "To be sent within texting hours, from 7 Mar 2090, 11:00 (Europe/Berlin)" in done.stdout
    assert "worker" in done.stdout
    with Ledger.open(f"sqlite:///{(tmp_path / 'data' / 'ledger.sqlite').as_posix()}") as ledger:
        (one,) = ledger.campaigns()["campaign"]
        times = ledger.messages(one)["scheduled_at"]
        assert (ledger.campaign(one).state, set(times)) == ("running", {datetime(2090, 3, 7, 10, tzinfo=UTC)})
    assert emptied_sandbox.messages() == []


def test_quiet_hours_that_are_now_send_at_once(tmp_path: Path, emptied_sandbox: SandboxPeer) -> None:
    always = {"DASHBOARD_TEXTING_HOURS": "00:00-23:59"}
    done = run(tmp_path, *SEND, "--quiet-hours", "--yes", "--json", **always, **service(emptied_sandbox))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["outcome"] == {"accepted": 50}
    assert len(emptied_sandbox.messages()) == 50


def test_nobody_to_send_to_is_explained(tmp_path: Path) -> None:
    sheet = tmp_path / "landlines.csv"
    sheet.write_text("first_name,phone\nAnn,020 7946 0991\n", encoding="utf-8")
    done = run(tmp_path, "send", sheet, *SEND[2:], "--yes")
    assert done.returncode == 2
    assert "landline" in done.stderr


def test_what_was_sent_is_not_sent_again_without_again(tmp_path: Path, emptied_sandbox: SandboxPeer) -> None:
    first = run(tmp_path, *SEND, "--yes", "--json", **service(emptied_sandbox))
    campaign = json.loads(first.stdout)["campaign"]
    for words in ([*SEND, "--yes"], [*SEND, "--yes", "--json"], SEND):
        again = run(tmp_path, *words, **service(emptied_sandbox))
        assert again.returncode == 2
        assert "50 of these 50 messages are the same text to the same person" in again.stderr
        assert f"“Spring” ({campaign})" in again.stderr
        assert "which is done. Nothing was sent. Add --again to send" in again.stderr
        assert "Traceback" not in again.stderr
    renamed = ["Summer" if word == "Spring" else word for word in SEND]
    assert run(tmp_path, *renamed, "--yes", **service(emptied_sandbox)).returncode == 2
    assert len(emptied_sandbox.messages()) == 50
    dry = run(tmp_path, *SEND, "--dry-run", "--json", **service(emptied_sandbox))
    assert (dry.returncode, json.loads(dry.stdout)["same_campaigns"]) == (0, [campaign])
    assert "the same text" in run(tmp_path, *SEND, "--dry-run", **service(emptied_sandbox)).stdout
    wanted = run(tmp_path, *SEND, "--yes", "--again", **service(emptied_sandbox))
    assert (wanted.returncode, wanted.stderr) == (0, "")
    assert len(emptied_sandbox.messages()) == 100


def test_who_got_the_text_lately_is_said_although_they_are_few(
    tmp_path: Path, emptied_sandbox: SandboxPeer
) -> None:
    sheets = []
    for first, last in ((0, 5), (0, 12)):
        rows = [f"Ann{n},+4474{(n + 500) * 77_773 % 10**8:08d}" for n in range(first, last)]
        sheets.append(tmp_path / f"{last}.csv")
        sheets[-1].write_text("\n".join(["first_name,phone", *rows]), encoding="utf-8")
    first, second = ([str(sheet) if word == SEND[1] else word for word in SEND] for sheet in sheets)
    assert run(tmp_path, *first, "--yes", **service(emptied_sandbox)).returncode == 0
    done = run(tmp_path, *second, "--yes", "--json", **service(emptied_sandbox))
    assert (done.returncode, json.loads(done.stdout)["same_messages"]) == (0, 5)
    told = run(tmp_path, *second, "--dry-run", **service(emptied_sandbox)).stdout
    assert "12 of these 12 messages are the same text to the same person as in the campaign" in told
    assert len(emptied_sandbox.messages()) == 17


def test_what_is_still_to_be_sent_is_not_sent_by_a_second_run(
    tmp_path: Path, emptied_sandbox: SandboxPeer
) -> None:
    wrong = {**service(emptied_sandbox), "SMS_API_KEY": "wrong-key"}
    assert run(tmp_path, *SEND, "--yes", **wrong).returncode == 1
    again = run(tmp_path, *SEND, "--yes", **service(emptied_sandbox))
    assert again.returncode == 2
    assert "which is paused" in again.stderr
    assert emptied_sandbox.messages() == []


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


def program_that_soon_says_why(words: list[str]) -> None:
    following.PATIENCE_S = 0.2
    program(words)


def test_worker_sends_what_was_left(tmp_path: Path, emptied_sandbox: SandboxPeer) -> None:
    down = {"SMS_BASE_URL": f"http://127.0.0.1:{closed_port()}", "SMS_API_KEY": emptied_sandbox.api_key}
    out, err = tmp_path / "out", tmp_path / "err"
    words = [*map(str, SEND), "--yes"]
    sender = Forked(
        program_that_soon_says_why,
        words,
        folder=tmp_path,
        environment=environment(tmp_path, **down),
        out=out,
        err=err,
    )
    wait_until(lambda: err.exists() and "\n" in err.read_text(encoding="utf-8"))
    why = err.read_text(encoding="utf-8").splitlines()[0]
    sender.send_signal(signal.SIGTERM)
    assert sender.wait(PATIENCE_S) == 1
    assert "does not answer" in why or "reach" in why
    assert "50 not sent yet" in out.read_text(encoding="utf-8")
    assert "worker" in err.read_text(encoding="utf-8")
    done = run(tmp_path, "worker", "--until-done", **service(emptied_sandbox))
    assert done.returncode == 0, done.stderr
    assert "50 accepted" in done.stdout
    assert len(emptied_sandbox.messages("Spring")) == 50


def test_worker_with_nothing_to_send_ends_at_once(tmp_path: Path, emptied_sandbox: SandboxPeer) -> None:
    done = run(tmp_path, "worker", "--until-done", **service(emptied_sandbox))
    assert (done.returncode, done.stdout) == (0, "Nothing to send.\n")
