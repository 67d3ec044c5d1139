import { readFileSync } from 'node:fs';

const rules = JSON.parse(readFileSync(new URL('../build/headers.json', import.meta.url), 'utf8'));

/** Returns the headers for a path. Those of `assets/`, where workers are, override those of every file. */
export function headersFor(path) {
  return { ...rules['/*'], ...(path.includes('/assets/') && rules['/assets/*']) };
}
