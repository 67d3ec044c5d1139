import type { Json } from '../base/json.ts';
import type { StreamPart } from '../session/parts.ts';

/** Characters of a broken call's arguments that are repeated to the model: enough to recognise them, never all. */
const QUOTED_INPUT = 200;

type Invalid = NonNullable<Extract<StreamPart, { type: 'tool-call' }>['invalid']>;

/** Models write `Bash` for `bash` often enough; any other difference is an unknown tool. */
export function knownTool(name: string, tools: ReadonlySet<string>): string | undefined {
  if (tools.has(name)) return name;
  const lower = name.toLowerCase();
  return tools.has(lower) ? lower : undefined;
}

export function unknownTool(name: string, tools: ReadonlySet<string>): Invalid {
  const there = tools.size ? `The tools are: ${[...tools].join(', ')}.` : 'This request has no tools.';
  return { reason: 'unknown-tool', message: `There is no tool "${head(name)}". ${there}` };
}

export function brokenArguments(tool: string, input: Json): Invalid {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const message =
    text.trim() === ''
      ? `The arguments of "${tool}" are empty. Call it again with a JSON object.`
      : `The arguments of "${tool}" are not valid JSON, perhaps cut off. Call it again with a complete JSON object. They began: ${head(text)}`;
  return { reason: 'bad-json', message };
}

export function deepArguments(tool: string): Invalid {
  const message = `The arguments of "${tool}" are nested too deep. Call it again with fewer levels.`;
  return { reason: 'too-deep', message };
}

function head(text: string): string {
  if (text.length <= QUOTED_INPUT) return text;
  const cut = isHighSurrogate(text, QUOTED_INPUT - 1) ? QUOTED_INPUT - 1 : QUOTED_INPUT;
  return `${text.slice(0, cut)}…`;
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}

/**
 * Gives every call of one message its own id: servers repeat ids (`call_0`) or leave them empty. The pieces of a call
 * find it by the id they came with: deltas belong to the newest call of that id, the call itself to the oldest that
 * is still open.
 */
export class CallIDs {
  readonly #used = new Set<string>();
  readonly #open = new Map<string, string[]>();

  /** A call's arguments begin. */
  start(raw: string): string {
    const id = this.#unique(raw);
    this.#open.set(raw, [...(this.#open.get(raw) ?? []), id]);
    return id;
  }

  /** The call that a piece of arguments belongs to; `undefined` when none was begun. */
  current(raw: string): string | undefined {
    return this.#open.get(raw)?.at(-1);
  }

  /** The call is complete. */
  complete(raw: string): string {
    return this.#open.get(raw)?.shift() ?? this.#unique(raw);
  }

  #unique(raw: string): string {
    const base = raw || 'call';
    let id = base;
    for (let n = 2; this.#used.has(id); n++) id = `${base}_${n}`;
    this.#used.add(id);
    return id;
  }
}
