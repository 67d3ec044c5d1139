import type { Script, ScriptTurn } from '../models/script/schema.ts';

/** A learner may send the same message again, and others that no lesson foresaw. */
const TIMES = 6;
const OTHERS = 200;

const OTHER: ScriptTurn = {
  steps: [
    {
      text: 'I am the scripted model of this lesson: I know what to say to its own messages, and nothing else. Send one of those; the lesson beside this has them, and *Start again* there begins anew. Or go on with your own model in a session of its own.',
    },
  ],
};

/** The script as it is played in a lesson: each turn that is for certain messages is there several times, and what no turn is for gets an answer too. */
export function lessonScript(script: Script): Script {
  const forSome = script.turns.filter(({ when }) => when !== undefined);
  const inOrder = script.turns.filter(({ when }) => when === undefined);
  return {
    ...script,
    turns: [
      ...Array.from({ length: TIMES }, () => forSome).flat(),
      ...inOrder,
      ...Array.from({ length: OTHERS }, () => OTHER),
    ],
  };
}
