import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../test/support/stories/open-page.ts';
import type { EndedCall } from '../../tools/hooks.ts';

function ended(app: FakeApp, call: Partial<EndedCall>, output: string): void {
  const whole = {
    ...{ tool: 'bash', sessionID: 's', messageID: 'm', callID: 'c', agent: 'build', args: {} },
    ...{ outcome: 'ok' as const, durationMs: 12, ...call },
  };
  void app.toolLog.hooks['tool.execute.after']?.(whole, { title: '', output, metadata: {} });
}

test('the log shows calls as they end, and can be filtered and cleared', async () => {
  const app = new FakeApp();
  app.space('w', 'space');
  app.add(new FakeSession('ses_a', 'w', 'A'));
  await openPage(app, 'ses_a');
  await page.getByRole('tab', { name: 'Log' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Log' });
  await expect.element(panel.getByText('Nothing has been called')).toBeVisible();

  app.toolLog.started('bash', 40);
  ended(app, { args: { command: 'npm test' } }, 'All <b>passed</b>');
  ended(app, { tool: 'webfetch', outcome: 'failed', faultCode: 'timeout' }, 'No answer');
  const calls = panel.getByRole('list', { name: 'Calls' });
  await expect.element(calls.getByText('timed out')).toBeVisible();
  await expect.element(panel.getByRole('row', { name: /^bash 1 40 ms, 40 ms 12 ms 12 ms/ })).toBeVisible();

  await panel.getByRole('searchbox').fill('npm');
  await expect.poll(() => calls.getByRole('listitem').elements().length).toBe(1);
  await calls.getByText('tool.bash').click();
  await expect.element(calls.getByText('All <b>passed</b>')).toBeVisible();
  await panel.getByRole('searchbox').fill('nonsense');
  await expect.element(panel.getByText('Nothing fits this filter.')).toBeVisible();
  await panel.getByRole('button', { name: 'Clear' }).click();
  expect(app.toolLog.records()).toEqual([]);
});
