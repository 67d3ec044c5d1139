import { readFile } from 'node:fs/promises';
import type { Page, Route } from '@playwright/test';
import { readAimock } from './fixtures.ts';
import { AimockPlayer } from './player.ts';
import { chatStream } from './stream.ts';

/** An address that no server has: every request to it is answered by fixtures. */
export const AIMOCK_URL = 'http://127.0.0.1:9/aimock/v1';

/** Answers the requests of a page to {@link AIMOCK_URL} by a fixture file, where the browser sends them. */
export async function routeAimock(page: Page, file: string): Promise<AimockPlayer> {
  const player = new AimockPlayer(readAimock(await readFile(file, 'utf8'), file), file);
  let requests = 0;
  await page.route(
    (url) => url.href.startsWith(`${AIMOCK_URL}/`),
    (route) => answer(route, player, requests++),
  );
  return player;
}

function answer(route: Route, player: AimockPlayer, request: number): Promise<void> {
  const headers = { 'access-control-allow-origin': '*' };
  const response = player.answer(route.request().postDataJSON());
  if (!response) {
    // A refusal that is not tried again; the test says the reason.
    const error = { error: { message: 'No fixture fits this request.', type: 'invalid_request_error' } };
    return route.fulfill({ status: 400, headers, json: error });
  }
  if ('error' in response)
    return route.fulfill({ status: response.status, headers, json: { error: response.error } });
  return route.fulfill({ headers, contentType: 'text/event-stream', body: chatStream(response, request) });
}
