import * as z from 'zod';
import type { Unlisten } from '../../base/listeners.ts';

const reportSchema = z.object({
  type: z.string(),
  body: z.object({ blockedURL: z.string().optional() }).nullish(),
});

/** Calls `blocked` when the browser refuses the frame because of missing headers. Not every browser reports that. */
export function onBlocked(origin: string, blocked: () => void): Unlisten {
  if (typeof ReportingObserver === 'undefined') return () => {};
  const observer = new ReportingObserver(
    (reports) => {
      for (const report of reports) {
        // The fields of a report are readable only in its JSON form.
        const { type, body } = reportSchema.parse(JSON.parse(JSON.stringify(report)));
        if (type === 'coep' && body?.blockedURL?.startsWith(origin)) blocked();
      }
    },
    { types: ['coep'], buffered: false },
  );
  observer.observe();
  return () => observer.disconnect();
}
