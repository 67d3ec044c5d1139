import type { Json } from '../../base/json.ts';
import type { ToolRecord } from '../../tools/log/record.ts';
import { MASKED_CHARACTERS, shortened } from '../../tools/log/shorten.ts';
import { exitCodeOf } from './exit-code.ts';
import type { Event, EventOf, Outcome } from './events.ts';
import { notedRecords, type NotedRecord } from './noted-record.ts';

export interface CallLogDeps {
  readonly sessionID: string;
  /**
   * Reads the newest events with a smaller `seq` than `before`, ascending: about `limit` of them, fewer only
   * if there are no more.
   */
  read(before: number, limit: number): Promise<readonly Event[]>;
  /** Replaces every secret in the text. */
  mask(text: string): string;
}

/** How many records are kept; older ones are dropped. */
export const KEPT_RECORDS = 1_000;
/** How many events one read fetches, and how many records `more` tries to add. */
const EVENTS = 500;
const RECORDS = 50;
const RESULT_CHARACTERS = 2_000;

/**
 * The data of a call read so far. Its events may arrive in any order, because the log is read from its end.
 */
interface Draft {
  readonly messageID: string;
  readonly callID: string;
  /** The newest tool name and arguments of the call. */
  said?: { readonly seq: number; readonly tool: string; readonly args?: Json };
  readonly marks: Mark[];
  ended?: Ended;
}

/** The tool starts to work, waits, or returns to what it did before it waited. */
interface Mark {
  readonly seq: number;
  readonly time: number;
  readonly now: 'works' | 'waits' | 'goes-on';
}

interface Ended {
  readonly seq: number;
  readonly time: number;
  readonly outcome: Outcome;
  readonly result: string;
  readonly timedOut: boolean;
  readonly exitCode: number | null;
}

/**
 * The ended calls of one session, and what happened in its preview, read from its log page by page, so that nothing is
 * stored twice.
 */
export class CallLog {
  readonly #deps: CallLogDeps;
  readonly #drafts = new Map<string, Draft>();
  /** Maps a message to its agent. */
  readonly #agents = new Map<string, string>();
  #records: readonly ToolRecord[] | null = [];
  /** The events of the preview, by their `seq`. */
  readonly #notedBySeq = new Map<number, readonly NotedRecord[]>();
  #noted: readonly NotedRecord[] | null = [];
  #from = Infinity;
  #newest = -1;
  /** Each `more` waits for the one before, so that no event is taken twice. */
  #reading: Promise<void> = Promise.resolve();

  constructor(deps: CallLogDeps) {
    this.#deps = deps;
  }

  /** Whether there is nothing older to read, or the limit is reached. */
  get complete(): boolean {
    return this.#from === 0 || this.records().length >= KEPT_RECORDS;
  }

  /** `seq` of the newest event that was looked at; -1 before the first read. */
  get newest(): number {
    return this.#newest;
  }

  /** The oldest record comes first. The list stays the same object until something is added. */
  records(): readonly ToolRecord[] {
    this.#records ??= [...this.#drafts.values()]
      .flatMap((draft) => this.#record(draft) ?? [])
      .sort((a, b) => a.id - b.id)
      .slice(-KEPT_RECORDS);
    return this.#records;
  }

  /**
   * Returns what happened in the preview, as far as the log was read, oldest first. The list stays the same object until
   * something is added.
   */
  noted(): readonly NotedRecord[] {
    if (this.#noted) return this.#noted;
    const events = [...this.#notedBySeq].sort(([a], [b]) => a - b);
    for (const [seq] of events.slice(0, -KEPT_RECORDS)) this.#notedBySeq.delete(seq);
    this.#noted = events.flatMap(([, records]) => records).slice(-KEPT_RECORDS);
    return this.#noted;
  }

  /** Reads the next older records. `read` is called after each read of the log, once there are some. */
  more(read = () => {}): Promise<void> {
    const next = this.#reading.then(() => this.#more(read));
    this.#reading = next.catch(() => undefined);
    return next;
  }

  async #more(read: () => void): Promise<void> {
    const wanted = this.records().length + RECORDS;
    while (!this.complete && this.records().length < wanted) {
      const page = await this.#deps.read(this.#from, EVENTS);
      this.#newest = Math.max(this.#newest, page.at(-1)?.seq ?? -1);
      this.#from = page[0]?.seq ?? 0;
      for (const event of page) this.#take(event);
      this.#records = null;
      if (this.records().length > 0) read();
    }
  }

  /** Takes in new events and skips those that were read already. Returns whether a record was added. */
  take(events: readonly Event[]): boolean {
    const fresh = events.filter(({ seq }) => seq > this.#newest);
    this.#newest = fresh.at(-1)?.seq ?? this.#newest;
    // Nothing was read yet, so reading starts before these events.
    if (this.#from === Infinity) this.#from = fresh[0]?.seq ?? Infinity;
    for (const event of fresh) this.#take(event);
    if (!fresh.some(({ type }) => type === 'call.ended'))
      return fresh.some(({ type }) => type === 'preview.noted');
    this.#records = null;
    this.#forgetOldest();
    return true;
  }

  #take(event: Event): void {
    const { seq, time } = event;
    switch (event.type) {
      case 'prompt.accepted':
      case 'step.started':
        this.#agents.set(event.messageID, event.agent);
        return;
      case 'step.part': {
        const { messageID, part } = event;
        if (part.type === 'tool-input-start') this.#said({ messageID, callID: part.callID }, seq, part.tool);
        else if (part.type === 'tool-call')
          this.#said({ messageID, callID: part.callID }, seq, part.tool, part.input);
        return;
      }
      case 'call.added':
        return this.#said(event, seq, event.tool, event.input);
      case 'call.running':
        this.#said(event, seq, event.tool, event.input);
        return void this.#draft(event).marks.push({ seq, time, now: 'works' });
      case 'permission.asked':
      case 'question.asked':
        return void this.#draft(event).marks.push({ seq, time, now: 'waits' });
      case 'pause.began':
      case 'pause.ended': {
        const { messageID, call: callID } = event;
        const now = event.type === 'pause.began' ? 'waits' : 'goes-on';
        if (callID !== undefined) this.#draft({ messageID, callID }).marks.push({ seq, time, now });
        return;
      }
      case 'call.ended':
        this.#draft(event).ended = this.#ended(event);
        return;
      case 'preview.noted':
        this.#noted = null;
        return void this.#notedBySeq.set(
          seq,
          notedRecords(event, (text) => this.#deps.mask(text)),
        );
      default:
        return;
    }
  }

  #said(of: Pick<Draft, 'messageID' | 'callID'>, seq: number, tool: string, input?: Json): void {
    const draft = this.#draft(of);
    if (draft.said && draft.said.seq > seq) return;
    const args = input === undefined ? undefined : shortened(input, (text) => this.#deps.mask(text));
    draft.said = { seq, tool, ...(args !== undefined && { args }) };
  }

  #ended({ seq, time, outcome, output, metadata, faultCode }: EventOf<'call.ended'>): Ended {
    const masked = this.#deps.mask(output.slice(0, MASKED_CHARACTERS)).slice(0, RESULT_CHARACTERS);
    const result = output.length > RESULT_CHARACTERS ? `${masked}…` : masked;
    const timedOut =
      faultCode === 'timeout' || metadata['ended'] === 'timeout' || metadata['timedOut'] === true;
    return { seq, time, outcome, result, timedOut, exitCode: exitCodeOf(metadata) };
  }

  #draft({ messageID, callID }: Pick<Draft, 'messageID' | 'callID'>): Draft {
    const key = `${messageID}/${callID}`;
    const draft = this.#drafts.get(key) ?? { messageID, callID, marks: [] };
    this.#drafts.set(key, draft);
    return draft;
  }

  /** `null` while the call has not ended, or its beginning is not read yet. */
  #record({ messageID, callID, said, marks, ended }: Draft): ToolRecord | null {
    const agent = this.#agents.get(messageID);
    if (!ended || !said || (agent === undefined && this.#from > 0)) return null;
    const { seq: id, time, outcome, result, timedOut, exitCode } = ended;
    return {
      ...{ id, service: `tool.${said.tool}`, event: 'call', time, duration: worked(marks, time) },
      ...{ success: outcome === 'ok', outcome, timedOut, sessionID: this.#deps.sessionID, callID },
      ...(exitCode !== null && { exitCode }),
      ...(agent !== undefined && { agent }),
      ...(said.args !== undefined && { args: said.args }),
      result,
    };
  }

  #forgetOldest(): void {
    if (this.#drafts.size < 2 * KEPT_RECORDS) return;
    const oldest = this.records()[0]?.id ?? 0;
    for (const [key, { ended }] of this.#drafts) if (ended && ended.seq < oldest) this.#drafts.delete(key);
  }
}

/** How long the tool itself worked, in milliseconds, without the time spent waiting for a person. */
function worked(marks: readonly Mark[], end: number): number {
  let since: number | null = null;
  let didWork = false;
  let sum = 0;
  for (const { time, now } of marks.toSorted((a, b) => a.seq - b.seq)) {
    if (now === 'works' || (now === 'goes-on' && didWork)) since ??= time;
    else if (now === 'waits') {
      didWork = since !== null;
      if (since !== null) sum += time - since;
      since = null;
    }
  }
  return since === null ? sum : sum + end - since;
}
