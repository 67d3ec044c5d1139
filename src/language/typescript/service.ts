import ts from 'typescript';
import { FaultError } from '../../base/fault.ts';
import type {
  Diagnostic,
  FileDiagnostics,
  Language,
  Method,
  Position,
  Requests,
  WorkspaceEdit,
} from '../language.ts';
import { actionsAt, renameChanges, type Action } from './actions.ts';
import { completionDetail, completionsAt } from './completions.ts';
import { isCode, readConfig } from './config.ts';
import { Convert, documentationOf } from './convert.ts';
import type { FileTable } from './file-table.ts';
import { jsonDiagnostics } from './json.ts';
import { Libraries } from './libraries.ts';
import type { Project } from './project.ts';
import { Projects } from './projects.ts';

/** The maximum number of rounds; each provides the files that the previous one needed. */
const ROUNDS = 30;

type Handlers = { [M in Method]: (params: Requests[M]['params']) => Requests[M]['result'] };

/**
 * Uses TypeScript's own language service for TypeScript and JavaScript, and its parser for JSON. `bring` requests texts
 * of files in the table; it resolves when they have been added or their files removed.
 */
export class TypeScriptLanguage implements Language {
  readonly #files: FileTable;
  readonly #root: string;
  readonly #bring: (paths: readonly string[]) => Promise<void>;
  readonly #libraries = new Libraries();
  readonly #projects: Projects;

  constructor(files: FileTable, root: string, bring: (paths: readonly string[]) => Promise<void>) {
    this.#files = files;
    this.#root = root;
    this.#bring = bring;
    this.#projects = new Projects(files, root, this.#libraries);
  }

  /** Must be called for one request at a time, as files must not change during it. */
  async request<M extends Method>(method: M, params: Requests[M]['params']): Promise<Requests[M]['result']> {
    const path = params.path;
    if (path !== undefined && !this.#files.has(path)) throw unknown(path);
    if (path !== undefined && 'unsaved' in params && params.unsaved !== undefined)
      this.#files.overlay(path, params.unsaved);
    else this.#files.uncover();
    const handler: Handlers[M] = this.#handlers[method];
    for (let round = 0; round < ROUNDS; round++) {
      this.#program(path);
      if (await this.#settle()) continue;
      const answer = handler(params);
      if (!(await this.#settle())) return answer;
    }
    return handler(params);
  }

  readonly #handlers: Handlers = {
    hover: ({ path, position }) => {
      const { service, convert, offset } = this.#at(path, position);
      const info = service.getQuickInfoAtPosition(path, offset);
      if (!info) return null;
      return {
        signature: ts.displayPartsToString(info.displayParts),
        documentation: documentationOf(info),
        range: convert.range(path, info.textSpan),
      };
    },
    completion: ({ path, position }) => {
      const { service, convert, offset } = this.#at(path, position);
      return completionsAt(service, convert, path, offset);
    },
    completionDetail: ({ path, position, label }) => {
      const { service, offset } = this.#at(path, position);
      return completionDetail(service, path, offset, label);
    },
    definition: ({ path, position }) => {
      const { service, convert, offset } = this.#at(path, position);
      return convert.locations(service.getDefinitionAtPosition(path, offset));
    },
    implementation: ({ path, position }) => {
      const { service, convert, offset } = this.#at(path, position);
      return convert.locations(service.getImplementationAtPosition(path, offset));
    },
    references: ({ path, position, includeDeclaration }) => {
      const { service, convert, offset } = this.#at(path, position);
      const found = (service.findReferences(path, offset) ?? []).flatMap(({ references }) => references);
      return convert.locations(
        found.filter(({ isDefinition }) => includeDeclaration || isDefinition !== true),
      );
    },
    documentSymbol: ({ path }) => {
      const { service, convert } = this.#open(path);
      return convert.symbols(path, service.getNavigationTree(path)).children;
    },
    workspaceSymbol: ({ path, query, limit }) => {
      const projects = path === undefined ? this.#projects.all() : [this.#projects.of(path)];
      const found = projects.flatMap((project) => {
        const convert = convertOf(project);
        // An empty query finds all symbols.
        const items = project.service.getNavigateToItems(query, limit, undefined, true);
        return items.map(({ name, kind, containerName, fileName, textSpan }) => ({
          ...{ name, kind, container: containerName },
          location: convert.location(fileName, textSpan),
        }));
      });
      const unique = new Map(found.map((symbol) => [JSON.stringify(symbol), symbol]));
      return [...unique.values()].slice(0, limit);
    },
    diagnostic: ({ path }) => {
      const text = this.#files.text(path);
      if (/\.jsonc?$/.test(path))
        return [...jsonDiagnostics(path, text ?? ''), ...this.#configProblems(path)];
      const { convert } = this.#open(path);
      return this.#problems(path).map((problem) => convert.diagnostic(path, problem));
    },
    importerDiagnostic: ({ path, limit }) => {
      const found: FileDiagnostics[] = [];
      if (!isCode(path)) return found;
      const { service, convert } = this.#open(path);
      const importers = new Set(service.getFileReferences(path).map(({ fileName }) => fileName));
      for (const importer of importers) {
        if (found.length === limit) break;
        if (importer === path || !this.#isOwn(importer)) continue;
        const problems = [
          ...service.getSyntacticDiagnostics(importer),
          ...service.getSemanticDiagnostics(importer),
        ];
        const diagnostics = problems
          .map((problem) => convert.diagnostic(importer, problem))
          .filter(({ severity }) => severity === 'error');
        if (diagnostics.length > 0) found.push({ path: importer, diagnostics });
      }
      return found;
    },
    codeAction: (params) => this.#actions(params).map(({ title, kind }) => ({ title, kind })),
    applyCodeAction: ({ title, ...params }) => {
      const actions = this.#actions(params);
      const chosen = actions.find((action) => action.title === title);
      if (!chosen)
        throw new FaultError({
          code: 'no-such-action',
          what: `There is no code action “${title.slice(0, 200)}” here. Nothing was changed.`,
          next:
            actions.length > 0
              ? `There are: ${actions.map((each) => each.title).join('; ')}.`
              : 'Ask for the actions first.',
        });
      return this.#edit(params.path, chosen.changes());
    },
    rename: ({ path, position, newName, everywhere = false }) => {
      const { service, offset } = this.#at(path, position);
      return this.#edit(path, renameChanges(service, path, offset, { newName, everywhere }));
    },
    prepareCallHierarchy: ({ path, position }) => {
      const { service, convert, offset } = this.#at(path, position);
      return listOf(service.prepareCallHierarchy(path, offset)).map((item) => convert.item(item));
    },
    incomingCalls: ({ path, position }) => {
      const { service, convert, offset } = this.#at(path, position);
      return service.provideCallHierarchyIncomingCalls(path, offset).map((call) => convert.incoming(call));
    },
    outgoingCalls: ({ path, position }) => {
      const { service, convert, offset } = this.#at(path, position);
      return service
        .provideCallHierarchyOutgoingCalls(path, offset)
        .map((call) => convert.outgoing(path, call));
    },
  };

  /** Fetches the libraries and files that were missing. Returns whether there were any. */
  async #settle(): Promise<boolean> {
    const libraries = await this.#libraries.settle();
    const wanted = [...this.#files.wanted];
    if (wanted.length > 0) {
      await this.#bring(wanted);
      this.#files.wanted.clear();
    }
    // Changes the shape, so that the projects look for the library again.
    if (libraries) this.#files.shape++;
    return libraries || wanted.length > 0;
  }

  #program(path: string | undefined): void {
    if (path !== undefined && !isCode(path)) return void this.#files.text(path);
    for (const project of path === undefined ? this.#projects.all() : [this.#projects.of(path)])
      project.program();
  }

  #open(path: string) {
    const project = this.#projects.of(path);
    return { service: project.service, convert: convertOf(project) };
  }

  #at(path: string, position: Position) {
    const { service, convert } = this.#open(path);
    return { service, convert, offset: convert.offset(path, position) };
  }

  #problems(path: string): readonly ts.Diagnostic[] {
    const { service } = this.#projects.of(path);
    return [
      ...service.getSyntacticDiagnostics(path),
      ...service.getSemanticDiagnostics(path),
      ...service.getSuggestionDiagnostics(path),
    ];
  }

  #configProblems(path: string): readonly Diagnostic[] {
    if (!/(?:^|\/)[tj]sconfig[^/]*\.json$/.test(path)) return [];
    const config = readConfig(this.#files, path);
    const source = ts.parseJsonText(path, this.#files.text(path) ?? '');
    const convert = new Convert(() => source);
    return config.errors
      .filter(({ file }) => file === undefined || file.fileName === path)
      .map((problem) => convert.diagnostic(path, problem));
  }

  #actions({ path, range, kind }: Requests['codeAction']['params']): readonly Action[] {
    const { service, convert } = this.#open(path);
    const source = service.getProgram()?.getSourceFile(path);
    if (!source) throw unknown(path);
    const [from, to] = [convert.offset(path, range.start), convert.offset(path, range.end)];
    return actionsAt({ service, source, from, to: Math.max(from, to), problems: this.#problems(path) }, kind);
  }

  /** Converts TypeScript's changes. Throws a fault where one affects a file that is not part of the project. */
  #edit(path: string, changes: readonly ts.FileTextChanges[]): WorkspaceEdit {
    const convert = convertOf(this.#projects.of(path));
    const files = changes.map(({ fileName, textChanges, isNewFile }) => {
      if (!this.#isOwn(fileName)) throw notOwn(fileName);
      const edits = textChanges
        .map(({ span, newText }) => ({ range: convert.range(fileName, span), newText, start: span.start }))
        .sort((a, b) => a.start - b.start)
        .map(({ range, newText }) => ({ range, newText }));
      return { path: fileName, hash: isNewFile ? null : this.#files.hash(fileName), edits };
    });
    return { files: files.filter(({ edits }) => edits.length > 0) };
  }

  #isOwn(path: string): boolean {
    return path.startsWith(`${this.#root}/`) && !path.includes('/node_modules/');
  }
}

function convertOf(project: Project): Convert {
  const program = project.program();
  return new Convert((path) => program.getSourceFile(path));
}

function listOf<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value as T];
}

function unknown(path: string): FaultError {
  return new FaultError({ code: 'not-found', what: `There is no file ${path}, or it may not be read.` });
}

function notOwn(path: string): FaultError {
  return new FaultError({
    code: 'not-own',
    what: `${path} would have to be changed too, but it is not part of the project. Nothing was changed.`,
  });
}
