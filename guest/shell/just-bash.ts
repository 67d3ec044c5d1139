import type { Command } from 'just-bash/browser';

declare module 'just-bash/browser' {
  /** The bundle's own commands; exported by a patch (build/just-bash-patches.ts). */
  export function bundledCommands(names?: readonly string[]): Command[];
}
