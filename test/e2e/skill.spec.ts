import { calls, openApp, script, send, useScript, writeFile } from './app.ts';
import { expect, test } from './test.ts';

test('a skill of the workspace is loaded, and its card shows what it says', async ({ page }) => {
  await openApp(page);
  await writeFile(
    page,
    '.claude/skills/release/SKILL.md',
    '---\nname: release\ndescription: How releases are made.\n---\n\nRun `./check.sh` first.\n',
  );
  await writeFile(page, '.claude/skills/release/check.sh', 'true\n');
  await useScript(
    page,
    script({ tools: [{ tool: 'skill', input: { name: 'release' } }] }, { text: 'Read it.' }),
  );
  await send(page, 'Make a release');
  await expect(page.getByRole('article').last()).toContainText('Read it.');
  const card = calls(page, 'skill');
  await expect(card).toHaveAttribute('data-outcome', 'ok');
  await card.getByRole('button').first().click();
  await expect(card).toContainText('Run `./check.sh` first.');
  await expect(card).toContainText('<skill_files>');
});
