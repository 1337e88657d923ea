// Which tests, lines and claims stand out: those of the choice; null if all do.

function litBy(mode) {
  const { test, claim } = choice;
  if (test === null || !spots.has(test)) return null;
  if (claim) return litByClaim(test, claim);
  return mode === "near" ? litNear(test) : litByNeeds(test, mode === "needs" ? neededTests : (here) => neededBy[here]);
}

function litByClaim(test, claim) {
  return {
    tests: new Set([test, ...claim.tests, ...claim.cleaners]),
    claims: new Set([claim]),
    edges: new Set(edges.filter((edge) => edge.claim === claim)),
  };
}

function litNear(test) {
  const own = new Set(edges.filter((edge) => edge.tests.includes(test)));
  const claims = new Set([...own].map((edge) => edge.claim));
  // From a sign the line goes on to the test that the claim is about.
  for (const edge of edges) if (claims.has(edge.claim) && edge.tests.length === 1) own.add(edge);
  return { tests: new Set([test, ...joinedTests(test)]), claims, edges: own };
}

function litByNeeds(test, next) {
  const tests = reached(test, next);
  const within = edges.filter((edge) => edge.claim.isNeed && edge.tests.every((other) => tests.has(other)));
  return { tests, claims: new Set(within.map((edge) => edge.claim)), edges: new Set(within) };
}
