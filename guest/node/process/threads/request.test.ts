import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { SHARE_ENV } from './messages.ts';
import { threadRequest, type WorkerOptions } from './request.ts';

const cwd = () => '/work';

function errorOf(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    const { name, message, code } = error as NodeJS.ErrnoException;
    return { name, message, code };
  }
}

describe('errors, compared with the worker_threads of this Node', () => {
  it.each([
    ['no file'],
    ['a number', 5],
    ['an object', {}],
    ['a name without a folder', 'thread.js'],
    ['a file URL as text', 'file:///thread.js'],
    ['a data URL as text', 'data:text/javascript,1'],
    ['a URL of another scheme', new URL('http://host/thread.js')],
    ['text that is none', 5, { eval: true }],
    ['arguments that are text', '/thread.js', { argv: 'x' }],
    ['flags that are text', '/thread.js', { execArgv: 'x' }],
    ['flags that are unknown', '/thread.js', { execArgv: ['--no-such-flag', '--check-not'] }],
    ['variables that are text', '/thread.js', { env: 'x' }],
    ['a symbol for variables', '/thread.js', { env: Symbol('x') }],
    ['a name that is a number', '/thread.js', { name: 5 }],
  ])('refuses %s', (_what, ...args) => {
    const [file, options] = args as [unknown, WorkerOptions?];
    const ours = errorOf(() => threadRequest(file, options ?? {}, cwd));
    expect(ours).toHaveProperty('code');
    expect(ours).toEqual(errorOf(() => Reflect.construct(Worker, args)));
  });
});

describe('the arguments of node', () => {
  it.each([
    ['a relative path', './thread.js', {}, ['/work/thread.js']],
    ['a path outside', '../thread.js', {}, ['/thread.js']],
    ['a file URL', new URL('file:///a%20b.js'), {}, ['/a b.js']],
    ['text', 'run()', { eval: true }, ['-e', 'run()']],
    [
      'a data URL',
      new URL('data:text/javascript,run()'),
      {},
      ['--input-type=module', '-e', 'import "data:text/javascript,run()"'],
    ],
    [
      'flags and arguments',
      '/thread.js',
      { execArgv: ['--trace-warnings'], argv: [1, true] },
      ['--trace-warnings', '/thread.js', '1', 'true'],
    ],
  ])('runs %s', (_what, file, options, args) => {
    expect(threadRequest(file, options, cwd).args).toEqual(args);
  });
});

describe('the environment', () => {
  it.each([
    ['of the process', undefined, undefined, false],
    ['of the process, for null', null, undefined, false],
    ['of its own', { A: '1' }, { A: '1' }, false],
    ['that it shares', SHARE_ENV, undefined, true],
  ])('is one %s', (_what, env, variables, sharesEnv) => {
    expect(threadRequest('/thread.js', { env }, cwd)).toMatchObject({ env: variables, sharesEnv });
  });
});
