import { npmrcOf, openWith, test } from './installing.ts';
import { expect } from './test.ts';

// The preview's own service worker answers for its pages.
test.use({ serviceWorkers: 'allow' });

// A project that its own `create` command makes, in the built app, from packages as they are published.

const FILES = {
  'sum.ts': 'export const sum = (a: number, b: number): number => a + b;\n',
  'sum.test.ts': `import { expect, test } from 'vitest';
import { sum } from './sum.ts';
test('adds', () => expect(sum(1, 2)).toBe(3));
test('adds wrongly', () => expect(sum(1, 2)).toBe(4));
`,
};

test('a Svelte project of create-vite installs, builds, serves with updates, and runs tests', async ({
  page,
  registry,
}) => {
  test.setTimeout(600_000);
  const exec = await openWith(page, [registry.host], FILES);
  await exec(`printf '%s' '${npmrcOf(registry)}' > ~/.npmrc`);
  const made = await exec('npm create vite@latest app -- --template svelte');
  expect(made.output).toContain('Done. Now run:');
  const installed = await exec('cd app && npm install --save-dev vitest');
  expect(installed.output).toMatch(/added \d+ packages/);
  expect(installed.output).toContain('node_modules has lightningcss-wasm 1.33.0 in its place');
  expect(installed.exitCode).toBe(0);
  expect(
    (await exec('cd app && grep -c lightningcss-wasm package-lock.json; npm ls lightningcss')).output,
  ).toMatch(/^0\n.*\n└─┬ vite@\S+\n {2}└── lightningcss@1\.33\.0\n/);

  const built = await exec('cd app && npm run build && cat dist/assets/*.js');
  expect(built.output).toContain('✓ built in');
  expect(built.output).toContain('Get started');
  expect(built.exitCode).toBe(0);

  // The page of the dev server stands in the preview, and shows a change without being loaded again.
  const serving = exec(
    'cd app && { npm run dev > ~/dev.log 2>&1 & } && until test -f stop; do sleep 0.2; done; kill %1; wait; cat ~/dev.log',
  );
  // If the server does not come up, the failure shows what it printed.
  const up = await exec(
    'for _ in $(seq 300); do curl -sf localhost:5173 > /dev/null && exit; sleep 0.2; done; ps; cat ~/dev.log; exit 1',
  );
  expect(up).toMatchObject({ output: '', exitCode: 0 });
  await page.getByRole('tab', { name: 'Preview' }).click();
  const shown = page.frameLocator('iframe[title="Page in the preview"]').frameLocator('iframe[title="Page"]');
  const counter = shown.getByRole('button', { name: /^Count is/ });
  await counter.click({ timeout: 60_000 });
  await expect(counter).toHaveText('Count is 1');
  await exec(`cd app && sed -i 's/Get started/Changed/' src/App.svelte`);
  await expect(shown.getByRole('heading', { name: 'Changed' })).toBeVisible();
  await exec('touch app/stop');
  expect((await serving).output).toMatch(/VITE v8\.\S+ {2}ready in[^]*hmr update \/src\/App\.svelte/);

  const tested = await exec('cd app && cp ../sum* src && npx vitest run');
  expect(tested.output).toContain('expected 3 to be 4');
  expect(tested.output).toMatch(/Tests {2}1 failed \| 1 passed \(2\)/);
  expect(tested.exitCode).toBe(1);
});
