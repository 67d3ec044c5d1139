import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page, Route } from '@playwright/test';
import type { Json } from '../../src/base/json.ts';
import {
  CassettePlayer,
  cassetteText,
  nothingIn,
  readCassette,
  type CassetteRequest,
  type Exchange,
} from './cassette.ts';
import type { SentBodies } from '../playwright/sent-bodies.ts';
import { holdsKey } from './key-in.ts';
import { projected, withoutKey } from './projection.ts';
import type { CassetteMode, Volatile } from './types.ts';

export interface CassetteOptions {
  readonly page: Page;
  readonly sent: SentBodies;
  readonly file: string;
  readonly mode: CassetteMode;
  /** Requests below this address are the model's. */
  readonly baseURL: string;
  readonly key: string;
  readonly volatile: readonly Volatile[];
}

/**
 * Records what goes to a provider and comes back, or answers from such a file. It stands where the browser sends requests,
 * so that the app's own code for the provider's protocol takes part in both.
 */
export class Cassette {
  readonly #options: CassetteOptions;
  readonly #player: CassettePlayer | null;
  readonly #recorded: Exchange[] = [];
  #unreached = 0;

  private constructor(options: CassetteOptions, player: CassettePlayer | null) {
    this.#options = options;
    this.#player = player;
  }

  /** Rejects where an answer is to be replayed that was never recorded. */
  static async open(options: CassetteOptions): Promise<Cassette> {
    const { file, mode, page, sent, baseURL } = options;
    const text = mode === 'record' ? undefined : await readFile(file, 'utf8').catch(missing);
    if (text === undefined && mode === 'replay')
      throw new Error(`There is no cassette ${file}. Record it: VITRINE_CASSETTES=record, with a key.`);
    const player = text === undefined ? null : new CassettePlayer(readCassette(text, file), file);
    const cassette = new Cassette(options, player);
    const below = baseURL.replace(/\/+$/, '');
    sent.watch(`${below}/`);
    await page.route(
      (url) => url.href.startsWith(`${below}/`),
      (route) => cassette.#handle(route, below),
    );
    return cassette;
  }

  get isReplayed(): boolean {
    return this.#player !== null;
  }

  /** Why the test is not the one that was recorded, if so. */
  problem(options: { readonly isOver: boolean }): string | undefined {
    return this.#player?.problem(options);
  }

  /** Writes what was recorded. To be called after a test that passed. Rejects if no answer of the model is in it. */
  async save(): Promise<void> {
    if (this.#player) return;
    const { file, key } = this.#options;
    const nothing = nothingIn(this.#recorded, this.#unreached, file);
    if (nothing !== undefined) throw new Error(nothing);
    const isTold = ({ request, answer }: Exchange) =>
      holdsKey(JSON.stringify(request), key) || holdsKey(answer.body, key);
    if (this.#recorded.some(isTold))
      throw new Error(
        `The model has repeated the key, which would stand in ${file}: nothing was written. Let the test say nothing of it.`,
      );
    const text = cassetteText(this.#recorded);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  async #handle(route: Route, below: string): Promise<void> {
    const request = route.request();
    const { key, sent, volatile } = this.#options;
    const { url, body } = sent.read(request);
    const asked: CassetteRequest = {
      path: withoutKey(
        `${request.method()} ${new URL(url).pathname.slice(new URL(below).pathname.length)}`,
        key,
      ),
      body: projected(parsed(body), key, volatile),
    };
    if (this.#player) return answer(route, this.#player.answer(asked));
    const response = await route
      .fetch({ url, ...(body !== '' && { postData: body }) })
      .catch(() => undefined);
    if (!response) {
      // The app says itself that the provider could not be reached.
      this.#unreached++;
      return route.abort('connectionfailed');
    }
    const text = await response.text();
    this.#recorded.push({
      request: asked,
      answer: {
        status: response.status(),
        contentType: response.headers()['content-type'] ?? '',
        body: withoutKey(text, key),
      },
    });
    await route.fulfill({ response, body: text });
  }
}

async function answer(route: Route, recorded: Exchange['answer'] | undefined): Promise<void> {
  const headers = { 'access-control-allow-origin': '*' };
  if (recorded) {
    const { status, contentType, body } = recorded;
    return route.fulfill({ status, contentType, body, headers });
  }
  // A refusal that is not tried again; the test says the reason.
  const error = { error: { message: 'This request was not recorded.', type: 'invalid_request_error' } };
  return route.fulfill({ status: 400, headers, json: error });
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
