/**
 * Takes the pictures of docs/guide.md, and the one for previews of links, from the built app, each in a browser of its own. Run `npm run build` before.
 * `node scripts/guide-pictures.mjs`, or with the names of some pictures.
 */
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { chromiumArgs, ensureChromium, findHeadlessChromium } from './chromium.mjs';
import { serve } from './serving.mjs';

const DESKTOP = { width: 1280, height: 800 };
/** Of the picture that messengers show beside a link to the app. */
const LINK_PREVIEW = { width: 1200, height: 630 };
const PHONE = { width: 390, height: 780 };

/** A small project, and a scripted agent that adds a function to it and a test of it. */
const FILES = {
  'package.json': '{ "name": "prices", "type": "module", "scripts": { "test": "node --test" } }\n',
  'prices.ts':
    '/** Formats an amount of cents: `12.50 €`. */\nexport function format(cents: number): string {\n  return `${(cents / 100).toFixed(2)} €`;\n}\n',
  'README.md': '# Prices\n\nAmounts are whole cents everywhere.\n',
};
const SUM =
  '\n/** Adds up amounts of cents. */\nexport function sum(...cents: number[]): number {\n  return cents.reduce((total, each) => total + each, 0);\n}\n';
const TEST =
  "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { format, sum } from './prices.ts';\n\ntest('a sum is formatted', () => {\n  assert.equal(format(sum(1000, 250)), '12.50 €');\n});\n";
const SCRIPT = {
  version: 1,
  title: 'Add a sum',
  chunkDelayMs: 0,
  files: FILES,
  turns: [
    {
      steps: [
        { text: 'I look at what is there.', tools: [{ tool: 'read', input: { filePath: 'prices.ts' } }] },
        {
          tools: [
            { tool: 'write', input: { filePath: 'prices.ts', content: FILES['prices.ts'] + SUM } },
            { tool: 'write', input: { filePath: 'prices.test.ts', content: TEST } },
          ],
        },
        { tools: [{ tool: 'bash', input: { command: 'npm test', description: 'Run the tests' } }] },
        { text: '`sum` is there, with a test that passes.' },
      ],
    },
  ],
};

async function work(page, permission) {
  await page.evaluate(
    async ([script, rules]) => {
      const { vitrine } = window;
      await vitrine.ready;
      await vitrine.configure({ provider: 'scripted', model: 'script', script, permission: rules });
    },
    [SCRIPT, permission],
  );
}

async function workDone(page) {
  await work(page, 'allow');
  await page.evaluate(() => window.vitrine.prompt('Add a function that sums prices, with a test.'));
}

const SERVER = `import { createServer } from 'node:http';
createServer((request, response) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end('<!doctype html><title>Prices</title><style>body{font:16px system-ui;margin:3rem}td{padding:.3rem 2rem .3rem 0}</style><h1>Prices</h1><table><tr><td>Tea<td>3.20 €<tr><td>Coffee<td>4.10 €<tr><td>Cake<td>5.20 €<tr><td><b>Sum</b><td><b>12.50 €</b></table>');
}).listen(3000, () => console.log('http://localhost:3000'));
`;

/** The agent starts a small server. */
async function serverRuns(page) {
  const steps = [
    { tools: [{ tool: 'write', input: { filePath: 'server.js', content: SERVER } }] },
    { tools: [{ tool: 'bash', input: { command: 'node server.js &', description: 'Start the server' } }] },
    { text: 'The page is at http://localhost:3000.' },
  ];
  const script = { version: 1, title: 'Serve', chunkDelayMs: 0, files: FILES, turns: [{ steps }] };
  await page.evaluate(async (given) => {
    const { vitrine } = window;
    await vitrine.ready;
    await vitrine.configure({ provider: 'scripted', model: 'script', script: given, permission: 'allow' });
    await vitrine.prompt('Show the prices on a page.');
  }, script);
}

/** Each brings a page to what its picture shows. */
const PICTURES = {
  'first-page': {
    async show(page) {
      await page.getByRole('button', { name: 'Watch a demo' }).waitFor();
    },
  },
  question: {
    automated: true,
    async show(page) {
      await work(page, { bash: 'ask', edit: 'allow' });
      await page
        .getByRole('textbox', { name: 'Message' })
        .fill('Add a function that sums prices, with a test.');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      const question = page.getByRole('alertdialog', { name: 'Permission required' });
      await question.getByRole('button', { name: 'Allow once' }).and(page.locator(':enabled')).waitFor();
    },
  },
  changes: {
    automated: true,
    async show(page) {
      await workDone(page);
      await page.getByRole('tab', { name: 'Changes' }).click();
      const changes = page.getByRole('group', { name: 'Changes', exact: true });
      await changes.getByText('prices.ts', { exact: true }).click();
      await changes.getByRole('group', { name: 'Changes to prices.ts' }).waitFor();
    },
  },
  editor: {
    automated: true,
    async show(page) {
      await workDone(page);
      await page.getByRole('tab', { name: 'Files' }).click();
      await page.getByRole('treeitem', { name: 'prices.ts' }).click();
      await page.getByRole('textbox', { name: 'Text of prices.ts' }).waitFor();
    },
  },
  preview: {
    automated: true,
    async show(page) {
      await serverRuns(page);
      await page.getByRole('tab', { name: 'Preview' }).click();
      await page.waitForTimeout(3_000);
    },
  },
  commands: {
    automated: true,
    async show(page) {
      await workDone(page);
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('listbox', { name: 'Commands' }).waitFor();
    },
  },
  inspector: {
    automated: true,
    colorScheme: 'dark',
    async show(page) {
      await workDone(page);
      await page.getByRole('tab', { name: 'Inspector' }).click();
      await page.getByRole('treeitem', { name: /Run/ }).first().click();
    },
  },
  'link-preview': {
    automated: true,
    viewport: LINK_PREVIEW,
    file: '../public/link-preview.png',
    async show(page) {
      await workDone(page);
      await page.getByRole('button', { name: 'Show or hide sessions' }).click();
      await page.getByRole('tab', { name: 'Inspector' }).click();
      await page.getByRole('treeitem', { name: /Run/ }).first().click();
    },
  },
  phone: {
    automated: true,
    viewport: PHONE,
    async show(page) {
      await workDone(page);
    },
  },
};

const wanted = process.argv.slice(2);
const app = await serve();
const browser = await chromium.launch({
  executablePath: findHeadlessChromium() ?? ensureChromium(),
  args: chromiumArgs,
});
try {
  for (const [name, { automated, viewport = DESKTOP, colorScheme = 'light', file, show }] of Object.entries(
    PICTURES,
  )) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const context = await browser.newContext({ viewport, colorScheme, locale: 'en-US' });
    const page = await context.newPage();
    await page.goto(automated ? `${app.url}/?automation=1` : app.url);
    await show(page);
    await page.mouse.move(0, 0);
    // Colours and icons of what was just opened come a moment later.
    await page.waitForTimeout(1_500);
    const path = fileURLToPath(new URL(file ?? `../docs/guide/${name}.png`, import.meta.url));
    await page.screenshot({ path, animations: 'disabled' });
    console.log(`Saved ${path}`);
    await context.close();
  }
} finally {
  await browser.close();
  app.stop();
}
