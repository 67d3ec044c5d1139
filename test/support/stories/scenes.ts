import { createTwoFilesPatch } from 'diff';
import { FakeApp } from './fake-app.ts';
import { FakeSession } from './fake-session.ts';

const HOUR = 3_600_000;

/** Sessions as they look at work, for looking at the page by eye. Each scene is an app and the session it opens. */
export const scenes: Readonly<Record<string, () => { app: FakeApp; open: string | null }>> = {
  empty: () => {
    const app = new FakeApp();
    app.modelChoice = null;
    return { app, open: null };
  },
  working: () => ({ app: fixing({ asking: true }), open: 'ses_fix' }),
  states: () => ({ app: cardStates(), open: 'ses_states' }),
  answer: () => ({ app: answering(), open: 'ses_answer' }),
  edit: () => ({ app: askingForEdit(), open: 'ses_edit' }),
  blanks: () => ({ app: askingToRun(`eсho hi${'\n'.repeat(200)}rm -rf src`), open: 'ses_run' }),
  letters: () => ({ app: askingToRun(`echo ${'a'.repeat(3000)}; rm -rf src`), open: 'ses_run' }),
  failed: () => ({ app: failed(), open: 'ses_failed' }),
  spent: () => ({ app: spent(), open: 'ses_spent' }),
  agents: () => ({ app: subAgents(), open: 'ses_lead' }),
  subagent: () => ({ app: subAgents(), open: 'ses_tests' }),
  long: () => ({ app: longConversation(), open: 'ses_long' }),
  readonly: () => {
    const app = fixing({ asking: true });
    for (const session of app.all) session.writable = false;
    app.persists = false;
    return { app, open: 'ses_fix' };
  },
};

const BEFORE = `export function sum(rows) {
  return Math.ceil(rows.reduce((t, r) => t + r.amount, 0) * 100) / 100
}
`;
const AFTER = `export function sum(rows) {
  const cents = rows.reduce((t, r) => t + Math.round(r.amount * 100), 0)
  return cents / 100
}
`;
const DIFF = createTwoFilesPatch('src/sum.js', 'src/sum.js', BEFORE, AFTER);

function shelf(): FakeApp {
  const app = new FakeApp();
  app.space('wsp_csv', 'csv-totals');
  app.space('wsp_todo', 'todo-api');
  const now = Date.now();
  app.add(new FakeSession('ses_json', 'wsp_csv', 'Add a --json flag', now - 2 * HOUR));
  app.add(new FakeSession('ses_explain', 'wsp_csv', 'Explain the parser', now - 26 * HOUR));
  app.add(new FakeSession('ses_delete', 'wsp_todo', 'Tests for DELETE /todos', now - 74 * HOUR));
  app.add(new FakeSession('ses_rate', 'wsp_todo', 'Rate limiting plan', now - 150 * HOUR));
  return app;
}

/** A request for a command whose end would be out of sight if all of it were shown. */
function askingToRun(command: string): FakeApp {
  const app = shelf();
  const s = new FakeSession('ses_run', 'wsp_csv', 'Say hello');
  app.all.unshift(s);
  s.user('m0', 'Say hello.');
  s.step('m1');
  s.call('m1', 'c1', 'bash', { command });
  s.ask('m1', 'c1', 'r1', { subject: { kind: 'command', command }, always: ['echo *'] });
  return app;
}

function fixing({ asking }: { asking: boolean }): FakeApp {
  const app = shelf();
  const s = new FakeSession('ses_fix', 'wsp_csv', 'Fix the rounding bug');
  app.all.unshift(s);
  s.user('m0', 'The totals are a cent off for some rows. Find out why and fix it, then prove it.');
  s.step('m1');
  s.reasoning('m1', 'The totals are wrong by a cent, so it is probably **rounding**.', 3000);
  s.text('m1', "I'll look at how amounts are summed, then run the tests to see the failure.");
  for (const [i, path] of ['src/sum.js', 'src/parse.js', 'test/sum.test.js'].entries()) {
    s.running('m1', `r${i}`, 'read', { filePath: path });
    s.wait(12);
    s.ended('m1', `r${i}`, `1: // ${path}`);
  }
  s.stepEnd('m1');
  s.step('m2');
  s.running('m2', 'g1', 'grep', { pattern: 'Math\\.(ceil|round)', path: 'src' });
  s.ended('m2', 'g1', 'Found 1 match');
  s.stepEnd('m2');
  s.step('m3');
  s.running('m3', 'b1', 'bash', { command: 'node --test' });
  s.wait(412);
  s.ended(
    'm3',
    'b1',
    "✔ parses quoted fields (1.9 ms)\n✖ sums 0.1 + 0.2 as 0.30 (2.4 ms)\n  expected '0.30', got '0.31'   at test/sum.test.js:14:3\n1 failed, 11 passed",
    { metadata: { exitCode: 1, duration: 412 } },
  );
  s.stepEnd('m3');
  s.step('m4');
  s.text('m4', '`Math.ceil` rounds every total **up**. Summing in cents avoids it.');
  s.running('m4', 'e1', 'edit', { filePath: 'src/sum.js' });
  s.wait(31);
  s.ended('m4', 'e1', 'Edited src/sum.js', { metadata: { diff: DIFF } });
  s.stepEnd('m4');
  s.step('m5');
  const command = 'npm test && git add -A && git commit -m "Sum in cents"';
  s.call('m5', 'b2', 'bash', { command });
  s.call('m5', 'b3', 'bash', { command: 'rm -rf coverage' });
  if (asking) {
    s.ask('m5', 'b2', 'req_1', {
      patterns: ['npm test', 'git add -A', 'git commit -m "Sum in cents"'],
      always: ['npm test *', 'git add *', 'git commit *'],
      subject: { kind: 'command', command },
    });
    s.ask('m5', 'b3', 'req_2', { subject: { kind: 'command', command: 'rm -rf coverage' } });
  }
  return app;
}

function cardStates(): FakeApp {
  const app = shelf();
  const s = new FakeSession('ses_states', 'wsp_csv', 'Every state of a card');
  app.all.unshift(s);
  s.user('m0', 'Show me every state.');
  s.step('m1');
  s.running('m1', 'ok', 'bash', { command: './test.sh' });
  s.wait(1400);
  s.ended('m1', 'ok', 'ok 1\nok 2\n12 passed, 0 failed', { metadata: { exitCode: 0 } });
  s.running('m1', 'failed', 'read', { filePath: 'src/summ.js' });
  s.ended('m1', 'failed', 'File not found: src/summ.js\nDid you mean src/sum.js?', { outcome: 'failed' });
  s.running('m1', 'denied', 'bash', { command: 'rm -rf .git' });
  s.ended('m1', 'denied', 'The person refused this: keep the history.', { outcome: 'denied' });
  s.running('m1', 'interrupted', 'bash', { command: 'sleep 100' });
  s.ended('m1', 'interrupted', 'tick\ntick', { outcome: 'interrupted' });
  s.running('m1', 'cancelled', 'bash', { command: 'echo later' });
  s.ended('m1', 'cancelled', '', { outcome: 'cancelled' });
  s.running('m1', 'invalid', 'edit', { filePath: 'x' });
  s.ended('m1', 'invalid', 'oldString is missing', { outcome: 'invalid' });
  s.running('m1', 'custom', 'deploy', { target: 'staging', dryRun: 1 });
  s.append({ type: 'call.progress', messageID: 'm1', callID: 'custom', metadata: { progress: 40 } });
  s.running('m1', 'live', 'bash', { command: 'for i in $(seq 1 100); do echo "line $i"; done' });
  s.append({
    type: 'call.output',
    messageID: 'm1',
    callID: 'live',
    text: Array.from({ length: 40 }, (_, i) => `\x1b[32mline ${i + 1}\x1b[0m`).join('\n'),
  });
  s.step('m2');
  s.append(
    {
      type: 'step.part',
      messageID: 'm2',
      part: { type: 'tool-input-start', callID: 'typing', tool: 'write' },
    },
    {
      type: 'step.part',
      messageID: 'm2',
      part: {
        type: 'tool-input-delta',
        callID: 'typing',
        delta:
          '{"filePath":"src/report.js","content":"export function report(rows) {\\n  const lines = rows.ma',
      },
    },
  );
  return app;
}

function answering(): FakeApp {
  const app = shelf();
  const s = new FakeSession('ses_answer', 'wsp_csv', 'Explain the fix');
  app.all.unshift(s);
  s.user('m0', 'Explain what was wrong, with an example.');
  s.step('m1');
  s.text(
    'm1',
    `## What was wrong

\`Math.ceil\` rounds **every** total up, so \`0.1 + 0.2\` (which is \`0.30000000000000004\`) became \`0.31\`.

| input | before | after |
|---|---:|---:|
| 0.1 + 0.2 | 0.31 | 0.30 |
| 1.005 + 1 | 2.01 | 2.01 |

1. Amounts are turned into whole cents first.
2. Cents are added, which is exact.
   - no floats in the sum
   - one division at the end

\`\`\`js
// exact below 2^53 cents
export function sum(rows) {
  const cents = rows.reduce((t, r) => t + Math.round(r.amount * 100), 0)
  return cents / 100
}
\`\`\`

> Money is an integer. See [What every computer scientist should know](https://example.org/floats).

<img src=x onerror=alert(1)> stays text.`,
  );
  s.append({
    type: 'step.ended',
    messageID: 'm1',
    reason: 'stop',
    usage: { inputTokens: 12_300, outputTokens: 380 },
  });
  s.turnEnd();
  return app;
}

function askingForEdit(): FakeApp {
  const app = shelf();
  const s = new FakeSession('ses_edit', 'wsp_csv', 'Sum in cents');
  app.all.unshift(s);
  s.user('m0', 'Fix it.');
  s.step('m1');
  s.call('m1', 'e1', 'edit', { filePath: 'src/sum.js', oldString: 'Math.ceil', newString: 'Math.round' });
  s.ask('m1', 'e1', 'req_e', {
    tool: 'edit',
    permission: 'edit',
    patterns: ['src/sum.js'],
    always: ['*'],
    subject: { kind: 'diff', path: 'src/sum.js', diff: DIFF },
  });
  return app;
}

function failed(): FakeApp {
  const app = shelf();
  const s = new FakeSession('ses_failed', 'wsp_csv', 'A key that is wrong');
  app.all.unshift(s);
  s.user('m0', 'Hello');
  s.step('m1');
  const fault = {
    code: 'auth',
    what: 'OpenAI refused the API key.',
    where: 'https://api.openai.com/v1/responses',
    next: 'Check the key in the settings: it may be mistyped, revoked or of another provider.',
  };
  s.append(
    { type: 'step.ended', messageID: 'm1', reason: 'error', usage: {}, fault },
    { type: 'turn.ended', status: 'error', fault },
  );
  return app;
}

function longConversation(): FakeApp {
  const app = shelf();
  const s = new FakeSession('ses_long', 'wsp_csv', 'A long conversation');
  app.all.unshift(s);
  for (let i = 0; i < 250; i++) {
    s.user(`u${i}`, `Question ${i}?`);
    s.step(`a${i}`);
    s.text(`a${i}`, `Answer ${i}. ${'More to say about `it`. '.repeat(20)}`);
    s.append({ type: 'step.ended', messageID: `a${i}`, reason: 'stop', usage: {} });
    s.turnEnd();
  }
  return app;
}

/** Work given to others: done, failed, under way, in the background, and one that asks. */
function subAgents(): FakeApp {
  const app = shelf();
  const s = new FakeSession('ses_lead', 'wsp_csv', 'Move the parser to streams');
  app.all.unshift(s);
  s.user('m0', 'Move the CSV parser to streams, and tell me what that breaks.');
  s.step('m1');
  s.text('m1', 'First I have others look at who calls it and what is known about it.');
  const give = (callID: string, agent: string, title: string, tool = 'task') => {
    const messageID = callID.startsWith('a') ? 'm1' : 'm2';
    const childID = `ses_${callID}`;
    s.running(messageID, callID, tool, { description: title, prompt: title, agent });
    const background = tool === 'background_task';
    s.append({ type: 'task.started', messageID, callID, childID, agent, title, background });
    return { sessionId: childID, agent, background };
  };
  const told = (id: string, state: string, text: string) => {
    const body = state === 'completed' ? 'task_result' : 'task_error';
    return `<task id="${id}" agent="x" title="x" state="${state}">\n<${body}>\n${text}\n</${body}>\n</task>`;
  };
  const callers = give('a1', 'explore', 'Find who calls the parser');
  s.wait(24_000);
  s.append({ type: 'task.ended', childID: 'ses_a1', state: 'completed' });
  s.ended('m1', 'a1', told('ses_a1', 'completed', 'Four callers: src/cli.js, src/http.js and two tests.'), {
    title: 'Find who calls the parser',
    metadata: { ...callers, steps: 6, calls: 11, cost: 0.0214, tokens: { input: 48_200, output: 1_310 } },
  });
  const docs = give('a2', 'librarian', 'Look up backpressure in web streams');
  s.wait(9000);
  s.append({ type: 'task.ended', childID: 'ses_a2', state: 'error' });
  s.ended(
    'm1',
    'a2',
    told('ses_a2', 'error', 'The provider refused the API key. Check it in the settings.'),
    {
      title: 'Look up backpressure in web streams',
      outcome: 'failed',
      metadata: { ...docs, steps: 1, calls: 0, tokens: {} },
    },
  );
  s.stepEnd('m1');
  s.step('m2');
  const bench = give('bench', 'general', 'Measure the parser as it is', 'background_task');
  s.ended('m2', 'bench', 'task_id: ses_bench', { title: 'Measure the parser as it is', metadata: bench });
  const tests = give('tests', 'general', 'Write tests for chunk borders');
  const recent = (tool: string, title: string, state: string) => ({ tool, title, state });
  s.append({
    type: 'call.progress',
    messageID: 'm2',
    callID: 'tests',
    title: 'Write tests for chunk borders',
    metadata: {
      ...tests,
      steps: 3,
      calls: 5,
      tokens: { input: 21_900, output: 2_040 },
      recent: [
        recent('read', 'src/parse.js', 'ok'),
        recent('grep', 'quoted', 'ok'),
        recent('write', 'test/chunks.test.js', 'ok'),
        recent('bash', 'node --test test/chunks.test.js', 'waiting'),
      ],
    },
  });
  const below = (callID: string, title: string, agent: string) => {
    const parent = { sessionID: 'ses_lead', messageID: 'm2', callID };
    const child = new FakeSession(`ses_${callID}`, 'wsp_csv', `${title} (@${agent})`, Date.now(), parent);
    child.append({ type: 'agent.chosen', agent });
    child.append({
      type: 'prompt.accepted',
      messageID: 'k0',
      parentID: null,
      text: `${title}. Answer with the **names** of what you have changed.`,
      agent,
      model: { provider: 'openai', model: 'gpt-5' },
      origin: { kind: 'task' },
    });
    child.append({ type: 'turn.started', promptID: 'k0' });
    child.step('k1');
    app.add(child);
    return child;
  };
  const measuring = below('bench', 'Measure the parser as it is', 'general');
  measuring.running('k1', 'r1', 'read', { filePath: 'bench/rows.csv' });
  measuring.ended('k1', 'r1', '1: a,b', { title: 'bench/rows.csv' });
  measuring.running('k1', 'b1', 'bash', { command: 'node bench/parse.js' });
  const writing = below('tests', 'Write tests for chunk borders', 'general');
  writing.text('k1', 'The borders that matter are inside quotes and between `\\r` and `\\n`.');
  writing.running('k1', 'w1', 'write', { filePath: 'test/chunks.test.js' });
  writing.ended('k1', 'w1', 'Wrote test/chunks.test.js', { title: 'test/chunks.test.js' });
  writing.call('k1', 'b2', 'bash', { command: 'node --test test/chunks.test.js' });
  const command = 'node --test test/chunks.test.js';
  writing.ask('k1', 'b2', 'req_tests', {
    patterns: [command],
    always: ['node --test *'],
    subject: { kind: 'command', command },
  });
  return app;
}

/** A conversation that was summed up, with what it has cost. */
function spent(): FakeApp {
  const app = shelf();
  const s = new FakeSession('ses_spent', 'wsp_csv', 'Palindromes in Rust');
  app.all.unshift(s);
  const model = { provider: 'anthropic', model: 'claude-sonnet-5-5' };
  const sizes = { system: 2_100, tools: 9_400, messages: 41_000, outputs: 86_000, files: 1_600 };
  const step = (messageID: string, text: string, purpose?: 'compaction') => {
    s.append({
      type: 'step.started',
      messageID,
      parentID: s.state.head ?? '',
      step: 0,
      agent: 'build',
      model,
      request: { base: null, append: [], system: '', tools: '', settings: {}, sizes, limit: 200_000 },
      ...(purpose && { purpose }),
    });
    s.text(messageID, text);
    s.append({
      type: 'step.ended',
      messageID,
      reason: 'stop',
      usage: { inputTokens: 138_000, cacheReadTokens: 121_000, outputTokens: 1_240, reasoningTokens: 410 },
      cost: 0.0585,
    });
  };
  s.user('m0', 'Write a function that says whether a word is a palindrome, with tests.');
  step('m1', 'The function and its tests are in `src/lib.rs`; all six pass.');
  s.turnEnd('idle');
  step(
    'm2',
    '## Goal\nA palindrome check in Rust, with tests.\n\n## State\nDone; six tests pass.',
    'compaction',
  );
  s.append({
    type: 'context.compacted',
    messageID: 'm2',
    tail: 'm0',
    reason: 'limit',
    before: 127_000,
    after: 3_100,
  });
  s.user('m3', 'Now for whole sentences, without blanks and punctuation.');
  step('m4', 'Sentences work as well; two more tests, all eight pass.');
  s.turnEnd('idle');
  return app;
}
