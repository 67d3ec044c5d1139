import { expect, test } from 'vitest';
import { FakeSession } from '../../../../test/support/stories/fake-session.ts';
import { stepLines } from './step-lines.ts';

function session(script: (it: FakeSession) => void, options?: { said: boolean }): string {
  const it = new FakeSession('ses', 'w', '');
  it.user('m0', 'go');
  script(it);
  return stepLines(
    [...it.state.messages.values()].map((message) => ({
      message,
      parts: message.partKeys.flatMap((key) => {
        const part = it.state.parts.get(key);
        return part ? [{ part }] : [];
      }),
    })),
    options,
  );
}

function edits(to: string): (it: FakeSession) => void {
  return (it) => {
    it.step('m1');
    it.text('m1', `I write ${to}.`);
    it.running('m1', 'c1', 'edit', { filePath: 'add.js', oldString: 'a - b', newString: to });
    it.ended('m1', 'c1', 'done');
    it.stepEnd('m1');
  };
}

test('the same calls in other words are the same lines, other arguments are not', () => {
  expect(session(edits('a + b'))).toBe(
    'Step\n  edit (ok)\n    filePath: add.js\n    oldString: a - b\n    newString: a + b\n',
  );
  expect(session(edits('a + b'))).not.toBe(session(edits('b + a')));
});

test('what a step says is there where it is asked for, line by line, at its place', () => {
  const says = (it: FakeSession) => {
    edits('a + b')(it);
    it.step('m2');
    it.text('m2', 'Done.\n\nIt adds now.\n');
    it.step('m3');
    it.text('m3', ' \n');
  };
  expect(session(says, { said: true })).toBe(
    'Step\n  says\n    I write a + b.\n  edit (ok)\n    filePath: add.js\n    oldString: a - b\n    newString: a + b\n' +
      'Step without a call\n  says\n    Done.\n    \n    It adds now.\nStep without a call\n',
  );
});

test('two calls in one step are not two steps, and a long argument is told line by line', () => {
  const both = (apart: boolean) => (it: FakeSession) => {
    it.step('m1');
    it.running('m1', 'c1', 'write', { filePath: 'a.txt', content: 'one\ntwo' });
    it.ended('m1', 'c1', 'done');
    if (apart) it.step('m2');
    it.call(apart ? 'm2' : 'm1', 'c2', 'bash', { command: 'ls\npwd' });
    it.step('m3');
    it.text('m3', 'Done.');
  };
  const lines = '  write (ok)\n    filePath: a.txt\n    content:\n      one\n      two\n';
  const run = '  bash (pending)\n    command:\n      ls\n      pwd\n';
  expect(session(both(false))).toBe(`Step\n${lines}${run}Step without a call\n`);
  expect(session(both(true))).toBe(`Step\n${lines}Step\n${run}Step without a call\n`);
});
