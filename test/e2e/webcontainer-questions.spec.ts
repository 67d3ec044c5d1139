import { readFileSync } from 'node:fs';
import { Answers } from '../webcontainer/answers.ts';
import { askEverything } from '../webcontainer/ask.ts';
import { questions } from '../webcontainer/questions.ts';
import { serveQuestions } from '../webcontainer/server.ts';
import { fakeRuntime } from './runtime.ts';
import { expect, test } from './test.ts';

/** The rehearsal of `npm run test:webcontainer`: what asks the real runtime once must not fail by itself. */
test('every question to the real runtime is asked and answered, on the test host', async ({
  page,
  complaints,
}, info) => {
  // The page that asks may fail in any way: what it says is its answers.
  complaints.expect(/./);
  await fakeRuntime(page, { echo: 'caret' });
  const answers = new Answers(info.outputPath('answers'));
  const served = await serveQuestions(answers);
  await askEverything(page.context(), served);
  await served.close();
  const asked = [
    'boot',
    ...questions.map(({ id }) => id),
    'second-boot',
    'teardown',
    'credentialless',
    'refused-key',
  ];
  expect([...answers.answered].sort()).toEqual([...asked].sort());
  const report = readFileSync(info.outputPath('answers', 'report.md'), 'utf8');
  expect(report).toContain('the first boot take');
  expect(report).not.toContain('no answer in');
  // The known behaviour of this host comes through as it is.
  expect(report).toMatch(/typed\\r\\n\^D/);
  expect(report).toContain('boot says nothing');
  expect(report).toMatch(/\\"mode\\":\\"\d*755\\"/);
});

test('a question that takes the page along is left out, and the next ones are asked', async ({
  page,
  complaints,
}, info) => {
  complaints.expect(/./);
  await fakeRuntime(page);
  const answers = new Answers(info.outputPath('answers'));
  const served = await serveQuestions(answers);
  await page.goto(served.url);
  await served.news(30_000);
  const begun = { browser: await page.evaluate(() => navigator.userAgent), id: 'echo', asks: 'What shows?' };
  answers.begin(begun);
  await page.reload();
  await expect.poll(() => answers.answered, { timeout: 60_000 }).toContain('carriage-returns');
  expect(answers.answered).not.toContain('echo');
  expect(answers.report()).toContain('the page did not outlive this question');
  await served.close();
});
