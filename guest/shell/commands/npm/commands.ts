import { close } from './close.ts';
import type { Manifest } from './project.ts';

/** The commands of npm, with npm's description of it for messages about mistyped commands. */
const ABOUT: Readonly<Record<string, string>> = {
  access: 'Set access level on published packages',
  adduser: 'Add a registry user account',
  'approve-scripts': 'Approve install scripts for specific dependencies',
  audit: 'Run a security audit',
  bugs: 'Report bugs for a package in a web browser',
  cache: 'Manipulates packages and npx cache',
  ci: 'Clean install a project',
  completion: 'Tab Completion for npm',
  config: 'Manage the npm configuration files',
  dedupe: 'Reduce duplication in the package tree',
  'deny-scripts': 'Deny install scripts for specific dependencies',
  deprecate: 'Deprecate a version of a package',
  diff: 'The registry diff command',
  'dist-tag': 'Modify package distribution tags',
  docs: 'Open documentation for a package in a web browser',
  doctor: 'Check the health of your npm environment',
  edit: 'Edit an installed package',
  exec: 'Run a command from a local or remote npm package',
  explain: 'Explain installed packages',
  explore: 'Browse an installed package',
  'find-dupes': 'Find duplication in the package tree',
  fund: 'Retrieve funding information',
  get: 'Get a value from the npm configuration',
  help: 'Get help on npm',
  'help-search': 'Search npm help documentation',
  init: 'Create a package.json file',
  install: 'Install a package',
  'install-ci-test': 'Install a project with a clean slate and run tests',
  'install-scripts': 'Manage install-script approvals for dependencies',
  'install-test': 'Install package(s) and run tests',
  link: 'Symlink a package folder',
  ll: 'List installed packages',
  login: 'Login to a registry user account',
  logout: 'Log out of the registry',
  ls: 'List installed packages',
  org: 'Manage orgs',
  outdated: 'Check for outdated packages',
  owner: 'Manage package owners',
  pack: 'Create a tarball from a package',
  ping: 'Ping npm registry',
  pkg: 'Manages your package.json',
  prefix: 'Display prefix',
  profile: 'Change settings on your registry profile',
  prune: 'Remove extraneous packages',
  publish: 'Publish a package',
  query: 'Retrieve a filtered list of packages',
  rebuild: 'Rebuild a package',
  repo: 'Open package repository page in the browser',
  restart: 'Restart a package',
  root: 'Display npm root',
  run: 'Run arbitrary package scripts',
  sbom: 'Generate a Software Bill of Materials (SBOM)',
  search: 'Search for packages',
  set: 'Set a value in the npm configuration',
  shrinkwrap: 'Lock down dependency versions for publication',
  stage: 'Stage packages for publishing, deferring proof-of-presence (2FA) to a later point in time',
  star: 'Mark your favorite packages',
  stars: 'View packages marked as favorites',
  start: 'Start a package',
  stop: 'Stop a package',
  team: 'Manage organization teams and team memberships',
  test: 'Test a package',
  token: 'Manage your authentication tokens',
  trust: 'Create a trusted relationship between a package and a OIDC provider',
  undeprecate: 'Undeprecate a version of a package',
  uninstall: 'Remove a package',
  unpublish: 'Remove a package from the registry',
  unstar: 'Remove an item from your favorite packages',
  update: 'Update packages',
  version: 'Bump a package version',
  view: 'View registry info',
  whoami: 'Display npm username',
};

const ALIASES: Readonly<Record<string, string>> = {
  author: 'owner',
  home: 'docs',
  issues: 'bugs',
  info: 'view',
  show: 'view',
  find: 'search',
  add: 'install',
  unlink: 'uninstall',
  remove: 'uninstall',
  rm: 'uninstall',
  r: 'uninstall',
  un: 'uninstall',
  rb: 'rebuild',
  list: 'ls',
  ln: 'link',
  create: 'init',
  i: 'install',
  it: 'install-test',
  cit: 'install-ci-test',
  u: 'update',
  up: 'update',
  c: 'config',
  s: 'search',
  se: 'search',
  tst: 'test',
  t: 'test',
  ddp: 'dedupe',
  v: 'view',
  'run-script': 'run',
  'clean-install': 'ci',
  'clean-install-test': 'install-ci-test',
  x: 'exec',
  why: 'explain',
  la: 'll',
  verison: 'version',
  ic: 'ci',
  innit: 'init',
  in: 'install',
  ins: 'install',
  inst: 'install',
  insta: 'install',
  instal: 'install',
  isnt: 'install',
  isnta: 'install',
  isntal: 'install',
  isntall: 'install',
  'install-clean': 'ci',
  'isntall-clean': 'ci',
  hlep: 'help',
  'dist-tags': 'dist-tag',
  upgrade: 'update',
  udpate: 'update',
  rum: 'run',
  sit: 'install-ci-test',
  urn: 'run',
  ogr: 'org',
  'add-user': 'adduser',
};

/** Finds a command by its name, an alias, or a beginning that only one of them has. */
export function commandOf(given: string): string | undefined {
  const word = given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (Object.hasOwn(ABOUT, word)) return word;
  if (Object.hasOwn(ALIASES, word)) return ALIASES[word];
  const [only, ...others] = [...Object.keys(ABOUT), ...Object.keys(ALIASES)].filter((name) =>
    name.startsWith(word),
  );
  return only === undefined || others.length > 0 ? undefined : (ALIASES[only] ?? only);
}

/** Suggests similar names, as a paragraph at the end of a message; empty where no name is similar. */
export function didYouMean({ scripts = {}, bin = {} }: Manifest, typed: string): readonly string[] {
  const bins = typeof bin === 'string' ? {} : bin;
  const near = [
    ...close(typed, Object.keys(ABOUT))
      .filter((name) => name !== typed)
      .map((name) => `${name} # ${ABOUT[name]}`),
    ...close(typed, Object.keys(scripts))
      .filter((name) => !['stop', 'start', 'test', 'restart'].includes(name))
      .map((name) => `run ${name} # run the "${name}" package script`),
    ...close(typed, Object.keys(bins)).map(
      (name) => `exec ${name} # run the "${name}" command from either this or a remote npm package`,
    ),
  ].slice(0, 3);
  if (near.length === 0) return [];
  return [
    '',
    `Did you mean ${near.length === 1 ? 'this' : 'one of these'}?`,
    ...near.map((line) => `  npm ${line}`),
  ];
}
