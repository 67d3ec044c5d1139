import type { NetRequest } from './exchange.ts';

/**
 * How programs reach hosts outside of the workspace. Its frame has no network: the app asks in their place, and it
 * alone decides whom.
 */
export interface Reach {
  /** Whom it asks, as the settings name them: `example.com`, `*.example.com`, `example.com:8080`. */
  hosts(): Promise<readonly string[]>;
  /** Answers over the channel, as `FromServer`, until it ends it or `signal` is aborted. Refusals are answers too. */
  exchange(request: NetRequest, channel: MessagePort, signal: AbortSignal): void;
}
