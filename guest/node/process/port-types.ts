/**
 * The shared memory through which the two ends of a channel exchange messages once they are in two threads.
 */
export interface Mail {
  readonly incoming: SharedArrayBuffer;
  readonly outgoing: SharedArrayBuffer;
}

/** Ports on their way to another thread, each with its memory. */
export interface PackedPorts {
  readonly ports: readonly MessagePort[];
  readonly mails: readonly (Mail | undefined)[];
}

export interface Ports {
  /** Returns the next message at a port: undefined if there is none, `elsewhere` if the browser has it. */
  receive(port: MessagePort): { readonly message: unknown } | 'elsewhere' | undefined;
  /** Makes ports ready to be transferred to another thread. */
  pack(list: readonly unknown[]): PackedPorts;
  /** Accepts ports from another thread. */
  adopt(packed: PackedPorts): void;
  /** Listens to the messages of a port without keeping the process alive. */
  listen(port: MessagePort, listener: (value: unknown) => void): void;
  /** Calls `run` once every message that the other end has sent so far has been heard. */
  afterSent(port: MessagePort, run: () => void): void;
  /** Closes a port whose other end is gone. */
  lost(port: MessagePort): void;
}

export type Transfer = readonly Transferable[] | { readonly transfer?: readonly Transferable[] };
