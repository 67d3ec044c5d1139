/** Returns where the package is to be put. Besides it, only what it depends on is there. */
export function prepareProject(folder: string): string;

/** Returns the arguments for `node` that run the project's tests with two workers and print Playwright's JSON report. */
export function testCommand(folder: string, browserArgs?: readonly string[]): string[];
