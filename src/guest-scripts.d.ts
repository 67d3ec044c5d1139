/** The address of one classic script made of the named module and all it imports; see build/guest-plugin.ts. */
declare module 'guest:*' {
  const url: string;
  export default url;
}

/** In a guest script: those of its modules that its parts use too, by their paths; see build/guest-bundle.ts. */
declare module 'virtual:guest-shared' {
  export const shared: Readonly<Record<string, object>>;
}

/** Programs that are fetched when they are first used; see build/images.ts. */
declare module 'virtual:images' {
  import type { ImageFacts } from './protocol/images.ts';

  const images: readonly {
    readonly facts: ImageFacts;
    /** Relative to the page or absolute. */
    readonly url: string;
  }[];
  export default images;
}
