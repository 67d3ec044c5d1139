import { makerOf } from '../loader/function-code.ts';
import { headerOf, writeStacksAsV8, type Prepare } from './other-stacks.ts';
import { PlainSite } from './plain-site.ts';
import { sourceName, type Sources } from './sources.ts';
import { WrittenSite } from './written-site.ts';

/** Makes stacks show the original sources and no frames of ours. V8 writes them with `prepareStackTrace`. */
export function prepareStacks(sources: Sources): void {
  let own: Prepare | undefined;
  let isAsked = false;
  const prepared = (error: Error, sites: () => NodeJS.CallSite[], otherwise: () => unknown) => {
    if (!own || isAsked) return otherwise();
    isAsked = true;
    try {
      return own(error, sites());
    } finally {
      isAsked = false;
    }
  };
  const prepare: Prepare = (error, sites) => {
    // A program may wrap the function that it found: it then calls ours with the places that we gave it.
    const given = sites.filter(isGiven);
    if (given.length > 0) return writtenOf(error, given, sources);
    const shown = () => sites.filter((site) => !isOurs(site)).map((site) => new Site(site, sources));
    return prepared(error, shown, () => writtenOf(error, sites, sources));
  };
  writeStacksAsV8(sources, prepared);
  // The engine reads this property too. It must get our function, which calls the program's.
  Object.defineProperty(Error, 'prepareStackTrace', {
    configurable: true,
    enumerable: true,
    get: () => prepare,
    set: (value: unknown) => {
      own = typeof value === 'function' && value !== prepare ? (value as Prepare) : undefined;
    },
  });
}

function writtenOf(error: Error, sites: NodeJS.CallSite[], sources: Sources): string {
  const written = (lines: readonly unknown[]) =>
    [headerOf(error), ...lines.map((line) => `    at ${String(line)}`)].join('\n');
  try {
    return written(sites[0] && isGiven(sites[0]) ? sites : linesOf(sites, sources));
  } catch {
    // After a stack overflow there is no room to map the lines: they stay as the engine has them.
    return written(sites);
  }
}

function fileOf(site: NodeJS.CallSite): string | null {
  const name = site.getScriptNameOrSourceURL() ?? site.getFileName();
  return name === null || name === undefined ? null : sourceName(name);
}

function isOurs(site: NodeJS.CallSite): boolean {
  return fileOf(site)?.startsWith('blob:') ?? false;
}

/** Tells whether a call site is one that we gave to a program. */
const isGiven = (site: NodeJS.CallSite) => site instanceof Site || site instanceof WrittenSite;

/** A call site as programs see it. */
class Site extends PlainSite {
  readonly #site: NodeJS.CallSite;
  readonly #sources: Sources;

  constructor(site: NodeJS.CallSite, sources: Sources) {
    super();
    this.#site = site;
    this.#sources = sources;
  }

  #place() {
    const file = fileOf(this.#site);
    const place = { line: this.#site.getLineNumber() ?? 1, column: this.#site.getColumnNumber() ?? 1 };
    return file === null ? place : this.#sources.original(file, place);
  }

  getFileName() {
    return fileOf(this.#site);
  }
  getScriptNameOrSourceURL() {
    return fileOf(this.#site);
  }
  getLineNumber() {
    return this.#place().line;
  }
  getColumnNumber() {
    return this.#place().column;
  }
  getFunctionName() {
    const name = this.#site.getFunctionName();
    return name === 'eval' ? null : name;
  }
  getThis() {
    return this.#site.getThis();
  }
  getTypeName() {
    return this.#site.getTypeName();
  }
  getFunction() {
    return this.#site.getFunction();
  }
  getMethodName() {
    return this.#site.getMethodName();
  }
  isToplevel() {
    return this.#site.isToplevel();
  }
  isNative() {
    return this.#site.isNative();
  }
  isConstructor() {
    return this.#site.isConstructor();
  }
  isAsync() {
    return this.#site.isAsync();
  }
  isPromiseAll() {
    return this.#site.isPromiseAll();
  }
  toString() {
    return lineOf(this.#site, fileOf(this.#site), this.#sources);
  }
}

/** The lines that real node has below a module or a timer. Tools count them and filter them by name. */
const LOADING = [
  'Module._compile (node:internal/modules/cjs/loader:1781:14)',
  'Object..js (node:internal/modules/cjs/loader:1913:10)',
  'Module.load (node:internal/modules/cjs/loader:1505:32)',
  'Function._load (node:internal/modules/cjs/loader:1309:12)',
  'wrapModuleLoad (node:internal/modules/cjs/loader:254:19)',
];
const REQUIRING = [
  ...LOADING,
  'Module.require (node:internal/modules/cjs/loader:1527:12)',
  'require (node:internal/modules/helpers:147:16)',
];
const START = 'node:internal/main/run_main_module:36:49';
const STARTING = [
  ...LOADING,
  'Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:171:5)',
  START,
];
const IMPORTING = [
  'ModuleJob.run (node:internal/modules/esm/module_job:343:25)',
  'async onImport.tracePromise.__proto__ (node:internal/modules/esm/loader:681:26)',
  'async asyncRunEntryPointWithESMLoader (node:internal/modules/run_main:117:5)',
];
const EVALUATING = [
  'runScriptInThisContext (node:internal/vm:209:10)',
  'node:internal/process/execution:446:12',
  '[eval]-wrapper:6:24',
  'runScriptInContext (node:internal/process/execution:444:60)',
  'evalFunction (node:internal/process/execution:279:30)',
  'evalTypeScript (node:internal/process/execution:291:3)',
  'node:internal/main/eval_string:74:3',
];
const READING = [
  ...EVALUATING.slice(0, -1),
  'node:internal/main/eval_stdin:53:5',
  'Socket.<anonymous> (node:internal/process/execution:201:5)',
  'Socket.emit (node:events:531:35)',
];
const TIMING = [
  'listOnTimeout (node:internal/timers:585:17)',
  'process.processTimers (node:internal/timers:521:7)',
];
const IMMEDIATE = ['process.processImmediate (node:internal/timers:485:21)'];

/** Returns node's lines that replace frames of ours below the line `above`, or at the end of the stack. */
function insteadOf(above: string | undefined, isEnd: boolean): readonly string[] {
  if (above === undefined) return isEnd ? [START] : [];
  if (above.startsWith('Object.<anonymous> (/')) return isEnd ? STARTING : REQUIRING;
  if (above.startsWith('file:///')) return IMPORTING;
  if (/^\[(?:worker )?eval\]:/.test(above)) return EVALUATING;
  if (above.startsWith('[stdin]:')) return READING.map((line) => line.replace('[eval]', '[stdin]'));
  if (above.startsWith('Timeout.')) return TIMING;
  if (above.startsWith('Immediate.')) return IMMEDIATE;
  return [];
}

function linesOf(sites: readonly NodeJS.CallSite[], sources: Sources): string[] {
  const lines: string[] = [];
  let ours = false;
  const close = (isEnd: boolean) => {
    if (ours) lines.push(...insteadOf(lines.at(-1), isEnd));
    ours = false;
  };
  for (const [at, site] of sites.entries()) {
    const file = fileOf(site);
    if (isOurs(site)) {
      // The engine's step into a module counts as ours too.
      if (/^(?:Async)?Generator\.next \(<anonymous>\)$/.test(lines.at(-1) ?? '')) lines.pop();
      ours = true;
    } else if (!isBetween(site, ours, sites[at + 1])) {
      close(false);
      lines.push(lineOf(site, file, sources));
    }
  }
  close(true);
  const limit = Error.stackTraceLimit;
  return typeof limit === 'number' ? lines.slice(0, Math.max(limit, sites.length)) : lines;
}

/** Tells whether a frame is the engine's own between two of ours, or an evaluation that our code began. */
function isBetween(site: NodeJS.CallSite, ours: boolean, next: NodeJS.CallSite | undefined): boolean {
  const text = String(site);
  if (text === '<anonymous>') return true;
  return /\(<anonymous>\)$/.test(text) && (ours || text.startsWith('eval ')) && (!next || isOurs(next));
}

/** Names the place in the program that made code from text. V8 names our function in between. */
function withMaker(site: NodeJS.CallSite, sources: Sources): string {
  return sourceName(String(site)).replace(/\(eval at [^ ()]+ \(blob:[^)]*\)/, () => {
    const maker = makerOf(site.getFunction());
    if (!maker) return '(eval at <anonymous>';
    const { line, column } = sources.original(maker.file, maker.place);
    return `(eval at <anonymous> (${maker.file}:${line}:${column})`;
  });
}

function lineOf(site: NodeJS.CallSite, file: string | null, sources: Sources): string {
  const text = withMaker(site, sources);
  const line = site.getLineNumber();
  const column = site.getColumnNumber();
  if (!file || line === null || column === null || !sources.has(file)) return unevaluated(text);
  const place = sources.original(file, { line, column });
  return unevaluated(text.replace(`${file}:${line}:${column}`, `${file}:${place.line}:${place.column}`));
}

/** Every source runs through `eval`, so V8 names nameless code `eval`. This restores node's names. */
function unevaluated(text: string): string {
  return text
    .replace(/^(async )?eval \(((?!eval at ).*)\)$/, '$1$2')
    .replace(/^(async )?(.+)\.eval \[as (_onTimeout)\] \(/, '$1$2.$3 (')
    .replace(/^(async )?(.+)\.eval( \[as .+\])? \(/, '$1$2.<anonymous>$3 (')
    .replace(/^new eval \(/, 'new <anonymous> (')
    .replace(/\(eval at eval \(/, '(eval at <anonymous> (');
}
