import { expect, test } from 'vitest';
import { OpenCalls } from './open-calls.ts';

test('what has ended is no problem, whether it went well or not', async () => {
  const open = new OpenCalls();
  await open.track('workspace.write("a")', Promise.resolve());
  await expect(open.track('workspace.read("b")', Promise.reject(new Error('No.')))).rejects.toThrow('No.');
  expect(open.titles()).toEqual([]);
  expect(open.problem()).toBeUndefined();
});

test('what runs when the test ends is named, with what to do', () => {
  const open = new OpenCalls();
  const never = () => new Promise(() => {});
  void open.track('workspace.write("a")', never());
  expect(open.problem()?.message).toContain(
    'ended while workspace.write("a") was still running. Is there an `await` before it?',
  );
  expect(open.problem()?.message).not.toContain('abort');
  expect(open.problem()?.stack).toContain('open-calls.test.ts');
  void open.track('agent.prompt("Go")', never());
  expect(open.titles('agent.')).toEqual(['agent.prompt("Go")']);
  expect(open.problem()?.message).toMatch(
    /"Go"\) were still running.*before each of them\?.*`await agent\.abort\(\)`/,
  );
});

test('nothing can be called when the test has ended', () => {
  const open = new OpenCalls();
  open.requireTest('agent.addTool("a")');
  open.end();
  expect(() => open.requireTest('agent.addTool("b")')).toThrow(
    'The test that calls agent.addTool("b") has ended.',
  );
});
