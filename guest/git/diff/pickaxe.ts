import { asText, utf8 } from '../kit/bytes.ts';
import { Kept } from '../kit/kept.ts';
import type { Version } from '../kit/trees.ts';
import { contentsOf } from './patch.ts';
import type { Change, ReadVersion } from './renames.ts';

export interface Pickaxe {
  readonly text: string;
  readonly isPattern: boolean;
  readonly isRegex: boolean;
}

/** How many bytes of the traces of contents are kept: a content is the new side of one commit and the old one of the next. */
const KEPT_BYTES = 4_000_000;
/** About how much an entry takes up besides its text. */
const ENTRY_BYTES = 150;

/** The traces that were found, by what was looked for. One walk over the history asks with one and the same object. */
const tracesOf = new WeakMap<Pickaxe, Kept<string, string | number>>();

/** The changes in which a text comes or goes. */
export async function picked(
  changes: readonly Change[],
  read: ReadVersion,
  pickaxe: Pickaxe,
): Promise<Change[]> {
  const traces = tracesOf.get(pickaxe) ?? new Kept<string, string | number>(KEPT_BYTES);
  tracesOf.set(pickaxe, traces);
  const trace = traceIn(pickaxe);
  const traced = async (change: Change, version: Version | undefined, side: 'before' | 'after') => {
    const known = version && traces.get(version.oid);
    if (known !== undefined) return known;
    const one = { ...change, before: undefined, after: undefined, [side]: version };
    const found = trace((await contentsOf(one, read))[side]);
    if (version)
      traces.set(version.oid, found, ENTRY_BYTES + (typeof found === 'string' ? 2 * found.length : 0));
    return found;
  };
  const found: Change[] = [];
  for (const change of changes) {
    const { before, after } = change;
    if (before && after && before.oid === after.oid) continue;
    if ((await traced(change, before, 'before')) !== (await traced(change, after, 'after')))
      found.push(change);
  }
  return found;
}

/** Makes the function that finds what two contents are compared by: their lines that match, or how often they have the text. */
function traceIn({ text, isPattern, isRegex }: Pickaxe): (bytes: Uint8Array) => string | number {
  if (isPattern) {
    const regex = new RegExp(text);
    const mayMatch = probe(text);
    return (bytes) => {
      const all = asText(bytes);
      if (!mayMatch(all)) return '';
      return all
        .split('\n')
        .filter((line) => regex.test(line))
        .join('\n');
    };
  }
  if (isRegex) return (bytes) => [...asText(bytes).matchAll(new RegExp(text, 'gm'))].length;
  if (text === '') return (bytes) => asText(bytes).length;
  const wanted = utf8(text);
  return (bytes) => countOf(bytes, wanted);
}

/** Whether a content as a whole may match. Patterns without special characters are told at once. */
function probe(text: string): (all: string) => boolean {
  return /^[\w ,:;'"<>=@#%&!~/-]+$/.test(text) ? (all) => all.includes(text) : () => true;
}

/** How often some bytes are in others, without overlaps. */
function countOf(bytes: Uint8Array, wanted: Uint8Array): number {
  const last = wanted.length - 1;
  // How far the end of the text may move on after a byte: to where that byte is in it for the last time.
  const steps = new Uint32Array(256).fill(wanted.length);
  for (let at = 0; at < last; at++) steps[wanted[at] ?? 0] = last - at;
  let count = 0;
  for (let end = last; end < bytes.length;) {
    let back = 0;
    while (back <= last && bytes[end - back] === wanted[last - back]) back++;
    if (back > last) count++;
    end += back > last ? wanted.length : (steps[bytes[end] ?? 0] ?? 1);
  }
  return count;
}
