import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';
import type { Question } from '../../../tools/question/schema.ts';

let app: FakeApp;
let session: FakeSession;
const dialog = page.getByRole('dialog', { name: 'Question' });
const own = page.getByRole('textbox', { name: 'Your own answer' });
const colour: Question = {
  question: 'Which <b>colour</b>?',
  options: [{ label: 'Red', description: 'As before' }, { label: 'Blue' }],
  multiple: false,
  custom: true,
};
const sizes: Question = {
  question: 'Which sizes?',
  header: 'Sizes',
  options: [{ label: 'S' }, { label: 'M' }, { label: 'L' }],
  multiple: true,
  custom: true,
};

beforeEach(() => {
  app = new FakeApp();
  app.space('w', 'space');
  session = app.add(new FakeSession('ses_a', 'w', 'A')) as FakeSession;
  session.user('m0', 'go');
  session.step('m1');
  session.call('m1', 'c1', 'question', {});
  session.call('m1', 'c2', 'bash', { command: 'npm test' });
});

function ask(...questions: Question[]): void {
  session.append({
    type: 'question.asked',
    messageID: 'm1',
    callID: 'c1',
    requestID: 'q1',
    tool: 'question',
    questions,
  });
}

async function armed(): Promise<void> {
  await expect.element(dialog).toHaveAttribute('data-armed', 'true');
}

/**
 * Presses the keys as soon as the dock is on the page, since real keys may take over half a second to arrive. Resolves
 * to whether the dock was armed after that.
 */
function pressOnceShown(...keys: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      const dock = document.querySelector<HTMLElement>('[data-request="q1"]');
      if (!dock) return;
      observer.disconnect();
      for (const key of keys)
        dock.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      resolve(dock.dataset['armed']);
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
}

function answers(): unknown[] {
  return session.calls.filter(([name]) => name === 'answerQuestion').map((call) => call.slice(1));
}

test('a number chooses, Enter answers; before half a second neither does', async () => {
  const early = pressOnceShown('2', 'Enter', 'Escape');
  ask(colour);
  await openPage(app, 'ses_a');
  await expect.element(dialog).toHaveTextContent('Which <b>colour</b>?');
  await expect.element(dialog).toHaveFocus();
  expect(await early).toBe('false');
  expect(answers()).toEqual([]);
  await expect.element(page.getByRole('radio', { name: 'Blue' })).not.toBeChecked();
  await armed();
  await userEvent.keyboard('2');
  await expect.element(page.getByRole('radio', { name: 'Blue' })).toBeChecked();
  await userEvent.keyboard('{Enter}');
  expect(answers()).toEqual([['q1', [['Blue']], 'person']]);
  await expect.element(dialog).not.toBeInTheDocument();
});

test('an own answer takes the place of the one option, and stands beside several', async () => {
  ask(colour, sizes);
  await openPage(app, 'ses_a');
  await armed();
  await expect.element(dialog).toHaveTextContent('1 of 2');
  await page.getByRole('radio', { name: 'Red' }).click();
  await own.fill(' Green ');
  await expect.element(page.getByRole('radio', { name: 'Red' })).not.toBeChecked();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).toHaveTextContent('2 of 2');
  await page.getByRole('checkbox', { name: 'L' }).click();
  await page.getByRole('checkbox', { name: 'S' }).click();
  await own.fill('XXL');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.element(own).toHaveValue(' Green ');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Submit' }).click();
  expect(answers()).toEqual([['q1', [['Green'], ['S', 'L', 'XXL']], 'person']]);
});

test('Escape dismisses only inside it, the button too', async () => {
  ask(colour);
  await openPage(app, 'ses_a');
  await armed();
  await expect.element(page.getByRole('button', { name: 'Submit' })).toBeDisabled();
  await page.getByRole('textbox', { name: 'Message' }).click();
  await userEvent.keyboard('{Escape}');
  expect(session.calls).toEqual([]);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  expect(answers()).toEqual([['q1', null, 'person']]);
});

test('what is being answered is not pushed aside by a permission that comes later', async () => {
  ask(colour);
  await openPage(app, 'ses_a');
  await armed();
  await own.fill('Gre');
  session.ask('m1', 'c2', 'r1');
  await expect.element(dialog).toHaveTextContent('1 more waiting');
  await expect.element(own).toHaveValue('Gre');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect.element(page.getByRole('alertdialog', { name: 'Permission required' })).toBeVisible();
});

test('a tab that only follows shows it and offers nothing', async () => {
  session.writable = false;
  ask(colour);
  await openPage(app, 'ses_a');
  await expect.element(dialog).toHaveTextContent('Answer this in the other tab.');
  await expect.element(page.getByRole('button', { name: 'Dismiss' })).not.toBeInTheDocument();
});
