import type { FromPage, PreviewForm } from '../../../src/protocol/preview.ts';
import { linkOf } from '../page/new-tabs.ts';
import { SITE } from '../page/report.ts';
import { targetOf } from './resources.ts';

type Navigate = (message: Extract<FromPage, { kind: 'navigate' }>) => void;

/** The address of a page that has none: it is shown by the app, and kept here for the page's own script. */
export class PageAddress {
  #target: string;
  readonly #changed: () => void;

  constructor(target: string, changed: () => void) {
    this.#target = target;
    this.#changed = changed;
  }

  get target(): string {
    return this.#target;
  }

  become(target: string): void {
    this.#target = target;
    this.#changed();
  }
}

/** Takes over what leads to another page: links, forms, and the history of pages with one document. */
export function takeNavigation(address: PageAddress, navigate: Navigate): void {
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey) return;
    const link = linkOf(event);
    const href = link?.getAttribute('href');
    if (!link || href === null || href === undefined || href.startsWith('#')) return;
    const target = targetOf(href, address.target);
    event.preventDefault();
    if (target !== undefined && !link.hasAttribute('download'))
      navigate({ kind: 'navigate', target: target + new URL(href, SITE + address.target).hash });
  });
  addEventListener('submit', (event) => {
    if (event.defaultPrevented || !(event.target instanceof HTMLFormElement)) return;
    event.preventDefault();
    void submit(event.target, event.submitter, address, navigate);
  });
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name].bind(history);
    history[name] = (state: unknown, unused: string, url?: string | URL | null) => {
      original(state, unused);
      const target = url === undefined || url === null ? undefined : targetOf(String(url), address.target);
      if (target !== undefined) address.become(target);
    };
  }
}

async function submit(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  address: PageAddress,
  navigate: Navigate,
): Promise<void> {
  const data = new FormData(form, submitter);
  const action = submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? address.target;
  const target = targetOf(action || address.target, address.target);
  if (target === undefined) return;
  const method = (submitter?.getAttribute('formmethod') ?? form.method).toLowerCase();
  const texts = [...data].map(([name, value]) => [name, value instanceof File ? value.name : value]);
  const encoded = new URLSearchParams(texts);
  if (method !== 'post') return navigate({ kind: 'navigate', target: `${target.split('?')[0]}?${encoded}` });
  const body = new Response(form.enctype === 'multipart/form-data' ? data : encoded);
  const sent: PreviewForm = {
    type: body.headers.get('content-type') ?? '',
    bytes: new Uint8Array(await body.arrayBuffer()),
  };
  navigate({ kind: 'navigate', target, form: sent });
}
