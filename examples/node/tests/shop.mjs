// How the tests talk to the shop: where unknot has started one for this worker, or where `npm start` has.
const port = process.env.UNKNOT_PORT_0 ?? 3000;

export async function call(method, path, body) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    body: body && JSON.stringify(body),
    headers: { connection: "close" },
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : undefined };
}
