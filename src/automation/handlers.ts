import * as z from 'zod/mini';
import type { PermissionRequest, Reply } from '../permissions/types.ts';
import type { Answers, QuestionRequest } from '../tools/question/schema.ts';

/**
 * Returns `once`, `session`, `always`, `everywhere`, `reject`, or a refusal with a message. `undefined` leaves the
 * answer to the person; anything else refuses.
 */
export type PermissionHandler = (request: PermissionRequest) => unknown;

/**
 * Returns one list per question, or a shorter form where it is unambiguous: a text or a list for a single question,
 * one text each for several. `null` dismisses, `undefined` leaves the answer to the person, anything else dismisses.
 */
export type QuestionHandler = (request: QuestionRequest) => unknown;

const handlerAnswerSchema = z.union([
  z.enum(['once', 'session', 'always', 'everywhere', 'reject']),
  z.strictObject({ reject: z.string() }),
]);

const handlerAnswersSchema = z.union([z.string(), z.array(z.union([z.string(), z.array(z.string())]))]);

/** Asks a handler for the answers to a question; `undefined` leaves it to the person. */
export async function answersFrom(
  handler: QuestionHandler,
  request: QuestionRequest,
): Promise<Answers | null | undefined> {
  const given: unknown = await handler(request);
  if (given === undefined) return undefined;
  const parsed = handlerAnswersSchema.safeParse(given);
  if (!parsed.success) return null;
  const { data } = parsed;
  if (typeof data === 'string') return [[data]];
  if (request.questions.length === 1 && data.every((one) => typeof one === 'string')) return [data];
  return data.map((one) => (typeof one === 'string' ? [one] : one));
}

/** Asks a handler for the answer to a request; `undefined` leaves it to the person. */
export async function answerFrom(
  handler: PermissionHandler,
  request: PermissionRequest,
): Promise<Reply | undefined> {
  const answer: unknown = await handler(request);
  if (answer === undefined || answer === null) return undefined;
  const parsed = handlerAnswerSchema.safeParse(answer);
  // A handler that answers nonsense must not let anything through.
  if (!parsed.success) return { reply: 'reject', message: 'The permission handler gave an invalid answer.' };
  if (typeof parsed.data === 'object') return { reply: 'reject', message: parsed.data.reject };
  switch (parsed.data) {
    case 'once':
      return { reply: 'once' };
    case 'reject':
      return { reply: 'reject' };
    case 'session':
    case 'always':
    case 'everywhere':
      return { reply: parsed.data, patterns: [...request.always] };
  }
}
