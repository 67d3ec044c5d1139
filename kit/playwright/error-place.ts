/** Returns the frames of a stack that are in code of the person who tests, neither of a package nor of Node itself. */
const ownFrames = (stack = ''): string[] =>
  stack.split('\n').filter((line) => /^\s+at /.test(line) && !/node_modules|node:|<anonymous>/.test(line));

/**
 * Lets an error name the place in the test's code that `place` was made in, since what fails later, when the page answers, has
 * only frames of packages. Playwright shows the first frame of a test's code. An error that has one, such as that of a handler
 * of the test, stays as it is.
 */
export function withPlace(error: unknown, place: Error): unknown {
  if (!(error instanceof Error) || error.stack === undefined) return error;
  if (ownFrames(error.stack).length > 0) return error;
  const own = ownFrames(place.stack);
  if (own.length > 0) error.stack = [`${error.name}: ${error.message}`, ...own].join('\n');
  return error;
}
