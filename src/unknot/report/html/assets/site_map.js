// The drawing of the pages: cards with screenshots, lines, zoom, search.

const CLOSE = 0.9;
const FAR = 0.62;
const LEGIBLE_SCALE = 0.34;
const MARGIN = 26;

function makeCard(page, [width, height], isStart) {
  const details = elementOfPage(page);
  const picture = details.querySelector(".screenshot");
  const hasPictures = document.querySelector(".screenshot") !== null;
  const words = details.querySelector("summary .figures").textContent;
  const faults = details.querySelector("summary .badge.victim");
  const bar = details.querySelector("summary progress");
  const name = nameOfPage(page);
  const card = make("button", { type: "button", class: `card${isStart ? " start" : ""}`, "aria-label": `${name}, ${words}` },
    hasPictures ? make("span", { class: "picture" },
      picture ? make("img", { src: picture.src, alt: "", decoding: "async", draggable: "false" }) : null) : null,
    make("span", { class: "words" },
      make("span", { class: "name" }, name),
      make("span", { class: "meta" }, details.querySelector("summary .title").textContent || words),
      make("span", { class: "meta" }, details.querySelector("summary .title").textContent ? words : "")),
    faults ? make("span", { class: "flag" }, faults.textContent) : null,
    bar ? bar.cloneNode() : null);
  card.style.width = `${width}px`;
  card.style.height = `${height}px`;
  return card;
}

class SiteMap {
  constructor(section, data) {
    this.data = data;
    this.view = new View(0.04, 2.5);
    this.isTouched = false;
    this.found = [];
    this.hovered = null;
    this.lines = new Lines(data);
    this.cards = data.spots.map(([x, y], page) => {
      const card = makeCard(page, data.card, page === data.start);
      card.style.left = `${x}px`;
      card.style.top = `${y}px`;
      card.page = page;
      // A press of the mouse is a gesture of the stage; this is the keyboard.
      card.addEventListener("click", (event) => { if (event.detail === 0) choose(page, { focus: true }); });
      card.addEventListener("focus", () => this.keepInSight(page));
      return card;
    });
    this.world = make("div", { class: "world" }, this.lines.element, this.cards);
    this.stage = make("div", { class: "stage", role: "group", "aria-label": `${counted(this.cards.length, "page")}` },
      this.world);
    this.bubble = makeBubble(this.stage);
    this.status = make("p", { class: "status", role: "status" });
    section.querySelector("h2").after(this.makeTools(), this.status, this.stage, this.makeLegend());
    followGestures(this.stage, this.view, this);
    // The browser scrolls to a card that gets the focus; the view moves instead.
    this.stage.addEventListener("scroll", () => this.stage.scrollTo(0, 0));
    followers.push(() => this.follow());
    this.box = this.boxOfAll();
    new ResizeObserver(() => this.resized()).observe(this.stage);
  }

  makeTools() {
    const zoom = (factor) => () => {
      this.view.zoom(factor);
      this.changed();
    };
    const sides = make("input", { type: "checkbox", change: () => this.lines.showSides(sides.checked) });
    sides.checked = this.lines.areShown;
    return make("div", { class: "tools" },
      makeSearch("Find a page", (text) => this.search(text), (event) => this.searchKey(event)),
      make("label", {}, sides, "All links of the pages themselves"),
      make("span", { class: "zoom apart", role: "group", "aria-label": "Zoom" },
        makeButton("−", zoom(1 / 1.4), { "aria-label": "Zoom out" }),
        makeButton("+", zoom(1.4), { "aria-label": "Zoom in" }),
        makeButton("Show all", () => this.showAll())));
  }

  makeLegend() {
    const key = (look) => makeSvg("svg", { class: "way-key", viewBox: "0 0 34 12", "aria-hidden": "true" },
      makeSvg("path", { d: "M1 6H33", class: look }));
    const rows = [
      ["way", "the shortest way from the start"],
      ...(this.lines.sides().length ? [["way side", "another link"]] : []),
      ...(this.data.parts.length ? [["way shared", "by a shared part, such as a menu"]] : []),
      ["way out", "of the page under the pointer: leads to"],
      ["way in", "is reached from"],
    ];
    return make("ul", { class: "legend", "aria-label": "Legend" },
      rows.map(([look, words]) => make("li", {}, key(look), words)));
  }

  boxOfAll() {
    const [width, height] = this.data.card;
    const xs = this.data.spots.map(([x]) => x);
    const ys = this.data.spots.map(([, y]) => y);
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    return { x, y, width: Math.max(...xs) + width - x, height: Math.max(...ys) + height - y };
  }

  resized() {
    const { clientWidth, clientHeight } = this.stage;
    if (!clientWidth || !clientHeight) return;
    Object.assign(this.view, { width: clientWidth, height: clientHeight });
    if (!this.isTouched) this.showFirst();
    if (choice.page !== null) this.keepInSight(choice.page);
  }

  // All of it; if that would be too small to make anything out, the start.
  showFirst() {
    const scale = Math.min(1, (this.view.width - 2 * MARGIN) / this.box.width);
    const wanted = this.box.height * Math.max(scale, LEGIBLE_SCALE) + 2 * MARGIN;
    const height = Math.round(Math.max(260, Math.min(wanted, innerHeight * 0.8)));
    this.stage.style.height = `${height}px`;
    this.view.height = height;
    this.view.fit(this.box, MARGIN, 1);
    this.view.least = this.view.k * 0.6;
    if (this.view.k < LEGIBLE_SCALE && this.data.start !== null) {
      const [x, y] = this.data.spots[this.data.start];
      this.view.k = LEGIBLE_SCALE * 1.3;
      this.view.x = MARGIN - x * this.view.k;
      this.view.y = this.view.height / 2 - (y + this.data.card[1] / 2) * this.view.k;
    }
    this.moved();
  }

  showAll() {
    this.isTouched = true;
    this.view.fit(this.box, MARGIN, 1);
    this.moved();
  }

  moved() {
    const { x, y, k } = this.view;
    this.world.style.transform = `translate(${x}px, ${y}px) scale(${k})`;
    this.world.classList.toggle("far", k < FAR);
  }

  changed() {
    this.isTouched = true;
    this.bubble.hide();
    this.moved();
  }

  centreOf(page) {
    const [x, y] = this.data.spots[page];
    const [width, height] = this.data.card;
    return [x + width / 2, y + height / 2];
  }

  goTo(page) {
    this.isTouched = true;
    glide(this.view, ...this.centreOf(page), Math.max(this.view.k, CLOSE), () => this.moved());
  }

  keepInSight(page) {
    const [atX, atY] = this.centreOf(page);
    const [x, y] = [this.view.x + atX * this.view.k, this.view.y + atY * this.view.k];
    const [wide, high] = this.data.card.map((size) => size * this.view.k / 2 + 12);
    const beyond = (place, least, most) => (least > most ? (least + most) / 2 - place
      : Math.max(0, least - place) + Math.min(0, most - place));
    this.view.pan(beyond(x, wide, this.view.width - wide), beyond(y, high, this.view.height - high));
    this.moved();
  }

  pageAt(x, y) {
    const element = this.elementAt(x, y);
    const card = element && element.closest(".card");
    return card ? card.page : null;
  }

  elementAt(x, y) {
    const box = this.stage.getBoundingClientRect();
    return document.elementFromPoint(box.left + x, box.top + y);
  }

  clicked(x, y) {
    const page = this.pageAt(x, y);
    this.bubble.hide();
    if (page !== null || choice.page !== null) choose(page);
  }

  pointed(x, y) {
    const page = this.pageAt(x, y);
    this.hover(page);
    const touched = page === null ? this.elementAt(x, y) : null;
    const text = page !== null ? this.textOf(page) : touched && touched.line && touched.line.text;
    if (text) this.bubble.show(text, x, y);
    else this.bubble.hide();
  }

  textOf(page) {
    const title = elementOfPage(page).querySelector("summary .title").textContent;
    return title ? `${nameOfPage(page)}: ${title}` : nameOfPage(page);
  }

  left() {
    this.bubble.hide();
    this.hover(null);
  }

  hover(page) {
    if (page === this.hovered) return;
    this.hovered = page;
    this.light();
  }

  follow() {
    if (choice.page !== null) this.keepInSight(choice.page);
    this.light();
  }

  light() {
    const page = this.hovered ?? choice.page;
    const joined = this.lines.light(page);
    for (const card of this.cards) {
      card.classList.toggle("away", page !== null && card.page !== page && !joined.has(card.page));
      card.classList.toggle("chosen", card.page === choice.page);
    }
  }

  search(text) {
    const wanted = text.toLowerCase();
    this.found = wanted ? this.cards.filter(({ page }) => this.textOf(page).toLowerCase().includes(wanted)) : [];
    this.at = 0;
    for (const card of this.cards) card.classList.toggle("found", this.found.includes(card));
    this.status.textContent = wanted ? `${counted(this.found.length, "page")} found. Press Enter for the next one.` : "";
    if (this.found.length) this.goTo(this.found[0].page);
  }

  searchKey(event) {
    if (event.key !== "Enter" || !this.found.length) return;
    this.at = (this.at + (event.shiftKey ? this.found.length - 1 : 1)) % this.found.length;
    this.goTo(this.found[this.at].page);
  }
}
