import { joined } from '../kit/io.ts';
import { ShellError } from './errors.ts';
import type { Shell } from './shell.ts';
import { wait, type Task } from './task.ts';

/** Reads from a stream up to and including `end`, or at most `most` bytes; null at the end of the stream. */
export function* readLine(shell: Shell, fd: number, end = 10, most = Infinity): Task<Uint8Array | null> {
  const source = shell.fds.get(fd)?.source;
  if (!source) throw new ShellError(`read error: ${fd}: Bad file descriptor`);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const next = source.read();
    const piece = next instanceof Promise ? yield* wait(next) : next;
    if (!piece) return pieces.length > 0 ? joined(pieces) : null;
    const found = piece.indexOf(end);
    const cut = Math.min(found < 0 ? Infinity : found + 1, most - size, piece.length);
    if (cut < piece.length) source.unread(piece.subarray(cut));
    pieces.push(cut < piece.length ? piece.subarray(0, cut) : piece);
    size += cut;
    if ((found >= 0 && cut === found + 1) || size >= most) return joined(pieces);
  }
}
