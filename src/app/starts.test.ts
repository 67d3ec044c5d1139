import { expect, test } from 'vitest';
import { finish, say } from '../../test/support/parts-model.ts';
import { sessionsOver } from '../../test/support/session-harness.ts';
import type { Script } from '../models/types.ts';
import { starts } from './starts.ts';

test('a start from the first page is ready before anything happens in it', async () => {
  const { sessions, workspace } = sessionsOver([
    [...say('Fixed.'), finish()],
    [...say('Built.'), finish()],
    [...say('Mine.'), finish()],
  ]);
  const { startDemo, startPageDemo, startYou } = starts({
    models: { choice: () => null, choose: async () => undefined },
    sessions,
    scripts: new Map(),
    language: 'en',
    workspaceWith: async () => workspace.id,
  });
  for (const start of [startDemo, startPageDemo, startYou]) {
    const found: [string, number][] = [];
    const begun = await start(async ({ id, state }) => void found.push([id, state.messages.size]));
    expect(found).toEqual([[begun.id, 0]]);
    const open = await sessions.open(begun.id);
    expect(await open.rested()).toBe('idle');
    expect(open.state.messages.size).toBe(2);
  }
});

test('a start is in the language of the page, with what its model says', async () => {
  const { sessions, workspace } = sessionsOver([[...say('Fertig.'), finish()]]);
  const scripts = new Map<string, Script>();
  const written: Readonly<Record<string, string>>[] = [];
  const { startPageDemo } = starts({
    models: { choice: () => null, choose: async () => undefined },
    sessions,
    scripts,
    language: 'de',
    workspaceWith: async (files) => {
      written.push(files);
      return workspace.id;
    },
  });
  const session = await startPageDemo(async () => undefined);
  expect(session.state.title).toBe('Rechnung teilen');
  const open = await sessions.open(session.id);
  expect(await open.rested()).toBe('idle');
  expect(JSON.stringify([...open.state.parts.values()])).toContain('Rechnung unter Freunden');
  const [script] = scripts.values();
  expect(script?.turns[0]?.steps[0]).toMatchObject({
    text: 'Zuerst die Seite.',
    tools: [{ tool: 'write', input: { content: expect.stringContaining('<html lang="de">') } }],
  });
  expect(written).toEqual([{}]);
});
