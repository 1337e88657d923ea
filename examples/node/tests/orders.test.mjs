import assert from "node:assert/strict";
import { test } from "node:test";
import { call } from "./shop.mjs";

// Shared by the tests of this file, in the memory of the test process.
let cart;

test("a cart can be opened", async () => {
  const { status, body } = await call("POST", "/carts");
  assert.equal(status, 201);
  cart = body.cart;
});

test("an item goes into the cart", async () => {
  const { status } = await call("POST", "/items", { cart, item: "lamp" });
  assert.equal(status, 201);
});

test("an order is placed", async () => {
  const { status, body } = await call("POST", "/orders", { cart, name: "ann" });
  assert.equal(status, 201, body);
});

test("another cart is empty", async () => {
  const { body } = await call("POST", "/carts");
  const { status } = await call("POST", "/orders", { cart: body.cart, name: "nobody" });
  assert.equal(status, 403);
});
