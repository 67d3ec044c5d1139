import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { ToolSpec } from '../../session/request/model.ts';
import type { LanguageModelV4StreamPart } from '../types.ts';
import { callIn, fittedCall, isBrokenOff, withoutCall, type FoundCall } from './repaired-call.ts';

const TEXT = 'text';

/** Parses JSON that may be cut off; `undefined` where it is no object. */
export type ParsePartial = (text: string) => Promise<JsonObject | undefined>;

/**
 * Turns the text of an answer, while it arrives, into the parts of a stream. An answer is an object with `say` and
 * perhaps `call`. A model whose answers are not held to that form may write other text, or put the object into a
 * block of code: text that is no such object is what the model says, unless it has a call in another form.
 */
export class AnswerReader {
  readonly #parse: ParsePartial;
  readonly #callID: string;
  readonly #tools: readonly ToolSpec[];
  #text = '';
  #said = '';

  /** `callID` becomes the id of the call, if there is one. */
  constructor(parse: ParsePartial, callID: string, tools: readonly ToolSpec[] = []) {
    this.#parse = parse;
    this.#callID = callID;
    this.#tools = tools;
  }

  async add(chunk: string): Promise<LanguageModelV4StreamPart[]> {
    this.#text += chunk;
    const form = await this.#form();
    if (form === 'unknown') return [];
    return this.#say(form === 'text' ? this.#unfinished() : textOf(form.say));
  }

  /** The last parts of the answer: the rest of its text, and its call. `calls` tells whether there is one. */
  async end(): Promise<{ readonly parts: readonly LanguageModelV4StreamPart[]; readonly calls: boolean }> {
    const form = await this.#form();
    const call = this.#call(form);
    const parts = this.#say(typeof form !== 'string' ? textOf(form.say) : (call?.say ?? this.#text));
    if (this.#said !== '') parts.push({ type: 'text-end', id: TEXT });
    if (call) parts.push(...callParts(this.#callID, call.tool, call.input));
    return { parts, calls: call !== undefined };
  }

  #unfinished(): string {
    return this.#tools.length > 0 ? withoutCall(this.#text) : this.#text;
  }

  #call(form: JsonObject | 'text' | 'unknown'): FoundCall | undefined {
    if (typeof form === 'string') return this.#tools.length > 0 ? callIn(this.#text, this.#tools) : undefined;
    if (!isObject(form.call) || typeof form.call.tool !== 'string') return undefined;
    const say = textOf(form.say);
    // The parser completes what breaks off, and half a file must not be written.
    if (isBrokenOff(this.#text)) return { say, tool: form.call.tool, input: this.#text };
    return { say, ...fittedCall(form.call.tool, form.call.arguments ?? {}, this.#tools) };
  }

  /** Tells which form the text has so far; `unknown` where the next characters may decide it. */
  async #form(): Promise<JsonObject | 'text' | 'unknown'> {
    const text = this.#text.trimStart();
    if (text === '' || '```json'.startsWith(text)) return 'unknown';
    const json = text.replace(/^```(json)?\s*/, '').replace(/\s*```\s*$/, '');
    if (json === '') return 'unknown';
    if (!json.startsWith('{')) return 'text';
    const value = await this.#parse(json);
    if (!value) return 'text';
    if ('say' in value || 'call' in value) return value;
    return Object.keys(value).length === 0 ? 'unknown' : 'text';
  }

  #say(text: string): LanguageModelV4StreamPart[] {
    // Text that was shown stays: what does not continue it is not shown.
    if (!text.startsWith(this.#said) || text === this.#said) return [];
    const delta = text.slice(this.#said.length);
    const parts: LanguageModelV4StreamPart[] = this.#said === '' ? [{ type: 'text-start', id: TEXT }] : [];
    this.#said = text;
    return [...parts, { type: 'text-delta', id: TEXT, delta }];
  }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function callParts(id: string, toolName: string, input: Json): LanguageModelV4StreamPart[] {
  // Text that breaks off is no JSON, and the loop says so.
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return [
    { type: 'tool-input-start', id, toolName },
    { type: 'tool-input-delta', id, delta: text },
    { type: 'tool-input-end', id },
    { type: 'tool-call', toolCallId: id, toolName, input: text },
  ];
}
