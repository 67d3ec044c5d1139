import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import { parseEvent, type Event } from '../../../src/session/log/events.ts';

/**
 * Hears from the app, as another tab would, which events are on disk: tabs are told after the commit. The word leaves the
 * browser at once, by loopback, so that whatever has arrived here must survive what comes next.
 */
export class CommittedEvents {
  /** By `seq`. */
  readonly events = new Map<number, Event>();
  readonly #http = createServer((request, response) => {
    void text(request)
      // A body that was cut by the kill is no message.
      .catch(() => '')
      .then((body) => {
        if (body) this.#take(body);
        response.end();
      });
  });
  #heard: (() => void)[] = [];

  async listen(): Promise<void> {
    this.#http.listen(0, '127.0.0.1');
    await once(this.#http, 'listening');
  }

  async close(): Promise<void> {
    this.#http.closeAllConnections();
    this.#http.close();
    await once(this.#http, 'close');
  }

  /** Before the page is opened. */
  async follow(page: Page): Promise<void> {
    const { port } = this.#http.address() as AddressInfo;
    await page.addInitScript((url) => {
      if (self !== top) return;
      new BroadcastChannel('vitrine:tabs').onmessage = ({ data }) => {
        if (data.type !== 'events') return;
        void fetch(url, { method: 'POST', mode: 'no-cors', body: JSON.stringify(data.events) });
      };
    }, `http://127.0.0.1:${port}/`);
  }

  /** The first event like this; waits for it where it has not come yet. */
  async until(matches: (event: Event) => boolean): Promise<Event> {
    for (;;) {
      const found = [...this.events.values()].find(matches);
      if (found) return found;
      await new Promise<void>((resolve) => this.#heard.push(resolve));
    }
  }

  #take(body: string): void {
    for (const value of JSON.parse(body)) {
      const event = parseEvent(value);
      this.events.set(event.seq, event);
    }
    const heard = this.#heard;
    this.#heard = [];
    for (const resolve of heard) resolve();
  }
}
