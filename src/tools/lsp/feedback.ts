import { pause, type Timer } from '../../base/timer.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { ROOT } from '../../base/places.ts';
import type { Diagnostic } from '../../language/language.ts';
import { visibilityTest } from '../../workspace/visibility.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { CallResult, CallSurroundings, ToolHooks } from '../hooks.ts';
import { relativeToRoot } from '../places.ts';
import { oneLine } from '../text.ts';
import { diagnosticLine } from './answers.ts';
import type { LanguageOf } from './lsp.ts';

/** How long a result waits for what is wrong after it. */
const PATIENCE_MS = 1_500;
/** Of those that changed, and of those that import from them. */
const MOST_FILES = 5;
/** Of errors, in each file. */
const MOST_ERRORS = 20;

/** Tools that change files, and say which in their metadata. */
const CHANGING: ReadonlySet<string> = new Set(['edit', 'write', 'apply_patch', 'lsp']);

interface Deps {
  readonly languageOf: LanguageOf;
  /** Whether it is wanted in this workspace. */
  isOn(workspaceID: string): boolean;
  readonly timer: Timer;
}

/**
 * Adds the errors that are in a file now, and in those that import from it, to the result of a call that changed it.
 * Only where the service runs already or the project is written for it, and never for longer than a moment: what is not
 * found by then is not told.
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
        // What goes wrong here is not the call's fault.
        findErrors(found, paths, languageOf, isOn(surroundings.workspace.id), surroundings).catch(
          () => undefined,
        ),
        pause(timer, PATIENCE_MS, AbortSignal.any([surroundings.abort, waited.signal])),
      ]);
      waited.abort();
      tell(change, found);
    },
  };
}

interface FileErrors {
  readonly path: string;
  readonly errors: readonly Diagnostic[];
}

/** Puts what it finds into `found` as it finds it: of the files that changed, then of those that import from them. */
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
  // Whatever is asked next is asked of the files as this call left them.
  const open = await language.open(shown, changed);
  if (!isOn) return;
  const looked = paths.slice(0, MOST_FILES);
  for (const path of looked) {
    // One that is gone has none.
    const all = await open.request('diagnostic', { path }, abort).catch(() => []);
    found.push({ path, errors: all.filter(isTold) });
  }
  for (const path of looked) {
    const limit = MOST_FILES + paths.length;
    const others = await open.request('importerDiagnostic', { path, limit }, abort).catch(() => []);
    for (const { path: other, diagnostics } of others)
      if (found.length < looked.length + MOST_FILES && !found.some((known) => known.path === other))
        found.push({ path: other, errors: diagnostics.filter(isTold) });
  }
}

/** Declarations of Node and the like that are not installed are missing whatever a change does. */
function isTold({ severity, message }: Diagnostic): boolean {
  return severity === 'error' && !message.includes('install type definitions for');
}

function tell(change: CallResult, found: readonly FileErrors[]): void {
  const files = found.map(({ path, errors }) => ({
    name: relativeToRoot(path),
    lines: errors.slice(0, MOST_ERRORS).map(diagnosticLine),
    more: errors.length - MOST_ERRORS,
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
    'There are errors now; mend them where they are of this change:',
    ...blocks,
  ].join('\n');
  change.metadata = {
    ...change.metadata,
    diagnostics: Object.fromEntries(files.map(({ name, lines }) => [name, lines])),
  };
}

/** Starting it takes a moment and a megabyte: only for projects that are checked anyway. */
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

/** As the tools that change files say it: one in `filediff`, or several in `files`. */
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
