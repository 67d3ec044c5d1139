import { expect, test } from 'vitest';
import { webLocks, type LockHolder } from './locks.ts';

const times = { answerMs: 200, stopMs: 5_000 };
const locks = webLocks(times);
let count = 0;
const newWorkspace = () => `wsp_lock_${count++}`;

class Tab implements LockHolder {
  readonly heard: string[] = [];
  readonly #flush: () => Promise<void>;

  constructor(flush: () => Promise<void> = async () => {}) {
    this.#flush = flush;
  }

  async stop(): Promise<void> {
    this.heard.push('stop');
    await this.#flush();
    this.heard.push('flushed');
  }

  lost(): void {
    this.heard.push('lost');
  }
}

test('one tab writes, the second only reads until the first releases the lock', async () => {
  const workspace = newWorkspace();
  const [first, second] = [new Tab(), new Tab()];
  const held = await locks.acquire(workspace, first);
  expect(await locks.acquire(workspace, second)).toBeUndefined();
  expect(await locks.acquire(newWorkspace(), second)).toBeDefined();
  await held!.release();
  expect(await locks.acquire(workspace, second)).toBeDefined();
  expect(first.heard).toEqual([]);
});

test('a takeover waits until the holder has stopped and written what was left', async () => {
  const workspace = newWorkspace();
  let written!: () => void;
  const first = new Tab(() => new Promise((resolve) => (written = resolve)));
  await locks.acquire(workspace, first);
  const order: string[] = [];
  const taking = locks.takeOver(workspace, new Tab()).then(() => order.push('taken'));
  // Longer than a holder has to answer, which this one did.
  await new Promise((resolve) => setTimeout(resolve, times.answerMs * 3));
  expect(first.heard).toEqual(['stop']);
  order.push('written');
  written();
  await taking;
  expect(order).toEqual(['written', 'taken']);
  expect(first.heard).toEqual(['stop', 'flushed', 'lost']);
});

test('a free workspace is taken over at once', async () => {
  const held = await locks.takeOver(newWorkspace(), new Tab());
  await held.release();
  expect(held).toBeDefined();
});

test('the lock is taken by force from a holder that does not answer', async () => {
  const workspace = newWorkspace();
  // A tab whose page hangs: it has the lock and never answers.
  const hung = navigator.locks.request(`vitrine:workspace:${workspace}`, () => new Promise(() => {}));
  const stolen = hung.then(
    () => 'kept',
    (error: DOMException) => error.name,
  );
  const held = await locks.takeOver(workspace, new Tab());
  expect(await stolen).toBe('AbortError');
  expect(await locks.acquire(workspace, new Tab())).toBeUndefined();
  await held.release();
});

test('a tab that lost the lock by force learns it, once', async () => {
  const workspace = newWorkspace();
  const first = new Tab(() => new Promise(() => {}));
  await locks.acquire(workspace, first);
  await webLocks({ answerMs: 200, stopMs: 300 }).takeOver(workspace, new Tab());
  await expect.poll(() => first.heard).toEqual(['stop', 'lost']);
});

test('two takeovers at once leave one writer', async () => {
  const workspace = newWorkspace();
  const tabs = [new Tab(), new Tab(), new Tab()];
  await locks.acquire(workspace, tabs[0]!);
  await Promise.all([locks.takeOver(workspace, tabs[1]!), locks.takeOver(workspace, tabs[2]!)]);
  await expect.poll(() => tabs.filter(({ heard }) => !heard.includes('lost'))).toHaveLength(1);
  expect(tabs[0]!.heard).toEqual(['stop', 'flushed', 'lost']);
});
