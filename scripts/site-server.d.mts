export interface SiteOptions {
  /** The folder of the built app. */
  readonly folder: string;
  /** Returns the headers for the path of a request. */
  readonly headersFor: (path: string) => Readonly<Record<string, string>>;
  /** 0 takes a free one. */
  readonly port: number;
  /** The port of the site that shows previews; 0 takes a free one. */
  readonly previewPort: number;
  /** JSON files outside of the folder, keyed by the path under which they are served. */
  readonly files?: Readonly<Record<string, string>>;
  /** The folder has `.gz` files without the files that they were made of. */
  readonly onlyCompressed?: boolean;
}

export interface Site {
  readonly url: string;
  close(): void;
}

export function startSite(options: SiteOptions): Promise<Site>;
