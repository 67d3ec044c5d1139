import { faultOf } from '../../base/fault.ts';
import { lazily } from '../../base/lazily.ts';
import type { Timer } from '../../base/timer.ts';
import type { FromServer } from '../../protocol/exchange.ts';
import type { Reach } from '../../workspace/embedded/reach.ts';

export interface ReachDeps {
  hosts(): Promise<readonly string[]>;
  /** The element that gets the frames which make requests. */
  readonly container: HTMLElement;
  readonly timer: Timer;
}

/** Gives programs of all workspaces access to outside hosts. The code is loaded with the first request. */
export function reachOf({ hosts, container, timer }: ReachDeps): Reach {
  const exchanges = lazily(async () => {
    const [{ Exchanges }, { policedFrame }] = await Promise.all([
      import('./exchanges.ts'),
      import('./policed-frame.ts'),
    ]);
    const policed = (sources: string) => policedFrame(container, sources);
    return new Exchanges({ hosts, own: new URL(location.href), policed, timer });
  });
  return {
    hosts,
    exchange(request, channel, over) {
      exchanges().then(
        (each) => each.run(request, channel, over),
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
  };
}
