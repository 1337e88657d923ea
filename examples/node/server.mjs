// A shop that keeps everything in memory. POST /reset puts it back to where it began.
import http from "node:http";

let state;

function reset() {
  state = { users: new Map(), sessions: new Set(), carts: [], stock: 10, currency: "EUR" };
}

const routes = {
  "GET /health": () => [200, "up"],
  "POST /reset": () => { reset(); return [204, ""]; },
  "GET /catalogue": () => [200, { lamp: 25, currency: state.currency }],
  "GET /stock": () => [200, { lamp: state.stock }],
  "PUT /currency": ({ currency }) => { state.currency = currency; return [200, { currency }]; },
  "POST /users": ({ name, password }) => { state.users.set(name, password); return [201, { name }]; },
  "POST /sessions": ({ name, password }) => {
    if (!password || state.users.get(name) !== password) return [401, "wrong name or password"];
    state.sessions.add(name);
    return [201, { name }];
  },
  "POST /carts": () => [201, { cart: state.carts.push([]) - 1 }],
  "POST /items": ({ cart, item }) => {
    if (!state.carts[cart]) return [404, "no such cart"];
    state.carts[cart].push(item);
    return [201, { items: state.carts[cart] }];
  },
  "POST /orders": ({ cart, name }) => {
    if (!state.sessions.has(name)) return [403, "not logged in"];
    if (!state.carts[cart]?.length) return [409, "nothing in the cart"];
    state.stock -= state.carts[cart].length;
    return [201, { items: state.carts[cart] }];
  },
};

const server = http.createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => { body += chunk; });
  request.on("end", () => {
    const route = routes[`${request.method} ${request.url}`] ?? (() => [404, "no such page"]);
    const [status, answer] = route(body ? JSON.parse(body) : {});
    response.writeHead(status, { "content-type": "application/json" });
    response.end(status === 204 ? "" : JSON.stringify(answer));
  });
});

reset();
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
