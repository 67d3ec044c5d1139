/** Returns what a REPL prints for an error that nothing caught. `write` prints values. */
export function uncaughtInRepl(
  error: unknown,
  write: (value: unknown) => string,
  breakLength: number,
): string {
  trim(error);
  let text = write(error);
  if (error instanceof Error && text.startsWith('[') && text.endsWith(']')) text = text.slice(1, -1);
  const lines = text.split(/(?<=\n)/);
  const first = lines.findIndex((line) => /^\[?(?:[A-Z][a-z0-9_]*)*Error/.test(line));
  if (first < 0) return `Uncaught${lines.length === 1 ? ' ' : ':\n'}${text}\n`;
  const head = (lines[first]?.length ?? 0) <= breakLength ? 'Uncaught ' : 'Uncaught:\n';
  const shown = [...lines.slice(0, first), head, ...lines.slice(first)].join('');
  return shown.endsWith('\n') ? shown : `${shown}\n`;
}

/** Takes the frames away that are of the REPL itself: those from its evaluated text on, or all of a text that does not parse. */
function trim(error: unknown): void {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return;
  const { stack } = error;
  const shown =
    error instanceof SyntaxError
      ? stack.replace(/^\s+at\s.*\n?/gm, '').trimEnd()
      : stack.replace(
          /\n {4}at (?:(?:eval|Timeout\._onTimeout|Immediate\._onImmediate) \()?REPL\d+:\d+:\d+\)?(?:\n {4}at .*)*$/,
          '',
        );
  if (shown !== stack)
    Object.defineProperty(error, 'stack', { value: shown, configurable: true, writable: true });
}
