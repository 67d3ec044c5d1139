import { FaultError } from '../base/fault.ts';
import { collect } from '../base/packed.ts';
import { parseMarkdown } from '../lessons/markdown.ts';
import { SOURCE_LIMITS, type LessonCard, type LessonStep } from '../lessons/parts.ts';
import { fromLink } from '../lessons/share.ts';
import type { Source } from './address.ts';

/** The languages besides English in which each lesson of the app is there, by its id. The build knows them. */
declare const __VITRINE_LESSON_LANGUAGES__: Readonly<Record<string, readonly string[]>>;

/** The text of a lesson. Its script and files are of no use without a computer. */
export interface ReadLesson {
  readonly card: LessonCard;
  readonly intro: string;
  readonly steps: readonly LessonStep[];
  /** The language of its texts, where it is known. */
  readonly language?: string;
}

/** Reads a lesson of the app by its name, in this language if it is translated, or one that is in the link. Rejects with a fault. */
export async function readLesson(
  source: Source & { readonly kind: 'lesson' },
  page: string,
  wanted: string,
): Promise<ReadLesson> {
  if ('packed' in source) return lessonIn((await fromLink(source.packed)).markdown);
  const { id } = source;
  const isTranslated =
    Object.hasOwn(__VITRINE_LESSON_LANGUAGES__, id) && __VITRINE_LESSON_LANGUAGES__[id]?.includes(wanted);
  const file = isTranslated ? `${id}.${wanted}.md` : `${id}.md`;
  return { ...lessonIn(await ownLesson(id, file, page)), language: isTranslated ? wanted : 'en' };
}

export function lessonIn(markdown: string): ReadLesson {
  const { card, intro, steps, problems } = parseMarkdown(markdown);
  if (card && problems.length === 0) return { card, intro, steps };
  throw new FaultError({
    code: 'lesson-invalid',
    what: `The lesson is not valid: ${problems.slice(0, 3).join(' ')}`,
    next: 'Ask whoever made it for a new link.',
  });
}

async function ownLesson(id: string, file: string, page: string): Promise<string> {
  const url = new URL(`./embedded-lessons/${file}`, page);
  const response = await fetch(url, { credentials: 'omit' }).catch(() => null);
  if (response?.ok && response.body) {
    const most = 4 * SOURCE_LIMITS.markdown;
    const bytes = await collect(response.body, most, () => undefined);
    return new TextDecoder().decode(bytes);
  }
  throw new FaultError({
    code: response?.status === 404 ? 'lesson-unknown' : 'lesson-unreachable',
    what:
      response?.status === 404
        ? `There is no lesson “${id}”.`
        : `The lesson could not be fetched from ${url.host}.`,
    where: url.href,
    next:
      response?.status === 404
        ? 'Open Vitrine to see which lessons there are.'
        : 'The host of Vitrine must send Access-Control-Allow-Origin: * for its folder embedded-lessons.',
  });
}
