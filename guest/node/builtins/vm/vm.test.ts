import realVm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Sources } from '../../errors/sources.ts';
import { makeVm } from '../vm.ts';

const ours = makeVm(new Sources(), {
  importMain: () => () => Promise.reject(new Error('nothing is imported here')),
  withModules: false,
});
type Vm = typeof ours;

/** Runs the same on our module and on that of this Node. */
function both(run: (vm: Vm) => unknown): [ours: unknown, real: unknown] {
  return [ours, realVm as object as Vm].map((vm) => {
    try {
      return { value: run(vm) };
    } catch (error) {
      const { name, message, code } = error as NodeJS.ErrnoException;
      return { name, message, code };
    }
  }) as [unknown, unknown];
}

describe('compared with the vm of this Node', () => {
  it.each<[string, (vm: Vm) => unknown]>([
    ['a context that is text', (vm) => vm.createContext('x')],
    ['a context that is null', (vm) => vm.createContext(null)],
    ['whether text is a context', (vm) => vm.isContext('x')],
    ['an object that is no context', (vm) => new vm.Script('1').runInContext({})],
    ['a timeout of nothing', (vm) => vm.runInThisContext('1', { timeout: 0 })],
    ['a timeout that is text', (vm) => vm.runInThisContext('1', { timeout: 'x' })],
    ['a loop that does not end', (vm) => vm.runInThisContext('for (;;);', { timeout: 20 })],
    ['code of a function that is a number', (vm) => vm.compileFunction(5)],
    ['a context of a function that is none', (vm) => vm.compileFunction('', [], { parsingContext: {} })],
    ['a name that does not exist', (vm) => vm.runInNewContext('missing')],
    [
      'a name that is declared again',
      (vm) => {
        const context = vm.createContext({});
        vm.runInContext('let a = 1', context);
        return vm.runInContext('let a = 2', context);
      },
    ],
  ])('refuses %s', (_what, run) => {
    const [mine, real] = both(run);
    expect(mine).toHaveProperty('message');
    expect(mine).toEqual(real);
  });

  it.each<[string, (vm: Vm) => unknown]>([
    ['the value of a script', (vm) => vm.runInThisContext('[1, 2].length + 1')],
    ['a member of the context', (vm) => vm.runInNewContext('a + 1', { a: 1 })],
    [
      'variables and functions as members',
      (vm) => {
        const context = vm.createContext({ a: 1 });
        vm.runInContext('var b = f(); function f() { return a + 1 } c = 3', context);
        return Object.keys(context).sort();
      },
    ],
    [
      'what was declared before',
      (vm) => {
        const context = vm.createContext({});
        vm.runInContext('let a = 1; const b = 2; class C {}', context);
        vm.runInContext('a = 5', context);
        return [vm.runInContext('[a, b, typeof C].join()', context), Object.keys(context)];
      },
    ],
    ['the type of a name that does not exist', (vm) => vm.runInNewContext('typeof missing')],
    ['no global of the host', (vm) => vm.runInNewContext('typeof setTimeout + typeof JSON')],
    ['the global object', (vm) => vm.runInNewContext('globalThis.a', { a: 1 })],
    [
      'a function with parameters',
      (vm) => {
        const made = vm.compileFunction('return a + b', ['a', 'b']) as (a: number, b: number) => number;
        return made(1, 2);
      },
    ],
    [
      'a function with extensions',
      (vm) => {
        const made = vm.compileFunction('return x', [], { contextExtensions: [{ x: 7 }] }) as () => unknown;
        return made();
      },
    ],
    [
      'the types of names of a context and its extensions',
      (vm) => {
        const code = 'return [typeof own, typeof member, typeof missing, typeof Array, own]';
        const options = { parsingContext: vm.createContext({ member: 1 }), contextExtensions: [{ own: 7 }] };
        return (vm.compileFunction(code, [], options) as () => unknown)();
      },
    ],
    ['the type of a member of an object', (vm) => vm.runInNewContext('with ({ a: 1 }) typeof a + typeof b')],
    ['whether an object is a context', (vm) => [vm.isContext({}), vm.isContext(vm.createContext({}))]],
    ['a script that ends in time', (vm) => vm.runInThisContext('1 + 1', { timeout: 1000 })],
  ])('gives %s', (_what, run) => {
    const [mine, real] = both(run);
    expect(mine).toHaveProperty('value');
    expect(mine).toEqual(real);
  });
});
