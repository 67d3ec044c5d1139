import { createSubscriber } from 'svelte/reactivity';
import type { Unlisten } from '../../base/listeners.ts';

/** A reactive value of the app that is read again whenever its owner reports a change. */
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
