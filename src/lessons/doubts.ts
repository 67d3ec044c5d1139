import { matches } from '../permissions/wildcard.ts';
import type { Lesson } from './lesson.ts';

/**
 * Lists what is probably a slip of a lesson's author although the lesson is valid: a check on calls of a tool that is neither
 * in `tools` nor called by the script, and a message to send that no turn of the script fits. Both can be meant: the
 * workspace may have a custom tool, and an answer can be missing on purpose.
 */
export function doubtsAbout(lesson: Lesson, tools: readonly string[]): readonly string[] {
  const { turns } = lesson.script;
  const answersAny = lesson.model === 'you' || turns.some(({ when }) => when === undefined);
  // Commands (`/compact`, `!ls`) do not go to the model.
  const isAnswered = (prompt: string) =>
    answersAny || /^[/!]/.test(prompt) || turns.some(({ when = '' }) => new RegExp(when).test(prompt));
  const called = turns.flatMap(({ steps }) =>
    steps.flatMap((step) => step.tools?.map(({ tool }) => tool) ?? []),
  );
  const known = [...tools, ...called];
  return lesson.steps.flatMap(({ checks, prompts, smallModel }, index) => [
    ...checks.flatMap((check) =>
      check.kind === 'call' && !known.some((tool) => matches(check.call, tool))
        ? [`Step ${index + 1}: no tool of the app is called "${check.call}".`]
        : [],
    ),
    ...prompts
      .filter((prompt) => smallModel === undefined && !isAnswered(prompt))
      .map(
        (prompt) => `Step ${index + 1}: no turn of the script fits the message ${JSON.stringify(prompt)}.`,
      ),
  ]);
}
