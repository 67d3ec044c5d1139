import { forgetRuntime } from '@webcontainer/api';
import { inject, onTestFinished } from 'vitest';
import { MemoryJournal } from '../../../src/workspace/memory-journal.ts';
import { openWebContainer } from '../../../src/workspace/webcontainer/open.ts';
import type { SnapshotSink, Workspace } from '../../../src/workspace/workspace.ts';
import { bootOnHost } from './boot.ts';
import type { Knobs } from './knobs.ts';

/** How a test leaves its runtime is not the next one's concern. */
export function closedAtTheEnd(workspace: Workspace): void {
  onTestFinished(async () => {
    await workspace.close();
    for (const frame of frames()) frame.remove();
    forgetRuntime();
  });
}

export const bytes = (text: string) => new TextEncoder().encode(text);

/** On the test host, without files. */
export function opened(knobs: Partial<Knobs> | (() => Partial<Knobs>) = {}, callMs?: number) {
  const journal = new MemoryJournal();
  const options = {
    id: 'wsp_test',
    journal,
    boot: () => bootOnHost(typeof knobs === 'function' ? knobs() : knobs),
    lost: forgetRuntime,
    ...(callMs !== undefined && { callMs }),
  };
  const workspace = openWebContainer(options);
  closedAtTheEnd(workspace);
  return workspace;
}

export function sinkOf(contents: Map<string, Uint8Array>): SnapshotSink {
  return {
    missing: async (hashes) => hashes.filter((hash) => !contents.has(hash)),
    put: async (hash, content) => void contents.set(hash, content),
  };
}

export function frames(): HTMLIFrameElement[] {
  const origin = inject('runtimeHost');
  return [...document.querySelectorAll('iframe')].filter(({ src }) => src.startsWith(`${origin}/headless`));
}
