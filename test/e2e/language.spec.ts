import { answer, calls, dialog, openApp, readFile, script, send, useScript, writeFile } from './app.ts';
import { expect, test } from './test.ts';

const SHAPES = 'export interface Shape {\n  area(): number;\n}\n';
const MAIN = [
  "import type { Shape } from './shapes';",
  '',
  'export function total(shapes: readonly Shape[]): number {',
  '  return shapes.reduce((sum, shape) => sum + shape.area(), 0);',
  '}',
  '',
].join('\n');

test('the agent asks where a name is declared, and renames it in two files', async ({ page }) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await openApp(page);
  await writeFile(page, 'tsconfig.json', '{ "compilerOptions": { "strict": true }, "include": ["src"] }');
  await writeFile(page, 'src/shapes.ts', SHAPES);
  await writeFile(page, 'src/main.ts', MAIN);
  await useScript(
    page,
    script(
      {
        tools: [
          {
            tool: 'lsp',
            input: { operation: 'goToDefinition', filePath: 'src/main.ts', line: 4, character: 53 },
          },
        ],
      },
      {
        tools: [
          {
            tool: 'lsp_rename',
            input: { filePath: 'src/shapes.ts', line: 2, character: 3, newName: 'surface' },
          },
        ],
      },
      {
        tools: [
          {
            tool: 'write',
            input: { filePath: 'src/wrong.ts', content: "export const n: number = 'one';\n" },
          },
        ],
      },
      { text: 'Renamed.' },
    ),
  );
  const declarations = () => fetched.filter((path) => path.includes('typescript-library'));
  // Nothing of it is there before it is asked for.
  expect(declarations()).toEqual([]);
  await send(page, 'Rename area');

  await expect(dialog(page)).toContainText('src/main.ts');
  await expect(dialog(page)).toContainText('surface');
  await answer(page, 'Allow once');
  const [asked, renamed] = [calls(page, 'lsp').first(), calls(page, 'lsp').nth(1)];
  await expect(renamed).toHaveAttribute('data-outcome', 'ok');
  await answer(page, 'Allow once');
  await expect(page.getByRole('article').last()).toContainText('Renamed.');

  expect(await readFile(page, 'src/main.ts')).toBe(MAIN.replace('shape.area()', 'shape.surface()'));
  expect(await readFile(page, 'src/shapes.ts')).toBe(SHAPES.replace('area', 'surface'));

  const definition = asked.getByRole('button').first();
  await expect(definition).toContainText('Definition');
  await expect(definition).toContainText('src/main.ts:4:53');
  await definition.click();
  await expect(asked).toContainText('src/shapes.ts:2:3: area(): number;');
  await expect(renamed.getByRole('button').first()).toContainText('to surface');
  await expect(calls(page, 'write').getByRole('region', { name: 'Errors in src/wrong.ts' })).toContainText(
    'TS2322',
  );
  expect(declarations().length).toBeGreaterThan(0);
});
