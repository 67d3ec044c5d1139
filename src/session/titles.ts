import { title } from '../agents/hidden.ts';
import type { Hash } from '../base/hash.ts';
import { cut } from './compaction.ts';
import { costOf } from './cost.ts';
import type { EventBody } from './events.ts';
import type { Model } from './model.ts';
import { consume } from './processor.ts';

/** Of the message that is named, characters. */
const READ_CHARACTERS = 4_000;
const LONGEST_TITLE = 80;

export interface Named {
  /** Absent where the model gave none that is of use. */
  readonly title?: string;
  /** What the call came to, whatever became of the title. */
  readonly aside: EventBody & { readonly type: 'aside.ended' };
}

/** Asks `model` for a name of a session that begins with `text`. Never rejects; `undefined` where it was aborted. */
export async function nameOf(
  text: string,
  model: Model,
  signal: AbortSignal,
  digest: (body: string) => Promise<Hash>,
): Promise<Named | undefined> {
  let said = '';
  let hash: Promise<Hash | undefined> = Promise.resolve(undefined);
  const system = await title.prompt().catch(() => undefined);
  if (system === undefined || signal.aborted) return undefined;
  const stream = model.stream({
    system,
    messages: [
      {
        role: 'user',
        content: `Name the conversation that begins with this:\n\n<message>\n${cut(text, READ_CHARACTERS)}\n</message>`,
      },
    ],
    tools: [],
    // A name needs no long thought.
    settings: model.efforts?.[0] ? { reasoning: model.efforts[0] } : {},
    signal,
    onBody: (body) => {
      hash = digest(typeof body === 'string' ? body : JSON.stringify(body)).catch(() => undefined);
    },
  });
  const { usage, fault, aborted } = await consume(
    stream,
    (part) => {
      if (part.type === 'text-delta') said += part.text;
    },
    signal,
  );
  if (aborted) return undefined;
  const cost = model.price && costOf(usage, model.price);
  const bodyHash = await hash;
  const name = fault ? undefined : cleaned(said);
  return {
    ...(name && { title: name }),
    aside: {
      type: 'aside.ended',
      purpose: 'title',
      model: model.ref,
      usage,
      ...(cost !== undefined && { cost }),
      ...(bodyHash !== undefined && { bodyHash }),
      ...(fault && { fault }),
    },
  };
}

/** The first line that says something, without thoughts, marks and quotation marks around it. */
function cleaned(text: string): string {
  const line = text
    .replace(/<think(ing)?>[\s\S]*?(<\/think(ing)?>|$)/gi, '')
    .split('\n')
    .map((each) => each.replace(/^[\s#*_"'“„«`-]+|[\s*_"'”“»`]+$/g, ''))
    .find((each) => each !== '');
  if (!line) return '';
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1).trimEnd()}…` : line;
}
