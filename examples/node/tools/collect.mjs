// Loaded by `node --import`: gives test files a `node:test` that collects their tests instead of running them.
import { register } from "node:module";

const source = `
export function test(name, options, body) {
  globalThis.collectedTests.push({ name, options: body ? options : {}, body: body ?? options });
}
test.skip = (name) => test(name, { skip: true }, () => {});
test.todo = (name, body) => test(name, { todo: true }, body ?? (() => {}));
export const it = test;
export default test;
`;

const hooks = `
export async function resolve(specifier, context, next) {
  if (specifier === "node:test" && !context.parentURL.endsWith("/in-order.mjs")) {
    return { url: "data:text/javascript," + encodeURIComponent(${JSON.stringify(source)}), shortCircuit: true };
  }
  return next(specifier, context);
}
`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
