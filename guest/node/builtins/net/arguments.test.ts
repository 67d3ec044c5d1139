import net from 'node:net';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { connectArgs, connectTarget, listenArgs, needPort, streamOptions } from './arguments.ts';

function thrown(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Error)
      return `${error.name} ${'code' in error ? String(error.code) : ''} ${error.message}`;
  }
  return 'nothing';
}

const WRONG_TARGETS: readonly (readonly unknown[])[] = [
  [{}],
  [{ host: 'localhost' }],
  [{ port: 'x' }],
  [{ port: 65536 }],
  [{ port: -1 }],
  [{ port: 1.5 }],
  [{ port: 80, lookup: 'x' }],
];

test.each(WRONG_TARGETS.map((args) => [inspect(args), args] as const))(
  'connect%s fails as in Node',
  (_name, args) => {
    const native = thrown(() => Reflect.apply(net.Socket.prototype.connect, new net.Socket(), args));
    expect(native).not.toBe('nothing');
    expect(thrown(() => connectTarget(connectArgs(args).options))).toBe(native);
  },
);

test('what connects is a port, a port and a host, a path, or options', () => {
  const done = () => undefined;
  expect(connectArgs([80, done])).toEqual({ options: { port: 80 }, done });
  expect(connectArgs(['80', 'example.test'])).toEqual({ options: { port: '80', host: 'example.test' } });
  expect(connectArgs(['/tmp/socket'])).toEqual({ options: { path: '/tmp/socket' } });
  expect(connectTarget({ port: '080' })).toEqual({ path: undefined, port: 80 });
  expect(connectTarget({ socketPath: '/tmp/socket', port: 5 })).toEqual({ path: '/tmp/socket', port: 0 });
});

test('object mode is refused as in Node', () => {
  for (const name of ['objectMode', 'readableObjectMode', 'writableObjectMode']) {
    const options = { [name]: true };
    const native = thrown(() => new net.Socket(options));
    expect(native).toContain('is not supported');
    expect(thrown(() => streamOptions(options))).toBe(native);
  }
});

test('where a server listens: any port, a port, a path, or options', () => {
  expect(listenArgs([])).toEqual({ port: 0 });
  expect(listenArgs([() => undefined])).toEqual({ port: 0 });
  expect(listenArgs(['8080', '127.0.0.1'])).toEqual({ port: '8080', host: '127.0.0.1' });
  expect(listenArgs(['/tmp/socket'])).toEqual({ path: '/tmp/socket' });
  expect(thrown(() => listenArgs([{}]))).toBe(thrown(() => net.createServer().listen({})));
});

test('a port of a server that is none fails as in Node', () => {
  for (const port of ['x', 65536, -1, 1.5]) {
    const native = thrown(() => net.createServer().listen({ port: port as number }));
    expect(thrown(() => needPort(port, 'options.port'))).toBe(native);
  }
});
