import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';

let app: FakeApp;
beforeEach(() => {
  app = new FakeApp();
  app.space('w', 'space');
  const session = app.add(new FakeSession('ses_a', 'w', 'A'));
  session.user('m0', 'Please look at the totals');
  session.step('m1');
  session.call('m1', 'c1', 'bash', { command: 'npm test' });
  const usage = { inputTokens: 8200, outputTokens: 410 };
  session.append({
    type: 'step.part',
    messageID: 'm1',
    part: { type: 'finish', reason: 'tool-calls', usage },
  });
  session.ask('m1', 'c1', 'r1');
  session.wait(60_000);
  session.answer('r1', { reply: 'once' }, 'person');
  session.running('m1', 'c1', 'bash', { command: 'npm test' });
  session.wait(200);
  session.ended('m1', 'c1', 'ok');
  session.stepEnd('m1');
  session.turnEnd();
});

async function openInspector(size: 'normal' | 'largest') {
  const { look, layout } = await openPage(app, 'ses_a', { size: { width: 360, height: 740 } });
  look.set('text-size', size);
  layout.show('inspector');
  const turn = page.getByRole('treeitem', { name: /^Turn 1/ });
  await expect.element(turn).toBeVisible();
  return turn;
}

for (const size of ['normal', 'largest'] as const)
  test(`the line of a turn that waited for an answer keeps its name, prompt and time (text: ${size})`, async () => {
    const turn = await openInspector(size);
    const row = turn.element();
    const parts = ['.label', '.prompt', '.time'].map((name) => row.querySelector(name)!);
    const [label, prompt, time] = parts.map((part) => part.getBoundingClientRect());
    expect(parts[0]!.scrollWidth).toBeLessThanOrEqual(parts[0]!.clientWidth + 1);
    expect(label!.width).toBeGreaterThan(30);
    expect(prompt!.width).toBeGreaterThan(100);
    expect(time!.right).toBeLessThanOrEqual(row.getBoundingClientRect().right);
    // Who listens hears how long it waited, too.
    expect(row.textContent).toContain('waiting for an answer');
  });

test('what says that the past is shown has the width of the page', async () => {
  await openInspector('normal');
  await page.getByRole('button', { name: 'One event back' }).click();
  await page.getByRole('tab', { name: 'Chat', exact: true }).click();
  const past = page.getByRole('region', { name: 'You are looking at the past.' });
  await expect.element(past).toBeVisible();
  const said = past.getByText('You are looking at the past.').element().closest('span')!;
  expect(said.getBoundingClientRect().width).toBeGreaterThan(250);
});
