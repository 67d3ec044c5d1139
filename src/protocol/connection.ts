/** The messages that the two ends of a connection between processes of the workspace send each other. */
export type ConnectionMessage =
  /** Tells the connecting side that the connection is open. `port` is the port of its own end. */
  | { readonly kind: 'open'; readonly port: number }
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  /** The receiver has read this many bytes. At most {@link CONNECTION_WINDOW} bytes may be on the way. */
  | { readonly kind: 'used'; readonly bytes: number }
  /** The sender has no more bytes to send. */
  | { readonly kind: 'end' }
  /** The sender neither writes nor reads any more. */
  | { readonly kind: 'gone' }
  /** The connection was broken off; `code` is the error code that an operating system would give. */
  | { readonly kind: 'reset'; readonly code: string };

export const CONNECTION_WINDOW = 512 * 1024;
