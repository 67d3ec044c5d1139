import '../../../src/base/zod-config.ts';
import { openStorage } from '../../../src/storage/open.ts';
import { blobsNamedBy } from '../../../src/session/log/references.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import type { Ack, Report } from './protocol.ts';
import { changeOf, commitsOf, WORKSPACE } from './script.ts';

// Tells what is stored, then writes until it is killed and acknowledges what is committed.
const life = Number(new URLSearchParams(location.search).get('life'));
const problems: string[] = [];
const storage = await openStorage({ onProblem: (fault) => problems.push(JSON.stringify(fault)) });
const journal = storage.journal(WORKSPACE);
await send('/report', await report(storage));
await Promise.all([writeSession(), writeFiles()]);

async function writeSession(): Promise<void> {
  let inFlight: Promise<void>[] = [];
  for (const commit of commitsOf(life)) {
    const events = (commit.events.at(-1)?.seq ?? -1) + 1;
    const strict = commit.events.some(({ type }) => type === 'prompt.accepted');
    inFlight.push(
      storage.sessions
        .commit(commit, strict ? 'strict' : 'relaxed')
        .then(() => send('/ack', { life, events } satisfies Ack)),
    );
    // Some are awaited and some are under way together, as batches and barriers are.
    if (!strict && inFlight.length < 4) continue;
    await Promise.all(inFlight);
    inFlight = [];
  }
}

async function writeFiles(): Promise<void> {
  for (let change = 1; ; change++) {
    await journal.append([changeOf(life, change)]);
    await send('/ack', { life, change } satisfies Ack);
  }
}

async function report({ sessions, blobs }: Storage): Promise<Report> {
  const stored = await sessions.sessions();
  const { packs } = await journal.load();
  const hashes = packs.flatMap(({ entries }) => entries.flatMap(({ stored: apart }) => apart?.hash ?? []));
  const contents = await journal.contents(hashes);
  return {
    sessions: await Promise.all(
      stored.map(async (record) => {
        const events = await sessions.events(record.id, 0);
        return {
          record,
          events,
          messages: await sessions.messages(record.id, { limit: 100_000 }),
          missingBlobs: await blobs.missing(events.flatMap(blobsNamedBy)),
        };
      }),
    ),
    files: Object.fromEntries(
      packs.flatMap(({ entries }) => entries.map(({ path, modified }) => [path, modified])),
    ),
    missingContents: hashes.filter((_, index) => !contents[index]),
    problems,
  };
}

async function send(path: string, body: unknown): Promise<void> {
  await fetch(path, { method: 'POST', body: JSON.stringify(body) });
}
