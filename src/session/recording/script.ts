import type * as z from 'zod';
import type { scriptSchema } from '../../models/script/schema.ts';
import type { Fault } from '../../base/fault.ts';
import { isNewsBy } from '../log/news.ts';
import { isObject } from '../../base/json.ts';
import type { StreamPart } from '../log/parts.ts';
import { utf8 } from './redacted.ts';
import type { Recording, RecordedSession } from './recording.ts';
import { turnsOf, type RecordedStep, type RecordedTurn } from './steps.ts';

/** A script as it stands in a file, where what has its usual value is left out. */
type WrittenScript = z.input<typeof scriptSchema>;
type ScriptTurn = WrittenScript['turns'][number];
type ScriptStep = ScriptTurn['steps'][number];
type ScriptCall = NonNullable<ScriptStep['tools']>[number];

/** Milliseconds between two pieces of an answer, for a person who watches. */
const PACE_MS = 15;

/**
 * The model's answers in a recording, as a script: it makes the same calls, whatever their results. Files
 * that are not text are left out, as scripts cannot contain them.
 */
export function scriptOf({ title, files, contents, sessions: [own, ...others] }: Recording): WrittenScript {
  const ownTurns = answeredTurns(own).map((turn) => scriptTurn(turn));
  // A sub-agent's turns match its recorded prompt. Otherwise it would take a turn of the person, which
  // matches any prompt.
  const theirs = others.flatMap((session) =>
    answeredTurns(session).map((turn) => scriptTurn(turn, `^${escaped(turn.prompt.text)}$`)),
  );
  const texts = (files ?? []).flatMap((entry): [string, string][] => {
    const bytes = entry.type === 'file' ? contents.get(entry.hash) : undefined;
    const text = bytes && utf8(bytes);
    return text === undefined ? [] : [[entry.path, text]];
  });
  return {
    version: 1,
    title,
    ...(texts.length > 0 && { files: Object.fromEntries(texts) }),
    chunkDelayMs: PACE_MS,
    turns: [...theirs, ...ownTurns],
  };
}

/**
 * The turns of a session as a script counts them: those with an answer. What only tells of something, such as jobs that have
 * ended, takes no turn, so the steps after it belong to the prompt before. Messages with one answer together are one prompt.
 */
export function answeredTurns(session: RecordedSession): readonly RecordedTurn[] {
  const turns: RecordedTurn[] = [];
  for (const turn of turnsOf(session)) {
    const before = turns.at(-1);
    if (before && isNewsBy(turn.prompt.origin))
      turns[turns.length - 1] = { ...before, steps: [...before.steps, ...turn.steps] };
    else if (before && before.steps.length === 0 && turn.joined) {
      const text = `${before.prompt.text}\n\n${turn.prompt.text}`;
      turns[turns.length - 1] = { ...turn, joined: before.joined, prompt: { ...before.prompt, text } };
    } else turns.push(turn);
  }
  return turns.filter(({ steps }) => steps.length > 0);
}

function scriptTurn({ steps }: RecordedTurn, when?: string): ScriptTurn {
  return { ...(when !== undefined && { when }), steps: steps.map(scriptStep) };
}

function scriptStep({ parts }: RecordedStep): ScriptStep {
  let text = '';
  let reasoning = '';
  let failed: Fault | undefined;
  /** Keyed by the ids of the calls. Arguments that have only begun are text. */
  const calls = new Map<string, ScriptCall>();
  for (const { part } of parts) {
    if (part.type === 'error') failed ??= part.fault;
    if (part.type === 'text-delta') text += part.text;
    if (part.type === 'reasoning-delta') reasoning += part.text;
    if (part.type === 'tool-input-start') calls.set(part.callID, { tool: part.tool, raw: '' });
    if (part.type === 'tool-input-delta') {
      const { tool = '', raw = '' } = calls.get(part.callID) ?? {};
      calls.set(part.callID, { tool, raw: raw + part.delta });
    }
    if (part.type === 'tool-call') calls.set(part.callID, callOf(part));
  }
  const tools = [...calls.values()];
  const said = {
    ...(reasoning && { reasoning }),
    ...(text && { text }),
    ...(tools.length > 0 && { tools }),
  };
  if (!failed) return said;
  const cut = reasoning.length + text.length + tools.reduce((sum, call) => sum + lengthOf(call), 0);
  // A player asks again for an answer that broke off, so a failure that ended the turn stays an error.
  return cut === 0 || failed.retryable === false ? { error: errorOf(failed) } : { cut, ...said };
}

/** Arguments that are no object stay the text that the model wrote. */
function callOf({ tool, input, invalid }: Extract<StreamPart, { type: 'tool-call' }>): ScriptCall {
  if (typeof input === 'string') return { tool, raw: invalid ? input : JSON.stringify(input) };
  return isObject(input) ? { tool, input } : { tool, raw: JSON.stringify(input) };
}

function lengthOf({ raw, input }: ScriptCall): number {
  return (raw ?? JSON.stringify(input ?? {})).length;
}

/** A status with the same effect as the fault: it is retried, or not. */
function errorOf({ retryable, retryAfterMs }: Fault): NonNullable<ScriptStep['error']> {
  return {
    status: retryable === false ? 400 : 529,
    ...(retryAfterMs !== undefined && { retryAfter: retryAfterMs / 1000 }),
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
