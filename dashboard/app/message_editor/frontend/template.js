// What a template says, as far as a browser has to know while somebody types: where its fields are, and what one
// person would get. Python is the judge (dashboard/campaigns/text); this only answers sooner, and
// tests/browser/test_message_editor.py holds it to the same answers.

const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"; // Python's, not JavaScript's
const ENDS = new RegExp(`^[${SPACE}]+|[${SPACE}]+$`, "g");
const GAPS = new RegExp(`[${SPACE}_]+`, "g");
const DEFAULT = new RegExp(`^default[${SPACE}]*(?::[${SPACE}]*([^]*)|\\([${SPACE}]*([^]*)\\))$`, "i");
const QUOTES = { "'": "'", '"': '"', "“": "”", "”": "”", "„": "“", "‘": "’", "’": "’" };

const strip = (text) => text.replace(ENDS, "");

/** The text in NFC, with LF for every line break. */
export function normal(text) {
  return text.replace(/\r\n?/g, "\n").normalize("NFC");
}

/** A column's name reduced to what matters: without case, spaces and underscores. */
export function fieldKey(name) {
  return [...normal(name).replace(GAPS, "")].map(folded).join("");
}

/** One letter without its case, as Python's `casefold` sees it: there "ß" is "ss", and a dotless "ı" is no "i". */
function folded(letter) {
  return letter === "ı" ? letter : letter.toLowerCase().toUpperCase().toLowerCase();
}

/** The columns of a sheet, found by the names that a template may call them. */
export class Columns {
  constructor(names, aliases) {
    this.names = new Set(names);
    const pairs = [...Object.entries(aliases), ...[...names].reverse().map((name) => [name, name])];
    this.byKey = new Map(pairs.map(([called, name]) => [fieldKey(called), name]));
  }

  /** The column of this name, or undefined. */
  find(name) {
    return this.names.has(name) ? name : this.byKey.get(fieldKey(name));
  }
}

/**
 * The pieces of a text from left to right, each {kind, from, to}: "text"; "field" with its name and fallback (null
 * if there is none); "section" with its mark (# ^ /) and name; "open" for braces that are not closed.
 */
export function scan(text) {
  const pieces = [];
  let at = 0;
  const literal = (to) => to > at && pieces.push({ kind: "text", from: at, to });
  for (let from; (from = text.indexOf("{{", at)) >= 0; ) {
    literal(from);
    const end = text.indexOf("}}", from + 2);
    const next = text.indexOf("{{", from + 2);
    const isOpen = end < 0 || (next >= 0 && next < end);
    at = isOpen ? endOfOpen(text, from, next) : end + 2;
    pieces.push({ from, to: at, ...(isOpen ? { kind: "open" } : tag(text.slice(from + 2, end))) });
  }
  literal(text.length);
  return pieces;
}

function endOfOpen(text, from, next) {
  const line = text.indexOf("\n", from);
  return Math.min(...[next, line, text.length].filter((place) => place > from));
}

function tag(braced) {
  const inside = strip(braced);
  if ("#^/".includes(inside.charAt(0) || " ")) {
    return { kind: "section", mark: inside[0], name: normal(strip(inside.slice(1))) };
  }
  const bar = inside.indexOf("|");
  const name = normal(strip(bar < 0 ? inside : inside.slice(0, bar)));
  return { kind: "field", name, fallback: bar < 0 ? null : normal(unquoted(strip(inside.slice(bar + 1)))) };
}

function unquoted(written) {
  const found = DEFAULT.exec(written);
  const value = found ? strip(found[1] ?? found[2]) : written;
  return value.length > 1 && QUOTES[value[0]] === value.at(-1) ? value.slice(1, -1) : value;
}

/** Whether a piece is no field or section of these columns. */
export function isWrong(piece, columns) {
  return piece.kind === "open" || (piece.kind !== "text" && columns.find(piece.name) === undefined);
}

/**
 * What a person gets: {body, isWhole}; not whole where a field is wrong, or blank without a fallback.
 * `person` is {cells: {column: text}, yes: [column]}, the cells trimmed.
 */
export function fill(text, pieces, columns, person) {
  const open = [];
  let body = "";
  let isWhole = true;
  for (const piece of pieces) {
    const column = piece.name === undefined ? undefined : columns.find(piece.name);
    isWhole &&= !isWrong(piece, columns);
    if (piece.kind === "section") {
      if (piece.mark === "/") open.pop();
      else open.push(person.yes.includes(column) === (piece.mark === "#"));
    } else if (open.every(Boolean)) {
      const cell = person.cells[column] ?? "";
      isWhole &&= piece.kind !== "field" || cell !== "" || piece.fallback !== null;
      body += piece.kind === "field" ? cell || (piece.fallback ?? "") : normal(text.slice(piece.from, piece.to));
    }
  }
  return { body: body.normalize("NFC"), isWhole };
}

/** The unfinished field before the cursor, {from, mark, typed}; null if there is none. */
export function unfinished(text, cursor) {
  const found = /\{\{[ \t]*([#^/]?)[ \t]*([^{}|\n]*)$/.exec(text.slice(0, cursor));
  return found && { from: found.index, mark: found[1], typed: found[2] };
}

/** What is written for a column. */
export function written(column, mark = "") {
  return mark ? `{{${mark}${column}}}` : `{{ ${column} }}`;
}
