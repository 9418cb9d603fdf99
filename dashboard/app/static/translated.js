// A page that the browser translates goes on working, and is marked as written in the language it speaks.
//
// A translator puts <font> elements in the place of texts, which the pages' program (React) still holds: to take
// one away, or to put something before it, fails then and leaves the page blank, and a text that is changed stays
// on the page as it was. So a text that the program touches is put back first; the translator translates it again.
(() => {
  const standIns = new WeakMap();

  function putBack(node, parent) {
    let standIn = standIns.get(node) ?? node.parentNode;
    while (standIn && standIn.parentNode !== parent) standIn = standIn.parentNode;
    standIn?.replaceWith(node);
  }

  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function (child) {
    if (child.parentNode !== this) putBack(child, this);
    return child.parentNode === this ? removeChild.call(this, child) : child;
  };
  Node.prototype.insertBefore = function (added, before) {
    if (before && before.parentNode !== this) putBack(before, this);
    return insertBefore.call(this, added, before?.parentNode === this ? before : null);
  };
  const value = Object.getOwnPropertyDescriptor(Node.prototype, "nodeValue");
  Object.defineProperty(Node.prototype, "nodeValue", {
    ...value,
    set(text) {
      const standIn = this.parentNode ? null : standIns.get(this);
      if (standIn?.parentNode) standIn.replaceWith(this);
      value.set.call(this, text);
    },
  });

  let spoken = document.documentElement.lang;
  new MutationObserver((changes) => {
    changes.forEach(({ addedNodes, removedNodes, previousSibling, nextSibling }, place) => {
      const beside = [...addedNodes, previousSibling, nextSibling, ...(changes[place + 1]?.addedNodes ?? [])];
      const standIn = beside.find((node) => node?.nodeName === "FONT");
      for (const node of standIn ? removedNodes : []) {
        if (node.nodeType === Node.TEXT_NODE) standIns.set(node, standIn);
      }
    });
    const said = document.querySelector("style[lang]")?.lang;
    if (said && said !== spoken) document.documentElement.lang = spoken = said; // the translator's own stays
  }).observe(document, { childList: true, subtree: true });
})();
