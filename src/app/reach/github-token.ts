import { GITHUB_TOKEN_HEADER, type NetRequest } from '../../protocol/exchange.ts';

const API = 'https://api.github.com';

export type GitHubAccess = 'read' | 'write';

/** The use that a program wants to make of the person's token. */
export interface TokenUse {
  readonly workspaceID: string;
  /** `owner/name`, in lower case. */
  readonly repository: string;
  readonly access: GitHubAccess;
}

export interface TokenDeps {
  token(): string | undefined;
  /** Resolves to whether the person allows this use. Once `over` is aborted, nothing waits for it. */
  ask(use: TokenUse, over?: AbortSignal): Promise<boolean>;
}

/** The requests that git needs. The token is added to no others, so nothing else of a repository can be read or changed with it. */
const ENDPOINTS: Readonly<Record<string, readonly RegExp[]>> = {
  GET: [
    /^$/,
    /^\/commits$/,
    /^\/git\/(ref|matching-refs)\/.+$/,
    /^\/git\/(commits|trees|blobs|tags)\/[0-9a-f]{40}$/,
    /^\/pulls$/,
  ],
  POST: [/^\/git\/(blobs|trees|commits|tags|refs)$/, /^\/pulls$/],
  PATCH: [/^\/git\/refs\/(heads|tags)\/.+$/],
  DELETE: [/^\/git\/refs\/(heads|tags)\/.+$/],
};

/** The use of the token that a request asks for; a sentence where it gets none. */
function useOf({ url, method, headers }: NetRequest, workspaceID: string): TokenUse | string {
  const { origin, pathname } = new URL(url);
  const [, repository, rest = ''] = /^\/repos\/([\w.-]+\/[\w.-]+)(\/.*)?$/.exec(pathname) ?? [];
  if (origin !== API || repository === undefined)
    return 'The GitHub token is only for repositories at GitHub.';
  const isPlain = !/%2[ef]|%5c/i.test(rest);
  if (!isPlain || !ENDPOINTS[method]?.some((endpoint) => endpoint.test(rest)))
    return `The GitHub token is not for ${method} ${pathname}.`;
  const asked = headers.find(([name]) => name.toLowerCase() === GITHUB_TOKEN_HEADER)?.[1];
  const access = method === 'GET' && asked !== 'write' ? 'read' : 'write';
  return { workspaceID, repository: repository.toLowerCase(), access };
}

/** Adds the person's GitHub token to requests of programs, after the person has allowed each repository to a workspace. */
export class GitHubTokens {
  readonly #deps: TokenDeps;
  /** The answers of this page; nothing of it is stored. */
  readonly #answers = new Map<string, boolean>();

  constructor(deps: TokenDeps) {
    this.#deps = deps;
  }

  /** The headers that the request is sent with. Where it gets no token, `refuse` makes the error. */
  async headers(
    request: NetRequest,
    workspaceID: string,
    refuse: (reason: string) => Error,
    over?: AbortSignal,
  ): Promise<NetRequest['headers']> {
    const use = useOf(request, workspaceID);
    if (typeof use === 'string') throw refuse(use);
    if (this.#deps.token() === undefined)
      throw refuse('There is no GitHub token: the user can add one under Settings, Tools and servers.');
    if (!(await this.#allows(use, over)))
      throw refuse(
        `The user does not let programs ${use.access === 'read' ? 'read' : 'change'} ${use.repository} with the GitHub token.`,
      );
    // The person may have removed it meanwhile.
    const token = this.#deps.token();
    if (token === undefined) throw refuse('There is no GitHub token any more.');
    const own = request.headers.filter(([name]) => name.toLowerCase() !== 'authorization');
    return [...own, ['Authorization', `Bearer ${token}`]];
  }

  /** Whoever may change a repository may read it. */
  async #allows(use: TokenUse, over?: AbortSignal): Promise<boolean> {
    const key = (access: GitHubAccess) => `${use.workspaceID} ${use.repository} ${access}`;
    if (use.access === 'read' && this.#answers.get(key('write'))) return true;
    const known = this.#answers.get(key(use.access));
    if (known !== undefined) return known;
    const answer = await this.#deps.ask(use, over);
    // A question that was withdrawn has no answer.
    if (!over?.aborted) this.#answers.set(key(use.access), answer);
    return answer;
  }
}
