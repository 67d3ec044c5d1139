import { expect, test } from 'vitest';
import '../../../test/support/import-lexer.ts';
import { cjsCode } from './cjs-code.ts';
import { esmCode } from './esm-code.ts';
import { TypeScript } from './typescript.ts';
import { readTypes } from './typescript/read.ts';

/** Runs the code of a module, with these objects as the modules that it imports. Returns its exports. */
function run(
  source: string,
  modules: readonly Record<string, unknown>[] = [],
  language: 'javascript' | 'typescript' = 'javascript',
) {
  const typescript = new TypeScript(
    'strip',
    () => readTypes,
    () => {},
  );
  const { text, namespaces } = esmCode(
    language === 'typescript' ? typescript.stripped(source, 'm.ts') : source,
  );
  const make: (...args: unknown[]) => Generator = (0, eval)(text.code);
  let exported: Record<string, () => unknown> = {};
  const steps = make(
    (getters: typeof exported) => (exported = getters),
    { url: 'file:///m.mjs' },
    (name: string) => Promise.resolve(name),
    {},
    (awaited: unknown) => awaited,
    (iterable: unknown) => iterable,
    ...modules,
    ...namespaces.map((from) => modules[from]),
  );
  steps.next();
  steps.next();
  return Object.fromEntries(Object.entries(exported).map(([name, get]) => [name, get()]));
}

test.for([
  ['export const a = 1, { b, c: [d = 4] } = { b: 2, c: [] };', { a: 1, b: 2, d: 4 }],
  ['let n = 1; export { n as m, n as default }; n++;', { m: 2, default: 2 }],
  ['export default 1 + 1', { default: 2 }],
  ['const x = 5; export default (x);', { default: 5 }],
  ['export default (() => {}).name', { default: '' }],
  ['export default class { static n = 3 } ', { default: expect.objectContaining({ name: 'default', n: 3 }) }],
  ['export default function () {}', { default: expect.objectContaining({ name: 'default' }) }],
  ['export default async () => {}', { default: expect.objectContaining({ name: 'default' }) }],
  ['export default async function* own() {}', { default: expect.objectContaining({ name: 'own' }) }],
  ['export const url = import.meta.url', { url: 'file:///m.mjs' }],
  ['#!/usr/bin/env node\nexport const a = 1', { a: 1 }],
  ['export const self = this', { self: undefined }],
] as const)('%s', ([source, expected]) => {
  expect(run(source)).toEqual(expected);
});

test.for([
  "const one = 1\nbump()\nlist.push('a')\nbump()\nif (one)\n  bump()\nelse bump()\nexport { one }\nbump`x`\nbump().n",
  "import { bump, list } from 'm'\nfor (const _ of [1]) list.push(_)\nlist.length\nimport 'n'\n[1].map(bump)\nexport const one = 1",
  'switch (1) { case 1: list.length\nbump(); }\nclass A { static { list.length\nbump() } }\nexport const one = () => { list.length\nbump() }\none()',
])('statements without semicolons stay apart: %j', (source) => {
  const module = { list: [] as unknown[], bump: () => module.list.push('bumped') };
  expect(() =>
    run(source.startsWith('import') ? source : `import { bump, list } from 'm'\n${source}`, [module, {}]),
  ).not.toThrow();
  expect(module.list).toContain('bumped');
});

test('references to what is imported are live, wherever they stand, and nowhere else', () => {
  const module = {
    n: 1,
    bump() {
      module.n++;
      return this === undefined ? 'no this' : 'this';
    },
    default: 'D',
  };
  const source = `
    import d, { n, bump, n as other } from 'm';
    import * as all from 'm';
    export const before = n, called = bump(), after = n;
    export const inObject = { n, other, d }.n + { other }.other;
    export const shadowed = ((n) => n)(10) + (() => { let n = 20; return n })() + (() => { var other = 30; { return other } })();
    export const inBlock = [1].map(() => { { const n = 7; } return n; })[0];
    export const caught = (() => { try { throw 5 } catch (n) { return n } })();
    export const looped = (() => { let sum = 0; for (const n of [1, 2]) sum += n; return sum + n })();
    export const member = all.n + all['n'] + ({ n: 100 }).n;
    export const text = \`\${n}\`, type = typeof n, d2 = d;
    n: for (;;) { break n }
    export const klass = new (class { n = n; static { n } m(bump = n) { return bump } })().m();
    export { n as again } from 'm';
  `;
  expect(run(source, [module])).toEqual({
    before: 1,
    called: 'no this',
    after: 2,
    inObject: 4,
    shadowed: 60,
    inBlock: 2,
    caught: 5,
    looped: 5,
    member: 104,
    text: '2',
    type: 'number',
    d2: 'D',
    klass: 2,
  });
});

test('functions are there before the module has run, the rest is not', () => {
  const { text } = esmCode('export function f() { return v } export const v = 1;');
  let exported: Record<string, () => unknown> = {};
  const steps = (0, eval)(text.code)((getters: typeof exported) => (exported = getters));
  steps.next();
  expect(exported.f?.()).toBeTypeOf('function');
  expect(() => exported.v?.()).toThrow(ReferenceError);
  steps.next();
  expect(exported.v?.()).toBe(1);
});

test('await at the top makes the module asynchronous, inside a function it does not', () => {
  const isAsync = (source: string) => esmCode(source).isAsync;
  expect(isAsync('await 1')).toBe(true);
  expect(isAsync('for await (const x of []) ;')).toBe(true);
  expect(isAsync('async function f() { await 1 } const g = async () => await 2')).toBe(false);
});

test('what stands where in the source is known again', () => {
  const source = "import { a } from 'm';\nexport const b = a + a; throw1(a, b);\n";
  const { text } = esmCode(source);
  const lines = text.code.split('\n');
  const column = (lines[1] ?? '').indexOf('throw1') + 1;
  expect(text.original({ line: 2, column })).toEqual({ line: 2, column: 25 });
  expect(lines).toHaveLength(4);
  const script = cjsCode('#!/bin/node\nfoo(); import("x"); bar()');
  const second = script.code.split('\n')[1] ?? '';
  expect(second).toContain('__vtr_import("x")');
  expect(script.original({ line: 2, column: second.indexOf('bar') + 1 })).toEqual({ line: 2, column: 21 });
  const first = cjsCode('foo()');
  expect(first.original({ line: 1, column: first.code.indexOf('foo') + 1 })).toEqual({ line: 1, column: 1 });
});

test.for([
  ['export const a: number = 1', { a: 1 }],
  [
    'interface A { x: string }\ntype B = A | null\nexport const a = (x?: B, ...r: A[]): B | 1 => 1;\nexport const b = a()',
    { b: 1, a: expect.any(Function) },
  ],
  [
    'export const a = <T,>(x: T) => x as unknown as T; export const b = a<number>(2)!',
    { a: expect.any(Function), b: 2 },
  ],
  [
    'import type { X } from "m"; import { type Y } from "m2"; export type { X }; export const a = 1',
    { a: 1 },
  ],
  [
    'class A<T> implements Object { private readonly x: number = 1; declare y: string; z!: number; public static s?: number; constructor(x: number); constructor(x: any) {} get v(): number { return this.x } async m?<U>(this: A<U>, u: U): Promise<void> {} [k: string]: any }\nexport const a = new A(1).v',
    { a: 1 },
  ],
  [
    'abstract class A { abstract x: number; abstract m(): void; n() { return 2 } }\nclass B extends A { x = 1; override m() {} }\nexport const a = new B().n()',
    { a: 2 },
  ],
  [
    'function f(a: number): void; function f(a: any) { return a }\nexport const a = f(3 satisfies number)',
    { a: 3 },
  ],
  [
    'declare const q: number; declare module "m" { export const x: 1 } declare global { var y: 2 } namespace N { export type T = 1 }\nexport const a = 1',
    { a: 1 },
  ],
  [
    'let x: number\n(globalThis as any).foo = 1\nexport const a = [1, 2, 3].map((n: number): number => n * 2)[1]',
    { a: 4 },
  ],
  ['export const a = ((x as any)) ; var x: string | undefined', { a: undefined }],
  [
    'const o = { async m<T>(x: T) { return x }, k: 1 as const }; export const a = o.k; export abstract class Q {}',
    { a: 1, Q: expect.any(Function) },
  ],
] as const)('types are left out: %s', ([source, expected]) => {
  expect(run(source, [{}, {}, {}], 'typescript')).toEqual(expected);
});

test.for([
  ['enum A { B }', 'TypeScript enum is not supported in strip-only mode'],
  [
    'namespace N { export const a = 1 }',
    'TypeScript namespace declaration is not supported in strip-only mode',
  ],
  [
    'class A { constructor(private x: number) {} }',
    'TypeScript parameter property is not supported in strip-only mode',
  ],
])('%s', ([source, message]) => {
  expect(() => run(source ?? '', [], 'typescript')).toThrow(message);
});
