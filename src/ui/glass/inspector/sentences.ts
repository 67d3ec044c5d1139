import type { AuditDecision } from '../../../session/log/audit.ts';
import type { Decision } from '../../../permissions/types.ts';
import type { Call, Hold } from '../../../session/inspect/timeline.ts';
import { auditWords } from '../audit/audit-words.ts';
import { duration } from '../../format.ts';
import { stepWords } from '../stepping/step-words.ts';
import { inspectorWords as words } from './inspector-words.ts';

/** The number of characters after which a pattern is cut in a sentence; it is shown in full below. */
const LONGEST = 80;

/** Sentences that explain why a call ran or did not, in the order of the decisions. */
export function reasonsOfCall(call: Call, decisions: readonly AuditDecision[]): readonly string[] {
  const edits = call.edits.map(({ kind }) => stepWords.editedCall[kind]);
  const answered = call.edits.some(({ kind }) => kind === 'answer');
  return [...(answered ? [] : reasonsOfRules(call, decisions)), ...edits, ...reasonsOfHolds(call.holds)];
}

/** Sentences about the points where the person paused, and for how long. */
export function reasonsOfHolds(holds: readonly Hold[]): readonly string[] {
  return holds.map(({ point, from, to }) =>
    to === undefined
      ? words.holding(words.holdPoints[point])
      : words.heldFor(words.holdPoints[point], duration(to - from)),
  );
}

function reasonsOfRules(call: Call, decisions: readonly AuditDecision[]): readonly string[] {
  if (call.invalid || (call.outcome === 'invalid' && decisions.length === 0))
    return [
      call.edits.some(({ kind }) => kind === 'input')
        ? 'It did not run: your arguments do not match the schema.'
        : 'It did not run: the model wrote a call that cannot be run, and was told why.',
    ];
  if (decisions.length > 0) return decisions.flatMap(reasonsOfDecision);
  if (call.runs.length > 0) return ['No decision was needed: this tool asks for nothing.'];
  if (call.outcome === 'cancelled') return ['It was cancelled before anything was decided.'];
  if (call.outcome === 'interrupted') return ['It was interrupted before anything was decided.'];
  if (call.outcome !== undefined) return ['It ended before anything was decided.'];
  return call.resolved === undefined ? ['The model is still writing it.'] : ['It has not started yet.'];
}

function reasonsOfDecision(decision: AuditDecision): readonly string[] {
  const { because, dangers, decisions, outcome, answer, time } = decision;
  const sentences: string[] = [];
  const verdict =
    decisions.find(({ action }) => action === 'deny') ??
    decisions.find(({ action }) => action === 'ask') ??
    decisions[0];
  const asked = answer !== undefined || outcome === 'waiting' || outcome === 'withdrawn';
  if (because === 'refused-before')
    sentences.push('Denied without asking: the same request was denied earlier in this turn.');
  else if (dangers?.[0])
    sentences.push(`Asked whatever the rules allow: ${short(dangers[0].text)} matches a dangerous pattern.`);
  else if (verdict)
    sentences.push(
      `${asked ? 'Asked' : outcome === 'denied' ? 'Denied without asking' : 'Allowed without asking'} because ${causeOf(verdict)}${alsoFor(verdict, decisions)}.`,
    );
  else sentences.push(asked ? 'Asked because no rule covers it.' : 'Decided without a rule.');
  if (answer) {
    const { reply, by } = answer;
    const said = auditWords.answered(auditWords.replies[reply.reply], auditWords.by[by]);
    const message =
      reply.reply === 'reject' && reply.message !== undefined ? `, saying: ${reply.message}` : '';
    const saved = 'patterns' in reply && reply.patterns.length > 0 ? ` (${reply.patterns.join(', ')})` : '';
    sentences.push(
      by === 'cancelled'
        ? `Withdrawn after ${duration(answer.time - time)}: the turn ended before it was answered.`
        : `${said}${saved} after ${duration(answer.time - time)}${message}.`,
    );
  } else if (outcome === 'waiting') sentences.push('It waits for your answer.');
  return sentences;
}

function causeOf({ pattern, rule, source, action }: Decision): string {
  const what = `“${short(pattern)}”`;
  if (!rule || !source) return `no rule covers ${what}`;
  return `the rule “${rule.permission} ${short(rule.pattern)}: ${action}” of ${auditWords.sources[source]} decided for ${what}`;
}

/** How many of the other patterns were decided by the same rule, and how many by others. */
function alsoFor(verdict: Decision, decisions: readonly Decision[]): string {
  const same = decisions.filter(
    (each) => each !== verdict && JSON.stringify(each.rule) === JSON.stringify(verdict.rule),
  ).length;
  const other = decisions.length - 1 - same;
  const parts = [
    ...(same > 0 ? [`${same === 1 ? 'one more pattern' : `${same} more patterns`} by the same rule`] : []),
    ...(other > 0 ? [`${other === 1 ? 'another' : `${other} others`} by other rules`] : []),
  ];
  return parts.length > 0 ? `; ${parts.join(', ')}` : '';
}

function short(text: string): string {
  const line = text.replaceAll('\n', ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
