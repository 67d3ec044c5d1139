import type { AgentRun } from '../agent-runs.ts';
import { bold, cyan, dim, green, harmless, red, RESET } from './ansi.ts';

const GUTTER = cyan('┃ ');
/** A longer line is shown before its end has arrived. */
const LONGEST = 4_096;

/**
 * Shows the agent's runs as blocks of whole lines, each behind a gutter that a command's output cannot draw,
 * so that nobody mistakes the agent's commands for the person's.
 */
export class AgentBlocks {
  readonly #runs = new Map<string, { command: string; partial: string }>();
  #shown: string | undefined;

  /** Returns whole lines to print now; empty if there are none yet. */
  add(run: AgentRun): string {
    if (run.type === 'started') {
      this.#runs.set(run.id, { command: run.command, partial: '' });
      this.#shown = run.id;
      return heading(run.command);
    }
    const known = this.#runs.get(run.id);
    if (!known) return '';
    if (run.type === 'output') return this.#output(run.id, known, run.text);
    this.#runs.delete(run.id);
    const rest = known.partial ? lines(known.partial) : '';
    return this.#as(run.id, known.command, rest + GUTTER + ending(run) + '\n');
  }

  #output(id: string, run: { command: string; partial: string }, text: string): string {
    const all = run.partial + text;
    const end = all.length > LONGEST ? all.length : all.lastIndexOf('\n') + 1;
    run.partial = all.slice(end);
    return end === 0 ? '' : this.#as(id, run.command, lines(all.slice(0, end)));
  }

  /** If runs overlap, a heading at every change of run says whose lines follow. */
  #as(id: string, command: string, text: string): string {
    if (this.#shown === id) return text;
    this.#shown = id;
    return heading(command) + text;
  }
}

function heading(command: string): string {
  const [first = '', ...rest] = harmless(command).split('\n');
  const more = rest.map((row) => `${GUTTER}        ${bold(row)}\n`);
  return `${GUTTER}${cyan('agent ▸')} ${bold(first)}\n${more.join('')}`;
}

function lines(text: string): string {
  return harmless(text)
    .replace(/\n$/, '')
    .split('\n')
    .map((row) => `${GUTTER}${row}${RESET}\n`)
    .join('');
}

const OUTCOMES = {
  failed: 'failed',
  denied: 'not allowed',
  cancelled: 'stopped',
  interrupted: 'interrupted',
  invalid: 'not run',
} as const;

function ending(run: AgentRun & { type: 'ended' }): string {
  const took = dim(` · ${(run.durationMs / 1000).toFixed(1)} s`);
  const exit = run.exitCode === undefined ? undefined : `exit ${run.exitCode}`;
  if (run.outcome === 'ok' && exit) return (run.exitCode === 0 ? green(exit) : red(exit)) + took;
  if (run.outcome === 'ok') return green('done') + took;
  return red(exit ? `${OUTCOMES[run.outcome]} · ${exit}` : OUTCOMES[run.outcome]) + took;
}
