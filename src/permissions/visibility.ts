import { ROOT } from '../base/places.ts';
import { isException, type Rules, type SourcedRule } from './rules.ts';
import { isFor } from './names.ts';

type Lock = { readonly pattern: string; readonly locked: boolean };
type Entry = { readonly pattern: string; readonly visible: boolean };

/**
 * The `read` rules as a list for searches, in which the last match decides: a path is visible only if reading it is
 * allowed without asking. Never shows more than {@link decide} allows. It may show less if exceptions to different
 * denies overlap, or other exceptions follow a strict ask.
 */
export function visibilityOf(rules: Rules): readonly Entry[] {
  const configured = rules.configured.filter((rule) => isFor(rule.permission, 'read'));
  const saved = rules.saved.filter((rule) => rule.action === 'allow' && isFor(rule.permission, 'read'));
  return [
    { pattern: '*', visible: false },
    ...configured.filter((rule) => rule.action !== 'deny').map(entryOf),
    ...saved.map(entryOf),
    ...configured.filter((rule) => rule.action === 'ask' && rule.strict).map(entryOf),
    ...saved.filter((rule) => rule.strict).map(entryOf),
    ...denials(configured),
  ];
}

/**
 * The `edit` rules that deny, as a list of paths that no command may change; the last match decides. Never locks less than
 * {@link decide} denies. It may lock more if exceptions to different denies overlap.
 */
export function locksOf(rules: Pick<Rules, 'configured'>): readonly Lock[] {
  const locks: Lock[] = [];
  const denies: SourcedRule[] = [];
  for (const rule of rules.configured) {
    if (!isFor(rule.permission, 'edit')) continue;
    const isLifting = rule.action !== 'deny' && denies.some((deny) => isException(rule, deny));
    if (rule.action === 'deny') denies.push(rule);
    if (rule.action === 'deny' || isLifting) locks.push(lockOf(rule));
    // Other denies are repeated, because the exception must not override them.
    if (isLifting) locks.push(...denies.filter((deny) => !isException(rule, deny)).map(lockOf));
  }
  return locks;
}

function lockOf(rule: SourcedRule): Lock {
  return { pattern: entryOf(rule).pattern, locked: rule.action === 'deny' };
}

/**
 * The denies in order, each exception after its denies. Other denies, and asks that come later, are repeated after an
 * exception because it must not override them.
 */
function denials(configured: readonly SourcedRule[]): Entry[] {
  const entries: Entry[] = [];
  const denies: SourcedRule[] = [];
  let excepted = false;
  for (const rule of configured) {
    if (rule.action === 'deny') {
      denies.push(rule);
      entries.push(entryOf(rule));
    } else if (denies.some((deny) => isException(rule, deny))) {
      excepted = true;
      entries.push(entryOf(rule), ...denies.filter((deny) => !isException(rule, deny)).map(entryOf));
    } else if (excepted && rule.action === 'ask') entries.push(entryOf(rule));
  }
  return entries;
}

function entryOf(rule: SourcedRule): Entry {
  const absolute = rule.pattern.startsWith('/');
  return { pattern: absolute ? rule.pattern : `${ROOT}/${rule.pattern}`, visible: rule.action === 'allow' };
}
