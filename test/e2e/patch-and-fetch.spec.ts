import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer, calls, configure, dialog, openApp, readFile, script, send } from './app.ts';
import { expect, test } from './test.ts';

const PATCH = `*** Begin Patch
*** Update File: src/a.txt
*** Move to: src/b.txt
 one
-two
+2
*** Add File: notes.md
+# Notes
*** Delete File: old.txt
*** End Patch`;

async function serve(cors: boolean) {
  const server = createServer((_request, response) => {
    if (cors) response.setHeader('access-control-allow-origin', '*');
    response.setHeader('content-type', 'text/html');
    response.end('<title>Page</title><script>bad()</script><h1>Fetched</h1><p>with <b>care</b></p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  };
}

test('an agent fetches pages, with and without CORS, and patches several files at once', async ({ page }) => {
  const [open, closed] = [await serve(true), await serve(false)];
  await openApp(page);
  await configure(page, {
    provider: 'scripted',
    model: 'gpt-5-script',
    permission: { webfetch: 'allow' },
    script: {
      ...script(
        {
          tools: [
            { tool: 'webfetch', input: { url: open.url } },
            { tool: 'webfetch', input: { url: closed.url } },
          ],
        },
        { tools: [{ tool: 'apply_patch', input: { patchText: PATCH } }] },
        { text: 'All done.' },
      ),
      files: { 'src/a.txt': 'one\ntwo\n', 'old.txt': 'old\n' },
    },
  });
  await send(page, 'Fetch and patch');
  await expect(dialog(page)).toContainText('src/a.txt → src/b.txt');
  await expect(dialog(page)).toContainText('notes.md (new)');
  await expect(dialog(page)).toContainText('old.txt (removed)');
  const fetched = calls(page, 'webfetch');
  await expect(fetched.first()).toHaveAttribute('data-outcome', 'ok');
  await expect(fetched.last()).toHaveAttribute('data-outcome', 'failed');
  await expect(fetched.last()).toContainText('(CORS)');
  await fetched.first().getByRole('button').first().click();
  await expect(fetched.first()).toContainText('# Fetched');
  await expect(fetched.first()).not.toContainText('bad()');
  await answer(page, 'Allow once');
  const patch = calls(page, 'apply_patch');
  await expect(patch).toHaveAttribute('data-outcome', 'ok');
  await expect(patch).toContainText('src/a.txt → src/b.txt');
  await expect(page.getByRole('article').last()).toContainText('All done.');
  expect(await readFile(page, 'src/b.txt')).toBe('one\n2\n');
  expect(await readFile(page, 'notes.md')).toBe('# Notes\n');
  expect(await page.evaluate(() => window.vitrine.workspace.list())).toEqual(['notes.md', 'src/b.txt']);
  await Promise.all([open.close(), closed.close()]);
});
