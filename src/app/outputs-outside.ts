import type { SessionState, ToolPart } from '../session/log/state.ts';
import type { BlobStore } from '../session/log/store.ts';
import { ownEntries } from '../tools/own-files.ts';
import { OUTPUT_ROOT, type GeneratedFiles } from '../tools/tool.ts';
import type { OutsideEntry, OutsideFiles } from '../workspace/embedded/outside.ts';

const OUTPUTS = '.opencode/truncate';
const OWN = '.config/opencode';

/**
 * The app's files as a workspace's shell sees them, read-only: the full outputs of its open sessions
 * (`~/.opencode/truncate/<session>/<file>`, from the blobs in the log, and the files beside them that are built when
 * they are read), and the person's own files, both below `~/.config/opencode` and `~/.opencode`.
 */
export function outputsOutside(
  workspaceID: string,
  sessions: () => readonly { readonly state: SessionState }[],
  blobs: BlobStore,
  generatedFiles: (sessionID: string) => GeneratedFiles,
  own: () => Readonly<Record<string, string>>,
): OutsideFiles {
  const states = () => sessions().flatMap(({ state }) => (state.workspaceID === workspaceID ? state : []));

  async function lookAtOutputs(path: string): Promise<OutsideEntry | null> {
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
          ...[...generatedFiles(state.sessionID).keys()].map((generatedName) => file(generatedName, 0)),
        ],
      };
    const make = generatedFiles(state.sessionID).get(name);
    if (make) return { type: 'file', bytes: new TextEncoder().encode(await make()), modified: state.updated };
    const part = kept.find(({ fullOutput }) => fullOutput.path === `${OUTPUT_ROOT}/${sessionID}/${name}`);
    const bytes = part && (await blobs.get(part.fullOutput.blob));
    return bytes ? { type: 'file', bytes, modified: part.ended ?? part.created } : null;
  }

  function lookAtOwn(path: string): OutsideEntry | null {
    const files = own();
    const text = Object.hasOwn(files, path) ? files[path] : undefined;
    if (text !== undefined) return { type: 'file', bytes: new TextEncoder().encode(text), modified: 0 };
    const entries = ownEntries(files, path);
    return entries.length > 0 || path === '' ? { type: 'directory', entries } : null;
  }

  return {
    async look(path) {
      const below = (folder: string) =>
        path === folder ? '' : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
      const [outputs, alias, named] = [below(OUTPUTS), below('.opencode'), below(OWN)];
      if (outputs !== null) return lookAtOutputs(outputs);
      const entry = lookAtOwn(named ?? alias ?? '');
      if (alias !== '' || entry?.type !== 'directory') return entry;
      return { ...entry, entries: [{ name: 'truncate', type: 'directory', size: 0 }, ...entry.entries] };
    },
  };
}

type PartWithOutput = ToolPart & Required<Pick<ToolPart, 'fullOutput'>>;

function keptOutputs(state: SessionState): PartWithOutput[] {
  return [...state.parts.values()].filter(
    (part): part is PartWithOutput =>
      part.type === 'tool' && part.fullOutput !== undefined && !part.fullOutputDropped,
  );
}

function file(name: string, size: number) {
  return { name, type: 'file' as const, size };
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
