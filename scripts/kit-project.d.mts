/** Returns where the package is to be put. Besides it, only what it depends on is there. */
export function prepareProject(folder: string): string;

/** Gives the project the Playwright of another folder of packages. */
export function usePlaywright(folder: string, packages: string): void;

/** Returns the options for Playwright's `use` that drive the Chromium of this machine. */
export function inChromium(browserArgs?: readonly string[]): Readonly<Record<string, unknown>>;

/** Returns the arguments for `node` that run the project's tests with two workers and print Playwright's JSON report. */
export function testCommand(folder: string, use?: Readonly<Record<string, unknown>>): string[];
