/** A folder as somebody has it who has installed the test kit, with the examples in it: for tests and benchmarks of the kit. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromiumArgs, findHeadlessChromium } from './chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns where the package is to be put. Besides it, only what it depends on is there. */
export function prepareProject(folder) {
  const modules = path.join(folder, 'node_modules');
  mkdirSync(path.join(modules, 'vitrine'), { recursive: true });
  for (const name of ['@playwright', 'playwright', 'playwright-core', '@types', 'sirv'])
    symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  cpSync(path.join(root, 'examples'), folder, { recursive: true });
  return path.join(modules, 'vitrine');
}

/** Returns the arguments for `node` that run the project's tests with two workers and print Playwright's JSON report. */
export function testCommand(folder, browserArgs = []) {
  const executablePath = findHeadlessChromium();
  const launchOptions = {
    ...(executablePath && { executablePath }),
    args: [...chromiumArgs, ...browserArgs],
  };
  writeFileSync(
    path.join(folder, 'here.config.ts'),
    `import config from './playwright.config.ts';
     export default { ...config, workers: 2, reporter: 'json', use: { launchOptions: ${JSON.stringify(launchOptions)} } };`,
  );
  return ['node_modules/@playwright/test/cli.js', 'test', '-c', 'here.config.ts'];
}
