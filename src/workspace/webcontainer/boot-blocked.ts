import * as z from 'zod';
import type { Unlisten } from '../../base/listeners.ts';

const reportSchema = z.object({
  type: z.string(),
  body: z.object({ blockedURL: z.string().optional() }).nullish(),
});

/** Told when the frame is refused for the headers that it lacks; where the browser does not tell, a timer finds out. */
export function onBlocked(origin: string, blocked: () => void): Unlisten {
  if (typeof ReportingObserver === 'undefined') return () => {};
  const observer = new ReportingObserver(
    (reports) => {
      for (const report of reports) {
        // Its fields are seen only by what it becomes as JSON.
        const { type, body } = reportSchema.parse(JSON.parse(JSON.stringify(report)));
        if (type === 'coep' && body?.blockedURL?.startsWith(origin)) blocked();
      }
    },
    { types: ['coep'], buffered: false },
  );
  observer.observe();
  return () => observer.disconnect();
}
