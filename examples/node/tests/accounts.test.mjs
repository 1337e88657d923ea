import assert from "node:assert/strict";
import { test } from "node:test";
import { call } from "./shop.mjs";

test("a wrong password is refused", async () => {
  const { status } = await call("POST", "/sessions", { name: "ann", password: "guess" });
  assert.equal(status, 401);
});

test("a visitor can register", async () => {
  const { status } = await call("POST", "/users", { name: "ann", password: "secret" });
  assert.equal(status, 201);
});

test("a user can log in", async () => {
  const { status } = await call("POST", "/sessions", { name: "ann", password: "secret" });
  assert.equal(status, 201);
});
