// The drawer: everything known about the selected test, the selected claim first.

const MOST_CLAIMS = 30;
const MOST_TESTS = 25;
const NO_REASON = "Reason unknown. Run `unknot detect --trace` to record it.";
const drawer = make("aside", { class: "drawer", "aria-label": "Details", hidden: true });
let opener = null;

function makeTestList(tests) {
  const list = make("ul", { class: "tests" });
  const open = (test) => () => choose(test, null, { focus: true });
  const row = (test) => make("li", {}, makeButton(data.tests[test], open(test), { class: "plain" }));
  const shown = [...tests].slice(0, MOST_TESTS);
  const rest = [...tests].slice(MOST_TESTS);
  list.append(...shown.map(row));
  if (rest.length) {
    const showRest = () => more.replaceWith(...rest.map(row));
    const more = make("li", {}, makeButton(`and ${rest.length.toLocaleString("en")} more`, showRest));
    list.append(more);
  }
  return list;
}

function makeCommand(label, command) {
  return make("div", { class: "command" },
    make("div", {}, make("span", {}, label), makeCopyButton(command, `the command that ${label}`)),
    make("code", { tabindex: "0" }, command));
}

function makeExcerpt(lines) {
  const [label, place, ...code] = lines;
  const pre = make("pre", { tabindex: "0" });
  code.forEach((line, number) => {
    if (number) pre.append("\n");
    pre.append(line.startsWith(">") ? make("mark", {}, line) : line);
  });
  return make("figure", { class: "excerpt" }, make("figcaption", {}, `${label}: ${place}`), code.length ? pre : null);
}

function makeClaim(claim) {
  const [passes, fails] = claim.verdicts || ["passes", "fails"];
  const relation = claim.relation[0].toUpperCase() + claim.relation.slice(1);
  const looks = `claim ${claim.isNeed ? "needs" : "breaks"}${claim === choice.claim ? " chosen" : ""}`;
  const block = make("div", { class: looks }, make("h3", {}, relation), makeTestList(claim.tests));
  if (claim.more) block.append(make("p", { class: "dim" }, "There may be more."));
  if (claim.cleaners.length) {
    const cleaned = claim.cleaners.length > 1 ? "Cleaned by any of" : "Cleaned by";
    block.append(make("h3", {}, cleaned), makeTestList(claim.cleaners));
  }
  block.append(make("h3", {}, "Because"));
  if (claim.why) block.append(make("ul", {}, claim.why.map((why) => make("li", {}, why))));
  else block.append(make("p", { class: "dim" }, NO_REASON));
  for (const number of claim.excerpts || []) block.append(makeExcerpt(data.excerpts[number]));
  const commands = [makeCommand(passes, commandOf(claim.proof[0])), makeCommand(fails, commandOf(claim.proof[1]))];
  block.append(make("h3", {}, "Reproduce it"), ...commands);
  return block;
}

function makeClaims(test) {
  const claims = claimsOf[test].filter((claim) => claim !== choice.claim);
  if (choice.claim) claims.unshift(choice.claim);
  const blocks = claims.slice(0, MOST_CLAIMS).map(makeClaim);
  if (claims.length > MOST_CLAIMS) {
    const showRest = () => more.replaceWith(...claims.slice(MOST_CLAIMS).map(makeClaim));
    const more = makeButton(`Show all ${claims.length.toLocaleString("en")}`, showRest);
    blocks.push(more);
  }
  return blocks;
}

function makeOthers(test) {
  return [["Needed by", neededBy], ["Breaks", breaks], ["Cleans for", cleansFor]]
    .filter(([, found]) => found[test].size)
    .flatMap(([title, found]) => [
      make("h3", {}, `${title} ${counted(found[test].size, "test")}`), makeTestList(found[test]),
    ]);
}

function makeDetails(test, title) {
  const outcome = `${data.outcomes[test]} in suite order, ${data.seconds[test].toFixed(3)} s`;
  const sure = data.flaky[test];
  const free = data.complete ? "Independent of all other tests." : "No dependency found so far.";
  return [
    makeButton("✕", closeDetails, { class: "close", "aria-label": "Close the details" }),
    title,
    make("p", {}, partsOf(test).map(makeBadge)),
    make("p", { class: "dim" }, outcome),
    sure === undefined ? null : make("p", {}, `Flaky${sure ? `: ${sure}` : ""}. Nothing is claimed about it.`),
    sure === undefined && !claimsOf[test].length ? make("p", {}, free) : null,
    ...makeClaims(test),
    ...makeOthers(test),
  ].filter((element) => element !== null);
}

function closeDetails() {
  choose(null, null);
  if (opener && opener.isConnected) opener.focus();
}

// Opening the drawer narrows the page; keep the visible section in place.
const ANCHORS = { graph: "#graph .stage", table: "#tests .list", pairs: "#pairs .stage" };

function showDrawer(isShown, from) {
  if (drawer.hidden === !isShown) return;
  const inTheMiddle = document.elementFromPoint(innerWidth / 3, innerHeight / 2);
  const seen = ANCHORS[from] ? document.querySelector(ANCHORS[from]) : inTheMiddle;
  const top = seen && seen.getBoundingClientRect().top;
  drawer.hidden = !isShown;
  document.body.classList.toggle("open", isShown);
  if (seen) window.scrollBy({ top: seen.getBoundingClientRect().top - top, behavior: "instant" });
}

followers.push(({ from, focus }) => {
  const { test, claim } = choice;
  const wasHidden = drawer.hidden;
  showDrawer(test !== null, from);
  history.replaceState(null, "", location.href.split("#")[0] + (test === null ? "" : `#test-${test}`));
  if (test === null) {
    drawer.replaceChildren();
    return;
  }
  if (wasHidden) opener = document.activeElement;
  const title = make("h2", { tabindex: "-1" }, data.tests[test]);
  drawer.replaceChildren(...makeDetails(test, title));
  drawer.scrollTop = 0;
  say(claim ? sentenceOf(claim) : `${data.tests[test]}: ${partsOf(test).join(", ") || "no dependencies"}`);
  if (focus) title.focus();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && choice.test !== null) closeDetails();
});
