import type { TestProject } from 'vitest/node';
import { control } from './control.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where `control.ts` listens. */
    modelServers: string;
  }
}

/** For the browser project: tests find the address by `inject('modelServers')`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, close } = await control();
  project.provide('modelServers', url);
  return close;
}
