import type { EventOf } from './events.ts';
import type { PageEntry } from './page-entry.ts';

/** Something that happened in the preview, as the log shows it, or how much was left out. */
export type NotedRecord = {
  /** Unique in a session. */
  readonly id: string;
  /** When it was noted, in milliseconds since the epoch. */
  readonly time: number;
} & ({ readonly entry: PageEntry } | { readonly leftOut: number });

/** The records of one event, in order. `mask` replaces every secret in a text. */
export function notedRecords(
  { seq, time, entries, leftOut }: EventOf<'preview.noted'>,
  mask: (text: string) => string,
): readonly NotedRecord[] {
  const noted = entries.map((entry, at) => ({ id: `${seq}.${at}`, time, entry: masked(entry, mask) }));
  return leftOut === undefined ? noted : [...noted, { id: `${seq}.left-out`, time, leftOut }];
}

function masked(entry: PageEntry, mask: (text: string) => string): PageEntry {
  switch (entry.kind) {
    case 'page':
      return { ...entry, target: mask(entry.target) };
    case 'console':
      return { ...entry, text: mask(entry.text), source: mask(entry.source) };
    case 'error':
      return { ...entry, text: mask(entry.text), source: mask(entry.source), stack: mask(entry.stack) };
    case 'request': {
      const { target, problem } = entry;
      return { ...entry, target: mask(target), ...(problem !== undefined && { problem: mask(problem) }) };
    }
    case 'blocked':
      return { ...entry, url: mask(entry.url), directive: mask(entry.directive) };
  }
}
