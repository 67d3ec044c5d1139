import type { AndOr, CompoundList, Coproc, PipelineNode } from 'unbash';
import { OpenFile } from './descriptors.ts';
import { describe, type Job } from './jobs.ts';
import { ownOutput } from './left-behind.ts';
import { nothing, Pipe } from './pipe.ts';
import { forkedFor } from './in-place.ts';
import type { Shell } from './shell.ts';
import type { Task } from './task.ts';
import { runToEnd } from './to-end.ts';

/** Starts a command in the background: `command &`. */
export function* startJob(shell: Shell, node: PipelineNode | AndOr): Task<number> {
  yield* shell.forkRoom();
  const own = ownOutput(shell);
  const child = shell.fork(new Map([[0, new OpenFile({ source: nothing })], ...own.streams]));
  own.begin(child.process.pid);
  child.unchecked = 0;
  if (hasJobControl(shell)) child.process.isBackground = true;
  // Without job control, Ctrl-C must not reach a background command.
  else for (const signal of ['INT', 'QUIT']) child.traps.set(signal, '');
  add(shell, child, shell.source.text.slice(node.pos, node.end), runForked(child, node));
  return 0;
}

/** Whether a person types into this very shell and sees messages about jobs. */
export function hasJobControl(shell: Shell): boolean {
  return shell.isInteractive && shell.subshells === 0 && shell.on('monitor');
}

/** Prints a line such as `[1] 4711` when a job begins. */
export function* tellOfStart(shell: Shell): Task<void> {
  const job = shell.jobs.at(-1);
  if (job && hasJobControl(shell)) yield* shell.print(`[${job.id}] ${job.process.pid}\n`, 2);
}

/** Reports the end of each job once. */
export function* tellOfJobs(shell: Shell): Task<void> {
  if (shell.jobs.length === 0 || !hasJobControl(shell)) return;
  for (const job of shell.jobs) {
    if (job.status === undefined || job.isTold || job.isDisowned) continue;
    yield* shell.print(describe(job, shell.jobs, false), 2);
    job.isTold = true;
  }
  shell.jobs = shell.jobs.filter(({ isTold }) => !isTold);
}

function add(shell: Shell, child: Shell, text: string, body: Task<number>): void {
  shell.jobs = shell.jobs.filter(({ isTold }) => !isTold);
  const id = Math.max(0, ...shell.jobs.map((job) => job.id)) + 1;
  // The job starts later, because the shell goes on first after a fork.
  const ended = Promise.resolve()
    .then(() => child.process.run(runToEnd(child, body)))
    .catch(() => 137);
  child.process.text = text;
  const job: Job = {
    id,
    process: child.process,
    text,
    ended,
    status: undefined,
    isTold: false,
    isDisowned: false,
  };
  void ended.then((status) => {
    job.status = status;
    child.process.status = status;
    if (shell.on('notify')) shell.notify();
    shell.process.signal('CHLD');
  });
  shell.jobs.push(job);
  shell.lastJob = child.process.pid;
  shell.background.set(child.process.pid, ended);
}

export function* startCoprocess(shell: Shell, node: Coproc): Task<number> {
  const name = node.name?.text ?? 'COPROC';
  const [input, output] = [new Pipe(), new Pipe()];
  yield* shell.forkRoom();
  const child = shell.fork(
    new Map([
      [0, new OpenFile({ source: input.source }, () => input.source.close())],
      [1, new OpenFile({ sink: output.sink }, () => output.end())],
    ]),
  );
  const from = shell.fds.free(60);
  shell.fds.set(from, new OpenFile({ source: output.source }, () => output.source.close()));
  const to = shell.fds.free(60);
  shell.fds.set(to, new OpenFile({ sink: input.sink }, () => input.end()));
  shell.variables.setList(name, [String(from), String(to)]);
  shell.variables.set(`${name}_PID`, String(child.process.pid));
  add(shell, child, shell.source.text.slice(node.pos, node.end), runForked(child, node.body));
  return (shell.status = 0);
}

/** Runs a command that already has a process of its own, so that `( )` needs no further fork. */
export function runForked(child: Shell, node: PipelineNode | AndOr | CompoundList): Task<number> {
  forkedFor(child, node);
  return child.interpreter.run(child, node);
}
