/** What TypeScript's own declarations are fetched in. */
export const LIBRARY_PARTS = ['core', 'dom', 'webworker'] as const;
export type LibraryPart = (typeof LIBRARY_PARTS)[number];

/** The part that a file of this name is in, such as `lib.es2023.array.d.ts`. */
export function libraryPartOf(name: string): LibraryPart | undefined {
  if (!/^lib\..*\.d\.ts$|^lib\.d\.ts$/.test(name)) return undefined;
  // The page's declarations refer to this one of the workers'.
  if (/^lib\.dom\b|^lib\.webworker\.importscripts\b/.test(name)) return 'dom';
  return /^lib\.webworker\b/.test(name) ? 'webworker' : 'core';
}
