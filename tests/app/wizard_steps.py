"""A new campaign in tests: on from step to step, to the campaign, and what became of its draft."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from page_reading import button, on_page
from patience import PATIENCE_S
from streamlit.testing.v1 import AppTest

from dashboard.app import starting
from dashboard.app.drafts import Draft
from dashboard.app.gathered import checked_of, contacts_of
from dashboard.app.runtime import Runtime
from dashboard.contacts.columns.rules import Role
from dashboard.errors import DashboardError


def draft_of(wired: Runtime) -> Draft:
    """The draft that was begun last."""
    return wired.drafts.open_ones("local")[0]


def stored(wired: Runtime, draft: Draft) -> Draft:
    """The same draft as it is on disk now."""
    found = wired.drafts.find(draft.id, "local")
    assert found is not None
    return found


def approve(wired: Runtime, draft: Draft, rows: Collection[int]) -> Draft:
    """The draft with those of these rows approved that are to be looked at."""

    def approvals() -> dict[int, str]:
        contacts = contacts_of(draft)
        return contacts.approvals(contacts.rows["row"][contacts.rows["row"].isin(rows)])

    return wired.drafts.save(draft.model_copy(update={"approved": draft.approved | on_page(approvals)}))


def figures(page: AppTest) -> dict[str, str]:
    """What the page counts, by label."""
    return {metric.label: metric.value for metric in page.metric}


def labelled(widgets: Any, label: str) -> Any:
    """The first of these widgets whose label begins so."""
    return next(one for one in widgets if one.label.startswith(label))


def choice(page: AppTest, label: str) -> Any:
    """What a value of a column means, by the value and its rows."""
    return next(one for one in page.button_group if one.label == label)


def say(page: AppTest, column: str, role: str) -> None:
    """Give a column a role."""
    if not any(one.label == column for one in page.selectbox):
        labelled(page.selectbox, "Add a column").set_value(column).run()
    next(one for one in page.selectbox if one.label == column).set_value(Role(role)).run()


def statuses(wired: Runtime) -> list[str]:
    """The verdicts on the rows of the draft that was begun last."""
    found: list[str] = on_page(lambda: checked_of(draft_of(wired)).rows["status"].astype("str").tolist())
    return found


def begun(page: AppTest, content: bytes) -> AppTest:
    """The second step, after this sheet was uploaded."""
    page.file_uploader[0].upload("contacts.csv", content).run()
    return onward(page)


def onward(page: AppTest) -> AppTest:
    button(page, "Continue").click().run()
    return page


def ask_to_send(page: AppTest) -> AppTest:
    """Click the button below the last step, and the one of the question that follows."""
    page.button(key="send").click().run()
    page.button(key="send").click()
    page.button(key="confirm-send").click().run()
    return page


def started(draft: Draft) -> str:
    """Start a draft as its last step does; returns the campaign's id, or why there is none."""

    def start() -> str | None:
        try:
            return starting.start_campaign(draft).result(PATIENCE_S)
        except DashboardError as error:
            return str(error)

    said: str = on_page(start)
    return said
