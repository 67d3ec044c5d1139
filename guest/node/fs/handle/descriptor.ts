import { nodeError, plainError } from '../../builtins/internal/errors.ts';
import type { LaterCalls } from '../later-calls.ts';

/**
 * The descriptor of a handle, with a count of its users: the handle itself, and each operation and stream on it. The
 * file is closed when the last of them ends.
 */
export class HandleDescriptor {
  readonly #later: LaterCalls['later'];
  readonly #closeFile: (fd: number) => void;
  #fd: number;
  #users = 1;
  #closing: Promise<void> | undefined;
  #closed: ((end: Promise<void>) => void) | undefined;
  #isStreamed = false;

  constructor(fd: number, later: LaterCalls['later'], closeFile: (fd: number) => void) {
    this.#fd = fd;
    this.#later = later;
    this.#closeFile = closeFile;
  }

  /** Negative once the file is closed. */
  get fd(): number {
    return this.#fd;
  }

  /** Runs an operation later. Rejects in the name of a system call if the file is closed. */
  run<T>(syscall: string, run: (fd: number) => T): Promise<T> {
    if (this.#fd < 0) {
      const closed = plainError('EBADF', 'file closed');
      return Promise.reject(Object.assign(closed, { syscall }));
    }
    this.enter();
    return this.#later(() => {
      try {
        return run(this.#fd);
      } finally {
        this.leave();
      }
    });
  }

  enter(): void {
    this.#users++;
  }

  leave(): void {
    this.#users--;
    if (this.#users > 0) return;
    const fd = this.#fd;
    this.#fd = -1;
    this.#closed?.(this.#later(() => this.#closeFile(fd)));
  }

  /** Marks the handle as read by a web stream, of which it can have one. */
  lock(): void {
    const refuse = (state: string) =>
      nodeError('ERR_INVALID_STATE', `Invalid state: The FileHandle is ${state}`);
    if (this.#fd < 0) throw refuse('closed');
    if (this.#closing) throw refuse('closing');
    if (this.#isStreamed) throw refuse('already locked');
    this.#isStreamed = true;
  }

  /** Closes the file once nothing uses it. `started` is called unless it is being closed already. */
  close(started: () => void): Promise<void> {
    if (this.#fd < 0) return Promise.resolve();
    if (this.#closing) return this.#closing;
    const end = new Promise<void>((resolve) => (this.#closed = resolve)).finally(
      () => (this.#closing = undefined),
    );
    this.#closing = end;
    this.leave();
    started();
    return end;
  }
}
