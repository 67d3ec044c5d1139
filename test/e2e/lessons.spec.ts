import { deflateRawSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { answer, calls, dialog, send } from './app.ts';
import { answerQuestions, panel, reply, take } from './learner.ts';
import { expect, test } from './test.ts';

const step = (page: Page, name: string) => panel(page).getByRole('region', { name });

test('a lesson from the first page to its end', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Take a lesson' }).click();
  await panel(page)
    .getByRole('button', { name: /^What a tool call is/ })
    .click();

  await expect(step(page, 'Ask for something only the files know')).toBeVisible();
  await take(page);
  await expect(calls(page, 'list')).toHaveAttribute('data-outcome', 'ok');

  await expect(step(page, 'Open the call')).toBeVisible();
  await reply(page, 'How many files did the tool find?', '7');
  await expect(panel(page)).toContainText('Not quite.');
  await panel(page).getByRole('button', { name: 'Show a hint' }).click();
  await expect(panel(page).getByRole('log', { name: 'Hints' })).toContainText('Click the row');
  await answerQuestions(page);

  // The lesson's text about the answer is there once the message was sent.
  const next = step(page, 'Another question, another tool');
  await expect(next).toBeVisible();
  await expect(next).not.toContainText('Read');
  await take(page);
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('she turns seven');
  await expect(next).toContainText('The model calls another tool this time: Read.');
  await answerQuestions(page);

  await expect(step(page, 'The answer came from the file')).toBeVisible();
  await send(page, 'Who brings a cake to this?');
  await expect(calls(page, 'grep')).toHaveAttribute('data-outcome', 'ok');

  // How far one came is kept, and the address names the lesson.
  await page.reload();
  await expect(step(page, 'The answer came from the file')).toBeVisible();
  await expect(panel(page).getByText('done: You sent a message like “cake”')).toBeVisible();
  await answerQuestions(page);
  await expect(panel(page)).toContainText('Lesson complete.');

  await panel(page).getByRole('button', { name: 'All lessons' }).click();
  await expect(panel(page).getByRole('button', { name: /^What a tool call is.*Done/ })).toBeVisible();
  await panel(page).getByRole('button', { name: 'Close lessons' }).click();
  await expect(page.getByRole('navigation', { name: 'Sessions' }).getByRole('link')).toHaveCount(1);
});

test('a lesson of a link, with permissions; started again it is as new', async ({ page }) => {
  await page.goto('/?lesson=the-loop');
  // The model's button says whose model it is.
  await expect(page.getByRole('button', { name: /^Model:? The loop/ })).toBeVisible();
  await expect(step(page, 'Start a turn')).toBeVisible();
  // A link runs nothing by itself.
  await expect(page.getByRole('article', { name: 'You' })).toHaveCount(0);
  await take(page);
  await expect(step(page, 'The loop waits for you')).toBeVisible();
  await expect(dialog(page)).toContainText('Hello');
  await answer(page, 'Allow once');
  await expect(step(page, 'The proof')).toBeVisible();
  await answer(page, 'Allow once');
  await expect(step(page, 'Count the rounds')).toBeVisible();
  await answerQuestions(page);
  await expect(panel(page).getByRole('button', { name: /^Next: / })).toBeVisible();

  await panel(page).getByRole('button', { name: 'Start again' }).click();
  await expect(step(page, 'Start a turn')).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(1);
  await take(page);
  await expect(dialog(page)).toContainText('Hello');
});

test('on a phone the conversation says that a step is done or asks, and leads back to the lesson', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/?lesson=what-a-tool-call-is');
  const lesson = page.getByRole('main', { name: 'Lessons' });
  const tab = (name: string | RegExp) => page.getByRole('tab', { name });
  const toLesson = page.getByRole('button', { name: 'Back to the lesson' });
  await lesson.getByRole('button', { name: 'Use this message' }).click();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Step 1 of 4 is done.' })).toBeVisible();
  await expect(page.getByText('Step 1 done. Step 2 of 4: Open the call')).toBeAttached();
  await tab('Files').click();
  await expect(tab('Lesson Step 1 of 4 is done.')).toBeVisible();
  await tab('Chat').click();
  await page.getByRole('button', { name: 'Next step' }).click();
  await expect(lesson.getByRole('heading', { name: 'Open the call' })).toBeFocused();
  await expect(lesson.getByRole('heading', { name: 'Open the call' })).toBeInViewport();
  await expect(tab(/^Lesson/)).toHaveAccessibleName('Lesson');
  await tab('Chat').click();
  await expect(page.getByRole('log', { name: 'Conversation' })).toBeVisible();
  await expect(toLesson).toHaveCount(0);
  await tab('Lesson').click();

  const form = lesson.getByRole('form', { name: 'How many files did the tool find?' });
  await form.getByRole('textbox', { name: 'Your answer' }).fill('3');
  await form.getByRole('button', { name: 'Check' }).click();
  await lesson.getByRole('button', { name: 'Use this message' }).click();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'The lesson has a question for you.' })).toBeVisible();
  await toLesson.click();
  await expect(lesson.getByRole('heading', { name: 'Another question, another tool' })).toBeFocused();
});

test('a lesson that is not there is told, above the list of those that are', async ({ page }) => {
  await page.goto('/?lesson=no-such');
  await expect(panel(page).getByRole('alert')).toContainText('There is no lesson "no-such".');
  await expect(panel(page).getByRole('button', { name: /^The loop/ })).toBeVisible();
});

test('a teacher writes a lesson, tries it and shares it; whoever gets the link or the file takes it', async ({
  page,
  context,
  browser,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  await page.getByRole('button', { name: 'Take a lesson' }).click();
  await panel(page).getByRole('button', { name: 'Write a lesson' }).click();
  const editor = page.getByRole('dialog', { name: 'Write a lesson' });
  await expect(editor.getByRole('status')).toContainText('Valid: 1 step.');
  const markdown = editor.getByRole('textbox', { name: 'Lesson (Markdown)' });
  const text = (await markdown.inputValue()).replace('My lesson', 'Doors <img src=x onerror=alert(1)>');
  await markdown.fill(text.replace('"call"', '"cal"'));
  await expect(editor.getByRole('status')).toContainText(
    'Line 22: a check has one of these keys: prompt, call,',
  );
  await expect(editor.getByRole('button', { name: 'Copy link' })).toBeDisabled();
  await markdown.fill(text);
  await editor.getByRole('button', { name: 'Copy link' }).click();
  await expect(editor.getByRole('status')).toContainText('Link copied.');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const download = page.waitForEvent('download');
  await editor.getByRole('button', { name: 'Download' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/\.lesson\.json$/);
  await editor.getByRole('button', { name: 'Save and try it' }).click();
  await expect(step(page, 'Ask for something')).toBeVisible();
  await take(page);
  await reply(page, 'Which colour is named in the file?', 'It is green.');
  await expect(panel(page)).toContainText('Lesson complete.');

  const learner = await (await browser.newContext()).newPage();
  await learner.goto(link);
  await expect(panel(learner)).toContainText('A lesson from a link');
  await expect(panel(learner)).toContainText('Doors <img src=x onerror=alert(1)>');
  await expect(learner.getByRole('navigation', { name: 'Sessions' })).toHaveCount(0);
  await panel(learner).getByRole('button', { name: 'Start the lesson' }).click();
  await take(learner);
  await expect(calls(learner, 'read')).toHaveAttribute('data-outcome', 'ok');
  await reply(learner, 'Which colour is named in the file?', 'green');
  await expect(panel(learner)).toContainText('Lesson complete.');

  // The file is the same lesson.
  const other = await (await browser.newContext()).newPage();
  await other.goto('/');
  await other.getByRole('button', { name: 'Take a lesson' }).click();
  await panel(other)
    .getByLabel('Lesson file')
    .setInputFiles(await file.path());
  await take(other);
  await reply(other, 'Which colour is named in the file?', 'green');
  await expect(panel(other)).toContainText('Lesson complete.');
});

test('a lesson of a link asks the learner to go back and to answer differently', async ({ page }) => {
  const markdown = `---
title: Say it better
summary: Ask, go back, ask again.
---
## Ask

\`\`\`prompt
Write a note.
\`\`\`
\`\`\`check
{"turn": "idle"}
{"file": "note.txt", "matches": "*vague*"}
\`\`\`

## Go back and say it better

\`\`\`check
{"restored": "undo"}
{"prompt": "*about the cat*"}
{"file": "note.txt", "matches": "*Feed the cat*"}
\`\`\`

## Compare

\`\`\`check
{"restored": "branch"}
{"file": "note.txt", "matches": "*vague*"}
\`\`\`
`;
  const write = (content: string) => [
    { tools: [{ tool: 'write', input: { filePath: 'note.txt', content } }] },
    { text: 'Written.' },
  ];
  const script = {
    version: 1,
    turns: [
      { when: 'about the cat', steps: write('Feed the cat.') },
      { when: 'note', steps: write('Something vague.') },
    ],
  };
  const file = JSON.stringify({ vitrineLesson: 1, markdown, script: JSON.stringify(script) });
  await page.goto(`/#lesson=${deflateRawSync(file).toString('base64url')}`);
  await panel(page).getByRole('button', { name: 'Start the lesson' }).click();
  await take(page);
  await answer(page, 'Allow once');
  const better = step(page, 'Go back and say it better');
  await expect(better).toContainText('You went back');
  // A second message in the same conversation is no other answer to the first.
  await send(page, 'And now a note about the cat.');
  await answer(page, 'Deny');
  await expect(better).toContainText('done: You sent a message like “about the cat”');
  await expect(better).not.toContainText('done: You went back');

  const sent = page.getByRole('article', { name: 'You' }).filter({ hasText: 'Write a note.' });
  await sent.hover();
  await sent.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Edit your message' }).fill('Write a note about the cat.');
  await page.keyboard.press('Enter');
  await answer(page, 'Allow once');
  await expect(step(page, 'Compare')).toBeVisible();
  await page
    .getByRole('group', { name: 'Versions of this message' })
    .getByRole('button', { name: 'Previous version' })
    .click();
  await expect(panel(page)).toContainText('Lesson complete.');
});

test('a damaged link opens nothing', async ({ page }) => {
  await page.goto('/#lesson=abcd');
  await expect(panel(page).getByRole('alert')).toContainText('This lesson cannot be read');
});

test('the learner is the model: a call of their own, and the answer from its result', async ({ page }) => {
  await page.goto('/?lesson=you-are-the-model');
  await take(page);
  const box = page.getByRole('dialog', { name: 'You are the model' });
  await box.getByRole('button', { name: 'grep', exact: true }).click();
  await box.getByRole('textbox', { name: /^pattern/ }).fill('key');
  await box.getByRole('button', { name: 'Send with 1 call' }).click();
  await expect(step(page, 'Answer from the result')).toBeVisible();
  await expect(box.getByRole('listitem').filter({ hasText: 'grep says' })).toContainText('blue pot');
  await box.getByRole('textbox', { name: 'Text' }).fill('Under the blue pot.');
  await box.getByRole('button', { name: 'Send the answer' }).click();
  await expect(step(page, 'Get it wrong')).toBeVisible();
});

test("a stranger's lesson stays text, and answers nothing in the person's place", async ({ page }) => {
  const markdown = `---
title: Free money
summary: <b onclick="alert(1)">Click</b>
---
## <script>globalThis.hacked = 1</script>Go
<img src=x onerror="globalThis.hacked = 2"> [link](javascript:globalThis.hacked=3)

\`\`\`prompt
go
\`\`\`
\`\`\`hint
<iframe srcdoc="<script>parent.hacked = 4</script>"></iframe>
\`\`\`
\`\`\`check
{"permission": "bash", "reply": "once", "label": "<i onmouseover=globalThis.hacked=5>x</i>"}
\`\`\`
`;
  const script = {
    version: 1,
    turns: [{ steps: [{ tools: [{ tool: 'bash', input: { command: 'touch got-in' } }] }] }],
  };
  const file = JSON.stringify({ vitrineLesson: 1, markdown, script: JSON.stringify(script) });
  const data = deflateRawSync(file).toString('base64url');
  await page.goto(`/#lesson=${data}`);
  await panel(page).getByRole('button', { name: 'Start the lesson' }).click();
  await panel(page).getByRole('button', { name: 'Show a hint' }).click();
  await expect(panel(page).getByRole('button', { name: 'Show a hint' })).toHaveCount(0);
  await take(page);
  await expect(dialog(page)).toContainText('touch got-in');
  await expect(calls(page, 'bash')).toHaveAttribute('data-status', 'pending');
  await expect(panel(page)).toContainText('<i onmouseover=globalThis.hacked=5>x</i>');
  await expect(panel(page).locator('iframe, script, [onerror], [href^="javascript"]')).toHaveCount(0);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'hacked'))).toBeUndefined();
});

test('a lesson from a file that would hold the page up, or answer for the person, is refused and not kept', async ({
  page,
}) => {
  const head = '---\ntitle: Slow\nsummary: Slow\n---\n## Go\n';
  const script = (more: object) =>
    JSON.stringify({ version: 1, turns: [{ steps: [{ text: 'x' }], ...more }] });
  const lessons: readonly (readonly [string, string, RegExp])[] = [
    [head, script({ when: 'a?'.repeat(60) + 'a'.repeat(60) }), /a lesson's pattern/],
    [head, script({ permission: 'allow' }), /turns\[0\]/],
    [head.replace('title', 'permission: allow\ntitle'), script({}), /Front matter: .*permission/],
    [head, script({}) + ' '.repeat(400_000), /cannot be read: script/],
    [`${head}\`\`\`check${' '.repeat(90_000)}!\n`, 'none', /it is not JSON/],
  ];
  await page.goto('/');
  await page.getByRole('button', { name: 'Take a lesson' }).click();
  for (const [markdown, text, why] of lessons) {
    const file = JSON.stringify({ vitrineLesson: 1, markdown, script: text });
    await panel(page)
      .getByLabel('Lesson file')
      .setInputFiles({ name: 'x.lesson.json', mimeType: 'application/json', buffer: Buffer.from(file) });
    await expect(page.getByRole('region', { name: 'Notices' }).getByText(why).last()).toBeVisible();
  }
  await expect(panel(page).getByRole('region', { name: 'Your lessons' })).toHaveCount(0);
  await expect(page.getByRole('article')).toHaveCount(0);
});

test('a lesson goes on in the tab that takes it over', async ({ page, context }) => {
  const link = '/?lesson=what-a-tool-call-is';
  await page.goto(link);
  await expect(step(page, 'Ask for something only the files know')).toBeVisible();
  const other = await context.newPage();
  await other.goto(link);
  await other.getByRole('button', { name: 'Take over' }).click();
  await expect(other.getByRole('button', { name: 'Take over' })).toHaveCount(0);
  await take(other);
  await expect(step(other, 'Open the call')).toBeVisible();
  // The tab that has handed it over follows.
  await expect(step(page, 'Open the call')).toBeVisible();
});
