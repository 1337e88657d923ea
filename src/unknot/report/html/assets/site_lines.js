// The lines between pages.

const SVG = "http://www.w3.org/2000/svg";
const MOST_SIDE_LINES = 160;
const AWAY = 11;

function makeSvg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function makeHead(look) {
  const shape = makeSvg("path", { d: "M0 0L9 4.5L0 9Z", class: `head ${look}` });
  const size = { viewBox: "0 0 9 9", refX: 8, refY: 4.5, markerWidth: 9, markerHeight: 9 };
  return makeSvg("marker", { id: `head${look}`, orient: "auto", markerUnits: "userSpaceOnUse", ...size }, shape);
}

// A curve from one card to another: forward it enters from the left, back from the right, and within a column it bows
// out. Lines there and back are a little apart.
function curveBetween([fromX, fromY], [toX, toY], [width, height]) {
  const middle = height / 2;
  const isForward = toX > fromX;
  const [leaves, enters] = isForward ? [width, 0] : toX === fromX ? [width, width] : [0, width];
  const shift = isForward ? -AWAY : AWAY;
  const [ax, ay] = [fromX + leaves, fromY + middle + shift];
  const [bx, by] = [toX + enters, toY + middle + shift];
  const bend = toX === fromX ? 34 + Math.min(60, Math.abs(by - ay) / 8) : Math.max(34, Math.abs(bx - ax) / 2.2);
  const [c1, c2] = [ax + (leaves ? bend : -bend), bx + (enters ? bend : -bend)];
  return `M${ax} ${ay}C${c1} ${ay} ${c2} ${by} ${bx} ${by}`;
}

class Lines {
  constructor(data) {
    this.data = data;
    this.element = makeSvg("svg", { "aria-hidden": "true" },
      makeSvg("defs", {}, ...["", "out", "in"].map(makeHead)));
    this.all = data.lines.map(([from, to, isMain, titles]) => this.draw(from, to, Boolean(isMain), titles));
    this.extra = [];
    this.showSides(this.sides().length <= MOST_SIDE_LINES);
  }

  sides() {
    return this.all.filter(({ isMain }) => !isMain);
  }

  draw(from, to, isMain, titles) {
    const d = curveBetween(this.data.spots[from], this.data.spots[to], this.data.card);
    const look = `way${isMain ? "" : " side"}${titles ? "" : " shared"}`;
    const path = makeSvg("path", { d, class: look, "marker-end": "url(#head)" });
    const touch = makeSvg("path", { d, class: "way-touch" });
    this.element.append(path, touch);
    const line = { from, to, isMain, path, touch, text: `${nameOfPage(from)} → ${nameOfPage(to)}: ${titles || "shared"}` };
    touch.line = line;
    return line;
  }

  showSides(areShown) {
    this.areShown = areShown;
    for (const { path, touch } of this.sides()) {
      path.classList.toggle("hidden", !areShown);
      touch.classList.toggle("hidden", !areShown);
    }
  }

  // Those of shared parts are drawn for this page only. Returns the pages at the other ends.
  light(page) {
    for (const { path, touch } of this.extra) {
      path.remove();
      touch.remove();
    }
    this.extra = page === null ? [] : this.sharedLines(page);
    const joined = new Set();
    for (const { from, to, path } of [...this.all, ...this.extra]) {
      const role = page === null ? "" : from === page ? "out" : to === page ? "in" : "";
      path.classList.toggle("out", role === "out");
      path.classList.toggle("in", role === "in");
      path.classList.toggle("away", page !== null && !role);
      path.setAttribute("marker-end", `url(#head${role})`);
      if (role) joined.add(from).add(to);
    }
    return joined;
  }

  sharedLines(page) {
    const drawn = new Set(this.all.filter(({ from }) => from === page).map(({ to }) => to));
    const targets = new Set(this.data.parts.filter(({ pages }) => pages.includes(page))
      .flatMap((part) => part.targets).filter((target) => target !== page && !drawn.has(target)));
    return [...targets].map((target) => this.draw(page, target, false, ""));
  }
}
