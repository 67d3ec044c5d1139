/** The parts in which TypeScript's own declarations are fetched. */
export const LIBRARY_PARTS = ['core', 'dom', 'webworker'] as const;
export type LibraryPart = (typeof LIBRARY_PARTS)[number];

/** The part with the file of this name, such as `lib.es2023.array.d.ts`. */
export function libraryPartOf(name: string): LibraryPart | undefined {
  if (!/^lib\..*\.d\.ts$|^lib\.d\.ts$/.test(name)) return undefined;
  // The DOM declarations reference this one of the workers' declarations.
  if (/^lib\.dom\b|^lib\.webworker\.importscripts\b/.test(name)) return 'dom';
  return /^lib\.webworker\b/.test(name) ? 'webworker' : 'core';
}
