import type { CheckOf, Check } from '../../src/lessons/checks.ts';
import type { LessonStep } from '../../src/lessons/parts.ts';
import type { Reply, PermissionRequest } from '../../src/permissions/types.ts';
import { ScriptPlan, type ScriptMessage } from '../../src/models/script/plan.ts';
import type { YouAnswer, YouQueue, YouRequest } from '../../src/models/you/queue.ts';
import type { OpenLesson, SessionHandle } from '../../src/ui/app.ts';
import { matches } from '../../src/permissions/wildcard.ts';
import { alike } from '../../src/lessons/answers.ts';

/**
 * Takes a lesson as a learner does who follows it to the letter: sends its messages, answers what is asked as its checks
 * want it answered, answers its questions. Rejects, with what was not met, where that does not lead to the end.
 */
export async function takeLesson(
  { run, session, model }: OpenLesson,
  { live, queue }: { readonly live: () => readonly SessionHandle[]; readonly queue: YouQueue },
  patienceMs = 10_000,
): Promise<void> {
  const plan = new ScriptPlan(run.lesson.script);
  const sent = new Set<string>();
  const deadline = Date.now() + patienceMs;
  while (!run.finished) {
    const step = run.current;
    if (!step) return;
    if (Date.now() > deadline)
      throw new Error(`Stuck at step ${run.step + 1}, "${step.title}": ${unmet(step, run.met)}`);
    if (step.checks.length === 0) run.goOn();
    else await act(step);
    await new Promise((resolve) => setImmediate(resolve));
  }

  async function act(step: LessonStep): Promise<void> {
    const open = step.checks.filter((_, index) => !run.met[index]);
    const asker = live().find(({ state }) => state.pending.size > 0);
    const [asked] = asker?.state.pending.values() ?? [];
    const [request] = queue.waiting();
    if (request) return queue.answer(request.id, asModel(plan, request));
    const [question] = session.state.questions.values();
    if (asked) {
      const reply = replyTo(asked, open);
      if (reply) asker?.answer(asked.id, reply, 'person');
    } else if (question) {
      const check = open.find(({ kind }) => kind === 'question') as CheckOf<'question'> | undefined;
      const answers = question.questions.map(({ options }) => [options?.[0]?.label ?? 'yes']);
      session.answerQuestion(question.id, check?.question === 'dismissed' ? null : answers, 'person');
    } else if (session.state.turn) {
      const live = [...session.state.parts.values()].some((part) => part.type === 'tool' && part.live !== '');
      if (live && open.some((check) => check.kind === 'turn' && check.turn === 'aborted')) session.abort();
    } else await rest(step, open);
  }

  async function rest(step: LessonStep, open: readonly Check[]): Promise<void> {
    const mode = open.find((check) => check.kind === 'mode');
    if (mode) return session.setMode(mode.mode);
    if (open.some((check) => check.kind === 'restored' && check.restored === 'undo')) return goBack();
    // What begins with a slash is a command of the message box.
    const next = step.prompts.find((text) => !text.startsWith('/') && !sent.has(`${run.step} ${text}`));
    if (next !== undefined) {
      sent.add(`${run.step} ${next}`);
      return session.prompt(next, { model });
    }
    if (open.some(({ kind }) => kind === 'compacted')) session.compact(model);
    for (const check of open) {
      if (check.kind !== 'ask') continue;
      const answer =
        check.choices?.find((choice) => check.accept.some((pattern) => alike(pattern, choice))) ??
        check.accept[0]?.replaceAll('*', '');
      if (!run.answer(step.checks.indexOf(check), answer ?? ''))
        throw new Error(`"${answer}" is not accepted for "${check.ask}".`);
      return;
    }
  }

  /** Restores the files and the conversation as they were before the newest message of the learner. */
  async function goBack(): Promise<void> {
    const newest = [...session.state.messages.values()].findLast(({ role }) => role === 'user');
    if (!newest || !session.restores) throw new Error('There is nothing to go back to.');
    const plan = await session.restores.plan({ kind: 'before', messageID: newest.id });
    await session.restores.run(plan, { conversation: true, files: true });
  }
}

/** As the checks want it; `undefined`: it is to be left waiting. */
function replyTo(request: PermissionRequest, open: readonly Check[]): Reply | undefined {
  if (
    open.some((check) => check.kind === 'turn' && check.turn === 'aborted') &&
    request.permission === 'bash'
  )
    return { reply: 'once' };
  const check = open.find(
    (each): each is CheckOf<'permission'> =>
      each.kind === 'permission' && matches(each.permission, request.permission),
  );
  if (!check && open.some(({ kind }) => kind === 'permission')) return undefined;
  const [kind] = [check?.reply ?? 'once'].flat();
  if (kind === 'reject') return { reply: 'reject' };
  if (kind === 'feedback') return { reply: 'reject', message: 'I did not ask for that.' };
  if (kind === 'once' || kind === undefined) return { reply: 'once' };
  return { reply: kind, patterns: [...request.always] };
}

function unmet(step: LessonStep, met: readonly boolean[]): string {
  return step.checks.flatMap((check, index) => (met[index] ? [] : JSON.stringify(check))).join(' ');
}

/** Where the learner is the model, the script is what a good one would answer. */
function asModel(plan: ScriptPlan, { messages }: YouRequest): YouAnswer {
  const spoken = messages.flatMap(({ role, parts }): ScriptMessage[] => {
    if (role === 'assistant') return [{ by: 'model' }];
    if (role !== 'user') return [];
    return [{ by: 'user', text: parts.map((part) => ('text' in part ? part.text : '')).join('') }];
  });
  const planned = plan.next(spoken, () => ({ system: '', results: [], tools: [] }));
  if ('missing' in planned) throw new Error(planned.missing);
  const { text = '', tools = [] } = planned.step;
  return { text, calls: tools.map(({ tool, input }) => ({ tool, args: JSON.stringify(input) })) };
}
