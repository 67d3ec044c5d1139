import { answer, calls, dialog, openApp, readFile, script, send, useScript, writeFile } from './app.ts';
import { expect, test } from './test.ts';

const TOOL = `
import { tool } from '@opencode-ai/plugin';
import { readFileSync } from 'fs';

let calls = 0;

export default tool({
  description: 'Counts the lines of a file',
  args: { path: tool.schema.string().describe('Which file') },
  async execute({ path }, context) {
    calls += 1;
    const lines = readFileSync(path, 'utf8').trim().split('\\n').length;
    const user: string = await Bun.$\`echo counted > counted.txt; cat counted.txt\`.text();
    return \`\${lines} lines, \${user.trim()}, call \${calls} of \${context.agent}\`;
  },
});
`;

test("a workspace's own tool waits for trust, runs in node, asks for the commands it runs, and lives between calls", async ({
  page,
}) => {
  const call = { tools: [{ tool: 'lines', input: { path: 'poem.txt' } }] };
  await openApp(page);
  await useScript(page, {
    ...script(),
    turns: [{ steps: [call, { text: 'Not yet.' }] }, { steps: [call, call, { text: 'Counted.' }] }],
  });
  await writeFile(page, 'poem.txt', 'one\ntwo\nthree\n');
  await writeFile(page, '.opencode/tool/lines.ts', TOOL);
  await send(page, 'Count');
  await expect(page.getByRole('article').last()).toContainText('Not yet.');
  await expect(calls(page, 'lines')).toHaveAttribute('data-outcome', 'invalid');

  const notice = page.getByRole('group', { name: 'This workspace wants more than your settings allow.' });
  await notice.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('list', { name: 'What they would allow' })).toContainText(
    '.opencode/tool/lines.ts',
  );
  await page.getByRole('button', { name: 'Trust', exact: true }).click();

  await send(page, 'Count again');
  await expect(dialog(page)).toContainText('echo counted');
  await answer(page, 'Allow for this session');
  await expect(page.getByRole('article').last()).toContainText('Counted.');
  await expect(calls(page, 'lines').last()).toHaveAttribute('data-outcome', 'ok');
  await calls(page, 'lines').last().getByRole('button').first().click();
  await expect(calls(page, 'lines').last()).toContainText('3 lines, counted, call 2 of build');
  expect(await readFile(page, 'counted.txt')).toBe('counted\n');
});

const CHANGES = `
import { mkdir, writeFile } from 'fs/promises';
import fs from 'fs';

export default {
  description: 'Changes files in every way',
  args: {},
  async execute() {
    await writeFile('one.txt', 'one');
    await fs.promises.writeFile('two.txt', 'two');
    await new Promise<void>((done, fail) => fs.writeFile('three.txt', 'three', (error) => (error ? fail(error) : done())));
    await Bun.write('four.txt', 'four');
    await mkdir('folder');
    await writeFile('one.txt', 'one again');
    return 'All written.';
  },
};
`;

test('a custom tool changes files in every way, and is told that it did', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ text: 'Hello.' }), { edit: 'allow' });
  await page.evaluate(
    (tool) => window.vitrine.sessions.create({ files: { '.opencode/tool/change.ts': tool } }),
    CHANGES,
  );
  await page.evaluate(() => window.vitrine.trust());
  const result = await page.evaluate(() => window.vitrine.tools.call('change', {}));
  expect(result).toMatchObject({ outcome: 'ok', output: 'All written.' });
  expect(await readFile(page, 'one.txt')).toBe('one again');
  expect(await readFile(page, 'three.txt')).toBe('three');
  expect(await readFile(page, 'four.txt')).toBe('four');
});
