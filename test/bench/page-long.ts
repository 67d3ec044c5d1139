import { takeSnapshot } from '../../src/workspace/snapshot.ts';
import { openSession, runTurn } from './page-loop.ts';

/** Counts what is put into IndexedDB from now on: the bytes of contents, and the length of everything else as JSON. */
function countWrites(): () => number {
  let bytes = 0;
  const sizeOf = (value: unknown): number => {
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value.byteLength;
    if (value instanceof Blob) return value.size;
    if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + sizeOf(each), 0);
    if (typeof value !== 'object' || value === null) return String(value).length;
    return Object.entries(value).reduce((sum, [key, each]) => sum + key.length + sizeOf(each), 0);
  };
  for (const method of ['put', 'add'] as const) {
    const original = IDBObjectStore.prototype[method];
    IDBObjectStore.prototype[method] = function (this: IDBObjectStore, value: unknown, key?: IDBValidKey) {
      bytes += sizeOf(value);
      return key === undefined ? original.call(this, value) : original.call(this, value, key);
    };
  }
  return () => bytes;
}

export interface LongSession {
  readonly parts: number;
  readonly events: number;
  /** For each turn: bytes put into the storage and milliseconds, a step. */
  readonly turns: readonly { readonly bytes: number; readonly ms: number }[];
  /** Milliseconds to open the session anew. */
  readonly opening: number;
  /** Milliseconds from asking what going back to the first message changes until all of it is done. */
  readonly restoring: number;
}

/**
 * A session in which every step changes one of 50 files and each turn has 100 steps, with snapshots as the app takes them;
 * then it is opened again and taken back to its first message.
 */
export async function longSession(steps: number): Promise<LongSession> {
  const written = countWrites();
  let edits = 0;
  const { session, reopen } = await openSession(steps, {
    snapshot: takeSnapshot,
    text: 'Next.',
    work: async ({ files }) => {
      edits += 1;
      await files.write(`src/f${edits % 50}.ts`, new TextEncoder().encode(`export const edit = ${edits};\n`));
    },
  });
  const turns: { bytes: number; ms: number }[] = [];
  for (let turn = 0; turn < steps / 100; turn++) {
    const [before, started] = [written(), performance.now()];
    await runTurn(session, turn);
    turns.push({ bytes: (written() - before) / 100, ms: (performance.now() - started) / 100 });
  }
  const { parts, nextSeq } = session.state;
  const counts = { parts: parts.size, events: nextSeq };
  const [first] = session.state.messages.keys();
  if (first === undefined) throw new Error('The session has no messages.');
  let started = performance.now();
  const again = await reopen();
  const opening = performance.now() - started;
  started = performance.now();
  const plan = await again.restores.plan({ kind: 'before', messageID: first });
  await again.restores.run(plan, { conversation: true, files: true });
  return { ...counts, turns, opening, restoring: performance.now() - started };
}
