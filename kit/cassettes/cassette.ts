import { createTwoFilesPatch } from 'diff';
import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';

/** An answer of a provider, as text. */
export interface RecordedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A request as it is compared: its path below the base URL, and the projection of its body. */
export interface CassetteRequest {
  readonly path: string;
  readonly body: Json;
}

export interface Exchange {
  readonly request: CassetteRequest;
  readonly answer: RecordedAnswer;
}

const VERSION = 1;

/** The text of a cassette's file. A member of a body that is the same as in an earlier request is named, not repeated. */
export function cassetteText(exchanges: readonly Exchange[]): string {
  const seen = new Map<string, string>();
  const shortened = exchanges.map(({ request: { path, body }, answer }, at) => ({
    request: { path, body: isObject(body) ? shorter(body, at, seen) : body },
    answer,
  }));
  return `${JSON.stringify({ vitrineCassette: VERSION, exchanges: shortened }, null, 2)}\n`;
}

/** Reads a cassette's file. Throws an error that names the file and says what to do. */
export function readCassette(text: string, file: string): readonly Exchange[] {
  const damaged = new Error(`${file} is no cassette that can be read. Delete it and record it again.`);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw damaged;
  }
  if (!isObject(value) || value['vitrineCassette'] !== VERSION || !Array.isArray(value['exchanges']))
    throw damaged;
  const exchanges: Exchange[] = [];
  for (const each of value['exchanges']) {
    if (!isObject(each) || !isObject(each['request']) || !isObject(each['answer'])) throw damaged;
    const { path, body } = each['request'];
    const { status, contentType, body: answer } = each['answer'];
    if (typeof path !== 'string' || body === undefined || typeof status !== 'number') throw damaged;
    if (typeof contentType !== 'string' || typeof answer !== 'string') throw damaged;
    const whole = isObject(body) ? longer(body, exchanges, damaged) : body;
    exchanges.push({ request: { path, body: whole }, answer: { status, contentType, body: answer } });
  }
  return exchanges;
}

/** The prefix of a text that stands for a member of an earlier body: `=0.tools` is `tools` of the first request. */
const SAME = '=';
/** Shorter members are easier to read where they are. */
const LEAST_CHARACTERS = 200;

function shorter(body: JsonObject, at: number, seen: Map<string, string>): JsonObject {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const text = JSON.stringify(value);
      if (text.length < LEAST_CHARACTERS) return [name, value];
      const before = seen.get(`${name} ${text}`);
      if (before !== undefined) return [name, before];
      seen.set(`${name} ${text}`, `${SAME}${at}.${name}`);
      return [name, value];
    }),
  );
}

function longer(body: JsonObject, earlier: readonly Exchange[], damaged: Error): JsonObject {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const [, at, named = ''] = (typeof value === 'string' && /^=(\d+)\.(\w+)$/.exec(value)) || [];
      if (at === undefined) return [name, value];
      const from = earlier[Number(at)]?.request.body;
      const found = isObject(from) ? from[named] : undefined;
      if (found === undefined) throw damaged;
      return [name, found];
    }),
  );
}

/** Gives the recorded answers to requests that are equal to the recorded ones, each answer once. */
export class CassettePlayer {
  readonly #file: string;
  readonly #left: Exchange[];
  readonly #total: number;
  #mismatch: string | undefined;

  constructor(exchanges: readonly Exchange[], file: string) {
    this.#file = file;
    this.#left = [...exchanges];
    this.#total = exchanges.length;
  }

  /** `undefined` if no answer is left that belongs to this request; {@link problem} then says how it differs. */
  answer(request: CassetteRequest): RecordedAnswer | undefined {
    const text = JSON.stringify(request);
    const at = this.#left.findIndex((each) => JSON.stringify(each.request) === text);
    if (at >= 0) return this.#left.splice(at, 1)[0]?.answer;
    this.#mismatch ??= this.#difference(request);
    return undefined;
  }

  /** Why the test is not the one that was recorded; `undefined` if it is. `isOver` counts answers that nobody asked for. */
  problem({ isOver }: { readonly isOver: boolean }): string | undefined {
    if (this.#mismatch !== undefined) return this.#mismatch;
    if (!isOver || this.#left.length === 0) return undefined;
    return `${this.#left.length} of the ${this.#total} answers in ${this.#file} were not asked for. ${AGAIN}`;
  }

  #difference(request: CassetteRequest): string {
    const number = this.#total - this.#left.length + 1;
    const [next] = this.#left;
    if (!next) return `Request ${number} is one more than ${this.#file} has answers for. ${AGAIN}`;
    const patch = createTwoFilesPatch('recorded', 'now', lines(next.request), lines(request), '', '', {
      context: 2,
    });
    const [, , ...diff] = patch.split('\n');
    return `Request ${number} is not the one that ${this.#file} has an answer for. ${AGAIN}\n${cut(diff)}`;
  }
}

const AGAIN = 'If the change is meant, record it again: VITRINE_CASSETTES=record.';
const MOST_LINES = 60;

/** Long texts are broken into lines, so that a difference in a system prompt can be read. */
function lines({ path, body }: CassetteRequest): string {
  return `${path}\n${JSON.stringify(body, null, 2).replaceAll('\\n', '\n')}\n`;
}

function cut(diff: readonly string[]): string {
  const more = diff.length - MOST_LINES;
  return [...diff.slice(0, MOST_LINES), ...(more > 0 ? [`… and ${more} more lines`] : [])].join('\n');
}
