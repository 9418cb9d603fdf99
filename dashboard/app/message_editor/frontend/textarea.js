// The box for the text is a plain textarea: cursor, undo, spelling and every input method are the browser's. Behind
// it lies a copy of the text in which fields have a colour, set in the same type so that both cover each other.

import { Choices, fitting } from "./choices.js";
import { isWrong, unfinished, written } from "./template.js";

const NEEDS_GAP = /[\p{L}\p{N}.,;:!?)]$/u;

export class TextBox {
  /** In `box`; `onTyped` is called after each change, `onLeft` when the focus leaves or Ctrl+Enter is pressed. */
  constructor(box, { onTyped, onLeft }) {
    this.marks = box.appendChild(document.createElement("div"));
    Object.assign(this.marks, { className: "marks", ariaHidden: "true", dir: "auto" });
    this.area = box.appendChild(document.createElement("textarea"));
    Object.assign(this.area, { id: "text", ariaAutoComplete: "list", ariaHasPopup: "listbox", dir: "auto" });
    this.area.setAttribute("aria-describedby", "count wrong");
    this.choices = new Choices(this.area, box, "completions", (name) => this.complete(name));
    this.area.addEventListener("input", () => {
      onTyped();
      this.offer();
    });
    this.area.addEventListener("scroll", () => this.align());
    this.area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onLeft();
    });
    this.area.addEventListener("blur", () => {
      this.choices.hide();
      if (!this.isReplacing) onLeft();
    });
  }

  get text() {
    return this.area.value;
  }

  /** Whether the name of a field is being written at the cursor. */
  get isInField() {
    const { value, selectionStart: cursor } = this.area;
    return value[cursor - 1] === "{" || unfinished(value, cursor) !== null;
  }

  /** Take the columns to offer and find, and what stands in the empty box. */
  draw(names, columns, placeholder) {
    this.names = names;
    this.columns = columns;
    this.area.placeholder = placeholder;
  }

  /** Colour the pieces of the text, except one that is just being written. */
  mark(pieces) {
    const begun = unfinished(this.text, this.area.selectionStart)?.from;
    const wrong = pieces.filter((piece) => isWrong(piece, this.columns) && piece.from !== begun);
    const spans = pieces.map((piece) => {
      const span = document.createElement("span");
      const colour = piece.kind === "text" || piece.from === begun ? "" : "field";
      return Object.assign(span, {
        className: wrong.includes(piece) ? "wrong" : colour,
        textContent: this.text.slice(piece.from, piece.to),
      });
    });
    this.marks.replaceChildren(...spans, "\u200b"); // a last empty line has a height, too
    this.area.ariaInvalid = String(wrong.length > 0);
    this.align();
    return wrong;
  }

  align() {
    this.marks.scrollTop = this.area.scrollTop;
  }

  /** Write a column's field at the cursor, or in the place of what is selected. */
  insert(name) {
    const { value, selectionStart: from, selectionEnd: to } = this.area;
    const gap = NEEDS_GAP.test(value.slice(0, from)) ? " " : "";
    this.put(from, to, gap + written(name));
  }

  /** Show another text: only what differs is replaced, so that cursor and undo stay. */
  replace(text) {
    const { from, to, insert } = difference(this.text, text);
    const { activeElement: focused } = document;
    const isHere = this.area.getRootNode().activeElement === this.area;
    const cursor = this.area.selectionStart;
    if (!isHere && !matchMedia("(pointer: fine)").matches) {
      this.area.setRangeText(insert, from, to, "preserve"); // borrowing the focus would open a phone's keyboard
      return;
    }
    this.isReplacing = true;
    this.put(from, to, insert);
    if (cursor <= from) this.area.setSelectionRange(cursor, cursor);
    if (!isHere) this.area.blur();
    if (!isHere) focused?.focus?.({ preventScroll: true });
    this.isReplacing = false;
  }

  put(from, to, text) {
    if (from === to && !text) return;
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(from, to);
    const isFocused = this.area.getRootNode().activeElement === this.area; // else it would change another box
    // Marked as obsolete, and still the only change of a textarea that Ctrl+Z takes back.
    if (isFocused && document.execCommand(text ? "insertText" : "delete", false, text)) return;
    this.area.setRangeText(text, from, to, "end");
    this.area.dispatchEvent(new Event("input"));
  }

  /** Offer the columns that fit what is written after "{{". */
  offer() {
    const { value, selectionStart: cursor, selectionEnd: end } = this.area;
    const begun = cursor === end ? unfinished(value, cursor) : null;
    if (!begun) return this.choices.hide();
    this.choices.show(fitting(this.names, begun.typed));
    this.place(begun.from);
  }

  /** Put the list of columns under a character, whose place is measured in the copy behind. */
  place(character) {
    const { list } = this.choices;
    const range = document.createRange();
    let rest = character;
    for (const { firstChild: letters } of this.marks.children) {
      if (rest < letters.length) {
        range.setStart(letters, rest);
        break;
      }
      rest -= letters.length;
    }
    const box = this.marks.getBoundingClientRect();
    const at = range.getClientRects()[0] ?? box;
    list.style.left = `${Math.max(0, Math.min(at.left - box.left, box.width - list.offsetWidth))}px`;
    list.style.top = `calc(${at.top - box.top}px + 1.7em)`;
  }

  complete(name) {
    const { value, selectionStart: cursor } = this.area;
    const begun = unfinished(value, cursor);
    if (!begun) return;
    const braces = /^[ \t]*\}\}/.exec(value.slice(cursor))?.[0].length ?? 0; // those that are there already
    this.put(begun.from, cursor + braces, written(name, begun.mark));
  }
}

/** The smallest change that makes one text the other: {from, to, insert}. */
function difference(old, text) {
  const least = Math.min(old.length, text.length);
  let from = 0;
  while (from < least && old[from] === text[from]) from++;
  let tail = 0;
  while (tail < least - from && old.at(-1 - tail) === text.at(-1 - tail)) tail++;
  return { from, to: old.length - tail, insert: text.slice(from, text.length - tail) };
}
