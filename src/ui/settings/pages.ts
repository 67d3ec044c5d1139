/** The pages of the settings, in the order in which they are listed. A link names one: `?settings=models`. */
export const SETTINGS_PAGES = [
  'models',
  'permissions',
  'workspace',
  'tools',
  'appearance',
  'storage',
  'about',
] as const;
export type SettingsPage = (typeof SETTINGS_PAGES)[number];

/** Names that lead to the first page: no name, a place on that page, and the reasons why a message was not sent. */
const OF_FIRST: readonly string[] = ['', 'sign-in', 'no-model', 'no-model-again'];

/** The page of that name; `null` if there is none. */
export function pageNamed(name: string): SettingsPage | null {
  if (OF_FIRST.includes(name)) return SETTINGS_PAGES[0];
  return SETTINGS_PAGES.find((page) => page === name) ?? null;
}
