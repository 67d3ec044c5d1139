import * as z from 'zod';
import { jsonObjectSchema, type JsonObject } from '../../../base/json.ts';
import type { YouAnswer } from '../../../models/you/queue.ts';

const storedSchema = z.object({
  text: z.string(),
  calls: z.array(z.object({ tool: z.string(), value: jsonObjectSchema, raw: z.string().nullable() })),
});

/** A call while the person fills in its arguments. */
export class CallDraft {
  readonly tool: string;
  #value = $state.raw<JsonObject>({});
  #raw = $state.raw<string | null>(null);

  constructor(tool: string, value: JsonObject = {}, raw: string | null = null) {
    this.tool = tool;
    this.#value = value;
    this.#raw = raw;
  }

  get value(): JsonObject {
    return this.#value;
  }
  set value(value: JsonObject) {
    this.#value = value;
  }
  /** The arguments as typed text; `null` while the form supplies them. */
  get raw(): string | null {
    return this.#raw;
  }
  set raw(raw: string | null) {
    this.#raw = raw;
  }
  get args(): string {
    return this.#raw ?? JSON.stringify(this.#value);
  }
}

/**
 * An answer that the person is writing. It is kept in the tab, so that switching sessions or reloading does
 * not lose it.
 */
export class AnswerDraft {
  readonly #key: string;
  #text = $state('');
  #calls = $state.raw<readonly CallDraft[]>([]);

  constructor(sessionID: string) {
    this.#key = `vitrine.you.${sessionID}`;
    const stored = storedSchema.safeParse(read(this.#key));
    if (!stored.success) return;
    this.#text = stored.data.text;
    this.#calls = stored.data.calls.map(({ tool, value, raw }) => new CallDraft(tool, value, raw));
  }

  get text(): string {
    return this.#text;
  }
  set text(text: string) {
    this.#text = text;
  }
  get calls(): readonly CallDraft[] {
    return this.#calls;
  }
  get empty(): boolean {
    return this.#text.trim() === '' && this.#calls.length === 0;
  }

  add(tool: string): void {
    this.#calls = [...this.#calls, new CallDraft(tool)];
  }

  remove(call: CallDraft): void {
    this.#calls = this.#calls.filter((other) => other !== call);
  }

  answer(): YouAnswer {
    return { text: this.#text, calls: this.#calls.map(({ tool, args }) => ({ tool, args })) };
  }

  keep(): void {
    const calls = this.#calls.map(({ tool, value, raw }) => ({ tool, value, raw }));
    write(this.#key, this.empty ? null : JSON.stringify({ text: this.#text, calls }));
  }

  clear(): void {
    this.#text = '';
    this.#calls = [];
    write(this.#key, null);
  }
}

// If the browser refuses storage, the draft lasts as long as the form.
function read(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

function write(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    return;
  }
}
