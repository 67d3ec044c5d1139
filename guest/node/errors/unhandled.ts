/** The error for a promise that was rejected with something other than an error. */
export function unhandledError(reason: unknown): Error {
  const shown = describe(reason);
  const error = new Error(
    `This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "${shown}".`,
  );
  error.name = 'UnhandledPromiseRejection';
  error.stack = `${error.name}: ${error.message}\n    at throwUnhandledRejectionsMode (node:internal/process/promises:392:7)`;
  Object.defineProperty(error, 'name', { enumerable: false });
  return Object.assign(error, { code: 'ERR_UNHANDLED_REJECTION' });
}

/** Describes a value as the engine does, without calling code of the program. */
function describe(reason: unknown): string {
  if (typeof reason !== 'object' || reason === null) return String(reason);
  if (Reflect.get(reason, 'toString') !== Object.prototype.toString)
    return Object.prototype.toString.call(reason);
  const { constructor } = reason;
  return `#<${typeof constructor === 'function' && constructor.name ? constructor.name : 'Object'}>`;
}
