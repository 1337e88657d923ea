// Hit testing, neighbours and highlighting in the graph.

const SAMPLES = 24;

function spotAt(x, y) {
  for (const spot of spots.values()) {
    if (x >= spot.x && x <= spot.x + spot.width && y >= spot.y && y <= spot.y + HEIGHT) return spot;
  }
  return null;
}

function jointAt(x, y) {
  const isOn = (joint) => Math.abs(x - joint.x) <= JOINT.width / 2 && Math.abs(y - joint.y) <= JOINT.height / 2;
  return joints.find(isOn) || null;
}

function edgeAt(x, y, near) {
  let nearest = null;
  let least = near;
  for (const edge of edges) {
    if (x < edge.left - near || x > edge.right + near || y < edge.top - near || y > edge.bottom + near) continue;
    const distance = Math.min(...edge.parts.map((curve) => distanceTo(curve, x, y)));
    if (distance < least) [nearest, least] = [edge, distance];
  }
  return nearest;
}

// The element at a point, and the text of its tooltip.
function thingAt(view, x, y) {
  const [worldX, worldY] = view.toWorld(x, y);
  const spot = spotAt(worldX, worldY);
  if (spot) return { spot, text: textOf(spot) };
  const joint = jointAt(worldX, worldY);
  if (joint) return { claim: joint.claim, text: sentenceOf(joint.claim) };
  const edge = edgeAt(worldX, worldY, 7 / view.k);
  if (!edge) return {};
  const [from, to] = edge.tests;
  if (!edge.claim) return { text: textOfLine(edge) };
  const text = edge.style === "cleans" ? `${nameOf(from)} cleans for ${nameOf(to)}` : sentenceOf(edge.claim);
  return { claim: edge.claim, text };
}

const NOUNS = new Set(["victim", "setter", "polluter", "cleaner"]);

function textOf({ test, group }) {
  if (!group) return `${data.tests[test]} (${partsOf(test).join(", ")})`;
  const parts = PARTS.map((part) => [part, [...group.members].filter((one) => partsOf(one).includes(part)).length]);
  const counts = parts.filter(([, many]) => many).map(([part, many]) => (
    NOUNS.has(part) ? counted(many, part) : `${many.toLocaleString("en")} ${part}`));
  return `${group.name}: ${counted(group.members.size, "test")} (${counts.join(", ")})`;
}

function nameOfBox(box) {
  return box < size ? nameOf(box) : scene.groups[box - size].name;
}

function textOfLine({ style, many, tests: [from, to] }) {
  const times = many > 1 ? ` (${counted(many, "time")})` : "";
  return `${nameOfBox(from)} ${style === "need" ? "is needed by" : "breaks"} ${nameOfBox(to)}${times}`;
}

function pointOn(curve, part) {
  const rest = 1 - part;
  const [a, b, c, d] = [rest ** 3, 3 * rest * rest * part, 3 * rest * part * part, part ** 3];
  return [a * curve.ax + b * curve.c1 + c * curve.c2 + d * curve.bx, (a + b) * curve.ay + (c + d) * curve.by];
}

function distanceTo(curve, x, y) {
  let least = Infinity;
  let [fromX, fromY] = [curve.ax, curve.ay];
  for (let step = 1; step <= SAMPLES; step += 1) {
    const [toX, toY] = pointOn(curve, step / SAMPLES);
    const [wide, high] = [toX - fromX, toY - fromY];
    const part = Math.max(0, Math.min(1, ((x - fromX) * wide + (y - fromY) * high) / (wide * wide + high * high || 1)));
    least = Math.min(least, Math.hypot(fromX + part * wide - x, fromY + part * high - y));
    [fromX, fromY] = [toX, toY];
  }
  return least;
}

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Left and right: the nearest linked test if there is one; else the nearest test in that direction.
function nextSpot(from, key) {
  const [wide, high] = DIRECTIONS[key];
  const joined = wide ? [...joinedBoxes(from.test)].map((box) => spots.get(box)) : [];
  return nearestTowards(from, joined, wide, high) || nearestTowards(from, spots.values(), wide, high);
}

function joinedBoxes(box) {
  return new Set(edges.filter(({ tests }) => tests.includes(box)).flatMap(({ claim, tests }) => (
    claim ? [claim.test, ...claim.tests, ...claim.cleaners] : tests)).filter((other) => other !== box));
}

function nearestTowards(from, some, wide, high) {
  let nearest = null;
  let least = Infinity;
  for (const spot of some) {
    const ahead = (spot.x - from.x) * wide + (spot.y - from.y) * high;
    const aside = Math.abs((spot.x - from.x) * high) + Math.abs((spot.y - from.y) * wide);
    const far = ahead + 3 * aside;
    if (spot !== from && ahead > 0 && far < least) [nearest, least] = [spot, far];
  }
  return nearest;
}

function boxOf(some) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width } of some) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + HEIGHT);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

// Around all boxes of a view, and the lines that go around them.
function boxOfView({ spots: boxes, bends: lines }) {
  const passed = lines.flatMap(([, , points]) => points.map(([x, y, width]) => ({ x, y, width })));
  return boxOf([...boxes.map(([, x, y, width]) => ({ x, y, width })), ...passed]);
}

// The highlighted tests, lines and claims of the selection; null if nothing is selected.

function highlightOf(mode) {
  const { test, claim } = choice;
  if (test === null || !spots.has(test)) return null;
  if (claim) return highlightClaim(test, claim);
  if (mode === "near") return highlightNear(test);
  return highlightNeeds(test, mode === "needs" ? neededTests : (here) => neededBy[here]);
}

function highlightClaim(test, claim) {
  return {
    tests: new Set([test, ...claim.tests, ...claim.cleaners]),
    claims: new Set([claim]),
    edges: new Set(edges.filter((edge) => edge.claim === claim)),
  };
}

function highlightNear(test) {
  const own = new Set(edges.filter((edge) => edge.tests.includes(test)));
  const claims = new Set([...own].map((edge) => edge.claim).filter((claim) => claim));
  // Beyond a joint the line continues to the test that the claim is about.
  for (const edge of edges) if (claims.has(edge.claim) && edge.tests.length === 1) own.add(edge);
  return { tests: new Set([test, ...joinedBoxes(test)]), claims, edges: own };
}

function highlightNeeds(test, next) {
  const tests = reached(test, next);
  const within = edges.filter((edge) => edge.claim && edge.claim.isNeed && edge.tests.every((other) => tests.has(other)));
  return { tests, claims: new Set(within.map((edge) => edge.claim)), edges: new Set(within) };
}
