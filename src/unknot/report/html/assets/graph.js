// The graph section: toolbar, drawing, and announcements for screen readers.

const MODES = [
  ["near", "direct links"],
  ["needs", "all prerequisites"],
  ["dependents", "all dependents"],
];
const CLOSE = 0.85;
const GRAPH_HELP = "Arrow keys follow the lines, Enter opens details, plus and minus zoom, 0 shows all, "
  + "Shift with arrow keys pans.";

// Boxes are legible from this scale on.
const LEGIBLE_SCALE = 0.62;
const MOST_LEGIBLE = 80;
const MARGIN = 24;

class Graph {
  constructor(section) {
    this.view = new View(0.02, 4);
    this.state = { lit: null, matches: new Set(), cursor: null };
    this.mode = "near";
    this.found = [];
    this.at = 0;
    this.isFitted = false;
    showView(0);
    const label = `Graph of ${counted(drawnTests.size, "test")}. ${GRAPH_HELP}`;
    const { canvas, redraw } = makeCanvas(
      { role: "application", "aria-roledescription": "graph", "aria-label": label },
      this.view,
      (context) => this.draw(context),
      (before) => this.resized(before),
    );
    this.canvas = canvas;
    this.motion = makeMotion(this.view, (context, view) => paintGraph(context, view, this.state), redraw);
    colourFollowers.push(this.motion.changed);
    this.stage = make("div", { class: "stage" }, canvas);
    this.bubble = makeBubble(this.stage);
    this.status = make("p", { class: "status", role: "status" });
    this.path = make("nav", { class: "path", "aria-label": "Where in the graph" });
    section.querySelector("h2").after(
      this.makeTools(), this.path, this.status, this.stage,
      make("p", { class: "status" },
        "Click a test or a line to see its reasons and commands, a pile of boxes to open it. ", GRAPH_HELP));
    canvas.addEventListener("keydown", (event) => this.pressed(event));
    followGestures(canvas, this.view, this);
    followers.push(({ from }) => this.follow(from));
    this.open(this.firstView());
    this.addCauseButtons();
  }

  // In the list of causes.
  addCauseButtons() {
    for (const row of document.querySelectorAll("[data-cause]")) {
      const { cause } = row.dataset;
      const number = data.views.findIndex(({ kind, title, parent }) => (
        kind === "causes" && parent !== null && title === cause));
      if (number < 0) continue;
      row.querySelector("summary").after(makeButton("Show in the graph", () => {
        this.open(number);
        this.stage.scrollIntoView({ block: "center" });
      }));
    }
  }

  makeTools() {
    const zoom = (factor) => () => {
      this.view.zoom(factor);
      this.motion.moved();
    };
    const top = data.views.map(({ title, parent }, number) => [String(number), title, parent])
      .filter(([, , parent]) => parent === null);
    this.shown = makeSelect("Show", top, (number) => this.open(Number(number)));
    return make("div", { class: "tools" },
      makeSearch("Find a test", (text) => this.search(text), (event) => this.searchKey(event)),
      top.length > 1 ? this.shown : null,
      makeSelect("Highlight", MODES, (mode) => {
        this.mode = mode;
        this.highlight();
      }),
      make("span", { class: "zoom apart", role: "group", "aria-label": "Zoom" },
        makeButton("−", zoom(1 / 1.4), { "aria-label": "Zoom out" }),
        makeButton("+", zoom(1.4), { "aria-label": "Zoom in" }),
        makeButton("Show all", () => this.showAll())));
  }

  // All tests if their labels are legible then; otherwise by file.
  firstView() {
    const files = data.views.findIndex(({ kind, parent }) => kind === "files" && parent === null);
    return files < 0 || this.scaleFor(0) >= LEGIBLE_SCALE ? 0 : files;
  }

  // The scale at which all of a view fits.
  scaleFor(number) {
    const box = boxOfView(data.views[number]);
    const most = this.mostHeight() - 2 * MARGIN;
    return Math.min(1, (this.stage.clientWidth - 2 * MARGIN) / box.width, most / box.height);
  }

  mostHeight() {
    return Math.max(420, innerHeight * 0.85);
  }

  open(number) {
    showView(number);
    // Where the last view was moving to is nothing to this one.
    this.view.gliding = null;
    this.hovered = null;
    Object.assign(this.state, { cursor: null });
    const { height } = boxOfView(scene);
    const wanted = height * Math.max(this.scaleFor(number), LEGIBLE_SCALE) + 2 * MARGIN;
    this.view.height = Math.max(190, Math.min(wanted, this.mostHeight()));
    this.stage.style.height = `${this.view.height}px`;
    this.isFitted = false;
    this.showPath(number);
    this.search(this.text || "");
    this.highlight();
    this.showAll();
  }

  // The views around this one, as buttons.
  showPath(number) {
    const around = [];
    for (let at = data.views[number].parent; at !== null; at = data.views[at].parent) around.unshift(at);
    const top = around.length ? around[0] : number;
    this.shown.querySelector("select").value = String(top);
    const steps = around.map((at) => makeButton(data.views[at].title, () => this.open(at), { class: "plain" }));
    const here = make("span", { "aria-current": "page" }, data.views[number].title);
    this.path.replaceChildren(...steps.flatMap((step) => [step, " › "]), here);
    this.path.hidden = !steps.length;
    if (steps.length) say(`${data.views[number].title}: ${counted(spots.size, "box").replace("boxs", "boxes")}`);
  }

  draw(context) {
    this.motion.draw(context);
    if (performance.getEntriesByName("unknot-drawn").length === 0) performance.mark("unknot-drawn");
  }

  resized(before) {
    if (this.isFitted) this.view.pan((this.view.width - before.width) / 2, (this.view.height - before.height) / 2);
    else this.showFirst();
    this.isFitted = true;
    if (choice.test !== null && spots.has(choice.test)) keepInSight(this.view, spots.get(choice.test));
  }

  // All of it; of a view that is too wide for the screen, the beginning.
  showFirst() {
    this.showAll();
    if (this.view.k >= LEGIBLE_SCALE || spots.size > MOST_LEGIBLE) return;
    const { x, y, height } = boxOfView(scene);
    this.view.k = LEGIBLE_SCALE;
    this.view.x = MARGIN - x * this.view.k;
    this.view.y = (this.view.height - height * this.view.k) / 2 - y * this.view.k;
  }

  showAll() {
    this.view.fit(boxOfView(scene), MARGIN, 1);
    this.view.least = Math.min(this.view.k * 0.7, 0.2);
    this.motion.moved();
  }

  goTo(spot) {
    glide(this.view, centreOf(spot), spot.y + HEIGHT / 2, Math.max(this.view.k, CLOSE), this.motion.moved);
  }

  highlight() {
    const hovered = this.hovered === null ? null : highlightNear(this.hovered);
    this.state.lit = highlightOf(this.mode) || hovered;
    this.motion.changed();
  }

  search(text) {
    this.text = text;
    const wanted = text.toLowerCase();
    const fits = (test) => wanted !== "" && data.tests[test].toLowerCase().includes(wanted);
    this.found = [...drawnTests].filter(fits).sort((a, b) => a - b);
    this.at = -1;
    const boxes = this.found.map(boxOfTest).filter((box) => box);
    this.state.matches = new Set(boxes.map((box) => box.test));
    const elsewhere = data.tests.filter((_, test) => fits(test)).length - this.found.length;
    const rest = elsewhere ? `; ${counted(elsewhere, "other")} outside the graph` : "";
    const message = `${counted(this.found.length, "test")} found${rest}. Press Enter for the next one.`;
    this.status.textContent = wanted ? message : "";
    this.motion.changed();
    if (boxes.length) this.goTo(boxes[0]);
  }

  searchKey(event) {
    const many = this.found.length;
    if (event.key !== "Enter" || !many) return;
    const at = (this.at + (event.shiftKey ? many - (this.at < 0 ? 0 : 1) : 1)) % many;
    const test = this.found[at];
    this.reveal(test);
    this.at = at;
    this.moveTo(spots.get(test));
    this.status.textContent = `${at + 1} of ${many}: ${data.tests[test]}`;
  }

  // Opens a view that has a box for this test.
  reveal(test) {
    if (!spots.has(test)) this.open(viewOf(test));
  }

  moveTo(spot) {
    this.state.cursor = spot.test;
    this.motion.changed();
    this.goTo(spot);
    const joined = counted(joinedBoxes(spot.test).size, "test");
    if (spot.group) say(textOf(spot));
    else say(`${nameOf(spot.test)}, ${partsOf(spot.test).join(", ")}, linked to ${joined}`);
  }

  enter(spot) {
    if (!spot.group) choose(spot.test, null, { from: "graph", focus: true });
    else if (spot.group.view !== null) this.open(spot.group.view);
  }

  walk(key) {
    const here = spots.get(this.state.cursor ?? scene.spots[0][0]);
    this.moveTo((this.state.cursor !== null && nextSpot(here, key)) || here);
  }

  pressed(event) {
    const step = DIRECTIONS[event.key];
    if (step && event.shiftKey) this.view.pan(-60 * step[0], -60 * step[1]);
    else if (step) this.walk(event.key);
    else if (event.key === "Enter") {
      if (this.state.cursor !== null) this.enter(spots.get(this.state.cursor));
    } else if (event.key === "+" || event.key === "=") this.view.zoom(1.3);
    else if (event.key === "-") this.view.zoom(1 / 1.3);
    else if (event.key === "0") this.showAll();
    else return;
    event.preventDefault();
    this.motion.moved();
  }

  changed() {
    this.bubble.hide();
    this.motion.moved();
  }

  left() {
    this.bubble.hide();
    this.hover(null);
  }

  // Lines between groups are many: those of the box under the pointer stand out.
  hover(box) {
    if (box === this.hovered) return;
    this.hovered = box;
    this.highlight();
  }

  clicked(x, y) {
    const { spot, claim } = thingAt(this.view, x, y);
    if (spot) this.state.cursor = spot.test;
    if (spot && spot.group) this.enter(spot);
    else if (spot) choose(spot.test, null, { from: "graph" });
    else if (claim) choose(claim.test, claim, { from: "graph" });
    else if (choice.test !== null) choose(null, null, { from: "graph" });
  }

  pointed(x, y) {
    const { spot, text } = thingAt(this.view, x, y);
    this.hover(spot && scene.groups.length ? spot.test : null);
    this.canvas.classList.toggle("pointed", text !== undefined);
    if (text) this.bubble.show(text, x, y);
    else this.bubble.hide();
  }

  follow(from) {
    const { test } = choice;
    if (from !== "graph" && test !== null && drawnTests.has(test)) {
      this.reveal(test);
      this.state.cursor = test;
      this.goTo(spots.get(test));
    }
    this.highlight();
  }
}
