/**
 * A recording of about 15 MB in the built app: how long it takes to save it as a session, against opening it from a
 * file. Both are measured from the choice of the person to what the page shows then.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median } from './support.mjs';

const BYTES = 15_000_000;
const FILES = 10;
const FILE_BYTES = 200_000;
const RUNS = 3;

export async function largeRecording(browser, url) {
  const directory = mkdtempSync(path.join(tmpdir(), 'vitrine-recording-'));
  try {
    const file = path.join(directory, 'large.vitrine.json');
    const text = grown(await recorded(browser, url), BYTES);
    writeFileSync(file, text);
    const runs = [];
    for (let run = 0; run < RUNS; run++) runs.push(await openedAndSaved(browser, url, file));
    const of = (value) => median(runs.map(value));
    const megabytes = (text.length / 1e6).toFixed(1);
    return [
      {
        name: 'A large recording: saving it as a session against opening it',
        value: of(({ opening, saving }) => saving / opening),
        unit: 'x',
        limit: 5,
        note: `${megabytes} MB, opened in ${of(({ opening }) => opening).toFixed(0)} ms, saved in ${of(({ saving }) => saving).toFixed(0)} ms; longest task ${of(({ longest }) => longest).toFixed(0)} ms`,
      },
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The recording of a short session that reads some large files. */
async function recorded(browser, url) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/?automation=1`);
  const names = Array.from({ length: FILES }, (_, index) => `file-${index}.txt`);
  const line = 'The quick brown fox jumps over the lazy dog, time after time.\n';
  const content = (name) => `${name}\n${line.repeat(FILE_BYTES / line.length)}`;
  const script = {
    version: 1,
    title: 'bench',
    chunkDelayMs: 0,
    files: Object.fromEntries(names.map((name) => [name, content(name)])),
    turns: [
      {
        steps: [
          { tools: names.map((name) => ({ tool: 'read', input: { filePath: name } })) },
          { text: 'These are many words of an answer.' },
        ],
      },
    ],
  };
  const recording = await page.evaluate(async (given) => {
    await window.vitrine.configure({
      provider: 'scripted',
      model: 'script',
      script: given,
      permission: 'allow',
    });
    const { sessionID } = await window.vitrine.prompt('Read them');
    return window.vitrine.sessions.export(sessionID);
  }, script);
  await context.close();
  return recording;
}

/** The recording with its answer repeated until its text has this many bytes. */
function grown(recording, bytes) {
  const [session] = recording.sessions;
  const index = session.events.findLastIndex(
    ({ type, part }) => type === 'step.part' && part.type === 'text-delta',
  );
  const delta = session.events[index];
  const missing = bytes - JSON.stringify(recording).length;
  const copies = Math.ceil(missing / (JSON.stringify(delta).length + 1));
  session.events.splice(index, 0, ...Array.from({ length: copies }, () => delta));
  for (const later of recording.laterFiles ?? []) if (later.after > index) later.after += copies;
  return JSON.stringify(recording);
}

async function openedAndSaved(browser, url, file) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/?automation=1`);
  await page.evaluate(() => window.vitrine.ready);
  await page.evaluate(watchTasks);
  await page.getByRole('button', { name: 'Workspace options' }).click();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Open recording' }).click(),
  ]);
  const bar = page.getByRole('group', { name: 'Recording' });
  const opening = await timed(async () => {
    await chooser.setFiles(file);
    await bar.waitFor({ timeout: 120_000 });
  });
  await bar.getByRole('button', { name: 'Recording actions' }).click();
  const save = page.getByRole('menuitem', { name: 'Save as a session' });
  await save.waitFor();
  const saving = await timed(async () => {
    await save.click();
    await page.waitForURL(/#\/session\//, { timeout: 120_000 });
  });
  const tasks = await page.evaluate(() => window.tasks);
  if (process.env.VERBOSE) console.log({ opening, saving, tasks });
  await context.close();
  return { opening, saving, longest: Math.max(0, ...tasks) };
}

/** Runs in the page: notes how long its long tasks are. */
function watchTasks() {
  window.tasks = [];
  new PerformanceObserver((list) =>
    window.tasks.push(...list.getEntries().map(({ duration }) => duration)),
  ).observe({ type: 'longtask' });
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
