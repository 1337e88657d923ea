// The matrix section.

const MATRIX_HELP = "Arrow keys move between pairs, Enter opens the details of a confirmed pair, "
  + "plus and minus zoom, 0 shows all.";
const FINGER = 3;

class Matrix {
  constructor(section) {
    this.view = new View(0.01, 60);
    this.cursor = null;
    this.ground = null;
    const label = `Matrix of ${counted(size, "test")}. ${MATRIX_HELP}`;
    const { canvas, redraw } = makeCanvas(
      { role: "application", "aria-roledescription": "matrix of pairs", "aria-label": label },
      this.view,
      (context) => this.draw(context),
      () => this.showAll(),
    );
    this.redraw = redraw;
    colourFollowers.unshift(() => { this.ground = null; });
    const stage = make("div", { class: "stage" }, canvas);
    this.bubble = makeBubble(stage);
    this.status = make("p", { class: "status", role: "status" });
    const aside = make("div", {}, makeSwatches(), this.status, make("p", { class: "status" }, MATRIX_HELP));
    section.append(this.makeTools(), make("div", { class: "beside" }, stage, aside));
    canvas.addEventListener("keydown", (event) => this.pressed(event));
    followGestures(canvas, this.view, this);
  }

  makeTools() {
    return make("div", { class: "tools" },
      make("span", { class: "dim" }, "Row: a test. Column: a test that runs before it."),
      make("span", { class: "zoom", role: "group", "aria-label": "Zoom the matrix" },
        makeButton("−", () => this.zoom(1 / 1.6), { "aria-label": "Zoom out of the matrix" }),
        makeButton("+", () => this.zoom(1.6), { "aria-label": "Zoom into the matrix" }),
        makeButton("Show all", () => this.showAll(), { "aria-label": "Show the whole matrix" })));
  }

  draw(context) {
    if (!this.ground) this.ground = makeGround();
    paintPairs(context, this.view, this.ground, this.cursor);
  }

  showAll() {
    const { view } = this;
    const { left, top } = axesOf(view);
    view.k = Math.min((view.width - left - 6) / size, (view.height - top - 6) / size, 28);
    Object.assign(view, { x: left, y: top, least: view.k * 0.8 });
    this.redraw();
  }

  // Around the selected pair, if any.
  zoom(factor) {
    const { view, cursor } = this;
    const at = cursor ? [view.x + (cursor.column + 0.5) * view.k, view.y + (cursor.row + 0.5) * view.k] : [];
    view.zoom(factor, ...at);
    this.redraw();
  }

  pairAt(x, y) {
    const { left, top } = axesOf(this.view);
    if (x < left || y < top) return null;
    const [column, row] = this.view.toWorld(x, y).map(Math.floor);
    if (row < 0 || column < 0 || row >= size || column >= size) return null;
    return nearConfirmed(row, column, Math.min(40, Math.floor(FINGER / this.view.k)));
  }

  moveTo({ row, column }) {
    const within = (place) => Math.max(0, Math.min(size - 1, place));
    const { view } = this;
    this.cursor = { row: within(row), column: within(column) };
    this.status.textContent = sentenceOfPair(this.cursor);
    const [x, y] = [this.cursor.column + 0.5, this.cursor.row + 0.5];
    const { left, top, right, bottom } = view.seen();
    if (x < left || y < top || x > right || y > bottom) view.centre(x, y, view.k);
    this.redraw();
  }

  open(options) {
    const claim = this.cursor && confirmed.get(this.cursor.row * size + this.cursor.column);
    if (claim) choose(claim.test, claim, { from: "pairs", ...options });
  }

  pressed(event) {
    const [wide, high] = DIRECTIONS[event.key] || [];
    const { row, column } = this.cursor || { row: -high, column: -wide };
    if (wide !== undefined) this.moveTo({ row: row + high, column: column + wide });
    else if (event.key === "Enter") this.open({ focus: true });
    else if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.showAll();
    else return;
    event.preventDefault();
  }

  changed() {
    this.bubble.hide();
    this.redraw();
  }

  left() {
    this.bubble.hide();
  }

  clicked(x, y) {
    const pair = this.pairAt(x, y);
    if (!pair) return;
    this.moveTo(pair);
    this.open();
  }

  pointed(x, y) {
    const pair = this.pairAt(x, y);
    if (pair) this.bubble.show(sentenceOfPair(pair), x, y);
    else this.bubble.hide();
  }
}

function sentenceOfPair({ row, column }) {
  if (row === column) return data.tests[row];
  return `${data.tests[column]} — ${STATES[stateOf(row, column)].text} ${data.tests[row]}`;
}

// If cells are smaller than a finger, take the closest confirmed pair.
function nearConfirmed(row, column, reach) {
  for (let away = 0; away <= reach; away += 1) {
    for (let down = -away; down <= away; down += 1) {
      const step = Math.abs(down) === away ? 1 : 2 * away;
      for (let across = -away; across <= away; across += step) {
        const other = { row: row + down, column: column + across };
        if (other.column >= 0 && other.column < size && confirmed.has(other.row * size + other.column)) return other;
      }
    }
  }
  return { row, column };
}

function makeSwatches() {
  const silent = Object.keys(data.flaky).length ? ["silent"] : [];
  const shown = ["needed", "breaking", data.untried.known ? "untried" : "unknown", ...silent, "cleared"];
  const list = make("ul", { class: "swatches", "aria-label": "What the marks mean" });
  function show() {
    list.replaceChildren(...shown.map((state) => {
      const picture = make("canvas", { width: "32", height: "32", "aria-hidden": "true" });
      const context = picture.getContext("2d");
      context.strokeStyle = colours.line;
      context.strokeRect(1, 1, 30, 30);
      paintCell(context, state, 1, 1, 30);
      return make("li", {}, picture, STATES[state].key);
    }));
  }
  show();
  colourFollowers.push(show);
  return list;
}
