import { FaultError } from '../../base/fault.ts';
import type { Web } from './web.ts';

/**
 * Describes a failed request. A browser reports the same error for a server that is down and for one that does not let
 * this page read it, so a probe tells them apart.
 */
export async function noAnswer(
  web: Pick<Web, 'reachable'>,
  target: URL,
  signal: AbortSignal,
  cause: unknown,
): Promise<FaultError> {
  const reachable = await web.reachable(target, signal);
  const next =
    'Do without it, find the same elsewhere, or tell the user: they can paste the text, or set a proxy under Settings, Tools and servers.';
  if (reachable === true)
    return new FaultError(
      {
        code: 'cors',
        what: `${target.host} answers, but does not allow pages of other origins to read it (CORS).`,
        next,
      },
      { cause },
    );
  if (reachable === undefined)
    return new FaultError(
      {
        code: 'unreachable',
        what: `${target.host} gave no answer that this page can read. The server is down, or does not allow pages of other origins (CORS).`,
        next,
      },
      { cause },
    );
  return new FaultError(
    {
      code: 'unreachable',
      what: `${target.host} cannot be reached: nothing answers there.`,
      next: 'Check the address.',
    },
    { cause },
  );
}
