/**
 * Whether a file belongs to a tree that an install writes: thousands of files that are rarely read, and equal in many
 * workspaces. Their contents are stored once, by hash, and are in memory only while they are used.
 */
export function isInLargeTree(path: string): boolean {
  return path.includes('/node_modules/') || path.startsWith('node_modules/');
}
