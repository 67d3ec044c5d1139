import helperUrl from 'guest:guest/container/helper.ts';
import { lazily } from '../../base/lazily.ts';
import { loadText } from '../../base/parts.ts';
import { WebContainerWorkspace, type WebContainerOptions } from './webcontainer-workspace.ts';

/** Opens a workspace in a container that `boot` boots. It may still be starting when this returns; its calls wait. */
export function openWebContainer(options: Omit<WebContainerOptions, 'helper'>): WebContainerWorkspace {
  return new WebContainerWorkspace({ ...options, helper: helperText });
}

/** Fetches the text once. A failed fetch is tried again. */
export const helperText = lazily(() => loadText(helperUrl));
