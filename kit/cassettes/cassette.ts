import { createTwoFilesPatch } from 'diff';
import { canonicalJson } from '../../src/base/canonical-json.ts';
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

/** The text of a cassette's file. What a body has in common with an earlier one is named, not repeated. */
export function cassetteText(exchanges: readonly Exchange[]): string {
  const shortened = exchanges.map(({ request: { path, body }, answer }, at) => ({
    request: { path, ...(isObject(body) ? withoutRepeats(body, exchanges.slice(0, at)) : { body }) },
    answer,
  }));
  return `${JSON.stringify({ vitrineCassette: VERSION, exchanges: shortened }, null, 2)}\n`;
}

/** Why no cassette can be made of what was recorded; `unreached` requests had no answer at all. `undefined` if one can. */
export function nothingIn(
  exchanges: readonly Exchange[],
  unreached: number,
  file: string,
): string | undefined {
  if (exchanges.some(({ answer }) => answer.status < 400)) return undefined;
  const last = exchanges.at(-1)?.answer;
  let why = 'The test sent no request to the model.';
  if (last) why = `The provider answered with ${last.status}: ${last.body.slice(0, 300)}`;
  else if (unreached > 0) why = 'The provider could not be reached.';
  return `There is nothing to record in ${file}, and nothing was written. ${why}`;
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
    const { path, body, same } = each['request'];
    const { status, contentType, body: answer } = each['answer'];
    if (typeof path !== 'string' || body === undefined || typeof status !== 'number') throw damaged;
    if (typeof contentType !== 'string' || typeof answer !== 'string') throw damaged;
    const whole = isObject(body) ? withRepeats(body, same, exchanges, damaged) : body;
    exchanges.push({ request: { path, body: whole }, answer: { status, contentType, body: answer } });
  }
  return exchanges;
}

/** Shorter members are easier to read where they are. */
const LEAST_CHARACTERS = 200;

/** Says what is left out of a body: a member of an earlier request's body, or the first items of such a list. */
interface Same {
  readonly request: number;
  readonly items?: number;
}

/**
 * Leaves out each long member that an earlier body has too, and the beginning of a list that an earlier one begins with,
 * as the messages of a conversation do. `same` says where they are, beside the body, so that no text can be mistaken for it.
 */
function withoutRepeats(body: JsonObject, earlier: readonly Exchange[]) {
  const left: Record<string, Json> = {};
  const same: Record<string, Same> = {};
  for (const [name, value] of Object.entries(body)) {
    left[name] = value;
    if (JSON.stringify(value).length < LEAST_CHARACTERS) continue;
    const before = earlier.map(({ request }) => (isObject(request.body) ? request.body[name] : undefined));
    const equal = before.findIndex(
      (each) => each !== undefined && canonicalJson(each) === canonicalJson(value),
    );
    if (equal >= 0) {
      same[name] = { request: equal };
      delete left[name];
    } else if (Array.isArray(value)) {
      const items = before.map((each) => (Array.isArray(each) ? sharedItems(each, value) : 0));
      const most = Math.max(0, ...items);
      if (most === 0) continue;
      same[name] = { request: items.indexOf(most), items: most };
      left[name] = value.slice(most);
    }
  }
  return { body: left, ...(Object.keys(same).length > 0 && { same }) };
}

/** How many items two lists have in common at their beginning. */
function sharedItems(one: readonly Json[], other: readonly Json[]): number {
  const at = other.findIndex((item, index) => {
    const before = one[index];
    return before === undefined || canonicalJson(before) !== canonicalJson(item);
  });
  return at < 0 ? other.length : at;
}

function withRepeats(
  body: JsonObject,
  same: Json | undefined,
  earlier: readonly Exchange[],
  damaged: Error,
): JsonObject {
  if (same !== undefined && !isObject(same)) throw damaged;
  const whole: Record<string, Json> = { ...body };
  for (const [name, where] of Object.entries(same ?? {})) {
    if (!isObject(where) || typeof where['request'] !== 'number') throw damaged;
    const from = earlier[where['request']]?.request.body;
    const found = isObject(from) ? from[name] : undefined;
    const own = whole[name];
    const { items } = where;
    if (found === undefined) throw damaged;
    if (items === undefined) whole[name] = found;
    else if (Array.isArray(found) && Array.isArray(own) && typeof items === 'number')
      whole[name] = [...found.slice(0, items), ...own];
    else throw damaged;
  }
  return whole;
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
    const text = canonicalJson({ ...request });
    const at = this.#left.findIndex((each) => canonicalJson({ ...each.request }) === text);
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
    const [, ...diff] = patch.split('\n');
    return `Request ${number} is not the one that ${this.#file} has an answer for. ${AGAIN}\n${cut(diff)}`;
  }
}

const AGAIN = 'If the change is meant, record it again: VITRINE_CASSETTES=record.';
const MOST_LINES = 60;

/** Long texts are broken into lines, so that a difference in a system prompt can be read. */
function lines({ path, body }: CassetteRequest): string {
  return `${path}\n${canonicalJson(body, 2).replaceAll('\\n', '\n')}\n`;
}

function cut(diff: readonly string[]): string {
  const more = diff.length - MOST_LINES;
  return [...diff.slice(0, MOST_LINES), ...(more > 0 ? [`… and ${more} more lines`] : [])].join('\n');
}
