import { Listeners, type Unlisten } from '../../base/listeners.ts';
import type { Hash } from '../../base/hash.ts';
import type { Event, EventOf } from '../../session/log/events.ts';
import type { Outcome } from '../../session/log/events.ts';

/** An event of the agent's shell runs. The events of one run come in order; runs may overlap. */
export type AgentRun =
  | { readonly type: 'started'; readonly id: string; readonly command: string }
  | { readonly type: 'output'; readonly id: string; readonly text: string }
  | {
      readonly type: 'ended';
      readonly id: string;
      readonly outcome: Outcome;
      /** Absent if the command did not run to its end. */
      readonly exitCode?: number;
      readonly durationMs: number;
    };

/** Calls the listener at once with the stored events, and then with each new one. */
export type AgentRunStream = (listener: (run: AgentRun) => void) => Unlisten;

/** The number of characters of output and commands that are stored. */
const KEPT = 500_000;
const SETTLING_MS = 1_000;

/**
 * Collects the agent's shell runs from the events of a workspace's sessions. Stores the newest ones, so that
 * a terminal that is opened later shows them too.
 */
export class AgentRuns {
  readonly #listeners = new Listeners<AgentRun>();
  readonly #commands = new Map<string, { startedAt: number; pending: Promise<void> | null }>();
  readonly #calls = new Set<string>();
  /** Messages whose calls are commands of the person. */
  readonly #own = new Set<string>();
  readonly #loadBlob: (hash: Hash) => Promise<Uint8Array | undefined>;
  #kept: AgentRun[] = [];
  #keptSize = 0;
  #lastEnded = -Infinity;

  constructor(loadBlob: (hash: Hash) => Promise<Uint8Array | undefined>) {
    this.#loadBlob = loadBlob;
  }

  readonly listen: AgentRunStream = (listener) => {
    for (const run of this.#kept) listener(run);
    return this.#listeners.add(listener);
  };

  /**
   * True while a call of the agent runs and for a moment after it, since changes of files are reported a
   * little late.
   */
  active(now: number): boolean {
    return this.#calls.size > 0 || now - this.#lastEnded < SETTLING_MS;
  }

  /** Takes events of one session, in order. Runs that began before the first of these events are left out. */
  feed(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'prompt.accepted' && event.origin?.kind === 'command')
        this.#own.add(event.messageID);
      if ('messageID' in event && this.#own.has(event.messageID)) continue;
      if (event.type === 'call.running') this.#start(event);
      else if (event.type === 'call.output') this.#output(event);
      else if (event.type === 'call.ended') this.#end(event);
    }
  }

  #start(event: EventOf<'call.running'>): void {
    const id = idOf(event);
    this.#calls.add(id);
    const command = commandOf(event);
    // A call that continues after an answer logs `call.running` again.
    if (command === undefined || this.#commands.has(id)) return;
    this.#commands.set(id, { startedAt: event.time, pending: null });
    this.#emit({ type: 'started', id, command });
  }

  #output(event: EventOf<'call.output'>): void {
    const id = idOf(event);
    const { text, blob } = event;
    if (text !== undefined) this.#inOrder(id, () => this.#emit({ type: 'output', id, text }));
    if (blob === undefined) return;
    this.#inOrder(id, async () => {
      const bytes = await this.#loadBlob(blob).catch(() => undefined);
      const loaded = bytes ? new TextDecoder().decode(bytes) : '[output is no longer stored]\n';
      this.#emit({ type: 'output', id, text: loaded });
    });
  }

  #end(event: EventOf<'call.ended'>): void {
    const id = idOf(event);
    this.#calls.delete(id);
    this.#lastEnded = event.time;
    this.#inOrder(id, (startedAt) => {
      const exitCode = event.metadata['exitCode'];
      const durationMs = event.time - startedAt;
      const ended = { type: 'ended', id, outcome: event.outcome, durationMs } as const;
      this.#emit(typeof exitCode === 'number' ? { ...ended, exitCode } : ended);
      this.#commands.delete(id);
    });
  }

  /** Runs the step at once, or after content of the run that is still loading. */
  #inOrder(id: string, step: (startedAt: number) => void | Promise<void>): void {
    const command = this.#commands.get(id);
    if (!command) return;
    const run = () => step(command.startedAt);
    const pending = command.pending ? command.pending.then(run) : run();
    if (!pending) return;
    const settled = pending.then(() => {
      if (command.pending === settled) command.pending = null;
    });
    command.pending = settled;
  }

  #emit(run: AgentRun): void {
    this.#kept.push(run);
    this.#keptSize += sizeOf(run);
    if (this.#keptSize > KEPT * 2) this.#forget();
    this.#listeners.emit(run);
  }

  /** Drops the oldest events. The listener must skip the rest of a run whose start was dropped. */
  #forget(): void {
    let from = this.#kept.length;
    let size = 0;
    while (from > 0 && size < KEPT) size += sizeOf(this.#kept[--from]!);
    this.#kept = this.#kept.slice(from);
    this.#keptSize = size;
  }
}

function sizeOf(run: AgentRun): number {
  if (run.type === 'ended') return 1;
  return run.type === 'output' ? run.text.length : run.command.length;
}

function idOf(event: { readonly messageID: string; readonly callID: string }): string {
  return `${event.messageID}/${event.callID}`;
}

function commandOf({ tool, input }: EventOf<'call.running'>): string | undefined {
  if (tool !== 'bash' || typeof input !== 'object' || input === null || !('command' in input))
    return undefined;
  return typeof input.command === 'string' ? input.command : undefined;
}
