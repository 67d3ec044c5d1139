import type { Page } from '@playwright/test';
import { installPromptAPI, type FakeOptions } from '../support/prompt-api/fake.ts';
import { answer, calls, dialog, send } from './app.ts';
import { answerQuestions, at, done, log, model, panel, take } from './learner.ts';
import { expect, test } from './test.ts';

/** Each lesson of the app, taken as a learner takes it; the two that lessons.spec.ts takes to their end are not here. */
async function refuse(page: Page, why: string): Promise<void> {
  await dialog(page)
    .getByRole('textbox', { name: /^Tell the agent/ })
    .fill(why);
  await answer(page, 'Deny');
}

async function call(page: Page, tool: string, fields: Readonly<Record<string, string>>): Promise<void> {
  await model(page).getByRole('button', { name: tool, exact: true }).click();
  for (const [name, text] of Object.entries(fields))
    await model(page)
      .getByRole('textbox', { name: new RegExp(`^${name}`) })
      .fill(text);
  await model(page).getByRole('button', { name: 'Send with 1 call' }).click();
}

async function speak(page: Page, text: string): Promise<void> {
  await model(page).getByRole('textbox', { name: 'Text' }).fill(text);
  await model(page).getByRole('button', { name: 'Send the answer' }).click();
}

/** Restores the conversation and the files as they were before this message of the learner. */
async function goBack(page: Page, message: RegExp): Promise<void> {
  const sent = log(page).getByRole('article', { name: 'You' }).filter({ hasText: message });
  await sent.hover();
  await sent.getByRole('button', { name: 'Restore to here' }).click();
  const sheet = page.getByRole('dialog', { name: 'Restore to here' });
  await sheet.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(sheet).toHaveCount(0);
}

test('schemas and validation errors', async ({ page }) => {
  await page.goto('/?lesson=schemas-and-errors');
  await at(page, 'A call that does not fit');
  await take(page);
  await at(page, 'Read the error as the model does');
  await expect(calls(page, 'read').first()).toHaveAttribute('data-outcome', 'invalid');
  await answerQuestions(page);
  await at(page, 'A tool that does not exist');
  await take(page);
  await at(page, 'Valid, and still wrong');
  await take(page);
  await answerQuestions(page);
  await done(page);
});

test('permissions and prompt injection', async ({ page }) => {
  await page.goto('/?lesson=permissions-and-injection');
  await at(page, 'Ask for something harmless');
  await take(page);
  await at(page, 'Refuse, and say why');
  await expect(dialog(page)).toContainText('curl');
  await refuse(page, 'The file told you to.');
  await at(page, 'Find the order');
  await answerQuestions(page);
  await at(page, 'A rule for what you do trust');
  await take(page);
  await answer(page, 'Allow for this session');
  await at(page, 'See the rule decide');
  await take(page);
  await answerQuestions(page);
  await done(page);
});

test('truncation and context', async ({ page }) => {
  await page.goto('/?lesson=truncation-and-context');
  await at(page, 'Too much at once');
  await take(page);
  await answer(page, 'Allow once');
  await at(page, 'What the model was given');
  await answerQuestions(page);
  await at(page, 'Ask a smaller question');
  await take(page);
  await answer(page, 'Allow once');
  await at(page, 'What fills the context');
  await answerQuestions(page);
  await at(page, 'Make room');
  await take(page);
  await answerQuestions(page);
  await done(page);
});

test('parallel calls and failures', async ({ page }) => {
  await page.goto('/?lesson=parallel-calls-and-failures');
  await at(page, 'Three at once');
  await take(page);
  await at(page, 'Which one failed');
  await answerQuestions(page);
  await at(page, 'Two changes, two answers');
  await take(page);
  await expect(dialog(page)).toContainText('1 of 2');
  await answer(page, 'Allow once');
  await expect(dialog(page)).not.toContainText('1 of 2');
  await refuse(page, 'Wednesday is not finished');
  await at(page, 'What the files say');
  await answerQuestions(page);
  await done(page);
});

test('doom loops and stopping', async ({ page }) => {
  await page.goto('/?lesson=doom-loops-and-stopping');
  await at(page, 'Round in circles');
  await take(page);
  await at(page, 'Say what is wrong');
  await refuse(page, 'The file will not change by looking at it.');
  await at(page, 'Stop');
  await take(page);
  await answer(page, 'Allow once');
  await expect(calls(page, 'bash')).toContainText('started');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await at(page, 'What is left of it');
  await answerQuestions(page);
  await done(page);
});

test('sub-agents', async ({ page }) => {
  await page.goto('/?lesson=sub-agents');
  await at(page, 'Give work away');
  await take(page);
  await at(page, 'Look over its shoulder');
  await answerQuestions(page);
  await at(page, 'It may do no more than you allow');
  await calls(page, 'task')
    .getByRole('link', { name: /^Open its session/ })
    .click();
  await expect(log(page)).toContainText('I search for the word first.');
  // From the sub-agent's page the message goes to the lesson's own session.
  await take(page);
  await expect(dialog(page)).toContainText('for sub-agent general');
  await answer(page, 'Allow once');
  await at(page, 'Some may change nothing');
  await take(page);
  // The answer is in the newest session, whose card is there once the task runs.
  await expect(calls(page, 'task')).toHaveCount(3);
  await answerQuestions(page);
  await done(page);
});

test('you are the model', async ({ page }) => {
  await page.goto('/?lesson=you-are-the-model');
  await at(page, 'Somebody asks you something');
  await take(page);
  await call(page, 'grep', { pattern: 'key' });
  await at(page, 'Answer from the result');
  await speak(page, 'Under the blue pot.');
  await at(page, 'Get it wrong');
  await take(page);
  await call(page, 'read', {});
  await at(page, 'Do better');
  await call(page, 'read', { filePath: 'kitchen.txt' });
  await answerQuestions(page);
  await at(page, 'You may ask, not do');
  await speak(page, 'The lid of the tin is red.');
  await take(page);
  await call(page, 'read', { filePath: 'garden.txt' });
  await call(page, 'edit', {
    filePath: 'garden.txt',
    oldString: 'blue pot.',
    newString: 'blue pot. Feed the cat.',
  });
  await answer(page, 'Allow once');
  await at(page, 'Go back, and answer differently');
  await speak(page, 'It is on the list.');
  await expect(log(page)).toContainText('It is on the list.');
  // A step longer than its panel makes the panel scroll, and never the page.
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
  await goBack(page, /Feed the cat/);
  await expect(panel(page).getByText('done: You went back to before the message')).toBeVisible();
  await expect(log(page)).not.toContainText('It is on the list.');
  await take(page);
  await speak(page, 'It is done.');
  await answerQuestions(page);
  await done(page);

  await panel(page).getByRole('button', { name: 'Start again' }).click();
  await at(page, 'Somebody asks you something');
  // Opened again without its panel, it is still the person who answers.
  await panel(page).getByRole('button', { name: 'Close lessons' }).click();
  await page.reload();
  await send(page, 'Thank you!');
  await expect(model(page)).toBeVisible();
});

test('a message that no lesson foresaw, a reload and a denial without a reason are no dead end', async ({
  page,
}) => {
  await page.goto('/?lesson=the-loop');
  await at(page, 'Start a turn');
  await send(page, 'Bake a cake.');
  await expect(log(page)).toContainText('I am the scripted model of this lesson');
  await expect(panel(page)).toContainText('The turn has ended, but not everything here is done.');
  await take(page);
  await at(page, 'The loop waits for you');
  await expect(panel(page)).not.toContainText('The turn has ended');
  await page.reload();
  await expect(panel(page)).toContainText('The turn has ended, but not everything here is done.');
  await take(page);
  await expect(panel(page)).not.toContainText('The turn has ended');
  await answer(page, 'Deny');
  await expect(panel(page)).toContainText('The turn has ended, but not everything here is done.');
  await take(page);
  await answer(page, 'Allow once');
  await at(page, 'The proof');
  await expect(panel(page).getByRole('button', { name: 'Start again' })).toBeVisible();
});

/** Takes the lesson on small models to its last step. */
async function toTheRealOne(page: Page): Promise<void> {
  await page.goto('/?lesson=small-models');
  await at(page, 'The right idea, the wrong name');
  await take(page);
  await answerQuestions(page);
  await at(page, 'A call that breaks off');
  await take(page);
  await at(page, 'It says that it is done');
  await take(page);
  await answerQuestions(page);
  await at(page, 'What helps');
  await take(page);
  await answer(page, 'Allow once');
  await at(page, 'Try a real one');
}

test('why small models get tools wrong, with a recording where there is none', async ({ page }) => {
  await toTheRealOne(page);
  await expect(panel(page)).toContainText('No small model is in this browser.');
  await panel(page).getByRole('button', { name: 'Watch a recording' }).click();
  const bar = page.getByRole('group', { name: 'Recording', exact: true });
  await expect(bar.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect(bar).toContainText('Answers written by hand');
  const actions = await bar.getByRole('button', { name: 'Recording actions' }).boundingBox();
  const card = await bar.boundingBox();
  expect((actions?.x ?? 0) + (actions?.width ?? 0)).toBeLessThan((card?.x ?? 0) + (card?.width ?? 0));
  await expect(log(page)).toContainText('There are 57 bottles');
  await panel(page).getByRole('button', { name: 'Back to the session of this lesson' }).click();
  await panel(page).getByRole('button', { name: 'Next step' }).click();
  await done(page);
});

test('a small model that is in the browser answers in the lesson, until the script is wanted again', async ({
  page,
}) => {
  const given: FakeOptions = { availability: 'available', answers: ['{"say":"Perhaps ninety?"}'] };
  await page.addInitScript(installPromptAPI, given);
  await toTheRealOne(page);
  await panel(page).getByRole('button', { name: 'Let it answer: The model of this browser' }).click();
  await expect(panel(page)).toContainText('This model answers your messages now: The model of this browser');
  const use = panel(page).getByRole('button', { name: 'Use this message' }).first();
  await use.click();
  await page.keyboard.press('Enter');
  await expect(log(page)).toContainText('Perhaps ninety?');
  await panel(page).getByRole('button', { name: 'Back to the script' }).click();
  await use.click();
  await page.keyboard.press('Enter');
  await expect(log(page).getByText('There are 57 bottles')).toHaveCount(2);
  await panel(page).getByRole('button', { name: 'Next step' }).click();
  await done(page);
});

test.describe('with a preview', () => {
  // Its own service worker answers for its pages.
  test.use({ serviceWorkers: 'allow' });

  test('the agent looks at its own work', async ({ page, complaints }) => {
    // The lesson's page has an error, which the agent finds.
    complaints.expect(/Cannot read properties of null/);
    await page.goto('/?lesson=the-agent-looks&offline=off');
    await at(page, 'Build it, then look');
    await take(page);
    await answer(page, 'Allow once');
    await at(page, 'What the console said');
    await answerQuestions(page);
    await at(page, 'Mend it, and prove it');
    await take(page);
    await answer(page, 'Allow once');
    await at(page, 'The same page');
    await answerQuestions(page);
    await done(page);
  });
});
