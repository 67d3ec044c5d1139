import { startChild } from '../children.ts';
import { LentTerminal } from '../lent-terminal.ts';
import type { Program, ProgramCall } from '../program.ts';

/** Runs node, which is a process of its own. */
export const node: Program = (call) =>
  startChild(
    {
      program: { kind: 'node', args: call.args },
      cwd: call.cwd,
      env: Object.fromEntries(call.env),
      ...terminalOf(call),
      ...(call.job !== undefined && { job: call.job }),
    },
    call,
    call.signal,
    call,
    lent(call),
  );

function lent(call: ProgramCall): LentTerminal | undefined {
  const shown = call.terminal(0) ?? call.terminal(1) ?? call.terminal(2);
  return shown && new LentTerminal(shown, call.terminal(0)?.keyboard, () => call.isInFront());
}

/** The streams of a call that are the terminal, for a child that inherits them. */
export function terminalOf(call: Pick<ProgramCall, 'terminal'>) {
  const streams = ([0, 1, 2] as const).filter((stream) => call.terminal(stream));
  const [first] = streams;
  const size = first === undefined ? undefined : call.terminal(first);
  return size ? { terminal: { streams, columns: size.columns, rows: size.rows } } : {};
}
