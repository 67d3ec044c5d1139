import { FaultError, faultOf, type Fault } from '../../base/fault.ts';
import type { Hash } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import { Listeners, type Unlisten } from '../../base/listeners.ts';
import type { Timer } from '../../base/timer.ts';
import type { Event, EventOf, ModelRef } from '../log/events.ts';
import { withFiles } from '../request/attached-files.ts';
import type { ModelRequest } from '../request/model.ts';
import { emptyState, reduce } from '../log/reduce.ts';
import type { RequestContent } from '../request/types.ts';
import { cleanStreams } from '../log/streamed-texts.ts';
import type { SessionState } from '../log/state.ts';
import { Audit, type AuditDecision } from '../log/audit.ts';
import { compareBodies, type BodyVerdict } from './body.ts';
import type { CallDetail } from './call-detail.ts';
import { feed } from './feed.ts';
import { maskedJson } from './masked.ts';
import { Past } from './past.ts';
import { rebuildRequest, sharedMessages } from './request.ts';
import { notedRecords, type NotedRecord } from '../log/noted-record.ts';
import { eventsOf, type Call, type Step, type Turn } from './timeline-items.ts';
import { Timeline } from './timeline.ts';

/** A request as it would be sent over the network, with a name in place of the key. */
export interface NetworkRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface InspectionDeps {
  readonly sessionID: string;
  /** The log comes from a recording, so nothing of it was ever stored on this device. */
  readonly recorded?: boolean;
  readonly timer: Timer;
  /** Stored events with `seq >= from`. */
  read(from: number): Promise<readonly Event[]>;
  /** The session, if it is open here. */
  readonly live: {
    readonly nextSeq: () => number;
    listen(l: (events: readonly Event[]) => void): Unlisten;
  } | null;
  blob(hash: Hash): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** The body of a step's request as it was sent, while it is in memory. */
  keptBody(messageID: string): string | undefined;
  /**
   * The request that a model would send, without sending it; `null` if it sends none. Rejects with a fault.
   */
  rehearse(
    ref: ModelRef,
    request: Omit<ModelRequest, 'onBody' | 'signal' | 'onBlob'>,
  ): Promise<NetworkRequest | null>;
  digest(text: string): Promise<Hash>;
  /** Replaces every secret in the text. */
  mask(text: string): string;
}

/** The request of a step, in parts and as it is sent over the network, with secrets masked. */
export interface InspectedRequest {
  readonly content: RequestContent;
  /** The request before the person changed it; absent if nobody did. */
  readonly before?: RequestContent;
  /** How many of its first messages were already in the previous step's request. */
  readonly shared: number;
  readonly network: NetworkRequest | null;
  readonly verdict: BodyVerdict;
  /** Whether the body that was sent is still in memory and shown. */
  readonly kept: boolean;
}

/** A session's log, opened for inspection: events with their times, rebuilt requests, and past states. */
export class Inspection {
  readonly timeline = new Timeline();
  readonly past: Past;
  readonly #deps: InspectionDeps;
  readonly #events: Event[] = [];
  readonly #changed = new Listeners<void>();
  readonly #snapshots: EventOf<'snapshot.taken'>[] = [];
  readonly #noted: EventOf<'preview.noted'>[] = [];
  readonly #requests = new Map<string, Step['request']>();
  /** The edited requests that were sent instead, keyed by message. */
  readonly #edited = new Map<string, Step['request']>();
  readonly #whole: SessionState;
  readonly #close: Unlisten;
  #fault: Fault | null = null;
  #read = false;

  constructor(deps: InspectionDeps) {
    this.#deps = deps;
    this.past = new Past(deps.sessionID, this.#events);
    this.#whole = emptyState(deps.sessionID);
    this.#close = feed({
      read: (from) => deps.read(from),
      listen: (listener) => deps.live?.listen(listener) ?? (() => undefined),
      nextSeq: () => deps.live?.nextSeq() ?? 0,
      timer: deps.timer,
      take: (events) => this.#take(events),
      failed: (error) => {
        this.#fault = faultOf(error);
        this.#changed.emit();
      },
    });
  }

  /** All events, starting with the first one, without gaps. */
  get events(): readonly Event[] {
    return this.#events;
  }

  /** The snapshot events, in order, which name the lists of files. */
  get snapshots(): readonly EventOf<'snapshot.taken'>[] {
    return this.#snapshots;
  }

  /** Whether the stored events have been read. */
  get ready(): boolean {
    return this.#read;
  }

  get fault(): Fault | null {
    return this.#fault;
  }

  /** The session as it is now, with all its messages. New events are folded when this is called. */
  whole(): SessionState {
    return reduce(this.#events.slice(this.#whole.nextSeq), this.#whole);
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  mask(text: string): string {
    return this.#deps.mask(text);
  }

  masked(value: Json): Json {
    return maskedJson(value, (text) => this.#deps.mask(text));
  }

  /** Every event about a step or a call, in order, with secrets masked in texts that came in pieces. */
  eventsOf(item: Step | Call): readonly Event[] {
    return cleanStreams(eventsOf(this.#events, item), (text) => this.#deps.mask(text));
  }

  /** Returns what happened in the preview from the beginning of a turn until the next one, in order, with secrets masked. */
  notedIn({ seq }: Turn): readonly NotedRecord[] {
    const next = this.timeline.turns.find((turn) => turn.seq > seq)?.seq ?? Infinity;
    const noted = this.#noted.filter((event) => event.seq > seq && event.seq < next);
    return noted.flatMap((event) => notedRecords(event, (text) => this.#deps.mask(text)));
  }

  /** The permission decisions about a call, in order, with the rules that decided. */
  decisionsOf(call: Call): readonly AuditDecision[] {
    const audit = new Audit({ read: async () => [], mask: (text) => this.#deps.mask(text) });
    audit.take(eventsOf(this.#events, call));
    return audit
      .entries()
      .flatMap((entry) => (entry.kind === 'decision' ? entry : []))
      .reverse();
  }

  /** Content that an event names, such as a full output. */
  async text(hash: Hash): Promise<string | undefined> {
    const bytes = await this.#deps.blob(hash);
    return bytes && this.#deps.mask(new TextDecoder().decode(bytes));
  }

  /** The whole live output of a call. If a blob is gone, only the end of that piece is included. */
  async printed({ printed }: Pick<CallDetail, 'printed'>): Promise<string> {
    const texts = printed.map(async ({ text, blob }) => {
      const bytes = blob === undefined ? undefined : await this.#deps.blob(blob);
      return bytes ? new TextDecoder().decode(bytes) : text;
    });
    return this.#deps.mask((await Promise.all(texts)).join(''));
  }

  /** The content of a step's request. Rejects with a fault if a piece of it is no longer stored. */
  async content({ messageID }: Step): Promise<RequestContent> {
    return this.#maskedContent(await this.#rebuilt(messageID));
  }

  /** The same content, with the network request and how it compares with the one that was sent. */
  async request(step: Step): Promise<InspectedRequest> {
    const { messageID, model, purpose, sent } = step;
    const content = await this.#rebuilt(messageID);
    let filesGone = false;
    const messages = await withFiles(content.messages, async (hash) => {
      const bytes = await this.#deps.blob(hash);
      if (!bytes) filesGone = true;
      return bytes;
    });
    const cacheKey = purpose === undefined ? { cacheKey: this.#deps.sessionID } : {};
    const kept = this.#deps.keptBody(messageID);
    let network: NetworkRequest | null = null;
    let verdict: BodyVerdict;
    try {
      network = await this.#deps.rehearse(model, { ...content, messages, ...cacheKey });
      verdict = await this.#verdict(network, sent?.bodyHash, kept, filesGone);
    } catch (error) {
      verdict = sent
        ? { state: 'unknown', hash: sent.bodyHash, why: faultOf(error).what }
        : { state: 'none', why: 'not-sent' };
    }
    const before = this.#edited.has(messageID) ? await this.#composed(messageID) : undefined;
    const shared = sharedMessages(messageID, (id) => this.#requests.get(id));
    return {
      content: this.#maskedContent(content),
      ...(before && { before: this.#maskedContent(before) }),
      shared: before ? Math.min(shared, sameFirst(before.messages, content.messages)) : shared,
      network: network && { ...network, body: this.#maskedBody(kept ?? network.body) },
      verdict: this.#maskedVerdict(verdict),
      kept: kept !== undefined,
    };
  }

  close(): void {
    this.#close();
  }

  #rebuilt(messageID: string): Promise<RequestContent> {
    return this.#requestBy(
      messageID,
      (id) => (id === messageID ? this.#edited.get(id) : undefined) ?? this.#requests.get(id),
    );
  }

  /** The request as the loop made it, without the person's edit. */
  #composed(messageID: string): Promise<RequestContent> {
    return this.#requestBy(messageID, (id) => this.#requests.get(id));
  }

  async #requestBy(
    messageID: string,
    requestOf: (id: string) => Step['request'] | undefined,
  ): Promise<RequestContent> {
    try {
      return await rebuildRequest(messageID, requestOf, (hash) => this.#raw(hash));
    } catch (error) {
      const fault = faultOf(error);
      if (!this.#deps.recorded || fault.code !== 'request-incomplete') throw error;
      throw new FaultError({ ...fault, code: 'request-not-recorded', what: NOT_RECORDED });
    }
  }

  async #verdict(
    network: NetworkRequest | null,
    sent: Hash | undefined,
    kept: string | undefined,
    filesGone: boolean,
  ): Promise<BodyVerdict> {
    if (sent === undefined) return { state: 'none', why: network ? 'not-sent' : 'in-page' };
    if (!network) return { state: 'unknown', hash: sent, why: '' };
    const rebuiltHash = await this.#deps.digest(network.body);
    return compareBodies({ sent, kept, rebuilt: network.body, rebuiltHash, filesGone });
  }

  #take(events: readonly Event[]): void {
    for (const event of events) {
      this.#events.push(event);
      if (event.type === 'step.started') this.#requests.set(event.messageID, event.request);
      if (event.type === 'snapshot.taken') this.#snapshots.push(event);
      if (event.type === 'preview.noted') this.#noted.push(event);
      if (event.type === 'request.edited') this.#edited.set(event.messageID, event.request);
    }
    this.timeline.take(events);
    this.#read = true;
    this.#changed.emit();
  }

  async #raw(hash: Hash): Promise<string | undefined> {
    const bytes = await this.#deps.blob(hash);
    return bytes && new TextDecoder().decode(bytes);
  }

  #maskedContent({ system, tools, messages, settings }: RequestContent): RequestContent {
    const masked = <T>(value: T): T =>
      JSON.parse(JSON.stringify(this.masked(JSON.parse(JSON.stringify(value)) as Json))) as T;
    return {
      system: this.mask(system),
      tools,
      messages: masked(messages),
      settings: masked(settings),
    };
  }

  #maskedBody(body: string): string {
    try {
      return JSON.stringify(this.masked(JSON.parse(body) as Json));
    } catch {
      return this.mask(body);
    }
  }

  #maskedVerdict(verdict: BodyVerdict): BodyVerdict {
    if (verdict.state !== 'different' || !verdict.at) return verdict;
    const { offset, sent, rebuilt } = verdict.at;
    return { ...verdict, at: { offset, sent: this.mask(sent), rebuilt: this.mask(rebuilt) } };
  }
}

const NOT_RECORDED = 'This recording does not hold the whole request.';

/** How many of the first items are equal. */
function sameFirst(a: readonly unknown[], b: readonly unknown[]): number {
  const at = a.findIndex((each, index) => JSON.stringify(each) !== JSON.stringify(b[index]));
  return at < 0 ? a.length : at;
}
