/** Finds a Firefox of this machine for tests: FIREFOX_PATH, or one on the PATH. It is not Playwright's own, and is driven by WebDriver BiDi. */
import { isExecutable, onPath } from './on-path.mjs';

/** Returns the path of a Firefox, or undefined. */
export function findFirefox() {
  return [process.env.FIREFOX_PATH, ...onPath(['firefox-esr', 'firefox'])].find(isExecutable);
}

/** Returns the options for Playwright's `use` that drive this Firefox. */
export const inFirefox = (executablePath) => ({
  browserName: 'firefox',
  channel: 'moz-firefox',
  // Else clicks do not reach frames of other origins.
  launchOptions: { executablePath, firefoxUserPrefs: { 'fission.autostart': false } },
});
