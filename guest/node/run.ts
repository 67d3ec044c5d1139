import type ChildProcess from 'node:child_process';
import type { Cli } from './cli.ts';
import type { EventLoop } from './loop.ts';
import type { KernelLink } from './link.ts';
import type { NodeHost } from './builtins/builtin.ts';
import { nodeError } from './builtins/internal/errors.ts';
import { rememberProxies } from './builtins/internal/proxies.ts';
import { AWAIT_NAMES } from './loader/await-code.ts';
import { cjsCode, evalCode } from './loader/cjs-code.ts';
import { evaluate } from './loader/cjs.ts';
import { importInFunctions } from './loader/function-code.ts';
import { fileUrl, joined } from './loader/files.ts';
import { arrowFor, asSyntaxError, isModuleSyntax } from './loader/syntax-errors.ts';
import { esmCode } from './loader/esm-code.ts';
import { languageOf, type Language } from './loader/syntax.ts';
import type { Builtins, Modules } from './modules.ts';
import type { MadeProcess } from './process.ts';
import type { Sources } from './sources.ts';
import { setArrow } from './uncaught.ts';
import { EXEC_PATH } from './versions.ts';
import { defineGlobals, defineLazyGlobal } from './globals.ts';
import { runTests, watchProgram } from './modes.ts';

export interface RunParts {
  readonly host: NodeHost;
  /** Whether names of symlinks stay as they are. */
  readonly links: { kept: boolean };
  readonly cli: Cli;
  readonly link: KernelLink;
  readonly loop: EventLoop;
  readonly made: MadeProcess;
  readonly modules: Modules;
  readonly builtins: Builtins;
  readonly sources: Sources;
  /** The program is this promise: the process fails with it, and does not end well before it has settled. */
  readonly main: (promise: Promise<unknown>) => void;
}

/** Does what the command line says. What it throws is uncaught, as of a program. */
export function runCli(parts: RunParts): void {
  const { cli, link, made } = parts;
  const { process } = made;
  const { mode } = cli;
  if (mode.kind === 'say') {
    link.print(mode.code === 0 ? 1 : 2, new TextEncoder().encode(mode.text));
    return link.exit(mode.code);
  }
  prepare(parts);
  if (cli.run !== undefined) return runScript(parts, cli.run);
  if (cli.watch && mode.kind === 'file') return watchProgram(parts, mode.path);
  if (mode.kind === 'test') return runTests(parts, mode.patterns);
  if (mode.kind === 'check') return check(parts, mode.path);

  const program = () => {
    switch (mode.kind) {
      case 'file':
        return runFile(parts, mode.path);
      case 'eval':
        return runText(parts, mode.source, '[eval]', mode.print);
      case 'stdin':
        return runText(parts, readInput(link), '[stdin]', mode.print);
    }
  };
  if (mode.kind === 'stdin' && mode.named) process.argv.splice(1, 0, '-');
  parts.modules.cjs.Module._preloadModules(cli.requires);
  if (cli.imports.length === 0) return program();
  const { esm, resolver } = parts.modules;
  const parent = fileUrl(`${process.cwd()}/`);
  const preloads = async () => {
    for (const each of cli.imports) await esm.importUrl(resolver.import(each, parent));
    parts.loop.addOnce(program);
  };
  parts.main(preloads());
}

function prepare({ cli, made, modules }: RunParts): void {
  const { process, flags } = made;
  rememberProxies();
  importInFunctions(modules.esm.importFrom, () => process.cwd());
  process.argv = [EXEC_PATH, ...cli.args];
  process.execArgv = [...cli.execArgv];
  flags.noWarnings = cli.flags.has('--no-warnings');
  flags.traceWarnings = cli.flags.has('--trace-warnings');
  if (cli.flags.has('--no-deprecation')) process.noDeprecation = true;
  if (cli.flags.has('--throw-deprecation')) process.throwDeprecation = true;
  const title = cli.flags.get('--title');
  if (typeof title === 'string') process.title = title;
  const limit = cli.flags.get('--stack-trace-limit');
  if (typeof limit === 'string') Error.stackTraceLimit = Number(limit);
  if (cli.flags.has('--expose-gc')) defineGlobals({ gc: () => {} });
  for (const { path, optional } of cli.envFiles) {
    const full = joined(process.cwd(), path);
    if (modules.files.look(full) !== 'file') {
      if (!optional) {
        process.stderr.write(`node: ${path}: not found\n`);
        process.exit(9);
      }
      process.stderr.write(`${path} not found. Continuing without it.\n`);
      continue;
    }
    process.loadEnvFile(full);
  }
}

function readInput(link: KernelLink): string {
  const decoder = new TextDecoder();
  let text = '';
  for (let piece = link.readInput(); piece; piece = link.readInput())
    text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}

function runFile(parts: RunParts, given: string): void {
  const { modules, made } = parts;
  const { Module } = modules.cjs;
  const { process } = made;
  const path = joined(process.cwd(), given);
  process.argv.splice(1, 0, path);
  const { kept } = parts.links;
  parts.links.kept = parts.cli.flags.has('--preserve-symlinks-main');
  const found = Module._resolveFilename(given.endsWith('/') ? `${path}/` : path, null, true);
  parts.links.kept = kept;
  process.argv[1] = path;
  if (!isModule(parts, found)) return void Module._load(found, null, true);
  const { esm, hooks } = modules;
  if (hooks.isEmpty) parts.main(esm.importUrl({ kind: 'file', path: found }));
  else parts.main(esm.importFrom(fileUrl(`${process.cwd()}/`))(fileUrl(found)));
}

function isModule({ modules }: RunParts, path: string): boolean {
  if (/\.m[jt]s$/.test(path)) return true;
  if (!/\.[jt]s$/.test(path) && /\.[^/]*$/.test(path.slice(path.lastIndexOf('/') + 1))) return false;
  const format = modules.cjs.formatOf(path);
  if (format !== undefined) return format === 'module';
  return modules.esm.looksLikeModule(modules.files.readText(path), languageOf(path));
}

/** A program that is no file: of `-e`, or standard input. */
function runText(parts: RunParts, source: string, name: string, print: boolean): void {
  const { cli, modules, made, sources, builtins } = parts;
  const { process } = made;
  const cwd = process.cwd();
  const url = fileUrl(`${cwd}/${name === '[eval]' ? '[eval1]' : name}`);
  const language: Language = cli.inputType?.endsWith('typescript') ? 'typescript' : 'javascript';
  const asModule = (as: Language) => {
    if (print) throw nodeError('ERR_EVAL_ESM_CANNOT_PRINT', '--print cannot be used with ESM input');
    parts.main(modules.esm.runText(url, url, source, as));
  };
  if (cli.inputType?.startsWith('module')) return asModule(language);

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
    if (!each.includes('/') && !each.includes(':') && !(each in globalThis))
      defineLazyGlobal(each, () => builtins.load(each));
  const attempt = (as: Language): unknown => {
    const code = evalCode(source, as, {
      strict: cli.flags.has('--use-strict'),
      followsAwait: modules.awaits.isFollowed(source, `${cwd}/${name}`),
    });
    sources.add(name, source, code);
    return evaluate(code.code, name);
  };
  const as = compiles(source, language) ? language : 'typescript';
  let value: unknown;
  // What a program throws is not caught here: where it was thrown would be lost.
  if (as === 'typescript' || isReadable(source)) value = attempt(as);
  else
    try {
      value = attempt(as);
    } catch (error) {
      const last = lastReading(source);
      if (isModuleSyntax(error, source, last)) return asModule(last);
      setArrow(error, arrowFor(error, source, name, 'script', 'javascript'));
      throw asSyntaxError(error, source);
    }
  if (print) console.log(value);
}

/** Whether it can be read as it is; else it may be TypeScript. */
function compiles(source: string, language: Language): boolean {
  if (language === 'typescript') return false;
  if (isReadable(source)) return true;
  try {
    evalCode(source, 'typescript');
    return false;
  } catch {
    return true;
  }
}

/** A SyntaxError of a script that can be read is one that it threw. */
function isReadable(source: string): boolean {
  try {
    (0, eval)(`(function () {${evalCode(source, 'javascript').code}\n})`);
    return true;
  } catch {
    return false;
  }
}

function lastReading(source: string): Language {
  try {
    esmCode(source, 'javascript');
    return 'javascript';
  } catch {
    return 'typescript';
  }
}

/** `--check`: only reads it. */
function check(parts: RunParts, given: string | undefined): void {
  const { modules, made, link } = parts;
  const { process } = made;
  const path =
    given === undefined
      ? undefined
      : modules.cjs.Module._resolveFilename(joined(process.cwd(), given), null, true);
  const source = path === undefined ? readInput(link) : modules.files.readText(path);
  const name = path ?? '[stdin]';
  const language = languageOf(name);
  const isEsm = path !== undefined && isModule(parts, path);
  try {
    if (isEsm) esmCode(source, language);
    else (0, eval)(cjsCode(source, language).code);
  } catch (error) {
    const told = asSyntaxError(error, source);
    setArrow(told, arrowFor(error, source, name, isEsm ? 'module' : 'script', language));
    throw told;
  }
}

/** `--run`: a script of package.json, in the shell. */
function runScript({ modules, made, builtins, cli }: RunParts, name: string): void {
  const { process } = made;
  const path = joined(process.cwd(), 'package.json');
  if (modules.files.look(path) !== 'file') {
    process.stderr.write(`node: Can't find package.json for directory ${process.cwd()}\n\n`);
    process.exit(1);
  }
  const { scripts = {} } = JSON.parse(modules.files.readText(path)) as { scripts?: Record<string, string> };
  const script = scripts[name];
  if (script === undefined) {
    const list = Object.entries(scripts).map(([each, command]) => `  ${each}: ${command}`);
    process.stderr.write(
      `Missing script: "${name}" for ${path}\n\nAvailable scripts are:\n${list.join('\n')}\n`,
    );
    process.exit(1);
  }
  const words = cli.args.map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const { spawn } = builtins.load('child_process') as typeof ChildProcess;
  const bin = joined(process.cwd(), 'node_modules/.bin');
  const child = spawn([script, ...words].join(' '), {
    shell: true,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${bin}:${process.env.PATH ?? '/usr/bin:/bin'}`,
      NODE_RUN_SCRIPT_NAME: name,
    },
  });
  child.on('close', (code) => process.exit(code ?? 1));
}
