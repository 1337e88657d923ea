// The graph section: toolbar, drawing, and announcements for screen readers.

const MODES = [
  ["near", "direct links"],
  ["needs", "all prerequisites"],
  ["dependents", "all dependents"],
];
const CLOSE = 0.85;
const GRAPH_HELP = "Arrow keys follow the lines, Enter opens details, plus and minus zoom, 0 shows all, "
  + "Shift with arrow keys pans.";

class Graph {
  constructor(section) {
    this.view = new View(0.02, 4);
    this.state = { lit: null, matches: new Set(), cursor: null };
    this.mode = "near";
    this.found = [];
    this.hasSize = false;
    const label = `Graph of ${counted(spots.size, "test")}. ${GRAPH_HELP}`;
    const { canvas, redraw } = makeCanvas(
      { role: "application", "aria-roledescription": "graph", "aria-label": label },
      this.view,
      (context) => this.draw(context),
      (before) => this.resized(before),
    );
    this.canvas = canvas;
    this.motion = makeMotion(this.view, (context, view) => paintGraph(context, view, this.state), redraw);
    colourFollowers.push(this.motion.changed);
    const stage = make("div", { class: "stage" }, canvas);
    this.bubble = makeBubble(stage);
    this.status = make("p", { class: "status", role: "status" });
    section.querySelector("h2").after(
      this.makeTools(), this.status, stage,
      make("p", { class: "status" }, "Click a test or a line to see its reasons and commands. ", GRAPH_HELP));
    canvas.addEventListener("keydown", (event) => this.pressed(event));
    followGestures(canvas, this.view, this);
    followers.push(({ from }) => this.follow(from));
  }

  makeTools() {
    const zoom = (factor) => () => {
      this.view.zoom(factor);
      this.motion.moved();
    };
    return make("div", { class: "tools" },
      makeSearch("Find a test", (text) => this.search(text), (event) => this.searchKey(event)),
      makeSelect("Highlight", MODES, (mode) => {
        this.mode = mode;
        this.highlight();
      }),
      make("span", { class: "zoom apart", role: "group", "aria-label": "Zoom" },
        makeButton("−", zoom(1 / 1.4), { "aria-label": "Zoom out" }),
        makeButton("+", zoom(1.4), { "aria-label": "Zoom in" }),
        makeButton("Show all", () => this.showAll())));
  }

  draw(context) {
    this.motion.draw(context);
    if (performance.getEntriesByName("unknot-drawn").length === 0) performance.mark("unknot-drawn");
  }

  resized(before) {
    if (this.hasSize) this.view.pan((this.view.width - before.width) / 2, (this.view.height - before.height) / 2);
    else this.showAll();
    this.hasSize = true;
    if (choice.test !== null && spots.has(choice.test)) keepInSight(this.view, spots.get(choice.test));
  }

  showAll() {
    this.view.fit(boxOf(spots.values()), 28, 1);
    this.view.least = Math.min(this.view.k * 0.7, 0.2);
    this.motion.moved();
  }

  goTo(spot) {
    glide(this.view, centreOf(spot), spot.y + HEIGHT / 2, Math.max(this.view.k, CLOSE), this.motion.moved);
  }

  highlight() {
    this.state.lit = highlightOf(this.mode);
    this.motion.changed();
  }

  search(text) {
    const wanted = text.toLowerCase();
    const fits = (test) => wanted !== "" && data.tests[test].toLowerCase().includes(wanted);
    this.found = [...spots.keys()].filter(fits);
    this.state.matches = new Set(this.found);
    const elsewhere = data.tests.filter((_, test) => fits(test)).length - this.found.length;
    const rest = elsewhere ? `; ${counted(elsewhere, "other")} outside the graph` : "";
    const message = `${counted(this.found.length, "test")} found${rest}. Press Enter for the next one.`;
    this.status.textContent = wanted ? message : "";
    this.motion.changed();
    if (this.found.length) this.goTo(spots.get(this.found[0]));
  }

  searchKey(event) {
    const many = this.found.length;
    if (event.key !== "Enter" || !many) return;
    const next = (this.found.indexOf(this.state.cursor) + (event.shiftKey ? many - 1 : 1)) % many;
    this.moveTo(spots.get(this.found[next]));
    this.status.textContent = `${next + 1} of ${many}: ${data.tests[this.found[next]]}`;
  }

  moveTo(spot) {
    this.state.cursor = spot.test;
    this.motion.changed();
    this.goTo(spot);
    const joined = counted(joinedTests(spot.test).size, "test");
    say(`${nameOf(spot.test)}, ${partsOf(spot.test).join(", ")}, linked to ${joined}`);
  }

  walk(key) {
    const here = spots.get(this.state.cursor ?? data.spots[0][0]);
    this.moveTo((this.state.cursor !== null && nextSpot(here, key)) || here);
  }

  pressed(event) {
    const step = DIRECTIONS[event.key];
    if (step && event.shiftKey) this.view.pan(-60 * step[0], -60 * step[1]);
    else if (step) this.walk(event.key);
    else if (event.key === "Enter") {
      if (this.state.cursor !== null) choose(this.state.cursor, null, { from: "graph", focus: true });
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
  }

  clicked(x, y) {
    const { spot, claim } = thingAt(this.view, x, y);
    if (spot) this.state.cursor = spot.test;
    if (spot) choose(spot.test, null, { from: "graph" });
    else if (claim) choose(claim.test, claim, { from: "graph" });
    else if (choice.test !== null) choose(null, null, { from: "graph" });
  }

  pointed(x, y) {
    const { text } = thingAt(this.view, x, y);
    this.canvas.classList.toggle("pointed", text !== undefined);
    if (text) this.bubble.show(text, x, y);
    else this.bubble.hide();
  }

  follow(from) {
    this.highlight();
    if (from === "graph" || choice.test === null || !spots.has(choice.test)) return;
    this.state.cursor = choice.test;
    this.goTo(spots.get(choice.test));
  }
}
