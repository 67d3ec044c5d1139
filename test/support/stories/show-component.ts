import { mount, unmount, type Component } from 'svelte';
import { onTestFinished } from 'vitest';
import '../../../src/ui/styles/index.css';

/** One component with the stores that `provide` sets, gone when the test ends. */
export function showComponent<Props extends Record<string, unknown>>(
  component: Component<Props>,
  props: Props,
  provide: () => void,
): void {
  const target = document.createElement('div');
  document.body.append(target);
  const provided: Component<Props> = (internals, shown) => {
    provide();
    return component(internals, shown);
  };
  const mounted = mount(provided, { target, props });
  onTestFinished(async () => {
    await unmount(mounted);
    target.remove();
  });
}
