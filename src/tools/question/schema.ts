import * as z from 'zod/mini';

export const optionSchema = z.object({ label: z.string(), description: z.optional(z.string()) });

/** One question in the normalized form. */
export const questionSchema = z.object({
  question: z.string(),
  /** A short name for the question. */
  header: z.optional(z.string()),
  options: z.array(optionSchema),
  /** Whether more than one option may be chosen. */
  multiple: z.boolean(),
  /** Whether the person may write an answer of their own. */
  custom: z.boolean(),
});
export type Question = z.infer<typeof questionSchema>;

/** One entry per question: the chosen labels, or an answer in the person's own words. Empty where unanswered. */
export const answersSchema = z.array(z.array(z.string()));
export type Answers = z.infer<typeof answersSchema>;

/** Questions that wait for the person. */
export interface QuestionRequest {
  readonly id: string;
  readonly sessionID: string;
  readonly messageID: string;
  readonly callID: string;
  readonly tool: string;
  readonly questions: readonly Question[];
}

/** Thrown where the person dismisses a question: the call fails and the turn ends. */
export class QuestionDismissed extends Error {
  constructor() {
    super('The user dismissed the question.');
    this.name = 'QuestionDismissed';
  }
}

/** Whether these answers are valid for these questions. */
export function answersFit(questions: readonly Question[], answers: Answers): boolean {
  return (
    answers.length === questions.length &&
    questions.every(({ options, multiple, custom }, index) => {
      const given = answers[index] ?? [];
      const known = (answer: string) => options.some(({ label }) => label === answer);
      return (multiple || given.length <= 1) && given.every((one) => one !== '' && (custom || known(one)));
    })
  );
}
