import { expect, expectTypeOf, test } from 'vitest';
import { checkOptions } from './check-options.ts';
import type { PermissionRules, TestOptions, VitrineOptions } from './options.ts';

test.each<VitrineOptions>([
  {},
  { files: { 'a.txt': 'a' }, permission: 'allow', script: [{ text: 'Hello.' }], seed: 1, time: new Date(0) },
  { permission: { bash: { '*': 'ask' } }, model: { provider: 'openai', model: 'gpt-5' }, hosts: ['a.test'] },
  { script: { version: 1, title: 'one', turns: [] }, tools: [{ name: 'a', execute: () => 'b' }] },
])('good options pass: %j', (options) => {
  checkOptions(options);
});

test.each([
  ['{"permision":"allow"}', 'Unrecognized key: "permision"'],
  ['{"permision":"allow"}', 'Its members are files, folder, config'],
  ['{"files":["a"]}', 'files'],
  ['{"files":{"a.txt":1}}', 'files["a.txt"]'],
  ['{"model":{"provider":"openai","name":"gpt-5"}}', 'Unrecognized key: "name"'],
  ['{"tools":[{"name":"a"}]}', 'tools[0].execute'],
  ['{"script":[],"model":{"provider":"openai","model":"gpt-5"}}', '"script" and "model" exclude each other'],
  ['{"time":"2026-01-01"}', 'The option "time" needs a "seed"'],
])('options that cannot be meant are refused: %s', (json, reason) => {
  const options: VitrineOptions = JSON.parse(json);
  expect(() => checkOptions(options)).toThrow(reason);
});

test('types object to misspelt actions and providers', () => {
  expectTypeOf<'allow'>().toExtend<PermissionRules>();
  expectTypeOf<{ bash: { '*': 'ask' } }>().toExtend<PermissionRules>();
  expectTypeOf<'alow'>().not.toExtend<PermissionRules>();
  expectTypeOf<{ bash: 'maybe' }>().not.toExtend<PermissionRules>();
  expectTypeOf<{ model: { provider: 'openai'; model: 'a' } }>().toExtend<TestOptions>();
  expectTypeOf<{ model: { provider: 'opnai'; model: 'a' } }>().not.toExtend<TestOptions>();
});
