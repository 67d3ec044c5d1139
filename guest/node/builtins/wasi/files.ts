import type * as FileSystem from 'node:fs';
import { plainError } from '../internal/errors.ts';

type Fs = typeof FileSystem;

/** The file system as the library sees it. */
export interface WasiFiles {
  readonly fs: Fs;
  /** Runs a call that reads where a symlink leads. */
  readonly readingLink: Around;
  /** Runs a call that lists a folder. */
  readonly listing: Around;
}

export type Around = <Result>(call: () => Result) => Result;

/**
 * Before the library opens a path, it reads the symlink there, if there is one, and takes its text for the path to open: wrong
 * for a relative one. Opening follows symlinks by itself, so it is told that there is none. To list a folder, it asks for the
 * status of what each symlink leads to, which may be nothing, and uses only the number of its inode.
 */
export function wasiFiles(fs: Fs): WasiFiles {
  let readsLink = false;
  let lists = false;
  const during =
    (set: (isOn: boolean) => void): Around =>
    (call) => {
      set(true);
      try {
        return call();
      } finally {
        set(false);
      }
    };
  const readlinkSync = (...args: Parameters<Fs['readlinkSync']>) => {
    if (!readsLink) throw plainError('EINVAL', 'no symlink');
    return fs.readlinkSync(...args);
  };
  const statSync = (...args: Parameters<Fs['statSync']>) =>
    lists ? fs.lstatSync(...args) : fs.statSync(...args);
  return {
    fs: { ...fs, readlinkSync, statSync } as Fs,
    readingLink: during((isOn) => (readsLink = isOn)),
    listing: during((isOn) => (lists = isOn)),
  };
}
