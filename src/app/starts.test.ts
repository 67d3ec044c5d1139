import { expect, test } from 'vitest';
import { finish, say } from '../../test/support/parts-model.ts';
import { sessionsOver } from '../../test/support/session-harness.ts';
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
