import { calls, openApp, prompt, script, send, useScript } from './app.ts';
import { expect, test } from './test.ts';

const asks = {
  tool: 'question',
  input: {
    questions: [
      { question: 'Which runtime?', options: ['Node', { label: 'Deno', description: 'With its own tools' }] },
      { question: 'Which checks?', options: ['types', 'lint'], multiple: true },
    ],
  },
};

test('the agent asks, the person answers with the keyboard, the agent goes on', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ tools: [asks] }, { text: 'So be it.' }));
  await send(page, 'Set it up');
  const dialog = page.getByRole('dialog', { name: 'Question' });
  await expect(dialog).toContainText('Which runtime?');
  await expect(calls(page, 'question')).toHaveAttribute('data-status', 'pending');
  await expect(dialog.getByRole('button', { name: 'Next' })).toBeEnabled();
  await dialog.focus();
  await page.keyboard.press('2');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('Which checks?');
  await page.keyboard.press('1');
  await page.keyboard.press('2');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article').last()).toContainText('So be it.');
  await expect(calls(page, 'question')).toHaveAttribute('data-outcome', 'ok');
  const events = await page.evaluate(async () => {
    const [session] = await window.vitrine.sessions.list();
    return JSON.stringify(await window.vitrine.sessions.events(session!.id));
  });
  expect(events).toContain('"answers":[["Deno"],["types","lint"]],"by":"person"');
});

test('a reload while it waits withdraws it', async ({ page }) => {
  await openApp(page);
  await useScript(page, script({ tools: [asks] }, { text: 'So be it.' }));
  await send(page, 'Set it up');
  await expect(page.getByRole('dialog', { name: 'Question' })).toBeVisible();
  await page.reload();
  await expect(calls(page, 'question')).toHaveAttribute('data-outcome', 'interrupted');
  await expect(page.getByRole('dialog', { name: 'Question' })).toHaveCount(0);
});

test('a handler answers in the person’s place, dismisses, or leaves it', async ({ page }) => {
  await openApp(page);
  const one = { tool: 'question', input: { question: 'Which runtime?', options: ['Node', 'Deno'] } };
  await useScript(page, {
    version: 1,
    title: 'asked',
    chunkDelayMs: 0,
    turns: [{ steps: [{ tools: [one] }, { text: 'Thanks.' }] }, { steps: [{ tools: [one] }] }],
  });
  await page.evaluate(() => window.vitrine.onQuestion(({ questions }) => questions[0]!.options[1]!.label));
  expect((await prompt(page, 'One')).status).toBe('idle');
  await expect(page.getByRole('article').last()).toContainText('Thanks.');
  await page.evaluate(() => window.vitrine.onQuestion(() => null));
  expect((await prompt(page, 'Two')).status).toBe('rejected');
  await expect(calls(page, 'question').last()).toHaveAttribute('data-outcome', 'denied');
});
