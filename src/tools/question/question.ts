import * as z from 'zod';
import { builtin } from '../define.ts';
import { oneLine, plural } from '../text.ts';
import { questionManifest } from './manifest.ts';
import type { Answers, Question } from './schema.ts';

/** Accepts a plain label in place of an option. */
const option = z.preprocess(
  (given) => (typeof given === 'string' ? { label: given } : withoutNulls(given)),
  z.object({
    label: z.string().min(1).describe('A few words, which are also the answer'),
    description: z.string().optional().describe('What choosing it means'),
  }),
);

const question = z.preprocess(
  withoutNulls,
  z.object({
    question: z.string().min(1).describe('The whole question'),
    header: z.string().optional().describe('Names it in at most 30 characters'),
    options: z.array(option).default([]).describe('Answers to choose from; the one you advise first'),
    multiple: z.boolean().default(false).describe('More than one option may be chosen'),
  }),
);

/** Also accepts a single question without the list. */
const parameters = z.preprocess(
  (given) =>
    typeof given === 'object' && given !== null && !('questions' in given) && 'question' in given
      ? { questions: [given] }
      : given,
  z.object({ questions: z.array(question).min(1) }),
);

export const questionTool = builtin(questionManifest, {
  description: [
    'Asks the user, and waits for the answers. For what only they can decide: preferences, requirements, a choice between ways to continue.',
    'They can always write an answer of their own, so offer no option such as "Other".',
    'Ask everything you need in one call. Do not ask for permission with it: tools ask for that themselves.',
  ].join('\n'),
  parameters,
  readOnly: true,
  asksFirst: true,
  async execute({ questions }, context) {
    const asked = questions.map(({ question, header, options, multiple }): Question => ({
      question,
      ...(header && { header }),
      options,
      multiple,
      custom: true,
    }));
    const answers = await context.question(asked);
    return {
      title: plural(asked.length, 'question'),
      output: report(asked, answers),
      metadata: { answers },
    };
  },
});

function report(questions: readonly Question[], answers: Answers): string {
  const lines = questions.map(({ question }, index) => {
    const given = answers[index] ?? [];
    const said = given.length > 0 ? given.map((answer) => JSON.stringify(answer)).join(', ') : '(no answer)';
    return `- ${oneLine(question)}: ${said}`;
  });
  return ['The user answered:', ...lines].join('\n');
}

function withoutNulls(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}
