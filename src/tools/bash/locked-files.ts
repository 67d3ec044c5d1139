import { deniedText } from '../../permissions/refusal-texts.ts';
import { decide } from '../../permissions/rules.ts';
import type { RuleSource } from '../../permissions/types.ts';
import { locksOf } from '../../permissions/visibility.ts';
import type { Exit, Locks } from '../../workspace/workspace.ts';
import { relativeToRoot } from '../paths.ts';
import type { ToolContext } from '../tool.ts';

const OF_AGENTS: readonly RuleSource[] = ['agent', 'parent'];

/**
 * What the `edit` rules keep the call's commands from changing. Where a workspace cannot hold locks, a lock keeps all
 * commands from starting. An agent that edits nothing could then look at nothing, so its own denies make no locks there.
 */
export function locksFor(context: ToolContext): Locks {
  const { configured } = context.rules('edit');
  if (!context.workspace.exposed) return locksOf({ configured });
  return locksOf({ configured: configured.filter(({ source }) => !OF_AGENTS.includes(source)) });
}

/** Says which rules kept the command from changing which files; '' if none did. */
export function lockedNote(context: ToolContext, { refusedWrites = [], exitCode }: Exit): string {
  // `git status` and others refresh the index where they can, and succeed where they cannot.
  const isMissed = (path: string) => exitCode !== 0 || path !== '.git/index';
  const patterns = refusedWrites.map(relativeToRoot).filter(isMissed);
  if (patterns.length === 0) return '';
  return deniedText('edit', decide(context.rules('edit'), { permission: 'edit', patterns }));
}
