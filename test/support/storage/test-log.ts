import { steppingClock, type Clock } from '../../../src/base/clock.ts';
import { hashText } from '../../../src/base/hash.ts';
import { EVENT_VERSION, type Event, type EventBody } from '../../../src/session/log/events.ts';
import { messageRecord, sessionRecord } from '../../../src/session/log/records.ts';
import { emptyState, fold } from '../../../src/session/log/reduce.ts';
import type { Message, Part } from '../../../src/session/log/state.ts';
import type { Blob, Commit, MessageRecord } from '../../../src/session/log/store.ts';

const MODEL = { provider: 'scripted', model: 'script' };

/** A session's log for tests: appends events, folds them, and hands out the commits that a real session would make. */
export class TestLog {
  readonly sessionID: string;
  readonly events: Event[] = [];
  readonly state;
  readonly #clock: Clock;
  #committed = 0;
  #known: { messages: Map<string, Message>; parts: Map<string, Part> } = {
    messages: new Map(),
    parts: new Map(),
  };

  constructor(sessionID: string, options: { workspaceID?: string; title?: string; startMs?: number } = {}) {
    this.sessionID = sessionID;
    this.state = emptyState(sessionID);
    this.#clock = steppingClock(options.startMs);
    this.add({
      type: 'session.created',
      workspaceID: options.workspaceID ?? 'wsp_1',
      title: options.title ?? 'A session',
    });
  }

  add(...bodies: readonly EventBody[]): this {
    for (const body of bodies) {
      const { sessionID } = this;
      const event: Event = {
        ...body,
        v: EVENT_VERSION,
        sessionID,
        seq: this.events.length,
        time: this.#clock.now(),
      };
      this.events.push(event);
      fold(this.state, event);
    }
    return this;
  }

  prompt(messageID: string, text: string): this {
    return this.add({
      type: 'prompt.accepted',
      messageID,
      parentID: this.state.head,
      text,
      agent: 'build',
      model: MODEL,
    });
  }

  /** One whole assistant message that says `text`. */
  answer(messageID: string, text: string): this {
    this.startStep(messageID);
    this.add(
      { type: 'step.part', messageID, part: { type: 'text-start', id: 't' } },
      { type: 'step.part', messageID, part: { type: 'text-delta', id: 't', text } },
      { type: 'step.part', messageID, part: { type: 'text-end', id: 't' } },
    );
    return this.endStep(messageID);
  }

  startStep(messageID: string, blobs: { append?: string[]; system?: string; tools?: string } = {}): this {
    const { append = [], system = hashText('system'), tools = hashText('tools') } = blobs;
    return this.add({
      type: 'step.started',
      messageID,
      parentID: this.state.head ?? messageID,
      step: 0,
      agent: 'build',
      model: MODEL,
      request: { base: null, append, system, tools, settings: {} },
    });
  }

  endStep(messageID: string): this {
    return this.add({ type: 'step.ended', messageID, reason: 'stop', usage: {} });
  }

  /** A call that ended with a full output in `blob`, within a step that was started. */
  callWithOutput(messageID: string, callID: string, blob: string): this {
    return this.add(
      { type: 'step.part', messageID, part: { type: 'tool-call', callID, tool: 'bash', input: {} } },
      { type: 'call.running', messageID, callID, tool: 'bash', input: {} },
      {
        type: 'call.ended',
        messageID,
        callID,
        outcome: 'ok',
        output: 'a preview',
        title: 'a title',
        metadata: {},
        attachments: [],
        fullOutput: { path: '~/.opencode/truncate/x', blob, bytes: 1, lines: 1 },
      },
    );
  }

  /** Everything since the last commit. */
  commit(blobs: readonly Blob[] = []): Commit {
    const { sessionID, state } = this;
    const events = this.events.slice(this.#committed);
    this.#committed = this.events.length;
    const messages = [...state.messages.values()]
      .filter((message) => this.#isNew(message))
      .map((message) => messageRecord(state, message));
    this.#known = { messages: new Map(state.messages), parts: new Map(state.parts) };
    return { sessionID, events, messages, session: sessionRecord(state), blobs };
  }

  /** The records of all messages, as the log folds to them. */
  records(): MessageRecord[] {
    return [...this.state.messages.values()].map((message) => messageRecord(this.state, message));
  }

  #isNew(message: Message): boolean {
    const changed = (key: string) => this.#known.parts.get(key) !== this.state.parts.get(key);
    return this.#known.messages.get(message.id) !== message || message.partKeys.some(changed);
  }
}

export function blobOf(text: string): Blob {
  return { hash: hashText(text), bytes: new TextEncoder().encode(text) };
}
