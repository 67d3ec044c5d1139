import type { Script, ScriptTurn } from '../models/script/schema.ts';

/** How often a learner may send the same message, and how many other messages get an answer. */
const TIMES = 6;
const UNKNOWN_TIMES = 200;

const UNKNOWN_MESSAGE: ScriptTurn = {
  steps: [
    {
      text: "I am the scripted model of this lesson: I can only answer this lesson's own messages. Send one of those from the lesson beside this, or press *Start again* there. To chat freely, open a new session with your own model.",
    },
  ],
};

/**
 * The script that a lesson's session plays: turns for certain messages are repeated, and any other message also gets
 * an answer.
 */
export function lessonScript(script: Script): Script {
  const forSome = script.turns.filter(({ when }) => when !== undefined);
  const inOrder = script.turns.filter(({ when }) => when === undefined);
  return {
    ...script,
    turns: [
      ...Array.from({ length: TIMES }, () => forSome).flat(),
      ...inOrder,
      ...Array.from({ length: UNKNOWN_TIMES }, () => UNKNOWN_MESSAGE),
    ],
  };
}
