/** The folder in which programs expect npm's files. `npm_execpath` points into it. */
export const NPM_FOLDER = '/usr/lib/node_modules/npm/bin';

/** The npm commands that work here, and those that would need a registry. */
export const VERBS = [
  'run',
  'test',
  'start',
  'stop',
  'restart',
  'exec',
  'ls',
  'pkg',
  'init',
  'version',
  'config',
  'prefix',
  'root',
] as const;
export type Verb = (typeof VERBS)[number];

export const NEED_THE_REGISTRY = [
  'install',
  'ci',
  'update',
  'uninstall',
  'audit',
  'dedupe',
  'prune',
  'outdated',
  'view',
  'publish',
  'link',
  'search',
  'rebuild',
  'pack',
  'fund',
  'explain',
  'query',
] as const;

export function isVerb(name: string): name is Verb {
  return VERBS.some((verb) => verb === name);
}
