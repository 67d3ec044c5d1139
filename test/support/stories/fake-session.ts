import { Listeners } from '../../../src/base/listeners.ts';
import type { Mode } from '../../../src/permissions/modes.ts';
import type { AnsweredBy, Reply } from '../../../src/permissions/types.ts';
import {
  EVENT_VERSION,
  type Event,
  type EventBody,
  type Parent,
  type TurnStatus,
} from '../../../src/session/log/events.ts';
import { emptyState, fold } from '../../../src/session/log/reduce.ts';
import type { Effort } from '../../../src/session/log/effort.ts';
import type { SessionState } from '../../../src/session/log/state.ts';
import type { Answers } from '../../../src/tools/question/schema.ts';
import type { SessionHandle, SessionRestores } from '../../../src/ui/app.ts';

/** A session whose events a test or a story writes by hand; its state is folded by the real reducer. */
export class FakeSession implements SessionHandle {
  readonly id: string;
  readonly state: SessionState;
  writable = true;
  oldestLoaded = true;
  restores: SessionRestores | null = null;
  /** What the page asked for, in order. */
  readonly calls: unknown[][] = [];
  /** What `loadOlder` does. */
  older: () => Promise<boolean> = () => Promise.resolve(false);
  readonly events: Event[] = [];
  readonly #listeners = new Listeners<readonly Event[]>();
  #time: number;

  constructor(id: string, workspaceID: string, title: string, time = Date.now(), parent?: Parent) {
    this.id = id;
    this.#time = time;
    this.state = emptyState(id);
    this.append({ type: 'session.created', workspaceID, title, ...(parent && { parent }) });
  }

  append(...bodies: readonly EventBody[]): void {
    const events = bodies.map((body): Event => {
      const event = {
        ...body,
        v: EVENT_VERSION,
        sessionID: this.id,
        seq: this.state.nextSeq,
        time: this.#time,
      } as Event;
      fold(this.state, event);
      return event;
    });
    this.events.push(...events);
    this.#listeners.emit(events);
  }

  /** Time between events, ms. */
  wait(ms: number): void {
    this.#time += ms;
  }

  onEvents(listener: (events: readonly Event[]) => void) {
    return this.#listeners.add(listener);
  }

  async prompt(text: string, options?: object): Promise<void> {
    this.calls.push(['prompt', text, options]);
    this.user(`msg_${this.state.nextSeq}`, text);
  }

  commanding = false;
  readonly gaps: (() => Promise<void>)[] = [];

  onGap(listener: () => Promise<void>) {
    this.gaps.push(listener);
    return () => undefined;
  }

  /** The moment between two steps. */
  async gap(): Promise<void> {
    for (const listener of this.gaps) await listener();
  }

  async command(command: string): Promise<void> {
    this.calls.push(['command', command]);
  }

  abort(): void {
    this.calls.push(['abort']);
  }

  answerQuestion(requestID: string, answers: Answers | null, by: AnsweredBy): void {
    this.calls.push(['answerQuestion', requestID, answers, by]);
    const request = this.state.questions.get(requestID);
    if (!request) return;
    const { messageID, callID } = request;
    this.append({ type: 'question.answered', messageID, callID, requestID, answers, by });
  }

  async setMode(mode: Mode): Promise<void> {
    this.calls.push(['setMode', mode]);
    this.append({ type: 'mode.set', mode });
  }

  compact(model?: object): void {
    this.calls.push(['compact', model]);
  }

  async chooseAgent(agent: string): Promise<void> {
    this.calls.push(['chooseAgent', agent]);
    this.append({ type: 'agent.chosen', agent });
  }

  async chooseEffort(effort: Effort | null): Promise<void> {
    this.calls.push(['chooseEffort', effort]);
    this.append({ type: 'effort.chosen', effort });
  }

  async summarize(): Promise<string> {
    this.calls.push(['summarize']);
    return '# Nothing done';
  }

  async tellAsItIs(messageID: string): Promise<void> {
    this.calls.push(['tellAsItIs', messageID]);
  }

  async tellOwnSystem(agent: string): Promise<void> {
    this.calls.push(['tellOwnSystem', agent]);
  }

  retryNow(): void {
    this.calls.push(['retryNow']);
  }

  answer(requestID: string, reply: Reply, by: AnsweredBy): void {
    this.calls.push(['answer', requestID, reply, by]);
    const request = this.state.pending.get(requestID);
    if (!request) return;
    const { messageID, callID } = request;
    this.append({ type: 'permission.answered', messageID, callID, requestID, reply, by });
  }

  async rename(title: string): Promise<void> {
    this.append({ type: 'session.titled', title });
  }

  async keep(keep: boolean): Promise<void> {
    this.append({ type: 'session.kept', keep });
  }

  loadOlder(): Promise<boolean> {
    return this.older();
  }

  // Shorthands for what a turn is made of.

  user(messageID: string, text: string): void {
    this.append(
      { type: 'prompt.accepted', messageID, parentID: this.state.head, text, agent: 'build', model: MODEL },
      { type: 'turn.started', promptID: messageID },
    );
  }

  step(messageID: string): void {
    const parentID = this.state.head ?? '';
    const request = { base: null, append: [], system: '', tools: '', settings: {} };
    this.append({
      type: 'step.started',
      messageID,
      parentID,
      step: 0,
      agent: 'build',
      model: MODEL,
      request,
    });
  }

  text(messageID: string, text: string, id = '0'): void {
    this.append(
      { type: 'step.part', messageID, part: { type: 'text-start', id } },
      { type: 'step.part', messageID, part: { type: 'text-delta', id, text } },
    );
  }

  reasoning(messageID: string, text: string, ms: number): void {
    this.append(
      { type: 'step.part', messageID, part: { type: 'reasoning-start', id: 'r' } },
      { type: 'step.part', messageID, part: { type: 'reasoning-delta', id: 'r', text } },
    );
    this.wait(ms);
    this.append({ type: 'step.part', messageID, part: { type: 'reasoning-end', id: 'r' } });
  }

  call(messageID: string, callID: string, tool: string, input: Record<string, string | number>): void {
    this.append({ type: 'step.part', messageID, part: { type: 'tool-call', callID, tool, input } });
  }

  running(messageID: string, callID: string, tool: string, input: Record<string, string | number>): void {
    this.call(messageID, callID, tool, input);
    this.append({ type: 'call.running', messageID, callID, tool, input });
  }

  ended(
    messageID: string,
    callID: string,
    output: string,
    rest: Partial<Extract<EventBody, { type: 'call.ended' }>> = {},
  ): void {
    this.append({
      type: 'call.ended',
      messageID,
      callID,
      outcome: 'ok',
      output,
      title: '',
      metadata: {},
      attachments: [],
      ...rest,
    });
  }

  ask(
    messageID: string,
    callID: string,
    requestID: string,
    rest: Partial<Extract<EventBody, { type: 'permission.asked' }>> = {},
  ): void {
    this.append({
      type: 'permission.asked',
      messageID,
      callID,
      requestID,
      tool: 'bash',
      permission: 'bash',
      patterns: ['npm test'],
      always: ['npm test *'],
      subject: { kind: 'command', command: 'npm test' },
      decisions: [{ pattern: 'npm test', action: 'ask', source: 'default' }],
      ...rest,
    });
  }

  stepEnd(messageID: string): void {
    const usage = { inputTokens: 8200, outputTokens: 410 };
    this.append({ type: 'step.ended', messageID, reason: 'tool-calls', usage });
  }

  turnEnd(status: TurnStatus = 'idle'): void {
    this.append({ type: 'turn.ended', status });
  }
}

const MODEL = { provider: 'openai', model: 'gpt-5' };
