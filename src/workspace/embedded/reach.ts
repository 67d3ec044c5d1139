import type { NetRequest } from '../../protocol/exchange.ts';

/**
 * Lets programs reach hosts outside the workspace. Its frame has no network, so the app sends their requests, and it alone
 * decides to which hosts.
 */
export interface Reach {
  /** The allowed hosts, in the form of the settings: `example.com`, `*.example.com`, `example.com:8080`. */
  hosts(): Promise<readonly string[]>;
  /** Sends a request and answers over the channel, as `FromServer`, until `signal` is aborted. Refusals are answers too. */
  exchange(request: NetRequest, channel: MessagePort, signal: AbortSignal): void;
}
