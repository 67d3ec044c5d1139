import { isObject, type Json } from '../../../base/json.ts';
import { words } from '../../words.ts';
import { isAboutCode, operationNamed } from './about-code.ts';

/** The name of a call wherever the page shows one: a verb if its tool has one, else the tool's name. */
export function verbOf(tool: string, input?: Json): string {
  if (isAboutCode({ tool })) {
    const operation = operationOf(tool, input);
    if (Object.hasOwn(words.codeVerbs, operation)) return words.codeVerbs[operation] ?? tool;
  }
  return (Object.hasOwn(words.verbs, tool) && words.verbs[tool]) || tool;
}

/** The operation that a call asks of the language services; empty if it names none. */
export function operationOf(tool: string, input?: Json): string {
  const said = isObject(input) ? input.operation : undefined;
  return typeof said === 'string' && said !== '' ? said : (operationNamed(tool) ?? '');
}
