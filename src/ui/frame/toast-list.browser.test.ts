import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../test/support/stories/open-page.ts';

let app: FakeApp;
let session: FakeSession;
beforeEach(() => {
  app = new FakeApp();
  app.space('w', 'space');
  session = app.add(new FakeSession('ses_a', 'w', 'A'));
  session.user('m0', 'go');
  session.step('m1');
  session.call('m1', 'c1', 'bash', { command: 'npm test' });
});

/** The controls in view whose middle is under something else. */
const covered = () =>
  [...document.querySelectorAll('button, a, input, textarea, [role="tab"]')]
    .filter((control) => {
      const { x, y, width, height } = control.getBoundingClientRect();
      const there = document.elementFromPoint(x + width / 2, y + height / 2);
      return width > 1 && there?.closest('.toast') && !control.closest('.toast');
    })
    .map((control) => control.outerHTML.slice(0, 80));

const screens = {
  phone: { width: 360, height: 740 },
  lying: { width: 740, height: 360 },
  'wide and low': { width: 900, height: 400 },
};

for (const [screen, size] of Object.entries(screens))
  test(`notices cover no control of any pane (${screen})`, async () => {
    const command = 'echo a && '.repeat(100);
    session.ask('m1', 'c1', 'r1', { subject: { kind: 'command', command }, always: ['echo *'] });
    const { toasts, layout } = await openPage(app, 'ses_a', { size });
    const request = page.getByRole('alertdialog', { name: 'Permission required' });
    const allow = page.getByRole('button', { name: 'Allow once' });
    const box = page.getByRole('textbox', { name: 'Message' });
    await expect.element(allow).toBeEnabled();
    // On a low screen the message box is below the request, and scrolls into view.
    const pressed = size.height > 600 ? [allow, box] : [allow];
    const places = () => pressed.map((each) => Math.round(each.element().getBoundingClientRect().bottom));
    if (size.height > 600) await expect.element(box).toBeInViewport({ ratio: 1 });
    const before = places();
    toasts.show('2 messages are undone, and 3 files are as they were.', { lasting: true, undo: () => {} });
    const notice = page.getByText('2 messages are undone');
    await expect.element(notice).toBeInViewport({ ratio: 1 });
    const { bottom } = notice.element().closest('.toast')!.getBoundingClientRect();
    expect(request.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(bottom);
    // What is pressed stays where it is.
    expect(places()).toEqual(before);
    for (const pane of ['sessions', 'chat', 'files'] as const) {
      layout.show(pane);
      await expect.poll(covered, { message: pane }).toEqual([]);
    }
  });
