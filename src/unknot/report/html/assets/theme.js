// Light, dark or system theme. If storage is not available (some pages from disk), the choice lasts until the page is
// closed.

const THEMES = ["system", "light", "dark"];
const colourFollowers = [];
const printFollowers = [];
let colours = {};

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  colours = new Proxy({}, { get: (known, name) => known[name] || (known[name] = read(name)) });
}

function coloursChanged() {
  readColours();
  for (const follow of colourFollowers) follow();
}

function remembered() {
  try {
    return THEMES.includes(localStorage.getItem("unknot-theme")) ? localStorage.getItem("unknot-theme") : "system";
  } catch {
    return "system";
  }
}

function setTheme(theme) {
  if (theme === "system") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("unknot-theme", theme);
  } catch {
    // The choice is not kept.
  }
  coloursChanged();
}

function makeThemeButton() {
  let theme = remembered();
  const button = makeButton("", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    show();
  }, { class: "theme" });
  function show() {
    button.textContent = `Theme: ${theme}`;
    setTheme(theme);
  }
  show();
  // Print in light colours, without waiting for the next frame.
  window.addEventListener("beforeprint", () => {
    document.documentElement.dataset.theme = "light";
    coloursChanged();
    for (const follow of printFollowers) follow();
  });
  window.addEventListener("afterprint", show);
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
    matchMedia(query).addEventListener("change", coloursChanged);
  }
  return button;
}
