import type { WebContainer } from '@webcontainer/api';
import type { Timer } from '../../base/timer.ts';

export interface BootEnvironment {
  readonly timer: Timer;
  /** Loads the client when it is first needed. */
  readonly load?: () => Promise<ClientModule>;
  /** The origin from which the client loads the runtime. */
  readonly origin: string;
  readonly key?: string | undefined;
  readonly limits?: Partial<BootLimits>;
  readonly isolated?: boolean;
  readonly online?: () => boolean;
  readonly userAgent?: string;
}

export interface ClientModule {
  readonly WebContainer: Pick<typeof WebContainer, 'boot'>;
  readonly configureAPIKey: (key: string) => void;
  readonly forgetRuntime: () => void;
}

declare module '@webcontainer/api' {
  /** Added by our patch: makes the next boot start from scratch, with a new frame. */
  function forgetRuntime(): void;
}

/** Limits in milliseconds. */
export interface BootLimits {
  /** How long the frame may take to load anything. */
  readonly load: number;
  /** How long it may then take to send its first message. `unreachable` is the limit where its host cannot be reached. */
  readonly word: number;
  readonly unreachable: number;
  /** How long to wait for that message before asking the host whether it refuses this page. */
  readonly ask: number;
  /** How long the container may take to start after the first message. */
  readonly start: number;
  /** How long it may take in a frame that has had a container before. After that, a new frame is tried. */
  readonly again: number;
}
