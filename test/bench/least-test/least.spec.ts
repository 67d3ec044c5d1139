import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';

/** The least that a test of Playwright does: it opens a page of a few bytes and clicks once. */
const PAGE = '<!doctype html><button onclick="this.textContent = \'Done\'">Go</button>';

let server: Server;
let url: string;

test.beforeAll(async () => {
  server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(PAGE));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.afterAll(() => server.close());

for (let number = 1; number <= 20; number++)
  test(`a page is opened and clicked, ${number}`, async ({ page }) => {
    await page.goto(url);
    await page.getByRole('button').click();
    await expect(page.getByRole('button')).toHaveText('Done');
  });
