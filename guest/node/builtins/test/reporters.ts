import { summary, type Counters, type Finished, type TestEvent } from './events.ts';

/** Makes text of events as they come. */
export interface Reporter {
  start(): string;
  report(event: TestEvent): string;
  end(counters: Counters, durationMs: number): string;
}

const indented = (nesting: number) => '    '.repeat(nesting);

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '#': '\\#',
  '\b': '\\b',
  '\f': '\\f',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\v': '\\v',
};
const escaped = (text: string) => text.replace(/[\\#\u0008\f\t\n\r\v]/g, (char) => escapes[char] ?? char);

const directive = (name: string, said: string | true | undefined) =>
  said === undefined ? '' : ` # ${name}${typeof said === 'string' && said ? ` ${escaped(said)}` : ''}`;

export function tapReporter(): Reporter {
  let planned = 0;
  const comment = (nesting: number, message: string) =>
    message
      .split('\n')
      .filter((line, at, all) => line !== '' || at < all.length - 1)
      .map((line) => `${indented(nesting)}# ${escaped(line)}\n`)
      .join('');
  return {
    start: () => 'TAP version 13\n',
    report(event) {
      switch (event.type) {
        case 'start':
          return `${indented(event.nesting)}# Subtest: ${escaped(event.name)}\n`;
        case 'pass':
        case 'fail':
          if (event.nesting === 0) planned++;
          return tapResult(event, event.type === 'pass');
        case 'plan':
          return `${indented(event.nesting)}1..${event.count}\n`;
        case 'diagnostic':
          return comment(event.nesting, event.message);
        case 'stdout':
        case 'stderr':
          return event.text
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => `# ${escaped(line)}\n`)
            .join('');
      }
    },
    end: (counters, durationMs) =>
      `1..${planned}\n${summary(counters, durationMs)
        .map((line) => `# ${line}\n`)
        .join('')}`,
  };
}

function tapResult(event: Finished, passed: boolean): string {
  const indent = indented(event.nesting);
  const { failed, place } = event;
  const number = `${passed ? 'ok' : 'not ok'} ${event.testNumber}`;
  const said = directive('SKIP', event.skip) || directive('TODO', event.todo);
  let text = `${indent}${number} - ${escaped(event.name)}${said}\n${indent}  ---\n`;
  text += `${indent}  duration_ms: ${event.durationMs}\n${indent}  type: '${event.kind}'\n`;
  if (failed && place) text += `${indent}  location: '${place.file}:${place.line}:${place.column}'\n`;
  if (failed) text += failed.tap.replace(/^(?=.)/gm, indent);
  return `${text}${indent}  ...\n`;
}

interface Look {
  readonly cwd: string;
  readonly colors: boolean;
}

const paints = { green: 32, red: 31, blue: 34, gray: 90 } as const;

export function specReporter({ cwd, colors }: Look): Reporter {
  const paint = (name: keyof typeof paints, text: string) =>
    colors ? `\u001b[${paints[name]}m${text}\u001b[39m` : text;
  const indent = (nesting: number) => '  '.repeat(nesting);
  const failures: Finished[] = [];
  let open: Extract<TestEvent, { type: 'start' }>[] = [];

  function result(event: Finished, passed: boolean, place: string, title?: string): string {
    const duration = paint('gray', `(${event.durationMs}ms)`);
    const said =
      event.skip !== undefined
        ? ` # ${typeof event.skip === 'string' && event.skip ? event.skip : 'SKIP'}`
        : event.todo !== undefined
          ? ` # ${typeof event.todo === 'string' && event.todo ? event.todo : 'TODO'}`
          : '';
    const text = `${title ?? event.name} ${duration}${said}`;
    if (event.skip !== undefined) return `${place}${paint('gray', `\ufe63 ${text}`)}\n`;
    return `${place}${passed ? paint('green', `\u2714 ${text}`) : paint('red', `\u2716 ${text}`)}\n`;
  }

  return {
    start: () => '',
    report(event) {
      switch (event.type) {
        case 'start':
          open.push(event);
          return '';
        case 'pass':
        case 'fail': {
          let text = '';
          open = open.filter((each) => {
            if (each.nesting >= event.nesting) return false;
            text += `${indent(each.nesting)}\u25b6 ${each.name}\n`;
            return false;
          });
          const passed = event.type === 'pass';
          if (!passed && event.failed?.failureType !== 'subtestsFailed') failures.push(event);
          return text + result(event, passed, indent(event.nesting));
        }
        case 'plan':
          return '';
        case 'diagnostic':
          return `${indent(event.nesting)}${paint('blue', `\u2139 ${event.message}`)}\n`;
        case 'stdout':
        case 'stderr':
          return event.text;
      }
    },
    end(counters, durationMs) {
      const lines = summary(counters, durationMs).map((line) => `${paint('blue', `\u2139 ${line}`)}\n`);
      if (failures.length === 0) return lines.join('');
      const told = failures.map((event) => {
        const at = event.place
          ? `test at ${relativeTo(cwd, event.place.file)}:${event.place.line}:${event.place.column}\n`
          : '';
        return `${at}${result(event, false, '')}${shown(event)}`;
      });
      return `${lines.join('')}\n${paint('red', '\u2716 failing tests:')}\n\n${told.join('\n')}`;
    },
  };
}

const shown = (event: Finished) => `  ${(event.failed?.shown ?? '').split('\n').join('\n  ')}\n`;

function relativeTo(cwd: string, file: string): string {
  return file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file;
}

export function dotReporter({ columns }: { readonly columns: number }): Reporter {
  let dots = 0;
  const failures: Finished[] = [];
  return {
    start: () => '',
    report(event) {
      if (event.type !== 'pass' && event.type !== 'fail') return '';
      if (event.type === 'fail') failures.push(event);
      dots++;
      return `${event.type === 'pass' ? '.' : 'X'}${dots % columns === 0 ? '\n' : ''}`;
    },
    end() {
      if (failures.length === 0) return '\n';
      const told = failures.map((event) => `\u2716 ${event.name} (${event.durationMs}ms)\n${shown(event)}`);
      return `\n\nFailed tests:\n\n${told.join('')}`;
    },
  };
}
