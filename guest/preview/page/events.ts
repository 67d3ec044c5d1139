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
      // As a listener, a handler that throws is reported and does not end the stream.
      this.addEventListener('open', (event) => this.onopen?.call(this, event));
      this.addEventListener('message', (event) => this.onmessage?.call(this, event));
      this.addEventListener('error', (event) => this.onerror?.call(this, event));
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
        this.dispatchEvent(new Event('error'));
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
        this.dispatchEvent(new Event('error'));
        return;
      }
      this.readyState = 1;
      this.dispatchEvent(new Event('open'));
      const lines = new Lines();
      let event: string[] = [];
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
        for (const line of lines.in(read.value)) {
          if (this.readyState !== 1) return;
          if (line !== '') {
            event.push(line);
            continue;
          }
          this.#tell(event);
          event = [];
        }
      }
    }

    #tell(lines: readonly string[]): void {
      let type = 'message';
      const data: string[] = [];
      for (const line of lines) {
        const [, field, value = ''] = /^([^:]+):? ?(.*)$/s.exec(line) ?? [];
        if (field === 'event') type = value || 'message';
        if (field === 'data') data.push(value);
        if (field === 'id' && !value.includes('\0')) this.#last = value;
        if (field === 'retry' && /^\d+$/.test(value)) this.#retry = Number(value);
      }
      const { origin } = new URL(this.url);
      if (data.length > 0)
        this.dispatchEvent(
          new MessageEvent(type, { data: data.join('\n'), lastEventId: this.#last, origin }),
        );
    }
  };
}

/** The lines of a text that comes in pieces. They end with CR, LF, or both, which two pieces may share. */
class Lines {
  #rest = '';
  #endedWithCR = false;

  /** The lines that end in this piece. */
  in(piece: string): readonly string[] {
    const text = this.#endedWithCR && piece.startsWith('\n') ? piece.slice(1) : piece;
    this.#endedWithCR = piece.endsWith('\r');
    const lines = (this.#rest + text).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() ?? '';
    return lines;
  }
}
