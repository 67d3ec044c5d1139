import { targetOf, type Resources } from './resources.ts';

const URLS = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"'\s]*))\s*\)/gi;
const IMPORTS = /@import\s+(?:url\(\s*)?(?:"([^"]*)"|'([^']*)'|([^)"';\s]+))\s*\)?([^;]*);/gi;

/** A style sheet whose imports are in it, and whose pictures and fonts have addresses that can be loaded in here. */
export async function inlinedStyles(
  css: string,
  base: string,
  resources: Resources,
  seen: ReadonlySet<string> = new Set(),
): Promise<string> {
  const imported = await replaced(css, IMPORTS, async ([whole = '', ...parts]) => {
    const [one, two, three, media = ''] = parts;
    const target = targetOf(one ?? two ?? three ?? '', base);
    if (target === undefined) return whole;
    if (seen.has(target)) return '';
    const text = await resources.text(target, 'style');
    if (text === undefined) return '';
    const inner = await inlinedStyles(text, target, resources, new Set([...seen, target]));
    return media.trim() ? `@media ${media} {${inner}}` : inner;
  });
  return replaced(imported, URLS, async ([whole = '', one, two, three]) => {
    const url = one ?? two ?? three ?? '';
    if (url === '' || /^(data|blob|#)/i.test(url)) return whole;
    return `url("${await resources.address(url, base, 'image')}")`;
  });
}

async function replaced(
  text: string,
  pattern: RegExp,
  replacement: (match: readonly (string | undefined)[]) => Promise<string>,
): Promise<string> {
  const matches = [...text.matchAll(pattern)];
  const texts = await Promise.all(matches.map(replacement));
  let result = '';
  let at = 0;
  matches.forEach((match, index) => {
    result += text.slice(at, match.index) + (texts[index] ?? '');
    at = match.index + match[0].length;
  });
  return result + text.slice(at);
}
