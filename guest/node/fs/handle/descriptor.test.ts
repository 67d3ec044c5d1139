import { open } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { HandleDescriptor } from './descriptor.ts';

const later = async <T>(run: () => T): Promise<T> => {
  await Promise.resolve();
  return run();
};

let closed: number[];
let descriptor: HandleDescriptor;
beforeEach(() => {
  closed = [];
  descriptor = new HandleDescriptor(5, later, (fd) => void closed.push(fd));
});

async function errorOf(run: () => unknown): Promise<unknown> {
  try {
    await run();
    return undefined;
  } catch (error) {
    const { name, message, code, syscall } = error as NodeJS.ErrnoException;
    return { name, message, code, syscall };
  }
}

const nothing = () => {};

describe('errors, compared with a FileHandle of this Node', () => {
  it('an operation on a closed file', async () => {
    const real = await open('/dev/null');
    await real.close();
    await descriptor.close(nothing);
    const ours = await errorOf(() => descriptor.run('fstat', nothing));
    expect(ours).toMatchObject({ code: 'EBADF', syscall: 'fstat' });
    expect(ours).toEqual(await errorOf(() => real.stat()));
  });

  it('a web stream on a closed file', async () => {
    const real = await open('/dev/null');
    await real.close();
    await descriptor.close(nothing);
    const ours = await errorOf(() => descriptor.lock());
    expect(ours).toMatchObject({ code: 'ERR_INVALID_STATE' });
    expect(ours).toEqual(await errorOf(() => real.readableWebStream()));
  });
});

it('has one web stream at most', async () => {
  descriptor.lock();
  expect(await errorOf(() => descriptor.lock())).toMatchObject({ name: 'Error', code: 'ERR_INVALID_STATE' });
});

it('closes the file once the last user ends', async () => {
  let started = 0;
  descriptor.enter();
  const end = descriptor.close(() => started++);
  expect(descriptor.close(() => started++)).toBe(end);
  await Promise.resolve();
  expect([descriptor.fd, started, closed]).toEqual([5, 1, []]);
  descriptor.leave();
  expect(descriptor.fd).toBe(-1);
  await end;
  expect(closed).toEqual([5]);
  await descriptor.close(() => started++);
  expect([started, closed]).toEqual([1, [5]]);
});

it('lets an operation that has begun finish before the file is closed', async () => {
  const order: unknown[] = [];
  const read = descriptor.run('read', (fd) => order.push(['read', fd]));
  const end = descriptor.close(() => order.push('closing'));
  await Promise.all([read, end]);
  expect(order).toEqual(['closing', ['read', 5]]);
  expect(closed).toEqual([5]);
});

it('counts an operation that throws as ended', async () => {
  const failed = descriptor.run('read', () => {
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  await descriptor.close(nothing);
  expect(closed).toEqual([5]);
});
