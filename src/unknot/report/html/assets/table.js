// The table of tests, with sorting, filtering and paging.

const PAGE = 25;

function breakingTests(test) {
  return claimsOf[test].filter((claim) => !claim.isNeed).flatMap((claim) => claim.tests);
}

function secondsOf(test) {
  return data.seconds[test];
}

const COLUMNS = [
  { title: "#", value: (test) => test + 1, cell: (test) => (test + 1).toLocaleString("en"), number: true, rare: true },
  { title: "Test", value: (test) => data.tests[test], cell: (test) => makeOpener(test), looks: "test" },
  { title: "Role", value: (test) => partsOf(test).join(), cell: (test) => partsOf(test).map(makeBadge), looks: "parts" },
  { title: "Outcome", value: (test) => data.outcomes[test], rare: true },
  { title: "Seconds", value: secondsOf, cell: (test) => secondsOf(test).toFixed(3), number: true, rare: true },
  { title: "Needs", value: (test) => new Set(neededTests(test)).size, number: true },
  { title: "Broken by", value: (test) => new Set(breakingTests(test)).size, number: true },
  { title: "Needed by", value: (test) => neededBy[test].size, number: true, rare: true },
  { title: "Breaks", value: (test) => breaks[test].size, number: true, rare: true },
];

const CHOICES = [
  ["", "all tests"],
  ["any", "with dependencies"],
  ...PARTS.map((part) => [part, `${part} tests`]),
  ["none", "without dependencies"],
];

class Table {
  constructor(section) {
    Object.assign(this, { text: "", part: "", column: 0, isDown: false, page: 0, rows: [] });
    this.status = make("p", { class: "status", role: "status" });
    this.body = make("tbody");
    this.heads = COLUMNS.map((column, number) => make(
      "th", { scope: "col", class: looksOf(column), "aria-sort": "none" },
      makeButton(column.title, () => this.sortBy(number)),
    ));
    this.pageText = make("span");
    this.back = makeButton("Previous", () => this.turn(-1));
    this.on = makeButton("Next", () => this.turn(1));
    this.pages = make("div", { class: "pages" }, this.back, this.pageText, this.on);
    const table = make("table", { class: "list" }, make("thead", {}, make("tr", {}, this.heads)), this.body);
    section.append(this.makeTools(), this.status,
      make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Tests" }, table), this.pages);
    followers.push(() => this.mark());
    // Print all pages.
    printFollowers.push(() => this.show(this.rows));
    window.addEventListener("afterprint", () => this.turn(0));
    this.select();
  }

  makeTools() {
    return make("div", { class: "tools" },
      makeSearch("Filter", (text) => {
        this.text = text.toLowerCase();
        this.select();
      }),
      makeSelect("Show", CHOICES, (part) => {
        this.part = part;
        this.select();
      }));
  }

  // Numbers sort in descending order first.
  sortBy(number) {
    this.isDown = this.column === number ? !this.isDown : Boolean(COLUMNS[number].number && number);
    this.column = number;
    this.select();
  }

  select() {
    const keys = data.tests.map((_, test) => COLUMNS[this.column].value(test));
    const sign = this.isDown ? -1 : 1;
    const compared = (a, b) => Number(keys[a] > keys[b]) - Number(keys[a] < keys[b]);
    this.rows = data.tests.map((_, test) => test)
      .filter((test) => data.tests[test].toLowerCase().includes(this.text) && fits(test, this.part))
      .sort((a, b) => sign * compared(a, b) || a - b);
    const sorted = this.isDown ? "descending" : "ascending";
    this.heads.forEach((head, number) => head.setAttribute("aria-sort", number === this.column ? sorted : "none"));
    this.status.textContent = `${this.rows.length.toLocaleString("en")} of ${counted(size, "test")}`;
    this.page = 0;
    this.turn(0);
  }

  turn(pages) {
    this.page += pages;
    this.show(this.rows.slice(this.page * PAGE, (this.page + 1) * PAGE));
  }

  show(some) {
    this.body.replaceChildren(...some.map(makeRow));
    this.mark();
    const last = Math.max(0, Math.ceil(this.rows.length / PAGE) - 1);
    this.pageText.textContent = `Page ${this.page + 1} of ${last + 1}`;
    this.back.disabled = this.page === 0;
    this.on.disabled = this.page >= last;
    this.pages.hidden = last === 0;
  }

  mark() {
    for (const row of this.body.rows) row.classList.toggle("chosen", Number(row.dataset.test) === choice.test);
  }
}

function fits(test, part) {
  if (part === "") return true;
  if (part === "any") return data.parts[test] !== 0;
  return part === "none" ? data.parts[test] === 0 : partsOf(test).includes(part);
}

function looksOf({ number, rare, looks }) {
  return [number && "number", rare && "rare", looks].filter(Boolean).join(" ");
}

function makeRow(test) {
  return make("tr", { "data-test": test }, COLUMNS.map((column) => {
    const cell = column.cell ? column.cell(test) : column.value(test);
    return make("td", { class: looksOf(column) }, cell === 0 ? "–" : cell);
  }));
}

function makeOpener(test) {
  return makeButton(data.tests[test], () => choose(test, null, { from: "table", focus: true }), { class: "plain" });
}
