import type { Event, EventOf } from '../../../src/session/log/events.ts';
import type { Script } from '../../../src/models/types.ts';

/** What the person says in this life, which is the `when` of its turn. */
export function promptOf(life: number): string {
  return `Work on part ${life}.`;
}

export const LAST_PROMPT = 'Now finish.';

/** A turn for each life: long enough to be killed in, with every kind of call that writes. One more is short. */
export function scriptOf(lives: number): Script {
  return {
    version: 1,
    title: 'killed',
    chunkDelayMs: 4,
    turns: [
      ...Array.from({ length: lives }, (_, life) => ({
        when: `^Work on part ${life}\\.$`,
        steps: [...Array.from({ length: 8 }, (_, round) => stepsOf(life, round)).flat(), { text: 'Done.' }],
      })),
      {
        when: `^${LAST_PROMPT}$`,
        steps: [
          { tools: [{ tool: 'bash', input: { description: 'List', command: 'ls; echo end > end.txt' } }] },
          { text: 'Finished.' },
        ],
      },
    ],
  };
}

function stepsOf(life: number, round: number): Script['turns'][number]['steps'] {
  const at = `part-${life}/${round}`;
  const before = `first of ${at}\n${'some line\n'.repeat(20)}`;
  return [
    {
      reasoning: 'A thought that is streamed word by word before anything is done. ',
      text: `Round ${round} begins. ${'More is said, a word at a time. '.repeat(4)}`,
      tools: [
        { tool: 'write', input: { filePath: `${at}/written.txt`, content: before } },
        { tool: 'bash', input: { description: 'Count', command: counting(10, `${at}/short`) } },
      ],
    },
    {
      text: 'Now the long one. ',
      tools: [
        {
          tool: 'edit',
          input: { filePath: `${at}/written.txt`, oldString: `first of ${at}`, newString: `edited ${at}` },
        },
        { tool: 'bash', input: { description: 'Count on', command: counting(30, `${at}/long`) } },
        { tool: 'read', input: { filePath: `${at}/written.txt` } },
      ],
    },
  ];
}

function counting(to: number, path: string): string {
  return `mkdir -p ${path}; for i in $(seq 1 ${to}); do echo line $i; sleep 0.02; done; echo ${path} > ${path}/out.txt`;
}

/** By path, what a file may hold by the log; `null`: it may also not be there. */
export type Possible = ReadonlyMap<string, readonly (string | null)[]>;

/** A call that ended `ok` has written what it says; one that ended otherwise has, or has not. */
export function filesByLog(events: readonly Event[]): Possible {
  const files = new Map<string, readonly (string | null)[]>();
  const running = new Map<string, EventOf<'call.running'>>();
  for (const event of events) {
    if (event.type === 'call.running') running.set(event.callID, event);
    if (event.type !== 'call.ended') continue;
    const started = running.get(event.callID);
    if (!started) continue;
    const input = started.input as Record<string, string>;
    const [path, change] = changeOf(started.tool, input);
    if (path === undefined) continue;
    const before = files.get(path) ?? [null];
    const after = before.map(change);
    // A shell makes the file before it writes into it.
    const between = started.tool === 'bash' ? [''] : [];
    files.set(path, event.outcome === 'ok' ? after : [...before, ...between, ...after]);
  }
  return files;
}

type Change = (before: string | null) => string | null;

function changeOf(tool: string, input: Record<string, string>): [path: string | undefined, change: Change] {
  if (tool === 'write') return [input['filePath'], () => input['content'] ?? ''];
  if (tool === 'edit')
    return [
      input['filePath'],
      (before) => before?.replace(input['oldString'] ?? '', input['newString'] ?? '') ?? null,
    ];
  const [, content, path] = /echo (\S+) > (\S+)$/.exec(input['command'] ?? '') ?? [];
  return [path, () => `${content}\n`];
}
