import type { ImageFacts } from '../../protocol/images.ts';

/** The programs that a workspace fetches when they are first used. */
export interface Images {
  readonly facts: readonly ImageFacts[];
  /** The packed files of an image, as a copy that the caller may transfer. */
  packed(name: string): Promise<ArrayBuffer>;
}
