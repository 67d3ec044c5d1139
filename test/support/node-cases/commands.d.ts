declare module 'vitest/browser' {
  interface BrowserCommands {
    /** Absolute path of a tar archive of the packages that node is tried with. */
    packNodePackages(): Promise<string>;
  }
}

export {};
