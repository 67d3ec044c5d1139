import { unlessAborted } from '../../base/abort.ts';
import { FaultError } from '../../base/fault.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Timer } from '../../base/timer.ts';
import { ROOT, type Process, type ReadLimits, type Workspace } from '../../workspace/workspace.ts';
import { MARK } from '../../base/host-lines.ts';
import {
  fromHostSchema,
  type FromHost,
  type HookName,
  type RunContext,
  type Service,
  type ToHost,
} from '../../protocol/custom-tools.ts';

/** How long loading modules and running a hook may take, in milliseconds. */
const LOAD_MS = 15_000;
const HOOK_MS = 10_000;
/** How long a tool may take to stop, in milliseconds; then the host is killed, and the state of its modules is lost. */
const STOP_MS = 1_000;
/** The maximum length of one message, in characters. */
const MAX_MESSAGE = 16_000_000;

/** Handles what a tool asks for while it runs. */
export interface RunEvents {
  service(service: Service): Promise<Json>;
  metadata(update: JsonObject): void;
  log(text: string): void;
}

export type LoadedCode = Omit<FromHost & { kind: 'loaded' }, 'kind' | 'id'>;
export type ToolSpec = Omit<FromHost & { kind: 'made' }, 'kind' | 'id'>;

type Answer = FromHost & { kind: 'loaded' | 'made' | 'done' | 'failed' };

/** A message without its `id`, which the link adds. */
type WithoutID<T extends ToHost> = T extends { readonly id: number } ? Omit<T, 'id'> : never;

/** An error that code in the host threw, with its original name. */
class HostedError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/**
 * The code that starts the host: the first line of its input is the program, the others are messages. It must not
 * contain single quotes, as it is passed to the shell in single quotes.
 */
const START = `let b="";const q=[];let f=(l)=>{f=null;globalThis.vitrineHost={require,process,listen(g){f=g;q.splice(0).forEach(g)}};(0,eval)(JSON.parse(l))};process.stdin.setEncoding("utf8");process.stdin.on("data",(d)=>{b+=d;for(let i;(i=b.indexOf("\\n"))>=0;){const l=b.slice(0,i);b=b.slice(i+1);if(f)f(l);else q.push(l)}})`;

/** The connection to one host process of a workspace. */
export class HostLink {
  readonly #process: Process;
  readonly #timer: Timer;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #runs = new Map<number, RunEvents>();
  #next = 1;
  #buffer = '';
  #queue: Promise<unknown> = Promise.resolve();
  #endReason: string | null = null;
  #stopping: Promise<void> = Promise.resolve();
  #isReplaced = false;

  constructor(workspace: Workspace, program: string, reads: ReadLimits, timer: Timer) {
    this.#timer = timer;
    this.#process = workspace.spawn(`node -e '${START}'`, { cwd: ROOT, reads });
    this.#process.write(`${JSON.stringify(program)}\n`);
    void this.#listen();
  }

  get isDead(): boolean {
    return this.#endReason !== null;
  }

  /** Whether the process was killed so that another takes its place, which is no fault of what was asked of it. */
  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  /** Resolves, after a second at most, when it is known whether the process outlives the call that was told to stop. */
  get stopping(): Promise<void> {
    return this.#stopping;
  }

  async load(message: Omit<ToHost & { kind: 'load' }, 'id' | 'kind'>): Promise<LoadedCode> {
    const answer = await this.#ask({ kind: 'load', ...message }, LOAD_MS);
    if (answer.kind !== 'loaded') throw unexpected();
    return answer;
  }

  async init(tool: string, agent: string): Promise<ToolSpec> {
    const answer = await this.#ask({ kind: 'init', tool, agent }, LOAD_MS);
    if (answer.kind !== 'made') throw unexpected();
    return answer;
  }

  async hook(name: HookName, call: JsonObject, change: JsonObject): Promise<Json> {
    const answer = await this.#ask({ kind: 'hook', name, call, change }, HOOK_MS);
    if (answer.kind !== 'done') throw unexpected();
    return answer.value;
  }

  /** Runs one call after the other, because everything that code asks for is attributed to the running call. */
  run(tool: string, args: Json, context: RunContext, events: RunEvents, abort: AbortSignal): Promise<Json> {
    const before = this.#queue;
    const result = unlessAborted(abort, before, cancelled).then(() =>
      this.#run(tool, args, context, events, abort),
    );
    this.#queue = Promise.allSettled([before, result]);
    return result;
  }

  async #run(
    tool: string,
    args: Json,
    context: RunContext,
    events: RunEvents,
    abort: AbortSignal,
  ): Promise<Json> {
    if (abort.aborted) throw cancelled();
    const id = this.#next;
    this.#runs.set(id, events);
    let cancelKill = () => {};
    let ended = () => {};
    const stop = () => {
      this.#send({ kind: 'abort', run: id });
      this.#stopping = new Promise((resolve) => (ended = resolve));
      cancelKill = this.#timer.after(STOP_MS, () => {
        this.#isReplaced = true;
        this.kill('A custom tool did not stop when it was told to.');
      });
    };
    abort.addEventListener('abort', stop, { once: true });
    try {
      const answer = await this.#ask({ kind: 'run', tool, args, context }, null);
      if (answer.kind !== 'done') throw unexpected();
      return answer.value;
    } finally {
      abort.removeEventListener('abort', stop);
      cancelKill();
      ended();
      this.#runs.delete(id);
    }
  }

  /** Kills the process once the calls that it was given have ended. */
  retire(why: string): void {
    void this.#queue.then(() => {
      this.#isReplaced = true;
      this.kill(why);
    });
  }

  kill(why: string): void {
    this.#end(why);
    this.#process.kill();
  }

  #send(message: ToHost): void {
    if (this.#endReason === null) this.#process.write(`${JSON.stringify(message)}\n`);
  }

  async #ask(message: WithoutID<ToHost>, limitMs: number | null): Promise<Answer> {
    const id = this.#next++;
    if (this.#endReason !== null) throw notRunning(this.#endReason);
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#send({ ...message, id } as ToHost);
    const cancel =
      limitMs === null
        ? () => {}
        : this.#timer.after(limitMs, () => this.kill('Custom tools took too long to load, or a hook did.'));
    const answer = await answered;
    cancel();
    if (answer.kind === 'failed') throw new HostedError(answer.name, answer.message);
    return answer;
  }

  async #listen(): Promise<void> {
    for await (const chunk of this.#process.output) {
      this.#buffer += chunk;
      for (let end; (end = this.#buffer.indexOf('\n')) >= 0;) {
        const line = this.#buffer.slice(0, end);
        this.#buffer = this.#buffer.slice(end + 1);
        this.#handleLine(line);
      }
      if (this.#buffer.length > MAX_MESSAGE) this.kill('A custom tool printed too much at once.');
    }
    await this.#process.exited;
    this.#end(this.#lastOutput.trim() || 'The process of the custom tools ended.');
  }

  /** The latest output, which is reported when the process ends. */
  #lastOutput = '';

  #handleLine(line: string): void {
    if (!line.startsWith(MARK)) {
      if (line !== '') this.#lastOutput = `${this.#lastOutput}\n${line}`.slice(-2_000);
      return;
    }
    let message: FromHost;
    try {
      message = fromHostSchema.parse(JSON.parse(line.slice(MARK.length)));
    } catch {
      return this.kill('The process of the custom tools sent an invalid message.');
    }
    switch (message.kind) {
      case 'ready':
        return;
      case 'service':
        return void this.#serve(message);
      case 'metadata':
        return this.#runs.get(message.run)?.metadata(message.update);
      case 'log':
        return void (message.run !== null && this.#runs.get(message.run)?.log(message.text));
      default:
        this.#waiting.get(message.id)?.(message);
        this.#waiting.delete(message.id);
    }
  }

  async #serve({ id, run, service }: FromHost & { kind: 'service' }): Promise<void> {
    try {
      const events = this.#runs.get(run);
      if (!events) throw new Error('The call has ended.');
      this.#send({ kind: 'given', id, value: await events.service(service) });
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      this.#send({ kind: 'refused', id, name, message });
    }
  }

  #end(why: string): void {
    if (this.#endReason !== null) return;
    this.#endReason = why;
    for (const [id, answer] of this.#waiting) answer({ kind: 'failed', id, name: 'Error', message: why });
    this.#waiting.clear();
  }
}

/** The code of the error of a request that was never sent, because the process had ended. */
export const NOT_SENT = 'tools-gone';

function notRunning(why: string): FaultError {
  return new FaultError({
    code: NOT_SENT,
    what: `The custom tools are not running: ${why}`,
    next: 'They are restarted with the next step.',
  });
}

function unexpected(): Error {
  return new Error('The process of the custom tools answered something else.');
}

function cancelled(): Error {
  return new Error('Cancelled before it ran.');
}
