const OF_PLAYWRIGHT = new Set(['browser', 'browserName', 'context', 'page', 'playwright', 'request', '']);

/**
 * Whether a test asks for a fixture that is not Playwright's own, so that it may have an agent. It is read from the parameters of
 * its function, as Playwright reads them. A test that asks for none is not about the app, so it gets a new page.
 */
export function usesFixtures(test: unknown): boolean {
  const [, names = ''] = /^[^(]*\(\s*\{([^}]*)\}/.exec(String(test)) ?? [];
  return names.split(',').some((each) => !OF_PLAYWRIGHT.has(each.replace(/:[^]*/, '').trim()));
}
