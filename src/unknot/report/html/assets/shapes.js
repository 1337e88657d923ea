// The shape of each kind of test (as in overview.py) and the paths of the lines between them.

const HEIGHT = data.height;
const BEND = 46;
const JOINT = { width: 30, height: 17, away: 27, apart: 21 };

// The first role decides the look; a brittle victim has a look of its own.
function lookOf(test) {
  const parts = data.parts[test];
  if ((parts & BRITTLE) && (parts & VICTIM)) return "both";
  if (parts & BRITTLE) return "brittle";
  if (parts & VICTIM) return "victim";
  if (parts & POLLUTER) return "polluter";
  if (parts & CLEANER) return "cleaner";
  return parts & SETTER ? "setter" : "flaky";
}

function traceShape(context, look, { x, y, width }) {
  const right = x + width;
  const low = y + HEIGHT;
  const middle = y + HEIGHT / 2;
  if (look === "group") {
    // A pile of boxes.
    context.roundRect(x, y, width, HEIGHT, 5);
    for (const away of [4, 8]) {
      context.moveTo(x + away, y - away + 4);
      context.lineTo(x + away, y - away);
      context.lineTo(right + away, y - away);
      context.lineTo(right + away, low - away);
      context.lineTo(right + away - 4, low - away);
    }
  } else if (look === "victim") context.roundRect(x, y, width, HEIGHT, HEIGHT / 2);
  else if (look === "setter" || look === "flaky") context.roundRect(x, y, width, HEIGHT, 3);
  else if (look === "both") {
    context.moveTo(x, middle);
    context.lineTo(x + 13, y);
    context.arcTo(right, y, right, middle, HEIGHT / 2);
    context.arcTo(right, low, x, low, HEIGHT / 2);
    context.lineTo(x + 13, low);
    context.closePath();
  } else {
    const corners = {
      brittle: [[x, middle], [x + 13, y], [right - 13, y], [right, middle], [right - 13, low], [x + 13, low]],
      polluter: [
        [x, y + 10], [x + 10, y], [right - 10, y], [right, y + 10],
        [right, low - 10], [right - 10, low], [x + 10, low], [x, low - 10],
      ],
      cleaner: [[x + 12, y], [right, y], [right - 12, low], [x, low]],
    }[look];
    corners.forEach(([cornerX, cornerY], number) => context[number ? "lineTo" : "moveTo"](cornerX, cornerY));
    context.closePath();
  }
}

// The scene: boxes, joints and lines of one view. Boxes of tests have the number of the test, groups higher ones.
let scene = null;
let spots = new Map();
let joints = [];
let edges = [];
let bends = new Map();
let linesOf = new Map();
const drawnTests = new Set(data.views[0].spots.map(([test]) => test));

// The view that shows a test as a box of its own: that of its file, or that of all tests.
function viewOf(test) {
  const shows = ({ kind, groups, spots: boxes }) => kind === "files" && boxes.some(([box]) => box === test)
    && !groups.some((group) => readSpans(group.tests).includes(test));
  const own = data.views.map((_, number) => number).filter((number) => shows(data.views[number]));
  return own.length ? own[own.length - 1] : 0;
}

// The box that shows a test in this view, if any.
function boxOfTest(test) {
  if (spots.has(test)) return spots.get(test);
  return [...spots.values()].find((spot) => spot.group && spot.group.members.has(test)) || null;
}

function showView(number) {
  scene = { number, ...data.views[number] };
  spots = new Map();
  joints = [];
  edges = [];
  linesOf = new Map();
  for (const group of scene.groups) group.members = group.members || new Set(readSpans(group.tests));
  for (const [box, x, y, width, label] of scene.spots) {
    const group = box < size ? null : scene.groups[box - size];
    spots.set(box, { test: box, x, y, width, lines: label.split("\n"), group, look: group ? "group" : lookOf(box) });
  }
  bends = new Map(scene.bends.map(([first, second, passed]) => [`${first} ${second}`, passed]));
  const drawn = readSpans(scene.claims).map((claim) => data.claims[claim]);
  for (const test of new Set(drawn.map((claim) => claim.test))) addClaims(drawn.filter((claim) => claim.test === test));
  for (const [from, to, needs, conflicts = 0] of scene.lines) {
    if (needs) addLine(null, "need", from, to, needs);
    if (conflicts) addLine(null, "conflict", from, to, conflicts);
  }
}

// The points that a line passes in the columns between two boxes.
function passedBetween(from, to) {
  const forward = bends.get(`${from} ${to}`);
  const passed = forward || [...(bends.get(`${to} ${from}`) || [])].reverse();
  return passed.flatMap(([x, top, width]) => {
    const y = top + HEIGHT / 2;
    return forward ? [[x, y], [x + width, y]] : [[x + width, y], [x, y]];
  });
}

function centreOf(spot) {
  return spot.x + spot.width / 2;
}

// Where a line leaves a box to get to something at x.
function leaving(spot, x) {
  const side = x > centreOf(spot) ? 1 : -1;
  return { x: side > 0 ? spot.x + spot.width : spot.x, y: spot.y + HEIGHT / 2, side };
}

// A line is a chain of curves that are level where they meet. One between groups stands for `many` claims.
function addEdge(claim, style, start, end, tests, hasHead, passed = [], many = 1) {
  const points = [[start.x, start.y], ...passed, [end.x, end.y]];
  const parts = points.slice(1).map(([bx, by], number) => {
    const [ax, ay] = points[number];
    const bend = Math.max(16, Math.min(BEND, Math.abs(bx - ax) / 2));
    const ahead = Math.sign(bx - ax) || 1;
    const from = number === 0 ? start.side : ahead;
    const to = number === points.length - 2 ? end.side : -ahead;
    return { ax, ay, bx, by, c1: ax + from * bend, c2: bx + to * bend };
  });
  const xs = parts.flatMap(({ ax, bx, c1, c2 }) => [ax, bx, c1, c2]);
  const ys = points.map(([, y]) => y);
  edges.push({
    claim, style, tests, hasHead, parts, end, many,
    left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys),
  });
}

// A line from what runs first to what it affects, with its arrow at the second. Several lines between the same boxes
// are drawn beside each other.
function addLine(claim, style, from, to, many = 1) {
  const pair = `${from} ${to}`;
  const down = 7 * (linesOf.get(pair) || 0);
  linesOf.set(pair, (linesOf.get(pair) || 0) + 1);
  const moved = (spot) => ({ ...spot, y: spot.y + down });
  const [start, end] = [moved(spots.get(from)), moved(spots.get(to))];
  const passed = passedBetween(from, to).map(([x, y]) => [x, y + down]);
  const [first, last] = [passed[0] || [centreOf(end)], passed[passed.length - 1] || [centreOf(start)]];
  addEdge(claim, style, leaving(start, first[0]), leaving(end, last[0]), [from, to], true, passed, many);
}

// The lines of a claim with several tests meet in a joint: "any" if one is enough, "all" if they act together.
function addJoint(claim, number, count) {
  const own = spots.get(claim.test);
  const mean = claim.tests.reduce((sum, test) => sum + centreOf(spots.get(test)), 0) / claim.tests.length;
  const at = leaving(own, mean);
  const y = at.y + (number - (count - 1) / 2) * JOINT.apart;
  const joint = { claim, text: claim.isNeed ? "any" : "all", x: at.x + at.side * JOINT.away, y };
  joints.push(joint);
  const near = { x: joint.x - at.side * JOINT.width / 2, y: joint.y, side: -at.side };
  addEdge(claim, claim.isNeed ? "need" : "conflict", near, at, [claim.test], true);
  for (const test of claim.tests) {
    const passed = passedBetween(claim.test, test);
    const [first, last] = [passed[0] || [centreOf(spots.get(test))], passed[passed.length - 1] || [joint.x]];
    const side = first[0] > joint.x ? 1 : -1;
    const far = { x: joint.x + side * JOINT.width / 2, y: joint.y, side };
    const end = leaving(spots.get(test), last[0]);
    addEdge(claim, claim.isNeed ? "any" : "conflict", end, far, [claim.test, test], false, passed.reverse());
  }
}

// The claims about one test.
function addClaims(claims) {
  const several = claims.filter((claim) => claim.tests.length > 1);
  several.forEach((claim, number) => addJoint(claim, number, several.length));
  const cleaned = new Set();
  for (const claim of claims) {
    const [other] = claim.tests;
    if (claim.tests.length === 1) addLine(claim, claim.isNeed ? "need" : "conflict", other, claim.test);
    for (const cleaner of claim.cleaners.filter((known) => !cleaned.has(known))) {
      cleaned.add(cleaner);
      addLine(claim, "cleans", cleaner, claim.test);
    }
  }
}
