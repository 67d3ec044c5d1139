import type Util from 'node:util';

/** `-p`: prints when the process ends, as node does: what a promise has come to is known then. */
export function printAtEnd(process: NodeJS.Process, value: unknown, util: typeof Util): void {
  if (value instanceof Promise) showWhatItComesTo(value, util);
  process.on('exit', () => console.log(value));
}

/** The engine tells nobody what a promise has come to: it is asked in time. */
function showWhatItComesTo(promise: Promise<unknown>, { inspect }: typeof Util): void {
  let shown: ((options: Util.InspectOptionsStylized) => string) | undefined;
  // Not handled here: a rejection is told as that of any promise.
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
