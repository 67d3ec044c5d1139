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

/** The page of that name; an unknown name leads to the first page. */
export function pageNamed(name: string): SettingsPage {
  return SETTINGS_PAGES.find((page) => page === name) ?? SETTINGS_PAGES[0];
}
