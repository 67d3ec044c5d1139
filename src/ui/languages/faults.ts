import type { Fault } from '../../base/fault.ts';
import type { FaultText } from '../../base/fault-texts.ts';
import type { FaultSummaries, FaultSummary, ShownFault } from '../conversation/fault-words.ts';

export type FaultSentences = Readonly<Record<FaultText, string>>;

/** The codes of faults whose summary says all that their own text says, which is left out then. */
const WHOLE: ReadonlySet<string> = new Set([
  ...['no-key', 'no-model', 'offline', 'unreachable', 'cors', 'local-network', 'mixed-content'],
  ...['stream-cut', 'answer-cut', 'content-filter', 'call-missing', 'empty-answer', 'step-limit'],
  ...['model-failed', 'no-models', 'no-script', 'no-recording', 'recording-exhausted'],
  ...['browser-model-missing', 'browser-model-filtered', 'no-browser-model', 'no-free-model'],
  ...['sign-in-used', 'sign-in-storage', 'sign-in-proof', 'sign-in-other-tab', 'sign-in-expired'],
  ...['sign-in-busy', 'sign-in-answer', 'context-full', 'nothing-to-sum-up', 'no-summary'],
  ...['recording-invalid', 'recording-address', 'part-unreachable', 'part-missing', 'session-not-found'],
  ...['session-closed', 'workspace-unknown', 'workspace-elsewhere', 'edit-lost', 'restore-runs'],
  ...['nothing-to-redo', 'webcontainer-off', 'webcontainer-not-allowed', 'webcontainer-in-use'],
  ...['language-unavailable', 'folder-too-large', 'storage-too-new', 'storage-unavailable'],
]);

/** Says faults in a language. What a server or a file says itself is quoted as it is. */
export function faultsIn(
  summaries: FaultSummaries,
  sentences: FaultSentences,
): (fault: Fault) => ShownFault | undefined {
  let patterns: readonly Pattern[] | undefined;
  const translated = (text: string): string | undefined => {
    patterns ??= Object.entries(sentences).map(patternOf);
    for (const { form, names, sentence } of patterns) {
      const found = form.exec(text);
      if (!found) continue;
      const values = new Map(names.map((name, index) => [name, found[index + 1] ?? '']));
      return sentence.replace(/\{(\w+)\*?\}/g, (blank, name: string) => {
        const value = values.get(name);
        return value === undefined ? blank : (translated(value) ?? value);
      });
    }
    return undefined;
  };
  return ({ code, what, next }) => {
    const summary = summaryOf(summaries, code);
    const own = translated(what);
    if (!summary && own === undefined) return undefined;
    const toDo = next === undefined ? undefined : translated(next);
    const quoted = own === undefined && !WHOLE.has(code);
    return {
      what: own ?? summary?.what ?? what,
      ...(quoted && { quote: what }),
      ...(toDo !== undefined || summary?.next !== undefined
        ? { next: toDo ?? summary?.next }
        : next !== undefined && { next, nextInEnglish: true }),
    };
  };
}

interface Pattern {
  readonly form: RegExp;
  readonly names: readonly string[];
  readonly sentence: string;
}

function patternOf([english, sentence]: readonly [string, string]): Pattern {
  const names: string[] = [];
  const form = english
    .split(/(\{\w+\*?\})/)
    .map((piece) => {
      const [, name, long] = /^\{(\w+)(\*?)\}$/.exec(piece) ?? [];
      if (name === undefined) return piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      names.push(name);
      return long ? '([^]*)' : '(\\S+)';
    })
    .join('');
  return { form: new RegExp(`^${form}$`), names, sentence };
}

function summaryOf(summaries: FaultSummaries, code: string): FaultSummary | undefined {
  return Object.hasOwn(summaries, code) ? summaries[code as keyof FaultSummaries] : undefined;
}
