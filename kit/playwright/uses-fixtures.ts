const OF_PLAYWRIGHT = new Set(['browser', 'browserName', 'context', 'page', 'playwright', 'request', '']);

/**
 * Whether a test asks for a fixture that is not Playwright's own, so that it may have an agent. It is read from the parameters of
 * its function, as Playwright reads them. A page for other tests is not the app's, so they have a new one.
 */
export function usesFixtures(test: unknown): boolean {
  const [, names = ''] = /^[^(]*\(\s*\{([^}]*)\}/.exec(String(test)) ?? [];
  return names.split(',').some((each) => !OF_PLAYWRIGHT.has(each.replace(/:[^]*/, '').trim()));
}
