// The pairs: the effect of the column's test on the row's test when it runs first. Each state has its own mark.

const STATES = {
  self: { text: "the same test" },
  needed: { text: "confirmed: needed by", key: "confirmed: needed (full square)" },
  breaking: { text: "confirmed: breaks", key: "confirmed: breaks (cross)" },
  untried: { text: "untried: effect unknown on", key: "untried (slanted line)" },
  unknown: { text: "cleared or untried (unknown which): effect on", key: "cleared or untried, unknown which (dot)" },
  silent: {
    text: "flaky, nothing claimed: effect on",
    key: "with a flaky test: nothing claimed (level line)",
  },
  cleared: { text: "cleared: no effect on", key: "cleared (empty)" },
};

// Colours of the marks; a cleared pair has none.
const MARKS = {
  self: "line", needed: "brittle", breaking: "victim", untried: "untried", unknown: "edge", silent: "flaky",
};

const confirmed = new Map();
for (const claim of data.claims) {
  for (const other of claim.tests) {
    const key = claim.test * size + other;
    if (claim.isNeed || !confirmed.has(key)) confirmed.set(key, claim);
  }
}
const untriedRows = new Map(Object.entries(data.untried.rows).map(([row, spans]) => [Number(row), readSpans(spans)]));
const untriedSets = new Map();

function isUntried(row, column) {
  if (!untriedRows.has(row)) return false;
  if (!untriedSets.has(row)) untriedSets.set(row, new Set(untriedRows.get(row)));
  return untriedSets.get(row).has(column);
}

function stateOf(row, column) {
  if (row === column) return "self";
  const claim = confirmed.get(row * size + column);
  if (claim) return claim.isNeed ? "needed" : "breaking";
  if ((data.parts[row] | data.parts[column]) & FLAKY) return "silent";
  if (!data.untried.known) return "unknown";
  return isUntried(row, column) ? "untried" : "cleared";
}

const LEGIBLE = 6;

function paintCell(context, state, x, y, side) {
  if (state === "cleared") return;
  context.fillStyle = context.strokeStyle = colours[MARKS[state]];
  const inset = side * 0.15;
  if (side < LEGIBLE) {
    context.globalAlpha = state === "needed" || state === "breaking" || state === "self" ? 1 : 0.35;
    context.fillRect(x, y, side, side);
    context.globalAlpha = 1;
  } else if (state === "needed" || state === "self") {
    context.fillRect(x + inset, y + inset, side - 2 * inset, side - 2 * inset);
  } else if (state === "unknown") context.fillRect(x + side * 0.42, y + side * 0.42, side * 0.16, side * 0.16);
  else {
    context.lineWidth = Math.max(1.2, side / (state === "breaking" ? 6 : 14));
    context.beginPath();
    context.moveTo(x + inset, state === "silent" ? y + side / 2 : y + side - inset);
    context.lineTo(x + side - inset, state === "silent" ? y + side / 2 : y + inset);
    if (state === "breaking") {
      context.moveTo(x + inset, y + inset);
      context.lineTo(x + side - inset, y + side - inset);
    }
    context.stroke();
  }
}

// Zoomed out: untried, silent and unknown pairs as a bitmap, drawn once, with a pixel for each pair or a few pairs.
const MOST_PIXELS = 1500;

function makeGround() {
  const pixels = Math.min(size, MOST_PIXELS);
  const picture = make("canvas");
  picture.width = picture.height = pixels;
  const context = picture.getContext("2d");
  const at = (test) => Math.floor(test * pixels / size);
  if (!data.untried.known) {
    context.fillStyle = colours.edge;
    context.globalAlpha = 0.18;
    context.fillRect(0, 0, pixels, pixels);
  }
  context.globalAlpha = 0.45;
  context.fillStyle = colours.untried;
  for (const [row, columns] of untriedRows) {
    for (let first = 0; first < columns.length;) {
      let last = first;
      while (last + 1 < columns.length && columns[last + 1] === columns[last] + 1) last += 1;
      context.fillRect(at(columns[first]), at(row), Math.max(1, at(columns[last]) - at(columns[first]) + 1), 1);
      first = last + 1;
    }
  }
  context.fillStyle = colours.flaky;
  for (const test of Object.keys(data.flaky).map(Number)) {
    context.fillRect(at(test), 0, 1, pixels);
    context.fillRect(0, at(test), pixels, 1);
  }
  return picture;
}

function paintPairs(context, view, ground, cursor) {
  const side = view.k;
  const { left, top } = axesOf(view);
  context.save();
  context.beginPath();
  context.rect(left, top, view.width - left, view.height - top);
  context.clip();
  if (side >= LEGIBLE) paintNear(context, view);
  else paintFar(context, view, ground);
  context.lineWidth = 1;
  context.strokeStyle = colours.edge;
  context.strokeRect(view.x - 0.5, view.y - 0.5, size * side + 1, size * side + 1);
  if (cursor) {
    context.lineWidth = 2;
    context.strokeStyle = colours.link;
    context.strokeRect(view.x + cursor.column * side - 1, view.y + cursor.row * side - 1, side + 2, side + 2);
  }
  context.restore();
  paintAxes(context, view);
}

// Every visible pair with its mark.
function paintNear(context, view) {
  const { left, top, right, bottom } = view.seen();
  const [firstColumn, lastColumn] = [Math.max(0, Math.floor(left)), Math.min(size - 1, Math.floor(right))];
  const [firstRow, lastRow] = [Math.max(0, Math.floor(top)), Math.min(size - 1, Math.floor(bottom))];
  for (let row = firstRow; row <= lastRow; row += 1) {
    for (let column = firstColumn; column <= lastColumn; column += 1) {
      paintCell(context, stateOf(row, column), view.x + column * view.k, view.y + row * view.k, view.k);
    }
  }
}

// The bitmap, and on top of it the confirmed pairs, which are few and must stay visible.
function paintFar(context, view, ground) {
  const [side, seen] = [view.k, view.seen()];
  context.imageSmoothingEnabled = side < 1;
  context.drawImage(ground, view.x, view.y, size * side, size * side);
  for (const [key, claim] of confirmed) {
    const [row, column] = [Math.floor(key / size), key % size];
    if (!isIn(seen, column, row, column + 1, row + 1)) continue;
    const state = claim.isNeed ? "needed" : "breaking";
    paintCell(context, state, view.x + column * side, view.y + row * side, Math.max(side, 2));
  }
  context.strokeStyle = colours.line;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(view.x, view.y);
  context.lineTo(view.x + size * side, view.y + size * side);
  context.stroke();
}
