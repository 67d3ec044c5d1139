import { faultOf } from '../../../base/fault.ts';
import { readPicked } from '../../../preview/picked.ts';
import type { Preview } from '../../../preview/preview.ts';
import { addressOf } from '../../../preview/target.ts';
import type { PickedElement, PickStep } from '../../../protocol/preview.ts';

/** The person picks an element of the previewed page. The page is not relied on: it may never answer. */
export class Picking {
  #isOn = $state(false);
  #pointed = $state('');
  #picked = $state.raw<PickedElement & { readonly path: string }>();
  #over = new AbortController();
  readonly #preview: () => Preview | undefined;
  readonly #fail: (error: unknown) => void;

  constructor(preview: () => Preview | undefined, fail: (error: unknown) => void) {
    this.#preview = preview;
    this.#fail = fail;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** The element that the keys point at, in a few words of the page's. */
  get pointed(): string {
    return this.#pointed;
  }

  get picked(): (PickedElement & { readonly path: string }) | undefined {
    return this.#picked;
  }

  async start(): Promise<void> {
    const preview = this.#preview();
    if (!preview) return;
    this.end();
    this.forget();
    this.#over = new AbortController();
    const { signal } = this.#over;
    this.#isOn = true;
    preview.focusTab();
    try {
      const picked = readPicked(await pickedIn(preview, signal));
      if (picked && !signal.aborted)
        this.#picked = { ...picked, path: addressOf(preview.state.target, preview.state.path) };
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    } finally {
      if (!signal.aborted) this.#stop();
    }
  }

  /** Points at another element, and ends where there is none. */
  point(to: PickStep): void {
    const { signal } = this.#over;
    void this.#preview()
      ?.act({ do: 'point', to }, signal)
      .then(
        (said) => (this.#pointed = said.slice(0, MOST_POINTED)),
        () => this.end(),
      );
  }

  /** Takes what is pointed at. */
  take(): void {
    this.#endInPage(true);
  }

  end(): void {
    if (!this.#isOn) return;
    this.#endInPage(false);
    this.#stop();
  }

  forget(): void {
    this.#picked = undefined;
  }

  #stop(): void {
    this.#over.abort();
    this.#isOn = false;
    this.#pointed = '';
  }

  #endInPage(take: boolean): void {
    // Where the page is gone there is nothing to end.
    void this.#preview()
      ?.act({ do: 'end-pick', take })
      .catch(() => undefined);
  }
}

/** How many characters of what is pointed at are shown. */
const MOST_POINTED = 200;

/** Pages reload by themselves when their files change. The picking goes on in the page that comes. */
async function pickedIn(preview: Preview, signal: AbortSignal): Promise<string> {
  for (;;) {
    await preview.settled(signal);
    try {
      return await preview.act({ do: 'pick' }, signal);
    } catch (error) {
      if (signal.aborted || faultOf(error).code !== 'page-left') throw error;
    }
  }
}
