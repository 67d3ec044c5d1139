/**
 * Finds a Chromium for tests and benchmarks: CHROMIUM_PATH, the one Playwright downloaded, or one on the
 * PATH. Without any, installs one with Playwright or else from Debian's packages. Most tests run in Chromium's
 * headless shell where it is installed, as is usual with Playwright: it draws no browser window, and
 * end-to-end tests take about a third less time in it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chromium } from 'playwright';
import { isExecutable, onPath } from './on-path.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Launch arguments: no calls home, no GPU; no Chromium sandbox where it refuses to run as root. */
export const chromiumArgs = [
  '--disable-gpu',
  // The headless shell would keep the frame of the workspace in the page's process; browsers do not.
  '--site-per-process',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Tests and benchmarks are offline, but a workspace of the kind `auto` would ask this host.
  ...(process.env.VITRINE_LIVE ? [] : ['--host-resolver-rules=MAP stackblitz.com ~NOTFOUND']),
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** Returns the path of an installed Chromium with all of its parts, or undefined. */
export function findChromium() {
  const candidates = [
    process.env.CHROMIUM_PATH,
    chromium.executablePath(),
    ...onPath(NAMES),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ];
  return candidates.find(isExecutable);
}

/**
 * Returns the path of Chromium's headless shell, else of a Chromium, or undefined. In the shell no tab is ever
 * hidden, so a test that needs this takes `findChromium`.
 */
export function findHeadlessChromium() {
  return (
    [process.env.CHROMIUM_PATH, ...onPath(['chromium-headless-shell'])].find(isExecutable) ?? findChromium()
  );
}

/** Returns the path of a Chromium and installs one if needed. If that fails, the error says what to do. */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  console.log('No Chromium found; trying to install one.');
  spawnSync('npx', ['playwright', 'install', 'chromium'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (!findChromium() && process.platform === 'linux') {
    const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
    for (const command of [
      ['apt-get', 'update', '-qq'],
      ['apt-get', 'install', '-y', '-qq', 'chromium'],
      ['apt-get', 'install', '-y', '-qq', 'chromium-headless-shell'],
    ]) {
      const [program, ...args] = [...sudo, ...command];
      try {
        execFileSync(program, args, {
          stdio: 'inherit',
          env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        });
      } catch {
        break;
      }
    }
  }
  const installed = findChromium();
  if (!installed)
    throw new Error('No Chromium could be found or installed. Install one and set CHROMIUM_PATH to it.');
  return installed;
}
