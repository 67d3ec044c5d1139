import { LATER, Modules } from './modules.ts';
import { SITE } from '../page/report.ts';
import { targetOf, type Resources } from './resources.ts';
import { inlinedStyles } from './styles.ts';

/** The HTML of a page with everything that it loads from its site put where the browser can load it in here. */
export async function rewrittenPage(html: string, path: string, resources: Resources): Promise<string> {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const base = baseOf(page, path);
  await Promise.all([
    ...[...page.querySelectorAll('link')].map((each) => rewriteLink(each, base, resources)),
    ...[...page.querySelectorAll('style')].map(async (each) => {
      each.textContent = await inlinedStyles(each.textContent ?? '', base, resources);
    }),
    ...[...page.querySelectorAll<HTMLElement>('[style]')].map(async (each) => {
      each.setAttribute('style', await inlinedStyles(each.getAttribute('style') ?? '', base, resources));
    }),
    ...[...page.querySelectorAll('[src]:not(script):not(iframe), [poster], image[href]')].map((each) =>
      rewriteMedia(each, base, resources),
    ),
    ...[...page.querySelectorAll('[srcset]')].map((each) => rewriteSet(each, base, resources)),
    ...[...page.querySelectorAll('script[src]:not([type=module])')].map(async (each) => {
      const target = targetOf(each.getAttribute('src') ?? '', base);
      const code = target === undefined ? undefined : await resources.text(target, 'script');
      if (code === undefined) return;
      const named = new Blob([`${code}\n//# sourceURL=${SITE}${target}`], { type: 'text/javascript' });
      each.setAttribute('src', URL.createObjectURL(named));
      each.removeAttribute('integrity');
    }),
  ]);
  await rewriteModules(page, base, resources);
  // Frames within a page would each need all of this.
  for (const frame of page.querySelectorAll('iframe[src]')) frame.removeAttribute('src');
  page
    .querySelectorAll('meta[http-equiv="Content-Security-Policy" i], base')
    .forEach((each) => each.remove());
  const doctype = page.doctype ? '<!doctype html>' : '';
  return doctype + page.documentElement.outerHTML;
}

function baseOf(page: Document, path: string): string {
  const href = page.querySelector('base')?.getAttribute('href');
  return href === null || href === undefined ? path : (targetOf(href, path) ?? path);
}

async function rewriteLink(link: HTMLLinkElement, base: string, resources: Resources): Promise<void> {
  const href = link.getAttribute('href') ?? '';
  const target = targetOf(href, base);
  if (target === undefined) return;
  if (!link.relList.contains('stylesheet')) {
    // Nobody sees its icon, and everything that such a link would fetch early has been fetched.
    return link.remove();
  }
  const text = await resources.text(target, 'style');
  const style = link.ownerDocument.createElement('style');
  if (link.media) style.media = link.media;
  style.textContent = text === undefined ? '' : await inlinedStyles(text, target, resources);
  link.replaceWith(style);
}

async function rewriteMedia(element: Element, base: string, resources: Resources): Promise<void> {
  for (const name of ['src', 'poster', 'href']) {
    const url = element.getAttribute(name);
    if (url === null || (name === 'href' && element.localName !== 'image')) continue;
    element.setAttribute(name, await resources.address(url, base, 'image'));
  }
}

async function rewriteSet(element: Element, base: string, resources: Resources): Promise<void> {
  const candidates = (element.getAttribute('srcset') ?? '').split(/,\s+/).map(async (candidate) => {
    const [url = '', ...size] = candidate.trim().split(/\s+/);
    return [await resources.address(url, base, 'image'), ...size].join(' ');
  });
  element.setAttribute('srcset', (await Promise.all(candidates)).join(', '));
}

async function rewriteModules(page: Document, base: string, resources: Resources): Promise<void> {
  const own = page.querySelector('script[type=importmap]');
  const modules = new Modules(resources, mapIn(own?.textContent ?? ''), base);
  own?.remove();
  const importLater = (at: string, specifier: unknown) => modules.importLater(at, specifier);
  Object.defineProperty(window, LATER, { configurable: true, value: importLater });
  const scripts = [...page.querySelectorAll<HTMLScriptElement>('script[type=module]')];
  if (scripts.length === 0) return;
  await Promise.all(
    scripts.map(async (script) => {
      const src = script.getAttribute('src');
      const target = src === null ? undefined : targetOf(src, base);
      if (target !== undefined) {
        await modules.add(target);
        script.removeAttribute('src');
        script.removeAttribute('integrity');
        script.textContent = `import ${JSON.stringify(SITE + target)};`;
      } else if (src === null) script.textContent = await modules.rewritten(script.textContent ?? '', base);
    }),
  );
  const map = page.createElement('script');
  map.type = 'importmap';
  map.textContent = await modules.importMap();
  page.head.prepend(map);
}

function mapIn(text: string): { readonly imports?: Record<string, string> } {
  try {
    const parsed: unknown = JSON.parse(text || '{}');
    const imports =
      typeof parsed === 'object' && parsed !== null && 'imports' in parsed ? parsed.imports : {};
    if (typeof imports !== 'object' || imports === null) return {};
    return {
      imports: Object.fromEntries(Object.entries(imports).filter(([, value]) => typeof value === 'string')),
    };
  } catch {
    return {};
  }
}
