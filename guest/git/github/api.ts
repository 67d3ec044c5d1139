import { GITHUB_TOKEN_HEADER } from '../../../src/protocol/exchange.ts';
import type { ProgramCall } from '../../shell/program.ts';
import { joined } from '../../shell/kit/io.ts';
import { asText, utf8 } from '../kit/bytes.ts';
import { Fatal } from '../kit/fatal.ts';
import type { GitHubName } from './address.ts';
import { objectOf, type Json } from './json.ts';

const API = 'https://api.github.com';
const RAW = 'https://raw.githubusercontent.com';

export type Access = 'read' | 'write';

export interface Answer {
  readonly status: number;
  header(name: string): string | undefined;
  readonly bytes: Uint8Array;
}

export interface Asking {
  readonly method?: string;
  readonly body?: Json;
}

/** One repository, as GitHub's REST API answers about it. */
export class Api {
  readonly repository: GitHubName;
  readonly #fetch: ProgramCall['fetch'];
  #access: Access | undefined;
  /** Why no token was added when one was asked for. */
  #refusal: string | undefined;

  constructor(repository: GitHubName, fetch: ProgramCall['fetch']) {
    this.repository = repository;
    this.#fetch = fetch;
  }

  get url(): string {
    return `https://github.com/${this.repository.owner}/${this.repository.name}`;
  }

  /** From here on requests may change the repository. */
  mayWrite(): void {
    this.#access = 'write';
  }

  /** Answers undefined where there is nothing of the kind. */
  async find(path: string): Promise<unknown> {
    const answer = await this.#ask(path, {});
    if (answer.status === 404 || answer.status === 422) return undefined;
    return this.#json(answer);
  }

  async get(path: string): Promise<Json> {
    return objectOf(await this.#json(await this.#ask(path, {})));
  }

  /** All pages of a list. */
  async all(path: string): Promise<unknown[]> {
    const found: unknown[] = [];
    for (let page = 1; ; page++) {
      const answer = await this.#ask(`${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`, {});
      const list = await this.#json(answer);
      if (!Array.isArray(list)) throw new Fatal(`GitHub answered no list for ${path}.`);
      found.push(...(list as unknown[]));
      if (!/rel="next"/.test(answer.header('link') ?? '')) return found;
    }
  }

  /** Makes a request that changes the repository, and returns the answer whatever its status. */
  async send(path: string, method: string, body?: Json): Promise<Answer> {
    this.mayWrite();
    return this.#ask(path, { method, ...(body && { body }) });
  }

  async post(path: string, body: Json): Promise<Json> {
    return objectOf(await this.#json(await this.send(path, 'POST', body)));
  }

  /** Returns what is known about the repository; rejects with a text that says what to do where it cannot be read. */
  async about(): Promise<Json> {
    let answer = await this.#ask('', {});
    if (answer.status === 404 && this.#access === undefined) answer = await this.#withToken('', answer);
    if (answer.status === 404) throw this.#notFound();
    return objectOf(await this.#json(answer));
  }

  /** The content of a file, from the host that serves single files of public repositories; undefined where it does not. */
  async raw(commit: string, path: string): Promise<Uint8Array | undefined> {
    if (this.#access !== undefined) return undefined;
    const { owner, name } = this.repository;
    const place = path.split('/').map(encodeURIComponent).join('/');
    const answer = await this.#request(`${RAW}/${owner}/${name}/${commit}/${place}`, {}).catch(
      (error: unknown) => {
        if (codeOf(error) !== undefined) return undefined;
        throw error;
      },
    );
    return answer?.status === 200 ? answer.bytes : undefined;
  }

  /** The reason that GitHub's answer gives why a request failed. */
  reason(answer: Pick<Answer, 'status' | 'bytes'>): string {
    try {
      const { message, errors } = objectOf(JSON.parse(asText(answer.bytes)));
      const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
      const more =
        typeof first === 'string' ? first : typeof first === 'object' && first ? sentenceOf(first) : '';
      return [message, more].filter((each) => typeof each === 'string' && each !== '').join(': ');
    } catch {
      return `status ${answer.status}`;
    }
  }

  async #ask(path: string, asking: Asking): Promise<Answer> {
    const answer = await this.#api(path, asking);
    if (isLimited(answer)) {
      const again = this.#access === undefined ? await this.#withToken(path, answer) : answer;
      if (isLimited(again)) throw this.#limited(again);
      return again;
    }
    if (answer.status === 401)
      throw new Fatal(
        `GitHub refuses the token: it is wrong, has expired or was revoked.\nThe user can replace it under Settings, Tools and servers.`,
      );
    return answer;
  }

  /** Repeats a request with the token. Where there is none, the first answer stands. */
  async #withToken(path: string, first: Answer): Promise<Answer> {
    if (this.#refusal !== undefined) return first;
    this.#access = 'read';
    try {
      return await this.#ask(path, {});
    } catch (error) {
      if (!(error instanceof NoToken)) throw error;
      this.#access = undefined;
      this.#refusal = error.message;
      return first;
    }
  }

  async #api(path: string, { method = 'GET', body }: Asking): Promise<Answer> {
    const { owner, name } = this.repository;
    try {
      return await this.#request(`${API}/repos/${owner}/${name}${path}`, { method, ...(body && { body }) });
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined || !(error instanceof Error)) throw error;
      if (code === 'ENOTOKEN') throw new NoToken(error.message);
      throw new Fatal(`unable to access '${this.url}/': ${error.message}`);
    }
  }

  async #request(url: string, { method = 'GET', body }: Asking): Promise<Answer> {
    const isApi = url.startsWith(`${API}/`);
    const headers: [string, string][] = isApi ? [['Accept', 'application/vnd.github+json']] : [];
    if (isApi && this.#access !== undefined) headers.push([GITHUB_TOKEN_HEADER, this.#access]);
    if (body) headers.push(['Content-Type', 'application/json']);
    const response = await this.#fetch({
      ...{ url, method, headers },
      body: body ? utf8(JSON.stringify(body)) : null,
    });
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body) pieces.push(piece);
    const header = (wanted: string) => response.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
    return { status: response.status, header, bytes: joined(pieces) };
  }

  async #json(answer: Answer): Promise<unknown> {
    if (answer.status === 409 && /empty/i.test(this.reason(answer))) throw new EmptyRepository(this.url);
    if (answer.status === 403) throw this.#forbidden(answer);
    if (answer.status === 404 && this.#access === 'write') throw this.#notFound();
    if (answer.status >= 400)
      throw new Fatal(
        `unable to access '${this.url}/': GitHub answered ${answer.status}: ${this.reason(answer)}`,
      );
    return JSON.parse(asText(answer.bytes)) as unknown;
  }

  #notFound(): Fatal {
    const hint =
      this.#access === undefined
        ? `It does not exist, or it is private. ${this.#refusal ?? ''}`
        : 'It does not exist, or the GitHub token under Settings, Tools and servers has no right to it.';
    return new Fatal(`repository '${this.url}/' not found\n${hint.trim()}`);
  }

  #forbidden(answer: Answer): Fatal {
    return new Fatal(
      `unable to access '${this.url}/': GitHub answered 403: ${this.reason(answer)}\nGive the token under Settings, Tools and servers the right "Contents: Read and write" for this repository.`,
    );
  }

  #limited(answer: Answer): Fatal {
    const reset = Number(answer.header('x-ratelimit-reset') ?? 0);
    const wait = Number(answer.header('retry-after') ?? 0);
    const at =
      reset > 0 && answer.header('x-ratelimit-remaining') === '0'
        ? reset * 1000
        : Date.now() + (wait || 60) * 1000;
    const until = new Date(at).toISOString().slice(11, 16);
    const token =
      this.#access === undefined
        ? `\nWithout a token it allows 60 requests an hour, with one 5,000. ${this.#refusal ?? ''}`.trimEnd()
        : '';
    return new Fatal(
      `GitHub takes no more requests until ${until} UTC.${token}\nRun the same command again then: what has come is kept.`,
    );
  }
}

/** The code of a request that failed; undefined for other errors. */
function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The app added no token, and says why. */
class NoToken extends Fatal {}

/** The repository has no commit, and GitHub's API makes none in it. */
export class EmptyRepository extends Fatal {
  constructor(url: string) {
    super(
      `'${url}' is empty, and GitHub's API cannot begin a history.\nAdd a first file on its page at github.com, then run the command again.`,
    );
  }
}

function isLimited(answer: Answer): boolean {
  if (answer.status === 429) return true;
  return (
    answer.status === 403 &&
    (answer.header('x-ratelimit-remaining') === '0' || answer.header('retry-after') !== undefined)
  );
}

/** GitHub's own sentence about an error; where there is none, the field and what is wrong with it: `base invalid`. */
function sentenceOf(error: object): string {
  const text = (name: string) => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' ? value : '';
  };
  return text('message') || `${text('field')} ${text('code')}`.trim();
}
