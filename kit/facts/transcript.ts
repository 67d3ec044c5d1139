import type { Entry, Facts } from './events.ts';

/**
 * A session as Markdown without times, ids and sizes, so that two runs that did the same have the same text. Outputs
 * of calls are left out; the workspace's own files tell more reliably what a call did.
 */
export function transcriptOf({ entries }: Facts): string {
  return `${entries.map(written).join('\n\n')}\n`;
}

function written(entry: Entry): string {
  switch (entry.kind) {
    case 'prompt':
      return `## Person\n\n${entry.text.trim()}`;
    case 'test':
      return '## Test';
    case 'text':
      return entry.text.trim();
    case 'call': {
      const { tool, input, outcome } = entry.call;
      return `**${tool}** → ${outcome}\n\n${fenced(JSON.stringify(input, undefined, 2) ?? '')}`;
    }
    case 'end':
      return `_The turn ended: ${entry.status}${entry.fault === undefined ? '' : `, ${entry.fault}`}_`;
  }
}

/** A block of code whose fence is longer than any run of backticks in it. */
function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}json\n${code}\n${fence}`;
}
