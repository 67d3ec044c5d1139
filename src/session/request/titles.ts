import { title } from '../../agents/hidden.ts';
import type { Hash } from '../../base/hash.ts';
import { askBeside, withoutThoughts, type SideAnswer } from './side-request.ts';
import { cut } from './compaction.ts';
import type { Model } from './model.ts';

/** How many characters of the first message the title model sees. */
const READ_CHARACTERS = 4_000;
const LONGEST_TITLE = 80;

export interface TitleAnswer {
  /** Absent if the model gave no usable title. */
  readonly title?: string;
  /** The event that records the model call, whether or not it gave a title. */
  readonly aside: SideAnswer['ended'];
}

/** Asks `model` to name a session that begins with `text`. Never rejects; `undefined` if it was aborted. */
export async function askForTitle(
  text: string,
  model: Model,
  signal: AbortSignal,
  digest: (body: string) => Promise<Hash>,
): Promise<TitleAnswer | undefined> {
  const system = await title.prompt().catch(() => undefined);
  if (system === undefined || signal.aborted) return undefined;
  const asked = await askBeside(model, {
    purpose: 'title',
    system,
    content: `Name the conversation that begins with this:\n\n<message>\n${cut(text, READ_CHARACTERS)}\n</message>`,
    // A title needs little thinking.
    settings: model.efforts?.[0] ? { reasoning: model.efforts[0] } : {},
    signal,
    digest,
  });
  if (!asked) return undefined;
  const name = asked.ended.fault ? undefined : withoutMarks(asked.text);
  return { ...(name && { title: name }), aside: asked.ended };
}

/** The first line with content, without thoughts and without marks and quotation marks around it. */
function withoutMarks(text: string): string {
  const line = withoutThoughts(text)
    .split('\n')
    .map((each) => each.replace(/^[\s#*_"'“„«`-]+|[\s*_"'”“»`]+$/g, ''))
    .find((each) => each !== '');
  if (!line) return '';
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1).trimEnd()}…` : line;
}
