import type { Outcome } from '../../../session/log/events.ts';

/** The states of a call, which the conversation, the log and the inspector name alike. */
export const call = {
  outcomes: {
    ok: 'تم',
    failed: 'فشل',
    denied: 'مرفوض',
    cancelled: 'أُلغي',
    interrupted: 'انقطع',
    invalid: 'غير صالح',
  } satisfies Record<Outcome, string>,
  queued: 'في قائمة الانتظار',
  running: 'يعمل',
  waiting: 'بانتظارك',
  exit: (code: number) => `رمز الخروج ${code}`,
};

/** The outcome of a call that the page names as the log does, such as `ok`. */
export function outcomeText(outcome: string): string {
  const texts: Readonly<Record<string, string>> = call.outcomes;
  return texts[outcome] ?? outcome;
}
