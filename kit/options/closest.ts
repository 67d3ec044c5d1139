import { slips } from '../../src/base/slips.ts';

const LONG = 8;

/** The name that was probably meant: one that differs by one slip, or by two if it is long. `undefined` if none does. */
export function closest(given: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, away: slips(given, name) }))
    .toSorted((one, other) => one.away - other.away);
  return best && best.away <= (best.name.length < LONG ? 1 : 2) ? best.name : undefined;
}

/** Asks whether the closest of the names was meant, or else says `otherwise`. */
export function hintFor(given: string, names: readonly string[], otherwise: string): string {
  const meant = closest(given.toLowerCase(), names);
  return meant === undefined ? otherwise : `Did you mean "${meant}"?`;
}
