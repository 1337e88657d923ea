// Node runs the tests of a file in the sequence in which they stand there. This runs any of them in any order, all in
// one process:
//
//   node --import ./tools/collect.mjs tools/in-order.mjs --list
//   node --import ./tools/collect.mjs --test-reporter=tap tools/in-order.mjs FILE_WITH_ONE_ID_A_LINE
//
// An id is the file, two colons and the name. For ES modules with `test` or `it` at the top level of a file.
import { readFileSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { test } from "node:test";

const files = readdirSync("tests").filter((name) => name.endsWith(".test.mjs")).sort();
const known = new Map();

for (const file of files) {
  globalThis.collectedTests = [];
  await import(pathToFileURL(`tests/${file}`).href);
  for (const found of globalThis.collectedTests) {
    const id = `tests/${file}::${found.name}`;
    if (known.has(id)) throw new Error(`two tests have the same name: ${id}`);
    known.set(id, found);
  }
}

if (process.argv[2] === "--list") {
  for (const id of known.keys()) console.log(id);
} else {
  for (const id of readFileSync(process.argv[2], "utf8").split("\n").filter(Boolean)) {
    if (!known.has(id)) throw new Error(`no such test: ${id}`);
    test(id, known.get(id).options, known.get(id).body);
  }
}
