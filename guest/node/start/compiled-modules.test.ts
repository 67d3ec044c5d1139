import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportCompiledModules } from './compiled-modules.ts';

/** A module with a custom section of this many bytes. */
function moduleOf(length: number, fill = 0): Uint8Array<ArrayBuffer> {
  const size = [(length & 0x7f) | 0x80, ((length >> 7) & 0x7f) | 0x80, (length >> 14) & 0x7f];
  const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0, ...size, 1, 0x78];
  const bytes = new Uint8Array(head.length + length - 2).fill(fill);
  bytes.set(head);
  return bytes;
}

const original = { ...Object.getOwnPropertyDescriptors(WebAssembly) };
const native = WebAssembly.Module;
const reported: [string, WebAssembly.Module][] = [];

beforeAll(() => reportCompiledModules((name, module) => void reported.push([name, module])));
afterAll(() => {
  Object.defineProperties(WebAssembly, original);
  native.prototype.constructor = native;
});

test('a large module is reported however it is compiled, under one name for the same bytes', async () => {
  const bytes = moduleOf(200_000);
  const modules = [
    new WebAssembly.Module(bytes),
    await WebAssembly.compile(bytes.buffer),
    (await WebAssembly.instantiate(bytes)).module,
  ];
  expect(reported.splice(0).map(([, module]) => module)).toEqual(modules);
  new WebAssembly.Module(bytes);
  new WebAssembly.Module(moduleOf(200_000, 7));
  const [first, second] = reported.splice(0).map(([name]) => name);
  expect(first).not.toBe(second);
});

test('small modules, instances of a module and failures are not reported', async () => {
  new WebAssembly.Module(moduleOf(1_000));
  const module = new WebAssembly.Module(moduleOf(200_000));
  reported.length = 0;
  await WebAssembly.instantiate(module);
  expect(() => new WebAssembly.Module(new Uint8Array(200_000))).toThrow(WebAssembly.CompileError);
  await expect(WebAssembly.compile(new Uint8Array(200_000))).rejects.toThrow(WebAssembly.CompileError);
  expect(reported).toEqual([]);
});

test('programs see the constructor as before', () => {
  class Own extends WebAssembly.Module {}
  const own = new Own(moduleOf(1_000));
  expect(own).toBeInstanceOf(WebAssembly.Module);
  expect(own).toBeInstanceOf(Own);
  expect(own.constructor).toBe(Own);
  expect(new WebAssembly.Module(moduleOf(1_000)).constructor).toBe(WebAssembly.Module);
  expect(WebAssembly.Module.name).toBe('Module');
  expect(WebAssembly.Module.customSections(own, 'x')).toHaveLength(1);
  expect(WebAssembly.compile.name).toBe('compile');
});
