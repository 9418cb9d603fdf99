"""Write docs/screenshots anew: `PYTHONPATH=tests python tests/browser/take_screenshots.py`.

A month of fictional campaigns stands in the ledger as delivery reports would have left it; one more is made
by clicking through the five steps and is sent to the sandbox while the pictures are taken.
"""

from __future__ import annotations

import random
import tempfile
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pandas as pd
from dashboard_server import FLAGS, ROOT, find_chromium, serve, settled, visitor
from journey_steps import draft_at_message
from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from dashboard.campaigns import write_messages
from dashboard.ledger import Ledger

TARGET = ROOT / "docs" / "screenshots"
TEXT = "Hi {{ First name | there }}, our spring sale starts on Saturday. Your code: {{ Voucher | SPRING }}"
PAST = (
    ("Spring newsletter", 57, 9, 1380, 0.04),
    ("Members' evening", 50, 17, 1120, 0.05),
    ("Clearance weekend", 45, 10, 1540, 0.06),
    ("Autumn sale reminder", 41, 9, 900, 0.03),
    ("Loyalty points expiring", 34, 12, 640, 0.02),
    ("Store opening Leeds", 27, 17, 1210, 0.04),
    ("Delivery window survey", 22, 10, 480, 0.02),
    ("Black Friday early access", 15, 8, 1450, 0.13),
    ("Appointment reminders", 9, 14, 720, 0.02),
    ("VIP preview evening", 4, 18, 1060, 0.03),
    ("Winter tyres offer", 2, 11, 1330, 0.03),
)
REASONS = ("unknown subscriber", "handset switched off", "blocked by carrier", "expired")
COUNTRIES = ("GB",) * 7 + ("IE",) * 2 + ("FR", "DE")


def main() -> None:
    """Fill a ledger, serve it, click through it, take the pictures."""
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        (folder / "data").mkdir()
        fill(folder / "data" / "ledger.sqlite")
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        with serve(folder) as address:
            with visitor(chromium) as page:
                desk(page, address)
            with visitor(chromium, "phone", "dark") as page:
                take(page, address, "/", "Overview", "overview-phone-dark")
                draft = draft_at_message(folder, TEXT.replace("Voucher |", "Voucher code |"))
                take(page, address, draft, "New campaign", "message-phone-dark")
            with visitor(chromium, scheme="dark") as page:
                take(page, address, "/", "Overview", "overview-dark")
        chromium.close()


def desk(page: Page, address: str) -> None:
    """Make a campaign and take a picture of each step that is worth one."""
    page.goto(f"{address}/new")
    page.locator("input[type=file]").set_input_files(ROOT / "data" / "contacts.xlsx")
    onward(page, "What is in the columns")
    onward(page, "What was found")
    save(page, "check-rows")
    onward(page, "Preview")
    for label, text, key in (("Campaign name", "Spring sale", "Tab"), ("Message", TEXT, "Control+Enter")):
        box = page.get_by_role("textbox", name=label, exact=True)
        box.fill(text)
        box.press(key)
        settled(page)
    expect(page.locator(".bubble")).to_contain_text("spring sale")
    save(page, "message")
    onward(page, "The first message")
    save(page, "review")
    page.get_by_role("button", name="Send 1,900 messages").click()
    page.get_by_role("button", name="Send now").click()
    expect(page.get_by_role("heading", name="Spring sale")).to_be_visible()
    expect(page.locator(".stages").first).to_contain_text("Delivered")
    take(page, address, "/", "Overview", "overview")
    take(page, address, "/campaigns", "Campaigns", "campaigns")
    page.get_by_role("link", name="Spring sale").click()
    expect(page.locator(".st-key-page-head")).to_contain_text("Done")
    expect(page.locator(".stages").first).not_to_contain_text("On their way")
    expect(page.locator(".funnel")).to_be_visible()
    settled(page)
    save(page, "campaign")


def onward(page: Page, landmark: str) -> None:
    """Continue to the step that has this heading."""
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name=landmark)).to_be_visible()
    settled(page)


def take(page: Page, address: str, path: str, heading: str, name: str) -> None:
    """Open a page and save its picture."""
    page.goto(address + path)
    page.get_by_role("heading", name=heading, exact=True).first.wait_for()
    settled(page)
    save(page, name)


def save(page: Page, name: str) -> None:
    """Save what is on the screen, in few colours so that the repository stays small."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(1500)  # charts fade in
    target = TARGET / f"{name}.png"
    page.screenshot(path=target, animations="disabled")
    Image.open(target).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(target, optimize=True)


def fill(ledger_file: Path) -> None:
    """Write the past campaigns into a new ledger."""
    dice, today = random.Random(7), datetime.now(UTC)  # noqa: S311 - pictures, not secrets
    clock = [today]
    ledger = Ledger.open(f"sqlite:///{ledger_file.as_posix()}", now=lambda: clock[0])
    owner = ledger.outbox.register(0)
    for number, (name, days_ago, hour, people, failing) in enumerate(PAST):
        clock[0] = (today - timedelta(days=days_ago)).replace(hour=hour, minute=5)
        contacts = pd.DataFrame(
            {
                "phone": [f"+4472{number:02d}{place:06d}" for place in range(people)],
                "country": pd.Categorical(dice.choices(COUNTRIES, k=people)),
                "line_type": pd.Categorical(["MOBILE"] * people),
            }
        )
        messages = write_messages(contacts, "Our offers of the week are in.", campaign=name)
        campaign = ledger.create_campaign(
            name, messages, batch_size=100, price_per_credit=Decimal("0.045"), source="contacts.xlsx"
        )
        ledger.start(campaign)
        for place in range(len(ledger.batches(campaign))):
            ledger.outbox.claim(campaign, owner=owner, ticket=f"{number}-{place}")
        uuids = ledger.messages(campaign)["uuid"].tolist()
        reports = [
            report(uuid, clock[0] + timedelta(seconds=place), failing, dice)
            for place, uuid in enumerate(uuids)
        ]
        clock[0] += timedelta(hours=1)
        ledger.record_reports(reports)
        ledger.outbox.finish()
    ledger.close()


def report(uuid: str, sent_at: datetime, failing: float, dice: random.Random) -> dict[str, object]:
    """What the service would have said of a message."""
    shape = "%Y-%m-%dT%H:%M:%S.%fZ"
    failed = dice.random() < failing
    return {
        "uuid": uuid,
        "status": "failed" if failed else "delivered",
        "credits_used": 1,
        "created_at": sent_at.strftime(shape),
        "sent_at": sent_at.strftime(shape),
        "delivered_at": None
        if failed
        else (sent_at + timedelta(seconds=dice.expovariate(0.1))).strftime(shape),
        "failure_reason": dice.choice(REASONS) if failed else None,
    }


if __name__ == "__main__":
    main()
