import { expect, test, type Page } from '@playwright/test';
import { answer, calls, dialog, send } from './app.ts';

/** Each lesson of the app, done as a learner does it; the two that lessons.spec.ts takes to their end are not here. */
const panel = (page: Page) => page.getByRole('complementary', { name: 'Lessons' });
const model = (page: Page) => page.getByRole('dialog', { name: 'You are the model' });
const log = (page: Page) => page.getByRole('log', { name: 'Conversation' });

async function at(page: Page, step: string): Promise<void> {
  await expect(panel(page).getByRole('region', { name: step })).toBeVisible();
}

async function take(page: Page): Promise<void> {
  await panel(page).getByRole('button', { name: 'Put it into the message box' }).click();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await page.keyboard.press('Enter');
}

async function say(page: Page, question: RegExp, text: string): Promise<void> {
  const form = panel(page).getByRole('form', { name: question });
  await form.getByRole('textbox', { name: 'Your answer' }).fill(text);
  await form.getByRole('button', { name: 'Check' }).click();
}

async function choose(page: Page, question: RegExp, choice: string | RegExp): Promise<void> {
  const form = panel(page).getByRole('form', { name: question });
  await form.getByRole('radio', { name: choice, exact: true }).check();
  await form.getByRole('button', { name: 'Check' }).click();
}

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

const done = (page: Page) => expect(panel(page)).toContainText('You have done this lesson.');

test('schemas and validation errors', async ({ page }) => {
  await page.goto('/?lesson=schemas-and-errors');
  await at(page, 'A call that does not fit');
  await take(page);
  await at(page, 'Read the error as the model does');
  await expect(calls(page, 'read').first()).toHaveAttribute('data-outcome', 'invalid');
  await say(page, /^Which argument/, 'filePath');
  await choose(page, /^Did the tool/, /^No/);
  await at(page, 'A tool that does not exist');
  await take(page);
  await at(page, 'Valid, and still wrong');
  await take(page);
  await choose(page, /^Who refused/, 'The tool');
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
  await say(page, /^To whom/, 'to AI assistants');
  await at(page, 'A rule for what you do trust');
  await take(page);
  await answer(page, 'Allow for this session');
  await at(page, 'See the rule decide');
  await take(page);
  await choose(page, /^Would the rule/, 'No');
  await done(page);
});

test('truncation and context', async ({ page }) => {
  await page.goto('/?lesson=truncation-and-context');
  await at(page, 'Too much at once');
  await take(page);
  await answer(page, 'Allow once');
  await at(page, 'What the model was given');
  await say(page, /^How many lines/, '3,000');
  await at(page, 'Ask a smaller question');
  await take(page);
  await answer(page, 'Allow once');
  await at(page, 'What fills the context');
  await page.getByRole('button', { name: /^Context: / }).click();
  await page.keyboard.press('Escape');
  await choose(page, /^What takes most/, 'Tool outputs');
  await at(page, 'Make room');
  await take(page);
  await choose(page, /^Who can still see/, 'You');
  await done(page);
});

test('parallel calls and failures', async ({ page }) => {
  await page.goto('/?lesson=parallel-calls-and-failures');
  await at(page, 'Three at once');
  await take(page);
  await at(page, 'Which one failed');
  await say(page, /^The report of which day/, 'Tuesday');
  await choose(page, /^How often/, /^Once, for all/);
  await at(page, 'Two changes, two answers');
  await take(page);
  await expect(dialog(page)).toContainText('1 of 2');
  await answer(page, 'Allow once');
  await expect(dialog(page)).not.toContainText('1 of 2');
  await refuse(page, 'Wednesday is not finished');
  await at(page, 'What the files say');
  await choose(page, /^How many of the two/, 'One');
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
  await say(page, /^Which word/, 'started');
  await done(page);
});

test('sub-agents', async ({ page }) => {
  await page.goto('/?lesson=sub-agents');
  await at(page, 'Give work away');
  await take(page);
  await at(page, 'Look over its shoulder');
  await calls(page, 'task')
    .getByRole('link', { name: /^Open its session/ })
    .click();
  await expect(log(page)).toContainText('I search for the word first.');
  await choose(page, /^Which did the sub-agent/, 'It searched in the files');
  await choose(page, /^How much/, 'Only the answer');
  await at(page, 'It may do no more than you allow');
  // From the sub-agent's page the message goes to the lesson's own session.
  await take(page);
  await expect(dialog(page)).toContainText('for sub-agent general');
  await answer(page, 'Allow once');
  await at(page, 'Some may not do certain things at all');
  await choose(page, /^What is that good for/, /^It limits/);
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
  await say(page, /^What colour/, 'Red');
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
  await done(page);
  await speak(page, 'It is on the list.');
  await expect(log(page)).toContainText('It is on the list.');

  await panel(page).getByRole('button', { name: 'Start again' }).click();
  await at(page, 'Somebody asks you something');
  // Opened again without its panel, it is still the person who answers.
  await panel(page).getByRole('button', { name: 'Close lessons' }).click();
  await page.reload();
  await send(page, 'Thank you!');
  await expect(model(page)).toBeVisible();
});

test('a message that no lesson foresaw, and a denial without a reason, are no dead end', async ({ page }) => {
  await page.goto('/?lesson=the-loop');
  await at(page, 'Start a turn');
  await send(page, 'Bake a cake.');
  await expect(log(page)).toContainText('I am the scripted model of this lesson');
  await expect(panel(page)).toContainText('The turn is over, and not all of this is done.');
  await take(page);
  await at(page, 'The loop waits for you');
  await expect(panel(page)).not.toContainText('The turn is over');
  await answer(page, 'Deny');
  await expect(panel(page)).toContainText('The turn is over, and not all of this is done.');
  await take(page);
  await answer(page, 'Allow once');
  await at(page, 'The proof');
  await expect(panel(page).getByRole('button', { name: 'Start again' })).toBeVisible();
});
