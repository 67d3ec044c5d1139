import { expect, test } from 'vitest';
import { localLanguagePort } from '../../../test/support/local-language.ts';
import { ManualTimer } from '../../../test/support/manual-timer.ts';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness } from '../../../test/support/session-harness.ts';
import { TestCall } from '../../../test/support/tool-context.ts';
import type { JsonObject } from '../../base/json.ts';
import { PROJECT } from '../../language/contract.ts';
import { WorkerLanguage } from '../../language/workspace-language.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { feedback } from './feedback.ts';
import { lspCard } from './card.ts';
import { LSP_ALIASES, OPERATIONS } from './operations.ts';
import { lspTool } from './tool.ts';
import { writeTool } from '../write/write.ts';

const SHAPES = 'src/shapes.ts';
const MAIN = 'src/main.ts';

function services() {
  const timer = new ManualTimer();
  const known = new Map<Workspace, WorkerLanguage>();
  let started = 0;
  const of = async (workspace: Workspace) => {
    const made = known.get(workspace) ?? new WorkerLanguage(workspace, start, timer);
    known.set(workspace, made);
    return made;
  };
  const start = () => {
    started++;
    return localLanguagePort();
  };
  return { of, timer, tool: lspTool(of), started: () => started };
}

function made(files: Readonly<Record<string, string>> = PROJECT) {
  const test = new TestCall({ files });
  const { tool } = services();
  return { test, run: (input: JsonObject) => test.run(tool, input) };
}

const square = { filePath: SHAPES, line: 6, character: 14 };

test.each<[JsonObject, string]>([
  [
    { operation: 'goToDefinition', filePath: MAIN, line: 7, character: 42 },
    'src/shapes.ts:6:14: export class Square implements Shape {',
  ],
  [
    { operation: 'goToImplementation', filePath: SHAPES, line: 3, character: 3 },
    'src/shapes.ts:8:3: area(): number {',
  ],
  [{ operation: 'hover', ...square }, 'class Square'],
  [{ operation: 'hover', filePath: SHAPES, line: 5, character: 1 }, 'No results.'],
  [{ operation: 'workspaceSymbol', query: 'Squ' }, 'src/shapes.ts:6:1 class Square'],
  [
    { operation: 'workspaceSymbol', query: 'tot', filePath: SHAPES, limit: 1 },
    'src/main.ts:3:1 function total',
  ],
  [{ operation: 'prepareCallHierarchy', ...square }, 'src/shapes.ts:6:14 class Square'],
  [
    { operation: 'outgoingCalls', filePath: MAIN, line: 3, character: 17 },
    'src/shapes.ts:3:3 method area, called at 4:46',
  ],
  [{ operation: 'diagnostics', filePath: SHAPES }, 'No problems found.'],
  [
    { operation: 'diagnostics', filePath: MAIN, severity: 'error' },
    "ERROR [7:14] Type 'number' is not assignable to type 'string'. (TS2322)",
  ],
])('%j', async (input, expected) => {
  const { run } = made();
  expect((await run(input)).output).toContain(expected);
});

test('findReferences with and without the declaration', async () => {
  const { run } = made();
  const all = await run({ operation: 'findReferences', ...square });
  expect(all.output.split('\n')).toHaveLength(3);
  expect(all.metadata).toMatchObject({ operation: 'findReferences', count: 3 });
  const used = await run({ operation: 'findReferences', ...square, includeDeclaration: false });
  expect(used.output).toBe(
    "src/main.ts:1:10: import { Square, type Shape } from './shapes';\nsrc/main.ts:7:42: export const answer: string = total([new Square(2)]);",
  );
});

test('documentSymbol is an outline', async () => {
  const { run } = made();
  expect((await run({ operation: 'documentSymbol', filePath: SHAPES })).output).toBe(
    [
      '2:18 interface Shape',
      '  3:3 method area',
      '6:14 class Square',
      '  7:3 constructor constructor',
      '  8:3 method area',
      '  7:32 property side',
    ].join('\n'),
  );
});

test('rename asks with the diff of all files, then changes them, read or not', async () => {
  const { test, run } = made();
  const { output, metadata } = await run({ operation: 'rename', ...square, newName: 'Box' });
  expect(output).toBe('Renamed to Box in:\nM src/main.ts\nM src/shapes.ts');
  expect(test.asks).toEqual([
    expect.objectContaining({
      permission: 'edit',
      patterns: [MAIN, SHAPES],
      subject: expect.objectContaining({ kind: 'diff' }),
    }),
  ]);
  expect(test.workspace.files.text(MAIN)).toContain('total([new Box(2)])');
  expect(test.workspace.files.text(SHAPES)).toContain('export class Box implements Shape');
  expect(metadata).toMatchObject({ operation: 'rename', diff: expect.stringContaining('+export class Box') });
});

test('a rename is computed and asked for again when a file changes while the person decides', async () => {
  const { test, run } = made();
  const main = PROJECT[MAIN] ?? '';
  test.answer = () => {
    if (test.asks.length === 1) test.workspace.files.put(MAIN, `${main}export const more = Square;\n`);
  };
  await run({ operation: 'rename', ...square, newName: 'Box' });
  expect(test.asks).toHaveLength(2);
  expect(test.workspace.files.text(MAIN)).toContain('export const more = Box;');
});

test('a rename that is refused changes nothing', async () => {
  const { test, run } = made();
  test.rules.push({ permission: 'edit', pattern: MAIN, action: 'deny', source: 'settings' });
  await expect(run({ operation: 'rename', ...square, newName: 'Box' })).rejects.toThrow();
  expect(test.workspace.files.text(SHAPES)).toBe(PROJECT[SHAPES]);
  expect(test.workspace.files.text(MAIN)).toBe(PROJECT[MAIN]);
});

test('code actions are listed, and one is done by its title', async () => {
  const { test, run } = made({ ...PROJECT, 'src/use.ts': 'export const s = new Square(1);\r\n' });
  const place = { operation: 'codeActions', filePath: 'src/use.ts', kind: 'quickfix' };
  const { output } = await run(place);
  expect(output.split('\n')).toContain('Add import from "./shapes" (quickfix)');
  const done = await run({ ...place, title: 'Add import from "./shapes"' });
  expect(done.output).toBe('Applied “Add import from "./shapes"” in:\nM src/use.ts');
  expect(test.workspace.files.text('src/use.ts')).toMatch(/^import \{ Square \} from .\.\/shapes.;\r\n/);
});

test('hidden files are unknown to the service, and asking about one is refused', async () => {
  const { test, run } = made();
  test.rules.push({ permission: 'read', pattern: SHAPES, action: 'ask', source: 'settings' });
  const { output } = await run({ operation: 'diagnostics', filePath: MAIN });
  expect(output).toContain('TS2307');
  expect((await run({ operation: 'workspaceSymbol', query: 'Square' })).output).not.toContain('shapes.ts');
  await expect(run({ operation: 'hover', ...square })).rejects.toMatchObject({
    fault: { code: 'not-readable' },
  });
});

test.each<[string, JsonObject, string]>([
  ['other languages', { operation: 'hover', filePath: 'a.py', line: 1, character: 1 }, 'no-language'],
  ['a file that is not there', { operation: 'documentSymbol', filePath: 'src/none.ts' }, 'not-found'],
  ['JSON has no symbols', { operation: 'documentSymbol', filePath: 'tsconfig.json' }, 'no-language'],
])('%s', async (_, input, code) => {
  const { run } = made();
  await expect(run(input)).rejects.toMatchObject({ fault: { code } });
});

test('invalid arguments are reported', async () => {
  const { run } = made();
  await expect(run({ operation: 'rename', filePath: MAIN, line: 1 })).rejects.toThrow(/character/);
  await expect(run({ operation: 'nonsense' })).rejects.toThrow(/operation/);
});

/** Every name and form of arguments that a model may use, with the expected input. */
const FORMS: readonly [string, JsonObject, string][] = [
  ['lsp_hover', { ...square }, 'class Square'],
  ['lsp_hover', { filePath: SHAPES, position: { line: 6, character: 14 } }, 'class Square'],
  ['lsp_goto_definition', { filePath: MAIN, line: 7, character: 42 }, 'src/shapes.ts:6:14'],
  ['lsp_definitions', { filePath: MAIN, position: { line: 7, character: 42 } }, 'src/shapes.ts:6:14'],
  ['lsp_find_references', { ...square, includeDeclaration: true }, 'src/shapes.ts:6:14'],
  ['lsp_references', { filePath: SHAPES, position: { line: 6, character: 14 } }, 'src/main.ts:7:42'],
  ['lsp_document_symbols', { filePath: SHAPES }, 'class Square'],
  ['lsp_symbols', { filePath: SHAPES }, 'class Square'],
  ['lsp_workspace_symbols', { filePath: SHAPES, query: 'Square', limit: 5 }, 'class Square'],
  ['lsp_workspaceSymbol', { query: 'Square' }, 'class Square'],
  ['lsp_diagnostics', { filePath: MAIN, severity: 'error' }, 'TS2322'],
  [
    'lsp_code_actions',
    { filePath: MAIN, startLine: 1, startCharacter: 1, endLine: 1, endCharacter: 5, kind: 'source' },
    'Organize imports',
  ],
  ['lsp_rename', { ...square, newName: 'Box' }, 'Renamed to Box'],
  ['LSP', { operation: 'hover', ...square }, 'class Box'],
];

test('the tool has many names, and is shown to the model once', async () => {
  const names = new Set(FORMS.map(([name]) => name.toLowerCase()));
  expect([...names].filter((name) => name !== 'lsp').toSorted()).toEqual(Object.keys(LSP_ALIASES).toSorted());
  const { of } = services();
  const flags = new Set(['experimental.lsp_tool']);
  const steps = FORMS.map(([name, input], n) => [...call(`c${n}`, name, input), finish('tool-calls')]);
  const workspace = new MemoryWorkspace({ files: PROJECT });
  const { session, events, model } = await harness([...steps, [...say('Done.'), finish()]], {
    tools: [lspTool(of)],
    flags,
    settings: { edit: 'allow' },
    workspace,
  });
  await session.prompt('Go');
  await session.rested();
  const ended = events.flatMap((event) => (event.type === 'call.ended' ? [event] : []));
  expect(ended.map(({ outcome }) => outcome)).toEqual(FORMS.map(() => 'ok'));
  for (const [n, [, , expected]] of FORMS.entries()) expect(ended[n]?.output).toContain(expected);
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['lsp']);
  expect(workspace.files.text(SHAPES)).toContain('class Box');
});

test('each operation is named for the page', () => {
  for (const operation of OPERATIONS) expect(lspCard.verbs).toHaveProperty(operation);
});

const surroundings = (test: TestCall) => ({
  workspace: test.workspace,
  visibility: () => test.context.visibility(),
  abort: test.abort.signal,
});
const ended = {
  tool: 'write',
  sessionID: 's',
  messageID: 'm',
  callID: 'c',
  agent: 'build',
  args: {},
  outcome: 'ok',
  durationMs: 1,
} as const;

async function written(
  files: Readonly<Record<string, string>>,
  filePath: string,
  content: string,
  isOn = true,
) {
  const test = new TestCall({ files });
  const { of, timer, started } = services();
  if (files[filePath] !== undefined) test.see(filePath);
  const { title, output, metadata } = await test.run(writeTool, { filePath, content });
  const change = { title, output, metadata };
  await feedback({ languageOf: of, isOn: () => isOn, timer })['tool.execute.after']?.(
    ended,
    change,
    surroundings(test),
  );
  return { ...change, started: started(), timer };
}

test('errors after a change are added to its result', async () => {
  const { output, metadata } = await written(PROJECT, 'src/new.ts', "export const n: number = 'one';\n");
  expect(output).toBe(
    [
      'Created src/new.ts.',
      '',
      'There are errors now. Fix those that this change has caused:',
      '<diagnostics file="src/new.ts">',
      "ERROR [1:14] Type 'string' is not assignable to type 'number'. (TS2322)",
      '</diagnostics>',
    ].join('\n'),
  );
  expect(metadata.diagnostics).toEqual({ 'src/new.ts': [expect.stringContaining('TS2322')] });
});

test('all files of a change are updated before one of them is checked, whether reported or not', async () => {
  const test = new TestCall({ files: PROJECT });
  test.workspace.watch = () => () => {};
  const { of, tool, timer } = services();
  await test.run(tool, { operation: 'diagnostics', filePath: MAIN });
  const { title, output, metadata } = await test.run(tool, {
    ...{ operation: 'rename', filePath: SHAPES, line: 3, character: 3 },
    newName: 'surface',
  });
  const change = { title, output, metadata };
  const hooks = feedback({ languageOf: of, isOn: () => true, timer });
  await hooks['tool.execute.after']?.({ ...ended, tool: 'lsp' }, change, surroundings(test));
  expect(change.output.match(/TS\d+/g)).toEqual(['TS2322']);
});

test('errors in files that import from the changed one are reported as well', async () => {
  const broken = (PROJECT[SHAPES] ?? '').replace(
    'constructor(private readonly side: number)',
    'constructor(readonly side: string)',
  );
  const { metadata } = await written(PROJECT, SHAPES, broken.replace('this.side ** 2', '1'));
  expect(metadata.diagnostics).toEqual({
    [SHAPES]: [],
    [MAIN]: [expect.stringContaining('TS2322'), expect.stringContaining('TS2345')],
  });
});

test.each<[string, Readonly<Record<string, string>>, string, boolean]>([
  ['nothing is wrong', PROJECT, 'export const n = 1;\n', true],
  [
    'only declarations are not installed',
    PROJECT,
    "import fs from 'node:fs';\nexport const n = [process.argv, fs];\n",
    true,
  ],
  ['it is switched off', PROJECT, 'export const n: string = 1;\n', false],
  ['the project is not written for it', { 'package.json': '{}' }, 'export const n: string = 1;\n', true],
])('nothing is reported where %s', async (_, files, content, isOn) => {
  const { output, metadata } = await written(files, 'src/new.ts', content, isOn);
  expect(output).toBe('Created src/new.ts.');
  expect(metadata.diagnostics).toBeUndefined();
});

test('a result waits only a moment', async () => {
  const test = new TestCall({ files: PROJECT });
  const timer = new ManualTimer();
  const languageOf = () => new Promise<never>(() => {});
  const { title, output, metadata } = await test.run(writeTool, {
    filePath: 'a.ts',
    content: 'let n: string = 1;',
  });
  const change = { title, output, metadata };
  const after = feedback({ languageOf, isOn: () => true, timer })['tool.execute.after']?.(
    ended,
    change,
    surroundings(test),
  );
  timer.advance(1_500);
  await after;
  expect(change.output).toBe('Created a.ts.');
});

test('files that are not code are ignored', async () => {
  const { started } = await written({ ...PROJECT, 'notes.md': 'a' }, 'notes.md', 'b');
  expect(started).toBe(0);
});
