import type Util from 'node:util';

/** `-p`: prints as the process ends, as node does. By then a promise has its result. */
export function printAtEnd(process: NodeJS.Process, value: unknown, util: typeof Util): void {
  if (value instanceof Promise) showWhatItComesTo(value, util);
  process.on('exit', () => console.log(value));
}

/** Lets `inspect` show a promise's result. The engine cannot tell it later, so we listen from the start. */
function showWhatItComesTo(promise: Promise<unknown>, { inspect }: typeof Util): void {
  let shown: ((options: Util.InspectOptionsStylized) => string) | undefined;
  // The returned promise rejects too, so that an unhandled rejection is still reported.
  void promise.then(
    (value) => {
      shown = (options) => inspect(value, options);
    },
    (error: unknown) => {
      shown = (options) => `<rejected> ${inspect(error, options)}`;
      throw error;
    },
  );
  void Object.defineProperty(promise, inspect.custom, {
    enumerable: false,
    value: (_depth: number, options: Util.InspectOptionsStylized) => {
      const text = shown?.(options) ?? options.stylize('<pending>', 'special');
      return text.includes('\n') ? `Promise {\n  ${text.replaceAll('\n', '\n  ')}\n}` : `Promise { ${text} }`;
    },
  });
}
