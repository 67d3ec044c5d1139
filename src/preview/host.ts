import type { PreviewForm } from '../protocol/preview.ts';

/** Shows the pages of one target, away from the app's origin. */
export interface PreviewHost {
  /**
   * How pages are kept away: on an origin of their own, where they are served as on any site, or without one, where they
   * are rewritten and some things do not work.
   */
  readonly kind: 'origin' | 'opaque';
  /** True where there is an origin for previews, but this browser did not let the preview start on it. */
  readonly isRefused?: boolean;
  readonly element: HTMLElement;
  /** Goes to a path. */
  open(target: string, options: OpenOptions): void;
  /** Loads again what is shown: this path, where the page's own script may have led. A form is not sent a second time. */
  reload(target: string, options: Pick<OpenOptions, 'cookies'>): void;
  close(): void;
}

export interface OpenOptions {
  /** The cookies that scripts may see. */
  readonly cookies: string;
  /** A form to send there. Only where the host is opaque. */
  readonly form?: PreviewForm | undefined;
}

export interface HostEvents {
  /** A request of a page, to be answered over the channel. What comes is not checked yet. */
  request(request: unknown, channel: MessagePort): void;
  /** Another page begins, whose script speaks over this port. */
  page(port: MessagePort): void;
  /** The host is on its way, but takes longer than a person waits without a word. */
  slow(): void;
  /** The host cannot show anything any more. `reason` is a sentence for the person. */
  failed(reason: string): void;
}
