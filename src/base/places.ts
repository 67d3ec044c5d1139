/** The root of every workspace of every kind. */
export const ROOT = '/home/project';

/** What `~` means: outside the root. */
export const HOME = '/home';
