// The editor of a message: the box with its label, the count, what is wrong, and the search for a column to insert.
// Streamlit calls the renderer again whenever `data` changes (mounting.py says what is in it), so everything that
// is drawn here only changes what differs.

import { Choices, fitting } from "./choices.js";
import { arriving, measure } from "./length.js";
import { Saving } from "./saving.js";
import { Columns, fill, scan } from "./template.js";
import { TextBox } from "./textarea.js";

const HTML = `
  <label for="text"></label>
  <div class="box"></div>
  <p class="foot"><span id="count"></span> <span id="wrong" role="status"></span></p>
  <div class="search"><input id="search" type="text" role="combobox" autocomplete="off" aria-autocomplete="list"></div>`;

const editors = new WeakMap(); // by parent: several editors on a page do not meet

export default function render({ data, parentElement, setStateValue }) {
  const before = editors.get(parentElement);
  const editor = before?.id === data.id ? before : new Editor(parentElement, data.id);
  if (before && before !== editor) before.end(); // of another text
  editors.set(parentElement, editor);
  editor.draw(data, setStateValue);
  return () => {
    if (editors.get(parentElement) === editor) editors.delete(parentElement);
    editor.end();
  };
}

class Editor {
  constructor(parent, id) {
    this.id = id;
    this.root = parent.appendChild(document.createElement("div"));
    this.root.className = "editor";
    this.root.innerHTML = HTML; // a constant: what comes from Python is only ever set as text
    this.saving = new Saving(() => this.box.text);
    this.box = new TextBox(this.get(".box"), {
      onTyped: () => {
        this.judge();
        this.saving.typed(this.box.isInField);
      },
      onLeft: this.saving.flush,
    });
    this.makeSearch();
  }

  get(selector) {
    return this.root.querySelector(selector);
  }

  makeSearch() {
    this.search = this.get("#search");
    const choices = new Choices(this.search, this.get(".search"), "columns", (name) => {
      this.search.value = "";
      this.box.insert(name);
    });
    const show = () => choices.show(fitting(this.data.fields, this.search.value), this.data.words.none);
    choices.hide();
    this.search.addEventListener("input", show);
    this.search.addEventListener("click", show);
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" && !choices.isOpen) show();
    });
    this.search.addEventListener("blur", () => choices.hide());
  }

  draw(data, setStateValue) {
    this.data = data;
    this.columns = new Columns(Object.keys(data.cells), data.aliases);
    this.get("label").textContent = data.words.label;
    this.search.placeholder = data.words.insert;
    this.search.ariaLabel = data.words.insert;
    for (const list of this.root.querySelectorAll("[role=listbox]")) list.ariaLabel = data.words.columns;
    this.box.draw(data.fields, this.columns, data.words.placeholder);
    const text = this.saving.drawn(data, setStateValue);
    if (text !== null && text !== this.box.text) this.box.replace(text);
    this.judge();
  }

  /** Say what the text is as it stands now, and show it in the preview. */
  judge() {
    const { words, rule, link, language } = this.data;
    const text = this.box.text;
    const pieces = scan(text);
    const wrong = this.box.mark(pieces).map((piece) => piece.name ?? "");
    const { body: typed, isWhole } = fill(text, pieces, this.columns, this.data);
    const body = typed && typed + this.data.tail;
    const { characters, low, high } = measure(body, rule, link);
    const number = new Intl.NumberFormat(language).format;
    const credits = low === high ? number(low) : `${number(low)}–${number(high)}`;
    say(this.get("#count"), filled(words.count, { characters: number(characters), credits }));
    this.get("#count").classList.toggle("over", characters > rule.limit);
    const names = [...new Set(wrong)].filter(Boolean).join(", ");
    say(this.get("#wrong"), names && filled(words.unknown, { names }));
    // Only its own: another text's editor may be drawn once more, late, when this one's is there already.
    const preview = document.querySelector(`.bubble[data-follows="${CSS.escape(this.id)}"]`);
    if (preview && isWhole && body) say(preview, arriving(body, link));
  }

  end() {
    this.saving.end();
    this.root.remove();
  }
}

/** Write where it differs only: some of these places are read out. */
function say(place, words) {
  if (place.textContent !== words) place.textContent = words;
}

function filled(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}
