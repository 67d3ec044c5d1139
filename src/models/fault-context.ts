import type { Fault } from '../base/fault.ts';
import type { RemoteProvider } from './providers/ids.ts';

/** Diagnoses a failed connection further than "failed to fetch". */
export interface Network {
  /** The page's origin, which servers must allow; `undefined` outside a browser. */
  readonly origin: string | undefined;
  /** False when the browser knows that it has no network. */
  online(): boolean;
  /** Whether the person or a policy denies this page access to the machine itself or the local network. */
  localAccessDenied(address: URL): Promise<boolean>;
  /** Whether anything answers at this address; `undefined` where that cannot be determined. */
  reachable(address: URL, signal: AbortSignal): Promise<boolean | undefined>;
}

export interface FaultContext {
  readonly provider: RemoteProvider | 'scripted';
  readonly model: string;
  /** Without a trailing slash. */
  readonly baseURL: string;
  readonly network: Network;
  /** Removes the keys from a text. */
  redact(text: string): string;
}

/**
 * The fields of an error and its causes; the outermost value of each field wins. Read by shape, not by class, so that
 * the SDK need not be loaded.
 */
export interface ErrorDetails {
  readonly fault?: Fault;
  readonly names: ReadonlySet<string>;
  readonly message: string;
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly type?: string;
  readonly url?: string;
  /** Node's code of a failed connection. */
  readonly networkCode?: string;
  /** Whether it arrived as a part of the stream. */
  readonly streamed: boolean;
}
