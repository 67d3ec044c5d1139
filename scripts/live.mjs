/**
 * `npm run live`: asks the real services what tests on loopback cannot know, and saves the answers in live-report/: answers.json and
 * summary.md. Services that this machine cannot reach are listed as such. `npm run live -- openrouter hub` asks only the questions
 * whose ids begin so; `--list` lists them.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { sourceServer } from './source-server.mjs';

// This must precede the import of the browser's arguments, which block a host for every other test.
process.env.VITRINE_LIVE = '1';

const FOLDER = 'live-report';
const wanted = process.argv.slice(2).filter((each) => !each.startsWith('--'));

const server = await sourceServer();
try {
  const { askAll, chosen, summaryOf } = await server.ssrLoadModule('/test/live/live.ts');
  const questions = chosen(wanted);
  if (process.argv.includes('--list')) for (const { id, asks } of questions) console.log(`${id}: ${asks}`);
  else if (questions.length === 0) {
    console.error(`No question begins with ${wanted.join(' or ')}. See npm run live -- --list`);
    process.exitCode = 1;
  } else await ask(questions, askAll, summaryOf);
} finally {
  await server.close();
}

/** Some questions are asked in the built app. */
function build() {
  const { status } = spawnSync('npx', ['--no-install', 'vite', 'build'], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

async function ask(questions, askAll, summaryOf) {
  build();
  const { fetchAs } = await server.ssrLoadModule('/test/live/world.ts');
  const { Browsers } = await server.ssrLoadModule('/test/live/browser.ts');
  const browsers = new Browsers();
  const when = new Date().toISOString();
  const world = {
    fetch: fetchAs('http://localhost:4173'),
    run: (command, hosts) => browsers.run(command, hosts),
    inBrowsers: (code) => browsers.inBrowsers(code),
  };
  const tell = ({ id, outcome, says }) => console.log(`${outcome.padEnd(12)} ${id}: ${says}`);
  const results = await askAll(questions, world, tell).finally(() => browsers.close());
  const machine = { node: process.version, platform: process.platform, arch: process.arch };
  const summary = summaryOf(results, when);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}/answers.json`, `${JSON.stringify({ when, machine, results }, null, 2)}\n`);
  writeFileSync(`${FOLDER}/summary.md`, summary);
  console.log(`\n${summary}\nSaved in ${FOLDER}/summary.md and ${FOLDER}/answers.json`);
  if (results.some(({ outcome }) => outcome === 'different' || outcome === 'failed')) process.exitCode = 1;
}
