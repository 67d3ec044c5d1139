import { BROWSER_MODEL } from './app.ts';

/** The model of each provider that has one only, and whose name nobody types. */
export const ONLY_MODELS: ReadonlyMap<string, string> = new Map([
  ['you', 'you'],
  ['browser', BROWSER_MODEL],
]);
