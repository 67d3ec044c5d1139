import { faultOf } from '../base/fault.ts';
import { consider } from './consider.ts';
import type { GateCall, GateDeps } from './gate-deps.ts';
import { DEFAULT_MODE, modeRules } from './modes.ts';
import { deniedText, refusedText, rejectedText } from './refusal-texts.ts';
import { decide, type Rules, type Verdict } from './rules.ts';
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
  type GrantedRule,
  type PermissionRequest,
  type Reply,
  type Rule,
  type SavedRule,
} from './types.ts';
import { visibilityOf } from './visibility.ts';

interface WaitingRequest {
  readonly request: PermissionRequest;
  readonly call: GateCall;
  readonly opaque: boolean;
  readonly key: string;
  /** Whether an answer is being saved, so that no second answer counts. */
  answering: boolean;
  /** Whether the answerer left the request to the person. */
  consulted: boolean;
  settle(error?: Error): void;
  /** Resolves once nobody needs an answer any more. */
  readonly settled: Promise<undefined>;
}

/** Decides whether calls are allowed, keeps the requests that wait for an answer, and remembers lasting answers. One per session. */
export class PermissionGate {
  readonly #deps: GateDeps;
  readonly #refused = new Map<string, string>();
  #saved: readonly SavedRule[] = [];
  #waiting: WaitingRequest[] = [];
  #consulting = false;

  constructor(deps: GateDeps) {
    this.#deps = deps;
  }

  /** Forgets the refusals of the previous turn and reads the saved rules again. Await it before the first call. */
  async startTurn(): Promise<void> {
    this.#refused.clear();
    await this.refresh();
  }

  /**
   * Call this when rules or the mode changed elsewhere: in the settings, at the composer, or in another tab. Waiting
   * requests may be decided now.
   */
  async rulesChanged(): Promise<void> {
    this.#reconsider();
    await this.refresh();
    this.#reconsider();
  }

  /**
   * Requests that are refused without asking again, with the text for the model. A session shares this list with all
   * its sub-agents.
   */
  get refused(): Map<string, string> {
    return this.#deps.refusedAbove?.() ?? this.#refused;
  }

  /** Reads the saved rules again. */
  async refresh(): Promise<void> {
    const { store, workspaceID } = this.#deps;
    const lists = await Promise.all([store.list(EVERYWHERE), store.list(workspaceID)]);
    this.#saved = lists.flat();
  }

  /** All current rules for an agent. */
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

  /** The requests without an answer, in the order in which they should be answered. */
  pending(): readonly PermissionRequest[] {
    return this.#waiting.map((entry) => entry.request);
  }

  /**
   * Resolves when the request is allowed, by a rule or an answer. Throws {@link PermissionDenied}, {@link
   * PermissionRejected} or {@link PermissionCancelled}.
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

  /** Answers a waiting request. Does nothing if the id is unknown or the request is being answered. */
  async answer(requestID: string, given: Reply, by: AnsweredBy): Promise<void> {
    const entry = this.#waiting.find((one) => one.request.id === requestID);
    if (!entry || entry.answering) return;
    const reply = withinScope(given, entry.request);
    // A late answer must not allow what was denied after the request was made.
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

  /** Asks the new answerer about the requests that still wait. */
  answererChanged(): void {
    for (const entry of this.#waiting) entry.consulted = false;
    void this.#consult();
  }

  /** Withdraws all waiting requests, because the turn was stopped. */
  cancelAll(): void {
    for (const entry of [...this.#waiting]) this.#cancel(entry);
  }

  #decide(ask: Pick<Ask, 'permission' | 'patterns' | 'opaque' | 'dangers'>, rules: Rules): Verdict {
    const verdict = decide(rules, ask);
    // Anything on the fixed list asks, whatever allows it.
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
      const entry: WaitingRequest = {
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
      // The first request may be on the person's screen, so it always stays first.
      const later = this.#waiting.findIndex((one, index) => index > 0 && one.call.order > call.order);
      this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, entry);
      this.#deps.log.asked(request);
      void this.#consult();
    });
  }

  #allow(entry: WaitingRequest, reply: Reply, by: AnsweredBy): void {
    this.#deps.log.answered(entry.request, reply, by);
    entry.settle();
  }

  async #always(
    entry: WaitingRequest,
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

  #reject(entry: WaitingRequest, reply: Reply & { reply: 'reject' }, by: AnsweredBy): void {
    this.#deps.log.answered(entry.request, reply, by);
    const { message } = reply;
    this.refused.set(entry.key, refusedText(message));
    entry.settle(new PermissionRejected(rejectedText(message), message));
    // If the model gets no message, the turn ends and nobody needs the other answers any more.
    if (message === undefined) this.cancelAll();
  }

  #cancel(entry: WaitingRequest): void {
    if (!this.#waiting.includes(entry)) return;
    this.#deps.log.answered(entry.request, { reply: 'reject' }, 'cancelled');
    entry.settle(new PermissionCancelled());
  }

  /** Checks waiting requests again, since a lasting answer may have answered them too. */
  #reconsider(): void {
    for (const entry of [...this.#waiting]) {
      if (entry.answering) continue;
      if (this.#denied(entry)) continue;
      const { action } = this.#verdictNow(entry);
      if (action === 'allow') this.#allow(entry, { reply: 'once' }, 'policy');
    }
  }

  #verdictNow({ request, call, opaque }: WaitingRequest): Verdict {
    return this.#decide({ ...request, opaque }, this.rules(call.agent, request.permission));
  }

  /** Settles the request if the rules deny it by now. */
  #denied(entry: WaitingRequest): boolean {
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
        // An answerer that still considers a request which somebody else has answered must not hold up the next one.
        const reply = await Promise.race([consult(answerer, entry), entry.settled]);
        if (reply) await this.answer(entry.request.id, reply, 'automation');
      }
    } finally {
      this.#consulting = false;
    }
  }
}

const LASTING: ReadonlySet<Reply['reply']> = new Set(['session', 'always', 'everywhere']);

/** If the answerer fails, the call is refused: a failure must neither hang the call nor allow it. */
async function consult(answerer: Answerer, entry: WaitingRequest): Promise<Reply | undefined> {
  try {
    return await answerer(entry.request, entry.call.signal);
  } catch (error) {
    return { reply: 'reject', message: `The permission handler failed: ${faultOf(error).what}` };
  }
}

/** Git itself runs files that are written inside `.git`. */
function editDangers({ permission, patterns }: Ask): Danger[] {
  if (permission !== 'edit') return [];
  return patterns
    .filter((path) => /(?:^|[\\/])\.git(?:$|[\\/])/i.test(path))
    .map((text) => ({ kind: 'git-files', text }));
}

function rulesFor(entry: WaitingRequest, patterns: readonly string[]): Rule[] {
  return patterns.map((pattern) => ({ permission: entry.request.permission, pattern, action: 'allow' }));
}

function grantedFor(entry: WaitingRequest, patterns: readonly string[]): GrantedRule[] {
  const rules = rulesFor(entry, patterns);
  return isStrict(entry.request) ? rules.map((rule) => ({ ...rule, strict: true })) : rules;
}

/**
 * A saved rule would not answer the same strict ask the next time, and would allow elsewhere what was asked for here.
 */
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

/** Identifies a request, so that the same one can be recognized. */
function keyOf({ permission, patterns, subject, identity }: Ask): string {
  return JSON.stringify([permission, identity ?? [patterns, subject]], (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
