import type { MakeBuiltin } from './builtin.ts';
import { unavailable } from './internal/errors.ts';
import { colorMembers } from '../process/color-depth.ts';

/** Makes `node:tty`. The process makes the streams, because it knows which ones are a terminal. */
export const makeTty: MakeBuiltin = ({ process }) => {
  const streams = [process.stdin, process.stdout, process.stderr];
  const none = (name: string) =>
    class {
      constructor() {
        throw unavailable(name, 'a process has its three streams and can open no other terminal');
      }
      static [Symbol.hasInstance](value: unknown): boolean {
        return streams.some((stream) => stream === value && stream.isTTY);
      }
    };
  const WriteStream = none('tty.WriteStream');
  // Programs ask the prototype for colours where they do not know which stream they will write to.
  Object.assign(WriteStream.prototype, colorMembers);
  return {
    isatty: (fd: unknown) => typeof fd === 'number' && Boolean(streams[fd]?.isTTY),
    ReadStream: none('tty.ReadStream'),
    WriteStream,
  };
};
