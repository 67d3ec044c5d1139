import { readFileSync } from 'node:fs';
import { headersBy } from './header-rules.mjs';

/** Returns the headers of build/headers.json for a path. */
export const headersFor = headersBy(
  JSON.parse(readFileSync(new URL('../build/headers.json', import.meta.url), 'utf8')),
);
