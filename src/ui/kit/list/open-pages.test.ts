import { expect, test } from 'vitest';
import type { Event } from '../../../session/log/events.ts';
import { openPages, type Paged } from './open-pages.ts';

/** Takes two reads for its first page, of which the second is held up. */
class TwoReads implements Paged {
  newest = -1;
  reads = 0;
  goOn = () => {};

  async more(read = () => {}): Promise<void> {
    this.newest = 9;
    this.reads = 1;
    read();
    await new Promise<void>((resolve) => (this.goOn = resolve));
    this.reads = 2;
    read();
  }

  take(events: readonly Event[]): boolean {
    return events.length > 0;
  }
}

test('what the first read found is shown before the page is complete', async () => {
  const pages = new TwoReads();
  const shown: number[] = [];
  openPages(undefined, () => Promise.resolve(pages), {
    changed: ({ reads }) => shown.push(reads),
    failed: (error) => {
      throw error;
    },
  });
  await expect.poll(() => shown).toEqual([1]);
  pages.goOn();
  await expect.poll(() => shown.at(-1)).toBe(2);
});
