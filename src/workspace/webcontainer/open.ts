import helperUrl from 'guest:guest/container/helper.ts';
import { WebContainerWorkspace, type WebContainerOptions } from './webcontainer-workspace.ts';

/** A workspace in a container that `boot` boots. It is being started when this returns; its calls wait for that. */
export function openWebContainer(options: Omit<WebContainerOptions, 'helper'>): WebContainerWorkspace {
  return new WebContainerWorkspace({ ...options, helper: helperText });
}

let loading: Promise<string> | undefined;

/** Fetched once; a fetch that failed is tried again. */
export function helperText(): Promise<string> {
  loading ??= (async () => {
    const response = await fetch(helperUrl);
    if (!response.ok) throw new Error(`${helperUrl} answered ${response.status}`);
    return response.text();
  })();
  loading.catch(() => (loading = undefined));
  return loading;
}
