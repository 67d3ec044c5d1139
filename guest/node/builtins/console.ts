import type { LoadBuiltin } from './builtin.ts';
import { callable } from './callable.ts';
import { makeConsoleClass } from './console/console-class.ts';
import type { Sink } from './console/printer.ts';

/** Makes `node:console`: the class and the global console. */
export function makeConsole(load: LoadBuiltin, stdout: () => Sink, stderr: () => Sink) {
  const Console = makeConsoleClass(load('util'));
  const console = new Console({ stdout: { write() {} } })._useProcess(stdout, stderr);
  Object.defineProperty(Console, Symbol.hasInstance, {
    value: (value: unknown) =>
      value === console || Function.prototype[Symbol.hasInstance].call(Console, value),
    configurable: true,
  });
  const own = { ...console, ...ofEngine(), Console: callable(Console) };
  for (const name of Object.keys(console)) Reflect.deleteProperty(console, name);
  for (const name of ORDER)
    if (name in own)
      Object.defineProperty(console, name, {
        value: Reflect.get(own, name),
        enumerable: true,
        writable: true,
        configurable: true,
      });
  // Node's global console has a plain prototype, although `instanceof Console` is true for it.
  Object.setPrototypeOf(console, {});
  Object.defineProperty(console, Symbol.toStringTag, { value: 'console', configurable: true });
  return console;
}

/** The members of the global console, in node's order. */
const ORDER =
  'log info debug warn error dir time timeEnd timeLog trace assert clear count countReset group groupEnd table dirxml groupCollapsed Console profile profileEnd timeStamp context createTask'.split(
    ' ',
  );

/** The members of the engine's own console that node exposes. */
function ofEngine(): Record<string, unknown> {
  const names = ['context', 'createTask'].filter((name) => typeof Reflect.get(console, name) === 'function');
  return Object.fromEntries(names.map((name) => [name, Reflect.get(console, name)]));
}
