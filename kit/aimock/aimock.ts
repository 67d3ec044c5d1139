import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Page, Route } from '@playwright/test';
import type { SentBodies } from '../playwright/sent-bodies.ts';
import { readAimock, type AimockFixture } from './fixtures.ts';
import { AimockPlayer } from './player.ts';
import { chatStream } from './stream.ts';

/** An address that no server has: every request to it is answered by fixtures. Firefox lets no request go to unusual ports. */
export const AIMOCK_URL = 'http://aimock.invalid/v1';

/** Answers the requests of a page to {@link AIMOCK_URL} by fixtures of a file or folder, where the browser sends them. */
export async function routeAimock(
  page: Page,
  sent: SentBodies,
  source: string,
  context?: string,
): Promise<AimockPlayer> {
  const player = new AimockPlayer(await readAll(source), source, context);
  let requests = 0;
  sent.watch(`${AIMOCK_URL}/`);
  await page.route(
    (url) => url.href.startsWith(`${AIMOCK_URL}/`),
    (route) => answer(route, sent, player, requests++),
  );
  return player;
}

/** Reads a file, or a folder in aimock's order: its files by name, then its folders. */
async function readAll(source: string): Promise<readonly AimockFixture[]> {
  const about = await stat(source).catch(() => {
    throw new Error(
      `There is no file and no folder ${path.resolve(source)}. Paths of aimock's fixtures are relative to the working directory.`,
    );
  });
  if (!about.isDirectory()) return readAimock(await readFile(source, 'utf8'), source);
  const entries = await readdir(source, { withFileTypes: true });
  const namesOf = (wanted: typeof entries) => wanted.map(({ name }) => path.join(source, name)).toSorted();
  const files = namesOf(entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json')));
  const folders = namesOf(entries.filter((entry) => entry.isDirectory()));
  const all = [];
  for (const each of [...files, ...folders]) all.push(...(await readAll(each)));
  return all;
}

function answer(route: Route, sent: SentBodies, player: AimockPlayer, request: number): Promise<void> {
  const headers = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'retry-after' };
  const response = player.answer(JSON.parse(sent.read(route.request()).body));
  if (!response) {
    // A refusal that is not tried again; the test says the reason.
    const error = { error: { message: 'No fixture fits this request.', type: 'invalid_request_error' } };
    return route.fulfill({ status: 400, headers, json: error });
  }
  if (!('error' in response))
    return route.fulfill({ headers, contentType: 'text/event-stream', body: chatStream(response, request) });
  const { status, error, retryAfter = 1 } = response;
  const wait = status === 429 ? { 'retry-after': String(retryAfter) } : {};
  return route.fulfill({ status, headers: { ...headers, ...wait }, json: { error } });
}
