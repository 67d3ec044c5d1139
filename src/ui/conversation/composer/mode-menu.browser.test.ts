import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage, phone } from '../../../../test/support/stories/open-page.ts';

let app: FakeApp;
let session: FakeSession;
const trigger = page.getByRole('button', { name: /^Mode: / });
const item = (name: RegExp) => page.getByRole('menuitemradio', { name });
const composer = page.getByRole('textbox', { name: 'Message' });

beforeEach(() => {
  app = new FakeApp();
  app.space('w', 'space');
  session = app.add(new FakeSession('ses_a', 'w', 'A')) as FakeSession;
});

test('a mode is chosen from the menu, each with what it means, and the keyboard is back at the message', async () => {
  await openPage(app, 'ses_a');
  await expect.element(trigger).toHaveAccessibleName('Mode: Ask first');
  await trigger.click();
  await expect.element(item(/^Ask/)).toHaveAttribute('aria-checked', 'true');
  await item(/^Auto-edit Changes files without asking/).click();
  expect(session.calls).toEqual([['setMode', 'auto-edit']]);
  await expect.element(trigger).toHaveAccessibleName('Mode: Auto-edit');
  await expect.element(composer).toHaveFocus();
});

test('by keys alone, from the message box; Shift+Tab still goes back', async () => {
  await openPage(app, 'ses_a');
  await composer.click();
  await userEvent.keyboard('{Control>}{Shift>}e{/Shift}{/Control}');
  await expect.element(item(/^Ask/)).toBeVisible();
  await userEvent.keyboard('plan{Enter}');
  await expect.element(trigger).toHaveAccessibleName('Mode: Plan');
  await expect.element(composer).toHaveFocus();
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
  await expect.element(composer).not.toHaveFocus();
  await expect.element(trigger).toHaveAccessibleName('Mode: Plan');
});

test('bypass says plainly that nothing is asked', async () => {
  session.append({ type: 'mode.set', mode: 'bypass' });
  await openPage(app, 'ses_a');
  await expect.element(trigger).toHaveTextContent('Bypass: nothing is asked');
  await page.viewport(phone.width, phone.height);
  await expect.element(trigger).toHaveTextContent('Bypass');
  const send = page.getByRole('button', { name: 'Send' }).element().getBoundingClientRect();
  expect(send.right).toBeLessThanOrEqual(phone.width);
  const { left, right } = trigger.element().getBoundingClientRect();
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(phone.width);
});

test('beside both other panes in a small window, every control of the message box is in view', async () => {
  session.append({ type: 'mode.set', mode: 'bypass' });
  await openPage(app, 'ses_a', { size: { width: 768, height: 1024 } });
  const form = composer.element().closest('form')!;
  const buttons = [...form.querySelectorAll('button')];
  expect(buttons.length).toBeGreaterThan(3);
  const { left, right } = form.getBoundingClientRect();
  for (const button of buttons) {
    const box = button.getBoundingClientRect();
    expect(box.left, button.textContent).toBeGreaterThanOrEqual(left);
    expect(box.right, button.textContent).toBeLessThanOrEqual(right);
  }
});

test('a tab that only follows shows the mode and cannot change it', async () => {
  session.writable = false;
  session.append({ type: 'mode.set', mode: 'plan' });
  await openPage(app, 'ses_a');
  await expect.element(trigger).toHaveAccessibleName('Mode: Plan');
  await expect.element(trigger).toBeDisabled();
});

test('choosing the planning agent is choosing its mode, and leaving it brings back the one before', async () => {
  session.append({ type: 'mode.set', mode: 'auto-edit' }, { type: 'agent.chosen', agent: 'plan' });
  await openPage(app, 'ses_a');
  await expect.element(trigger).toHaveAccessibleName('Mode: Plan');
  session.append({ type: 'agent.chosen', agent: 'build' });
  await expect.element(trigger).toHaveAccessibleName('Mode: Auto-edit');
});

test('the mode of a session that the first message begins is chosen before', async () => {
  const stores = await openPage(app);
  expect(stores.view.session).toBeNull();
  await expect.element(trigger).toHaveAccessibleName('Mode: Ask first');
  await trigger.click();
  await item(/^Plan/).click();
  await expect.element(trigger).toHaveAccessibleName('Mode: Plan');
  await composer.fill('Look around');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => (app.all.at(-1) as FakeSession).calls.map(([name]) => name)).toContain('prompt');
  const begun = app.all.at(-1) as FakeSession;
  expect(begun).not.toBe(session);
  expect(begun.calls.map(([name, value]) => [name, value]).slice(0, 2)).toEqual([
    ['setMode', 'plan'],
    ['prompt', 'Look around'],
  ]);
  expect(stores.view.beginning.mode).toBe('ask');
});

test('where the mode cannot be set the first message is not sent', async () => {
  const stores = await openPage(app);
  await stores.view.beginning.setMode('plan');
  const create = app.sessions.create;
  Object.assign(app.sessions, {
    create: async (options: Parameters<typeof create>[0]) => {
      const made = await create(options);
      return Object.assign(made, { setMode: () => Promise.reject(new Error('It is stuck.')) });
    },
  });
  await composer.fill('Look around');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('It is stuck.')).toBeVisible();
  await expect.element(composer).toHaveValue('Look around');
  expect((app.all.at(-1) as FakeSession).calls).toEqual([]);
  expect(stores.view.beginning.mode).toBe('plan');
});

test('what is chosen and typed before the first session goes along to it by the button too', async () => {
  const stores = await openPage(app);
  const agent = page.getByRole('button', { name: /^Agent: / });
  await agent.click();
  await page.getByRole('menuitemradio', { name: /^Plan/ }).click();
  await expect.element(trigger).toHaveAccessibleName('Mode: Plan');
  await agent.click();
  await page.getByRole('menuitemradio', { name: /^Build/ }).click();
  await expect.element(trigger).toHaveAccessibleName('Mode: Ask first');
  await trigger.click();
  await item(/^Auto-edit/).click();
  await composer.fill('Half a thought');
  await page.getByRole('button', { name: 'New session' }).click();
  await expect.poll(() => stores.view.session?.id).toBeDefined();
  const begun = app.all.at(-1) as FakeSession;
  expect(begun).not.toBe(session);
  await expect.poll(() => begun.calls).toEqual([['setMode', 'auto-edit']]);
  await expect.element(composer).toHaveValue('Half a thought');
  expect(stores.view.beginning.mode).toBe('ask');
});

test('an agent chosen before the first session is its agent', async () => {
  await openPage(app);
  await page.getByRole('button', { name: /^Agent: / }).click();
  await page.getByRole('menuitemradio', { name: /^Plan/ }).click();
  await composer.fill('Look around');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => (app.all.at(-1) as FakeSession).calls.map(([name]) => name)).toContain('prompt');
  expect((app.all.at(-1) as FakeSession).calls.map(([name, value]) => [name, value]).slice(0, 1)).toEqual([
    ['chooseAgent', 'plan'],
  ]);
});
