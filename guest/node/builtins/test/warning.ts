const warned = new Set<string>();

/** Emits a warning once for each process. */
export function warnExperimental(process: NodeJS.Process, what: string): void {
  if (warned.has(what)) return;
  warned.add(what);
  process.emitWarning(
    `${what} is an experimental feature and might change at any time`,
    'ExperimentalWarning',
  );
}
