import { createTwoFilesPatch } from 'diff';
import { beforeEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';

let app: FakeApp;
let session: FakeSession;

beforeEach(() => {
  app = new FakeApp();
  app.space('w', 'space');
  session = app.add(new FakeSession('ses_a', 'w', 'A')) as FakeSession;
  session.user('m0', 'go');
  session.step('m1');
});

function card(callID: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`[data-part="tool"][data-call="${callID}"]`);
  if (!found) throw new Error(`No card for ${callID}`);
  return found;
}

function isOpen(callID: string): boolean {
  return card(callID).querySelector('button')!.getAttribute('aria-expanded') === 'true';
}

test('a card says its tool, call, status and outcome as they change', async () => {
  await openPage(app, 'ses_a');
  session.append({
    type: 'step.part',
    messageID: 'm1',
    part: { type: 'tool-input-start', callID: 'c1', tool: 'bash' },
  });
  await expect.poll(() => card('c1').dataset).toMatchObject({ tool: 'bash', status: 'pending' });
  session.running('m1', 'c1', 'bash', { command: './test.sh' });
  await expect.poll(() => card('c1').dataset.status).toBe('running');
  expect(card('c1').dataset.outcome).toBeUndefined();
  session.ended('m1', 'c1', 'all good');
  await expect.poll(() => ({ ...card('c1').dataset })).toMatchObject({ status: 'completed', outcome: 'ok' });
});

test('arguments are shown while the model types them', async () => {
  await openPage(app, 'ses_a');
  const part = (delta: string) =>
    session.append({
      type: 'step.part',
      messageID: 'm1',
      part: { type: 'tool-input-delta', callID: 'c1', delta },
    });
  session.append({
    type: 'step.part',
    messageID: 'm1',
    part: { type: 'tool-input-start', callID: 'c1', tool: 'write' },
  });
  part('{"filePath":"a.js","cont');
  await expect.element(page.getByText('a.js')).toBeVisible();
  part('ent":"let x =');
  await expect.element(page.getByText('let x =')).toBeVisible();
  expect(card('c1').textContent).toContain('Write');
});

test('live output appears as it comes and its end is in sight', async () => {
  await openPage(app, 'ses_a');
  session.running('m1', 'c1', 'bash', { command: './long.sh' });
  for (let i = 0; i < 100; i++)
    session.append({ type: 'call.output', messageID: 'm1', callID: 'c1', text: `line ${i}\n` });
  await expect.element(page.getByText('line 99')).toBeVisible();
  const output = card('c1').querySelector('pre')!;
  expect(output.scrollTop + output.clientHeight).toBeGreaterThan(output.scrollHeight - 20);
});

test('one line when fine, with the last thing it said; open on demand', async () => {
  session.running('m1', 'c1', 'bash', { command: './test.sh' });
  session.wait(1400);
  session.ended('m1', 'c1', 'ok 1\nok 2\n12 passed\n', { metadata: { exitCode: 0 } });
  await openPage(app, 'ses_a');
  expect(isOpen('c1')).toBe(false);
  expect(card('c1').textContent).toContain('12 passed');
  expect(card('c1').textContent).toContain('1.4 s');
  expect(card('c1').textContent).not.toContain('ok 1');
  await page.getByRole('button', { name: /Run .*test\.sh/ }).click();
  await expect.element(page.getByText('ok 1')).toBeVisible();
});

test.each([
  ['bash', { command: 'ls', description: 'Look' }, {}],
  ['edit', { filePath: 'a.js', oldString: 'a', newString: 'b' }, { diff: '' }],
  ['webfetch', { url: 'https://a.example/', format: 'text' }, {}],
] as const)(
  'the card of %s shows every argument by its name once it is opened',
  async (tool, input, metadata) => {
    session.running('m1', 'c1', tool, input);
    session.ended('m1', 'c1', 'fine', { metadata });
    await openPage(app, 'ses_a');
    expect(isOpen('c1')).toBe(false);
    card('c1').querySelector('button')!.click();
    const given = page.getByRole('group', { name: 'Arguments' });
    for (const [name, value] of Object.entries(input)) {
      await expect.element(given.getByText(name, { exact: true })).toBeVisible();
      await expect.element(given.getByText(value, { exact: true })).toBeVisible();
    }
  },
);

test('of a finished call all is shown that the model was given, with the note at its start', async () => {
  const lines = Array.from({ length: 2000 }, (_, n) => `reading ${n} ok`).join('\n');
  session.running('m1', 'c1', 'bash', { command: './night.sh' });
  session.append({ type: 'call.output', messageID: 'm1', callID: 'c1', text: lines });
  session.ended('m1', 'c1', `(3000 lines in all)\n${lines}`, { metadata: { exitCode: 1 } });
  await openPage(app, 'ses_a');
  await expect.element(page.getByText('(3000 lines in all)')).toBeVisible();
  expect(card('c1').textContent).not.toContain('not shown');
});

test('the command of a call that waits shows its end with its beginning, and letters that pass for others', async () => {
  const command = `eсho hi${'\n'.repeat(200)}rm -rf src`;
  session.call('m1', 'c1', 'bash', { command });
  session.ask('m1', 'c1', 'r1', { subject: { kind: 'command', command } });
  await openPage(app, 'ses_a');
  await expect.poll(() => card('c1').querySelector('.target')?.textContent).toBe('e\\u0441ho hi …');
  if (!isOpen('c1')) card('c1').querySelector('button')!.click();
  await expect
    .poll(() => card('c1').querySelector('pre')?.textContent)
    .toBe('e\\u0441ho hi⏎ × 200rm -rf src');
});

test('a command that failed is open and says its exit code', async () => {
  session.running('m1', 'c1', 'bash', { command: 'false' });
  session.ended('m1', 'c1', 'no', { metadata: { exitCode: 1 } });
  await openPage(app, 'ses_a');
  expect(isOpen('c1')).toBe(true);
  expect(card('c1').textContent).toContain('exit 1');
});

test('what the shell adds for the model is told apart from what the command printed', async () => {
  session.running('m1', 'c1', 'bash', { command: 'sleep 9' });
  const note = '<shell_metadata>\nTimed out after 2 s.\n</shell_metadata>';
  session.ended('m1', 'c1', `tick\n\n${note}`, { metadata: { exitCode: 124 } });
  await openPage(app, 'ses_a');
  await expect.element(page.getByText('Timed out after 2 s.', { exact: true })).toBeVisible();
  expect(card('c1').querySelector('pre')?.textContent).toBe('tick');
});

test.each([
  ['failed', 'failed'],
  ['denied', 'denied'],
  ['cancelled', 'cancelled'],
  ['interrupted', 'interrupted'],
  ['invalid', 'not valid'],
] as const)('outcome %s is told in words', async (outcome, word) => {
  session.running('m1', 'c1', 'bash', { command: 'x' });
  session.ended('m1', 'c1', 'what came of it', { outcome });
  await openPage(app, 'ses_a');
  expect(card('c1').dataset).toMatchObject({ status: 'error', outcome });
  expect(card('c1').textContent).toContain(word);
  expect(isOpen('c1')).toBe(true);
  await expect.element(page.getByText('what came of it')).toBeVisible();
});

test('an edit shows its diff with the numbers of its lines', async () => {
  const diff = createTwoFilesPatch('a', 'a', 'one\ntwo\nthree\n', 'one\n2\nthree\n');
  session.running('m1', 'c1', 'edit', { filePath: 'a.txt' });
  session.ended('m1', 'c1', 'Edited', { metadata: { diff } });
  await openPage(app, 'ses_a');
  expect(card('c1').textContent).toContain('+1');
  expect(card('c1').textContent).toContain('−1');
  const rows = [...card('c1').querySelectorAll('.block > div')].map((row) => row.textContent?.trim());
  expect(rows).toEqual(['1 one', '2−two', '2+2', '3 three']);
});

test('hostile output, names and arguments stay text', async () => {
  const evil = '<img src=x onerror="window.hit = true">';
  session.running('m1', 'c1', 'bash', { command: evil });
  session.append({ type: 'call.output', messageID: 'm1', callID: 'c1', text: `${evil}\x1b]0;t\x07\x00` });
  session.running('m1', 'c2', evil, { [evil]: evil });
  session.running('m1', 'c3', 'edit', { filePath: evil });
  session.ended('m1', 'c3', 'x', {
    metadata: { diff: createTwoFilesPatch(evil, evil, '', `${evil}\n`) },
  });
  await openPage(app, 'ses_a');
  await expect.poll(() => document.querySelectorAll('[data-part="tool"]').length).toBe(3);
  expect(document.querySelector('article img')).toBeNull();
  expect('hit' in window).toBe(false);
});

describe('finished reads and searches', () => {
  beforeEach(() => {
    session.running('m1', 'r1', 'read', { filePath: 'a.js' });
    session.ended('m1', 'r1', '1: a');
    session.running('m1', 'r2', 'grep', { pattern: 'total' });
    session.ended('m1', 'r2', 'Found 1');
    session.stepEnd('m1');
    session.step('m2');
    session.running('m2', 'r3', 'read', { filePath: 'b.js' });
    session.ended('m2', 'r3', '1: b');
    session.stepEnd('m2');
  });

  test('share one line, across steps, and each can be opened', async () => {
    await openPage(app, 'ses_a');
    const tops = ['r1', 'r2', 'r3'].map((id) => card(id).getBoundingClientRect().top);
    expect(new Set(tops).size).toBe(1);
    expect(document.querySelectorAll('article')).toHaveLength(3);
    await page.getByRole('button', { name: /Read b\.js/ }).click();
    await expect.element(page.getByText('1: b')).toBeVisible();
  });

  test('show their arguments as the model wrote them once they are opened', async () => {
    session.step('m3');
    session.append({
      type: 'step.part',
      messageID: 'm3',
      part: { type: 'tool-input-delta', callID: 'r4', delta: '{"filePath":"c.js"}' },
    });
    session.running('m3', 'r4', 'read', { filePath: 'c.js', offset: 1, limit: 2000 });
    session.ended('m3', 'r4', '1: c');
    session.running('m3', 'r5', 'list', {});
    session.ended('m3', 'r5', 'a.js');
    await openPage(app, 'ses_a');
    await page.getByRole('button', { name: /Read c\.js/ }).click();
    const given = page.getByRole('group', { name: 'Arguments' });
    await expect.element(given).toHaveTextContent(/^Arguments\s*filePath\s*c\.js$/);
    const output = card('r4').querySelector('[aria-label="Output"]')!;
    const { bottom } = given.element().getBoundingClientRect();
    expect(bottom).toBeLessThanOrEqual(output.getBoundingClientRect().top);
    await page.getByRole('button', { name: /List \./ }).click();
    await expect.element(page.getByText('No arguments')).toBeVisible();
  });

  test('share a line also below what was said before them', async () => {
    session.step('m3');
    session.text('m3', 'And these:');
    for (const id of ['s1', 's2']) {
      session.running('m3', id, 'read', { filePath: `${id}.js` });
      session.ended('m3', id, '1: x');
    }
    await openPage(app, 'ses_a');
    expect(card('s1').getBoundingClientRect().top).toBe(card('s2').getBoundingClientRect().top);
  });

  test('a failed one keeps its card', async () => {
    session.step('m3');
    session.running('m3', 'r4', 'read', { filePath: 'none.js' });
    session.ended('m3', 'r4', 'File not found', { outcome: 'failed' });
    session.stepEnd('m3');
    await openPage(app, 'ses_a');
    await expect.element(page.getByText('File not found')).toBeVisible();
    expect(card('r4').tagName).toBe('SECTION');
  });
});

test('a full output is fetched on demand, and said to be gone when it is', async () => {
  app.blobs.set('h1', 'the whole text');
  const full = { path: '~/x', blob: 'h1', bytes: 123_456, lines: 3000 };
  session.running('m1', 'c1', 'bash', { command: 'x' });
  session.ended('m1', 'c1', 'cut', { fullOutput: full, metadata: { exitCode: 1 } });
  session.running('m1', 'c2', 'bash', { command: 'y' });
  session.ended('m1', 'c2', 'cut', { fullOutput: { ...full, blob: 'h2' }, metadata: { exitCode: 1 } });
  session.append({ type: 'output.dropped', messageID: 'm1', callID: 'c2' });
  await openPage(app, 'ses_a');
  await page.getByRole('button', { name: 'Show the full output (123 kB)' }).click();
  await expect.element(page.getByText('the whole text')).toBeVisible();
  await expect.element(page.getByText(/deleted after 7 days/)).toBeVisible();
});

test('a numeric progress draws a bar until the call ends', async () => {
  await openPage(app, 'ses_a');
  session.append({
    type: 'step.part',
    messageID: 'm1',
    part: { type: 'tool-input-start', callID: 'c1', tool: 'deploy' },
  });
  session.running('m1', 'c1', 'deploy', {});
  session.append({ type: 'call.progress', messageID: 'm1', callID: 'c1', metadata: { progress: 40 } });
  const bar = page.getByRole('progressbar', { name: 'deploy' });
  await expect.element(bar).toHaveAttribute('aria-valuenow', '40');
  session.ended('m1', 'c1', 'live');
  await expect.poll(() => bar.elements().length).toBe(0);
});

test('the calls of a batch are in its card', async () => {
  await openPage(app, 'ses_a');
  session.append({
    type: 'step.part',
    messageID: 'm1',
    part: { type: 'tool-input-start', callID: 'c1', tool: 'batch' },
  });
  session.running('m1', 'c1', 'batch', {});
  session.append({
    ...{ type: 'call.added', messageID: 'm1', callID: 'c1.1', parent: 'c1', tool: 'bash' },
    input: { command: 'ls' },
  });
  const made = page.getByRole('group', { name: 'Calls of this batch' });
  await expect.element(made.getByText('ls')).toBeVisible();
  expect(card('c1').contains(card('c1.1'))).toBe(true);
  expect(document.querySelectorAll('[data-call="c1.1"]')).toHaveLength(1);
});

test('a call that the person opened while it ran stays open when it is a line', async () => {
  await openPage(app, 'ses_a');
  session.running('m1', 'c1', 'read', { filePath: 'a.txt' });
  session.running('m1', 'c2', 'read', { filePath: 'b.txt' });
  await expect.poll(() => isOpen('c2')).toBe(true);
  const head = (callID: string) => card(callID).querySelector('button')!;
  head('c2').click();
  await expect.poll(() => isOpen('c2')).toBe(false);
  head('c2').click();
  await expect.poll(() => isOpen('c2')).toBe(true);
  session.ended('m1', 'c2', 'the second file');
  await expect.element(page.getByText('the second file')).toBeVisible();
  // The two now share a line.
  session.ended('m1', 'c1', 'the first file');
  await expect.poll(() => card('c1').dataset.outcome).toBe('ok');
  await expect.poll(() => card('c1').tagName).toBe('SPAN');
  expect(isOpen('c1')).toBe(false);
  expect(isOpen('c2')).toBe(true);
  await expect.element(page.getByText('the second file')).toBeVisible();
});

test('a call of a batch that the person opened while it ran stays open when it is a line', async () => {
  await openPage(app, 'ses_a');
  session.running('m1', 'c1', 'batch', {});
  session.append({
    ...{ type: 'call.added', messageID: 'm1', callID: 'c1.1', parent: 'c1', tool: 'read' },
    input: { filePath: 'a.txt' },
  });
  session.running('m1', 'c1.1', 'read', { filePath: 'a.txt' });
  await expect.poll(() => isOpen('c1.1')).toBe(true);
  const head = () => card('c1.1').querySelector('button')!;
  head().click();
  await expect.poll(() => isOpen('c1.1')).toBe(false);
  head().click();
  await expect.poll(() => isOpen('c1.1')).toBe(true);
  session.ended('m1', 'c1.1', 'the file');
  await expect.poll(() => card('c1.1').tagName).toBe('SPAN');
  expect(isOpen('c1.1')).toBe(true);
});
