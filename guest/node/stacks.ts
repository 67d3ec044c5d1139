import type { Sources } from './sources.ts';

type Prepare = (error: Error, sites: NodeJS.CallSite[]) => unknown;

/** Stacks speak of sources as they were written, and not of what runs them. Only where V8 asks how to write them. */
export function prepareStacks(sources: Sources): void {
  let own: Prepare | undefined;
  const prepare: Prepare = (error, sites) => {
    if (own) return own(error, sites);
    return [headerOf(error), ...linesOf(sites, sources).map((line) => `    at ${line}`)].join('\n');
  };
  Object.defineProperty(Error, 'prepareStackTrace', {
    configurable: true,
    enumerable: true,
    get: () => own ?? prepare,
    set: (value: unknown) => {
      own = typeof value === 'function' && value !== prepare ? (value as Prepare) : undefined;
    },
  });
}

function headerOf(error: unknown): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}

function linesOf(sites: readonly NodeJS.CallSite[], sources: Sources): string[] {
  const lines: string[] = [];
  for (const site of sites) {
    const file = site.getScriptNameOrSourceURL?.() ?? site.getFileName();
    if (file?.startsWith('blob:')) {
      // The step into a module is ours too.
      if (/^(?:Async)?Generator\.next \(<anonymous>\)$/.test(lines.at(-1) ?? '')) lines.pop();
      continue;
    }
    lines.push(lineOf(site, file, sources));
  }
  return lines;
}

function lineOf(site: NodeJS.CallSite, file: string | null, sources: Sources): string {
  const text = String(site);
  const line = site.getLineNumber();
  const column = site.getColumnNumber();
  if (!file || line === null || column === null || !sources.has(file)) return text;
  const place = sources.original(file, { line, column });
  return text.replace(`${file}:${line}:${column}`, `${file}:${place.line}:${place.column}`);
}
