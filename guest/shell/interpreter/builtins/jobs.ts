import { hasJobControl } from '../background.ts';
import { ShellError } from '../errors.ts';
import { isSignal } from '../../../shared/signals.ts';
import type { OuterJobs } from '../../outer-jobs.ts';
import { describe, describeOuter, jobOf, outerJobOf, type Job } from '../jobs.ts';
import { signalName, signalNumber } from '../signals.ts';
import { Interrupted, wait as waitFor, type Task } from '../task.ts';
import { runPending } from '../traps.ts';
import { flagsOf, UsageError, words, type Builtin } from './builtin.ts';
import { signalTable } from './trap.ts';
import type { Argument, Shell } from '../shell.ts';

export const jobs: Builtin = function* (shell, args) {
  const { on, rest } = flagsOf(words(args), 'lnprsx', 'jobs: usage: jobs [-lnprs] [jobspec ...]');
  yield* waitFor(Promise.resolve());
  const all = shell.jobs.length > 0 ? shell.jobs : shell.outerJobs;
  const { outer } = shell.world;
  if (outer && all.length === 0) return yield* listOuter(shell, outer, on, rest);
  const wanted =
    rest.length > 0
      ? rest.map((word) => known(shell, word))
      : all.filter(({ isTold, isDisowned }) => !isTold && !isDisowned);
  for (const job of wanted) {
    if (on.has('r') && job.status !== undefined) continue;
    if (on.has('s')) continue;
    if (on.has('p')) yield* shell.print(`${job.process.pid}\n`);
    else yield* shell.print(describe(job, all, on.has('l')));
  }
  if (shell.jobs.length > 0) for (const job of wanted) if (job.status !== undefined) job.isTold = true;
  return 0;
};

function* listOuter(
  shell: Shell,
  outer: OuterJobs,
  on: ReadonlySet<string>,
  words: readonly string[],
): Task<number> {
  const all = yield* waitFor(outer.list(words.length === 0));
  const wanted = words.length === 0 ? all : words.map((word) => outerJobOf(all, word) ?? noJob(word));
  for (const job of wanted) {
    if (on.has('s') || (on.has('r') && job.status !== undefined)) continue;
    yield* shell.print(on.has('p') ? `${job.pid}\n` : describeOuter(job, all, on.has('l')));
  }
  return 0;
}

function noJob(word: string): never {
  throw new ShellError(`${word === '%%' ? 'current' : word}: no such job`);
}

function known(shell: Shell, word: string): Job {
  return jobOf(shell.jobs, word) ?? noJob(word);
}

export const wait: Builtin = function* (shell, args) {
  const { on, values, rest } = flagsOf(words(args), 'fnp:', 'wait: usage: wait [-fn] [-p var] [id ...]');
  const target = values.get('p');
  if (target !== undefined) shell.variables.unset(target);
  try {
    if (on.has('n')) return yield* waitAny(shell, rest, target);
    if (rest.length === 0) {
      for (const [pid, ended] of [...shell.background]) {
        yield* interruptibly(shell, ended);
        shell.background.delete(pid);
      }
      for (const job of shell.jobs) waitedFor(shell, job);
      return 0;
    }
    let status = 0;
    for (const word of rest) status = yield* waitOne(shell, word, target);
    return status;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const [signal = 'TERM'] = shell.process.pending;
    yield* runPending(shell);
    return 128 + signalNumber(signal);
  }
};

/** Under job control the end of the job is still reported, so the job is not marked as reported. */
function waitedFor(shell: Shell, job: Job): void {
  if (!hasJobControl(shell)) job.isTold = true;
}

function* interruptibly<T>(shell: Shell, promise: Promise<T>): Task<T> {
  shell.process.inWait = true;
  try {
    // A pending trap runs before any wait.
    if (shell.process.pending.some((name) => name !== 'CHLD')) throw new Interrupted();
    return yield* waitFor(promise);
  } finally {
    shell.process.inWait = false;
  }
}

function* waitOne(shell: Shell, word: string, target: string | undefined): Task<number> {
  const job = jobOf(shell.jobs, word);
  const pid = job?.process.pid ?? Number(word);
  const ended = job?.ended ?? shell.background.get(pid) ?? shell.remembered.get(pid);
  if (ended === undefined) {
    const outer = yield* waitOuter(shell, word);
    if (outer !== undefined) return outer;
    if (word.startsWith('%')) throw new ShellError(`${word}: no such job`, 127);
    if (!/^\d+$/.test(word)) throw new ShellError(`\`${word}': not a pid or valid job spec`);
    throw new ShellError(`pid ${word} is not a child of this shell`, 127);
  }
  const status = yield* interruptibly(shell, ended);
  remember(shell, pid, ended, target);
  if (job) waitedFor(shell, job);
  return status;
}

/** Waits for a job that an earlier run has left behind; undefined where it is none. */
function* waitOuter(shell: Shell, word: string): Task<number | undefined> {
  const { outer } = shell.world;
  if (!outer) return undefined;
  for (;;) {
    const job = outerJobOf(yield* waitFor(outer.list()), word);
    if (!job || job.status !== undefined) return job?.status;
    yield* interruptibly(shell, new Promise((resolve) => setTimeout(resolve, LOOK_MS)));
  }
}

/** Keeps the status of a process, because a script may wait for the same process once more. */
function remember(shell: Shell, pid: number, ended: Promise<number>, target: string | undefined): void {
  shell.background.delete(pid);
  shell.remembered.set(pid, ended);
  if (target !== undefined) shell.variables.set(target, String(pid));
}

/** Waits for the next job to end. A job that has ended and was not waited for counts first. */
function* waitAny(shell: Shell, given: readonly string[], target: string | undefined): Task<number> {
  yield* waitFor(Promise.resolve());
  const wanted =
    given.length > 0
      ? given.map((word) => known(shell, word))
      : shell.jobs.filter(({ isTold, isWaited }) => !isTold && !isWaited);
  if (wanted.length === 0) return 127;
  const done =
    wanted.find(({ status }) => status !== undefined) ??
    (yield* interruptibly(shell, Promise.race(wanted.map((job) => job.ended.then(() => job)))));
  const status = yield* waitFor(done.ended);
  waitedFor(shell, done);
  done.isWaited = true;
  remember(shell, done.process.pid, done.ended, target);
  return status;
}

/** How often a job of an earlier run is looked at while it is waited for, in milliseconds. */
const LOOK_MS = 50;

const KILL_USAGE =
  'kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]';

export const kill: Builtin = function* (shell, args) {
  const rest = words(args);
  let signal = 'TERM';
  const [first] = rest;
  if (first === '-l' || first === '-L') {
    if (rest.length === 1) {
      yield* shell.print(signalTable());
      return 0;
    }
    for (const word of rest.slice(1)) {
      const name = signalName(word);
      if (name === undefined) throw new ShellError(`${word}: invalid signal specification`);
      yield* shell.print(`${/^\d+$/.test(word) ? name : signalNumber(name)}\n`);
    }
    return 0;
  }
  if (first === '-s' || first === '-n') {
    const name = signalName(rest[1] ?? '');
    if (name === undefined) throw new ShellError(`${rest[1] ?? ''}: invalid signal specification`);
    signal = name;
    rest.splice(0, 2);
  } else if (first?.startsWith('-') && first !== '--') {
    const name = signalName(first.slice(1).replace(/^[sn](?=[A-Z\d])/, ''));
    if (name === undefined) throw new ShellError(`${first.slice(1)}: invalid signal specification`);
    signal = name;
    rest.shift();
  }
  if (rest[0] === '--') rest.shift();
  if (rest.length === 0) throw new UsageError('', KILL_USAGE);
  let status = 0;
  for (const word of rest) {
    try {
      yield* send(shell, word, signal);
    } catch (error) {
      if (!(error instanceof ShellError)) throw error;
      yield* shell.complain(`kill: ${error.message}`);
      status = 1;
    }
  }
  yield* waitFor(Promise.resolve());
  shell.process.check();
  yield* runPending(shell);
  return status;
};

function* send(shell: Shell, word: string, signal: string): Task<void> {
  if (!/^(?:-?\d+|%.*)$/.test(word)) throw new ShellError(`${word}: arguments must be process or job IDs`);
  if (word.startsWith('%')) {
    const job = jobOf(shell.jobs, word);
    if (!job) {
      if (yield* sendOuter(shell, word, signal)) return;
      throw new ShellError(`${word}: no such job`);
    }
    if (signal !== 'EXIT') job.process.signal(signal);
    return;
  }
  const pid = Math.abs(Number(word));
  const process =
    pid === 0
      ? shell.process
      : (shell.world.processes.get(pid) ?? (pid === shell.pid ? shell.process : undefined));
  if (!process) {
    if (yield* sendOuter(shell, word, signal)) return;
    throw new ShellError(`(${word}) - No such process`);
  }
  if (signal !== 'EXIT') process.signal(signal);
}

/** Signals a job that an earlier run has left behind, or one of its processes. `EXIT` only looks whether it is there. */
function* sendOuter(shell: Shell, word: string, signal: string): Task<boolean> {
  const { outer } = shell.world;
  if (!outer) return false;
  const all = (yield* waitFor(outer.list())).filter(({ status }) => status === undefined);
  const job = outerJobOf(all, word);
  const pid = job?.pid ?? Math.abs(Number(word));
  const isThere =
    job !== undefined || all.some(({ processes }) => processes.some((each) => each.pid === pid));
  const name = `SIG${signal}`;
  if (!isThere || signal === 'EXIT') return isThere;
  return isSignal(name) ? yield* waitFor(outer.signal(pid, name)) : true;
}

export const disown: Builtin = (shell, args) => {
  const { on, rest } = flagsOf(
    words(args),
    'ahr',
    'disown: usage: disown [-h] [-ar] [jobspec ... | pid ...]',
  );
  const wanted =
    on.has('a') || (on.has('r') && rest.length === 0)
      ? shell.jobs
      : rest.length > 0
        ? rest.map((word) => known(shell, word))
        : [known(shell, '%%')];
  for (const job of wanted) job.isDisowned = true;
  return 0;
};

/** Brings a job to the front, where Ctrl-C ends it, and waits for it. */
export const fg: Builtin = function* (shell, args) {
  const job = controlled(shell, args);
  yield* shell.print(`${job.text}\n`);
  job.isTold = true;
  job.process.isBackground = false;
  const status = yield* waitFor(job.ended);
  shell.background.delete(job.process.pid);
  return status;
};

/** Jobs cannot be stopped here, so the job is running in the background already. */
export const bg: Builtin = function* (shell, args) {
  const job = controlled(shell, args);
  yield* shell.complain(`bg: job ${job.id} already in background`);
  return 0;
};

function controlled(shell: Shell, args: readonly Argument[]): Job {
  if (!hasJobControl(shell)) throw new ShellError('no job control');
  const [word = '%%'] = words(args);
  return known(shell, /^\d/.test(word) ? `%${word}` : word);
}
