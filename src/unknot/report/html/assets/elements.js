// Helpers that create elements. All text becomes text nodes: nothing from a suite is ever parsed as HTML.

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

function makeButton(text, click, attributes) {
  return make("button", { type: "button", click, ...attributes }, text);
}

// A select with a label before it. Choices are pairs of a value and a text.
function makeSelect(label, choices, change) {
  const select = make("select", { change: () => change(select.value) },
    choices.map(([value, text]) => make("option", { value }, text)));
  return make("label", {}, label, select);
}

function makeSearch(label, input, keydown) {
  const field = make("input", { type: "search", spellcheck: "false", autocomplete: "off" });
  field.addEventListener("input", () => input(field.value));
  if (keydown) field.addEventListener("keydown", keydown);
  return make("label", {}, label, field);
}

// The symbol of a role, copied from the overview, which has one of each.
function makeGlyph(part) {
  return document.querySelector(`.tiles .glyph.${part.replace(" ", "-")}`).cloneNode(true);
}

function makeBadge(part) {
  return make("span", { class: `badge ${part.replace(" ", "-")}` }, makeGlyph(part), part);
}

function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

const liveRegion = make("div", { class: "unseen", role: "status", "aria-live": "polite" });

// Announce to screen readers.
function say(text) {
  liveRegion.textContent = text;
}

// Copy text, with a fallback for pages that may not write to the clipboard (some browsers, pages from disk).

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text) {
  const focused = document.activeElement;
  const field = make("textarea", { class: "unseen", readonly: true, "aria-hidden": "true" });
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (focused) focused.focus();
  return copied;
}

function makeCopyButton(text, what) {
  const button = makeButton("Copy", async () => {
    const copied = await copyText(text);
    button.textContent = copied ? "Copied" : "Copy failed";
    say(copied ? `${what} copied` : "Copy failed: select the text and copy it by hand");
    setTimeout(() => { button.textContent = "Copy"; }, 1600);
  }, { "aria-label": `Copy ${what}` });
  return button;
}
