import { isObject } from '../../../base/json.ts';
import type { ToolPart } from '../../../session/log/state.ts';

export interface FoundLink {
  readonly title: string;
  readonly url: string;
  /** A short form of the address. */
  readonly place: string;
}

/** The results of a search, as links that lead to the web and nowhere else. */
export function linksOf({ metadata }: ToolPart): readonly FoundLink[] {
  const results = Array.isArray(metadata.results) ? metadata.results : [];
  return results.filter(isObject).flatMap(({ title, url, place }) => {
    if (typeof url !== 'string' || !URL.canParse(url)) return [];
    const { protocol, host, href } = new URL(url);
    if (protocol !== 'https:' && protocol !== 'http:') return [];
    const named = typeof title === 'string' && title.trim() !== '' ? title : href;
    return [{ title: named, url: href, place: typeof place === 'string' ? place : host }];
  });
}
