import * as z from 'zod/mini';
import type { LessonSource } from './lesson.ts';
import { parseMarkdown } from './markdown.ts';
import type { Check } from './checks.ts';
import type { LessonStep } from './parts.ts';
import { worded } from './worded.ts';
import { writeMarkdown } from './write.ts';

const textsSchema = z.record(z.string(), z.string());

/** The file `script.json` of a translation. */
export const scriptTranslationSchema = z.strictObject({
  /** Texts of the script, such as the sentences of the model, by the English ones. */
  texts: z._default(textsSchema, {}),
  /** Patterns for messages in the language, by the `when` beside which they count. */
  when: z._default(textsSchema, {}),
});

/** A translation as it is stored: two files of the same names as the lesson's own. */
export interface Translation {
  readonly markdown: string;
  readonly script?: string;
}

/** Gives a lesson in another language. Whatever the translation leaves out stays in English. */
export function translate(english: LessonSource, translation: Translation): LessonSource {
  const script =
    translation.script === undefined ? english.script : translateScript(english.script, translation.script);
  return { markdown: translateMarkdown(english.markdown, translation.markdown), script };
}

function translateMarkdown(english: string, translation: string): string {
  const from = parseMarkdown(english);
  const to = parseMarkdown(translation);
  if (!from.card || !to.card) return english;
  return writeMarkdown({
    card: { ...from.card, title: to.card.title, summary: to.card.summary },
    intro: to.intro || from.intro,
    steps: from.steps.map((step, index) => translateStep(step, to.steps[index])),
  });
}

/** With another number of messages, the text of a step cannot be told from what is said after a message. */
function translateStep(english: LessonStep, to: LessonStep | undefined): LessonStep {
  if (to?.prompts.length !== english.prompts.length) return english;
  return {
    ...english,
    title: to.title,
    text: to.text || english.text,
    after: to.after || english.after,
    prompts: to.prompts,
    hints: to.hints.length === english.hints.length ? to.hints : english.hints,
    checks: english.checks.map((check, index) => {
      const translated = to.checks[index];
      return translated && isSameCheck(check, translated) ? translated : check;
    }),
  };
}

/** Whether two checks differ in nothing but the texts that a translation may change. */
export function isSameCheck(one: Check, other: Check): boolean {
  const rule = (check: Check) =>
    JSON.stringify(
      Object.entries(check)
        .filter(([key]) => !CHECK_TEXTS.has(key))
        .sort(),
    );
  return rule(one) === rule(other);
}

const CHECK_TEXTS = new Set(['label', 'ask', 'accept', 'choices', 'prompt', 'says']);

function translateScript(english: string, translation: string): string {
  const { texts, when } = scriptTranslationSchema.parse(JSON.parse(translation));
  const script = JSON.parse(english) as { title?: string; turns: readonly { when?: string }[] };
  const text = (given: string) => (Object.hasOwn(texts, given) ? (texts[given] ?? given) : given);
  const turns = script.turns.map((turn) => {
    const own = turn.when === undefined ? undefined : when[turn.when];
    return { ...worded(turn, text), ...(own !== undefined && { when: `${turn.when}|${own}` }) };
  });
  return JSON.stringify({ ...script, title: worded(script.title, text), turns }, null, 2);
}
