import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApp } from '../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../test/support/stories/fake-session.ts';
import { openPage, phone } from '../../test/support/stories/open-page.ts';

let app: FakeApp;
let session: FakeSession;
const composer = page.getByRole('textbox', { name: 'Message' });
const send = page.getByRole('button', { name: 'Send' });
const stop = page.getByRole('button', { name: 'Stop' });
const sessions = page.getByRole('navigation', { name: 'Sessions' });
const MODEL = { model: { provider: 'openai', model: 'gpt-5' } };

beforeEach(() => {
  app = new FakeApp();
  app.space('w', 'csv-totals');
  session = app.add(new FakeSession('ses_a', 'w', 'First')) as FakeSession;
});

describe('the composer', () => {
  test('sends with Enter, takes a new line with Shift+Enter', async () => {
    await openPage(app, 'ses_a');
    await expect.element(send).toBeDisabled();
    await composer.click();
    await userEvent.keyboard('one{Shift>}{Enter}{/Shift}two{Enter}');
    expect(session.calls).toEqual([['prompt', 'one\ntwo', MODEL]]);
    await expect.element(composer).toHaveValue('');
    await expect.element(page.getByRole('article', { name: 'You' })).toHaveTextContent('one two');
  });

  test('Stop is there while a turn runs, and a message can be sent meanwhile', async () => {
    await openPage(app, 'ses_a');
    await expect.element(stop).not.toBeInTheDocument();
    session.user('m0', 'go');
    await expect.element(stop).toBeVisible();
    await composer.fill('also this');
    await send.click();
    await expect
      .element(page.getByRole('region', { name: 'Queued messages' }))
      .toHaveTextContent('also this');
    await session.gap();
    expect(session.calls).toContainEqual(['prompt', 'also this', MODEL]);
    await expect.element(page.getByRole('region', { name: 'Queued messages' })).not.toBeInTheDocument();
    await stop.click();
    expect(session.calls).toContainEqual(['abort']);
    session.turnEnd('aborted');
    await expect.element(stop).not.toBeInTheDocument();
    await expect.element(page.getByText('This turn was stopped.')).toBeVisible();
  });

  test('a message that was not accepted stays in the box', async () => {
    session.prompt = () => Promise.reject(new Error('Storage is full.'));
    await openPage(app, 'ses_a');
    await composer.fill('precious words');
    await send.click();
    await expect.element(page.getByText('Storage is full.')).toBeVisible();
    await expect.element(composer).toHaveValue('precious words');
  });

  test('what is typed is kept per session', async () => {
    app.add(new FakeSession('ses_b', 'w', 'Second'));
    await openPage(app, 'ses_a');
    await composer.fill('for the first');
    await sessions.getByRole('link', { name: /Second/ }).click();
    await expect.element(composer).toHaveValue('');
    await sessions.getByRole('link', { name: /First/ }).click();
    await expect.element(composer).toHaveValue('for the first');
  });

  test.each([
    { shown: 'a session', opened: 'ses_a' },
    { shown: 'no session', opened: undefined },
  ])('what is typed while a new session opens is for that one, with $shown before', async ({ opened }) => {
    const create = app.sessions.create;
    let go = (): void => undefined;
    const may = new Promise<void>((resolve) => (go = resolve));
    app.sessions.create = async (options) => (await may, create(options));
    await openPage(app, opened);
    await page.getByRole('button', { name: 'New session' }).click();
    await composer.fill('for the new one');
    go();
    await expect.poll(() => location.hash).toBe('#/session/ses_1');
    await expect.element(composer).toHaveValue('for the new one');
    await sessions.getByRole('link', { name: /First/ }).click();
    await expect.element(composer).toHaveValue('');
  });

  test('without a model it opens the settings and keeps the text', async () => {
    app.modelChoice = null;
    await openPage(app, 'ses_a');
    await composer.fill('hello');
    await send.click();
    await expect.element(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
    expect(session.calls).toEqual([]);
    await userEvent.keyboard('{Escape}');
    await expect.element(composer).toHaveValue('hello');
  });

  test('the first message makes a session', async () => {
    await openPage(app);
    await composer.fill('start here');
    await send.click();
    await expect.poll(() => app.all[1]?.calls).toEqual([['prompt', 'start here', MODEL]]);
    expect(location.hash).toBe('#/session/ses_1');
  });
});

describe('sessions', () => {
  test('are links under their workspace, and the address names the open one', async () => {
    app.add(new FakeSession('ses_b', 'w', 'Second'));
    await openPage(app, 'ses_a');
    const link = sessions.getByRole('link', { name: /Second/ });
    await link.click();
    await expect.element(link).toHaveAttribute('aria-current', 'page');
    expect(location.hash).toBe('#/session/ses_b');
    await expect.element(page.getByRole('heading', { name: 'Second' })).toBeVisible();
  });

  test('an address that changes while another is opened is the one that counts', async () => {
    app.add(new FakeSession('ses_b', 'w', 'Second'));
    const stores = await openPage(app, 'ses_a');
    history.replaceState(null, '', '#/session/ses_b');
    const opening = stores.view.openAddress(location.hash);
    location.hash = '#/session/ses_a';
    await opening;
    // The event for the changed address comes after the opening.
    await new Promise((resolve) => setTimeout(resolve));
    expect(location.hash).toBe('#/session/ses_a');
    await expect.element(page.getByRole('heading', { name: 'First' })).toBeVisible();
  });

  test('New session stays in the workspace', async () => {
    app.space('w2', 'other');
    await openPage(app, 'ses_a');
    await page.getByRole('button', { name: 'New session' }).click();
    await expect.poll(() => app.all.length).toBe(2);
    expect(app.all[1]?.state.workspaceID).toBe('w');
  });

  test('are renamed and kept through their menu', async () => {
    await openPage(app, 'ses_a');
    const menu = sessions.getByRole('listitem').getByRole('button', { name: 'Actions' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'New name' }).fill('Better');
    await userEvent.keyboard('{Enter}');
    await expect.element(sessions.getByRole('link', { name: /Better/ })).toBeVisible();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Keep long outputs' }).click();
    await expect.poll(() => session.state.keep).toBe(true);
  });

  test('a deleted one can be brought back', async () => {
    await openPage(app, 'ses_a');
    await sessions.getByRole('listitem').getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect.element(sessions.getByRole('link', { name: /First/ })).not.toBeInTheDocument();
    expect(location.hash).toBe('');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.element(sessions.getByRole('link', { name: /First/ })).toBeVisible();
  });

  test('are found by their words', async () => {
    app.add(new FakeSession('ses_b', 'w', 'Second'));
    await openPage(app, 'ses_a');
    await page.getByRole('searchbox', { name: 'Search sessions' }).fill('second');
    await expect.element(sessions.getByText('… second …')).toBeVisible();
    await expect.element(sessions.getByRole('link', { name: /First/ })).not.toBeInTheDocument();
  });

  test('are not found once their workspace is removed', async () => {
    app.space('v', 'old-notes');
    app.add(new FakeSession('ses_b', 'v', 'Second of old'));
    app.add(new FakeSession('ses_c', 'w', 'Second of new'));
    await openPage(app, 'ses_a');
    await page.getByRole('searchbox', { name: 'Search sessions' }).fill('second');
    const old = sessions.getByRole('link', { name: /Second of old/ });
    await expect.element(old).toBeVisible();
    app.spaces.pop();
    app.changes.emit();
    await expect.element(old).not.toBeInTheDocument();
    await expect.element(sessions.getByRole('link', { name: /Second of new/ })).toBeVisible();
  });

  test('hostile titles are text', async () => {
    app.add(new FakeSession('ses_b', 'w', '<img src=x onerror=hit()>'));
    await openPage(app, 'ses_b');
    await expect.element(sessions.getByText('<img src=x onerror=hit()>')).toBeVisible();
    expect(document.querySelector('nav img, header img')).toBeNull();
  });
});

test('with nothing there yet it offers a demo that needs no key', async () => {
  app.all.length = 0;
  app.modelChoice = null;
  await openPage(app);
  const demo = page.getByRole('button', { name: 'Watch a demo' });
  (demo.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => location.hash).toBe('#/session/ses_demo');
  expect(app.calls).toContainEqual(['startDemo']);
  await expect.poll(() => document.activeElement?.tagName).toBe('MAIN');
});

test('the status says which workspace runs', async () => {
  await openPage(app, 'ses_a');
  const status = page.getByRole('status', { name: 'Workspace' });
  await expect.element(status).toHaveTextContent('Memory · test shell');
});

test('the workbench shows Files and Terminal', async () => {
  await openPage(app, 'ses_a');
  const files = page.getByRole('tab', { name: 'Files' });
  await expect.element(files).toHaveAttribute('aria-selected', 'true');
  await expect.element(page.getByRole('tabpanel', { name: 'Files' })).toBeVisible();
  await page.getByRole('tab', { name: 'Terminal' }).click();
  await expect.element(page.getByRole('tabpanel', { name: 'Terminal' })).toBeVisible();
  await expect.element(page.getByRole('tabpanel', { name: 'Files' })).not.toBeInTheDocument();
});

test('a tab that only follows says so and can take over', async () => {
  session.writable = false;
  await openPage(app, 'ses_a');
  await expect.element(composer).toHaveAttribute('readonly');
  await page.getByRole('button', { name: 'Take over' }).click();
  expect(app.calls).toContainEqual(['takeOver', 'w']);
  await expect.element(composer).not.toHaveAttribute('readonly');
});

test('a problem of storage is told until it is mended', async () => {
  await openPage(app, 'ses_a');
  app.fault = { code: 'storage-full', what: 'The disk is full.', next: 'Delete sessions.' };
  app.changes.emit();
  await expect.element(page.getByText('The disk is full.')).toBeVisible();
  app.fault = null;
  app.changes.emit();
  await expect.element(page.getByText('The disk is full.')).not.toBeInTheDocument();
});

describe('keys', () => {
  test('reach the commands', async () => {
    await openPage(app, 'ses_a');
    await userEvent.keyboard('{Control>},{/Control}');
    await expect.element(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('dialog', { name: 'Settings' })).not.toBeInTheDocument();
    await userEvent.keyboard('{Control>}b{/Control}');
    await expect.element(sessions).not.toBeInTheDocument();
    await userEvent.keyboard('{Shift>}{Escape}{/Shift}');
    await expect.element(composer).toHaveFocus();
  });

  test('the first Tab offers the way to the message box', async () => {
    await openPage(app, 'ses_a');
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await expect.element(composer).toHaveFocus();
    expect(location.hash).toBe('#/session/ses_a');
  });
});

describe('on a phone', () => {
  test('one column, with tabs at the bottom', async () => {
    await openPage(app, 'ses_a', { size: phone });
    await expect.element(composer).toBeVisible();
    await expect.element(sessions).not.toBeInTheDocument();
    await page.getByRole('tab', { name: 'Files' }).click();
    await expect.element(page.getByRole('tabpanel', { name: 'Files' })).toBeVisible();
    await expect.element(composer).not.toBeInTheDocument();
    await page.getByRole('tab', { name: 'Sessions' }).click();
    await sessions.getByRole('link', { name: /First/ }).click();
    await expect.element(composer).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(phone.width);
  });

  test('what is pressed is 40 px high, in the dock too', async () => {
    session.user('m0', 'go');
    session.step('m1');
    session.call('m1', 'c1', 'bash', { command: 'ls' });
    session.ask('m1', 'c1', 'r1');
    await openPage(app, 'ses_a', { size: phone });
    await expect.element(page.getByRole('button', { name: /^Leave out/ })).toBeVisible();
    const small = () =>
      [...document.querySelectorAll('button')]
        .filter((button) => button.checkVisibility() && button.getBoundingClientRect().height < 40)
        .map((button) => button.getAttribute('aria-label') ?? button.textContent?.trim());
    // Styles of panels that load late arrive later still.
    await expect.poll(small).toEqual([]);
  });
});
