import type { AuditEntry } from '../../../session/log/audit.ts';
import { auditWords as words } from './audit-words.ts';

/** Sentences that explain the outcome of an entry. */
export function reasonsOf(entry: AuditEntry): readonly string[] {
  if (entry.kind === 'mode') return [words.mode(entry.mode)];
  if (entry.kind === 'agent') return [words.agent[entry.how](entry.agent)];
  const { answer, because, dangers, decisions } = entry;
  const reasons: string[] = [];
  if (answer) {
    const { reply, by } = answer;
    const said = words.answered(words.replies[reply.reply], words.by[by]);
    const message = reply.reply === 'reject' ? reply.message : undefined;
    const saved = 'patterns' in reply ? `: ${reply.patterns.join(', ')}` : '';
    reasons.push(message === undefined ? said + saved : `${said}, ${words.saying(message)}`);
  }
  if (because) reasons.push(words.refusedBefore);
  for (const { text } of dangers ?? []) reasons.push(words.danger(text));
  for (const { pattern, action, rule, source } of decisions) {
    reasons.push(
      rule && source
        ? words.rule(
            pattern,
            words.actions[action],
            `${rule.permission} ${rule.pattern}`,
            words.sources[source],
          )
        : words.noRule(pattern),
    );
  }
  return reasons;
}

export interface AuditFilter {
  readonly text: string;
  /** An empty text matches every permission. */
  readonly permission: string;
  /** An empty text matches every outcome. */
  readonly outcome: string;
}

export function fits(entry: AuditEntry, { text, permission, outcome }: AuditFilter): boolean {
  if (outcome !== '' && outcomeOf(entry) !== outcome) return false;
  if (permission !== '' && (entry.kind !== 'decision' || entry.permission !== permission)) return false;
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return true;
  const what = entry.kind === 'decision' ? [entry.what, entry.tool ?? '', entry.permission] : [];
  return [...what, ...reasonsOf(entry)].some((each) => each.toLowerCase().includes(wanted));
}

export function outcomeOf(entry: AuditEntry): keyof typeof words.outcomes {
  return entry.kind === 'decision' ? entry.outcome : entry.kind;
}
