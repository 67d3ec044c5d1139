import type { Process } from './process.ts';

/** What runs in the background of a shell. */
export interface Job {
  readonly id: number;
  readonly process: Process;
  /** As it was written. */
  readonly text: string;
  readonly ended: Promise<number>;
  status: number | undefined;
  /** Its end has been told, by `wait` or `jobs`. */
  isTold: boolean;
  isDisowned: boolean;
}

/** `%1`, `%+`, `%-`, `%name`, `%?text` or a process. */
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

export function describe(job: Job, jobs: readonly Job[], withPid: boolean): string {
  const open = jobs.filter(({ isTold, isDisowned }) => !isTold && !isDisowned);
  const mark = job === open.at(-1) ? '+' : job === open.at(-2) ? '-' : ' ';
  const pid = withPid ? ` ${job.process.pid}` : '';
  const state =
    job.status === undefined
      ? 'Running'
      : job.status === 0
        ? 'Done'
        : job.status > 128
          ? 'Terminated'
          : `Exit ${job.status}`;
  return `[${job.id}]${mark} ${pid ? `${pid} ` : ' '}${state.padEnd(24)}${job.text}${job.status === undefined ? ' &' : ''}\n`;
}
