import type { SessionState, ToolPart } from '../session/state.ts';
import type { BlobStore } from '../session/store.ts';
import { OUTPUT_ROOT, type MadeFiles } from '../tools/tool.ts';
import type { OutsideEntry, OutsideFiles } from '../workspace/embedded/outside.ts';

/**
 * The full outputs of a workspace's open sessions as its shell sees them: `~/.opencode/truncate/<session>/<file>`,
 * read-only, from the blobs that the log names, and the files beside them that are made when they are read.
 */
export function outputsOutside(
  workspaceID: string,
  sessions: () => readonly { readonly state: SessionState }[],
  blobs: BlobStore,
  made: (sessionID: string) => MadeFiles,
): OutsideFiles {
  const states = () => sessions().flatMap(({ state }) => (state.workspaceID === workspaceID ? state : []));

  return {
    async look(path): Promise<OutsideEntry | null> {
      if (path === '')
        return {
          type: 'directory',
          entries: states().map(({ sessionID }) => ({ name: sessionID, type: 'directory', size: 0 })),
        };
      const [sessionID, name, ...rest] = path.split('/');
      const state = states().find((known) => known.sessionID === sessionID);
      if (!state || rest.length > 0) return null;
      const kept = keptOutputs(state);
      if (name === undefined)
        return {
          type: 'directory',
          entries: [
            ...kept.map(({ fullOutput: { path, bytes } }) => file(fileName(path), bytes)),
            ...[...made(state.sessionID).keys()].map((madeName) => file(madeName, 0)),
          ],
        };
      const make = made(state.sessionID).get(name);
      if (make)
        return { type: 'file', bytes: new TextEncoder().encode(await make()), modified: state.updated };
      const part = kept.find(({ fullOutput }) => fullOutput.path === `${OUTPUT_ROOT}/${sessionID}/${name}`);
      const bytes = part && (await blobs.get(part.fullOutput.blob));
      return bytes ? { type: 'file', bytes, modified: part.ended ?? part.created } : null;
    },
  };
}

type KeptPart = ToolPart & Required<Pick<ToolPart, 'fullOutput'>>;

function keptOutputs(state: SessionState): KeptPart[] {
  return [...state.parts.values()].filter(
    (part): part is KeptPart =>
      part.type === 'tool' && part.fullOutput !== undefined && !part.fullOutputDropped,
  );
}

function file(name: string, size: number) {
  return { name, type: 'file' as const, size };
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
