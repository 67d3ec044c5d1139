import { MARK, reportIn, THEMES, type Command } from '../messages.ts';
import { frameAddress, SANDBOX } from './frame-address.ts';

/** Only while the script itself runs is it known where it came from. */
const { currentScript } = document;
const site =
  currentScript instanceof HTMLScriptElement && currentScript.src !== ''
    ? new URL('./', currentScript.src).href
    : null;

/** These change the address of the frame, so it loads again. */
const RELOADING = ['src', 'step', 'call', 'lang'] as const;

const STYLE = `
:host { display: block; block-size: 32rem; max-inline-size: 100%; }
:host([hidden]) { display: none; }
iframe { display: block; inline-size: 100%; block-size: 100%; border: 0; }`;

/** `<vitrine-player src="…">`: a recording, a piece of one, or a lesson, in a frame that can reach nothing of this page. */
class VitrinePlayer extends HTMLElement {
  static readonly observedAttributes = [...RELOADING, 'theme', 'title'];
  readonly #frame = document.createElement('iframe');
  #duration = 0;
  #position = 0;
  #playing = false;

  constructor() {
    super();
    this.#frame.setAttribute('sandbox', SANDBOX);
    this.#frame.loading = 'lazy';
    const root = this.attachShadow({ mode: 'open' });
    // A constructed sheet works below every policy of the page, an element `style` does not.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    root.append(this.#frame);
  }

  /** The length of the recording in milliseconds; 0 until it is ready. */
  get duration(): number {
    return this.#duration;
  }
  get position(): number {
    return this.#position;
  }
  get playing(): boolean {
    return this.#playing;
  }

  play(): void {
    this.#ask({ type: 'play' });
  }
  pause(): void {
    this.#ask({ type: 'pause' });
  }
  seek(position: number): void {
    this.#ask({ type: 'seek', position });
  }

  connectedCallback(): void {
    addEventListener('message', this.#onMessage);
    this.#frame.title = this.getAttribute('title') ?? 'Vitrine';
    this.#load();
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#onMessage);
  }

  attributeChangedCallback(name: string): void {
    if (!this.isConnected) return;
    if (name === 'title') this.#frame.title = this.getAttribute('title') ?? 'Vitrine';
    else if (name === 'theme') {
      const theme = THEMES.find((each) => each === this.getAttribute('theme')) ?? 'auto';
      this.#ask({ type: 'theme', theme });
    } else this.#load();
  }

  #load(): void {
    const attribute = (name: string) => this.getAttribute(name);
    const src = attribute('src') ?? '';
    this.#duration = 0;
    this.#position = 0;
    this.#playing = false;
    if (site === null)
      return this.#fail(
        'Load player.js with <script src="…/player.js">: it shows what is at its own address.',
      );
    const addressOf = (shown: string) =>
      frameAddress(site, document.baseURI, {
        src: shown,
        step: attribute('step'),
        call: attribute('call'),
        theme: attribute('theme'),
        lang: attribute('lang'),
      });
    const address = addressOf(src);
    if (address === null)
      console.error(`vitrine-player: src="${src.slice(0, 80)}" is no address of a recording or lesson.`);
    // A new address that differs only after # would not load the frame again.
    this.#frame.remove();
    // Without an address the frame itself tells the reader, and the page by its event, that there is nothing to show.
    this.#frame.src = address ?? addressOf('?recording=') ?? '';
    this.shadowRoot?.append(this.#frame);
  }

  #fail(what: string): void {
    console.error(`vitrine-player: ${what}`);
    this.#tell('error', { code: 'embed-element', what });
  }

  #ask(command: Command): void {
    // The frame has an opaque origin, which cannot be named as a target.
    this.#frame.contentWindow?.postMessage({ vitrine: MARK, ...command }, '*');
  }

  readonly #onMessage = (event: MessageEvent<unknown>): void => {
    if (event.source === null || event.source !== this.#frame.contentWindow) return;
    const report = reportIn(event.data);
    if (!report) return;
    const { type, detail } = report;
    if ('duration' in detail && typeof detail.duration === 'number') this.#duration = detail.duration;
    if ('position' in detail && typeof detail.position === 'number') this.#position = detail.position;
    if (type === 'playing') this.#playing = true;
    if (type === 'paused' || type === 'ended') this.#playing = false;
    this.#tell(type, detail);
  };

  #tell(type: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

if (!customElements.get('vitrine-player')) customElements.define('vitrine-player', VitrinePlayer);
