import { pause, type Timer } from '../../base/timer.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { ROOT } from '../../base/places.ts';
import type { Diagnostic } from '../../language/language.ts';
import { visibilityTest } from '../../protocol/visibility.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { CallResult, CallSurroundings, ToolHooks } from '../hooks.ts';
import { manifests } from '../manifests.ts';
import { relativeToRoot } from '../paths.ts';
import { oneLine } from '../text.ts';
import { diagnosticLine } from './answers.ts';
import type { LanguageOf } from './lsp.ts';

/** How long a result waits for diagnostics, in milliseconds. */
const MAX_WAIT_MS = 1_500;
/** The maximum number of changed files, and of files that import from them, that are checked. */
const MAX_FILES = 5;
/** The maximum number of errors reported per file. */
const MAX_ERRORS = 20;

/** Tools that may change files, and list them in their metadata then. */
const CHANGING: ReadonlySet<string> = new Set([
  ...manifests.filter(({ effect }) => effect === 'changes').map(({ id }) => id),
  'lsp',
]);

interface Deps {
  readonly languageOf: LanguageOf;
  /** Whether the feedback is switched on for this workspace. */
  isOn(workspaceID: string): boolean;
  readonly timer: Timer;
}

/**
 * Adds the current errors of a changed file, and of the files that import from it, to the result of the call that changed
 * it. Runs only if the service is already running or the project uses TypeScript. It waits only a moment: errors that
 * are found later are not reported.
 */
export function feedback({ languageOf, isOn, timer }: Deps): ToolHooks {
  return {
    async 'tool.execute.after'(call, change, surroundings) {
      if (!surroundings || call.outcome !== 'ok' || !CHANGING.has(call.tool)) return;
      const paths = changedPaths(change.metadata);
      if (paths.length === 0) return;
      const found: FileErrors[] = [];
      const waited = new AbortController();
      await Promise.race([
        // A failure here must not fail the call.
        findErrors(found, paths, languageOf, isOn(surroundings.workspace.id), surroundings).catch(
          () => undefined,
        ),
        pause(timer, MAX_WAIT_MS, AbortSignal.any([surroundings.abort, waited.signal])),
      ]);
      waited.abort();
      appendErrors(change, found);
    },
  };
}

interface FileErrors {
  readonly path: string;
  readonly errors: readonly Diagnostic[];
}

/** Adds errors to `found` as it goes: first those of the changed files, then those of the files that import from them. */
async function findErrors(
  found: FileErrors[],
  changed: readonly string[],
  languageOf: LanguageOf,
  isOn: boolean,
  { workspace, visibility, abort }: CallSurroundings,
): Promise<void> {
  const language = await languageOf(workspace);
  const shown = visibility();
  const isVisible = visibilityTest(shown);
  const paths = changed.filter((path) => language.covers(path) && isVisible(path));
  if (paths.length === 0) return;
  if (!language.running && !(isOn && (await isWorthwhile(workspace, paths)))) return;
  // Opened even if off, so that later requests see the files as this call left them.
  const open = await language.open(shown, changed);
  if (!isOn) return;
  const checked = paths.slice(0, MAX_FILES);
  for (const path of checked) {
    // A deleted file has no diagnostics.
    const all = await open.request('diagnostic', { path }, abort).catch(() => []);
    found.push({ path, errors: all.filter(isReported) });
  }
  for (const path of checked) {
    const limit = MAX_FILES + paths.length;
    const others = await open.request('importerDiagnostic', { path, limit }, abort).catch(() => []);
    for (const { path: other, diagnostics } of others)
      if (found.length < checked.length + MAX_FILES && !found.some((known) => known.path === other))
        found.push({ path: other, errors: diagnostics.filter(isReported) });
  }
}

/** Missing type definitions, such as those of Node, are not caused by the change. */
function isReported({ severity, message }: Diagnostic): boolean {
  return severity === 'error' && !message.includes('install type definitions for');
}

function appendErrors(change: CallResult, found: readonly FileErrors[]): void {
  const files = found.map(({ path, errors }) => ({
    name: relativeToRoot(path),
    lines: errors.slice(0, MAX_ERRORS).map(diagnosticLine),
    more: errors.length - MAX_ERRORS,
  }));
  const blocks = files.flatMap(({ name, lines, more }) => {
    if (lines.length === 0) return [];
    const left = more > 0 ? [`… and ${more} more`] : [];
    return [`<diagnostics file="${oneLine(name)}">`, ...lines, ...left, '</diagnostics>'];
  });
  if (blocks.length === 0) return;
  change.output = [
    change.output,
    '',
    'There are errors now. Fix those that this change has caused:',
    ...blocks,
  ].join('\n');
  change.metadata = {
    ...change.metadata,
    diagnostics: Object.fromEntries(files.map(({ name, lines }) => [name, lines])),
  };
}

/** Starting the service costs time and a megabyte, so it starts only for projects that are type-checked anyway. */
async function isWorthwhile({ files }: Workspace, paths: readonly string[]): Promise<boolean> {
  const folders = new Set([ROOT]);
  for (const path of paths)
    for (let folder = path; folder.length > ROOT.length; folder = folder.slice(0, folder.lastIndexOf('/')))
      folders.add(folder.slice(0, folder.lastIndexOf('/')));
  for (const folder of folders)
    for (const name of ['tsconfig.json', 'jsconfig.json'])
      if ((await files.stat(`${folder}/${name}`)) !== null) return true;
  return usesTypeScript(files);
}

async function usesTypeScript(files: Workspace['files']): Promise<boolean> {
  try {
    const found: Json = JSON.parse(new TextDecoder().decode(await files.read(`${ROOT}/package.json`)));
    return ['dependencies', 'devDependencies'].some((list) => {
      const named = isObject(found) ? found[list] : undefined;
      return isObject(named) && 'typescript' in named;
    });
  } catch {
    return false;
  }
}

/** Reads the changed files from the metadata: one in `filediff`, or several in `files`. */
function changedPaths({ filediff, files }: JsonObject): readonly string[] {
  if (isObject(filediff) && typeof filediff['file'] === 'string') return [`${ROOT}/${filediff['file']}`];
  if (!Array.isArray(files)) return [];
  return files
    .filter(isObject)
    .flatMap(({ filePath, movePath }) => [
      ...(typeof movePath === 'string' ? [`${ROOT}/${movePath}`] : []),
      ...(typeof filePath === 'string' ? [filePath] : []),
    ]);
}
