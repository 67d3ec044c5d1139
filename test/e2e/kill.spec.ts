import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageRecord, sessionRecord } from '../../src/session/log/records.ts';
import { emptyState, reduce } from '../../src/session/log/reduce.ts';
import { KillableBrowser } from '../support/kill/browser.ts';
import type { Ack, Report, StoredSession } from '../support/kill/protocol.ts';
import { commitsOf, sessionOf } from '../support/kill/script.ts';
import { startKillServer } from '../support/kill/server.ts';
import { expect, test } from './test.ts';

const LIVES = 6;
/** A life ends this many acknowledgements after its first, at most: somewhere in the midst of its writing. */
const MAX_ACKS = 400;

test('what was acknowledged survives a kill of the whole browser at any moment', async () => {
  const server = await startKillServer();
  const profile = mkdtempSync(join(tmpdir(), 'vitrine-kill-'));
  const acked = new Map<number, { events: number; change: number }>();
  try {
    for (let life = 0; life <= LIVES; life++) {
      const last = { events: 0, change: 0 };
      acked.set(life, last);
      const reported = deferred<Report>();
      const due = deferred<void>();
      let rest = Math.ceil(Math.random() * MAX_ACKS);
      server.onReport = reported.resolve;
      server.onAck = (ack: Ack) => {
        last.events = Math.max(last.events, ack.events ?? 0);
        last.change = Math.max(last.change, ack.change ?? 0);
        if (--rest === 0) due.resolve();
      };
      const browser = new KillableBrowser(profile, server.urlOf(life));
      try {
        check(await reported.promise, acked, life);
        if (life < LIVES) await due.promise;
      } finally {
        await browser.kill();
      }
    }
  } finally {
    await server.close();
    rmSync(profile, { recursive: true, force: true });
  }
});

test('a database that the browser found damaged and deleted is told as wiped', async () => {
  const server = await startKillServer();
  const profile = mkdtempSync(join(tmpdir(), 'vitrine-kill-'));
  const life = async (number: number) => {
    const reported = deferred<Report>();
    const written = deferred<void>();
    let acks = 0;
    server.onReport = reported.resolve;
    server.onAck = () => {
      if (++acks === 50) written.resolve();
    };
    const browser = new KillableBrowser(profile, server.urlOf(number));
    try {
      const report = await reported.promise;
      await written.promise;
      return report;
    } finally {
      await browser.kill();
    }
  };
  try {
    await life(0);
    // Only the browser can tell now: what the page has noted for itself is gone too.
    rmSync(join(profile, 'Default', 'Local Storage'), { recursive: true, force: true });
    damageDatabase(profile);
    const { sessions, problems } = await life(1);
    expect(sessions).toEqual([]);
    expect(problems.map((problem) => JSON.parse(problem))).toMatchObject([{ code: 'storage-wiped' }]);
  } finally {
    await server.close();
    rmSync(profile, { recursive: true, force: true });
  }
});

/** Overwrites the middle of everything that holds records. */
function damageDatabase(profile: string): void {
  const folder = join(profile, 'Default', 'IndexedDB');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(log|ldb)$/.test(name)) continue;
    const bytes = readFileSync(join(folder, name));
    bytes.fill(0xff, bytes.length >> 2, bytes.length >> 1);
    writeFileSync(join(folder, name), bytes);
  }
}

function check(report: Report, acked: Map<number, { events: number; change: number }>, lives: number): void {
  expect(report.problems).toEqual([]);
  expect(report.missingContents).toEqual([]);
  expect(report.sessions.map(({ record }) => record.id).sort()).toEqual(
    Array.from({ length: lives }, (_, life) => sessionOf(life)).sort(),
  );
  for (let life = 0; life < lives; life++) {
    const { events, change } = acked.get(life) ?? { events: 0, change: 0 };
    expect(events, 'the life wrote something').toBeGreaterThan(0);
    const stored = report.sessions.find(({ record }) => record.id === sessionOf(life))!;
    expect(stored.events.length, `life ${life}: acknowledged events are there`).toBeGreaterThanOrEqual(
      events,
    );
    checkSession(stored, life);
    checkFiles(report.files, life, change);
  }
}

/** An unbroken prefix of what was written, records equal to what it folds to, and every blob that it names. */
function checkSession({ record, events, messages, missingBlobs }: StoredSession, life: number): void {
  expect(events).toEqual(written(life, events.length));
  const state = reduce(events, emptyState(record.id));
  expect(record).toEqual(sessionRecord(state));
  expect(messages).toEqual([...state.messages.values()].map((message) => messageRecord(state, message)));
  expect(missingBlobs).toEqual([]);
}

function written(life: number, count: number) {
  const events = [];
  for (const commit of commitsOf(life)) {
    if (events.length >= count) break;
    events.push(...commit.events);
  }
  // Cut at `count` and not at a commit: half a commit would then differ in its records.
  return events.slice(0, count);
}

/** Every file is at least as new as its last acknowledged change. */
function checkFiles(files: Readonly<Record<string, number>>, life: number, change: number): void {
  for (let n = Math.max(1, change - 49); n <= change; n++)
    expect(files[`life-${life}/file-${n % 50}`], `life ${life}: change ${n}`).toBeGreaterThanOrEqual(n);
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
