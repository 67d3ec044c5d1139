import { folderOf, type LoaderFiles } from './files.ts';
import type { Resolver } from './resolve.ts';

/** Modules that need to track each `await`. `node:test` does, because what a test starts belongs to it. */
const HOOKS = /\basync_hooks\b|\bnode:test\b/;
const REQUIRED = /\brequire\(\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g;
const EXTENSIONS = ['.js', '.cjs', '.ts', '.cts'];
/** How many files of a program are searched at most. */
const MAX_FILES = 40;

/**
 * Whether a script uses node:async_hooks, itself or in one of the program's files that it requires. This has to be known
 * before any of them runs.
 */
export function usesHooks(text: string, path: string, files: LoaderFiles, resolver: Resolver): boolean {
  const seen = new Set([path]);
  const waiting = [{ text, path }];
  for (let at = waiting.shift(); at; at = waiting.shift()) {
    if (HOOKS.test(at.text)) return true;
    if (at.path.includes('/node_modules/')) continue;
    for (const [, , request = ''] of at.text.matchAll(REQUIRED)) {
      const found = fileOf(request, at.path, resolver);
      if (found === undefined || seen.has(found) || seen.size >= MAX_FILES) continue;
      seen.add(found);
      if (EXTENSIONS.some((each) => found.endsWith(each)))
        waiting.push({ text: files.readText(found), path: found });
    }
  }
  return false;
}

function fileOf(request: string, from: string, resolver: Resolver): string | undefined {
  try {
    return resolver.require(request, folderOf(from), [], EXTENSIONS, from);
  } catch {
    // The `require` itself will report the error.
    return undefined;
  }
}
