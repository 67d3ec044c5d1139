import type { Json } from '../base/json.ts';
import type { StreamPart } from '../session/log/parts.ts';

/** How many characters of a broken call's arguments are quoted to the model: enough to recognise the call. */
const MAX_QUOTE_LENGTH = 200;

type Invalid = NonNullable<Extract<StreamPart, { type: 'tool-call' }>['invalid']>;

/** Accepts `Bash` for `bash`, which models often write; any other difference makes the tool unknown. */
export function knownTool(name: string, tools: ReadonlySet<string>): string | undefined {
  if (tools.has(name)) return name;
  const lower = name.toLowerCase();
  return tools.has(lower) ? lower : undefined;
}

export function unknownTool(name: string, tools: ReadonlySet<string>): Invalid {
  const available = tools.size ? `The tools are: ${[...tools].join(', ')}.` : 'This request has no tools.';
  return { reason: 'unknown-tool', message: `There is no tool "${head(name)}". ${available}` };
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
  if (text.length <= MAX_QUOTE_LENGTH) return text;
  const cut = isHighSurrogate(text, MAX_QUOTE_LENGTH - 1) ? MAX_QUOTE_LENGTH - 1 : MAX_QUOTE_LENGTH;
  return `${text.slice(0, cut)}…`;
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}

/**
 * Gives every call of one message a unique id: servers repeat ids (`call_0`) or leave them empty. Stream parts are
 * matched by the server's id: deltas belong to the newest call with that id, the complete call to the oldest one
 * still open.
 */
export class CallIDs {
  readonly #used = new Set<string>();
  readonly #open = new Map<string, string[]>();

  /** Opens a call and returns its unique id. */
  start(raw: string): string {
    const id = this.#unique(raw);
    this.#open.set(raw, [...(this.#open.get(raw) ?? []), id]);
    return id;
  }

  /** The call that a delta belongs to; `undefined` when none was started. */
  current(raw: string): string | undefined {
    return this.#open.get(raw)?.at(-1);
  }

  /** Closes the oldest open call with this id, or makes an id for a call that was never started. */
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
