import type { Unlisten } from '../base/listeners.ts';

/** Why this browser or this site keeps nothing for offline use. */
export type WhyNone =
  /** The page was not loaded over https, so there are no service workers. */
  | 'insecure'
  /** The browser has none; Firefox has none in private windows. */
  | 'unsupported'
  /** The owner of the site has switched it off. */
  | 'site'
  /** The person has switched it off. */
  | 'person'
  /** The link asks for none, as those of automation do; or this is the development server. */
  | 'link'
  /** The browser refused the worker. */
  | 'refused';

export interface OfflineState {
  readonly status:
    /** Not known yet: the page has just been opened. */
    | 'starting'
    /** There is no worker. */
    | 'none'
    /** Only what was used is kept, because the browser is told to save data. */
    | 'saving-data'
    | 'downloading'
    | 'complete'
    /** The last download failed. */
    | 'failed';
  readonly whyNone?: WhyNone;
  /** The browser's own words, if the worker was refused or a download failed. */
  readonly problem?: string;
  /** Whether all that the page needs without a network is there. */
  readonly works: boolean;
  /** Bytes of the files that are kept, and of all files. */
  readonly bytes: number;
  readonly ofBytes: number;
  /** Whether the worker has a newer build than this page. */
  readonly isNewer: boolean;
  /** Whether the page would be isolated after a reload, which was not made because it is in use. */
  readonly needsReload: boolean;
  /** Whether the page began with an answer of the worker. */
  readonly isFromWorker: boolean;
}

export const STARTING: OfflineState = {
  status: 'starting',
  works: false,
  bytes: 0,
  ofBytes: 0,
  isNewer: false,
  needsReload: false,
  isFromWorker: false,
};

/** The state of working offline that the page shows, and the actions that it offers. */
export interface AppOffline {
  readonly state: OfflineState;
  /** Downloads what is missing, even if the browser is told to save data. */
  download(): void;
  /** Keeps the app for offline use from now on, or removes what is kept. */
  setAllowed(isAllowed: boolean): Promise<void>;
  onChange(listener: () => void): Unlisten;
}
