// A list of columns below an input, worked by its arrow keys, Enter and Escape; the focus stays in the input (the
// combobox pattern of the WAI-ARIA Authoring Practices).

import { fieldKey } from "./template.js";

const SHOWN = 50;

/** The columns whose names hold what was typed, those that begin with it first. */
export function fitting(columns, typed) {
  const key = fieldKey(typed);
  const keys = new Map(columns.map((name) => [name, fieldKey(name)]));
  const found = columns.filter((name) => keys.get(name).includes(key));
  return [...found.filter((name) => keys.get(name).startsWith(key)), ...found.filter((name) => !keys.get(name).startsWith(key))];
}

export class Choices {
  /** Below `input` in `parent`; `choose` gets the chosen name. */
  constructor(input, parent, id, choose) {
    this.input = input;
    this.choose = choose;
    this.list = parent.appendChild(document.createElement("ul"));
    Object.assign(this.list, { id, className: "choices", role: "listbox", hidden: true });
    this.list.addEventListener("pointerdown", (event) => event.preventDefault()); // the focus stays
    this.list.addEventListener("click", (event) => this.take(event.target.closest("li[role=option]")));
    input.addEventListener("keydown", (event) => this.key(event));
  }

  get isOpen() {
    return !this.list.hidden;
  }

  /** Offer these names; `none` is said where there are none, unless it is empty. */
  show(names, none = "") {
    if (!names.length && !none) return this.hide();
    this.list.replaceChildren(...names.slice(0, SHOWN).map((name, place) => this.item(name, place)));
    if (!names.length) this.list.append(Object.assign(document.createElement("li"), { textContent: none, role: "presentation" }));
    this.list.hidden = false;
    this.input.setAttribute("aria-controls", this.list.id);
    this.say(true);
    this.mark(0);
  }

  item(name, place) {
    const item = document.createElement("li");
    return Object.assign(item, { id: `${this.list.id}-${place}`, role: "option", textContent: name });
  }

  hide() {
    this.list.hidden = true;
    this.say(false);
    this.input.removeAttribute("aria-controls");
    this.input.removeAttribute("aria-activedescendant");
  }

  say(isOpen) {
    if (this.input.role === "combobox") this.input.ariaExpanded = String(isOpen); // a plain text box has no such state
  }

  mark(place) {
    const items = [...this.list.querySelectorAll("[role=option]")];
    this.marked = items[(place + items.length) % items.length];
    this.place = items.indexOf(this.marked);
    for (const item of items) item.ariaSelected = String(item === this.marked);
    this.marked?.scrollIntoView({ block: "nearest" });
    if (this.marked) this.input.setAttribute("aria-activedescendant", this.marked.id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  take(item) {
    if (!item) return;
    this.hide();
    this.choose(item.textContent);
  }

  key(event) {
    if (event.isComposing || !this.isOpen) return;
    const action = {
      ArrowDown: () => this.mark(this.place + 1),
      ArrowUp: () => this.mark(this.place - 1),
      Enter: () => this.take(this.marked),
      Escape: () => this.hide(),
    }[event.key];
    if (!action || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation(); // Escape would close a dialog around it, too
    action();
  }
}
