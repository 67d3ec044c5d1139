import { matches } from '../permissions/wildcard.ts';
import type { Check } from './checks.ts';
import type { Lesson } from './lesson.ts';

/** The names that a lesson can use for tools, permissions and sub-agents of the app. */
export interface KnownNames {
  readonly tools: readonly string[];
  readonly permissions: readonly string[];
  readonly subagents: readonly string[];
}

/**
 * Lists what is probably a slip of a lesson's author although the lesson is valid: a check that names what the app does not
 * have, and a message to send that no turn of the script fits. Both can be meant: the workspace may have a custom tool, and
 * an answer can be missing on purpose.
 */
export function doubtsAbout({ model, script, steps }: Lesson, names: KnownNames): readonly string[] {
  const { turns } = script;
  const answersAny = model === 'you' || turns.some(({ when }) => when === undefined);
  // Commands (`/compact`, `!ls`) do not go to the model.
  const isAnswered = (prompt: string) =>
    answersAny || /^[/!]/.test(prompt) || turns.some(({ when = '' }) => new RegExp(when).test(prompt));
  const called = turns.flatMap(({ steps: each }) =>
    each.flatMap((step) => step.tools?.map(({ tool }) => tool) ?? []),
  );
  const known = { ...names, tools: [...names.tools, ...called] };
  return steps.flatMap(({ checks, prompts, smallModel }, index) => [
    ...checks.flatMap((check) => unknownName(check, known)).map((doubt) => `Step ${index + 1}: ${doubt}`),
    ...prompts
      .filter((prompt) => smallModel === undefined && !isAnswered(prompt))
      .map(
        (prompt) => `Step ${index + 1}: no turn of the script fits the message ${JSON.stringify(prompt)}.`,
      ),
  ]);
}

function unknownName(check: Check, { tools, permissions, subagents }: KnownNames): readonly string[] {
  const doubt = (kind: string, names: readonly string[], pattern: string) =>
    names.some((name) => matches(pattern, name)) ? [] : [`no ${kind} of the app is called "${pattern}".`];
  // A tool that is not the app's own asks for the permission of its name.
  const ofPermission = (pattern: string) => doubt('permission', [...permissions, ...tools], pattern);
  switch (check.kind) {
    case 'call':
      return doubt('tool', tools, check.call);
    case 'asked':
      return ofPermission(check.asked);
    case 'permission':
      return ofPermission(check.permission);
    case 'decided':
      return ofPermission(check.decided);
    case 'task':
      return doubt('sub-agent', subagents, check.agent ?? '*');
    default:
      return [];
  }
}
