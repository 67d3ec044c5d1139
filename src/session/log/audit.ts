import type { Mode } from '../../permissions/modes.ts';
import type { AnsweredBy, Danger, Decision, Reply } from '../../permissions/types.ts';
import type { Event, EventOf } from './events.ts';

/**
 * One decision about a call, or a change of the mode or agent, which changes how calls are decided. Secrets
 * are masked.
 */
export type AuditEntry = AuditDecision | AuditMode | AuditAgent;

export interface AuditDecision {
  readonly kind: 'decision';
  /** The place in the session of the event that records the decision or the request. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly callID: string;
  /** The tool that was called, if it is known. */
  readonly tool?: string;
  readonly permission: string;
  /** The command, the path, or the patterns that were asked for. */
  readonly what: string;
  /** `withdrawn` means that the turn ended before the request was answered. */
  readonly outcome: 'allowed' | 'denied' | 'waiting' | 'withdrawn';
  /** The rules' decision for each pattern; they were final if nobody answered. */
  readonly decisions: readonly Decision[];
  /** Dangers on the fixed list, which are asked about whatever the rules say. */
  readonly dangers?: readonly Danger[];
  /** Set if the same request was refused before in the turn. */
  readonly because?: 'refused-before';
  /** Absent if nobody was asked, or nobody has answered yet. */
  readonly answer?: { readonly reply: Reply; readonly by: AnsweredBy; readonly time: number };
}

export interface AuditMode {
  readonly kind: 'mode';
  readonly seq: number;
  readonly time: number;
  readonly mode: Mode;
}

export interface AuditAgent {
  readonly kind: 'agent';
  readonly seq: number;
  readonly time: number;
  readonly agent: string;
  /** `chosen` by the person, or `handed-over` when the person agreed to a call that does so. */
  readonly how: 'chosen' | 'handed-over';
}

export interface AuditDeps {
  /**
   * Reads the newest events with a smaller `seq` than `before`, ascending: about `limit` of them, fewer only
   * if there are no more.
   */
  read(before: number, limit: number): Promise<readonly Event[]>;
  /** Replaces every secret in the text. */
  mask(text: string): string;
}

type ListedEvent =
  | EventOf<'permission.decided'>
  | EventOf<'permission.asked'>
  | EventOf<'mode.set'>
  | EventOf<'agent.chosen'>
  | EventOf<'prompt.accepted'>;

/** How many events one read fetches, and how many entries `more` tries to add. */
const EVENTS = 500;
const ENTRIES = 50;
/** The largest number of entries kept; nobody reads a longer list. */
export const AUDIT_LIMIT = 5_000;

/** The decisions of one session, newest first, read from its log page by page. */
export class Audit {
  readonly #deps: AuditDeps;
  /** The newest event comes first. */
  #found: readonly ListedEvent[] = [];
  readonly #answers = new Map<string, EventOf<'permission.answered'>>();
  /** Maps the key of a call to its tool. */
  readonly #tools = new Map<string, string>();
  #from = Infinity;
  #newest = -1;

  constructor(deps: AuditDeps) {
    this.#deps = deps;
  }

  /** Whether there is nothing older to read, or the limit is reached. */
  get complete(): boolean {
    return this.#from === 0 || this.#found.length >= AUDIT_LIMIT;
  }

  /** `seq` of the newest event that was looked at; -1 before the first read. */
  get newest(): number {
    return this.#newest;
  }

  entries(): readonly AuditEntry[] {
    return this.#found.map((event) => this.#entry(event));
  }

  /** Reads the next older entries. */
  async more(): Promise<void> {
    const wanted = this.#found.length + ENTRIES;
    while (!this.complete && this.#found.length < wanted) {
      const page = await this.#deps.read(this.#from, EVENTS);
      const [first] = page;
      this.#newest = Math.max(this.#newest, page.at(-1)?.seq ?? -1);
      this.#found = [...this.#found, ...this.#keep(page).reverse()].slice(0, AUDIT_LIMIT);
      this.#from = first?.seq ?? 0;
    }
  }

  /** Takes in new events and skips those that were read already. Returns whether the list changed. */
  take(events: readonly Event[]): boolean {
    const fresh = events.filter(({ seq }) => seq > this.#newest);
    this.#newest = fresh.at(-1)?.seq ?? this.#newest;
    // Nothing was read yet, so reading starts before these events.
    if (this.#from === Infinity) this.#from = fresh[0]?.seq ?? Infinity;
    const told = this.#keep(fresh).reverse();
    this.#found = [...told, ...this.#found].slice(0, AUDIT_LIMIT);
    return told.length > 0 || fresh.some(({ type }) => type === 'permission.answered');
  }

  #keep(events: readonly Event[]): ListedEvent[] {
    return events.filter((event): event is Event & ListedEvent => {
      if (event.type === 'permission.answered') this.#answers.set(event.requestID, event);
      else if (event.type === 'call.running') this.#tools.set(keyOf(event), event.tool);
      else if (event.type === 'step.part' && event.part.type === 'tool-input-start') {
        const { callID, tool } = event.part;
        this.#tools.set(keyOf({ messageID: event.messageID, callID }), tool);
      }
      return isTold(event);
    });
  }

  #entry(event: ListedEvent): AuditEntry {
    const { seq, time } = event;
    if (event.type === 'mode.set') return { kind: 'mode', seq, time, mode: event.mode };
    if (event.type === 'agent.chosen') return { kind: 'agent', seq, time, agent: event.agent, how: 'chosen' };
    if (event.type === 'prompt.accepted')
      return { kind: 'agent', seq, time, agent: event.agent, how: 'handed-over' };
    const { mask } = this.#deps;
    const { callID, permission } = event;
    const tool = event.type === 'permission.asked' ? event.tool : this.#tools.get(keyOf(event));
    const decisions = event.decisions.map((decision) => ({
      ...decision,
      pattern: mask(decision.pattern),
      ...(decision.rule && { rule: { ...decision.rule, pattern: mask(decision.rule.pattern) } }),
      ...(decision.considered && {
        considered: decision.considered.map((rule) => ({ ...rule, pattern: mask(rule.pattern) })),
      }),
    }));
    const shared = {
      kind: 'decision',
      seq,
      time,
      callID,
      permission,
      decisions,
      ...(tool && { tool }),
    } as const;
    if (event.type === 'permission.decided') {
      const what = decisions.map(({ pattern }) => pattern).join('\n');
      const outcome = event.action === 'allow' ? 'allowed' : 'denied';
      return { ...shared, what, outcome, ...(event.because && { because: event.because }) };
    }
    const answered = this.#answers.get(event.requestID);
    const dangers = event.dangers?.map(({ kind, text }) => ({ kind, text: mask(text) }));
    return {
      ...shared,
      what: mask(whatOf(event)),
      outcome: outcomeOf(answered),
      ...(dangers && { dangers }),
      ...(answered && {
        answer: { reply: masked(answered.reply, mask), by: answered.by, time: answered.time },
      }),
    };
  }
}

function isTold(event: Event): boolean {
  switch (event.type) {
    case 'permission.decided':
    case 'permission.asked':
    case 'mode.set':
    case 'agent.chosen':
      return true;
    case 'prompt.accepted':
      return event.origin?.kind === 'agent-switched';
    default:
      return false;
  }
}

function outcomeOf(answered: EventOf<'permission.answered'> | undefined): AuditDecision['outcome'] {
  if (!answered) return 'waiting';
  if (answered.by === 'cancelled') return 'withdrawn';
  return answered.reply.reply === 'reject' ? 'denied' : 'allowed';
}

function whatOf({ subject, patterns }: EventOf<'permission.asked'>): string {
  if (subject.kind === 'command') return subject.command;
  if (subject.kind === 'diff' || subject.kind === 'path') return subject.path;
  return patterns.join('\n');
}

function masked(reply: Reply, mask: (text: string) => string): Reply {
  if ('patterns' in reply) return { ...reply, patterns: reply.patterns.map(mask) };
  if (reply.reply === 'reject' && reply.message !== undefined)
    return { ...reply, message: mask(reply.message) };
  return reply;
}

function keyOf({ messageID, callID }: { readonly messageID: string; readonly callID: string }): string {
  return `${messageID}/${callID}`;
}
