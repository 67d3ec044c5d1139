import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../test/support/stories/open-page.ts';

let app: FakeApp;
let session: FakeSession;
const status = page.getByRole('group', { name: 'Trying again' });
const fault = { code: 'overloaded', what: 'The model is overloaded.', retryable: true };

beforeEach(async () => {
  app = new FakeApp();
  app.space('w', 'space');
  session = app.add(new FakeSession('ses_a', 'w', 'A')) as FakeSession;
  session.user('m0', 'go');
  session.step('m1');
  session.append(
    { type: 'step.ended', messageID: 'm1', reason: 'error', usage: {}, fault },
    { type: 'step.waiting', messageID: 'm1', attempt: 2, delay: 62_000 },
  );
});

test('why it waits, how long still, and which try it is', async () => {
  await openPage(app, 'ses_a');
  await expect.element(page.getByRole('article').last()).toHaveTextContent(fault.what);
  await expect.element(status).toHaveTextContent('try 3 of 8');
  await expect.element(status).toHaveTextContent('Trying again in 1:');
  // The countdown runs without any event.
  await expect.element(status, { timeout: 5_000 }).toHaveTextContent('Trying again in 59 s');
  await expect
    .element(page.getByText(`${fault.what} Trying again in 1:02 min.`, { exact: true }))
    .toBeInTheDocument();
});

test('it can be tried now or cancelled, and is gone with the next step', async () => {
  await openPage(app, 'ses_a');
  await page.getByRole('button', { name: 'Try now' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(session.calls).toEqual([['retryNow'], ['abort']]);
  session.step('m2');
  await expect.element(status).not.toBeInTheDocument();
});

test('a tab that only follows sees it and offers nothing', async () => {
  session.writable = false;
  await openPage(app, 'ses_a');
  await expect.element(status).toHaveTextContent('Trying again in 1:');
  await expect.element(page.getByRole('button', { name: 'Try now' })).not.toBeInTheDocument();
});
