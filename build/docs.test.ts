import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { satisfies } from 'semver';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: { readonly 'node-version'?: unknown };
}

test("the README's Playwright example is the one that the end-to-end tests run", () => {
  const [, example] = /```ts\n([^]*?)```/.exec(read('README.md')) ?? [];
  expect(example).toBe(read('test/e2e/readme-example.spec.ts'));
});

test("the test kit's first example is the same wherever it stands", () => {
  const example = read('examples/first.spec.ts');
  const [, inGuide] = /```ts\n([^]*?)```/.exec(read('docs/testing.md')) ?? [];
  expect(inGuide).toBe(example);
});

test('the test kit takes the same server as the repository', () => {
  const own = JSON.parse(read('package.json')).devDependencies;
  for (const [name, version] of Object.entries(JSON.parse(read('kit/package.json')).dependencies))
    expect(version).toBe(own[name]);
});

test("the guide's workflow runs what the examples' package runs, on a Node that the kit supports", () => {
  const [, text = ''] = /```yaml\n(name:[^]*?)```/.exec(read('docs/testing.md')) ?? [];
  const { on, jobs } = parse(text) as { on: string[]; jobs: { test: { steps: Step[] } } };
  expect(on).toContain('pull_request');
  const { steps } = jobs.test;
  const { scripts, devDependencies } = JSON.parse(read('examples/package.json'));
  expect(steps.flatMap(({ run }) => run ?? [])).toEqual([
    'npm ci',
    'npx playwright install --with-deps chromium',
    // The list tells how the run went, and the page is what the artifact is for.
    `npx ${scripts.test} --reporter=list,html`,
  ]);
  const kit = JSON.parse(read('kit/package.json'));
  const node = steps.find(({ uses }) => uses?.startsWith('actions/setup-node@'))?.with?.['node-version'];
  // The newest of a line, which setup-node takes.
  expect(satisfies(`${String(node)}.99.0`, kit.engines.node)).toBe(true);
  expect(satisfies(kit.version, devDependencies.vitrine)).toBe(true);
  expect(devDependencies).toHaveProperty('@playwright/test');
});

test('the guide to testing names every matcher and every option', () => {
  const guide = read('docs/testing.md');
  const matchers = [...read('kit/playwright/expect.ts').matchAll(/async (to\w+)\(/g)].map(([, name]) => name);
  expect(matchers.length).toBeGreaterThan(8);
  expect(matchers.filter((name) => !guide.includes(`.${name}(`))).toEqual([]);
  const [, options = ''] =
    /interface VitrineOptions \{([^]*?)\n\}/.exec(read('kit/playwright/options.ts')) ?? [];
  const names = [...options.matchAll(/readonly (\w+)\?:/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(7);
  expect(names.filter((name) => !guide.includes(`| \`${name}\` |`))).toEqual([]);
});

/**
 * Returns the names in backticks in the first column of the table below a heading of docs/architecture.md.
 */
function listed(heading: string): string[] {
  const [, section = ''] = read('docs/architecture.md').split(`## ${heading}\n`);
  const rows = section.split('\n## ')[0]?.matchAll(/^\| (`.*?) \|/gm) ?? [];
  return [...rows].flatMap(([, cell = '']) => [...cell.matchAll(/`(.*?)`/g)].map(([, name = '']) => name));
}

test('the architecture names every dependency, and no other', () => {
  const { dependencies } = JSON.parse(read('package.json'));
  const names = Object.keys(dependencies).map((name) => name.replace(/^(@ai-sdk|@codemirror)\/.*/, '$1/*'));
  expect(listed('Dependencies').sort()).toEqual([...new Set(names)].sort());
});

test('the architecture names every room, and no other', () => {
  const rooms = readdirSync(new URL('../src', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(`src/${entry.name}`).length > 0)
    .map(({ name }) => `src/${name}/`);
  const others = ['src/main.ts', 'guest/', 'kit/', 'build/', 'test/'];
  expect(listed('Rooms').sort()).toEqual([...rooms, ...others].sort());
});

test('CONTRIBUTING.md names only paths and npm scripts that exist, besides those of its examples', () => {
  const text = read('CONTRIBUTING.md');
  const examples = /^src\/(tools\/count|lessons\/10-one-command)\//;
  const paths = [...text.matchAll(/(?<![\w/.])(?:src|guest|test|build|scripts|docs)\/[\w./-]*\w\/?/g)].map(
    ([path]) => path,
  );
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !examples.test(path) && !existsSync(path))).toEqual([]);
  const { scripts } = JSON.parse(read('package.json'));
  const named = [...text.matchAll(/npm (?:run (\w+)|(start|test)\b)/g)].map(([, run, short]) => run ?? short);
  expect(named.filter((name) => !Object.hasOwn(scripts, name ?? ''))).toEqual([]);
});
