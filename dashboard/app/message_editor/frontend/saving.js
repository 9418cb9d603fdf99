// What is typed goes to Python: WAIT ms after the last key, LONGEST ms after the first at the latest, and at once
// when the editor is left. It is sent again until Python has answered, because a server may be away for a while.
//
// Every text says which ones its writer has seen (`known`). Python stores it only in the place of one of these, so it
// never undoes a change it knew nothing of; and a text that comes back from Python and is known is an old echo. So all
// texts on their way are kept, and where a slow server has left too many of them, the next one waits.

const WAIT = 150;
const LONGEST = 1000;
const WAIT_IN_FIELD = 2500; // half a field would only show a mistake
const AGAIN = 2000;
const AGAIN_AT_MOST = 30000;
const ON_THEIR_WAY = 8;

export class Saving {
  /** `current` returns the text in the editor. */
  constructor(current) {
    this.current = current;
    this.name = Math.random().toString(36).slice(2);
    this.turns = 0;
    this.flush = this.flush.bind(this);
    this.due = this.due.bind(this);
  }

  /** Take what Python drew; returns the text to show where that is another, else null. */
  drawn({ id, text, heard }, setStateValue) {
    this.set = setStateValue;
    if (this.id === undefined) return this.begin(id, text);
    const isAnswer = !this.waits || heard === this.turn;
    if (!isAnswer && this.known.includes(text)) return null;
    if (isAnswer) this.answered();
    if (text !== this.sent) return this.take(text);
    if (isAnswer) this.known = [text];
    if (text === this.current()) forget(id);
    return null;
  }

  begin(id, text) {
    this.id = id;
    const kept = recall(id); // of before a reload
    if (!kept || kept.text === text || !kept.known.includes(text)) return this.take(text);
    this.known = kept.known;
    this.sent = text;
    this.timer = setTimeout(this.flush);
    return kept.text;
  }

  take(text) {
    this.answered();
    clearTimeout(this.timer);
    this.first = undefined;
    this.known = [text];
    this.sent = text;
    forget(this.id);
    return text;
  }

  answered() {
    this.waits = false;
    clearTimeout(this.again);
  }

  /** Call it after each change that a person makes. */
  typed(isInField) {
    const now = performance.now();
    this.first ??= now;
    remember(this.id, { text: this.current(), known: this.known });
    clearTimeout(this.timer);
    const left = isInField ? WAIT_IN_FIELD : Math.min(WAIT, this.first + LONGEST - now);
    this.timer = setTimeout(this.due, Math.max(0, left));
  }

  due() {
    if (this.waits && this.known.length > ON_THEIR_WAY) this.timer = setTimeout(this.due, WAIT);
    else this.flush();
  }

  /** Send what is not sent yet. */
  flush() {
    clearTimeout(this.timer);
    this.first = undefined;
    const text = this.current().toWellFormed(); // half an emoji cannot be stored
    if (text === this.sent) return;
    this.sent = text;
    this.known = [...this.known, text];
    this.send(AGAIN);
  }

  send(wait) {
    this.turns += 1;
    this.turn = `${this.name}-${this.turns}`;
    this.waits = true;
    this.set("typed", { text: this.sent, known: this.known, turn: this.turn });
    clearTimeout(this.again);
    this.again = setTimeout(() => this.send(Math.min(2 * wait, AGAIN_AT_MOST)), wait);
  }

  end() {
    this.flush();
    clearTimeout(this.again);
  }
}

// What Python has not answered yet waits in this tab, for a reload; sending it on `pagehide` does not arrive.

const place = (id) => `message-editor ${id}`;

function remember(id, kept) {
  try {
    sessionStorage.setItem(place(id), JSON.stringify(kept));
  } catch {} // where storage is switched off, a reload loses the last moment
}

function recall(id) {
  try {
    return JSON.parse(sessionStorage.getItem(place(id)));
  } catch {
    return null;
  }
}

function forget(id) {
  try {
    sessionStorage.removeItem(place(id));
  } catch {}
}
