/**
 * ESLint rule for the architecture: which room may import from which, and which packages belong to one room.
 * A room is a folder of src/ or of guest/. Tests, test/, scripts/ and build/ are exempt.
 */
import path from 'node:path';

/** The other rooms from which each room may import. `types`: those from which it may import types only. */
const ROOMS = {
  base: { from: [], types: [] },
  /** The messages between the app and the guest. */
  protocol: { from: ['base'], types: [] },
  permissions: { from: ['base'], types: [] },
  workspace: { from: ['base', 'protocol'], types: [] },
  // The groups of permissions that agents have follow from the tools' manifests.
  agents: { from: ['base', 'permissions', 'tools'], types: [] },
  config: { from: ['base', 'permissions', 'workspace', 'agents', 'protocol'], types: [] },
  language: { from: ['base', 'workspace', 'protocol'], types: [] },
  /** What the workspace serves, shown away from the app's origin. */
  preview: { from: ['base', 'workspace', 'protocol'], types: [] },
  tools: { from: ['base', 'permissions', 'workspace', 'preview', 'protocol'], types: ['language'] },
  session: { from: ['base', 'permissions', 'workspace', 'tools', 'agents', 'protocol'], types: ['models'] },
  models: { from: ['base', 'session', 'workspace', 'protocol', 'engine'], types: [] },
  /** Small models that run in the tab: their files, and the frame that runs them. */
  engine: { from: ['base', 'protocol'], types: ['models'] },
  /** The service worker, and what the page and it say to each other. */
  offline: { from: ['base'], types: [] },
  storage: { from: ['base', 'session', 'permissions', 'workspace', 'protocol'], types: [] },
  lessons: { from: ['base', 'permissions', 'session', 'models'], types: [] },
  /** What other sites embed: it folds a recording and shows it, and has nothing else of the app. */
  embed: { from: ['base', 'session', 'lessons'], types: [] },
  /** The page that learning platforms launch: a lesson in a frame of `embed`, and what is reported of it. */
  cmi5: { from: ['base', 'embed'], types: [] },
  automation: {
    from: ['base', 'session', 'tools', 'permissions', 'workspace', 'protocol'],
    types: ['models'],
  },
  ui: {
    from: [
      'base',
      'session',
      'tools',
      'permissions',
      'workspace',
      'preview',
      'agents',
      'config',
      'lessons',
      'protocol',
    ],
    types: ['models', 'storage', 'extensions', 'language', 'offline'],
  },
  extensions: {
    // Custom tools become scripts through the code with which `node` reads modules.
    from: ['base', 'permissions', 'workspace', 'tools', 'config', 'protocol', 'guest/node'],
    types: [],
  },
};

/** The same for the rooms of guest/. The app loads these as whole scripts, but for what `extensions` shares with `node`. */
const GUEST_ROOMS = {
  /** The messages between the other rooms. */
  shared: { from: [], types: [] },
  search: { from: ['shared'], types: [] },
  node: { from: ['shared'], types: [] },
  shell: { from: ['shared'], types: [] },
  // The command is a program of the shell, in a script of its own.
  git: { from: ['shared', 'shell'], types: [] },
  tools: { from: ['shared'], types: [] },
  container: { from: ['shared', 'search'], types: [] },
  diagram: { from: [], types: [] },
  engine: { from: [], types: [] },
  preview: { from: [], types: [] },
  // The kernel reports facts about `node` to the app.
  kernel: { from: ['shared', 'node'], types: [] },
};
for (const [room, { from, types }] of Object.entries(GUEST_ROOMS))
  ROOMS[`guest/${room}`] = {
    from: ['base', 'protocol', ...from.map((each) => `guest/${each}`)],
    types: types.map((each) => `guest/${each}`),
  };

/** Packages that only one room may import. */
const PACKAGES = [
  {
    match:
      /^(svelte|bits-ui|@lucide\/svelte|@xterm\/.*|@codemirror\/.*|@lezer\/.*|shiki|@shikijs\/.*|dompurify|temml)(\/|$)/,
    rooms: ['ui'],
  },
  { match: /^marked(\/|$)/, rooms: ['ui', 'embed'] },
  { match: /^mermaid(\/|$)/, rooms: ['guest/diagram'] },
  { match: /^@huggingface\/transformers(\/|$)/, rooms: ['guest/engine'] },
  { match: /^onnxruntime-web(\/|$)/, rooms: ['engine'] },
  { match: /^idb(\/|$)/, rooms: ['storage'] },
  { match: /^@modelcontextprotocol\/client(\/|$)/, rooms: ['extensions'] },
  { match: /^(ai|@ai-sdk\/.*)(\/|$)/, rooms: ['models'] },
  // Only tests use it, for files in memory.
  { match: /^just-bash(\/|$)/, rooms: [] },
  { match: /^unbash(\/|$)/, rooms: ['permissions', 'guest'] },
  { match: /^(isomorphic-git|buffer)(\/|$)/, rooms: ['guest/git'] },
  { match: /^typescript(\/|$)/, rooms: ['language/typescript'] },
  { match: /^@webcontainer\/api(\/|$)/, rooms: ['workspace/webcontainer'] },
  // The types of node's modules check our builtins.
  { match: /^node:/, rooms: [], types: ['guest/node'] },
];

/** Joins the other rooms for main.ts, so it may import all of them. */
ROOMS.app = { from: Object.keys(ROOMS).filter((room) => !room.startsWith('guest/')), types: [] };

const root = path.resolve(import.meta.dirname, '..');

function folderOf(room) {
  return room === 'guest' || room.startsWith('guest/') ? `${room}/` : `src/${room}/`;
}

function roomOf(file) {
  const relative = path.relative(root, file).split(path.sep).join('/');
  const match = /^(?:src\/([^/]+)|(guest\/[^/]+))\//.exec(relative);
  if (match) return { room: match[1] ?? match[2], relative };
  // main.ts joins everything, and files outside src/ and guest/ are tooling.
  return { room: null, relative };
}

export const arrows = {
  rules: {
    direction: {
      meta: { type: 'problem', schema: [], messages: { arrow: '{{text}}' } },
      create(context) {
        const { room, relative } = roomOf(context.filename);
        if (room === null || /\.test\.ts$/.test(relative) || /contract\.ts$/.test(relative)) return {};
        const report = (node, text) => context.report({ node, messageId: 'arrow', data: { text } });
        const allowed = ROOMS[room];

        function check(node, source, typesOnly) {
          if (source.startsWith('.')) {
            const target = roomOf(path.resolve(path.dirname(context.filename), source.split('?')[0]));
            if (target.room === room) return;
            if (!allowed)
              return report(node, `Room '${room}' is not in build/arrows.js; say there what it may import.`);
            // The documentation may be imported as text, because the app quotes it.
            if (/^docs\/[\w-]+\.md$/.test(target.relative) && source.endsWith('?raw')) return;
            if (target.room === null)
              return report(
                node,
                `'${relative}' may not import '${target.relative}', which is outside the rooms.`,
              );
            if (allowed.from.includes(target.room)) return;
            if (typesOnly && allowed.types.includes(target.room)) return;
            report(
              node,
              `'${room}' may not import from '${target.room}'${allowed.types.includes(target.room) ? ' except types' : ''}.`,
            );
            return;
          }
          if (source.startsWith('guest:')) {
            const draws = room === 'ui' && source === 'guest:guest/diagram/main.ts';
            const runs = room === 'engine' && source.startsWith('guest:guest/engine/');
            const shows = room === 'preview' && source.startsWith('guest:guest/preview/');
            if (room !== 'workspace' && room !== 'extensions' && !draws && !runs && !shows)
              report(
                node,
                `Only 'workspace' and 'extensions' load guest code, 'ui' that for diagrams, 'engine' and 'preview' their own.`,
              );
            return;
          }
          for (const { match, rooms, types = [] } of PACKAGES) {
            if (!match.test(source)) continue;
            if (typesOnly && types.some((allowed) => relative.startsWith(`${allowed}/`))) continue;
            if (!rooms.some((allowed) => `${relative}/`.startsWith(folderOf(allowed)))) {
              report(
                node,
                `'${source}' may be imported only in: ${rooms.join(', ') || 'nowhere in the app'}.`,
              );
            }
          }
        }

        return {
          ImportDeclaration(node) {
            const named =
              node.specifiers.length > 0 &&
              node.specifiers.every((specifier) => specifier.importKind === 'type');
            check(node, node.source.value, node.importKind === 'type' || named);
          },
          ExportNamedDeclaration(node) {
            if (node.source) check(node, node.source.value, node.exportKind === 'type');
          },
          ExportAllDeclaration(node) {
            check(node, node.source.value, node.exportKind === 'type');
          },
          TSImportType(node) {
            if (node.source?.type === 'Literal') check(node, node.source.value, true);
          },
          ImportExpression(node) {
            if (typeof node.source.value === 'string') check(node, node.source.value, false);
          },
        };
      },
    },
  },
};
