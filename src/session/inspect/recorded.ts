import type { Hash } from '../../base/hash.ts';
import { timeoutTimer } from '../../base/timer.ts';
import type { Event } from '../log/events.ts';
import { rebuiltPacks } from '../recording/rebuilt-packs.ts';
import { Inspection, type InspectionDeps } from './inspection.ts';

/** A log that belongs to no session of this device. */
export interface RecordedLog {
  readonly recordedID: string;
  readonly session: { readonly events: readonly Event[] };
  content(hash: Hash): Uint8Array<ArrayBuffer> | undefined;
}

/** Opens the log of a recording for inspection. The caller closes it. */
export async function inspectRecorded(
  recorded: RecordedLog,
  services: Pick<InspectionDeps, 'digest' | 'mask' | 'rehearse'>,
): Promise<Inspection> {
  const { events } = recorded.session;
  const rebuilt = await rebuiltPacks(events, (hash) => recorded.content(hash));
  return new Inspection({
    ...services,
    recorded: true,
    sessionID: recorded.recordedID,
    timer: timeoutTimer,
    read: async (from) => events.slice(from),
    live: null,
    blob: async (hash) => {
      const text = rebuilt.get(hash);
      return text === undefined ? recorded.content(hash) : new TextEncoder().encode(text);
    },
    keptBody: () => undefined,
  });
}
