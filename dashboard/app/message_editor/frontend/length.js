// How long a text is, and what the service bills for it (dashboard/campaigns/length).

/** {characters, low, high} of a text in NFC: code points, and the credits with the shortest and longest short links. */
export function measure(body, rule, link) {
  const characters = codePoints(body);
  const urls = link ? [...body.matchAll(urlsOf(link))].map(([url]) => codePoints(url)) : [];
  const rest = characters - urls.reduce((sum, length) => sum + length, 0);
  const least = link ? rest + urls.length * link.low : characters;
  const most = link ? rest + urls.length * link.high : characters;
  return { characters, low: credits(least, rule), high: credits(most, rule) };
}

/** A text as it arrives: with what is shown of a short link in place of each address. */
export function arriving(body, link) {
  return link ? body.replace(urlsOf(link), () => link.shown) : body;
}

function urlsOf({ pattern }) {
  return new RegExp(pattern, "giu");
}

function codePoints(text) {
  return [...text].length;
}

function credits(length, { single, part }) {
  return length <= single ? 1 : Math.ceil(length / part);
}
