import { FaultError, faultOf, type Fault } from './fault.ts';
import { Listeners, type Unlisten } from './listeners.ts';

/*
 * Parts of the app that are fetched when they are first needed: modules (`import()`, through build/lazy-parts.ts), scripts
 * that are handed to the guest, workers. Each is tried again before it counts as lost, and then the page is told why.
 */

/** How long to wait before each further attempt, in milliseconds. */
const AGAIN_MS = [300, 1_500];

const FAULTS = {
  'new-version': {
    code: 'new-version',
    what: 'A new version of Vitrine is available, and this page still runs the old one.',
    next: 'Reload the page. Sessions and drafts are kept.',
  },
  unreachable: {
    code: 'part-unreachable',
    what: 'A part of the page could not be loaded: its server cannot be reached.',
    next: 'Check the network, then try again.',
  },
  missing: {
    code: 'part-missing',
    what: 'A part of the page could not be loaded.',
    next: 'Reload the page. Sessions and drafts are kept.',
  },
} as const satisfies Record<string, Fault>;

/** Why a part could not be loaded. */
export type LostReason = keyof typeof FAULTS;

const changed = new Listeners<void>();
let lost: LostReason | null = null;

/** The newest reason why a part of this page could not be loaded. */
export const lostParts = {
  get reason(): LostReason | null {
    return lost;
  },
  onChange: (listener: () => void): Unlisten => changed.add(listener),
  /** Finds the reason again; it may have changed, for example once the server is back. */
  async check(): Promise<void> {
    setReason(await reasonNow());
  },
};

/** Loads a module through its `import()`. Rejects as `load` does; what the module itself throws is not tried again. */
export async function loadModule<T>(load: () => Promise<T>): Promise<T> {
  return attempts(load, isModuleLost);
}

/** Throws what a caller of `import()` should see: a fault instead of the browser's message about a missing module. */
export async function lostModule(error: unknown): Promise<never> {
  throw isModuleLost(error) ? await lostPart(error) : error;
}

/** Fetches one of our own scripts as a blob that a worker can be started with. */
export function loadScript(url: string): Promise<Blob> {
  return loadFile(url, async (response) => asScript(await response.blob()));
}

/** Joins pieces of a script, in this order, into one. */
export function asScript(...parts: readonly (Blob | string)[]): Blob {
  return new Blob([...parts], { type: 'text/javascript' });
}

/** Fetches the text of one of our own scripts. */
export function loadText(url: string): Promise<string> {
  return loadFile(url, (response) => response.text());
}

/** Fetches the bytes of one of our own files. */
export function loadBytes(url: string): Promise<ArrayBuffer> {
  return loadFile(url, (response) => response.arrayBuffer());
}

async function loadFile<T>(url: string, read: (response: Response) => Promise<T>): Promise<T> {
  try {
    return await attempts(async () => {
      const response = await fetch(url);
      // Some hosts answer with their start page if a file does not exist.
      const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
      if (!response.ok || isPage) throw new Error(`${url} answered ${response.status}`);
      return read(response);
    });
  } catch (error) {
    throw await lostPart(error);
  }
}

/** Reports when this worker's script cannot be loaded. Errors inside the script are not reported. */
export function watchWorker(worker: Worker): void {
  worker.addEventListener('error', (event) => {
    if (!(event instanceof ErrorEvent)) void lostPart(event);
  });
}

async function attempts<T>(load: () => Promise<T>, isWorthwhile: (error: unknown) => boolean = () => true) {
  for (const ms of AGAIN_MS) {
    try {
      return await load();
    } catch (error) {
      if (!isWorthwhile(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, ms));
    }
  }
  return load();
}

/** Matches the messages of Chromium, Firefox and Safari, and that of Vite for a style sheet. */
function isModuleLost(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|Importing a module script failed|Unable to preload CSS/i.test(error.message)
  );
}

async function lostPart(cause: unknown): Promise<FaultError> {
  const reason = await reasonNow();
  setReason(reason);
  return new FaultError({ ...FAULTS[reason], where: faultOf(cause).what }, { cause });
}

/**
 * Why a part is missing right now. If the server's page names other scripts than this page was loaded with, it is a
 * new version.
 */
async function reasonNow(): Promise<LostReason> {
  const ours = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  try {
    const response = await fetch(location.pathname, { cache: 'no-store' });
    if (!response.ok) return 'missing';
    const isOurs = ours === null || ours === undefined || (await response.text()).includes(ours);
    return isOurs ? 'missing' : 'new-version';
  } catch {
    return 'unreachable';
  }
}

function setReason(reason: LostReason): void {
  lost = reason;
  changed.emit();
}
