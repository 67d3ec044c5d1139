import { buildOfPage } from './build.ts';

/** How long the network may take for the page before it is served as it is kept, in milliseconds. */
export const PAGE_WAIT_MS = 4_000;

export interface PageDeps {
  /** The build of this worker. */
  readonly build: string;
  /** Asks the server for its page. */
  readonly fetch: () => Promise<Response>;
  readonly kept: () => Promise<Response | undefined>;
  readonly keep: (response: Response) => Promise<void>;
  /** Resolves after this many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
}

/**
 * The page, as the server has it now: a new version and what its owner changed in it by hand are there at once. Without an
 * answer, or with one that is no page of the app, the kept page opens.
 */
export async function answerPage(deps: PageDeps): Promise<Response> {
  const online = fromServer(deps);
  const inTime = await Promise.race([
    online.catch(() => undefined),
    deps.wait(PAGE_WAIT_MS).then(() => undefined),
  ]);
  if (inTime?.isPage) return inTime.response;
  return (await deps.kept()) ?? (await online).response;
}

interface ServerAnswer {
  readonly response: Response;
  /** Whether the browser should show it, although there is a kept page. */
  readonly isPage: boolean;
}

async function fromServer({ build, fetch, keep }: PageDeps): Promise<ServerAnswer> {
  const response = await fetch();
  // A redirect may lead to a sign-in, which the browser has to follow.
  if (response.type === 'opaqueredirect') return { response, isPage: true };
  if (!response.ok) return { response, isPage: false };
  const copy = response.clone();
  const found = buildOfPage(await response.clone().text());
  if (found === build) await keep(copy).catch(() => undefined);
  return { response, isPage: found !== undefined };
}
