import type { Clock, Ids } from '../base/clock.ts';
import { faultOf, type Fault } from '../base/fault.ts';
import { DEFAULT_MODE, modeRules, type Mode } from './modes.ts';
import { consider } from './consider.ts';
import { decide, type Rules, type SourcedRule, type Verdict } from './rules.ts';
import {
  EVERYWHERE,
  isStrict,
  PermissionCancelled,
  PermissionDenied,
  PermissionRejected,
  type AnsweredBy,
  type Answerer,
  type Ask,
  type Danger,
  type Decision,
  type GrantedRule,
  type PermissionRequest,
  type Reply,
  type Rule,
  type RuleStore,
  type SavedRule,
} from './types.ts';
import { visibilityOf } from './visibility.ts';

/** What happens at the gate, for the session's log; called in order, synchronously. */
export interface GateLog {
  /** `because`: where it is not the rules that decided. */
  decided(
    call: GateCall,
    permission: string,
    action: 'allow' | 'deny',
    decisions: readonly Decision[],
    because?: 'refused-before',
  ): void;
  asked(request: PermissionRequest): void;
  answered(request: PermissionRequest, reply: Reply, by: AnsweredBy): void;
  /** Allowed for this session. From here on `granted` of the deps returns them too. */
  granted(rules: readonly GrantedRule[]): void;
  /** A lasting answer could not be kept: it holds for this call only. */
  notSaved(fault: Fault): void;
}

export interface GateDeps {
  readonly sessionID: string;
  readonly workspaceID: string;
  /** Defaults, settings and the agent's own rules, in that order, as they stand now. */
  configured(agent: string): readonly SourcedRule[];
  /** "Allow for this session", from the log. */
  granted(): readonly GrantedRule[];
  /** How much this session asks now, for calls of this agent; none: as the rules say. */
  mode?(agent: string): Mode;
  readonly store: RuleStore;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: GateLog;
  /** A lasting yes was given here: what waits elsewhere may be answered by it too. */
  allowedMore?(): void;
  /** What was refused in this turn of those that this session works for, as {@link PermissionGate.refused} has it. */
  refusedAbove?(): Map<string, string> | undefined;
  /** Asked before the person, one request at a time; none: the person answers. */
  answerer?(): Answerer | undefined;
}

/** The call that asks. */
export interface GateCall {
  readonly messageID: string;
  readonly callID: string;
  readonly tool: string;
  readonly agent: string;
  /** Place of the call in its message, from 0: waiting asks are answered in this order. */
  readonly order: number;
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly request: PermissionRequest;
  readonly call: GateCall;
  readonly opaque: boolean;
  readonly key: string;
  /** Being answered: no second answer counts. */
  answering: boolean;
  /** The answerer left it to the person. */
  consulted: boolean;
  settle(error?: Error): void;
  /** Resolves once nobody needs an answer any more. */
  readonly settled: Promise<undefined>;
}

/** Decides what calls ask for, keeps what must wait for an answer, and remembers lasting answers. One a session. */
export class PermissionGate {
  readonly #deps: GateDeps;
  readonly #refused = new Map<string, string>();
  #saved: readonly SavedRule[] = [];
  #waiting: Waiting[] = [];
  #consulting = false;

  constructor(deps: GateDeps) {
    this.#deps = deps;
  }

  /** Forgets what was refused in the turn before and reads the saved rules anew. Await it before the first call. */
  async startTurn(): Promise<void> {
    this.#refused.clear();
    await this.refresh();
  }

  /** Rules or the mode changed elsewhere, in the settings, at the composer, in another tab: what waits may be decided now. */
  async rulesChanged(): Promise<void> {
    this.#reconsider();
    await this.refresh();
    this.#reconsider();
  }

  /** What is refused unasked, with the text for the model: one list for a session and all that work for it. */
  get refused(): Map<string, string> {
    return this.#deps.refusedAbove?.() ?? this.#refused;
  }

  /** Reads the saved rules anew. */
  async refresh(): Promise<void> {
    const { store, workspaceID } = this.#deps;
    const lists = await Promise.all([store.list(EVERYWHERE), store.list(workspaceID)]);
    this.#saved = lists.flat();
  }

  /** All rules as they stand now, for an agent. */
  rules(agent: string, permission = '*'): Rules {
    return {
      configured: this.#deps.configured(agent),
      saved: [
        ...this.#saved.map((rule) => ({ ...plain(rule), source: sourceOf(rule) })),
        ...this.#deps.granted().map((rule) => ({
          ...plain(rule),
          source: 'session' as const,
          ...(rule.strict && { strict: rule.strict }),
        })),
        ...modeRules(this.#deps.mode?.(agent) ?? DEFAULT_MODE, permission),
      ],
    };
  }

  visibility(agent: string): ReturnType<typeof visibilityOf> {
    return visibilityOf(this.rules(agent, 'read'));
  }

  /** Requests without an answer, in the order in which they are to be answered. */
  pending(): readonly PermissionRequest[] {
    return this.#waiting.map((entry) => entry.request);
  }

  /**
   * Resolves when the ask is allowed, by rule or by answer.
   * Throws {@link PermissionDenied}, {@link PermissionRejected} or {@link PermissionCancelled}.
   */
  async ask(ask: Ask, call: GateCall): Promise<true> {
    if (call.signal.aborted) throw new PermissionCancelled();
    const dangers = [...(ask.dangers ?? []), ...editDangers(ask)];
    const asked = dangers.length > 0 ? { ...ask, always: [], dangers } : ask;
    const rules = this.rules(call.agent, ask.permission);
    const found = this.#decide(asked, rules);
    const decisions = consider(rules, asked, found.decisions);
    const verdict = { ...found, decisions };
    const { log } = this.#deps;
    if (verdict.action === 'allow') {
      log.decided(call, ask.permission, 'allow', verdict.decisions);
      return true;
    }
    const refused = this.refused.get(keyOf(ask));
    if (verdict.action === 'deny' || refused !== undefined) {
      const because = verdict.action === 'deny' ? undefined : 'refused-before';
      log.decided(call, ask.permission, 'deny', verdict.decisions, because);
      throw new PermissionDenied(refused ?? deniedText(ask.permission, verdict), verdict.decisions);
    }
    return this.#wait(asked, call, verdict);
  }

  /** Answers a waiting request. An unknown id, or one that is being answered, is ignored. */
  async answer(requestID: string, given: Reply, by: AnsweredBy): Promise<void> {
    const entry = this.#waiting.find((one) => one.request.id === requestID);
    if (!entry || entry.answering) return;
    const reply = withinScope(given, entry.request);
    // What has been denied since it was asked is not allowed by a late answer.
    if (reply.reply !== 'reject' && this.#denied(entry)) return;
    entry.answering = true;
    if (reply.reply === 'reject') this.#reject(entry, reply, by);
    else if (reply.reply === 'always' || reply.reply === 'everywhere') await this.#always(entry, reply, by);
    else {
      if (reply.reply === 'session') this.#deps.log.granted(grantedFor(entry, reply.patterns));
      this.#allow(entry, reply, by);
    }
    this.#reconsider();
    if (LASTING.has(reply.reply)) this.#deps.allowedMore?.();
  }

  /** There is another answerer: it is asked what still waits. */
  answererChanged(): void {
    for (const entry of this.#waiting) entry.consulted = false;
    void this.#consult();
  }

  /** Withdraws everything that waits: the turn was stopped. */
  cancelAll(): void {
    for (const entry of [...this.#waiting]) this.#cancel(entry);
  }

  #decide(ask: Pick<Ask, 'permission' | 'patterns' | 'opaque' | 'dangers'>, rules: Rules): Verdict {
    const verdict = decide(rules, ask);
    // What is on the fixed list is asked for again, whatever allows it.
    return verdict.action === 'allow' && ask.dangers?.length ? { ...verdict, action: 'ask' } : verdict;
  }

  #wait(ask: Ask, call: GateCall, verdict: Verdict): Promise<true> {
    const { opaque, identity: _identity, ...asked } = ask;
    const request: PermissionRequest = {
      ...asked,
      id: this.#deps.ids.next('req'),
      sessionID: this.#deps.sessionID,
      messageID: call.messageID,
      callID: call.callID,
      tool: call.tool,
      decisions: verdict.decisions,
    };
    return new Promise((resolve, reject) => {
      const withdraw = () => this.#cancel(entry);
      let end: (nothing: undefined) => void = () => {};
      const settled = new Promise<undefined>((ended) => (end = ended));
      const entry: Waiting = {
        request,
        call,
        opaque: opaque === true,
        key: keyOf(ask),
        answering: false,
        consulted: false,
        settled,
        settle: (error) => {
          end(undefined);
          call.signal.removeEventListener('abort', withdraw);
          this.#waiting = this.#waiting.filter((one) => one !== entry);
          if (error) reject(error);
          else resolve(true);
        },
      };
      call.signal.addEventListener('abort', withdraw);
      // The one in front may be before the person's eyes: it is never pushed back.
      const later = this.#waiting.findIndex((one, index) => index > 0 && one.call.order > call.order);
      this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, entry);
      this.#deps.log.asked(request);
      void this.#consult();
    });
  }

  #allow(entry: Waiting, reply: Reply, by: AnsweredBy): void {
    this.#deps.log.answered(entry.request, reply, by);
    entry.settle();
  }

  async #always(
    entry: Waiting,
    reply: Reply & { reply: 'always' | 'everywhere' },
    by: AnsweredBy,
  ): Promise<void> {
    const { store, workspaceID, clock, log } = this.#deps;
    try {
      const where = reply.reply === 'everywhere' ? EVERYWHERE : workspaceID;
      await store.save(where, rulesFor(entry, reply.patterns), clock.now());
      await this.refresh();
    } catch (error) {
      log.notSaved(faultOf(error, 'rule-not-saved'));
      if (this.#waiting.includes(entry)) this.#allow(entry, { reply: 'once' }, by);
      return;
    }
    if (this.#waiting.includes(entry)) this.#allow(entry, reply, by);
  }

  #reject(entry: Waiting, reply: Reply & { reply: 'reject' }, by: AnsweredBy): void {
    this.#deps.log.answered(entry.request, reply, by);
    const { message } = reply;
    this.refused.set(entry.key, refusedText(message));
    entry.settle(new PermissionRejected(rejectedText(message), message));
    // Without a word to the model the turn ends, so that nobody needs the other answers any more.
    if (message === undefined) this.cancelAll();
  }

  #cancel(entry: Waiting): void {
    if (!this.#waiting.includes(entry)) return;
    this.#deps.log.answered(entry.request, { reply: 'reject' }, 'cancelled');
    entry.settle(new PermissionCancelled());
  }

  /** A lasting answer may have answered others that wait. */
  #reconsider(): void {
    for (const entry of [...this.#waiting]) {
      if (entry.answering) continue;
      if (this.#denied(entry)) continue;
      const { action } = this.#verdictNow(entry);
      if (action === 'allow') this.#allow(entry, { reply: 'once' }, 'policy');
    }
  }

  #verdictNow({ request, call, opaque }: Waiting): Verdict {
    return this.#decide({ ...request, opaque }, this.rules(call.agent, request.permission));
  }

  /** Whether the rules deny it by now, in which case that is its answer. */
  #denied(entry: Waiting): boolean {
    const { request } = entry;
    const verdict = this.#verdictNow(entry);
    if (verdict.action !== 'deny') return false;
    const message = deniedText(request.permission, verdict);
    this.#deps.log.answered(request, { reply: 'reject', message }, 'policy');
    entry.settle(new PermissionDenied(message, verdict.decisions));
    return true;
  }

  async #consult(): Promise<void> {
    if (this.#consulting) return;
    this.#consulting = true;
    try {
      for (;;) {
        const answerer = this.#deps.answerer?.();
        const entry = this.#waiting.find((one) => !one.consulted && !one.answering);
        if (!answerer || !entry) return;
        entry.consulted = true;
        // One that is still thinking about what somebody else has answered must not hold up the next.
        const reply = await Promise.race([consult(answerer, entry), entry.settled]);
        if (reply) await this.answer(entry.request.id, reply, 'automation');
      }
    } finally {
      this.#consulting = false;
    }
  }
}

const LASTING: ReadonlySet<Reply['reply']> = new Set(['session', 'always', 'everywhere']);

/** An answerer that fails refuses: the failure must not hang the call, nor allow it. */
async function consult(answerer: Answerer, entry: Waiting): Promise<Reply | undefined> {
  try {
    return await answerer(entry.request, entry.call.signal);
  } catch (error) {
    return { reply: 'reject', message: `The permission handler failed: ${faultOf(error).what}` };
  }
}

/** What is written there is run by git itself, by and by. */
function editDangers({ permission, patterns }: Ask): Danger[] {
  if (permission !== 'edit') return [];
  return patterns
    .filter((path) => /(?:^|[\\/])\.git(?:$|[\\/])/i.test(path))
    .map((text) => ({ kind: 'git-files', text }));
}

function rulesFor(entry: Waiting, patterns: readonly string[]): Rule[] {
  return patterns.map((pattern) => ({ permission: entry.request.permission, pattern, action: 'allow' }));
}

function grantedFor(entry: Waiting, patterns: readonly string[]): GrantedRule[] {
  const rules = rulesFor(entry, patterns);
  return isStrict(entry.request) ? rules.map((rule) => ({ ...rule, strict: true })) : rules;
}

/** A saved rule would not answer a strict ask the next time, and would allow elsewhere what was asked for here. */
function withinScope(reply: Reply, request: PermissionRequest): Reply {
  const isSaved = reply.reply === 'always' || reply.reply === 'everywhere';
  return isSaved && isStrict(request) ? { reply: 'session', patterns: reply.patterns } : reply;
}

function sourceOf({ workspaceID }: SavedRule): 'everywhere' | 'workspace' {
  return workspaceID === EVERYWHERE ? 'everywhere' : 'workspace';
}

function plain({ permission, pattern, action }: Rule): Rule {
  return { permission, pattern, action };
}

/** Equal for the same thing asked for again. */
function keyOf({ permission, patterns, subject, identity }: Ask): string {
  return JSON.stringify([permission, identity ?? [patterns, subject]], (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

function deniedText(permission: string, verdict: Verdict): string {
  const rules = verdict.decisions
    .filter((decision) => decision.action === 'deny')
    .map(({ pattern, rule }) => `${pattern} (rule: ${rule?.permission} ${rule?.pattern})`);
  return `The rules deny '${permission}' for ${rules.join(', ')}. Do not try to get around this: work without it, or tell the user what you would need.`;
}

function rejectedText(message: string | undefined): string {
  if (message === undefined) return 'The user refused this call.';
  return `The user refused this call and said: ${message}`;
}

function refusedText(message: string | undefined): string {
  const said = message === undefined ? '' : ` They said: ${message}`;
  return `The user has already refused exactly this in this turn, so it was not asked for again.${said}`;
}
