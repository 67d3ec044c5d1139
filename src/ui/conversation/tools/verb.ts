import { isObject, type Json } from '../../../base/json.ts';
import { cardOf } from '../../../tools/cards.ts';
import { argumentsOf } from '../../../tools/manifests.ts';
import { verbWords } from './verb-words.ts';

/** The name of a call wherever the page shows one: a verb if its tool has one, else the tool's name. */
export function verbOf(tool: string, input?: Json): string {
  const card = cardOf(tool);
  if (!card) return tool;
  const { operation } = argumentsOf(tool, isObject(input) ? input : {});
  const named = typeof operation === 'string' && card.verbs && Object.hasOwn(card.verbs, operation);
  return verbWords.of(named ? (card.verbs?.[operation] ?? card.verb) : card.verb);
}
