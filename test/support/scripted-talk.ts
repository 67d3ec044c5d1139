import { ScriptPlan, type ScriptMessage } from '../../src/models/script/plan.ts';
import type { Script, ScriptAnswer, ScriptStep } from '../../src/models/script/schema.ts';

export type ScriptedCall = NonNullable<ScriptAnswer['tools']>[number];

/** Every answer that a step may give. */
export function answersOf(step: ScriptStep): readonly ScriptAnswer[] {
  return step.cases ?? step.chance ?? [step];
}

/** What a scripted model writes in the turn of a message, if its calls have these results. */
export function talk(
  script: Script,
  prompt: string,
  resultOf: (call: ScriptedCall) => string,
): { readonly texts: readonly string[]; readonly calls: readonly ScriptedCall[] } {
  const plan = new ScriptPlan(script);
  const messages: ScriptMessage[] = [{ by: 'user', text: prompt }];
  const texts: string[] = [];
  const calls: ScriptedCall[] = [];
  for (let results: readonly string[] = []; ;) {
    const given = results;
    const planned = plan.next(messages, () => ({ system: '', tools: [], results: given }));
    if ('missing' in planned) throw new Error(planned.missing);
    const { text = '', tools = [] } = planned.step;
    texts.push(text);
    calls.push(...tools);
    if (tools.length === 0) return { texts, calls };
    results = tools.map(resultOf);
    messages.push({ by: 'model' });
  }
}
