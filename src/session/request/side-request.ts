import type { Hash } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { costOf } from '../log/cost.ts';
import type { EventOf } from '../log/events.ts';
import type { Model } from './model.ts';
import type { FinishReason } from '../log/parts.ts';
import { consume } from '../turn/processor.ts';

type AsideBody = Omit<EventOf<'aside.ended'>, 'v' | 'sessionID' | 'seq' | 'time'>;

export interface SideQuestion {
  readonly purpose: AsideBody['purpose'];
  readonly system: string;
  readonly content: string;
  readonly settings: JsonObject;
  readonly signal: AbortSignal;
  digest(body: string): Promise<Hash>;
  /** Called with the whole text so far, each time there is more. */
  onText?(text: string): void;
}

export interface SideAnswer {
  readonly text: string;
  readonly reason: FinishReason;
  /** The event that records the call. */
  readonly ended: AsideBody;
}

/** Asks `model` one thing outside the conversation, without tools. Never rejects; `undefined` if aborted. */
export async function askBeside(model: Model, question: SideQuestion): Promise<SideAnswer | undefined> {
  const { purpose, system, content, settings, signal, digest, onText } = question;
  let text = '';
  let hash: Promise<Hash | undefined> = Promise.resolve(undefined);
  const stream = model.stream({
    system,
    messages: [{ role: 'user', content }],
    tools: [],
    settings,
    signal,
    onBody: (body) => {
      hash = digest(typeof body === 'string' ? body : JSON.stringify(body)).catch(() => undefined);
    },
  });
  const { usage, fault, aborted, reason } = await consume(
    stream,
    (part) => {
      if (part.type !== 'text-delta') return;
      text += part.text;
      onText?.(text);
    },
    signal,
  );
  if (aborted) return undefined;
  const cost = model.price && costOf(usage, model.price);
  const bodyHash = await hash;
  return {
    text,
    reason,
    ended: {
      type: 'aside.ended',
      purpose,
      model: model.ref,
      usage,
      ...(cost !== undefined && { cost }),
      ...(bodyHash !== undefined && { bodyHash }),
      ...(fault && { fault }),
    },
  };
}

/** Removes thoughts that a model wrote into its text. */
export function withoutThoughts(text: string): string {
  return text.replace(/<think(ing)?>[\s\S]*?(<\/think(ing)?>|$)/gi, '').trim();
}
