import type { Json } from '../../src/base/json.ts';
import type { Volatile } from './types.ts';

/**
 * The app's own ids, points in time, durations that tools print, and ports of this machine. Ids that a provider makes are
 * no matter: they come from the recorded answers.
 */
export const VOLATILE: readonly Volatile[] = [
  { pattern: /\b(ses|msg|wsp|req|prc)_[a-z0-9]{6,}\b/g, placeholder: '<$1>' },
  { pattern: /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, placeholder: '<time>' },
  { pattern: /\b\d{4}-\d\d-\d\d\b/g, placeholder: '<date>' },
  { pattern: /\b(duration_ms:? )\d+(?:\.\d+)?/g, placeholder: '$1<duration>' },
  { pattern: /\b(127\.0\.0\.1|localhost):\d{2,5}\b/g, placeholder: '$1:<port>' },
];

/** The request's body as it is compared and stored: volatile parts are placeholders, and the key is not in it. */
export function projected(body: Json, key: string, own: readonly Volatile[]): Json {
  if (typeof body === 'string') {
    let text = withoutKey(body, key);
    for (const { pattern, placeholder } of [...own, ...VOLATILE]) text = text.replace(pattern, placeholder);
    return text;
  }
  if (Array.isArray(body)) return body.map((each) => projected(each, key, own));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [withoutKey(name, key), projected(value, key, own)]),
  );
}

/** The key stands in a path as it is, or as it is written there. */
export function withoutKey(text: string, key: string): string {
  if (key === '') return text;
  return [key, encodeURIComponent(key)].reduce((left, form) => left.replaceAll(form, '<key>'), text);
}
