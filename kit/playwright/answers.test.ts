import { expect, test } from 'vitest';
import { Answers, type PermissionReply } from './answers.ts';

const asked = { tool: 'write', permission: 'edit', patterns: ['a.txt'] };
const question = { questions: [{ question: 'Which?', options: [] }] };

test('an error in a handler refuses the call, and is the test’s to throw', async () => {
  const answers = new Answers();
  const failure = new Error('expected "bash"');
  answers.onPermission(() => {
    throw failure;
  });
  expect(await answers.permission(asked)).toEqual({ reject: expect.stringContaining('failed') });
  expect(() => answers.check()).toThrow(failure);
  // It is thrown once.
  answers.check();

  answers.onQuestion(() => Promise.reject(failure));
  expect(await answers.question(question)).toBeNull();
  expect(() => answers.check()).toThrow(failure);
});

test.each(['"yes"', 'true', '{"reply":"once"}', '{"reject":5}'])(
  '%s is no reply to a permission',
  async (given) => {
    const answers = new Answers();
    answers.onPermission(() => JSON.parse(given) as PermissionReply);
    expect(await answers.permission(asked)).toHaveProperty('reject');
    expect(() => answers.check()).toThrow('is no reply to the request for the permission "edit" (a.txt)');
  },
);

test.each(['5', '{"answer":"a"}', '[[5]]'])('%s is no reply to a question', async (given) => {
  const answers = new Answers();
  answers.onQuestion(() => JSON.parse(given) as string);
  expect(await answers.question(question)).toBeNull();
  expect(() => answers.check()).toThrow('is no reply to the question "Which?"');
});

test('good replies reach the page, and without a handler the test is told what was asked', async () => {
  const answers = new Answers();
  for (const reply of ['once', 'reject', { reject: 'No.' }, undefined] as const) {
    answers.onPermission(() => reply);
    expect(await answers.permission(asked)).toEqual(reply);
  }
  for (const reply of ['one', ['one', ['two', 'three']], null, undefined] as const) {
    answers.onQuestion(() => reply);
    expect(await answers.question(question)).toEqual(reply);
  }
  answers.check();
  const none = new Answers();
  await none.permission(asked);
  await none.question(question);
  expect(() => none.check()).toThrow(/permission "edit" \(a\.txt\)[^]*asked "Which\?"/);
});

test('a failed assertion in a tool of the test fails the test, any other error is for the model', async () => {
  const answers = new Answers();
  await expect(answers.ofTool(() => 'fine')).resolves.toBe('fine');
  await expect(answers.ofTool(() => Promise.reject(new Error('no such order')))).rejects.toThrow(
    'no such order',
  );
  answers.check();
  const failed = Object.assign(new Error('99 is not 10'), { matcherResult: {} });
  await expect(answers.ofTool(() => Promise.reject(failed))).rejects.toThrow('99 is not 10');
  expect(() => answers.check()).toThrow('99 is not 10');
  answers.check();
});
