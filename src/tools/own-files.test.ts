import { expect, test } from 'vitest';
import { TestCall } from '../../test/support/tool-context.ts';
import { grepTool } from './grep/grep.ts';
import { listTool } from './list/list.ts';
import { readTool } from './read/read.ts';
import { writeTool } from './write/write.ts';

const own = { 'AGENTS.md': 'Be brief.', 'skills/a/SKILL.md': 'brief too' };

test.each(['~/.config/opencode', '/home/.config/opencode', '~/.opencode'])(
  "the person's own files are read, listed and searched at %s",
  async (place) => {
    const call = new TestCall({ own });
    expect((await call.run(readTool, { filePath: `${place}/AGENTS.md` })).output).toContain('1: Be brief.');
    expect((await call.run(listTool, { path: place })).output).toMatch(/file +9 +AGENTS\.md\n.*skills/);
    expect((await call.run(listTool, { path: `${place}/skills` })).output).toContain(' a\n');
    expect((await call.run(grepTool, { pattern: 'brief', path: place })).output).toContain('Found 2 matches');
    expect((await call.run(grepTool, { pattern: 'brief', path: `${place}/skills` })).output).toContain(
      'Found 1 match',
    );
    expect(call.asks).toEqual([]);
  },
);

test('they cannot be changed, and a missing one is reported', async () => {
  const call = new TestCall({ own });
  await expect(
    call.run(writeTool, { filePath: '~/.config/opencode/AGENTS.md', content: 'x' }),
  ).rejects.toThrow("a file of the user's own");
  await expect(call.run(readTool, { filePath: '~/.config/opencode/gone.md' })).rejects.toThrow(
    'no kept output',
  );
});
