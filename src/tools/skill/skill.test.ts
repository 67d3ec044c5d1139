import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness } from '../../../test/support/session-harness.ts';
import { TestCall } from '../../../test/support/tool-context.ts';
import { defaultRules } from '../permissions.ts';
import type { SourcedRule } from '../../permissions/rules.ts';
import { ToolRegistry } from '../registry.ts';
import { parseSkill } from './frontmatter.ts';
import { skillTool } from './tool.ts';

const head = (name: string, description = `For ${name}.`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n`;
const model = { provider: 'test', model: 'm' };

/** The description that a model sees, `undefined` where the tool is not offered. */
async function offered(
  files: Record<string, string>,
  rules: SourcedRule[] = [],
): Promise<string | undefined> {
  const workspace = new MemoryWorkspace({ files });
  const tools = await new ToolRegistry([skillTool]).tools(model, 'build', {
    rules: [...defaultRules, ...rules],
    workspace,
  });
  return tools[0]?.description;
}

async function load(files: Record<string, string>, name: string) {
  const testCall = new TestCall({ files });
  const [tool] = await new ToolRegistry([skillTool]).tools(model, 'build', {
    rules: defaultRules,
    workspace: testCall.workspace,
  });
  if (!tool) throw new Error('not offered');
  const parsed = tool.parse({ name });
  if (!parsed.ok) throw new Error(parsed.message);
  return { call: testCall, result: await tool.run(parsed.input, testCall.context) };
}

test('it is not offered where there are no skills', async () => {
  expect(await offered({ 'a.txt': 'a', 'skills/x/SKILL.md': head('x') })).toBeUndefined();
});

test('the skills of all folders are listed by name; of two with the same name the later folder wins', async () => {
  const text = await offered({
    '.opencode/skill/zip/SKILL.md': head('zip'),
    '.opencode/skills/deep/er/SKILL.md': head('deeper'),
    '.claude/skills/cook/SKILL.md': head('cook', 'From .claude.'),
    '.agents/skills/cook/SKILL.md': head('cook', 'From .agents.'),
    '.agents/skills/unnamed/SKILL.md': '---\ndescription: |\n  Two\n  lines.\n---\nText',
    '.agents/skills/other.md': head('other'),
  });
  expect(text?.split('\n').filter((line) => line.startsWith('- '))).toEqual([
    '- cook: From .claude.',
    '- deeper: For deeper.',
    '- unnamed: Two lines.',
    '- zip: For zip.',
    '- .agents/skills/cook/SKILL.md: another skill is named cook too',
  ]);
});

test('skills that are denied or hidden are not listed', async () => {
  const files = {
    '.claude/skills/a/SKILL.md': head('a'),
    '.claude/skills/b/SKILL.md': head('b'),
    '.claude/skills/c/SKILL.md': head('c'),
  };
  const deny = (permission: string, pattern: string): SourcedRule => ({
    ...{ permission, pattern, action: 'deny', source: 'agent' },
  });
  const text = await offered(files, [deny('skill', 'a'), deny('read', '.claude/skills/b/*')]);
  expect(text).toContain('- c:');
  expect(text).not.toMatch(/- [ab]:/);
  expect(await offered(files, [deny('skill', '*')])).toBeUndefined();
});

test('a damaged skill is reported, and hides no other', async () => {
  const text = await offered({
    '.claude/skills/a/SKILL.md': 'no head',
    '.claude/skills/b/SKILL.md': '---\nname: [\n---\n',
    '.claude/skills/c/SKILL.md': '---\nname: c\n---\n',
    '.claude/skills/d/SKILL.md': head('d'),
    '.claude/skills/e/SKILL.md': head('../up'),
  });
  expect(text).toContain('- d: For d.');
  expect(text).toContain('- .claude/skills/a/SKILL.md: it does not begin with front matter');
  expect(text).toContain('- .claude/skills/b/SKILL.md: its front matter is not YAML: ');
  expect(text).toContain('- .claude/skills/c/SKILL.md: its front matter has no description');
  expect(text).toContain('- .claude/skills/e/SKILL.md: its name is not made of');
});

test('a skill is loaded with its text, its folder and its files', async () => {
  const files: Record<string, string> = { '.claude/skills/cook/SKILL.md': `${head('cook')}\nStir well.\n` };
  for (let n = 10; n < 22; n++) files[`.claude/skills/cook/files/${n}.md`] = 'x';
  const { result } = await load(files, 'cook');
  expect(result).toMatchObject({
    title: 'cook',
    metadata: { name: 'cook', dir: '/home/project/.claude/skills/cook', truncated: false },
  });
  expect(result.output).toBe(
    [
      '<skill_content name="cook">',
      '# Skill: cook',
      '',
      'Stir well.',
      '',
      'Base directory: file:///home/project/.claude/skills/cook',
      'Relative paths in this skill are relative to that directory.',
      '<skill_files>',
      ...Array.from({ length: 10 }, (_, n) => `files/${n + 10}.md`),
      '(and more files)',
      '</skill_files>',
      '</skill_content>',
    ].join('\n'),
  );
});

test('using a skill asks for its name, and an unknown one is answered with the names', async () => {
  const files = { '.claude/skills/cook/SKILL.md': head('cook') };
  const testCall = new TestCall({ files });
  testCall.rules.push({ permission: 'skill', pattern: '*', action: 'ask', source: 'settings' });
  await testCall.run(skillTool, { name: 'cook' });
  expect(testCall.asks).toMatchObject([{ permission: 'skill', patterns: ['cook'], always: ['cook'] }]);
  await expect(testCall.run(skillTool, { name: 'bake' })).rejects.toThrow("There is no skill named 'bake'.");
});

test('a skill that is written during a turn is offered in the next step', async () => {
  const workspace = new MemoryWorkspace();
  const { session, model: asked } = await harness(
    [
      async function* () {
        await workspace.files.write('.claude/skills/new/SKILL.md', new TextEncoder().encode(head('new')));
        yield* [...call('c1', 'skill', { name: 'new' }), finish('tool-calls')];
      },
      [...call('c2', 'skill', { name: 'new' }), finish('tool-calls')],
      [...say('Done.'), finish()],
    ],
    { tools: [skillTool], workspace },
  );
  await session.prompt('Go');
  await session.rested();
  expect(asked.requests.map(({ tools }) => tools.length)).toEqual([0, 1, 1]);
  const outcomes = [...session.state.parts.values()].flatMap((part) =>
    part.type === 'tool' ? part.outcome : [],
  );
  expect(outcomes).toEqual(['invalid', 'ok']);
});

test.each([
  [
    'a byte order mark and Windows lines',
    '\uFEFF---\r\nname: a\r\ndescription: "x: y"\r\n---\r\nText',
    'x: y',
    'Text',
  ],
  ['other fields', '---\ndescription: d\nallowed-tools: [a, b]\n---', 'd', ''],
  ['a rule in the text', '---\ndescription: d\n---\nA\n---\nB', 'd', 'A\n---\nB'],
])('heads: %s', async (_, text, description, body) => {
  expect(await parseSkill(text)).toMatchObject({ ok: true, description, body });
});

test('a front matter that would expand endlessly is refused', async () => {
  const bomb = `---\na: &a [x, x]\nb: &b [*a, *a]\ndescription: d\n---\n`;
  expect(await parseSkill(bomb)).toMatchObject({ ok: false });
});

test("the person's own skills are offered in every workspace, and a skill of the workspace overrides them", async () => {
  const own = {
    'skills/release/SKILL.md': `${head('release')}My way.`,
    'skills/release/list.txt': 'a',
    'skills/brief/SKILL.md': `${head('brief')}Be brief.`,
  };
  const testCall = new TestCall({
    files: { '.opencode/skill/brief/SKILL.md': `${head('brief', 'Ours.')}Be very brief.` },
    own,
  });
  const [tool] = await new ToolRegistry([skillTool]).tools(model, 'build', {
    rules: defaultRules,
    workspace: testCall.workspace,
    own,
  });
  expect(tool?.description).toContain('- brief: Ours.\n- release: For release.');
  const result = await tool!.run({ name: 'release' }, testCall.context);
  expect(result.output).toContain('My way.');
  expect(result.output).toContain('Base directory: ~/.config/opencode/skills/release');
  expect(result.output).toContain('<skill_files>\nlist.txt\n</skill_files>');
});
