// The data of the report. A test is its position in suite order.

const data = JSON.parse(document.getElementById("data").textContent);
const PARTS = data.words;
const [BRITTLE, VICTIM, SETTER, POLLUTER, CLEANER, FLAKY] = PARTS.map((_, number) => 1 << number);
const size = data.tests.length;

// Reads "4-6 2 9" as 4, 5, 6, 2, 9, and "x1f" as the positions of the ones in a hexadecimal number.
function readSpans(text) {
  const found = [];
  if (text.startsWith("x")) {
    for (let at = text.length - 1, place = 0; at > 0; at -= 1, place += 4) {
      const digit = parseInt(text[at], 16);
      for (let bit = 0; bit < 4; bit += 1) if (digit >> bit & 1) found.push(place + bit);
    }
    return found;
  }
  for (const span of text ? text.split(" ") : []) {
    const [first, last] = span.split("-").map(Number);
    for (let test = first; test <= (last === undefined ? first : last); test += 1) found.push(test);
  }
  return found;
}

function commandOf(spans) {
  return [data.invocation, ...readSpans(spans).map((test) => data.arguments[test] || data.tests[test])].join(" ");
}

function partsOf(test) {
  return PARTS.filter((_, number) => data.parts[test] >> number & 1);
}

function nameOf(test) {
  const id = data.tests[test];
  return id.slice(id.lastIndexOf("::") + 1).replace(/^:/, "") || id;
}

function fileOf(test) {
  const id = data.tests[test];
  const end = id.indexOf("::");
  return end < 0 ? "" : id.slice(id.lastIndexOf("/", end) + 1, end);
}

// For each test its claims, and the tests that depend on it.
const claimsOf = data.tests.map(() => []);
const neededBy = data.tests.map(() => new Set());
const breaks = data.tests.map(() => new Set());
const cleansFor = data.tests.map(() => new Set());
for (const claim of data.claims) {
  claim.isNeed = claim.relation.startsWith("needs");
  claim.cleaners = claim.cleaners || [];
  claimsOf[claim.test].push(claim);
  for (const other of claim.tests) (claim.isNeed ? neededBy : breaks)[other].add(claim.test);
  for (const other of claim.cleaners) cleansFor[other].add(claim.test);
}

// A claim in one sentence.
function sentenceOf(claim) {
  const others = claim.tests.length === 1 ? nameOf(claim.tests[0]) : counted(claim.tests.length, "test");
  return `${nameOf(claim.test)} ${claim.isNeed ? "" : "is "}${claim.relation} ${others}`;
}

// All tests reachable from `test` over `next`, including itself.
function reached(test, next) {
  const found = new Set([test]);
  for (const here of found) for (const other of next(here)) found.add(other);
  return found;
}

function neededTests(test) {
  return claimsOf[test].filter((claim) => claim.isNeed).flatMap((claim) => claim.tests);
}

function joinedTests(test) {
  const own = claimsOf[test].flatMap((claim) => [...claim.tests, ...claim.cleaners]);
  return new Set([...own, ...neededBy[test], ...breaks[test], ...cleansFor[test]]);
}

// The selection: a test, and possibly one of its claims. Each section follows it.
const choice = { test: null, claim: null };
const followers = [];

function choose(test, claim, { from = "", focus = false } = {}) {
  choice.test = test;
  choice.claim = claim || null;
  for (const follow of followers) follow({ from, focus });
}
