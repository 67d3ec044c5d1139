import { blobOf, TestLog } from '../storage/test-log.ts';
import { hashBytes } from '../../../src/base/hash.ts';
import type { Commit } from '../../../src/session/log/store.ts';
import type { JournalChange } from '../../../src/protocol/journal.ts';

/** Everything one life of the page writes, the same wherever it is worked out: page and test both follow it. */
export const WORKSPACE = 'wsp_kill';

export function sessionOf(life: number): string {
  return `ses_${life}`;
}

/** The commits of one life, without end: prompts, streamed answers in small batches, calls with blobs. */
export function* commitsOf(life: number): Generator<Commit> {
  const log = new TestLog(sessionOf(life), { workspaceID: WORKSPACE });
  yield log.commit();
  for (let turn = 0; ; turn++) {
    const answer = `msg_${turn}_answer`;
    yield log.prompt(`msg_${turn}`, `Prompt ${turn} of life ${life}`).commit();
    const request = blobOf(`request ${turn} of life ${life}`);
    log.startStep(answer, { append: [request.hash] });
    yield log.commit([request, blobOf('system'), blobOf('tools')]);
    log.add({ type: 'step.part', messageID: answer, part: { type: 'text-start', id: 't' } });
    for (let delta = 0; delta < 12; delta++) {
      const part = { type: 'text-delta', id: 't', text: `word ${delta} ` } as const;
      log.add({ type: 'step.part', messageID: answer, part });
      if (delta % 3 === 2) yield log.commit();
    }
    const output = blobOf(`output ${turn} of life ${life} ${'x'.repeat(5_000)}`);
    log.callWithOutput(answer, 'call_1', output.hash).endStep(answer);
    yield log.commit([output]);
  }
}

/** The nth change of the files: one file each, rewritten now and then. Every other one is stored apart from the tree. */
export function changeOf(life: number, n: number): JournalChange {
  const bytes = new TextEncoder().encode(`${n} ${'y'.repeat(n % 3_000)}`);
  const stored = { hash: hashBytes(bytes), size: bytes.byteLength };
  return {
    op: 'put',
    node: {
      path: `life-${life}/file-${n % 50}`,
      type: 'file',
      mode: 0o644,
      modified: n,
      ...(n % 2 === 0 && { stored }),
    },
    bytes,
  };
}
