import type { Readable, Writable } from 'node:stream';
import type { LoadBuiltin, NodeHost } from '../builtin.ts';
import { argValueError } from '../internal/errors.ts';
import type { TestsStream } from './events.ts';
import { TO_PARENT, type Config } from './options.ts';
import { makeReporters } from './reporters.ts';
import { packEvent } from './wire.ts';
import type { TestEvent } from './events.ts';

async function* toParent(source: AsyncIterable<TestEvent>) {
  for await (const event of source) yield packEvent(event);
}

/** Pipes events through the reporters that a run asks for to where each writes. Answers where they write. */
export async function report(
  { host, load, config }: { host: NodeHost; load: LoadBuiltin; config: Config },
  stream: TestsStream,
): Promise<Writable[]> {
  const { process } = host;
  const builtin: Record<string, unknown> = { ...makeReporters(host, load), [TO_PARENT]: toParent };
  const pairs = await Promise.all(
    config.reporters.map(async (name, at) => {
      const where = config.destinations[at] ?? 'stdout';
      const destination =
        where === 'stdout' || where === 'stderr' ? process[where] : load('fs').createWriteStream(where);
      const module = builtin[name] ?? (await host.import(name));
      const given: unknown = Reflect.get(Object(module), 'default') ?? module;
      const reporter = isClass(given) ? new given() : given;
      if (!reporter) throw argValueError('Reporter', name, 'is not a valid reporter');
      return { reporter, destination };
    }),
  );
  for (const { reporter, destination } of pairs) composed(stream, reporter).pipe(destination as Writable);
  return pairs.map(({ destination }) => destination as Writable);
}

const composed = (stream: Readable, reporter: unknown): Readable =>
  Reflect.apply(stream.compose, stream, [reporter]) as Readable;

function isClass(value: unknown): value is new () => object {
  if (typeof value !== 'function') return false;
  const prototype: unknown = value.prototype;
  return typeof prototype === 'object' && prototype !== null && Object.hasOwn(prototype, 'constructor');
}
