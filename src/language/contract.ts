import { describe, expect, test } from 'vitest';
import { hashText } from '../base/hash.ts';
import { ROOT } from '../base/places.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Location, Position, Range, WorkspaceLanguage } from './language.ts';

/** A workspace that a test can write to, with its language services. */
export interface LanguageUnderTest {
  readonly workspace: Pick<Workspace, 'files'>;
  readonly language: WorkspaceLanguage;
}

/** A small project in two files and a config. */
export const PROJECT: Readonly<Record<string, string>> = {
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "lib": ["es2022"] }, "include": ["src"] }',
  'src/shapes.ts': [
    '/** Something with an area. */',
    'export interface Shape {',
    '  area(): number;',
    '}',
    '',
    'export class Square implements Shape {',
    '  constructor(private readonly side: number) {}',
    '  area(): number {',
    '    return this.side ** 2;',
    '  }',
    '}',
    '',
  ].join('\n'),
  'src/main.ts': [
    "import { Square, type Shape } from './shapes';",
    '',
    'export function total(shapes: readonly Shape[]): number {',
    '  return shapes.reduce((sum, shape) => sum + shape.area(), 0);',
    '}',
    '',
    'export const answer: string = total([new Square(2)]);',
    '',
  ].join('\n'),
};

const SHAPES = `${ROOT}/src/shapes.ts`;
const MAIN = `${ROOT}/src/main.ts`;

/** The position of the second character of the `nth` occurrence of `word`. */
function at(path: string, word: string, nth = 1): { path: string; position: Position } {
  const text = PROJECT[path.slice(ROOT.length + 1)] ?? '';
  let offset = -1;
  for (let n = 0; n < nth; n++) offset = text.indexOf(word, offset + 1);
  const before = text.slice(0, offset + 1).split('\n');
  return { path, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
}

const short = ({ start }: Range) => `${start.line + 1}:${start.character + 1}`;
const places = (found: readonly Location[]) =>
  found.map(({ path, range }) => `${path.slice(path.lastIndexOf('/') + 1)}:${short(range)}`).sort();

/** Tests any language service on {@link PROJECT}; `make` returns a workspace that contains it. */
export function languageContract(make: () => Promise<LanguageUnderTest>): void {
  describe('language services', () => {
    test('describe a name and find its declaration, implementations and uses', async () => {
      const { language } = await make();
      const open = await language.open([]);
      expect(await open.request('hover', at(MAIN, 'total'))).toMatchObject({
        signature: 'function total(shapes: readonly Shape[]): number',
      });
      expect(await open.request('hover', at(MAIN, 'Shape }'))).toMatchObject({
        documentation: 'Something with an area.',
      });
      expect(await open.request('hover', { path: MAIN, position: { line: 1, character: 0 } })).toBeNull();
      expect(await open.request('definition', at(MAIN, 'area'))).toEqual([
        { path: SHAPES, range: expect.anything(), text: 'area(): number;' },
      ]);
      expect(places(await open.request('implementation', at(MAIN, 'area')))).toEqual(['shapes.ts:8:3']);
      const square = at(SHAPES, 'Square');
      expect(places(await open.request('references', { ...square, includeDeclaration: true }))).toEqual([
        'main.ts:1:10',
        'main.ts:7:42',
        'shapes.ts:6:14',
      ]);
      expect(
        places(await open.request('references', { ...square, includeDeclaration: false })),
      ).not.toContain('shapes.ts:6:14');
    });

    test('list the symbols of a file and of the workspace', async () => {
      const { language } = await make();
      const open = await language.open([]);
      const symbols = await open.request('documentSymbol', { path: SHAPES });
      expect(symbols.map(({ name, kind }) => `${kind} ${name}`)).toEqual(['interface Shape', 'class Square']);
      expect(symbols[1]?.children.map(({ name }) => name)).toEqual(['constructor', 'area', 'side']);
      const found = await open.request('workspaceSymbol', { query: 'squ', limit: 10 });
      expect(found).toEqual([
        expect.objectContaining({ name: 'Square', location: expect.objectContaining({ path: SHAPES }) }),
      ]);
    });

    test('report errors, and none once they are fixed', async () => {
      const { language, workspace } = await make();
      const open = await language.open([]);
      const found = await open.request('diagnostic', { path: MAIN });
      expect(found).toEqual([
        {
          range: { start: { line: 6, character: 13 }, end: { line: 6, character: 19 } },
          severity: 'error',
          code: 'TS2322',
          message: "Type 'number' is not assignable to type 'string'.",
        },
      ]);
      const mended = (PROJECT['src/main.ts'] ?? '').replace(': string', ': number');
      await workspace.files.write(MAIN, new TextEncoder().encode(mended));
      expect(await open.request('diagnostic', { path: MAIN })).toEqual([]);
    });

    test('report errors in the files that import from one', async () => {
      const { language } = await make();
      const open = await language.open([]);
      expect(await open.request('importerDiagnostic', { path: SHAPES, limit: 5 })).toEqual([
        { path: MAIN, diagnostics: [expect.objectContaining({ code: 'TS2322' })] },
      ]);
      expect(await open.request('importerDiagnostic', { path: SHAPES, limit: 0 })).toEqual([]);
      expect(await open.request('importerDiagnostic', { path: MAIN, limit: 5 })).toEqual([]);
    });

    test('offer actions, and compute the changes of one', async () => {
      const { language, workspace } = await make();
      await workspace.files.write(
        `${ROOT}/src/use.ts`,
        new TextEncoder().encode('export const s = new Square(1);\n'),
      );
      const open = await language.open([]);
      const place = {
        path: `${ROOT}/src/use.ts`,
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 31 } },
      };
      const offered = await open.request('codeAction', { ...place, kind: 'quickfix' });
      const title = 'Add import from "./shapes"';
      expect(offered).toContainEqual({ title, kind: 'quickfix' });
      const edit = await open.request('applyCodeAction', { ...place, title });
      expect(edit.files).toEqual([
        {
          path: place.path,
          hash: hashText('export const s = new Square(1);\n'),
          edits: [
            {
              range: { start: expect.anything(), end: expect.anything() },
              newText: expect.stringMatching(/^import \{ Square \} from ["']\.\/shapes["'];/),
            },
          ],
        },
      ]);
      await expect(open.request('applyCodeAction', { ...place, title: 'Nonsense' })).rejects.toMatchObject({
        fault: { code: 'no-such-action' },
      });
    });

    test('complete members, and the paths of imports', async () => {
      const { language } = await make();
      const open = await language.open([]);
      const text = (PROJECT['src/main.ts'] ?? '').replace('shape.area()', 'shape.');
      const member = { ...at(MAIN, 'shape.area'), unsaved: text };
      const position = { ...member.position, character: member.position.character + 'hape.'.length };
      const found = await open.request('completion', { ...member, position });
      expect(found).toEqual([expect.objectContaining({ label: 'area', kind: 'method' })]);
      expect(await open.request('completionDetail', { ...member, position, label: 'area' })).toMatchObject({
        signature: '(method) Shape.area(): number',
      });
      expect(await open.request('completionDetail', { ...member, position, label: 'none' })).toBeNull();
      const path = { path: MAIN, unsaved: "import './';\n", position: { line: 0, character: 10 } };
      expect((await open.request('completion', path)).map(({ label }) => label)).toEqual(['shapes']);
    });

    test('answer about a text that is not saved, and about the saved one again', async () => {
      const { language } = await make();
      const open = await language.open([]);
      const unsaved = (PROJECT['src/main.ts'] ?? '').replace(': string', ': number');
      expect(await open.request('diagnostic', { path: MAIN, unsaved })).toEqual([]);
      expect((await open.request('diagnostic', { path: MAIN })).map(({ code }) => code)).toEqual(['TS2322']);
      expect(await open.request('diagnostic', { path: MAIN, unsaved })).toEqual([]);
      const other = { path: SHAPES, unsaved: 'export {};\n' };
      expect(await open.request('diagnostic', other)).toEqual([]);
      expect((await open.request('diagnostic', { path: MAIN })).map(({ code }) => code)).toEqual(['TS2322']);
    });

    test('rename a symbol in all files', async () => {
      const { language } = await make();
      const open = await language.open([]);
      const { files } = await open.request('rename', { ...at(SHAPES, 'area', 2), newName: 'surface' });
      const edited = files.map(({ path, hash, edits }) => ({
        path,
        hash,
        at: edits.map(({ range }) => short(range)),
      }));
      expect(edited.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
        { path: MAIN, hash: hashText(PROJECT['src/main.ts'] ?? ''), at: ['4:52'] },
        { path: SHAPES, hash: hashText(PROJECT['src/shapes.ts'] ?? ''), at: ['3:3', '8:3'] },
      ]);
      for (const newName of ['two words', 'class', ''])
        await expect(open.request('rename', { ...at(SHAPES, 'area', 2), newName })).rejects.toMatchObject({
          fault: { code: 'not-a-name' },
        });
      await expect(
        open.request('rename', { path: MAIN, position: { line: 1, character: 0 }, newName: 'x' }),
      ).rejects.toMatchObject({ fault: { code: 'cannot-rename' } });
    });

    test('rename an imported symbol by an alias, or everywhere', async () => {
      const { language } = await make();
      const open = await language.open([]);
      const texts = async (path: string, everywhere: boolean) => {
        const square = { ...at(path, 'Square'), newName: 'Tile' };
        const { files } = await open.request('rename', { ...square, everywhere });
        return files.flatMap(({ edits }) => edits.map(({ newText }) => newText)).sort();
      };
      expect(await texts(MAIN, false)).toEqual(['Square as Tile', 'Tile']);
      for (const path of [MAIN, SHAPES]) expect(await texts(path, true)).toEqual(['Tile', 'Tile', 'Tile']);
    });

    test('find callers and callees', async () => {
      const { language } = await make();
      const open = await language.open([]);
      const method = at(SHAPES, 'area', 3);
      expect((await open.request('prepareCallHierarchy', method)).map(({ name }) => name)).toEqual(['area']);
      expect(
        (await open.request('incomingCalls', at(SHAPES, 'area', 2))).map(({ symbol }) => symbol.name),
      ).toEqual(['total']);
      expect(
        (await open.request('outgoingCalls', at(MAIN, 'total'))).map(({ symbol }) => symbol.name),
      ).toContain('area');
    });

    test('do not know hidden files', async () => {
      const { language } = await make();
      const hidden = await language.open([{ pattern: SHAPES, visible: false }]);
      expect(hidden.hidden).toBe(1);
      const [first] = await hidden.request('diagnostic', { path: MAIN });
      expect(first?.code).toBe('TS2307');
      await expect(hidden.request('documentSymbol', { path: SHAPES })).rejects.toMatchObject({
        fault: { code: 'not-found' },
      });
      const open = await language.open([]);
      expect((await open.request('diagnostic', { path: MAIN })).map(({ code }) => code)).toEqual(['TS2322']);
      expect((await hidden.request('diagnostic', { path: MAIN })).map(({ code }) => code)).toContain(
        'TS2307',
      );
    });
  });
}
