import type ChildProcess from 'node:child_process';
import type Module from 'node:module';
import type Util from 'node:util';
import type { Cli } from './cli.ts';
import type { EventLoop } from '../loop/loop.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { NodeHost } from '../builtins/builtin.ts';
import { nodeError } from '../builtins/internal/errors.ts';
import { rememberProxies } from '../builtins/internal/proxies.ts';
import { AWAIT_NAMES } from '../loader/await-code.ts';
import { cjsCode, evalCode } from '../loader/cjs-code.ts';
import { evaluate } from '../loader/evaluate.ts';
import { importInFunctions } from '../loader/function-code.ts';
import { fileUrl, folderOf, joined } from '../loader/files.ts';
import { arrowFor, asSyntaxError, isModuleSyntax } from '../loader/syntax-errors.ts';
import { esmCode } from '../loader/esm-code.ts';
import { asIs, type JavaScriptText } from '../loader/typescript.ts';
import type { Builtins, Modules } from '../builtins/modules.ts';
import type { MadeProcess } from '../process/process.ts';
import type { Sources } from '../errors/sources.ts';
import { setArrow } from '../errors/uncaught.ts';
import { EXEC_PATH } from './versions.ts';
import { defineGlobals, defineLazyGlobal } from './globals.ts';
import { runTests, watchProgram } from './modes.ts';
import { printAtEnd } from './print.ts';
import { NPM_FOLDER } from '../../shared/npm-verbs.ts';

export interface RunParts {
  readonly host: NodeHost;
  /** `kept`: paths through symlinks stay as they are, as `--preserve-symlinks` asks. */
  readonly links: { kept: boolean };
  readonly cli: Cli;
  readonly link: KernelLink;
  readonly loop: EventLoop;
  readonly made: MadeProcess;
  readonly modules: Modules;
  readonly builtins: Builtins;
  readonly sources: Sources;
  /** This process has no program and only answers requests of its parent. */
  readonly serving: boolean;
  /** The program is text that was passed to a `Worker`. */
  readonly isWorkerEval: boolean;
  /** Takes the promise of the program. The process fails if it rejects, or if it never settles. */
  readonly main: (promise: Promise<unknown>) => void;
}

/** Does what the command line says. Whatever this throws counts as an uncaught error of the program. */
export function runCli(parts: RunParts): void {
  const { cli, link, made } = parts;
  const { process } = made;
  const { mode } = cli;
  if (mode.kind === 'say') {
    link.print(mode.code === 0 ? 1 : 2, new TextEncoder().encode(mode.text));
    return link.exit(mode.code);
  }
  prepare(parts);
  if (parts.serving) return;
  if (cli.run !== undefined) return runScript(parts, cli.run);
  if (cli.watch && mode.kind === 'file') return watchProgram(parts, mode.path);
  if (mode.kind === 'test') return runTests(parts, mode.patterns);
  const { Module } = parts.modules.cjs;
  const cwd = process.cwd();
  Module.runMain = function executeUserEntryPoint(main = process.argv[1] ?? '') {
    runFile(parts, main, cwd);
  };

  const program = () => {
    switch (mode.kind) {
      case 'file': {
        const npm = npmAt(process.argv[1]);
        return npm === undefined ? Module.runMain(process.argv[1]) : runNpm(parts, npm);
      }
      case 'eval':
        return runText(parts, mode.source, parts.isWorkerEval ? '[worker eval]' : '[eval]', mode.print);
      case 'stdin':
        return runText(parts, readInput(link), '[stdin]', mode.print);
      case 'check':
        return check(parts, mode.path);
    }
  };
  if (mode.kind === 'stdin' && mode.named) process.argv.splice(1, 0, '-');
  const isFile = mode.kind === 'file' || mode.kind === 'check';
  if (isFile && mode.path !== undefined)
    process.argv.splice(1, 0, cli.flags.has('--entry-url') ? mode.path : joined(cwd, mode.path));
  Module._preloadModules(cli.requires);
  registerLoaders(parts);
  if (cli.imports.length === 0) return program();
  const { esm, resolver } = parts.modules;
  const parent = fileUrl(`${process.cwd()}/`);
  const preloads = async () => {
    for (const each of cli.imports) await esm.importUrl(resolver.import(each, parent));
    parts.loop.addOnce(program);
  };
  parts.main(preloads());
}

function loadersOf({ flags }: Cli): readonly string[] {
  return [...listOf(flags.get('--experimental-loader')), ...listOf(flags.get('--loader'))];
}

/** `--experimental-loader`: calls `module.register` for each loader before anything else runs. */
function registerLoaders({ cli, builtins, made }: RunParts): void {
  const loaders = loadersOf(cli);
  if (loaders.length === 0) return;
  const { process } = made;
  const calls = loaders.map((each) => `register("${encodeURI(each)}", pathToFileURL("./"));`).join(' ');
  process.emitWarning(
    `\`--experimental-loader\` may be removed in the future; instead use \`register()\`:\n--import 'data:text/javascript,import { register } from "node:module"; import { pathToFileURL } from "node:url"; ${calls}'`,
    'ExperimentalWarning',
  );
  const { register } = builtins.load('module') as typeof Module;
  for (const each of loaders) register(each, fileUrl(`${process.cwd()}/`));
}

function prepare({ cli, made, modules, isWorkerEval }: RunParts): void {
  const { process, flags } = made;
  rememberProxies();
  importInFunctions(
    (url) => modules.esm.importFrom(url),
    () => process.cwd(),
  );
  process.argv = [EXEC_PATH, ...(isWorkerEval ? ['[worker eval]'] : []), ...cli.args];
  process.execArgv = [...cli.execArgv];
  flags.noWarnings = cli.flags.has('--no-warnings');
  flags.disabled = listOf(cli.flags.get('--disable-warning'));
  const log = cli.flags.get('--redirect-warnings') ?? process.env.NODE_REDIRECT_WARNINGS;
  if (typeof log === 'string') flags.writtenTo = log;
  flags.traceWarnings = cli.flags.has('--trace-warnings');
  if (cli.flags.has('--no-deprecation')) process.noDeprecation = true;
  if (cli.flags.has('--throw-deprecation')) process.throwDeprecation = true;
  const title = cli.flags.get('--title');
  if (typeof title === 'string') process.title = title;
  const limit = cli.flags.get('--stack-trace-limit');
  if (typeof limit === 'string') Error.stackTraceLimit = Number(limit);
  for (const [flag, names] of Object.entries(WITHOUT)) if (cli.flags.has(flag)) takeAway(names.split(' '));
  if (cli.flags.has('--expose-gc')) defineGlobals({ gc: () => {} });
  loadEnvFiles(cli, made.process, modules);
}

/** The globals that a flag of the command line removes. */
const WITHOUT: Readonly<Record<string, string>> = {
  '--no-experimental-global-customevent': 'CustomEvent',
  '--no-experimental-global-navigator': 'navigator Navigator',
  '--no-experimental-global-webcrypto': 'crypto Crypto CryptoKey SubtleCrypto',
  '--no-experimental-websocket': 'WebSocket',
};

/** Deletes globals. One that is inherited is shadowed by undefined. */
function takeAway(names: readonly string[]): void {
  for (const name of names) {
    Reflect.deleteProperty(globalThis, name);
    if (name in globalThis)
      Object.defineProperty(globalThis, name, { value: undefined, configurable: true, writable: true });
  }
}

/** Loads the files in order. A later file wins over an earlier one, and the environment over all of them. */
function loadEnvFiles({ envFiles }: Cli, process: NodeJS.Process, { files }: Modules): void {
  const own = { ...process.env };
  for (const { path, optional } of envFiles) {
    const full = joined(process.cwd(), path);
    if (files.look(full) === 'file') {
      const earlier = Object.entries(process.env).filter(([name]) => !(name in own));
      for (const [name] of earlier) delete process.env[name];
      process.loadEnvFile(full);
      for (const [name, value] of earlier) process.env[name] ??= value;
    } else if (optional) process.stderr.write(`${path} not found. Continuing without it.\n`);
    else {
      process.stderr.write(`node: ${path}: not found\n`);
      process.exit(9);
    }
  }
}

/** Returns all values of a flag that can be repeated. */
function listOf(value: string | true | undefined): readonly string[] {
  return typeof value === 'string' ? value.split('\n') : [];
}

function readInput(link: KernelLink): string {
  const decoder = new TextDecoder();
  let text = '';
  for (let piece = link.readInput(); piece; piece = link.readInput())
    text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}

/** `parent` is the folder in which the process was started. */
function runFile(parts: RunParts, given: string, parent: string): void {
  const { modules, made } = parts;
  const { Module } = modules.cjs;
  const { process } = made;
  const start = fileUrl(`${parent}/`);
  if (parts.cli.flags.has('--entry-url')) {
    process.emitWarning(
      '--entry-url is an experimental feature and might change at any time',
      'ExperimentalWarning',
    );
    return parts.main(
      modules.esm.runProgram(modules.resolver.import(new URL(given, start).href, start), start),
    );
  }
  const path = joined(process.cwd(), given);
  const { kept } = parts.links;
  parts.links.kept =
    parts.cli.flags.has('--preserve-symlinks-main') || process.env.NODE_PRESERVE_SYMLINKS_MAIN === '1';
  const found = Module._resolveFilename(path, null, true);
  parts.links.kept = kept;
  // As in node, preloaded modules may have registered hooks, and these decide how the program loads.
  const isImported =
    modules.hooks.thread !== undefined && parts.cli.imports.length + loadersOf(parts.cli).length > 0;
  if (!isImported && !isModule(parts, found)) return void Module._load(found, null, true);
  parts.main(modules.esm.runProgram({ kind: 'file', path: found }, start));
}

function isModule({ modules }: RunParts, path: string): boolean {
  if (/\.m[jt]s$/.test(path)) return true;
  if (!/\.[jt]s$/.test(path) && /\.[^/]*$/.test(path.slice(path.lastIndexOf('/') + 1))) return false;
  const format = modules.cjs.formatOf(path);
  if (format !== undefined) return format === 'module';
  return modules.esm.looksLikeModule(modules.esm.readAs(path, path).text);
}

/** Runs a program from `-e` or from standard input. */
function runText(parts: RunParts, source: string, name: string, print: boolean): void {
  const { cli, modules, made, sources, builtins } = parts;
  const { process } = made;
  const cwd = process.cwd();
  const url = fileUrl(`${cwd}/[eval1]`);
  const { typescript } = modules;
  const asModule = (reading: JavaScriptText) => {
    if (print) throw nodeError('ERR_EVAL_ESM_CANNOT_PRINT', '--print cannot be used with ESM input');
    parts.main(modules.esm.runText(url, url, reading));
  };
  const isTyped = cli.inputType?.endsWith('typescript') === true;
  let reading = isTyped ? typescript.read(source, name) : asIs(source);
  if (cli.inputType?.startsWith('module')) return asModule(reading);

  const { Module } = modules.cjs;
  const module = new Module(name);
  module.filename = `${cwd}/${name}`;
  module.paths = Module._nodeModulePaths(cwd);
  defineGlobals(
    {
      module,
      exports: module.exports,
      require: modules.cjs.requireOf(module),
      __filename: name,
      __dirname: '.',
      [AWAIT_NAMES.take]: modules.awaits.take,
      [AWAIT_NAMES.each]: modules.awaits.each,
      __vtr_import: modules.esm.importFrom(fileUrl(`${cwd}/${name}`)),
    },
    false,
  );
  for (const each of builtins.names)
    if (!/[/:]|^_/.test(each) && !(each in globalThis)) defineLazyGlobal(each, () => builtins.load(each));
  let wrong = wrongWith(reading.text);
  if (wrong && !isTyped && typescript.mode !== 'none' && !isModuleSyntax(wrong, reading.text)) {
    try {
      reading = typescript.read(source, name);
    } catch (error) {
      const told = asSyntaxError(wrong, source, 'script');
      const why = error instanceof SyntaxError ? error.message : '';
      setArrow(told, `${arrowFor(told, source, name, 'script')}${why}\n`);
      throw told;
    }
    wrong = wrongWith(reading.text);
  }
  const { text } = reading;
  if (wrong && isModuleSyntax(wrong, text)) return asModule(reading);
  if (wrong) {
    const told = asSyntaxError(wrong, text, 'script');
    setArrow(told, arrowFor(told, text, name, 'script'));
    throw told;
  }
  const code = evalCode(text, {
    strict: cli.flags.has('--use-strict'),
    followsAwait: modules.awaits.isFollowed(text, `${cwd}/${name}`),
  });
  sources.add(name, reading.shown, reading.placed(code));
  const value = evaluate(code.code, name);
  if (print) printAtEnd(process, value, builtins.load('util') as typeof Util);
}

/** Returns the syntax error of a script, or undefined if it parses. */
function wrongWith(source: string): SyntaxError | undefined {
  try {
    (0, eval)(`(function () {${evalCode(source).code}\n})`);
    return undefined;
  } catch (error) {
    return error instanceof SyntaxError ? error : undefined;
  }
}

/** `--check`: parses the program without running it. */
function check(parts: RunParts, given: string | undefined): void {
  const { modules, made, link } = parts;
  const { process } = made;
  const path =
    given === undefined || given === '-'
      ? undefined
      : modules.cjs.Module._resolveFilename(joined(process.cwd(), given), null, true);
  const source = path === undefined ? readInput(link) : modules.files.readText(path);
  const name = path ?? '[stdin]';
  const format = modules.cjs.formatOf(name);
  const isEsm =
    path !== undefined &&
    (/\.m[jt]s$/.test(path) || (format ? format === 'module' : modules.esm.looksLikeModule(source)));
  try {
    if (isEsm) esmCode(source);
    else (0, eval)(cjsCode(source).code);
  } catch (error) {
    if (path === undefined && isModuleSyntax(error, source)) return;
    const told = asSyntaxError(error, source, isEsm ? 'module' : 'script');
    setArrow(told, arrowFor(told, source, name, isEsm ? 'module' : 'script'));
    throw told;
  }
}

/**
 * npm is a command of the workspace. This returns its name for a program path below the folder that
 * `npm_execpath` points to.
 */
function npmAt(path = ''): string | undefined {
  return ['npm', 'npx'].find((name) => path === `${NPM_FOLDER}/${name}-cli.js`);
}

function runNpm({ made: { process }, builtins }: RunParts, name: string): void {
  const { spawn } = builtins.load('child_process') as typeof ChildProcess;
  const child = spawn(name, process.argv.slice(2), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('close', (code, signal) => {
    if (signal === null) return process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** `--run`: a script of package.json, in the shell. */
function runScript({ modules, made, builtins, cli }: RunParts, name: string): void {
  const { process } = made;
  const path = packageAbove(modules, process.cwd());
  if (path === undefined) {
    process.stderr.write(`Can't find package.json for directory ${process.cwd()}\n`);
    return process.exit(1);
  }
  const folder = folderOf(path);
  const refuse = (text: string) => {
    process.stderr.write(`${text}\n`);
    process.exit(1);
  };
  const scripts = scriptsIn(modules.files.readText(path));
  if (scripts === undefined) return refuse(`Can't parse ${path}`);
  if (scripts === null) return refuse(`Can't find "scripts" field in ${path}`);
  const script = scripts[name];
  if (script === undefined) {
    const list = Object.entries(scripts)
      .filter(([, command]) => typeof command === 'string')
      .map(([each, command]) => `  ${each}: ${String(command)}\n`);
    return refuse(
      `Missing script: "${name}" for ${path}\n\nAvailable scripts are:\n${list.join('')}`.trimEnd(),
    );
  }
  if (typeof script !== 'string')
    return refuse(`Script "${name}" is unexpectedly not a string for ${path}\n`);
  const words = cli.args.map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const { spawn } = builtins.load('child_process') as typeof ChildProcess;
  const bins = modules.cjs.Module._nodeModulePaths(process.cwd())
    .filter((each) => each.startsWith(joined(folder, 'node_modules').slice(0, -'node_modules'.length)))
    .map((each) => `${each}/.bin`);
  const child = spawn([script, ...words].join(' '), {
    shell: true,
    stdio: 'inherit',
    cwd: folder,
    env: {
      ...process.env,
      PATH: [...bins, process.env.PATH ?? '/usr/bin:/bin'].join(':'),
      NODE_RUN_SCRIPT_NAME: name,
      NODE_RUN_PACKAGE_JSON_PATH: path,
    },
  });
  // Every failure exits with 1, as in node.
  child.on('close', (code) => process.exit(code === 0 ? 0 : 1));
}

/** Returns null if there are no scripts, and undefined if the file does not parse. */
function scriptsIn(text: string): Record<string, unknown> | null | undefined {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown };
    return typeof scripts === 'object' ? (scripts as Record<string, unknown> | null) : null;
  } catch {
    return undefined;
  }
}

function packageAbove({ files }: Modules, start: string): string | undefined {
  for (let folder = start; ; folder = folderOf(folder)) {
    const path = joined(folder, 'package.json');
    if (files.look(path) === 'file') return path;
    if (folder === '/') return undefined;
  }
}
