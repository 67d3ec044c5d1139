import type { LoadBuiltin } from '../builtin.ts';
import { inspect } from '../internal/inspect.ts';
import { isError } from '../util/types.ts';
import { raise } from './assertion-error.ts';
import { callText } from './source.ts';

/** Makes the check of `assert()` and `assert.ok()`, which shows the text of the failed call. */
export function makeTruthy(load: LoadBuiltin) {
  const read = (path: string) => {
    try {
      return load('fs').readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  };

  return function truthy(start: (...args: unknown[]) => void, args: unknown[]): void {
    const [value, message] = args;
    if (value) return;
    if (isError(message)) throw message;
    let text = message;
    const generated = message === undefined || message === null;
    if (args.length === 0) text = 'No value argument passed to `assert.ok()`';
    else if (generated) {
      const at = new Error();
      Error.captureStackTrace(at, start);
      const call = callText(at.stack ?? '', read);
      text =
        call === undefined
          ? `${inspect(value)} == true`
          : `The expression evaluated to a falsy value:\n\n  ${call.replaceAll('\n', '\n  ')}\n`;
    }
    raise({ actual: value, expected: true, message: text, operator: '==', stackStartFn: start }, generated);
  };
}
