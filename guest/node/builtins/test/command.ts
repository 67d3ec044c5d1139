import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import { count, durationOf, noTests, type TestEvent } from './events.ts';
import { TestFailure } from './failure.ts';
import { testFiles } from './files.ts';
import { testFlags } from './options.ts';
import { reportedFiles, REPORTS_FILES, WatchedFiles } from '../../watching.ts';
import { CHILD_CONTEXT, EVENT_MARK, reporterFor } from './output.ts';

interface FileRun {
  readonly file: string;
  readonly events: TestEvent[];
  exitCode: number | undefined;
  signal: string | undefined;
  started: number;
  ended: number;
  /** A result of its tests has been told, and one that failed. */
  counted: boolean;
  failing: boolean;
}

/**
 * `node --test`: every file in a process of its own, a few at once, told in the order of their names. Answers the exit
 * code. `flags`: those of node that the files' processes get too, such as `--import`; they are also what this run goes by.
 * `watches`: goes on, with the files that a change concerns and with new ones, until it is told to end.
 */
export async function runTestCommand(
  host: NodeHost,
  load: LoadBuiltin,
  patterns: readonly string[],
  flags: readonly string[],
  watches = false,
): Promise<number> {
  const { process } = host;
  const chosen = testFiles(load, process.cwd(), patterns);
  if ('missing' in chosen) {
    process.stderr.write(`Could not find '${chosen.missing}'\n`);
    return 1;
  }
  let { files } = chosen;
  let failed = false;
  let running = Promise.resolve();
  const watched = watches
    ? new WatchedFiles(load('fs'), (hit) => {
        running = running.then(async () => {
          const known = new Set(files);
          const found = testFiles(load, process.cwd(), patterns);
          if (!('missing' in found)) files = found.files;
          const concerned = files.filter((file) => hit.has(file) || !known.has(file));
          if (concerned.length > 0) failed = await runFiles(host, load, concerned, flags, { watched });
        });
      })
    : undefined;
  running = runFiles(host, load, files, flags, { watched, starts: true }).then(
    (anyFailed) => void (failed = anyFailed),
  );
  await running;
  if (!watched) return failed ? 1 : 0;
  watched.addNames(NEW_FILES, process.cwd());
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(failed ? 1 : 0));
  });
}

/** Whom new files concern. */
const NEW_FILES = '';

interface HowToRun {
  readonly watched: WatchedFiles | undefined;
  /** The first of them. */
  readonly starts?: boolean;
}

/** Answers whether any failed. */
async function runFiles(
  host: NodeHost,
  load: LoadBuiltin,
  files: readonly string[],
  flags: readonly string[],
  { watched, starts = false }: HowToRun,
): Promise<boolean> {
  const { process } = host;
  const cwd = process.cwd();
  const { reporter: asked, concurrency } = testFlags(flags);
  const reporter = reporterFor(process, asked);
  const counters = noTests();
  const begun = performance.now();
  const handle = host.handle();
  let failed = false;
  if (starts) process.stdout.write(reporter.start());
  // `number`: what a result at the top is counted as, where that is not the next one.
  const tell = (event: TestEvent, number?: number) => {
    let told = event;
    if (event.type === 'pass' || event.type === 'fail') {
      if (event.nesting === 0) told = { ...event, testNumber: number ?? counters.topLevel + 1 };
      count(counters, event);
      failed ||= event.type === 'fail' && event.todo === undefined;
    }
    const text = reporter.report(told);
    if (text) process.stdout.write(text);
  };
  const runs: FileRun[] = files.map((file) => ({
    file,
    events: [],
    exitCode: undefined,
    signal: undefined,
    started: 0,
    ended: 0,
    counted: false,
    failing: false,
  }));
  let telling = 0;
  const drain = () => {
    for (; telling < runs.length; telling++) {
      const run = runs[telling];
      if (!run) return;
      for (const event of run.events.splice(0)) {
        if (event.type === 'plan' && event.nesting === 0) continue;
        tell(event);
        run.counted ||= event.type === 'pass' || event.type === 'fail';
        run.failing ||= event.type === 'fail';
      }
      if (run.exitCode === undefined) return;
      for (const event of ofFile(run, cwd, load)) tell(event, telling + 1);
    }
  };
  try {
    const waiting = [...runs];
    const atOnce = concurrency ?? Math.max(1, load('os').availableParallelism() - 1);
    await Promise.all(
      Array.from({ length: Math.min(atOnce, runs.length) }, async () => {
        for (let run = waiting.shift(); run; run = waiting.shift()) {
          await runFile(host, run, cwd, flags, drain, watched);
          drain();
        }
      }),
    );
  } finally {
    handle.release();
  }
  drain();
  process.stdout.write(reporter.end(counters, durationOf(begun, performance.now())));
  return failed;
}

/** What is told of a file itself: that it failed otherwise than in a test, or that it had none. */
function* ofFile(run: FileRun, cwd: string, load: LoadBuiltin): Generator<TestEvent> {
  const broken = run.exitCode !== 0 || run.signal !== undefined;
  if (run.counted && (!broken || run.failing)) return;
  const name = load('path').relative(cwd, run.file);
  const place = { file: run.file, line: 1, column: 1 };
  const result = {
    name,
    nesting: 0,
    place,
    testNumber: 0,
    kind: 'test' as const,
    durationMs: durationOf(run.started, run.ended),
  };
  yield { type: 'start', name, nesting: 0, place };
  if (!broken) yield { type: 'pass', ...result };
  else {
    const failure = new TestFailure('test failed', 'testCodeFailure');
    const how = { exitCode: run.signal ? null : run.exitCode, signal: run.signal ?? null };
    yield { type: 'fail', ...result, failed: failure.report(how) };
  }
}

function runFile(
  host: NodeHost,
  run: FileRun,
  cwd: string,
  flags: readonly string[],
  changed: () => void,
  watched: WatchedFiles | undefined,
): Promise<void> {
  const env = Object.fromEntries(
    Object.entries({
      ...host.process.env,
      NODE_TEST_CONTEXT: CHILD_CONTEXT,
      ...(watched && { [REPORTS_FILES]: '1' }),
    }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  run.started = performance.now();
  return new Promise((resolve) => {
    const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
    let held = '';
    const stdout = (text: string) => {
      held += text;
      const lines = held.split('\n');
      held = lines.pop() ?? '';
      let plain = '';
      for (const line of lines) {
        const event = eventOf(line);
        if (!event) {
          plain += `${line}\n`;
          continue;
        }
        if (plain) run.events.push({ type: 'stdout', text: plain });
        plain = '';
        run.events.push(event);
      }
      if (plain) run.events.push({ type: 'stdout', text: plain });
      changed();
    };
    const child = host.start(
      {
        program: { kind: 'node', args: [...flags, run.file] },
        cwd,
        env,
        ...(watched && { channel: true }),
      },
      {
        message: (message) => {
          for (const file of reportedFiles(message)) watched?.add(run.file, file);
        },
        started: () => {},
        output: (stream, bytes) => {
          const text = decoders[stream].decode(bytes as Uint8Array<ArrayBuffer>, { stream: true });
          if (stream === 1) stdout(text);
          else {
            run.events.push({ type: 'stderr', text });
            changed();
          }
        },
        exited: (code, signal) => {
          if (held) run.events.push({ type: 'stdout', text: held });
          run.exitCode = code;
          run.signal = signal;
          run.ended = performance.now();
          resolve();
        },
      },
    );
    child.endInput();
  });
}

function eventOf(line: string): TestEvent | undefined {
  if (!line.startsWith(EVENT_MARK)) return undefined;
  try {
    return JSON.parse(line.slice(EVENT_MARK.length)) as TestEvent;
  } catch {
    return undefined;
  }
}
