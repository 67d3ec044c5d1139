import { expect, type Locator, type Page } from '@playwright/test';
import { calls } from './app.ts';

/** A learner in front of the page: reads what the lesson says, and looks up each answer where the lesson says it is. */
export const panel = (page: Page): Locator => page.getByRole('complementary', { name: 'Lessons' });
export const model = (page: Page): Locator => page.getByRole('dialog', { name: 'You are the model' });
export const log = (page: Page): Locator => page.getByRole('log', { name: 'Conversation' });

export async function at(page: Page, step: string): Promise<void> {
  await expect(panel(page).getByRole('region', { name: step })).toBeVisible();
}

export async function done(page: Page): Promise<void> {
  await expect(panel(page)).toContainText('Lesson complete.');
  // The model says so where a call did not do what it was for, and here each one did.
  await expect(log(page)).not.toContainText('To go on with the lesson');
}

/** Sends the message that the lesson offers. */
export async function take(page: Page): Promise<void> {
  await panel(page).getByRole('button', { name: 'Use this message' }).click();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await page.keyboard.press('Enter');
}

/** Answers every question of the step, each with what is found on the page. */
export async function answerQuestions(page: Page): Promise<void> {
  const forms = panel(page).getByRole('form');
  await expect(forms.first()).toBeVisible();
  for (let left = await forms.count(); left > 0; left--) {
    const question = (await forms.first().getByRole('paragraph').first().innerText()).trim();
    const find = ANSWERS[question];
    if (!find) throw new Error(`Nobody knows where the answer to “${question}” is found.`);
    await reply(page, question, await find(page));
    await expect(panel(page).getByRole('form', { name: question })).toHaveCount(0);
  }
}

export async function reply(page: Page, question: string, text: string): Promise<void> {
  const form = panel(page).getByRole('form', { name: question });
  if ((await form.getByRole('radio').count()) > 0)
    await form.getByRole('radio', { name: text, exact: true }).check();
  else await form.getByRole('textbox', { name: 'Your answer' }).fill(text);
  await form.getByRole('button', { name: 'Check' }).click();
}

/** The name of a thing, once the text of the step is found to speak of it. */
async function told(page: Page, name: string): Promise<string> {
  const named = panel(page).getByRole('listitem').locator('strong, em, code', { hasText: name });
  await expect(named.filter({ visible: true }).first()).toBeVisible();
  return name;
}

/** The newest call whose row has that name, opened. */
async function openRow(page: Page, name: string): Promise<Locator> {
  const head = page.getByRole('button', { name: new RegExp(`^${await told(page, name)}\\b`) });
  const call = log(page).locator('[data-part="tool"]').filter({ has: head }).last();
  if ((await call.getByRole('button').first().getAttribute('aria-expanded')) === 'false')
    await call.getByRole('button').first().click();
  return call;
}

const outputOf = (call: Locator): Promise<string> => call.getByLabel('Output', { exact: true }).innerText();

async function openTab(page: Page, name: string): Promise<Locator> {
  await page.getByRole('tab', { name: await told(page, name) }).click();
  return page.getByRole('tabpanel', { name });
}

async function textOfFile(page: Page, name: string): Promise<string> {
  const files = await openTab(page, 'Files');
  await files.getByRole('treeitem', { name: await told(page, name) }).click();
  const lines = files.getByRole('textbox', { name: `Text of ${name}`, exact: true }).locator('.cm-line');
  await expect(lines.first()).toHaveText(/\S/);
  // A browser leaves out of "innerText" what it has not painted yet.
  return (await lines.allTextContents()).join('\n');
}

async function stepsOfTimeline(page: Page): Promise<readonly string[]> {
  const tab = await openTab(page, 'Inspector');
  const rows = tab.getByRole('treeitem');
  await expect(rows.first()).toBeVisible();
  return rows.allInnerTexts();
}

const redCard = (page: Page, word: string) =>
  log(page).locator('[data-part="tool"][data-status="error"]', { hasText: word });

/** Follows the link of the newest sub-agent's card, looks, and comes back. */
async function inSubAgent<T>(page: Page, look: () => Promise<T>): Promise<T> {
  await calls(page, 'task')
    .last()
    .getByRole('link', { name: /^Open its session/ })
    .click();
  await expect(page.getByRole('link', { name: /^Back to/ })).toBeVisible();
  const found = await look();
  await page.getByRole('link', { name: /^Back to/ }).click();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  return found;
}

const ANSWERS: Readonly<Record<string, (page: Page) => Promise<string>>> = {
  'How many files did the tool find?': async (page) => {
    const output = await outputOf(await openRow(page, 'List'));
    return String(output.split('\n').filter((line) => line.startsWith('file ')).length);
  },
  'What is the name of the argument that says which file to read?': async (page) => {
    const given = (await openRow(page, 'Read')).getByRole('group', { name: 'Arguments' });
    const [name = '', value] = await given
      .getByRole('term')
      .or(given.getByRole('definition'))
      .allInnerTexts();
    expect(value).toBe('invitation.txt');
    return name;
  },
  'In how many lines did it find the word?': async (page) => {
    const output = await outputOf(await openRow(page, 'Search'));
    return String(output.split('\n').filter((line) => /^\s+Line \d+: .*cake/.test(line)).length);
  },

  'Which argument did the error complain about?': async (page) => {
    await told(page, 'not valid');
    const output = await outputOf(redCard(page, 'not valid').first());
    return /^- (\w+)/m.exec(output)?.[1] ?? output;
  },
  'Which argument did the tool miss?': async (page) => {
    await told(page, 'not valid');
    const output = await outputOf(redCard(page, 'not valid').first());
    return /^- (\w+)/m.exec(output)?.[1] ?? output;
  },
  'Did the model call a tool before it said that?': async (page) => {
    const parts = log(page).getByRole('article').last().locator('[data-part="tool"]');
    return (await parts.count()) === 0 ? 'No, it called nothing' : 'Yes, it called write';
  },
  'Did the tool itself run that first time?': async (page) => {
    await expect(redCard(page, await told(page, 'not valid'))).toHaveCount(1);
    const says = panel(page).getByText('the app refused its arguments before the tool ran');
    return (await says.count()) > 0 ? 'No, the call was refused before' : '';
  },
  'Who refused this time?': async (page) => {
    const red = redCard(page, '');
    await expect(red).toHaveCount(3);
    const words = await red.last().getByRole('button').first().innerText();
    if (words.includes('not valid')) return 'The schema';
    return words.includes('failed') ? 'The tool' : '';
  },

  'How many times was the model asked in this turn?': async (page) => {
    const rows = await stepsOfTimeline(page);
    return String(rows.filter((row) => /^\s*Step \d/.test(row)).length);
  },

  'Who is the hidden note written for?': async (page) => {
    const [, reader = ''] = /<!-- Note to ([\w ]+):/.exec(await textOfFile(page, 'offer.md')) ?? [];
    return reader;
  },
  'Would the rule have allowed the command from the hidden note?': async (page) => {
    const command = await calls(page, 'bash').first().innerText();
    const tab = await openTab(page, 'Inspector');
    await tab
      .getByRole('treeitem')
      .filter({ hasNotText: /^\s*(Turn|Step) \d/ })
      .last()
      .click();
    await tab.getByRole('tab', { name: await told(page, 'Rules') }).click();
    const rules = tab.getByRole('list', { name: /^Rules that match/ }).getByRole('listitem');
    const decided = await rules.filter({ hasText: 'decided' }).innerText();
    const [, program = ''] = /^bash (\w+) \*: allow/.exec(decided) ?? [];
    expect(program).toBe('wc');
    return new RegExp(`\\b${program}\\b`).test(command) ? 'Yes' : 'No';
  },

  'How many lines did the command print in all?': async (page) => {
    const card = calls(page, 'bash').first();
    await card.getByRole('button').first().click();
    const [, lines = ''] = /Full output \(([\d,]+) lines/.exec(await outputOf(card)) ?? [];
    return lines;
  },
  'What takes up most of the context now?': async (page) => {
    await page.getByRole('button', { name: new RegExp(`^Context: `) }).click();
    const rows = page.getByRole('dialog', { name: 'Context' }).getByRole('term');
    const sizes = page.getByRole('dialog', { name: 'Context' }).getByRole('definition');
    // The first click on the ring loads the dialog's code.
    await expect(sizes.first()).toBeVisible();
    const tokens = (await sizes.allInnerTexts()).map(
      (text) => parseFloat(text) * (text.includes('k') ? 1000 : 1),
    );
    const names = await rows.allInnerTexts();
    await page.keyboard.press('Escape');
    return names[tokens.indexOf(Math.max(...tokens))]?.trim() ?? '';
  },
  'Who can still see the old messages?': async (page) => {
    const line = log(page).locator('[data-part="summary"]');
    await expect(line).toContainText('The model now sees this summary');
    await expect(line).toContainText('Everything above stays here.');
    return 'You';
  },

  'The report of which day could not be read?': async (page) => {
    const words = await redCard(page, 'failed').innerText();
    return (
      ['Monday', 'Tuesday', 'Wednesday'].find((day) => words.toLowerCase().includes(day.toLowerCase())) ?? ''
    );
  },
  'How many requests did these three calls take?': async (page) => {
    const rows = await stepsOfTimeline(page);
    const steps = rows.flatMap((row, index) => (/^\s*Step \d/.test(row) ? index : []));
    const first = rows.slice((steps[0] ?? 0) + 1, steps[1]);
    return first.length === 3 ? 'One for all three' : 'One for each';
  },
  'How many of the two files have the line "checked" now?': async (page) => {
    const texts = [await textOfFile(page, 'monday.txt'), await textOfFile(page, 'wednesday.txt')];
    return ['None', 'One', 'Both'][texts.filter((text) => /\bchecked\b/.test(text)).length] ?? '';
  },

  'Which word did the command print before you stopped it?': async (page) => {
    const output = await outputOf(calls(page, 'bash').last());
    return output.trim().split(/\s/, 1)[0] ?? '';
  },

  'What did the sub-agent do first?': (page) =>
    inSubAgent(page, async () => {
      const first = await log(page).locator('[data-part="tool"]').first().getAttribute('data-tool');
      const found = { grep: 'It searched the files', read: 'It read a file', bash: 'It ran a command' };
      return Object.entries(found).find(([tool]) => tool === first)?.[1] ?? '';
    }),
  'How much of that does the first agent see?': async (page) => {
    const output = await outputOf(await openRow(page, 'Sub-agent'));
    expect(output).toContain('shop/total.sh');
    return output.includes('I search for the word first.') ? 'All of it' : 'Only the answer';
  },
  'What happened to its command?': (page) =>
    inSubAgent(page, async () => {
      const call = calls(page, 'bash').last();
      await expect(call).toHaveAttribute('data-status', /^(completed|error)$/);
      const words = await call.getByRole('button').first().innerText();
      return words.includes('denied') ? 'It was denied' : 'It ran';
    }),
  'What is that good for against prompt injection?': async (page) => {
    const says = 'No order in a file gets further than these rules.';
    const read = await panel(page).getByText(says).count();
    return read > 0 ? 'It limits what an order in a file can do' : '';
  },

  'What did the script find in place of the button?': async (page) => {
    const tab = await openTab(page, 'Preview');
    await tab.getByRole('button', { name: await told(page, 'Console') }).click();
    const error = await tab
      .getByText(/TypeError: /)
      .first()
      .innerText();
    return /properties of (\w+)/.exec(error)?.[1] ?? error;
  },
  'Which number does the page show now?': async (page) => {
    const tab = await openTab(page, 'Preview');
    const shown = tab
      .frameLocator('iframe[title="Page in the preview"]')
      .frameLocator('iframe[title="Page"]');
    await shown.getByRole('button', { name: 'Add one' }).click();
    return shown.getByRole('status').innerText();
  },

  'What colour is the lid of the tin?': async (page) => {
    const result = model(page).getByRole('listitem').filter({ hasText: 'read says' }).last();
    return /the (\w+) lid/.exec(await result.innerText())?.[1] ?? '';
  },
  'Is “Feed the cat.” in garden.txt now?': async (page) =>
    (await textOfFile(page, 'garden.txt')).includes('Feed the cat.') ? 'Yes' : 'No',
};
