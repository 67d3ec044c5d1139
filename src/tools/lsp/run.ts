import { FaultError } from '../../base/fault.ts';
import type { OpenLanguage, Position, WorkspaceLanguage } from '../../language/language.ts';
import { visibilityTest } from '../../protocol/visibility.ts';
import { hiddenNote } from '../listing.ts';
import { resolveWritable } from '../paths.ts';
import { oneLine } from '../text.ts';
import type { ToolContext, ToolResult } from '../tool.ts';
import {
  actions,
  diagnostics,
  hover,
  locations,
  outline,
  symbolCalls,
  symbols,
  type Answer,
} from './answers.ts';
import { makeEdit } from './edits.ts';
import type { LanguageOf } from './lsp.ts';
import type { LspInput } from './parameters.ts';
import { isAtLeast } from './severity.ts';

/** How many results the metadata keeps, as the log stores it whole. The output has all of them, within its own limits. */
const MAX_RESULTS = 20;

export async function run(
  input: LspInput,
  context: ToolContext,
  languageOf: LanguageOf,
): Promise<ToolResult> {
  const language = await languageOf(context.workspace);
  const { filePath } = input;
  const path = filePath === undefined ? undefined : await codePath(context, language, filePath);
  await context.ask({
    permission: 'lsp',
    patterns: ['*'],
    always: ['*'],
    subject: { kind: 'input', input: shownInput(input) },
  });
  const open = await language.open(context.visibility());
  const changed = path === undefined ? undefined : await runEdit(input, path, context, open);
  if (changed) {
    const { metadata, ...rest } = changed;
    return { ...rest, metadata: { ...metadata, operation: input.operation } };
  }
  const { lines, results } = await answer(input, path, context, open);
  const none = input.operation === 'diagnostics' ? 'No problems found.' : 'No results.';
  const note = input.operation === 'diagnostics' ? '' : hiddenNote(open.hidden);
  return {
    title: titleOf(input),
    output: [lines.length > 0 ? lines.join('\n') : none, note].filter(Boolean).join('\n\n'),
    metadata: {
      operation: input.operation,
      count: results.length,
      results: results.slice(0, MAX_RESULTS),
    },
  };
}

/** Runs an operation that writes; `undefined` for any other operation. */
async function runEdit(
  input: LspInput,
  path: string,
  context: ToolContext,
  open: OpenLanguage,
): Promise<ToolResult | undefined> {
  const { operation, newName, title } = input;
  const { abort } = context;
  if (operation === 'rename' && newName !== undefined)
    return makeEdit(context, `Renamed to ${oneLine(newName)} in:`, () =>
      open.request('rename', { path, position: positionOf(input), newName }, abort),
    );
  if (operation === 'codeActions' && title !== undefined)
    return makeEdit(context, `Applied “${oneLine(title)}” in:`, () =>
      open.request('applyCodeAction', { path, ...rangeOf(input), title }, abort),
    );
  return undefined;
}

async function answer(
  input: LspInput,
  path: string | undefined,
  { abort }: ToolContext,
  open: OpenLanguage,
): Promise<Answer> {
  if (path === undefined || input.operation === 'workspaceSymbol') {
    const { query, limit } = input;
    return symbols(
      await open.request('workspaceSymbol', { query, limit, ...(path !== undefined && { path }) }, abort),
    );
  }
  const at = { path, position: positionOf(input) };
  switch (input.operation) {
    case 'goToDefinition':
      return locations(await open.request('definition', at, abort));
    case 'goToImplementation':
      return locations(await open.request('implementation', at, abort));
    case 'findReferences': {
      const { includeDeclaration } = input;
      return locations(await open.request('references', { ...at, includeDeclaration }, abort));
    }
    case 'hover':
      return hover(await open.request('hover', at, abort));
    case 'documentSymbol':
      return outline(await open.request('documentSymbol', { path }, abort));
    case 'prepareCallHierarchy':
      return symbols(await open.request('prepareCallHierarchy', at, abort));
    case 'incomingCalls':
      return symbolCalls(await open.request('incomingCalls', at, abort));
    case 'outgoingCalls':
      return symbolCalls(await open.request('outgoingCalls', at, abort));
    case 'diagnostics': {
      const found = await open.request('diagnostic', { path }, abort);
      return diagnostics(found.filter(({ severity }) => isAtLeast(severity, input.severity)));
    }
    default:
      return actions(await open.request('codeAction', { path, ...rangeOf(input) }, abort));
  }
}

/** The real path of a file that the language services cover and the rules let them read. */
async function codePath(
  context: ToolContext,
  language: WorkspaceLanguage,
  filePath: string,
): Promise<string> {
  const { path, title, patterns } = await resolveWritable(context, filePath);
  const name = oneLine(title);
  if (!language.covers(path))
    throw new FaultError({
      code: 'no-language',
      what: `There is no language service for ${name}: only for TypeScript, JavaScript and JSON.`,
      next: 'Use grep and read.',
    });
  const isVisible = visibilityTest(context.visibility());
  if (![path, ...patterns.map((pattern) => `${context.worktree}/${pattern}`)].every(isVisible))
    throw new FaultError({
      code: 'not-readable',
      what: `${name} may not be read without asking, so the language service does not know it.`,
      next: 'Read it with the read tool, which asks.',
    });
  return path;
}

function positionOf({ line = 1, character = 1 }: LspInput): Position {
  return { line: line - 1, character: character - 1 };
}

/** The whole line where no character is given, the whole file where no line is given. */
function rangeOf({ line, character, endLine, endCharacter, kind }: LspInput) {
  const start = { line: (line ?? 1) - 1, character: (character ?? 1) - 1 };
  const endsAt = endLine === undefined && endCharacter === undefined ? character : endCharacter;
  const end = {
    line: (endLine ?? line ?? BEYOND_END) - 1,
    character: line === undefined ? 0 : (endsAt ?? BEYOND_END) - 1,
  };
  return { range: { start, end }, ...(kind !== undefined && { kind }) };
}

/** A line or character beyond any end; the services take it for the end. */
const BEYOND_END = 1_000_000_000;

/** The arguments that the person is shown, without empty ones. */
function shownInput({ operation, filePath, line, character, query, newName, title }: LspInput) {
  const place = line === undefined ? filePath : `${filePath}:${line}:${character ?? 1}`;
  return {
    operation,
    ...(place !== undefined && { place }),
    ...(query !== '' && { query }),
    ...(newName !== undefined && { newName }),
    ...(title !== undefined && { title }),
  };
}

function titleOf({ filePath, query, line }: LspInput): string {
  if (filePath === undefined) return oneLine(query);
  return oneLine(line === undefined ? filePath : `${filePath}:${line}`);
}
