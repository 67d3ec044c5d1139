import { faultOf } from '../../base/fault.ts';
import { lazily } from '../../base/lazily.ts';
import type { Timer } from '../../base/timer.ts';
import type { FromServer } from '../../protocol/exchange.ts';
import type { Reach } from '../../workspace/embedded/reach.ts';
import type { TokenDeps } from './github-token.ts';

export interface ReachDeps {
  hosts(): Promise<readonly string[]>;
  /** Resolves to whether the person now allows a host that was not allowed. Once `over` is aborted, nothing waits for it. */
  ask?(url: URL, over: AbortSignal): Promise<boolean>;
  readonly gitHub?: TokenDeps;
  /** The element that gets the frames which make requests. */
  readonly container: HTMLElement;
  readonly timer: Timer;
}

/** Gives programs of all workspaces, each by its id, access to outside hosts. The code is loaded with the first request. */
export function reachOf({ hosts, ask, gitHub, container, timer }: ReachDeps): (workspaceID: string) => Reach {
  const exchanges = lazily(async () => {
    const [{ Exchanges }, { policedFrame }, { GitHubTokens }] = await Promise.all([
      import('./exchanges.ts'),
      import('./policed-frame.ts'),
      import('./github-token.ts'),
    ]);
    const policed = (sources: string) => policedFrame(container, sources);
    const tokens = gitHub && new GitHubTokens(gitHub);
    const asking = { ...(ask && { ask }), ...(tokens && { tokens }) };
    return new Exchanges({ hosts, ...asking, own: new URL(location.href), policed, timer });
  });
  return (workspaceID) => ({
    hosts,
    exchange(request, channel, over) {
      exchanges().then(
        (each) => each.run(request, channel, over, workspaceID),
        (error: unknown) => {
          channel.postMessage({
            kind: 'failed',
            code: 'EIO',
            message: `hosts outside cannot be reached: ${faultOf(error).what}`,
          } satisfies FromServer);
          channel.close();
        },
      );
    },
  });
}
