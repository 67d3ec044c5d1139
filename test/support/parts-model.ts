import type { ModelFacts, Price } from '../../src/session/log/cost.ts';
import type { Model, ModelRequest } from '../../src/session/request/model.ts';
import type { Effort } from '../../src/session/log/effort.ts';
import type { ModelRef } from '../../src/session/log/events.ts';
import type { StreamPart } from '../../src/session/log/parts.ts';

export type PartsStep =
  readonly StreamPart[] | ((request: ModelRequest) => AsyncIterable<StreamPart> | readonly StreamPart[]);

/** One list a request, in order, or by what the request says. */
export type Steps = readonly PartsStep[] | ((request: ModelRequest) => PartsStep | undefined);

/** A model that streams prepared parts, one list a request, and keeps the requests. */
export class PartsModel implements Model {
  readonly ref: ModelRef;
  readonly contextLimit?: number;
  readonly outputLimit?: number;
  readonly price?: Price;
  readonly efforts?: readonly Effort[];
  readonly requests: ModelRequest[] = [];
  readonly #steps: Steps;

  constructor(steps: Steps, ref: ModelRef = { provider: 'test', model: 'parts' }, facts: ModelFacts = {}) {
    this.#steps = steps;
    this.ref = ref;
    Object.assign(this, facts);
  }

  async *stream(request: ModelRequest): AsyncGenerator<StreamPart> {
    this.requests.push(request);
    const step =
      typeof this.#steps === 'function' ? this.#steps(request) : this.#steps[this.requests.length - 1];
    if (!step) throw new Error(`No parts for request ${this.requests.length}.`);
    request.onBody({ request: this.requests.length });
    yield* typeof step === 'function' ? step(request) : step;
  }
}

/** Parts as they come from a sound provider. */
export const say = (text: string): StreamPart[] => [
  { type: 'start', warnings: [] },
  { type: 'text-start', id: 't' },
  ...(text.match(/\S+\s*/g) ?? []).map((word): StreamPart => ({ type: 'text-delta', id: 't', text: word })),
  { type: 'text-end', id: 't' },
];

export const call = (
  callID: string,
  tool: string,
  input: Extract<StreamPart, { type: 'tool-call' }>['input'],
): StreamPart[] => {
  const raw = JSON.stringify(input);
  return [
    { type: 'tool-input-start', callID, tool },
    { type: 'tool-input-delta', callID, delta: raw.slice(0, 4) },
    { type: 'tool-input-delta', callID, delta: raw.slice(4) },
    { type: 'tool-input-end', callID },
    { type: 'tool-call', callID, tool, input },
  ];
};

export const finish = (reason: Extract<StreamPart, { type: 'finish' }>['reason'] = 'stop'): StreamPart => ({
  type: 'finish',
  reason,
  usage: { inputTokens: 10, outputTokens: 5 },
});

/** Streams `parts`, then nothing more until it is aborted. */
export function thenHang(parts: readonly StreamPart[]): PartsStep {
  return async function* ({ signal }) {
    yield* parts;
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  };
}
