import * as z from 'zod';

export const optionSchema = z.object({ label: z.string(), description: z.string().optional() });

/** One question as it is asked: every form that the tool takes has become this one. */
export const questionSchema = z.object({
  question: z.string(),
  /** A few words that name it where there are several. */
  header: z.string().optional(),
  options: z.array(optionSchema),
  /** More than one option may be chosen. */
  multiple: z.boolean(),
  /** The person may write an answer of their own. */
  custom: z.boolean(),
});
export type Question = z.infer<typeof questionSchema>;

/** One entry a question: the labels that were chosen, or an answer in own words. Empty: left unanswered. */
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

/** Thrown where the person will not answer: the call fails and the turn ends. */
export class QuestionDismissed extends Error {
  constructor() {
    super('The user dismissed the question.');
    this.name = 'QuestionDismissed';
  }
}

/** Whether these answers can have been given to these questions. */
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
