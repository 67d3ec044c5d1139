import { hashText } from '../../src/base/hash.ts';
import { Inspection, type InspectionDeps } from '../../src/session/inspect/inspection.ts';
import type { Session } from '../../src/session/session.ts';
import { ManualTimer } from './manual-timer.ts';
import type { harness } from './session-harness.ts';

type Store = Awaited<ReturnType<typeof harness>>['store'];

/** Opens a stored session in the inspector. It has read the log when the promise resolves. */
export async function inspectionOf(
  session: Session,
  store: Store,
  deps: Partial<InspectionDeps> = {},
): Promise<Inspection> {
  const inspection = new Inspection({
    sessionID: session.id,
    timer: new ManualTimer(),
    read: (from) => store.events(session.id, from),
    live: null,
    blob: (hash) => store.blobs.get(hash),
    keptBody: () => undefined,
    rehearse: async () => null,
    digest: async (text) => hashText(text),
    mask: (text) => text,
    ...deps,
  });
  await new Promise<void>((resolve) => inspection.onChange(resolve));
  return inspection;
}
