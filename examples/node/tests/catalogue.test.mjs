import assert from "node:assert/strict";
import { test } from "node:test";
import { call } from "./shop.mjs";

test("the catalogue has a lamp", async () => {
  const { body } = await call("GET", "/catalogue");
  assert.equal(body.lamp, 25);
});

test("prices are in euros", async () => {
  const { body } = await call("GET", "/catalogue");
  assert.equal(body.currency, "EUR");
});

test("prices can be in dollars", async () => {
  await call("PUT", "/currency", { currency: "USD" });
  const { body } = await call("GET", "/catalogue");
  assert.equal(body.currency, "USD");
});

test("prices can go back to euros", async () => {
  const { body } = await call("PUT", "/currency", { currency: "EUR" });
  assert.equal(body.currency, "EUR");
});

test("the stock is full", async () => {
  const { body } = await call("GET", "/stock");
  assert.equal(body.lamp, 10);
});
