import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blobOf, TestLog } from '../../test/support/storage/test-log.ts';
import { FaultError } from '../base/fault.ts';
import { passingOwner, type Commit, type SessionStore } from '../session/log/store.ts';

/** Tests that every {@link SessionStore} must pass. `make` returns a new, empty one each time. */
export function sessionStoreContract(name: string, make: () => Promise<SessionStore>): void {
  describe(`${name}: sessions`, () => {
    test('an empty store has nothing', async () => {
      const store = await make();
      expect(await store.sessions()).toEqual([]);
      expect(await store.session('ses_1')).toBeUndefined();
      expect(await store.messages('ses_1', { limit: 10 })).toEqual([]);
      expect(await store.events('ses_1', 0)).toEqual([]);
      expect(await store.search('anything', 10)).toEqual([]);
      expect(await store.expiredOutputs(Infinity)).toEqual([]);
    });

    test('a commit is read back unchanged', async () => {
      const store = await make();
      const log = new TestLog('ses_1').prompt('msg_1', 'Fix it').answer('msg_2', 'Done');
      const commit = log.commit([blobOf('system')]);
      await store.commit(commit, 'strict');
      expect(await store.session('ses_1')).toEqual(commit.session);
      expect(await store.sessions()).toEqual([commit.session]);
      expect(await store.events('ses_1', 0)).toEqual(log.events);
      expect(await store.messages('ses_1', { limit: 10 })).toEqual(log.records());
      expect(await store.blobs.get(blobOf('system').hash)).toEqual(blobOf('system').bytes);
    });

    test('events are read backwards, page by page, to the first', async () => {
      const store = await make();
      const log = new TestLog('ses_1');
      for (let i = 0; i < 250; i++) log.add({ type: 'session.titled', title: `${i}` });
      await store.commit(log.commit(), 'relaxed');
      await store.commit(log.add({ type: 'session.titled', title: 'end' }).commit(), 'relaxed');
      expect(await store.eventsBefore('ses_x', 10, 5)).toEqual([]);
      for (const limit of [1, 30, 100, 1000]) {
        let read: (typeof log.events)[number][] = [];
        for (let before = log.events.length; before > 0; before = read[0]?.seq ?? 0) {
          const page = await store.eventsBefore('ses_1', before, limit);
          expect(page.length).toBeGreaterThanOrEqual(Math.min(limit, before));
          read = [...page, ...read];
        }
        expect(read).toEqual(log.events);
      }
      expect(await store.eventsBefore('ses_1', Infinity, 2)).toEqual(
        expect.arrayContaining(log.events.slice(-2)),
      );
    });

    test('events are read from any point, within a batch and across batches', async () => {
      const store = await make();
      const log = new TestLog('ses_1');
      await store.commit(log.commit(), 'relaxed');
      for (let i = 0; i < 250; i++) log.add({ type: 'session.titled', title: `${i}` });
      await store.commit(log.commit(), 'relaxed');
      await store.commit(log.add({ type: 'session.titled', title: 'end' }).commit(), 'relaxed');
      for (const from of [0, 1, 2, 100, 101, 200, 250, 251, 252])
        expect(await store.events('ses_1', from)).toEqual(log.events.slice(from));
    });

    test('sessions are separate, even if one id is a prefix of another', async () => {
      const store = await make();
      const one = new TestLog('ses_1').prompt('msg_1', 'one');
      const eleven = new TestLog('ses_11').prompt('msg_1', 'eleven');
      await store.commit(one.commit(), 'relaxed');
      await store.commit(eleven.commit(), 'relaxed');
      expect(await store.events('ses_1', 0)).toEqual(one.events);
      expect(await store.messages('ses_11', { limit: 9 })).toEqual(eleven.records());
    });

    test('events with a gap are refused, and nothing of their commit is written', async () => {
      const store = await make();
      const log = new TestLog('ses_1').prompt('msg_1', 'one');
      const first = log.commit();
      await store.commit(first, 'relaxed');
      const next = log
        .prompt('msg_2', 'two')
        .prompt('msg_3', 'three')
        .commit([blobOf('new')]);
      const refused: Partial<Commit>[] = [
        { events: next.events.slice(1) },
        { events: next.events.toReversed() },
        { events: next.events.map((event) => ({ ...event, sessionID: 'ses_2' })) },
        { events: first.events.map((event) => ({ ...event, time: 1 })) },
        { events: [...next.events.slice(0, 1), ...next.events.slice(0, 1)] },
      ];
      for (const change of refused)
        expect(await codeOf(store.commit({ ...next, ...change }, 'relaxed'))).toBe('log-conflict');
      expect(await store.events('ses_1', 0)).toEqual(first.events);
      expect(await store.messages('ses_1', { limit: 10 })).toEqual(first.messages);
      expect(await store.session('ses_1')).toEqual(first.session);
      expect(await store.blobs.missing([blobOf('new').hash])).toHaveLength(1);
      await store.commit(next, 'relaxed');
      expect(await store.events('ses_1', 0)).toEqual(log.events);
    });

    test('a new session starts at 0', async () => {
      const store = await make();
      const commit = new TestLog('ses_1').prompt('msg_1', 'one').commit();
      expect(await codeOf(store.commit({ ...commit, events: commit.events.slice(1) }, 'relaxed'))).toBe(
        'log-conflict',
      );
      expect(await store.session('ses_1')).toBeUndefined();
    });

    test('a commit may be repeated, even together with new events', async () => {
      const store = await make();
      const log = new TestLog('ses_1').prompt('msg_1', 'one');
      const first = log.commit();
      await store.commit(first, 'relaxed');
      await store.commit(first, 'relaxed');
      const second = log.prompt('msg_2', 'two').commit();
      await store.commit({ ...second, events: [...first.events, ...second.events] }, 'relaxed');
      expect(await store.events('ses_1', 0)).toEqual(log.events);
    });

    test('commits that are not awaited are written in order', async () => {
      const store = await make();
      const log = new TestLog('ses_1');
      const commits = [log.commit()];
      for (let i = 0; i < 30; i++) commits.push(log.prompt(`msg_${i}`, `${i}`).commit());
      await Promise.all(commits.map((commit) => store.commit(commit, 'relaxed')));
      expect(await store.events('ses_1', 0)).toEqual(log.events);
      expect(await store.messages('ses_1', { limit: 100 })).toEqual(log.records());
    });

    test('messages come in pages from the newest back', async () => {
      const store = await make();
      const log = new TestLog('ses_1');
      for (let i = 1; i <= 7; i++) log.prompt(`msg_${i}`, `${i}`);
      await store.commit(log.commit(), 'relaxed');
      const page = async (before?: number) =>
        (await store.messages('ses_1', { limit: 3, ...(before === undefined ? {} : { before }) })).map(
          ({ seq }) => seq,
        );
      expect(await page()).toEqual([5, 6, 7]);
      expect(await page(5)).toEqual([2, 3, 4]);
      expect(await page(2)).toEqual([1]);
      expect(await page(1)).toEqual([]);
      expect(await store.messages('ses_1', { limit: 0 })).toEqual([]);
    });

    test('a message record replaces the previous one', async () => {
      const store = await make();
      const log = new TestLog('ses_1').prompt('msg_1', 'go').startStep('msg_2');
      await store.commit(log.commit(), 'relaxed');
      log.callWithOutput('msg_2', 'call_1', blobOf('x').hash).endStep('msg_2');
      await store.commit(log.commit(), 'relaxed');
      expect(await store.messages('ses_1', { limit: 10 })).toEqual(log.records());
    });

    test('records are stored as they were at the commit', async () => {
      const store = await make();
      const log = new TestLog('ses_1', { title: 'before' });
      const commit = log.commit();
      const done = store.commit(commit, 'relaxed');
      log.add({ type: 'session.titled', title: 'after' });
      Object.assign(commit.session.state, { title: 'after' });
      await done;
      expect((await store.session('ses_1'))?.state.title).toBe('before');
    });

    test('a commit that cannot be stored is refused entirely, and later ones succeed', async () => {
      const store = await make();
      const log = new TestLog('ses_1').prompt('msg_1', 'one');
      const commit = log.commit();
      const unclonable = { unclonable: () => {} };
      for (const change of [
        { session: { ...commit.session, ...unclonable } },
        { messages: commit.messages.map((record) => ({ ...record, ...unclonable })) },
      ])
        expect(await codeOf(store.commit({ ...commit, ...change }, 'relaxed'))).toBe('storage-refused');
      expect(await store.session('ses_1')).toBeUndefined();
      expect(await store.events('ses_1', 0)).toEqual([]);
      await store.commit(commit, 'relaxed');
      expect(await store.events('ses_1', 0)).toEqual(log.events);
    });

    test('the list is newest first, without deleted sessions; a commit does not restore one', async () => {
      const store = await make();
      const logs = [1, 3, 2].map((n) => new TestLog(`ses_${n}`, { startMs: n * 1_000 }));
      for (const log of logs) await store.commit(log.commit(), 'relaxed');
      const ids = async () => (await store.sessions()).map(({ id }) => id);
      expect(await ids()).toEqual(['ses_3', 'ses_2', 'ses_1']);
      await store.markDeleted('ses_3', 5);
      await store.commit(logs[1]!.prompt('msg_1', 'late').commit(), 'relaxed');
      expect(await ids()).toEqual(['ses_2', 'ses_1']);
      expect((await store.session('ses_3'))?.deleted).toBe(5);
      await store.markDeleted('ses_3', null);
      expect(await ids()).toEqual(['ses_3', 'ses_2', 'ses_1']);
      await store.markDeleted('ses_unknown', 5);
      expect(await store.session('ses_unknown')).toBeUndefined();
    });

    test('purge removes sessions deleted before a time, with the blobs that only they owned', async () => {
      const store = await make();
      const [own, shared] = [blobOf('own'), blobOf('shared')];
      const gone = new TestLog('ses_1').prompt('msg_1', 'needle');
      await store.commit(gone.commit([own, shared]), 'relaxed');
      await store.commit(new TestLog('ses_2').commit([shared]), 'relaxed');
      await store.commit(new TestLog('ses_3').commit(), 'relaxed');
      await store.markDeleted('ses_1', 10);
      await store.markDeleted('ses_3', 20);
      await store.purge(20);
      expect(await store.session('ses_1')).toBeUndefined();
      expect(await store.events('ses_1', 0)).toEqual([]);
      expect(await store.messages('ses_1', { limit: 9 })).toEqual([]);
      expect(await store.search('needle', 9)).toEqual([]);
      expect(await store.blobs.missing([own.hash, shared.hash])).toEqual([own.hash]);
      expect((await store.session('ses_3'))?.deleted).toBe(20);
      await store.commit(new TestLog('ses_1').commit(), 'relaxed');
      expect(await store.events('ses_1', 0)).toHaveLength(1);
    });

    test('marks are changed one by one, and a commit leaves them as they are', async () => {
      const store = await make();
      const log = new TestLog('ses_1');
      await store.commit(log.commit(), 'relaxed');
      expect((await store.session('ses_1'))?.marks).toBeUndefined();
      const marks = async () => (await store.sessions()).map((record) => record.marks);
      await store.mark('ses_1', { pinned: true });
      // This log knows nothing of marks, and its record is older than they are.
      await store.commit(log.prompt('msg_1', 'one').commit(), 'relaxed');
      expect(await marks()).toEqual([{ pinned: true }]);
      await store.mark('ses_1', { archived: true });
      await store.mark('ses_1', { pinned: false });
      await store.commit(log.prompt('msg_2', 'two').commit(), 'strict');
      await store.commit(log.prompt('msg_3', 'three').commit(), 'relaxed');
      expect(await marks()).toEqual([{ pinned: false, archived: true }]);
      expect(await store.events('ses_1', 0)).toHaveLength(4);
      await store.mark('ses_unknown', { pinned: true });
      expect(await store.session('ses_unknown')).toBeUndefined();
    });

    test('a session owns the blobs that its events refer to', async () => {
      const store = await make();
      const blobs = ['message', 'system', 'tools', 'output'].map(blobOf);
      const [message, system, tools, output] = blobs.map(({ hash }) => hash);
      await store.blobs.put('another', blobs);
      const log = new TestLog('ses_1')
        .startStep('msg_1', { append: [message!], system: system!, tools: tools! })
        .callWithOutput('msg_1', 'call_1', output!);
      await store.commit(log.commit(), 'relaxed');
      const all = blobs.map(({ hash }) => hash);
      await store.blobs.release('another', all);
      expect(await store.blobs.missing(all)).toEqual([]);
      await store.markDeleted('ses_1', 1);
      await store.purge(2);
      expect(await store.blobs.missing(all)).toEqual(all);
    });

    test("an owner's blobs can all be released at once; a purged session releases its temporary blobs", async () => {
      const store = await make();
      const [own, shared, passing] = ['own', 'shared', 'passing'].map(blobOf);
      await store.commit(new TestLog('ses_1').commit(), 'relaxed');
      await store.blobs.put('one', [own!, shared!]);
      await store.blobs.put('two', [shared!]);
      await store.blobs.put(passingOwner('ses_1'), [passing!]);
      await store.blobs.releaseOwner('one');
      await store.blobs.releaseOwner('nobody');
      const all = [own!.hash, shared!.hash, passing!.hash];
      expect(await store.blobs.missing(all)).toEqual([own!.hash]);
      await store.markDeleted('ses_1', 1);
      await store.purge(2);
      expect(await store.blobs.missing(all)).toEqual([own!.hash, passing!.hash]);
    });

    test('full outputs expire by the time of their call, unless the session is kept', async () => {
      const store = await make();
      const output = blobOf('output');
      const log = new TestLog('ses_1', { startMs: 0 })
        .startStep('msg_1')
        .callWithOutput('msg_1', 'call_1', output.hash)
        .callWithOutput('msg_1', 'call_2', output.hash);
      await store.commit(log.commit([output]), 'relaxed');
      const ends = log.events.filter(({ type }) => type === 'call.ended').map(({ time }) => time);
      const calls = async (before: number) =>
        (await store.expiredOutputs(before)).map(({ callID }) => callID);
      expect(await calls(ends[0]!)).toEqual([]);
      expect(await calls(ends[1]!)).toEqual(['call_1']);
      expect(await store.expiredOutputs(Infinity)).toEqual([
        { sessionID: 'ses_1', messageID: 'msg_1', callID: 'call_1', blob: output.hash, time: ends[0] },
        { sessionID: 'ses_1', messageID: 'msg_1', callID: 'call_2', blob: output.hash, time: ends[1] },
      ]);
      await store.commit(log.add({ type: 'session.kept', keep: true }).commit(), 'relaxed');
      expect(await calls(Infinity)).toEqual([]);
      await store.commit(log.add({ type: 'session.kept', keep: false }).commit(), 'relaxed');
      expect(await calls(Infinity)).toEqual(['call_1', 'call_2']);
    });

    test('a dropped output releases its blob once no other call needs it', async () => {
      const store = await make();
      const output = blobOf('output');
      const log = new TestLog('ses_1')
        .startStep('msg_1')
        .callWithOutput('msg_1', 'call_1', output.hash)
        .callWithOutput('msg_1', 'call_2', output.hash);
      await store.commit(log.commit([output]), 'relaxed');
      log.add({ type: 'output.dropped', messageID: 'msg_1', callID: 'call_1' });
      await store.commit(log.commit(), 'relaxed');
      expect(await store.blobs.missing([output.hash])).toEqual([]);
      log.add({ type: 'output.dropped', messageID: 'msg_1', callID: 'call_2' });
      await store.commit(log.commit(), 'relaxed');
      expect(await store.blobs.missing([output.hash])).toEqual([output.hash]);
      expect(await store.expiredOutputs(Infinity)).toEqual([]);
    });

    test('the store contains the state of the log, however it was split into commits', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 30 }), async (steps) => {
          const store = await make();
          const log = new TestLog('ses_1');
          await store.commit(log.commit(), 'relaxed');
          for (const [index, step] of steps.entries()) {
            if (step === 0) log.prompt(`msg_${index}`, `prompt ${index}`);
            if (step === 1) log.answer(`msg_${index}`, `answer ${index}`);
            if (step === 2) await store.commit(log.commit(), 'relaxed');
          }
          await store.commit(log.commit(), 'relaxed');
          expect(await store.events('ses_1', 0)).toEqual(log.events);
          expect(await store.messages('ses_1', { limit: 100 })).toEqual(log.records());
        }),
        { numRuns: 20 },
      );
    });
  });

  describe(`${name}: search`, () => {
    test('finds words of titles and messages by their start, without case and accents', async () => {
      const store = await make();
      const log = new TestLog('ses_1', { title: 'Naïve parser' }).prompt(
        'msg_1',
        'Please read src/Tokenizer.ts',
      );
      await store.commit(log.answer('msg_2', '文字列を直しました').commit(), 'relaxed');
      for (const query of ['naive', 'PARS', 'tokenizer', 'token src', 'src/tok', '文字', 'naive read'])
        expect(await store.search(query, 9), query).toMatchObject([
          { sessionID: 'ses_1', title: 'Naïve parser' },
        ]);
      for (const query of ['arser', 'missing', 'naive missing', '', '  ', '/'])
        expect(await store.search(query, 9), query).toEqual([]);
    });

    test('puts titles and many mentions first, and shows where', async () => {
      const store = await make();
      const once = new TestLog('ses_1').prompt('msg_1', `${'filler '.repeat(50)}the needle is <b>here</b>`);
      const twice = new TestLog('ses_2').prompt('msg_1', 'needle').answer('msg_2', 'another needle');
      const title = new TestLog('ses_3', { title: 'A needle' });
      for (const log of [once, twice, title]) await store.commit(log.commit(), 'relaxed');
      const hits = await store.search('needle', 9);
      expect(hits.map(({ sessionID }) => sessionID)).toEqual(['ses_3', 'ses_2', 'ses_1']);
      expect(hits.map(({ excerpt }) => excerpt)).toEqual([
        'A needle',
        'another needle',
        expect.stringMatching(/^…(filler )+the needle is <b>here<\/b>$/),
      ]);
      expect(await store.search('needle', 1)).toHaveLength(1);
    });

    test('follows changes: new titles, finished messages, deletion', async () => {
      const store = await make();
      const log = new TestLog('ses_1', { title: 'old' }).startStep('msg_1');
      const text = { type: 'step.part', messageID: 'msg_1' } as const;
      log.add({ ...text, part: { type: 'text-start', id: 't' } });
      log.add({ ...text, part: { type: 'text-delta', id: 't', text: 'half' } });
      await store.commit(log.commit(), 'relaxed');
      expect(await store.search('half', 9)).toEqual([]);
      log.add({ type: 'session.titled', title: 'new' }).endStep('msg_1');
      await store.commit(log.commit(), 'relaxed');
      expect(await store.search('half', 9)).toHaveLength(1);
      expect(await store.search('new', 9)).toHaveLength(1);
      expect(await store.search('old', 9)).toEqual([]);
      await store.markDeleted('ses_1', 1);
      expect(await store.search('half', 9)).toEqual([]);
    });
  });
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'none';
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    return error.fault.code;
  }
}
