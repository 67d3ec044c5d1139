import type { Transform } from 'node:stream';
import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import { inspect } from '../internal/inspect.ts';
import { isTestFailure, withoutOwnFrames } from './failure.ts';
import type { EventData, TestEvent } from './events.ts';
import { junitReporter } from './junit.ts';
import { yaml } from './yaml.ts';

type Source = AsyncIterable<TestEvent>;

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '#': '\\#',
  '\b': '\\\\b',
  '\f': '\\\\f',
  '\t': '\\\\t',
  '\n': '\\\\n',
  '\r': '\\\\r',
  '\v': '\\\\v',
};
const escaped = (text: string) => text.replace(/[\\#\u0008\f\t\n\r\v]/g, (char) => escapes[char] ?? char);
const said = (text: unknown) => (typeof text === 'string' && text ? text : undefined);

async function* tap(source: Source) {
  yield 'TAP version 13\n';
  for await (const { type, data } of source) {
    const indent = '    '.repeat(data.nesting ?? 0);
    switch (type) {
      case 'test:fail':
      case 'test:pass':
        yield tapResult(indent, data, type === 'test:pass');
        break;
      case 'test:plan':
        yield `${indent}1..${data.count}\n`;
        break;
      case 'test:start':
        yield `${indent}# Subtest: ${escaped(data.name ?? '')}\n`;
        break;
      case 'test:stderr':
      case 'test:stdout':
        for (const line of (data.message ?? '').split(/\n|\r\n/)) if (line) yield `# ${escaped(line)}\n`;
        break;
      case 'test:diagnostic':
        yield `${indent}# ${escaped(data.message ?? '')}\n`;
        break;
    }
  }
}

function tapResult(indent: string, data: EventData, passed: boolean): string {
  const { name, skip, todo, details, file } = data;
  let line = `${indent}${passed ? 'ok' : 'not ok'} ${data.testNumber}`;
  if (name) line += ` - ${escaped(name)}`;
  if (skip !== undefined) line += ` # SKIP${said(skip) ? ` ${escaped(String(skip))}` : ''}`;
  else if (todo !== undefined) line += ` # TODO${said(todo) ? ` ${escaped(String(todo))}` : ''}`;
  const seen = new Set();
  const lines =
    yaml(indent, 'duration_ms', details?.duration_ms, seen) +
    yaml(indent, 'type', details?.type, seen) +
    (!passed && file ? yaml(indent, 'location', `${file}:${data.line}:${data.column}`, seen) : '') +
    (details?.error === undefined || details.error === null ? '' : yaml(indent, null, details.error, seen));
  return `${line}\n${indent}  ---\n${lines}${indent}  ...\n`;
}

interface Paint {
  readonly red: string;
  readonly green: string;
  readonly blue: string;
  readonly yellow: string;
  readonly gray: string;
  /** Back to how text is as a rule. */
  readonly plain: string;
  readonly reset: string;
}

const plainPaint: Paint = { red: '', green: '', blue: '', yellow: '', gray: '', plain: '', reset: '' };
const colorPaint: Paint = {
  red: '\u001b[31m',
  green: '\u001b[32m',
  blue: '\u001b[34m',
  yellow: '\u001b[33m',
  gray: '\u001b[90m',
  plain: '\u001b[39m',
  reset: '\u001b[0m',
};

function paintFor({ env, stdout }: NodeJS.Process): Paint {
  const { FORCE_COLOR, NO_COLOR } = env;
  if (FORCE_COLOR !== undefined)
    return FORCE_COLOR === '0' || FORCE_COLOR === 'false' ? plainPaint : colorPaint;
  return stdout.isTTY && !NO_COLOR ? colorPaint : plainPaint;
}

function errorText(paint: Paint, error: unknown): string {
  if (!error) return '';
  const told = inspect(isTestFailure(error) ? error.cause : error, {
    colors: paint === colorPaint,
    breakLength: Infinity,
  });
  return `\n  ${withoutOwnFrames(told).split(/\r?\n/).join('\n  ')}\n`;
}

function result(paint: Paint, passed: boolean, data: EventData): string {
  const { skip, todo, details } = data;
  const duration = details?.duration_ms ? ` ${paint.gray}(${details.duration_ms}ms)${paint.plain}` : '';
  let title = `${data.name}${duration}`;
  if (skip !== undefined) title += ` # ${said(skip) ?? 'SKIP'}`;
  else if (todo !== undefined) title += ` # ${said(todo) ?? 'TODO'}`;
  if (skip !== undefined) return `${paint.gray}\ufe63 ${title}${paint.plain}`;
  return passed ? `${paint.green}\u2714 ${title}${paint.plain}` : `${paint.red}\u2716 ${title}${paint.plain}`;
}

/** The report for people. Returns the text of each event. */
function specTexts({ process }: NodeHost, load: LoadBuiltin) {
  const paint = paintFor(process);
  const cwd = process.cwd();
  let open: EventData[] = [];
  let failures: EventData[] = [];
  const indent = (data: EventData) => '  '.repeat(data.nesting ?? 0);

  function failing(): string {
    if (failures.length === 0) return '';
    const told = failures.flatMap((data) => {
      const { file, line, column, details } = data;
      const at = file ? [`test at ${load('path').relative(cwd, file)}:${line}:${column}`] : [];
      return [...at, `${result(paint, false, data)}${errorText(paint, details?.error)}`];
    });
    failures = [];
    return [`\n${paint.red}\u2716 failing tests:${paint.plain}\n`, ...told].join('\n');
  }

  function results(data: EventData, passed: boolean): string {
    open.pop();
    const around = open.map((each) => `${indent(each)}\u25b6 ${each.name}\n`).join('');
    open = [];
    return `${around}${indent(data)}${result(paint, passed, data)}\n`;
  }

  return {
    of({ type, data }: TestEvent): string {
      switch (type) {
        case 'test:start':
          open.push(data);
          return '';
        case 'test:fail':
          if (!hasFailedSubtests(data)) failures.push(data);
          return results(data, false);
        case 'test:pass':
          return results(data, true);
        case 'test:stderr':
        case 'test:stdout':
          return data.message ?? '';
        case 'test:diagnostic': {
          const color =
            data.level === 'error' ? paint.red : data.level === 'warn' ? paint.yellow : paint.blue;
          return `${color}${indent(data)}\u2139 ${data.message}${paint.plain}\n`;
        }
        case 'test:summary':
          return data.file === undefined ? failing() : '';
        default:
          return '';
      }
    },
    end: failing,
  };
}

const hasFailedSubtests = ({ details }: EventData) =>
  isTestFailure(details?.error) && details.error.failureType === 'subtestsFailed';

/** `node:test/reporters`. */
export function makeReporters(host: NodeHost, load: LoadBuiltin) {
  const { process } = host;

  function transform(texts: { of(event: TestEvent): string; end(): string }): Transform {
    const { Transform: Base } = load('stream');
    return new Base({
      writableObjectMode: true,
      transform(event: TestEvent, _encoding, done) {
        done(null, texts.of(event));
      },
      flush(done) {
        done(null, texts.end());
      },
    });
  }

  async function* dot(source: Source) {
    const paint = paintFor(process);
    const columns = () => Math.max(process.stdout.columns ?? 20, 20);
    const failures: EventData[] = [];
    let width = columns();
    let dots = 0;
    for await (const { type, data } of source) {
      if (type !== 'test:pass' && type !== 'test:fail') continue;
      if (type === 'test:pass') yield `${paint.green}.${paint.reset}`;
      else {
        yield `${paint.red}X${paint.reset}`;
        failures.push(data);
      }
      if (++dots < width) continue;
      yield '\n';
      width = columns();
      dots = 0;
    }
    yield '\n';
    if (failures.length === 0) return;
    yield `\n${paint.red}Failed tests:${paint.plain}\n\n`;
    for (const data of failures)
      yield `${result(paint, false, data)}${errorText(paint, data.details?.error)}`;
  }

  // As classes, and made without `new`, too.
  function spec() {
    return transform(specTexts(host, load));
  }
  /** Reports nothing, because coverage is not measured here. */
  function lcov() {
    return transform({ of: () => '', end: () => '' });
  }
  return { dot, junit: junitReporter(load), spec, tap, lcov };
}
