import type { Toasts } from '../../state/toasts.svelte.ts';

/** Shorter work shows no notice, in milliseconds. */
const QUIET_MS = 1_000;

/** Does the work, and shows a notice from its first second until its end; screen readers read notices out. */
export async function withNotice<Result>(
  toasts: Toasts,
  text: string,
  work: () => Promise<Result>,
): Promise<Result> {
  let shown: number | undefined;
  const timer = setTimeout(() => (shown = toasts.show(text, { lasting: true })), QUIET_MS);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    if (shown !== undefined) toasts.dismiss(shown);
  }
}
