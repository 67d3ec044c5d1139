import { beforeEach, describe, expect, test } from 'vitest';
import { countingIds, steppingClock } from '../base/clock.ts';
import { defaultRules } from '../tools/permissions.ts';
import type { Mode } from './modes.ts';
import type { GateCall, GateLog } from './gate-deps.ts';
import { PermissionGate } from './gate.ts';
import { rulesOf, type PermissionSettings } from './settings.ts';
import { visibilityTest } from '../protocol/visibility.ts';
import {
  EVERYWHERE,
  PermissionCancelled,
  PermissionDenied,
  PermissionRejected,
  type Answerer,
  type Ask,
  type Rule,
  type RuleStore,
  type SavedRule,
} from './types.ts';

class MemoryRules implements RuleStore {
  rules: SavedRule[] = [];
  failure: Error | undefined;
  /** Lets a save go through. */
  barrier: Promise<void> = Promise.resolve();
  async list(workspaceID: string) {
    return this.rules.filter((rule) => rule.workspaceID === workspaceID);
  }
  async save(workspaceID: string, rules: readonly Rule[], time: number) {
    await this.barrier;
    if (this.failure) throw this.failure;
    this.rules.push(...rules.map((rule, index) => ({ ...rule, id: `r${index}`, workspaceID, time })));
  }
  async saveAll() {
    throw new Error('The gate saves for one place at a time.');
  }
  async remove(id: string) {
    this.rules = this.rules.filter((rule) => rule.id !== id);
  }
}

let events: string[];
let granted: Rule[];
let store: MemoryRules;
let stop: AbortController;
let mode: Mode;
let settings: PermissionSettings;

beforeEach(() => {
  events = [];
  granted = [];
  store = new MemoryRules();
  stop = new AbortController();
  mode = 'ask';
});

function gateWith(given: PermissionSettings = {}, answerer?: Answerer): PermissionGate {
  settings = given;
  const log: GateLog = {
    decided: (call, permission, action, _, because) =>
      events.push([call.callID, action, permission, because].filter(Boolean).join(' ')),
    asked: (request) => events.push(`${request.callID} asked ${request.id}`),
    answered: (request, reply, by) => events.push(`${request.callID} ${reply.reply} ${by}`),
    granted: (rules) => void granted.push(...rules),
    notSaved: (fault) => events.push(`not saved: ${fault.what}`),
  };
  return new PermissionGate({
    sessionID: 'ses_1',
    workspaceID: 'wsp_1',
    configured: () => [...defaultRules, ...rulesOf(settings, 'settings')],
    granted: () => granted,
    mode: () => mode,
    store,
    ids: countingIds(),
    clock: steppingClock(),
    log,
    answerer: () => answerer,
  });
}

const call = (order: number): GateCall => ({
  messageID: 'msg_1',
  callID: `c${order}`,
  tool: 'bash',
  agent: 'build',
  order,
  signal: stop.signal,
});
const bash = (command: string): Ask => ({
  permission: 'bash',
  patterns: [command],
  always: [`${command.split(' ')[0]} *`],
  subject: { kind: 'command', command },
});

test('calls that the rules allow or deny are logged without asking', async () => {
  const gate = gateWith({ bash: { '*': 'allow', 'rm *': 'deny' } });
  expect(await gate.ask(bash('ls'), call(0))).toBe(true);
  const denied = gate.ask(bash('rm x'), call(1));
  await expect(denied).rejects.toBeInstanceOf(PermissionDenied);
  await expect(denied).rejects.toThrow("deny 'bash' for rm x (rule: bash rm *)");
  expect(events).toEqual(['c0 allow bash', 'c1 deny bash']);
});

test('waiting requests keep message order behind the first, and each answer resolves its own', async () => {
  const gate = gateWith();
  const third = gate.ask(bash('c'), call(3));
  const second = gate.ask(bash('b'), call(2));
  const first = gate.ask(bash('a'), call(1));
  expect(gate.pending().map((request) => request.callID)).toEqual(['c3', 'c1', 'c2']);
  expect(gate.pending()[0]).toMatchObject({ id: 'req_1', sessionID: 'ses_1', patterns: ['c'], tool: 'bash' });
  await gate.answer('req_1', { reply: 'once' }, 'person');
  expect(await third).toBe(true);
  await gate.answer('req_3', { reply: 'once' }, 'person');
  expect(await first).toBe(true);
  await gate.answer('req_2', { reply: 'once' }, 'person');
  expect(await second).toBe(true);
  expect(gate.pending()).toEqual([]);
});

test('an answer to an unknown or answered request is ignored', async () => {
  const gate = gateWith();
  const asked = gate.ask(bash('a'), call(0));
  await gate.answer('req_9', { reply: 'once' }, 'person');
  await gate.answer('req_1', { reply: 'once' }, 'person');
  await gate.answer('req_1', { reply: 'reject' }, 'person');
  expect(await asked).toBe(true);
  expect(events).toEqual(['c0 asked req_1', 'c0 once person']);
});

test('an answer for the session applies to later and waiting calls', async () => {
  const gate = gateWith();
  const one = gate.ask(bash('git log'), call(0));
  const two = gate.ask(bash('git diff'), call(1));
  const other = gate.ask(bash('rm x'), call(2));
  await gate.answer('req_1', { reply: 'session', patterns: ['git *'] }, 'person');
  expect(await Promise.all([one, two])).toEqual([true, true]);
  expect(granted).toEqual([{ permission: 'bash', pattern: 'git *', action: 'allow' }]);
  expect(gate.pending().map((request) => request.callID)).toEqual(['c2']);
  expect(await gate.ask(bash('git status'), call(3))).toBe(true);
  expect(events).toContain('c1 once policy');
  gate.cancelAll();
  await expect(other).rejects.toBeInstanceOf(PermissionCancelled);
});

test('an "always" answer counts only once it is saved, and lasts', async () => {
  let release = () => {};
  store.barrier = new Promise((resolve) => (release = resolve));
  const gate = gateWith();
  let resolved = false;
  const asked = gate.ask(bash('git log'), call(0)).then(() => (resolved = true));
  const answered = gate.answer('req_1', { reply: 'always', patterns: ['git *'] }, 'person');
  await gate.answer('req_1', { reply: 'reject' }, 'person');
  expect(resolved).toBe(false);
  release();
  await answered;
  await asked;
  expect(events).toEqual(['c0 asked req_1', 'c0 always person']);

  const later = gateWith();
  await later.startTurn();
  expect(await later.ask(bash('git diff'), call(0))).toBe(true);
  await store.remove('r0');
  await later.startTurn();
  const again = later.ask(bash('git diff'), call(0));
  expect(later.pending()).toHaveLength(1);
  later.cancelAll();
  await expect(again).rejects.toBeInstanceOf(PermissionCancelled);
});

test('an "everywhere" answer applies in other workspaces, with that source', async () => {
  const gate = gateWith();
  await gate.startTurn();
  const first = gate.ask(bash('npm test'), call(0));
  await gate.answer('req_1', { reply: 'everywhere', patterns: ['npm *'] }, 'person');
  expect(await first).toBe(true);
  expect(store.rules).toMatchObject([{ workspaceID: EVERYWHERE, pattern: 'npm *' }]);
  expect(gate.rules('build').saved).toMatchObject([{ source: 'everywhere' }]);
  expect(await gate.ask(bash('npm run x'), call(1))).toBe(true);
});

test('an "always" answer that cannot be saved allows once and says so', async () => {
  store.failure = new Error('disk full');
  const gate = gateWith();
  const asked = gate.ask(bash('git log'), call(0));
  await gate.answer('req_1', { reply: 'always', patterns: ['git *'] }, 'person');
  expect(await asked).toBe(true);
  expect(events).toEqual(['c0 asked req_1', 'not saved: disk full', 'c0 once person']);
  expect(store.rules).toEqual([]);
});

test('the saved patterns are those the person kept, and never override a deny', async () => {
  const gate = gateWith({ bash: { 'rm *': 'deny' } });
  const asked = gate.ask(bash('git log'), call(0));
  await gate.answer('req_1', { reply: 'always', patterns: ['*'] }, 'person');
  await asked;
  expect(await gate.ask(bash('ls'), call(1))).toBe(true);
  await expect(gate.ask(bash('rm x'), call(2))).rejects.toBeInstanceOf(PermissionDenied);
});

test('a refusal ends the turn: its other requests are withdrawn', async () => {
  const gate = gateWith();
  const one = gate.ask(bash('a'), call(0));
  const two = gate.ask(bash('b'), call(1));
  await gate.answer('req_1', { reply: 'reject' }, 'person');
  const error = await one.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(PermissionRejected);
  expect(error).toMatchObject({ feedback: undefined });
  await expect(two).rejects.toBeInstanceOf(PermissionCancelled);
  expect(events.slice(2)).toEqual(['c0 reject person', 'c1 reject cancelled']);
});

test('a refusal with a message fails only that call, and the same call is refused without asking in this turn', async () => {
  const gate = gateWith();
  const one = gate.ask(bash('a'), call(0));
  const two = gate.ask(bash('b'), call(1));
  await gate.answer('req_1', { reply: 'reject', message: 'use the script' }, 'person');
  const error = await one.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(PermissionRejected);
  expect(error).toMatchObject({ feedback: 'use the script' });
  await gate.answer('req_2', { reply: 'once' }, 'person');
  expect(await two).toBe(true);

  await expect(gate.ask(bash('a'), call(2))).rejects.toThrow(/already refused.*use the script/);
  expect(gate.pending()).toEqual([]);
  await gate.startTurn();
  const nextTurn = gate.ask(bash('a'), call(3));
  expect(gate.pending()).toHaveLength(1);
  gate.cancelAll();
  await expect(nextTurn).rejects.toBeInstanceOf(PermissionCancelled);
});

describe('a danger on the fixed list', () => {
  const danger = { kind: 'remove', text: 'rm -rf /' } as const;
  const removal: Ask = { ...bash('rm -rf /'), dangers: [danger] };

  test('asks despite any allow, and offers no lasting answer', async () => {
    await store.save('wsp_1', [{ permission: 'bash', pattern: '*', action: 'allow' }], 0);
    granted.push({ permission: '*', pattern: '*', action: 'allow' });
    const gate = gateWith('allow');
    await gate.startTurn();
    const asked = gate.ask(removal, call(0));
    expect(gate.pending()).toMatchObject([{ always: [], dangers: [danger] }]);
    await gate.answer('req_1', { reply: 'once' }, 'person');
    expect(await asked).toBe(true);
    const again = gate.ask(removal, call(1));
    expect(gate.pending()).toHaveLength(1);
    gate.cancelAll();
    await expect(again).rejects.toBeInstanceOf(PermissionCancelled);
  });

  test('is not answered along with another request', async () => {
    const gate = gateWith();
    const first = gate.ask(bash('rm x'), call(0));
    const second = gate.ask(removal, call(1));
    await gate.answer('req_1', { reply: 'session', patterns: ['*'] }, 'person');
    expect(await first).toBe(true);
    expect(gate.pending().map(({ callID }) => callID)).toEqual(['c1']);
    gate.cancelAll();
    await expect(second).rejects.toBeInstanceOf(PermissionCancelled);
  });

  test('is denied if the rules deny it', async () => {
    const gate = gateWith({ bash: 'deny' });
    await expect(gate.ask(removal, call(0))).rejects.toBeInstanceOf(PermissionDenied);
  });

  test.each(['.git/hooks/pre-commit', 'sub/.GIT/config'])('includes writing %s', async (path) => {
    const gate = gateWith('allow');
    const subject = { kind: 'path' as const, path };
    const asked = gate.ask({ permission: 'edit', patterns: [path], always: ['*'], subject }, call(0));
    expect(gate.pending()).toMatchObject([{ always: [], dangers: [{ kind: 'git-files', text: path }] }]);
    await gate.answer('req_1', { reply: 'once' }, 'person');
    expect(await asked).toBe(true);
    const other = { permission: 'edit', patterns: ['.github/x', '.gitignore'], always: [], subject };
    expect(await gate.ask(other, call(1))).toBe(true);
  });
});

test('an aborted call withdraws its request', async () => {
  const gate = gateWith();
  const asked = gate.ask(bash('a'), call(0));
  stop.abort();
  await expect(asked).rejects.toBeInstanceOf(PermissionCancelled);
  await expect(gate.ask(bash('b'), call(1))).rejects.toBeInstanceOf(PermissionCancelled);
  expect(events).toEqual(['c0 asked req_1', 'c0 reject cancelled']);
});

describe('an answerer', () => {
  test('gets one request at a time, in order', async () => {
    let running = 0;
    const seen: string[] = [];
    const gate = gateWith({}, async (request) => {
      expect(++running).toBe(1);
      await Promise.resolve();
      seen.push(request.callID);
      running--;
      return { reply: 'once' };
    });
    await Promise.all([0, 1, 2].map((order) => gate.ask(bash(`x${order}`), call(order))));
    expect(seen).toEqual(['c0', 'c1', 'c2']);
    expect(events).toContain('c0 once automation');
  });

  test('may leave the answer to the person', async () => {
    const gate = gateWith({}, async () => undefined);
    const asked = gate.ask(bash('a'), call(0));
    await gate.answer('req_1', { reply: 'once' }, 'person');
    expect(await asked).toBe(true);
  });

  test('that never answers delays only its own request', async () => {
    const gate = gateWith({}, (request) =>
      request.callID === 'c0' ? new Promise(() => {}) : Promise.resolve({ reply: 'once' }),
    );
    const first = gate.ask(bash('a'), call(0));
    const second = gate.ask(bash('b'), call(1));
    await gate.answer('req_1', { reply: 'once' }, 'person');
    expect(await Promise.all([first, second])).toEqual([true, true]);
  });

  test('that fails refuses', async () => {
    const gate = gateWith({}, async () => {
      throw new Error('boom');
    });
    await expect(gate.ask(bash('a'), call(0))).rejects.toThrow('The permission handler failed: boom');
  });
});

test('searches see the files that the rules show, including saved answers', async () => {
  const gate = gateWith();
  const shown = () => gate.visibility('build').at(-1);
  expect(shown()).toEqual({ pattern: '/home/project/*.env.example', visible: true });
  await store.save('wsp_1', [{ permission: 'read', pattern: '.env', action: 'allow' }], 0);
  await gate.refresh();
  expect(shown()).toEqual({ pattern: '/home/project/.env', visible: true });
});

describe('a mode', () => {
  const edit: Ask = {
    permission: 'edit',
    patterns: ['src/a.ts'],
    always: ['*'],
    subject: { kind: 'path', path: 'src/a.ts' },
  };

  test('auto-edit changes files without asking, and nothing else', async () => {
    mode = 'auto-edit';
    const gate = gateWith();
    expect(await gate.ask(edit, call(0))).toBe(true);
    void gate.ask(bash('npm test'), call(1)).catch(() => undefined);
    expect(gate.pending()).toHaveLength(1);
  });

  test('bypass asks nothing, even for searches and scripts that cannot be analysed', async () => {
    mode = 'bypass';
    const gate = gateWith();
    expect(await gate.ask(edit, call(0))).toBe(true);
    expect(await gate.ask({ ...bash('$x'), opaque: true }, call(1))).toBe(true);
    expect(await gate.ask({ ...edit, permission: 'read', patterns: ['.env'] }, call(2))).toBe(true);
    const shown = visibilityTest(gate.visibility('build'));
    expect(shown('/home/project/.env')).toBe(true);
  });

  test('bypass stops at a configured deny, and at scripts that could hide one', async () => {
    mode = 'bypass';
    const gate = gateWith({ bash: { '*': 'ask', 'rm *': 'deny' }, read: { 'keys/*': 'deny' } });
    await expect(gate.ask(bash('rm a'), call(0))).rejects.toThrow(PermissionDenied);
    await expect(gate.ask({ ...edit, permission: 'read', patterns: ['keys/a'] }, call(1))).rejects.toThrow(
      PermissionDenied,
    );
    void gate.ask({ ...bash('$x a'), opaque: true }, call(2)).catch(() => undefined);
    expect(events.at(-1)).toBe('c2 asked req_1');
    expect(visibilityTest(gate.visibility('build'))('/home/project/keys/a')).toBe(false);
  });

  test.each(['auto-edit', 'bypass'] as const)('%s stops at the fixed list and at loops', async (each) => {
    mode = each;
    const gate = gateWith();
    const asks: Ask[] = [
      { ...bash('rm -rf /'), dangers: [{ kind: 'remove', text: 'rm -rf /' }] },
      { ...edit, patterns: ['.git/hooks/pre-commit'] },
      { permission: 'doom_loop', patterns: ['bash'], always: ['bash'], subject: edit.subject },
    ];
    for (const [order, ask] of asks.entries()) void gate.ask(ask, call(order)).catch(() => undefined);
    expect(gate.pending()).toHaveLength(asks.length);
  });

  test('that is chosen while a request waits answers it if it can', async () => {
    const gate = gateWith();
    const first = gate.ask(edit, call(0));
    void gate.ask(bash('npm test'), call(1)).catch(() => undefined);
    mode = 'auto-edit';
    await gate.rulesChanged();
    expect(await first).toBe(true);
    expect(events).toEqual(['c0 asked req_1', 'c1 asked req_2', 'c0 once policy']);
  });
});

test('a request that is denied while it waits stays denied, even after a late allow', async () => {
  const gate = gateWith();
  const first = gate.ask(bash('npm test'), call(0));
  const second = gate.ask(bash('npm run x'), call(1));
  first.catch(() => undefined);
  second.catch(() => undefined);
  settings = { bash: 'deny' };
  await gate.answer('req_1', { reply: 'once' }, 'person');
  await expect(first).rejects.toThrow(PermissionDenied);
  await gate.rulesChanged();
  await expect(second).rejects.toThrow(PermissionDenied);
  expect(gate.pending()).toEqual([]);
  expect(events.slice(2)).toEqual(['c0 reject policy', 'c1 reject policy']);
});

test('a rule saved elsewhere answers waiting requests', async () => {
  const gate = gateWith();
  const first = gate.ask(bash('npm test'), call(0));
  await store.save('wsp_1', [{ permission: 'bash', pattern: 'npm *', action: 'allow' }], 1);
  await gate.rulesChanged();
  expect(await first).toBe(true);
});

test('a refused call is refused in another spelling too', async () => {
  const gate = gateWith();
  const refused = gate.ask({ ...bash('rm x'), identity: 'rm x' }, call(0));
  await gate.answer('req_1', { reply: 'reject', message: 'No' }, 'person');
  await expect(refused).rejects.toBeInstanceOf(PermissionRejected);
  const again = gate.ask({ ...bash("rm 'x'"), identity: 'rm x' }, call(1));
  await expect(again).rejects.toThrow('already refused exactly this');

  const tool = (input: Record<string, string>): Ask => ({
    permission: 'server/tool',
    patterns: ['*'],
    always: ['*'],
    subject: { kind: 'input', input },
  });
  const other = gate.ask(tool({ a: '1', b: '2' }), call(2));
  await gate.answer('req_2', { reply: 'reject', message: 'No' }, 'person');
  await expect(other).rejects.toBeInstanceOf(PermissionRejected);
  await expect(gate.ask(tool({ b: '2', a: '1' }), call(3))).rejects.toThrow('already refused');
});
