import { FaultError } from '../base/fault.ts';
import { hashBytes, type Hash } from '../base/hash.ts';
import { ownPath, type OwnFiles } from './own-files.ts';
import { OUTPUT_ROOT, type KeptOutput, type GeneratedFiles, type Outputs } from './tool.ts';

/** The part of the blob store that full outputs need. */
export interface OutputBlobs {
  get(hash: Hash): Promise<Uint8Array | undefined>;
  put(
    owner: string,
    blobs: readonly { readonly hash: Hash; readonly bytes: Uint8Array<ArrayBuffer> }[],
  ): Promise<void>;
}

/**
 * The full outputs of one session, stored as blobs. The outputs that the log knows are passed in; their paths come from
 * `call.ended`, so nothing else has to be stored.
 */
export class SessionOutputs implements Outputs {
  readonly #sessionID: string;
  readonly #blobs: OutputBlobs;
  readonly #known = new Map<string, KeptOutput>();
  readonly #generated: GeneratedFiles;
  readonly #own: () => OwnFiles;
  #count = 0;

  constructor(
    sessionID: string,
    blobs: OutputBlobs,
    known: Iterable<KeptOutput> = [],
    generated: GeneratedFiles = new Map(),
    own: () => OwnFiles = () => ({}),
  ) {
    this.#own = own;
    this.#sessionID = sessionID;
    this.#blobs = blobs;
    this.#generated = new Map(
      [...generated].map(([name, generate]) => [`${OUTPUT_ROOT}/${sessionID}/${name}`, generate]),
    );
    for (const output of known) this.restore(output);
  }

  get generated(): readonly string[] {
    return [...this.#generated.keys()];
  }

  get own(): OwnFiles {
    return this.#own();
  }

  /** Adds an output that the log names; it is `dropped` once it has expired. */
  restore(output: KeptOutput): void {
    this.#known.set(output.path, output);
    const number = /_(\d+)\.txt$/.exec(output.path)?.[1];
    this.#count = Math.max(this.#count, Number(number ?? 0));
  }

  async save(tool: string, text: string): Promise<{ readonly path: string; readonly blob: Hash }> {
    // Counted before anything is awaited, so that calls that end together get different paths.
    const number = String(++this.#count).padStart(3, '0');
    const path = `${OUTPUT_ROOT}/${this.#sessionID}/tool_${tool.replace(/[^\w-]/g, '_')}_${number}.txt`;
    const bytes = new TextEncoder().encode(text);
    const blob = hashBytes(bytes);
    await this.#blobs.put(this.#sessionID, [{ hash: blob, bytes }]);
    this.#known.set(path, { path, blob, bytes: bytes.length, dropped: false });
    return { path, blob };
  }

  async read(path: string): Promise<string | undefined> {
    const generate = this.#generated.get(path);
    if (generate) return generate();
    const own = ownPath(path);
    if (own !== undefined) return Object.hasOwn(this.own, own) ? this.own[own] : undefined;
    const output = this.#known.get(path);
    if (!output) return undefined;
    const bytes = output.dropped ? undefined : await this.#blobs.get(output.blob);
    if (!bytes) {
      throw new FaultError({
        code: 'output-dropped',
        what: `${path} is no longer kept: full outputs are dropped after a week. Run the command again if it is needed.`,
        where: path,
      });
    }
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  }

  list(): readonly KeptOutput[] {
    return [...this.#known.values()];
  }
}
