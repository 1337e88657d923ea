// The chosen page: its details beside the drawing, copied from the list of pages.

const choice = { page: null };
const followers = [];

function choose(page, { focus = false } = {}) {
  choice.page = page;
  for (const follow of followers) follow({ focus });
}

function elementOfPage(page) {
  return document.getElementById(`page-${page}`);
}

function nameOfPage(page) {
  return elementOfPage(page).querySelector("summary code").textContent;
}

// The screenshot in full size, until the next click.
function enlarge(picture) {
  const dialog = make("dialog", { class: "large", "aria-label": picture.alt, click: () => dialog.close() },
    make("img", { src: picture.src, alt: picture.alt }));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function makeDrawer() {
  const drawer = make("aside", { class: "drawer of-page", "aria-label": "Details", hidden: true });
  let opener = null;

  function close() {
    choose(null);
    if (opener && opener.isConnected) opener.focus({ preventScroll: true });
    opener = null;
  }

  function show({ focus }) {
    const { page } = choice;
    drawer.hidden = page === null;
    document.body.classList.toggle("open", page !== null);
    remember(page);
    if (page === null) {
      drawer.replaceChildren();
      return;
    }
    if (!drawer.contains(document.activeElement)) opener = document.activeElement;
    const heading = make("h2", { tabindex: "-1" }, nameOfPage(page));
    const content = elementOfPage(page).querySelector(".content").cloneNode(true);
    drawer.replaceChildren(heading, makeButton("✕", close, { class: "close", "aria-label": "Close" }), content);
    drawer.scrollTop = 0;
    if (focus) heading.focus({ preventScroll: true });
    say(`${nameOfPage(page)} opened`);
  }

  followers.push(show);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && choice.page !== null && !document.querySelector("dialog")) close();
  });
  return drawer;
}

// In the address, so that a link can lead to a page.
function remember(page) {
  try {
    history.replaceState(null, "", page === null ? location.pathname : `#page-${page}`);
  } catch {
    // Some pages from disk may not.
  }
}

function chooseByAddress() {
  const [, page] = location.hash.match(/^#page-(\d+)$/) || [];
  if (page !== undefined && elementOfPage(page)) choose(Number(page));
}

// Links to pages open these beside the drawing; links to shared parts open them where they are.
function followLinks() {
  document.addEventListener("click", (event) => {
    const picture = event.target.closest("img.screenshot");
    if (picture) enlarge(picture);
    const link = event.target.closest("a[href^='#page-'], a[href^='#part-']");
    if (!link || event.ctrlKey || event.metaKey) return;
    const [, kind, place] = link.getAttribute("href").match(/^#(page|part)-(\d+)$/);
    event.preventDefault();
    if (kind === "page") choose(Number(place), { focus: true });
    else {
      const part = document.getElementById(`part-${place}`);
      part.open = true;
      part.scrollIntoView();
    }
  });
}
