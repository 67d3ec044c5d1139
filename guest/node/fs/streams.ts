import type { LoadBuiltin } from '../builtins/builtin.ts';
import { inheritable } from '../builtins/callable.ts';
import type { EventLoop } from '../loop/loop.ts';
import type { FileHandle } from './file-handle.ts';
import type { StreamContext } from './streams/context.ts';
import { StreamOpening } from './streams/opening.ts';
import { makeReadStream } from './streams/read-stream.ts';
import { StreamSources, type StreamFs } from './streams/sources.ts';
import { makeWriteStream } from './streams/write-stream.ts';

/** Makes the file streams, which use the public functions of `fs`. */
export function makeFileStreams(
  module: object,
  isHandle: (value: unknown) => value is FileHandle,
  load: LoadBuiltin,
  loop: EventLoop,
) {
  const sources = new StreamSources(module as StreamFs, isHandle, loop);
  const context: StreamContext = { load, loop, sources, opening: new StreamOpening(load) };
  return {
    ReadStream: inheritable(makeReadStream(context)),
    WriteStream: inheritable(makeWriteStream(context)),
  };
}
