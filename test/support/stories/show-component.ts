import { mount, unmount, type Component } from 'svelte';
import { onTestFinished } from 'vitest';
import { provideStores, type Provided } from '../../../src/ui/context.ts';
import '../../../src/ui/styles/index.css';

/** One component with the stores that it uses, gone when the test ends. */
export function showComponent<Props extends Record<string, unknown>>(
  component: Component<Props>,
  props: Props,
  stores: Partial<Provided>,
): void {
  const target = document.createElement('div');
  document.body.append(target);
  const provided: Component<Props> = (internals, shown) => {
    provideStores(stores);
    return component(internals, shown);
  };
  const mounted = mount(provided, { target, props });
  onTestFinished(async () => {
    await unmount(mounted);
    target.remove();
  });
}
