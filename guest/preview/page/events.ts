const RETRY_MS = 3_000;

type Handler = ((event: Event) => void) | null;

/** How the streams of events are fetched. */
export interface EventRequests {
  readonly request: (url: string, init: RequestInit) => Promise<Response>;
  /** The whole address of what a script names. Throws where it is none. */
  readonly resolve: (address: string | URL) => string;
}

/**
 * Makes an `EventSource` over `fetch`. That of Chromium does not tell a service worker the `Last-Event-ID` (as of version 156: not even
 * one that only passes its requests on), and without an origin it reaches no server of the workspace.
 */
export function eventSourceOver({ request, resolve }: EventRequests) {
  return class PreviewEvents extends EventTarget {
    static readonly CONNECTING = 0;
    static readonly OPEN = 1;
    static readonly CLOSED = 2;
    readonly CONNECTING = 0;
    readonly OPEN = 1;
    readonly CLOSED = 2;
    readonly url: string;
    readonly withCredentials: boolean;
    readyState = 0;
    onopen: Handler = null;
    onmessage: Handler = null;
    onerror: Handler = null;
    readonly #over = new AbortController();
    #last = '';
    #retry = RETRY_MS;

    constructor(url: string | URL, { withCredentials = false }: EventSourceInit = {}) {
      super();
      this.url = resolve(url);
      this.withCredentials = withCredentials;
      void this.#run();
    }

    close(): void {
      this.readyState = 2;
      this.#over.abort();
    }

    async #run(): Promise<void> {
      while (this.readyState !== 2) {
        try {
          await this.#connect();
        } catch {
          // Tried again, as for a stream that ends.
        }
        if (this.readyState === 2) return;
        this.readyState = 0;
        this.#emit(new Event('error'));
        await new Promise((done) => setTimeout(done, this.#retry));
      }
    }

    async #connect(): Promise<void> {
      const response = await request(this.url, {
        headers: { accept: 'text/event-stream', ...(this.#last && { 'last-event-id': this.#last }) },
        cache: 'no-store',
        credentials: this.withCredentials ? 'include' : 'same-origin',
        signal: this.#over.signal,
      });
      const type = response.headers.get('content-type') ?? '';
      if (response.status !== 200 || !/^text\/event-stream/i.test(type)) {
        this.close();
        return this.#emit(new Event('error'));
      }
      this.readyState = 1;
      this.#emit(new Event('open'));
      let rest = '';
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
        rest += read.value;
        const events = rest.split(/\r\n\r\n|\n\n|\r\r/);
        rest = events.pop() ?? '';
        for (const event of events) this.#dispatch(event);
      }
    }

    #dispatch(text: string): void {
      let type = 'message';
      const data: string[] = [];
      for (const line of text.split(/\r\n|\n|\r/)) {
        const [, field, value = ''] = /^([^:]+):? ?(.*)$/.exec(line) ?? [];
        if (field === 'event') type = value || 'message';
        if (field === 'data') data.push(value);
        if (field === 'id' && !value.includes('\0')) this.#last = value;
        if (field === 'retry' && /^\d+$/.test(value)) this.#retry = Number(value);
      }
      const { origin } = new URL(this.url);
      if (data.length > 0)
        this.#emit(new MessageEvent(type, { data: data.join('\n'), lastEventId: this.#last, origin }));
    }

    #emit(event: Event): void {
      if (event.type === 'open') this.onopen?.call(this, event);
      if (event.type === 'message') this.onmessage?.call(this, event);
      if (event.type === 'error') this.onerror?.call(this, event);
      this.dispatchEvent(event);
    }
  };
}
