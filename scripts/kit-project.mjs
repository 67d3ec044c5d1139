/** A folder as somebody has it who has installed the test kit, with the examples in it: for tests and benchmarks of the kit. */
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromiumArgs, findHeadlessChromium } from './chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns where the package is to be put. Besides it, only what it depends on is there. */
export function prepareProject(folder) {
  const modules = path.join(folder, 'node_modules');
  mkdirSync(path.join(modules, 'vitrine'), { recursive: true });
  for (const name of ['@types', 'sirv'])
    symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  usePlaywright(folder, path.join(root, 'node_modules'));
  cpSync(path.join(root, 'examples'), folder, { recursive: true });
  return path.join(modules, 'vitrine');
}

/** Gives the project the Playwright of another folder of packages. */
export function usePlaywright(folder, packages) {
  for (const name of ['@playwright', 'playwright', 'playwright-core']) {
    const link = path.join(folder, 'node_modules', name);
    rmSync(link, { force: true });
    symlinkSync(path.join(packages, name), link);
  }
}

/** Returns the options for Playwright's `use` that drive the Chromium of this machine. */
export function inChromium(browserArgs = []) {
  const executablePath = findHeadlessChromium();
  return {
    launchOptions: { ...(executablePath && { executablePath }), args: [...chromiumArgs, ...browserArgs] },
  };
}

/** Returns the arguments for `node` that run the project's tests with two workers and print Playwright's JSON report. */
export function testCommand(folder, use = inChromium()) {
  writeFileSync(
    path.join(folder, 'here.config.ts'),
    `import config from './playwright.config.ts';
     export default { ...config, workers: 2, reporter: 'json', use: ${JSON.stringify(use)} };`,
  );
  return ['node_modules/@playwright/test/cli.js', 'test', '-c', 'here.config.ts'];
}
