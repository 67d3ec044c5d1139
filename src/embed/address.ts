import { FaultError } from '../base/fault.ts';
import { THEMES, type Theme } from './messages.ts';

/** Where what is shown comes from. */
export type Source =
  | { readonly kind: 'recording'; readonly address: string }
  | { readonly kind: 'recording'; readonly packed: string }
  | { readonly kind: 'lesson'; readonly id: string }
  | { readonly kind: 'lesson'; readonly packed: string };

/** A single piece of a recording: a step by its number, from 1, or a call by its id or its number. */
export type Piece =
  { readonly kind: 'step'; readonly number: number } | { readonly kind: 'call'; readonly name: string };

export interface EmbedAddress {
  readonly source: Source;
  /** `null` shows all of it. */
  readonly piece: Piece | null;
  readonly theme: Theme;
  /** The language that the address asks for; empty for that of the browser. */
  readonly language: string;
}

/** Reads the address of a frame. Throws a fault where it names nothing to show. */
export function readAddress({
  search,
  hash,
}: {
  readonly search: string;
  readonly hash: string;
}): EmbedAddress {
  const asked = new URLSearchParams(search);
  return {
    source: sourceIn(asked, hash),
    piece: pieceIn(asked),
    theme: THEMES.find((theme) => theme === asked.get('theme')) ?? 'auto',
    language: asked.get('lang') ?? '',
  };
}

function sourceIn(asked: URLSearchParams, hash: string): Source {
  const [, kind, packed = ''] = /^#(recording|lesson)=([\w-]+)$/.exec(hash) ?? [];
  if (kind === 'recording') return { kind, packed };
  if (kind === 'lesson') return { kind, packed };
  const address = asked.get('recording');
  if (address) return { kind: 'recording', address };
  const id = asked.get('lesson');
  if (id && /^[\w-]{1,100}$/.test(id)) return { kind: 'lesson', id };
  throw new FaultError({
    code: 'embed-nothing',
    what: 'The address of this frame names nothing that can be shown.',
    next: 'Write embed.html?recording=https://… or embed.html#recording=…, or use the element with its attribute src.',
  });
}

function pieceIn(asked: URLSearchParams): Piece | null {
  const step = asked.get('step');
  if (step) {
    if (/^[1-9]\d{0,5}$/.test(step)) return { kind: 'step', number: Number(step) };
    throw new FaultError({
      code: 'embed-piece',
      what: `“${step.slice(0, 40)}” is not the number of a step.`,
      next: 'Steps are counted from 1.',
    });
  }
  const call = asked.get('call');
  return call ? { kind: 'call', name: call.slice(0, 200) } : null;
}

/** The app's link to a recording, which plays there at once. */
export function watchAddress(page: string, address: string, language = ''): string {
  const app = new URL(appAddress(page, { kind: 'recording', address }, language));
  app.searchParams.set('play', '1');
  return app.href;
}

/**
 * The app's own link to the same recording or lesson. `page` is the address of the frame, `language` the one that it asks for, if
 * any.
 */
export function appAddress(page: string, source: Source, language = ''): string {
  const app = new URL('./', page);
  if (language !== '') app.searchParams.set('lang', language);
  if ('packed' in source) app.hash = `${source.kind}=${source.packed}`;
  else if ('address' in source) app.searchParams.set('recording', new URL(source.address, page).href);
  else app.searchParams.set('lesson', source.id);
  return app.href;
}
