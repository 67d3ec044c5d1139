import type { LoadBuiltin } from '../builtin.ts';
import { inspect } from '../internal/inspect.ts';
import type { EventData, TestEvent } from './events.ts';

interface Element {
  tag: string;
  readonly nesting: number;
  readonly attributes: Record<string, string | number>;
  readonly children: Child[];
  readonly parent: Element | undefined;
}

type Child = Element | { readonly comment: string; readonly nesting: number } | { readonly text: string };

const content = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const attribute = (text: string) => content(text.replaceAll('\n', '').replaceAll('"', '&quot;'));

function xml(child: Child): string {
  if ('text' in child) return `${content(child.text)}\n`;
  const indent = '\t'.repeat(child.nesting + 1);
  if ('comment' in child) return `${indent}<!-- ${child.comment.replaceAll('--', '&#45;&#45;')} -->\n`;
  const { tag, attributes, children } = child;
  const list = Object.entries(attributes).map(([name, value]) => `${name}="${attribute(String(value))}"`);
  const head = `${indent}<${tag} ${list.join(' ')}`;
  if (children.length === 0) return `${head}/>\n`;
  return `${head}>\n${children.map(xml).join('')}${indent}</${tag}>\n`;
}

const isElement = (child: Child): child is Element => 'tag' in child;
const holds = (child: Child, tag: string, attributeName: string): boolean =>
  isElement(child) &&
  (child.children.some((each) => isElement(each) && each.tag === tag) ||
    Boolean(child.attributes[attributeName]));

/** Results as continuous integration reads them. */
export const junitReporter = (load: LoadBuiltin) =>
  async function* junit(source: AsyncIterable<TestEvent>) {
    yield '<?xml version="1.0" encoding="utf-8"?>\n';
    yield '<testsuites>\n';
    const roots: Child[] = [];
    let open: Element | undefined;

    const begin = ({ name = '', nesting = 0 }: EventData): Element => {
      const element: Element = { tag: '', nesting, attributes: { name }, children: [], parent: open };
      (open?.children ?? roots).push(element);
      return (open = element);
    };

    for await (const { type, data } of source) {
      if (type === 'test:start') begin(data);
      else if (type === 'test:diagnostic')
        (open?.children ?? roots).push({ nesting: data.nesting ?? 0, comment: data.message ?? '' });
      else if (type === 'test:pass' || type === 'test:fail') {
        let test = open ?? begin({ name: 'root', nesting: 0 });
        if (test.attributes.name !== data.name || test.nesting !== data.nesting) test = begin(data);
        open = test.parent;
        finish(load, test, data, type === 'test:fail');
      }
    }
    for (const root of roots) yield xml(root);
    yield '</testsuites>\n';
  };

function finish(load: LoadBuiltin, test: Element, data: EventData, failed: boolean): void {
  const { attributes, children } = test;
  const { details, skip, todo, nesting = 0 } = data;
  attributes.time = ((details?.duration_ms ?? 0) / 1000).toFixed(6);
  const inner = children.filter(isElement);
  if (inner.length > 0) {
    test.tag = 'testsuite';
    Object.assign(attributes, {
      disabled: 0,
      errors: 0,
      tests: inner.length,
      failures: inner.filter((each) => holds(each, 'failure', 'failures')).length,
      skipped: inner.filter((each) => holds(each, 'skipped', 'skipped')).length,
      hostname: load('os').hostname(),
    });
    return;
  }
  test.tag = 'testcase';
  attributes.classname = 'test';
  const add = (tag: string, of: Record<string, string>, below: Child[] = []) =>
    children.push({ tag, nesting: nesting + 1, attributes: of, children: below, parent: test });
  if (skip) add('skipped', { type: 'skipped', message: String(skip) });
  if (todo) add('skipped', { type: 'todo', message: String(todo) });
  if (!failed) return;
  const error = Object(details?.error) as { failureType?: string; code?: string; message?: string };
  const message = error.message ?? '';
  add('failure', { type: error.failureType ?? error.code ?? '', message }, [
    { text: inspect(details?.error, { colors: false, breakLength: Infinity }) },
  ]);
  attributes.failure = message;
}
