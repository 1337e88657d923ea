// The axes of the matrix: names of tests where there is room, otherwise of files or folders.

const AXIS = { names: 9, label: 12, wide: 132, narrow: 72 };

// The space that the axes take, on the left and at the top.
function axesOf(view) {
  return view.width < 500 ? { left: AXIS.narrow, top: AXIS.narrow } : { left: AXIS.wide, top: AXIS.wide };
}

function pathOf(test) {
  const id = data.tests[test];
  return (id.includes("::") ? id.slice(0, id.indexOf("::")) : id.replace(/[/.#: ]+[^/.#: ]*$/, "")).split("/");
}

// Neighbours in suite order with the same folders and file, down to a depth.
function makeRuns(depth) {
  const runs = [];
  let before = null;
  for (let test = 0; test < size; test += 1) {
    const path = pathOf(test).slice(0, depth);
    const key = path.join("/");
    if (key === before) runs[runs.length - 1].last = test;
    else runs.push({ first: test, last: test, name: path[path.length - 1] });
    before = key;
  }
  return runs;
}

const DEEPEST = 8;
const runsByDepth = new Map();

// The deepest level whose labels fit beside each other.
function runsFor(side) {
  for (let depth = DEEPEST; depth > 0; depth -= 1) {
    if (!runsByDepth.has(depth)) runsByDepth.set(depth, makeRuns(depth));
    const runs = runsByDepth.get(depth);
    if (runs.length * AXIS.label <= size * side) return runs;
  }
  return [];
}

function marksFor(side) {
  if (side < AXIS.names) return runsFor(side);
  return data.tests.map((_, test) => ({ first: test, last: test, name: nameOf(test).replace(/^test_(?=.)/, "") }));
}

function fitText(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  let most = text.length;
  while (most > 1 && context.measureText(`${text.slice(0, most)}…`).width > room) most -= 1;
  return `${text.slice(0, most)}…`;
}

// One axis, along x; the other one is the same after turning the context. `start` and `end` limit it, `from` is where
// the first test begins.
function paintAxis(context, marks, { from, side, start, end, room, turned }) {
  for (const { first, last, name } of marks) {
    const [near, far] = [from + first * side, from + (last + 1) * side];
    if (far <= start || near >= end) continue;
    const middle = (Math.max(near, start) + Math.min(far, end)) / 2;
    if (last > first && near > start) {
      context.strokeStyle = colours.line;
      context.beginPath();
      context.moveTo(...(turned ? [near, -room] : [0, near]));
      context.lineTo(...(turned ? [near, 0] : [room, near]));
      context.stroke();
    }
    if (Math.min(far, end) - Math.max(near, start) < AXIS.names) continue;
    context.save();
    if (turned) {
      context.translate(middle, -4);
      context.rotate(-Math.PI / 2);
      context.fillText(fitText(context, name, room - 8), 0, 4);
    } else {
      const text = fitText(context, name, room - 8);
      context.fillText(text, room - 4 - context.measureText(text).width, middle + 4);
    }
    context.restore();
  }
}

function paintAxes(context, view) {
  const { left, top } = axesOf(view);
  const marks = marksFor(view.k);
  context.clearRect(0, 0, view.width, top);
  context.clearRect(0, 0, left, view.height);
  context.fillStyle = colours.dim;
  context.lineWidth = 1;
  const pixels = Math.min(11, view.k < AXIS.names ? 11 : view.k + 1);
  context.font = `${pixels}px ui-monospace, 'DejaVu Sans Mono', Menlo, monospace`;
  paintAxis(context, marks, { from: view.y, side: view.k, start: top, end: view.height, room: left, turned: false });
  context.save();
  context.translate(0, top);
  paintAxis(context, marks, { from: view.x, side: view.k, start: left, end: view.width, room: top, turned: true });
  context.restore();
  context.font = "600 11px system-ui, sans-serif";
  context.fillStyle = colours.ink;
  context.fillText("first →", left - 46, 14);
  context.fillText("then ↓", 6, top - 6);
}
