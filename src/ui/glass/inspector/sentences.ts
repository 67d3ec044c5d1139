import type { AuditDecision } from '../../../session/log/audit.ts';
import type { Decision } from '../../../permissions/types.ts';
import type { Call, Hold } from '../../../session/inspect/timeline-items.ts';
import { auditWords } from '../audit/audit-words.ts';
import { duration } from '../../durations.ts';
import { stepWords } from '../stepping/step-words.ts';
import { inspectorWords as words } from './inspector-words.ts';
import { reasonWords as texts } from './reason-words.ts';

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
    return [call.edits.some(({ kind }) => kind === 'input') ? texts.yourArguments : texts.cannotRun];
  if (decisions.length > 0) return decisions.flatMap(reasonsOfDecision);
  if (call.runs.length > 0) return [texts.noDecision];
  if (call.outcome === 'cancelled' || call.outcome === 'interrupted')
    return [texts.endedBefore[call.outcome]];
  if (call.outcome !== undefined) return [texts.endedBefore.other];
  return [call.resolved === undefined ? texts.stillWritten : texts.notStarted];
}

function reasonsOfDecision(decision: AuditDecision): readonly string[] {
  const { because, dangers, decisions, outcome, answer } = decision;
  const sentences: string[] = [];
  const verdict =
    decisions.find(({ action }) => action === 'deny') ??
    decisions.find(({ action }) => action === 'ask') ??
    decisions[0];
  const asked = answer !== undefined || outcome === 'waiting' || outcome === 'withdrawn';
  if (because === 'refused-before') sentences.push(texts.deniedBefore);
  else if (dangers?.[0]) sentences.push(texts.dangerous(short(dangers[0].text)));
  else if (verdict) {
    const how = asked ? 'asked' : outcome === 'denied' ? 'denied' : 'allowed';
    sentences.push(texts.verdict[how](causeOf(verdict, decisions)));
  } else sentences.push(asked ? texts.askedWithoutRule : texts.decidedWithoutRule);
  if (answer) sentences.push(answerOf(answer, duration(answer.time - decision.time)));
  else if (outcome === 'waiting') sentences.push(texts.waits);
  return sentences;
}

function answerOf({ reply, by }: NonNullable<AuditDecision['answer']>, time: string): string {
  if (by === 'cancelled') return texts.withdrawn(time);
  const said = auditWords.answered(auditWords.replies[reply.reply], auditWords.by[by]);
  const saved = 'patterns' in reply && reply.patterns.length > 0 ? ` (${reply.patterns.join(', ')})` : '';
  return reply.reply === 'reject' && reply.message !== undefined
    ? texts.answeredSaying(said + saved, time, reply.message)
    : texts.answered(said + saved, time);
}

/** Why a pattern was decided so, and how many of the other patterns were decided by the same rule or by others. */
function causeOf(verdict: Decision, decisions: readonly Decision[]): string {
  const { pattern, rule, source, action } = verdict;
  const cause =
    rule && source
      ? texts.byRule(
          `${rule.permission} ${short(rule.pattern)}: ${action}`,
          auditWords.sources[source],
          short(pattern),
        )
      : texts.noRule(short(pattern));
  const same = decisions.filter(
    (each) => each !== verdict && JSON.stringify(each.rule) === JSON.stringify(rule),
  ).length;
  const also = texts.also(same, decisions.length - 1 - same);
  return also === '' ? cause : texts.withAlso(cause, also);
}

function short(text: string): string {
  const line = text.replaceAll('\n', ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
