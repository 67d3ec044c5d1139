import type { Script, ScriptTurn } from '../models/script/schema.ts';

/** How often a learner may send the same message, and how many other messages get an answer. */
const TIMES = 6;
const UNKNOWN_TIMES = 200;

/**
 * The script that a lesson's session plays: turns for certain messages are repeated, and any other message is answered
 * with `unknown`.
 */
export function lessonScript(script: Script, unknown: string): Script {
  const answer: ScriptTurn = { steps: [{ text: unknown }] };
  const forSome = script.turns.filter(({ when }) => when !== undefined);
  const inOrder = script.turns.filter(({ when }) => when === undefined);
  return {
    ...script,
    turns: [
      ...Array.from({ length: TIMES }, () => forSome).flat(),
      ...inOrder,
      ...Array.from({ length: UNKNOWN_TIMES }, () => answer),
    ],
  };
}
