/** The parts of a service worker's global scope that ours uses; TypeScript's DOM types have none of them. */
export interface WorkerScope {
  readonly registration: { readonly scope: string; readonly active: object | null };
  readonly clients: {
    matchAll(options: { includeUncontrolled: boolean; type: 'window' }): Promise<readonly WindowClient[]>;
    claim(): Promise<void>;
  };
  readonly caches: CacheStorage;
  readonly navigator: {
    readonly locks: LockManager;
    readonly connection?: { readonly saveData?: boolean };
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: LastingEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(
    type: 'message',
    listener: (
      event: LastingEvent & { readonly data: unknown; readonly ports: readonly MessagePort[] },
    ) => void,
  ): void;
}

export interface LastingEvent {
  waitUntil(work: Promise<unknown>): void;
}

export interface FetchEvent extends LastingEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

export interface WindowClient {
  readonly url: string;
  readonly frameType: 'top-level' | 'auxiliary' | 'nested' | 'none';
}
