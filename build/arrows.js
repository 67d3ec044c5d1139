/**
 * ESLint rule that holds the architecture: which room may import from which, and which packages belong to one room.
 * A room is a folder of src/, or guest/. Tests, test/, scripts/ and build/ are exempt.
 */
import path from 'node:path';

/** What each room may import at run time, besides itself. `types`: what it may import only as types. */
const ROOMS = {
  base: { from: [], types: [] },
  permissions: { from: ['base'], types: [] },
  workspace: { from: ['base'], types: [] },
  agents: { from: ['base', 'permissions'], types: [] },
  config: { from: ['base', 'permissions', 'workspace', 'agents'], types: [] },
  language: { from: ['base', 'workspace'], types: [] },
  tools: { from: ['base', 'permissions', 'workspace'], types: ['language'] },
  session: { from: ['base', 'permissions', 'workspace', 'tools', 'agents'], types: ['models'] },
  models: { from: ['base', 'session', 'workspace'], types: [] },
  storage: { from: ['base', 'session', 'permissions', 'workspace'], types: [] },
  lessons: { from: ['base', 'permissions', 'session', 'models'], types: [] },
  automation: { from: ['base', 'session', 'tools', 'permissions', 'workspace'], types: ['models'] },
  ui: {
    from: ['base', 'session', 'tools', 'permissions', 'workspace', 'agents', 'config', 'lessons'],
    types: ['models', 'storage', 'extensions'],
  },
  extensions: { from: ['base', 'permissions', 'workspace', 'tools', 'config'], types: [] },
  guest: { from: ['base', 'workspace'], types: ['extensions'] },
};

/** Packages that only one room may import. */
const PACKAGES = [
  {
    match: /^(svelte|bits-ui|@lucide\/svelte|@xterm\/.*|shiki|@shikijs\/.*|marked|dompurify)(\/|$)/,
    rooms: ['ui'],
  },
  { match: /^idb(\/|$)/, rooms: ['storage'] },
  { match: /^@modelcontextprotocol\/client(\/|$)/, rooms: ['extensions'] },
  { match: /^(ai|@ai-sdk\/.*)(\/|$)/, rooms: ['models'] },
  // Tests have its files in memory.
  { match: /^just-bash(\/|$)/, rooms: [] },
  { match: /^unbash(\/|$)/, rooms: ['permissions', 'guest'] },
  { match: /^typescript(\/|$)/, rooms: ['language/typescript'] },
  { match: /^@webcontainer\/api(\/|$)/, rooms: ['workspace/webcontainer'] },
  // Their shapes are what the builtins of node processes are held to.
  { match: /^node:/, rooms: [], types: ['guest/node'] },
];

/** Joins what the rooms make, for main.ts; may import them all. */
ROOMS.app = { from: Object.keys(ROOMS).filter((room) => room !== 'guest'), types: [] };

const root = path.resolve(import.meta.dirname, '..');

function folderOf(room) {
  return room === 'guest' ? 'guest/' : `src/${room}/`;
}

function roomOf(file) {
  const relative = path.relative(root, file).split(path.sep).join('/');
  if (relative.startsWith('guest/')) return { room: 'guest', relative };
  const match = /^src\/([^/]+)\//.exec(relative);
  if (match) return { room: match[1], relative };
  // main.ts joins everything; what lies outside src/ and guest/ is tooling.
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
            // As text: what the app tells of itself, it tells in the words of the documentation.
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
            if (room !== 'workspace' && room !== 'extensions')
              report(node, `Only 'workspace' and 'extensions' load guest code.`);
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
