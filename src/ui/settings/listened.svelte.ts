import { createSubscriber } from 'svelte/reactivity';
import type { Unlisten } from '../../base/listeners.ts';

/** A value of the app that is read anew whenever its owner says that it changed. */
export function listened<T>(
  owner: { onChange(listener: () => void): Unlisten },
  read: () => T,
): { readonly current: T } {
  const subscribe = createSubscriber((update) => owner.onChange(update));
  return {
    get current() {
      subscribe();
      return read();
    },
  };
}
