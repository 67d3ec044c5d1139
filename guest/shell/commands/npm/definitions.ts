const words = (text: string) => text.trim().split(/\s+/);

/** The flags of npm that are on by default; the next list has those that are off. */
const ON = words(`
  audit bin-links commit-hooks description format-package-lock fund git-tag-version package-lock progress
  rebuild-bundle save shrinkwrap strict-ssl unicode update-notifier workspaces-update
`);
const OFF = words(`
  all allow-same-version dev diff-ignore-all-space diff-name-only diff-no-prefix diff-text dry-run
  engine-strict force foreground-scripts global global-style if-present ignore-scripts include-staged
  include-workspace-root install-links json legacy-bundling legacy-peer-deps link long offline
  omit-lockfile-registry-resolved package-lock-only parseable prefer-dedupe prefer-offline prefer-online
  provenance read-only save-bundle save-dev save-exact save-optional save-peer save-prod sign-git-commit
  sign-git-tag strict-peer-deps timing usage version versions expect-results optional production workspaces
  yes
`);
/** The flags that take a value; the text after `=` is the default. */
const VALUES = words(`
  _auth access also audit-level auth-type=web before browser cache cache-max=Infinity cache-min=0 cafile call
  cert color=true cpu depth diff-dst-prefix=b/ diff-src-prefix=a/ diff-unified=3 editor=vi expect-result-count
  fetch-retries=2 fetch-retry-factor=10 fetch-retry-maxtimeout=60000 fetch-retry-mintimeout=10000
  fetch-timeout=300000 git=git globalconfig heading=npm https-proxy init-author-email init-author-name
  init-author-url init-license=ISC init-module init-version=1.0.0 install-strategy=hoisted key libc
  local-address location=user lockfile-version loglevel=notice logs-dir logs-max=10 maxsockets=15 message=%s
  node-options only os otp pack-destination=. prefix preid provenance-file proxy
  registry=https://registry.npmjs.org/ replace-registry-host=npmjs save-prefix=^ sbom-format sbom-type=library
  scope script-shell searchexclude searchlimit=20 searchopts searchstaleness=900 shell tag=latest
  tag-version-prefix=v umask=0 user-agent userconfig viewer=man which
`);
/** The flags that take several values. */
const LISTS = words(`
  ca cidr diff include noproxy omit package workspace
`);
/** Flags of npm 11 that mean nothing where scripts run. */
const OTHERS = words(`
  allow-directory allow-file allow-git allow-remote allow-scripts allow-scripts-pending allow-scripts-pin
  bypass-2fa dangerously-allow-all-scripts expires include-attestations init-type init-private init.author.email
  init.author.name init.author.url init.license init.module init.version min-release-age min-release-age-exclude
  node-gyp orgs orgs-permission packages packages-all packages-and-scopes-permission password scopes
  strict-allow-scripts token-description
`);
/** The flags that scripts do not receive as variables. */
const UNTOLD = new Set(
  words(`
    if-present include-workspace-root workspace workspaces
    also cache-max cache-min cert dev global-style key legacy-bundling only optional production shrinkwrap
  `),
);

const DEFAULTS: ReadonlyMap<string, string | boolean | undefined> = new Map<
  string,
  string | boolean | undefined
>([
  ...ON.map((name) => [name, true] as const),
  ...OFF.map((name) => [name, false] as const),
  ...LISTS.map((name) => [name, ''] as const),
  ...VALUES.map((each) => {
    const [name = '', value] = each.split('=');
    return [name, value] as const;
  }),
]);
const OF_WORDS = new Set([...LISTS, ...VALUES.map((each) => each.replace(/=.*/, ''))]);

const KNOWN = [...DEFAULTS.keys(), ...OTHERS];

/** Whether npm knows no flag of this name, nor one that begins with it. */
export const isUnknown = (name: string) => !KNOWN.some((known) => known.startsWith(name));
export const isOption = (name: string) => DEFAULTS.has(name);
export const takesValue = (name: string) => OF_WORDS.has(name) && name !== 'color' && name !== 'browser';
export const isTold = (name: string) => !UNTOLD.has(name) && !/^[/@_]/.test(name);
export const defaultOf = (name: string) => DEFAULTS.get(name);
