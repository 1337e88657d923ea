// Draws the graph, without text that is too small to read and without what is out of view.

const LINES = {
  any: { colour: "edge", dash: [9, 5] },
  need: { colour: "edge", dash: [] },
  conflict: { colour: "victim", dash: [5, 4] },
  cleans: { colour: "cleaner", dash: [1.5, 4] },
};
const LOOKS = ["group", "setter", "cleaner", "polluter", "victim", "brittle", "both", "flaky"];
const READABLE = 0.42;
const COARSE = 0.2;
const FAINT = 0.16;
const CROWD = 600;

function paintGraph(context, view, { lit, matches, cursor }) {
  const seen = view.seen();
  context.save();
  context.translate(view.x, view.y);
  context.scale(view.k, view.k);
  const shownEdges = edges.filter((edge) => isIn(seen, edge.left, edge.top, edge.right, edge.bottom));
  const shownSpots = [...spots.values()].filter((spot) => isSeen(spot, seen));
  const shownJoints = view.k < COARSE ? [] : joints.filter(({ x, y }) => isIn(seen, x - 20, y - 10, x + 20, y + 10));
  // Thousands of lines would hide the tests: zoomed out, or if they only pass by, they are drawn faintly.
  const isCrowd = edges.length > CROWD;
  const isPassing = (edge) => !edge.tests.some((test) => isSeen(spots.get(test), seen));
  const isFull = (edge) => (lit ? lit.edges.has(edge) : !isCrowd || (view.k > COARSE && !isPassing(edge)));
  const [full, others] = [shownEdges.filter(isFull), shownEdges.filter((edge) => !isFull(edge))];
  paintEdges(context, view, others, lit || view.k > COARSE ? (isCrowd ? FAINT / 3 : FAINT) : 0.3);
  if (lit) paintSpots(context, view, shownSpots.filter((spot) => !lit.tests.has(spot.test)), FAINT + 0.1);
  paintEdges(context, view, full, 1);
  for (const joint of shownJoints) paintJoint(context, view, joint, !lit || lit.claims.has(joint.claim) ? 1 : FAINT);
  paintSpots(context, view, shownSpots.filter((spot) => !lit || lit.tests.has(spot.test)), 1);
  for (const spot of shownSpots) {
    if (matches.has(spot.test)) paintRing(context, view, spot, colours.link, []);
    if (cursor === spot.test) paintRing(context, view, spot, colours.ink, [6, 3]);
  }
  context.restore();
}

function isIn(seen, left, top, right, bottom) {
  return left <= seen.right && right >= seen.left && top <= seen.bottom && bottom >= seen.top;
}

function isSeen(spot, seen) {
  return isIn(seen, spot.x, spot.y, spot.x + spot.width, spot.y + HEIGHT);
}

// A line that stands for many claims is thicker.
function widthOf({ many }) {
  return Math.min(4.5, 1.4 + Math.round(Math.log2(many)) * 0.6);
}

function paintEdges(context, view, some, alpha) {
  context.globalAlpha = alpha;
  const hasDashes = view.k > READABLE || (view.k > COARSE && some.length < CROWD);
  for (const [style, { colour, dash }] of Object.entries(LINES)) {
    const alike = some.filter((edge) => edge.style === style);
    context.strokeStyle = context.fillStyle = colours[colour];
    context.setLineDash(hasDashes ? dash : []);
    context.lineCap = style === "cleans" ? "round" : "butt";
    for (const width of new Set(alike.map(widthOf))) {
      context.lineWidth = Math.max(width, 0.75 / view.k);
      context.beginPath();
      for (const edge of alike.filter((one) => widthOf(one) === width)) {
        context.moveTo(edge.parts[0].ax, edge.parts[0].ay);
        for (const { ay, c1, c2, bx, by } of edge.parts) context.bezierCurveTo(c1, ay, c2, by, bx, by);
      }
      context.stroke();
    }
    if (view.k > COARSE) paintHeads(context, alike);
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function paintHeads(context, some) {
  context.beginPath();
  for (const { end: { x, y, side } } of some.filter((edge) => edge.hasHead)) {
    context.moveTo(x, y);
    context.lineTo(x + side * 9, y - 4.5);
    context.lineTo(x + side * 9, y + 4.5);
    context.closePath();
  }
  context.fill();
}

function paintJoint(context, view, joint, alpha) {
  context.globalAlpha = alpha;
  const { width, height } = JOINT;
  context.beginPath();
  context.roundRect(joint.x - width / 2, joint.y - height / 2, width, height, joint.claim.isNeed ? height / 2 : 2);
  context.fillStyle = colours.back;
  context.fill();
  context.lineWidth = 1.4;
  context.strokeStyle = colours[joint.claim.isNeed ? "edge" : "victim"];
  context.stroke();
  if (view.k > READABLE) {
    context.fillStyle = colours.ink;
    context.font = "600 10px system-ui, sans-serif";
    context.textAlign = "center";
    context.fillText(joint.text, joint.x, joint.y + 3.5);
    context.textAlign = "left";
  }
  context.globalAlpha = 1;
}

// One path for all tests of the same look: much faster than one each.
function paintSpots(context, view, some, alpha) {
  context.globalAlpha = alpha;
  for (const look of LOOKS) {
    for (const flaky of [0, FLAKY]) {
      const alike = some.filter((spot) => spot.look === look && (data.parts[spot.test] & FLAKY) === flaky);
      if (alike.length) paintAlike(context, view, look, flaky, alike);
    }
  }
  context.globalAlpha = 1;
}

function paintAlike(context, view, look, flaky, alike) {
  const isFar = view.k < COARSE;
  context.beginPath();
  for (const spot of alike) {
    if (isFar) context.rect(spot.x, spot.y, spot.width, HEIGHT);
    else traceShape(context, look, spot);
  }
  const isGroup = look === "group";
  context.fillStyle = isGroup ? colours[isFar ? "edge" : "soft"] : colours[isFar ? look : `${look}-soft`];
  context.fill();
  if (isFar) return;
  context.strokeStyle = colours[isGroup ? "edge" : look];
  context.lineWidth = look === "both" ? 2.4 : 1.5;
  context.setLineDash(flaky ? [4, 3] : []);
  context.stroke();
  context.setLineDash([]);
  if (view.k >= READABLE) for (const spot of alike) paintLabel(context, spot);
}

function paintLabel(context, spot) {
  const room = spot.width - (spot.group ? 18 : 26);
  const [first, second] = spot.lines;
  const x = spot.x + (spot.group ? 10 : 14);
  context.fillStyle = colours.ink;
  context.font = `${spot.group ? "600 " : ""}13px ui-monospace, 'DejaVu Sans Mono', Menlo, monospace`;
  context.fillText(first, x, spot.y + (second === undefined ? 24.5 : 17), room);
  if (second === undefined) return;
  if (spot.group) {
    context.fillStyle = colours.dim;
    context.font = "12px system-ui, sans-serif";
  }
  context.fillText(second, x, spot.y + 32, room);
}

function paintRing(context, view, spot, colour, dash) {
  const away = 5;
  context.beginPath();
  context.roundRect(spot.x - away, spot.y - away, spot.width + 2 * away, HEIGHT + 2 * away, 8);
  context.lineWidth = Math.max(2.5, 2 / view.k);
  context.strokeStyle = colour;
  context.setLineDash(dash);
  context.stroke();
  context.setLineDash([]);
}
