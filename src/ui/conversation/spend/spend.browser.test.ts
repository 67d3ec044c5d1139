import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApp } from '../../../../test/support/stories/fake-app.ts';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { openPage } from '../../../../test/support/stories/open-page.ts';
import type { EventBody } from '../../../session/log/events.ts';

let app: FakeApp;
let session: FakeSession;
const meter = page.getByRole('button', { name: /^Context: / });
const panel = page.getByRole('dialog', { name: 'Context' });
const composer = page.getByRole('textbox', { name: 'Message' });
const model = { provider: 'anthropic', model: 'claude-sonnet-5-5' };

beforeEach(() => {
  app = new FakeApp();
  app.space('w', 'space');
  session = app.add(new FakeSession('ses_a', 'w', 'A')) as FakeSession;
});

function step(id: string, over: Partial<EventBody & { type: 'step.started' }> = {}): void {
  session.append({
    type: 'step.started',
    messageID: id,
    parentID: session.state.head ?? '',
    step: 0,
    agent: 'build',
    model,
    request: {
      base: null,
      append: [],
      system: 's',
      tools: 't',
      settings: {},
      sizes: { system: 2_000, tools: 8_000, messages: 5_000, outputs: 25_000, files: 0 },
      limit: 100_000,
    },
    ...over,
  });
}

function end(id: string, text: string, cost?: number): void {
  session.append(
    { type: 'step.part', messageID: id, part: { type: 'text-start', id: 't' } },
    { type: 'step.part', messageID: id, part: { type: 'text-delta', id: 't', text } },
    { type: 'step.part', messageID: id, part: { type: 'text-end', id: 't' } },
    {
      type: 'step.ended',
      messageID: id,
      reason: 'stop',
      usage: { inputTokens: 40_000, cacheReadTokens: 30_000, outputTokens: 1_200, reasoningTokens: 300 },
      ...(cost !== undefined && { cost }),
    },
  );
}

test('how full the context is, of what, and what the session has cost', async () => {
  session.user('m0', 'Do it');
  step('m1');
  end('m1', 'Done.', 0.0423);
  session.turnEnd('idle');
  await openPage(app, 'ses_a');
  await expect.element(meter).toHaveAccessibleName('Context: 40k of 100k tokens used');
  await meter.click();
  await expect.element(panel).toBeVisible();
  for (const text of ['Tool outputs', '25k', 'Free', '60k', 'Cached', '30k', 'Reasoning', '$0.04'])
    await expect.element(panel.getByText(text, { exact: true }).first()).toBeVisible();
  await panel.getByRole('button', { name: 'Summarize the conversation' }).click();
  expect(session.calls).toContainEqual(['compact', expect.anything()]);
  await expect.element(panel).not.toBeInTheDocument();
});

test('what sub-agents came to stands apart, and beside it the whole', async () => {
  session.user('m0', 'Do it');
  step('m1');
  const link = { messageID: 'm1', callID: 'c1' };
  const work = { agent: 'general', title: 'Look', background: true };
  session.append({ type: 'task.started', ...link, childID: 'ses_gone', ...work });
  session.append({
    type: 'task.ended',
    childID: 'ses_gone',
    state: 'completed',
    spent: { usage: { inputTokens: 5_000, outputTokens: 800 }, cost: 0.5 },
  });
  const child = app.add(
    new FakeSession('ses_b', 'w', 'Look', Date.now(), { sessionID: 'ses_a', ...link }),
  ) as FakeSession;
  session.append({ type: 'task.started', ...link, childID: 'ses_b', ...work });
  child.user('k0', 'Look');
  child.step('k1');
  end('m1', 'Done.', 0.25);
  session.turnEnd('idle');
  await openPage(app, 'ses_a');
  await meter.click();
  const whole = panel.getByRole('group', { name: 'With sub-agents' });
  await expect.element(whole).toHaveTextContent(/In 45k Out 2\.0k Cost \$0\.75/);
  await expect.element(panel.getByText('$0.25')).toBeVisible();
  // The sub-agent continues in the background.
  child.append({
    type: 'step.ended',
    messageID: 'k1',
    reason: 'stop',
    usage: { inputTokens: 10_000 },
    cost: 1,
  });
  await expect.element(whole).toHaveTextContent(/In 55k Out 2\.0k Cost \$1\.75/);
});

test('without a limit and a price there are tokens only', async () => {
  session.user('m0', 'Do it');
  step('m1', {
    request: {
      base: null,
      append: [],
      system: 's',
      tools: 't',
      settings: {},
      sizes: { system: 2_000, tools: 8_000, messages: 5_000, outputs: 25_000, files: 0 },
    },
  });
  end('m1', 'Done.');
  session.turnEnd('idle');
  await openPage(app, 'ses_a');
  await expect.element(meter).toHaveAccessibleName('Context: 40k tokens used');
  await meter.click();
  await expect.element(panel.getByText('Price unknown.')).toBeVisible();
  await expect.element(panel.getByText('Free')).not.toBeInTheDocument();
  expect(document.body.textContent).not.toContain('$');
});

test('a turn says what it came to, and each of its steps when asked', async () => {
  session.user('m0', 'Do it');
  step('m1');
  end('m1', 'First.', 0.01);
  step('m2');
  end('m2', 'Second.', 0.02);
  await openPage(app, 'ses_a');
  const spent = page.getByRole('button', { name: '80k in, 2.4k out · $0.03' });
  // A running turn shows no sum, since it would keep changing.
  await expect.element(page.getByText('Second.')).toBeVisible();
  await expect.element(spent).not.toBeInTheDocument();
  session.turnEnd('idle');
  await spent.click();
  const table = page.getByRole('table', { name: 'Usage by step' });
  await expect.element(table).toBeVisible();
  await expect
    .element(table.getByRole('row').nth(2))
    .toHaveTextContent(/claude-sonnet-5-5.*40k.*1.2k.*\$0.02/);
});

test('/compact is done and not sent', async () => {
  session.user('m0', 'Do it');
  step('m1');
  end('m1', 'Done.');
  session.turnEnd('idle');
  await openPage(app, 'ses_a');
  await composer.fill('/compact');
  await page.getByRole('button', { name: 'Send' }).click();
  expect(session.calls).toEqual([['compact', expect.anything()]]);
  await expect.element(composer).toHaveValue('');
});

test('a summary stands where it was made; what it sums up stays, and so do outputs that were taken out', async () => {
  session.user('m0', 'Do it');
  step('m1');
  end('m1', 'What was said.');
  session.turnEnd('idle');
  await openPage(app, 'ses_a');
  step('m2', { purpose: 'compaction' });
  await expect.element(page.getByText('Summarizing the conversation')).toBeVisible();
  end('m2', '## Goal\nA palindrome');
  session.append({
    type: 'context.compacted',
    messageID: 'm2',
    tail: null,
    reason: 'person',
    before: 30_000,
    after: 1_000,
  });
  const summary = page.getByRole('button', { name: 'Summarized: 30k tokens became 1.0k' });
  await expect.element(page.getByText('What was said.')).toBeVisible();
  await expect.element(page.getByText('A palindrome')).not.toBeInTheDocument();
  await summary.click();
  await expect.element(page.getByRole('heading', { name: 'Goal' })).toBeVisible();
  await expect.element(meter).toHaveAccessibleName('Context: 11k of 100k tokens used');
});

test('a summary that failed says that nothing is lost', async () => {
  session.user('m0', 'Do it');
  step('m1', { purpose: 'compaction' });
  session.append({
    type: 'step.ended',
    messageID: 'm1',
    reason: 'error',
    usage: {},
    fault: { code: 'auth', what: 'The key is wrong.' },
  });
  session.turnEnd('error');
  await openPage(app, 'ses_a');
  await expect.element(page.getByText('Nothing is lost.')).toBeVisible();
});

test('what the model no longer sees is marked in its card', async () => {
  session.user('m0', 'Do it');
  step('m1');
  const call = { messageID: 'm1', callID: 'c1' };
  session.append(
    {
      type: 'step.part',
      messageID: 'm1',
      part: { type: 'tool-call', callID: 'c1', tool: 'bash', input: { command: 'ls' } },
    },
    { type: 'call.running', ...call, tool: 'bash', input: { command: 'ls' } },
    {
      type: 'call.ended',
      ...call,
      outcome: 'ok',
      output: 'file\n'.repeat(100),
      title: 'ls',
      metadata: {},
      attachments: [],
    },
  );
  end('m1', 'Done.');
  session.turnEnd('idle');
  session.append({ type: 'outputs.pruned', before: session.state.nextSeq, calls: 1, tokens: 125 });
  await openPage(app, 'ses_a');
  await page.getByRole('button', { name: /Run ls/ }).click();
  await expect.element(page.getByText('the model no longer sees this output')).toBeVisible();
});

test('what the model is asked beside answering can be switched off', async () => {
  await openPage(app, 'ses_a');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('checkbox', { name: 'Name sessions automatically' }).click();
  expect(app.help).toEqual({ titles: false, summaries: true });
});

test('a model that counts nothing is not said to have taken nothing', async () => {
  session.user('m0', 'Do it');
  step('m1', { model: { provider: 'scripted', model: 'script' } });
  session.append({ type: 'step.ended', messageID: 'm1', reason: 'stop', usage: {} });
  session.turnEnd('idle');
  await openPage(app, 'ses_a');
  await meter.click();
  await expect.element(panel).toHaveTextContent('Instructions');
  await expect.element(panel).not.toHaveTextContent('This session');
});
