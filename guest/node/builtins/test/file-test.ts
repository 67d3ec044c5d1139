import type { NodeHost } from '../builtin.ts';
import { membersOf } from '../internal/guards.ts';
import { count, type TestEvent, type TestsStream } from './events.ts';
import { cancelling, testFailure } from './failure.ts';
import type { Harness } from './harness.ts';
import { CHILD_CONTEXT } from './options.ts';
import { Test, type TestParts } from './test.ts';
import { EventReader } from './wire.ts';

/** Matches the summary of one process. The summary of all files comes at the end. */
const OWN_SUMMARY = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) \S+$/;

/** A file of tests, which another process runs. Told only where its tests do not say all. */
export class FileTest extends Test {
  readonly #waiting: TestEvent[] = [];
  #told = 0;
  hasFailed = false;

  constructor(parts: TestParts, parent: Test, harness: Harness, stream: TestsStream) {
    super(parts, parent, harness, stream);
  }

  get #isTold(): boolean {
    return this.#told > 0 && (!this.error || membersOf(this.error).failureType === 'subtestsFailed');
  }

  hear(event: TestEvent): void {
    if (event.type === 'test:pass' || event.type === 'test:fail') {
      this.#told++;
      if (event.data.nesting === 0 && event.type === 'test:fail') this.hasFailed = true;
    }
    if (!this.mayTell()) return void this.#waiting.push(event);
    this.#drain();
    this.#pass(event);
  }

  #drain(): void {
    for (const event of this.#waiting.splice(0)) this.#pass(event);
  }

  #pass({ type, data }: TestEvent): void {
    const { harness } = this;
    const isTop = data.nesting === 0;
    if (isTop && type === 'test:plan' && this.#isTold) return;
    if (isTop && type === 'test:diagnostic' && OWN_SUMMARY.test(data.message ?? '')) return;
    if (type === 'test:pass' || type === 'test:fail') {
      if (isTop) data.testNumber = harness.counters.topLevel + 1;
      const fine = count(harness.counters, {
        nesting: data.nesting ?? 0,
        kind: data.details?.type,
        isSkipped: data.skip !== undefined,
        isTodo: data.todo !== undefined,
        isCancelled: cancelling.has(membersOf(data.details?.error).failureType),
        passed: type === 'test:pass',
      });
      harness.success &&= fine;
    }
    this.stream.tell(type, data);
  }

  override reportStart(): void {}

  protected override report(): void {
    this.#drain();
    if (this.#isTold) return;
    super.reportStart();
    super.report();
  }
}

export interface FileRun {
  readonly host: NodeHost;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Receives the messages of the process, in watch mode. */
  readonly message?: (message: unknown) => void;
  /** Receives a function that ends the process, once it runs. */
  readonly started?: (end: () => void) => void;
}

/** Runs the process of a file of tests; rejects where it ends badly. */
export async function runFile(test: FileTest, file: string, run: FileRun): Promise<void> {
  const { host, args, cwd, signal, message } = run;
  const env = Object.fromEntries(
    Object.entries({ ...run.env, NODE_TEST_CONTEXT: CHILD_CONTEXT }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const text = (type: string, said: string) =>
    test.hear({ type, data: { file: type === 'test:stdout' ? test.name : file, message: said } });
  const reader = new EventReader(
    test.harness.tools.load,
    (event) => test.hear(event),
    (said) => text('test:stdout', said),
  );
  const errors = new TextDecoder();
  let held = '';
  const handle = host.handle();
  const how = await new Promise<{ code: number; signal: string | null }>((resolve) => {
    const child = host.start(
      { program: { kind: 'node', args: [...args] }, cwd, env, ...(message && { channel: true }) },
      {
        ...(message && { message }),
        started: () => {},
        output: (stream, bytes) => {
          if (stream === 1) return reader.read(bytes);
          held += errors.decode(bytes as Uint8Array<ArrayBuffer>, { stream: true });
          const lines = held.split('\n');
          held = lines.pop() ?? '';
          for (const line of lines) text('test:stderr', `${line}\n`);
        },
        exited: (code, by) => resolve({ code, signal: by ?? null }),
      },
    );
    child.endInput();
    const end = () => child.signal('SIGTERM');
    signal.addEventListener('abort', end, { once: true });
    run.started?.(end);
  });
  handle.release();
  reader.end();
  if (held) text('test:stderr', `${held}\n`);
  if (how.code === 0 && how.signal === null) return;
  const failure = testFailure('test failed', test.hasFailed ? 'subtestsFailed' : 'testCodeFailure');
  const exitCode = how.signal === null ? how.code : null;
  Reflect.deleteProperty(failure, 'cause');
  Object.assign(failure, { cause: 'test failed', exitCode, signal: how.signal });
  Object.defineProperty(failure, 'stack', { value: undefined, configurable: true, writable: true });
  throw failure;
}
