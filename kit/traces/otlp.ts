import { createHash } from 'node:crypto';
import { record, text } from '../facts/members.ts';

/** An event of a recording's file; which other members it has depends on its type. */
interface RecordedEvent {
  /** Milliseconds since the recording began. */
  readonly at: number;
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The part of a recording's file that a trace is made of. */
interface RecordingFile {
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly sessions: readonly { readonly id: string; readonly events: readonly RecordedEvent[] }[];
}

type Value =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly { readonly stringValue: string }[] } };

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 is internal, 3 a client's. */
  readonly kind: 1 | 3;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
  /** 1 is ok, 2 an error. */
  readonly status: { readonly code: 1 | 2; readonly message?: string };
}

export interface Traces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string };
      readonly spans: readonly Span[];
    }[];
  }[];
}

/**
 * A recording as OpenTelemetry traces, in the JSON of OTLP, by the semantic conventions for generative AI: a span for each
 * turn (`invoke_agent`), each request to a model (`chat`) and each call (`execute_tool`). It holds no text of messages,
 * arguments or results. The same recording always gives the same ids. Throws if `json` is no recording.
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */
export function tracesOf(json: string): Traces {
  const recording = JSON.parse(json) as RecordingFile & { readonly format?: unknown };
  if (recording.format !== 'vitrine-recording' || !Array.isArray(recording.sessions))
    throw new Error('This is not a recording of Vitrine.');
  const [own] = recording.sessions;
  const traceId = hex(`${own?.id} ${recording.started}`, 32);
  /** The calls that started sub-agents, by the id of the session that works for them. */
  const starters = new Map<string, string>();
  const spans = recording.sessions.flatMap((session) => {
    const made = new SessionSpans(traceId, recording.started, session.id, starters);
    for (const event of session.events) made.take(event);
    return made.spans(session.events.at(-1)?.at ?? 0);
  });
  return {
    resourceSpans: [
      {
        resource: { attributes: attributes({ 'service.name': 'vitrine' }) },
        scopeSpans: [{ scope: { name: 'vitrine' }, spans }],
      },
    ],
  };
}

interface OpenSpan {
  readonly key: string;
  name: string;
  readonly kind: Span['kind'];
  readonly parent: string | undefined;
  readonly start: number;
  end?: number;
  readonly facts: Record<string, Fact>;
  fault?: string;
}

type Fact = string | number | readonly string[] | undefined;

/** The spans of one session, from its events in their order. */
class SessionSpans {
  readonly #traceId: string;
  readonly #started: number;
  readonly #sessionID: string;
  readonly #starters: Map<string, string>;
  readonly #open = new Map<string, OpenSpan>();
  #turn = 0;

  constructor(traceId: string, started: number, sessionID: string, starters: Map<string, string>) {
    this.#traceId = traceId;
    this.#started = started;
    this.#sessionID = sessionID;
    this.#starters = starters;
  }

  take(event: RecordedEvent): void {
    const call = `call ${text(event.messageID)} ${text(event.callID)}`;
    const step = this.#open.get(`step ${text(event.messageID)}`);
    switch (event.type) {
      case 'turn.started':
        this.#begin(`turn ${++this.#turn}`, 'invoke_agent', event, this.#starters.get(this.#sessionID));
        return;
      case 'turn.ended': {
        const turn = this.#open.get(`turn ${this.#turn}`);
        if (turn) end(turn, event.at, event.status === 'idle' ? undefined : text(event.status));
        return;
      }
      case 'step.started':
        return this.#stepStarted(event);
      case 'step.part':
        // A step itself ends only after its calls: the answer has ended with its last part.
        if (step) step.end = event.at;
        return;
      case 'step.ended':
        if (step) stepEnded(step, event);
        return;
      case 'call.running':
        if (this.#open.has(call)) return;
        this.#begin(call, `execute_tool ${text(event.tool)}`, event, this.#turnKey(), {
          'gen_ai.tool.name': text(event.tool),
          'gen_ai.tool.call.id': text(event.callID),
          'gen_ai.tool.type': 'function',
        });
        return;
      case 'call.ended': {
        const made = this.#open.get(call);
        if (made) end(made, event.at, event.outcome === 'ok' ? undefined : text(event.outcome));
        return;
      }
      case 'task.started':
        this.#starters.set(text(event.childID), this.#id(call));
    }
  }

  /** What is still open when the recording ends, at `last`, ends there. */
  spans(last: number): readonly Span[] {
    return [...this.#open.values()].map(
      ({ key, name, kind, parent, start, end: at = last, facts, fault }) => ({
        traceId: this.#traceId,
        spanId: this.#id(key),
        ...(parent !== undefined && { parentSpanId: parent }),
        ...{ name, kind },
        startTimeUnixNano: this.#nano(start),
        endTimeUnixNano: this.#nano(Math.max(start, at)),
        attributes: attributes({ ...facts, 'error.type': fault }),
        status: fault === undefined ? { code: 1 } : { code: 2, message: fault },
      }),
    );
  }

  #stepStarted(event: RecordedEvent): void {
    const { provider, model } = record(event.model);
    const facts = {
      'gen_ai.provider.name': text(provider) === 'google' ? 'gcp.gemini' : text(provider),
      'gen_ai.request.model': text(model),
    };
    const turn = this.#open.get(`turn ${this.#turn}`);
    if (turn) {
      turn.name = `invoke_agent ${text(event.agent)}`;
      Object.assign(turn.facts, facts, { 'gen_ai.agent.name': text(event.agent) });
    }
    this.#begin(`step ${text(event.messageID)}`, `chat ${text(model)}`, event, this.#turnKey(), facts);
  }

  #begin(
    key: string,
    name: string,
    { at }: RecordedEvent,
    parent: string | undefined,
    facts: Record<string, Fact> = {},
  ): void {
    const [operation = ''] = name.split(' ');
    this.#open.set(key, {
      ...{ key, name, parent, start: at },
      kind: operation === 'chat' ? 3 : 1,
      facts: {
        'gen_ai.operation.name': operation,
        'gen_ai.conversation.id': this.#sessionID,
        ...facts,
      },
    });
  }

  #turnKey(): string | undefined {
    const key = `turn ${this.#turn}`;
    const turn = this.#open.get(key);
    // A command of the person, or a call of a test, between two turns belongs to neither.
    return turn && turn.end === undefined ? this.#id(key) : undefined;
  }

  #id(key: string): string {
    return hex(`${this.#traceId} ${this.#sessionID} ${key}`, 16);
  }

  /** Nanoseconds since the epoch are more than a number can hold exactly. */
  #nano(at: number): string {
    return String(BigInt(Math.round((this.#started + at) * 1000)) * 1000n);
  }
}

function stepEnded(step: OpenSpan, { at, reason, usage, fault }: RecordedEvent): void {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = record(usage);
  Object.assign(step.facts, {
    'gen_ai.usage.input_tokens': whole(inputTokens),
    'gen_ai.usage.output_tokens': whole(outputTokens),
    'gen_ai.usage.cache_read.input_tokens': whole(cacheReadTokens),
    'gen_ai.usage.cache_creation.input_tokens': whole(cacheWriteTokens),
    'gen_ai.usage.reasoning.output_tokens': whole(reasoningTokens),
    'gen_ai.response.finish_reasons': [text(reason)],
  });
  const { code } = record(fault);
  end(step, step.end ?? at, code === undefined ? undefined : text(code));
}

function end(span: OpenSpan, at: number, fault: string | undefined): void {
  span.end = at;
  if (fault !== undefined) span.fault = fault;
}

function attributes(facts: Readonly<Record<string, Fact>>): Span['attributes'] {
  return Object.entries(facts).flatMap(([key, fact]) =>
    fact === undefined || fact === '' ? [] : { key, value: valueOf(fact) },
  );
}

function valueOf(fact: NonNullable<Fact>): Value {
  if (typeof fact === 'string') return { stringValue: fact };
  // Protobuf's JSON writes 64-bit integers as texts.
  if (typeof fact === 'number') return { intValue: String(fact) };
  return { arrayValue: { values: fact.map((each) => ({ stringValue: each })) } };
}

const hex = (of: string, length: number) => createHash('sha256').update(of).digest('hex').slice(0, length);
const whole = (value: unknown) => (typeof value === 'number' ? Math.round(value) : undefined);
