import { hintFor } from './closest.ts';

/**
 * Throws if the options of a call have an unknown name. Playwright runs tests without checking types, so a misspelt option
 * would otherwise be as if it were not there. `call` names the call for the error.
 */
export function requireKnownOptions(call: string, given: object, names: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const hint = hintFor(unknown, names, `It has ${names.join(', ')}.`);
  throw new Error(`${call} has no option "${unknown}". ${hint}`);
}
