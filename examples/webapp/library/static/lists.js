"use strict";
// Renders the reading lists from the JSON API. `data-rendered` counts how often that was done, so that a test that waits
// for a change can tell the new lists from the old ones.

const lists = document.querySelector("#lists");
const problem = document.querySelector("#problem");
const wanted = document.querySelector("#wanted");
const matches = document.querySelector("#matches");

async function ask(method, address, body) {
  const response = await fetch(address, {
    method,
    headers: body && { "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
    cache: "no-store",
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

function element(tag, text, attributes = {}) {
  const made = Object.assign(document.createElement(tag), attributes);
  made.textContent = text;
  return made;
}

function rendered(list) {
  const box = element("article", "", { className: "list" });
  const books = element("ul", "");
  books.append(...list.books.map((title) => element("li", title)));
  const form = element("form", "");
  const title = element("input", "", { name: "title", autocomplete: "off" });
  title.setAttribute("aria-label", `Title for ${list.name}`);
  form.append(title, element("button", "Put on list"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    change("POST", `/api/lists/${list.number}/books`, { title: title.value });
  });
  const remove = element("button", "Remove list");
  remove.addEventListener("click", () => change("DELETE", `/api/lists/${list.number}`));
  box.append(element("h2", list.name), books, form, remove);
  return box;
}

async function render() {
  const all = await ask("GET", "/api/lists");
  lists.replaceChildren(...all.map(rendered));
}

async function change(method, address, body) {
  problem.hidden = true;
  try {
    if (method) await ask(method, address, body);
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
  await render();
  lists.dataset.rendered = Number(lists.dataset.rendered) + 1;
}

document.querySelector("#new-list").addEventListener("submit", (event) => {
  event.preventDefault();
  change("POST", "/api/lists", { name: new FormData(event.target).get("name") });
});

wanted.addEventListener("input", async () => {
  const text = wanted.value;
  const found = text ? await ask("GET", `/api/books?q=${encodeURIComponent(text)}`) : [];
  if (text !== wanted.value) return; // an answer that came too late
  matches.replaceChildren(...found.map((book) => element("li", `${book.title} by ${book.author}`)));
  matches.dataset.wanted = text;
});

change();
