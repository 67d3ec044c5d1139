import type Module from 'node:module';
import type { Modules } from '../builtins/modules.ts';
import { rememberProxies } from '../builtins/internal/proxies.ts';
import { fileUrl, joined } from '../loader/files.ts';
import { importInFunctions } from '../loader/function-code.ts';
import type { Cli } from './cli.ts';
import { runFunctionTexts } from './function-texts.ts';
import { defineGlobals } from './globals.ts';
import { runTests, watchProgram } from './modes.ts';
import type { RunParts } from './run-parts.ts';
import { runRepl } from './run-repl.ts';
import { runScript } from './run-scripts.ts';
import { check, readInput, runText } from './run-text.ts';
import { EXEC_PATH } from './versions.ts';

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
        return Module.runMain(process.argv[1]);
      }
      case 'eval':
        return runText(parts, mode.source, parts.isWorkerEval ? '[worker eval]' : '[eval]', mode.print);
      case 'stdin':
        if (cli.flags.has('--interactive') || (!mode.print && !mode.named && isTerminal(process.stdin)))
          return runRepl(parts);
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

const isTerminal = (stream: object) => Reflect.get(stream, 'isTTY') === true;

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
  runFunctionTexts(modules, () => process.cwd());
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
  if (cli.flags.has('--expose-gc')) defineGlobals({ gc: () => {} });
  loadEnvFiles(cli, made.process, modules);
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
