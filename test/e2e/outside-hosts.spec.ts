import { webHost } from '../support/web-host/server.ts';
import { calls, openApp, openSettings, script, send, useScript } from './app.ts';
import { expect, expectPolicyCheck, test } from './test.ts';

test('a host that is named in the settings is reached by programs, under the policies of the built app', async ({
  page,
  complaints,
}) => {
  const [named, other] = await Promise.all([webHost(), webHost()]);
  expectPolicyCheck(complaints);
  await openApp(page);
  const ask = (url: string) => ({ tool: 'bash', input: { command: `curl -sS ${url}`, description: 'Ask' } });
  const to = `'http://${named.host}/to?url=${encodeURIComponent(`http://${other.host}/secret`)}'`;
  const once = script({ tools: [ask(`http://${named.host}/a`), ask(to)] }, { text: 'Done.' });
  await useScript(page, { ...once, turns: [...once.turns, ...once.turns] }, { bash: 'allow' });
  await send(page, 'Before');
  await expect(calls(page, 'bash')).toHaveCount(2);
  await expect(page.getByRole('article').last()).toContainText('Done.');
  await expect(calls(page, 'bash').first()).toContainText('Failed to connect');

  await openSettings(page, 'Tools and servers');
  const field = page.getByRole('textbox', { name: 'Hosts that programs may reach' });
  await field.fill(new URL(page.url()).host);
  await field.blur();
  await expect(page.getByRole('alert').filter({ hasText: 'Vitrine itself' })).toBeVisible();
  await field.fill(named.host);
  await field.blur();
  await expect(field).toHaveAttribute('aria-invalid', 'false');
  await page.keyboard.press('Escape');

  await send(page, 'After');
  await expect(calls(page, 'bash')).toHaveCount(4);
  await expect(page.getByRole('article').last()).toContainText('Done.');
  await expect(calls(page, 'bash').nth(2)).toContainText('"pathname":"/a"');
  await expect(calls(page, 'bash').nth(3)).toContainText('redirects to a host that is not among');
  expect(await (await fetch(`http://${other.host}/hits`)).json()).toEqual([]);
  await Promise.all([named.close(), other.close()]);
});
