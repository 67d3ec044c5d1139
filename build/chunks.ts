interface Chunk {
  readonly name: string;
  /** Paths below `src/`. */
  readonly roots: readonly string[];
}

/**
 * Parts that are loaded one after the other whenever the page is used. Each is one file: without this, modules that
 * several parts share would be files of a few hundred bytes, and a first session would ask for two hundred of them. The
 * roots are loaded by `import()`; a chunk has everything that they import and that no earlier chunk has.
 */
const CHUNKS: readonly Chunk[] = [
  {
    name: 'frame',
    roots: [
      'app/at-rest.ts',
      'ui/frame/Later.svelte',
      'ui/frame/panes/FillButton.svelte',
      'ui/frame/panes/PaneHandle.svelte',
      'ui/frame/sessions/SessionLists.svelte',
      'ui/conversation/composer/attach/AttachMenu.svelte',
    ],
  },
  {
    name: 'session',
    roots: [
      'agents/prompts.ts',
      'app/custom-code.ts',
      'app/folders.ts',
      'app/model-list.ts',
      'config/watched.ts',
      'models/faults.ts',
      'models/script/bare.ts',
      'models/script/plan.ts',
      'session/calls/calls.ts',
      'session/log/opening.ts',
      'session/session.ts',
      'storage/tree-contents.ts',
      'tools/batch/batch.ts',
      'tools/builtin.ts',
      'tools/lsp/feedback.ts',
      'tools/lsp/lsp.ts',
      'tools/preview/preview.ts',
      'tools/skill/skill.ts',
      'tools/todo/todoread.ts',
      'tools/todo/todowrite.ts',
      'workspace/changes/since.ts',
      'workspace/embedded/open.ts',
      'workspace/without-ignored.ts',
    ],
  },
  {
    name: 'automation',
    roots: ['automation/automation.ts', 'app/automation-host.ts', 'app/automation-restore.ts'],
  },
  {
    name: 'conversation',
    roots: [
      'ui/conversation/Conversation.svelte',
      'ui/conversation/permission/PermissionDock.svelte',
      'ui/conversation/restore/AnswerActions.svelte',
      'ui/conversation/restore/MessageActions.svelte',
      'ui/conversation/tools/diff/colour-pieces.ts',
      'ui/frame/JobsChip.svelte',
      'ui/kit/highlight.ts',
      'ui/kit/markdown/parser.ts',
      'ui/workbench/FilesPanel.svelte',
      'ui/workbench/preview/server-notice.ts',
    ],
  },
];

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/**
 * Returns a function that names the chunk of a module, or null where the bundler decides. What the page begins with is one,
 * `page`. Each chunk imports earlier ones at most, so they form no circle. Throws if a root is gone.
 */
export function chunkNames(
  root: string,
  chunks: readonly Chunk[] = CHUNKS,
): (id: string, graph: Graph) => string | null {
  let names: ReadonlyMap<string, string> | undefined;
  return (id, graph) => {
    names ??= namesIn(graph, root.replaceAll('\\', '/'), chunks);
    return names.get(id) ?? null;
  };
}

function namesIn(graph: Graph, root: string, chunks: readonly Chunk[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const take = (id: string, name: string): void => {
    if (taken.has(id)) return;
    taken.add(id);
    // For zod, vite.config.ts chooses file by file what belongs to the page.
    if (name !== 'page' || !id.includes('/node_modules/zod/')) names.set(id, name);
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) take(next, name);
  };
  const page = `${root}/index.html`;
  // Without it, all that the page begins with would go into the first chunk.
  if (!graph.getModuleInfo(page)) throw new Error('build/chunks.ts finds no index.html.');
  taken.add(page);
  for (const id of graph.getModuleInfo(page)?.importedIds ?? []) take(id, 'page');
  for (const { name, roots } of chunks)
    for (const file of roots) {
      const id = `${root}/src/${file}`;
      if (!graph.getModuleInfo(id)) throw new Error(`build/chunks.ts names ${file}, which nothing imports.`);
      take(id, name);
    }
  return names;
}
