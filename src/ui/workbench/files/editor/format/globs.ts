import picomatch from 'picomatch';

/** Whether one of the patterns fits a path that is relative to their folder. Without a slash they fit at any depth. */
export function fits(patterns: readonly string[], relative: string): boolean {
  return patterns.some((pattern) => {
    const whole = pattern.includes('/') ? pattern.replace(/^(?:\.?\/)/, '') : `**/${pattern}`;
    return picomatch(whole, { dot: true })(relative);
  });
}
