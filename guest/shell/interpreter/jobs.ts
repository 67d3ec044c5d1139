import type { OuterJob } from '../outer-jobs.ts';
import type { Process } from './process.ts';
import { signalName } from './signals.ts';

/** A background job of a shell. */
export interface Job {
  readonly id: number;
  readonly process: Process;
  /** The command as the script has it. */
  readonly text: string;
  readonly ended: Promise<number>;
  status: number | undefined;
  /** True once `wait`, `jobs` or a message has reported its end. */
  isTold: boolean;
  /** Set once `wait -n` has returned its status. */
  isWaited?: true;
  isDisowned: boolean;
}

/** Finds a job by `%1`, `%+`, `%-`, `%name`, `%?text` or the number of its process. */
export function jobOf(jobs: readonly Job[], word: string): Job | undefined {
  if (!word.startsWith('%')) return jobs.find(({ process }) => String(process.pid) === word);
  const spec = word.slice(1);
  const open = jobs.filter(({ isTold }) => !isTold);
  if (spec === '' || spec === '+' || spec === '%') return open.at(-1);
  if (spec === '-') return open.at(-2) ?? open.at(-1);
  if (/^\d+$/.test(spec)) return jobs.findLast(({ id }) => id === Number(spec));
  if (spec.startsWith('?')) return open.findLast(({ text }) => text.includes(spec.slice(1)));
  return open.findLast(({ text }) => text.startsWith(spec));
}

/** bash's words for the end of a job by a signal. */
const ENDED_BY: Readonly<Record<string, string>> = {
  HUP: 'Hangup',
  INT: 'Interrupt',
  QUIT: 'Quit',
  ABRT: 'Aborted',
  KILL: 'Killed',
  USR1: 'User defined signal 1',
  USR2: 'User defined signal 2',
  PIPE: 'Broken pipe',
  ALRM: 'Alarm clock',
  TERM: 'Terminated',
};

export function describe(job: Job, jobs: readonly Job[], withPid: boolean): string {
  const open = jobs.filter(({ isTold, isDisowned }) => !isTold && !isDisowned);
  const mark = job === open.at(-1) ? '+' : job === open.at(-2) ? '-' : ' ';
  return line({ ...job, pid: job.process.pid }, mark, withPid);
}

/** Describes a job that an earlier run has left behind. `all` are all of them, oldest first. */
export function describeOuter(job: OuterJob, all: readonly OuterJob[], withPid: boolean): string {
  const mark = job === all.at(-1) ? '+' : job === all.at(-2) ? '-' : ' ';
  const { number: id, command: text, pid, status } = job;
  return line({ id, text, pid, status }, mark, withPid);
}

function line(
  { id, text, pid, status }: Pick<Job, 'id' | 'text' | 'status'> & { readonly pid: number },
  mark: string,
  withPid: boolean,
): string {
  const state =
    status === undefined
      ? 'Running'
      : status === 0
        ? 'Done'
        : (status > 128 && ENDED_BY[signalName(String(status)) ?? '']) || `Exit ${status}`;
  return `[${id}]${mark} ${withPid ? ` ${pid} ` : ' '}${state.padEnd(24)}${text}${status === undefined ? ' &' : ''}\n`;
}

/** Finds a job that an earlier run has left behind, as {@link jobOf} does. */
export function outerJobOf(jobs: readonly OuterJob[], word: string): OuterJob | undefined {
  if (!word.startsWith('%')) return jobs.find(({ pid }) => String(pid) === word);
  const spec = word.slice(1);
  const running = jobs.filter(({ status }) => status === undefined);
  if (spec === '' || spec === '+' || spec === '%') return running.at(-1);
  if (spec === '-') return running.at(-2) ?? running.at(-1);
  if (/^\d+$/.test(spec)) return jobs.findLast(({ number }) => number === Number(spec));
  if (spec.startsWith('?')) return running.findLast(({ command }) => command.includes(spec.slice(1)));
  return running.findLast(({ command }) => command.startsWith(spec));
}
