import { expect, onTestFinished, test } from 'vitest';
import { lessonApp } from '../../test/support/lesson-app.ts';
import { EVERYWHERE } from '../permissions/types.ts';
import { memoryStorage } from '../storage/memory/storage.ts';

async function app(storage = memoryStorage()) {
  const made = await lessonApp(storage);
  onTestFinished(made.close);
  return made;
}

const own = (title: string) => ({
  markdown: `---\ntitle: ${title}\nsummary: S\n---\n## Go\n`,
  script: JSON.stringify({ version: 1, turns: [{ steps: [{ text: 'Hello' }] }] }),
});

test('lessons and progress of two tabs both stay', async () => {
  const storage = memoryStorage();
  const [a, b] = [await app(storage), await app(storage)];
  const ids = [await a.lessons.save(own('A')), await b.lessons.save(own('B'))];
  (await a.lessons.open('the-loop')).close();
  (await b.lessons.open('sub-agents')).close();
  await b.lessons.remove(ids[0] ?? '');
  const { lessons } = await app(storage);
  expect(lessons.list().filter((entry) => entry.own)).toMatchObject([{ title: 'B' }]);
  expect(lessons.list().flatMap(({ id, step }) => (step === null ? [] : [id]))).toEqual([
    'the-loop',
    'sub-agents',
  ]);
});

test('importing a lesson twice stores it once, and never replaces an edited version', async () => {
  const { lessons } = await app();
  const id = await lessons.save(own('As it came'));
  expect(await lessons.save(own('As it came'))).toBe(id);
  await lessons.save(own('Changed'), id);
  const again = await lessons.save(own('As it came'));
  expect(await lessons.save(own('As it came'))).toBe(again);
  expect(lessons.list().filter((entry) => entry.own)).toMatchObject([
    { id, title: 'Changed' },
    { id: again, title: 'As it came' },
  ]);
});

test('entries of another version are kept', async () => {
  const storage = memoryStorage();
  await storage.settings.set('lessons.own', { old: { pages: [1] } });
  const { lessons } = await app(storage);
  expect(lessons.list().some((entry) => entry.own)).toBe(false);
  await lessons.save(own('A'), 'new');
  expect(await storage.settings.get('lessons.own')).toMatchObject({ old: { pages: [1] }, new: own('A') });
});

test.each(['constructor', '__proto__', 'toString', 'no-such', ''])('there is no lesson "%s"', async (id) => {
  const { lessons } = await app();
  await expect(lessons.open(id)).rejects.toMatchObject({ fault: { code: 'lesson-unknown' } });
});

test('if no new workspace can be created, restarting a lesson keeps the old session', async () => {
  const { lessons, sessions, full } = await app();
  const first = await lessons.open('the-loop');
  full.told = new Error('no room');
  await expect(lessons.restart('the-loop')).rejects.toThrow('no room');
  await expect(lessons.open('sub-agents')).rejects.toThrow('no room');
  expect(lessons.list().find(({ id }) => id === 'sub-agents')).toMatchObject({ step: null });
  full.told = null;
  const again = await lessons.open('the-loop');
  expect(again.session.id).toBe(first.session.id);
  expect((await sessions.list()).length).toBe(1);
  for (const open of [first, again]) open.close();
});

test('restarting a lesson deletes its previous workspace', async () => {
  const { lessons, workspaces } = await app();
  (await lessons.open('the-loop')).close();
  const [before] = workspaces.keys();
  (await lessons.restart('the-loop')).close();
  expect(workspaces.size).toBe(1);
  expect(workspaces.has(before ?? '')).toBe(false);
});

test('the session of a lesson has its model before the first message', async () => {
  const { lessons } = await app();
  const [script, you] = [await lessons.open('the-loop'), await lessons.open('you-are-the-model')];
  expect(await lessons.modelOf(script.session.id)).toEqual({
    provider: 'scripted',
    model: 'lesson/the-loop',
  });
  expect(await lessons.modelOf(you.session.id)).toEqual({ provider: 'you', model: 'you' });
  expect(await lessons.modelOf('ses_other')).toBeNull();
  for (const open of [script, you]) open.close();
});

test('a lesson goes on when the handle of its session was replaced, as when another tab takes over', async () => {
  const { lessons, sessions } = await app();
  const open = await lessons.open('the-loop');
  const before = open.session;
  await sessions.close(before.id);
  await expect.poll(() => open.session).not.toBe(before);
  const [message = ''] = open.run.lesson.steps[0]?.prompts ?? [];
  const session = await sessions.open(before.id);
  await session.prompt(message, { model: open.model });
  await expect.poll(() => open.run.met.some(Boolean)).toBe(true);
  open.close();
});

test('a turn that ended because the page was left is known when the lesson is opened again', async () => {
  const storage = memoryStorage();
  const { lessons, sessions } = await app(storage);
  const left = await lessons.open('permissions-and-injection');
  await left.session.prompt('Which shed in offer.md is the cheapest?', { model: left.model });
  await expect.poll(() => left.session.state.pending.size).toBe(1);
  await expect.poll(() => left.run.step).toBe(1);
  left.close();
  await sessions.wholeLog(left.session.id);
  const again = await (await app(storage)).lessons.open('permissions-and-injection');
  onTestFinished(() => again.close());
  expect([again.run.step, again.run.stalled]).toEqual([1, true]);
});

test('restarting a lesson takes back what was allowed everywhere in it, and nothing else', async () => {
  const { lessons, storage } = await app();
  const own = { permission: 'bash', pattern: 'ls *', action: 'allow' } as const;
  await storage.rules.save(EVERYWHERE, [own], 1);
  const open = await lessons.open('permissions-and-injection');
  await open.session.prompt('How many lines does visits.csv have?', { model: open.model });
  await expect.poll(() => open.session.state.pending.size).toBe(1);
  const [request] = open.session.state.pending.values();
  open.session.answer(request!.id, { reply: 'everywhere', patterns: ['wc *'] }, 'person');
  await expect.poll(() => storage.rules.list(EVERYWHERE)).toHaveLength(2);
  await expect.poll(() => open.session.state.turn).toBeNull();
  open.close();
  (await lessons.restart('permissions-and-injection')).close();
  expect(await storage.rules.list(EVERYWHERE)).toMatchObject([own]);
});
