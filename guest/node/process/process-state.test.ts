import { afterEach, describe, expect, it } from 'vitest';
import { ProcessState } from './process-state.ts';

function errorOf(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    const { name, message, code } = error as NodeJS.ErrnoException;
    return { name, message, code };
  }
}

describe('exit codes, compared with the process of this Node', () => {
  const before = process.exitCode;
  afterEach(() => {
    process.exitCode = before;
  });

  it.each([[1.5], [NaN], ['x'], [''], [true], [{}], [1n]])('refuses %o', (value) => {
    const ours = errorOf(() => new ProcessState('/').setExitCode(value));
    expect(ours).toHaveProperty('code');
    expect(ours).toEqual(errorOf(() => Reflect.set(process, 'exitCode', value)));
  });

  it.each([[0], [3], ['7'], [undefined], [null]])('accepts %o', (value) => {
    const state = new ProcessState('/');
    state.setExitCode(value);
    Reflect.set(process, 'exitCode', value);
    expect(state.exitCode).toBe(process.exitCode);
  });
});

it('ends with zero where no exit code is set, and with the number of text', () => {
  const state = new ProcessState('/');
  expect(state.code).toBe(0);
  state.setExitCode('7');
  expect(state.code).toBe(7);
});

it('takes one function for uncaught errors at a time', () => {
  const state = new ProcessState('/');
  const capture = () => {};
  expect(errorOf(() => state.setCapture(5))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
  state.setCapture(capture);
  expect(errorOf(() => state.setCapture(capture))).toMatchObject({
    code: 'ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET',
  });
  expect(state.capture).toBe(capture);
  state.setCapture(null);
  expect(state.capture).toBeNull();
});

it('shares the environment once, with the variables that it has then', () => {
  const state = new ProcessState('/');
  const memory = state.shareEnv({ A: '1' });
  expect(state.shareEnv({ A: '2' })).toBe(memory);
  const other = new ProcessState('/');
  expect(other.shareEnv({ A: '3' }, memory)).toBe(memory);
  const seen: NodeJS.ProcessEnv = {};
  other.sharedEnv?.read(seen);
  expect(seen).toEqual({ A: '1' });
});
