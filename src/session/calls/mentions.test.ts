import { describe, expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { golden } from '../../../test/support/golden.ts';
import { call, finish, say, type Steps } from '../../../test/support/parts-model.ts';
import { echo, harness, next } from '../../../test/support/session-harness.ts';
import type { PermissionSettings } from '../../permissions/settings.ts';
import { readTool } from '../../tools/read/read.ts';
import { mentionsIn } from './mentioned.ts';

describe('what a prompt names', () => {
  test.each([
    ['Look at @src/add.js', ['src/add.js']],
    ['Look at @src/add.js, please', ['src/add.js,', 'src/add.js']],
    ['(@a.md)', ['a.md)', 'a.md']],
    ['@"a name.md" is it', ['a name.md']],
    ['@src/', ['src/']],
    ['@日本/ä.txt', ['日本/ä.txt']],
    ['me@example.com', []],
    ["import x from '@/x'", []],
    ['`@src/add.js`', []],
    ['@', []],
    ['a@@b', []],
    ['Like this:\n```ts\n@Component @src/add.js\n```\nbut @b.js', ['b.js']],
    ['~~~~\n@a.js\n~~~\n@b.js\n~~~~\n@c.js', ['c.js']],
    ['```\n@a.js, and no end', []],
    ['> @a.js said\nI say @b.js', ['b.js']],
    ['See `cat @a.js` and ``x ` @b.js`` and @c.js', ['c.js']],
    ['One ` alone, @a.js', ['a.js']],
  ])('%s', (text, paths) => {
    expect(mentionsIn(text).flatMap((mention) => mention.map(({ path }) => path))).toEqual(paths);
  });

  test('lines of it', () => {
    expect(mentionsIn('@a.js#3-5, @b.js#L7 @c.js#9-2')).toEqual([
      [{ path: 'a.js#3-5,' }, { path: 'a.js#3-5' }, { path: 'a.js', offset: 3, limit: 3 }],
      [{ path: 'b.js#L7' }, { path: 'b.js', offset: 7, limit: 1 }],
      [{ path: 'c.js#9-2' }],
    ]);
  });

  test('the same twice is one', () => {
    expect(mentionsIn('@a and @a')).toHaveLength(1);
  });
});

const files = {
  'src/add.js': 'one\ntwo\nthree\n',
  '.env': 'TOKEN=abc',
  'logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
  'a#1.md': 'numbered',
};

function talk(settings: PermissionSettings = {}, steps: Steps = [[...say('Fine.'), finish()]]) {
  const workspace = new MemoryWorkspace({ files });
  return harness(steps, { workspace, settings, tools: [readTool, echo] });
}

describe('is read before the model is asked', () => {
  test('as the read tool reads it, in a call of that message', async () => {
    const { session, events, model } = await talk();
    await session.prompt('What is in @src/add.js?');
    expect(await session.rested()).toBe('idle');
    expect(golden(events).filter((line) => /^(call|permission|step.started)/.test(line)))
      .toMatchInlineSnapshot(`
        [
          "call.added {"messageID":"msg_1","callID":"msg_1.1","tool":"read","input":{"filePath":"src/add.js"}}",
          "call.running {"messageID":"msg_1","callID":"msg_1.1","tool":"read","input":{"filePath":"src/add.js","offset":1,"limit":2000,"column":1}}",
          "permission.decided {"messageID":"msg_1","callID":"msg_1.1","permission":"read","action":"allow","decisions":[{"pattern":"src/add.js","action":"allow","rule":{"permission":"read","pattern":"*","action":"allow"},"source":"default","considered":[{"permission":"read","pattern":"*","action":"allow","source":"default"}]}]}",
          "call.running {"messageID":"msg_1","callID":"msg_1.1","tool":"read","input":{"filePath":"src/add.js","offset":1,"limit":2000,"column":1}}",
          "call.ended {"messageID":"msg_1","callID":"msg_1.1","outcome":"ok","output":"1: one\\n2: two\\n3: three\\n\\n(End of file: 3 lines.)","title":"src/add.js","metadata":{"totalLines":3,"shownLines":3,"truncated":false}}",
          "step.started {"messageID":"msg_2","parentID":"msg_1","step":0,"base":null,"appended":1}",
        ]
      `);
    expect(model.requests[0]?.messages).toMatchInlineSnapshot(`
      [
        {
          "content": [
            {
              "text": "What is in @src/add.js?",
              "type": "text",
            },
            {
              "text": "[src/add.js, which the message above names, as \`read\` reads it:]
      1: one
      2: two
      3: three

      (End of file: 3 lines.)",
              "type": "text",
            },
          ],
          "role": "user",
        },
      ]
    `);
  });

  test('lines, a directory, an image; each once', async () => {
    const { session, model } = await talk();
    await session.prompt('@src/add.js#2-2 @src @logo.png @logo.png and @a#1.md');
    await session.rested();
    const [prompt] = model.requests[0]?.messages ?? [];
    const content = Array.isArray(prompt?.content) ? prompt.content : [];
    const texts = content.map((part) => (part.type === 'text' ? part.text : part.type));
    expect(texts[1]).toContain('2: two');
    expect(texts[1]).not.toContain('three');
    expect(texts[2]).toContain('add.js');
    expect(texts.slice(3, 5)).toEqual([expect.stringContaining('The image logo.png is attached.'), 'file']);
    expect(texts[5]).toContain('1: numbered');
    expect(texts).toHaveLength(6);
  });

  test('at most 50 files of one message: the rest stays text, and that is told', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${n}.md`, `text ${n}`]));
    const workspace = new MemoryWorkspace({ files: many });
    const { session, events, model } = await harness([[...say('Fine.'), finish()]], {
      workspace,
      tools: [readTool],
    });
    await session.prompt(
      Object.keys(many)
        .map((name) => `@${name}`)
        .join(' '),
    );
    expect(await session.rested()).toBe('idle');
    const ended = events.flatMap((event) => (event.type === 'call.ended' ? event.outcome : []));
    expect(ended.filter((outcome) => outcome === 'ok')).toHaveLength(50);
    const told = JSON.stringify(model.requests[0]?.messages);
    expect(told).toContain('text 49');
    expect(told).not.toContain('text 50');
    expect(told).toContain(
      'f50.md, which the message above names, was not read: A message attaches at most 50',
    );
    expect(told).not.toContain('f51.md, which');
  });

  test('what is not there stays text, and nothing is asked for it', async () => {
    const { session, events, model } = await talk({ read: 'ask' });
    await session.prompt('Ask @nobody about @types/node and @src/sub.js');
    await session.rested();
    expect(events.filter(({ type }) => type === 'call.added')).toEqual([]);
    expect(model.requests[0]?.messages).toEqual([
      { role: 'user', content: 'Ask @nobody about @types/node and @src/sub.js' },
    ]);
  });

  test('by the prompts of the person only, and once', async () => {
    const { session, events } = await talk({}, [
      [...call('c1', 'echo', {}), finish('tool-calls')],
      [...say('Fine.'), finish()],
      [...say('Fine.'), finish()],
    ]);
    await session.prompt('Read @src/add.js', { origin: { kind: 'task' } });
    await session.rested();
    expect(events.filter(({ type }) => type === 'call.added')).toEqual([]);
    await session.prompt('Read @src/add.js');
    await session.rested();
    expect(events.filter(({ type }) => type === 'call.added')).toHaveLength(1);
  });

  test('and so is what is named while a turn runs, before its next step', async () => {
    const { session, events, model } = await talk({ change: 'allow' }, [
      [...call('c1', 'echo', {}), finish('tool-calls')],
      [...say('Fine.'), finish()],
    ]);
    const started = next(session, 'step.started');
    const first = session.prompt('Go');
    await started;
    await session.prompt('Mind @src/add.js');
    await first;
    await session.rested();
    expect(events.filter(({ type }) => type === 'call.added')).toHaveLength(1);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('1: one');
  });
});

describe('by the rules for reading', () => {
  test('a .env asks first; allowed, it is read', async () => {
    const { session, model } = await talk();
    const asked = next(session, 'permission.asked');
    await session.prompt('Use @.env');
    const { requestID, ...ask } = await asked;
    expect(ask).toMatchObject({ messageID: 'msg_1', tool: 'read', permission: 'read', patterns: ['.env'] });
    expect(model.requests).toEqual([]);
    session.answer(requestID, { reply: 'once' }, 'person');
    expect(await session.rested()).toBe('idle');
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('TOKEN=abc');
  });

  test('refused with a word the model is told that, and nothing else of it', async () => {
    const { session, model } = await talk();
    const asked = next(session, 'permission.asked');
    await session.prompt('Use @.env');
    session.answer((await asked).requestID, { reply: 'reject', message: 'Use the example.' }, 'person');
    expect(await session.rested()).toBe('idle');
    const sent = JSON.stringify(model.requests[0]?.messages);
    expect(sent).toContain('was not read: The user refused this call and said: Use the example.');
    expect(sent).not.toContain('TOKEN');
  });

  test('refused without a word the turn ends', async () => {
    const { session, model } = await talk();
    const asked = next(session, 'permission.asked');
    await session.prompt('Use @.env and @src/add.js');
    session.answer((await asked).requestID, { reply: 'reject' }, 'person');
    expect(await session.rested()).toBe('rejected');
    expect(model.requests).toEqual([]);
    await session.prompt('Without it, then');
    expect(await session.rested()).toBe('idle');
    expect(JSON.stringify(model.requests[0]?.messages)).not.toContain('TOKEN');
  });

  test.each<[string, PermissionSettings, string]>([
    ['a denied file', { read: { '*': 'allow', 'src/*': 'deny' } }, "The rules deny 'read' for src/add.js"],
    ['every file denied', { read: 'deny' }, 'This agent may read no files.'],
  ])('%s is not read, and that is said', async (_, settings, why) => {
    const { session, events, model } = await talk(settings);
    await session.prompt('Look at @src/add.js');
    expect(await session.rested()).toBe('idle');
    expect(events).toContainEqual(expect.objectContaining({ type: 'call.ended', outcome: 'denied' }));
    const sent = JSON.stringify(model.requests[0]?.messages);
    expect(sent).toContain(why);
    expect(sent).not.toContain('1: one');
  });

  test('what lies outside is refused', async () => {
    const { session, model } = await talk();
    await session.prompt('Look at @/etc/passwd and @../x');
    await session.rested();
    expect(JSON.stringify(model.requests[0]?.messages).match(/outside the workspace/g)).toHaveLength(2);
  });
});

test('stopped while it asks, the turn ends; what was asked is withdrawn', async () => {
  const { session, model } = await talk();
  const asked = next(session, 'permission.asked');
  await session.prompt('Use @.env');
  await asked;
  session.abort();
  expect(await session.rested()).toBe('aborted');
  expect(session.state.pending.size).toBe(0);
  expect(model.requests).toEqual([]);
});
