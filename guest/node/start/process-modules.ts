import type { NodeHost } from '../builtins/builtin.ts';
import { makeModules, type Builtins, type Modules } from '../builtins/modules.ts';
import type { Sources } from '../errors/sources.ts';
import type { FsCore } from '../fs/core.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { SharedImage } from '../../shared/wire.ts';
import { lexImportsBy } from '../loader/cjs-code.ts';
import { TypeScript, type TypesMode } from '../loader/typescript.ts';
import type { MadeProcess } from '../process/process.ts';
import type { Cli } from './cli.ts';

export interface ProcessModulesContext {
  readonly cli: Cli;
  readonly link: KernelLink;
  readonly host: NodeHost;
  readonly builtins: Builtins;
  readonly sources: Sources;
  readonly made: MadeProcess;
  readonly core: () => FsCore;
  readonly links: { readonly kept: boolean };
  readonly images: readonly SharedImage[];
  /** Called with the path of each loaded file. */
  readonly loaded: (path: string) => void;
}

/** Makes the loaders of a process as its command line and its environment ask. */
export function makeProcessModules({ cli, host, made, ...context }: ProcessModulesContext): Modules {
  const { process } = made;
  const typescript = new TypeScript(
    typesMode(cli),
    () => host.part('typescript'),
    () =>
      process.emitWarning(
        'Transform Types is an experimental feature and might change at any time',
        'ExperimentalWarning',
      ),
  );
  lexImportsBy(() => host.part('imports'));
  return makeModules({
    ...context,
    cwd: () => process.cwd(),
    conditions: cli.conditions,
    strict: cli.flags.has('--use-strict'),
    warn: (text, code) => (code === undefined ? made.warnNow(text) : process.emitWarning(text, { code })),
    unfinished: (text) => process.emitWarning(text),
    deprecated: (text, code) => process.emitWarning(text, { type: 'DeprecationWarning', code }),
    typescript,
    resolvesFrom: cli.flags.has('--experimental-import-meta-resolve'),
    requiresModules: !cli.flags.has('--no-experimental-require-module'),
    globalPaths: () => globalPaths(process.env),
    lexer: () => host.part('lexer'),
  });
}

function globalPaths({ NODE_PATH = '', HOME }: NodeJS.ProcessEnv): string[] {
  return [
    ...NODE_PATH.split(':').filter(Boolean),
    ...(HOME ? ['.node_modules', '.node_libraries'].map((name) => `${HOME}/${name}`) : []),
    '/usr/lib/node',
  ];
}

function typesMode({ flags }: Cli): TypesMode {
  if (flags.has('--experimental-transform-types')) return 'transform';
  return flags.has('--no-experimental-strip-types') || flags.has('--no-strip-types') ? 'none' : 'strip';
}
