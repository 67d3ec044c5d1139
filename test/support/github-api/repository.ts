import { execFileSync } from 'node:child_process';

/** A request that is answered with a failure. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const ENV = { PATH: process.env.PATH ?? '/usr/bin', HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };

/** A bare repository on the disk, read by native git and described in the words of GitHub's API. */
export class Repository {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  bytesOf(
    args: readonly string[],
    input?: string | Uint8Array,
    env: Readonly<Record<string, string>> = {},
  ): Buffer {
    return execFileSync('git', ['--git-dir', this.folder, ...args], {
      input: input ?? '',
      env: { ...ENV, ...env },
      maxBuffer: 2 ** 28,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  }

  git(args: readonly string[], input?: string | Uint8Array, env?: Readonly<Record<string, string>>): string {
    return this.bytesOf(args, input, env).toString().trimEnd();
  }

  /** The id that a name stands for; undefined where there is none. */
  find(name: string): string | undefined {
    try {
      return this.git(['rev-parse', '--verify', '-q', name]);
    } catch {
      return undefined;
    }
  }

  get defaultBranch(): string {
    return this.git(['symbolic-ref', '--short', 'HEAD']);
  }

  get isEmpty(): boolean {
    return this.git(['for-each-ref', '--count=1']) === '';
  }

  bytes(name: string): Buffer {
    if (this.find(name) === undefined) throw new Refused(404, 'Not Found');
    return this.bytesOf(['cat-file', 'blob', name]);
  }

  refs(start: string): object[] {
    const lines = this.git(['for-each-ref', '--format=%(refname) %(objectname) %(objecttype)']).split('\n');
    return lines.flatMap((line) => {
      const [ref = '', sha, type] = line.split(' ');
      return ref.startsWith(start) ? [{ ref, object: { sha, type } }] : [];
    });
  }

  ref(name: string): object {
    const sha = this.find(name);
    if (sha === undefined) throw new Refused(404, 'Not Found');
    return { ref: name, object: { sha, type: this.git(['cat-file', '-t', sha]) } };
  }

  commits(from: string, count: number): object[] {
    return this.git(['rev-list', `-n${count}`, from])
      .split('\n')
      .filter(Boolean)
      .map((oid) => {
        const { sha, parents, ...commit } = this.commit(oid);
        return { sha, parents, commit };
      });
  }

  commit(oid: string) {
    const { headers, message, text } = this.#read('commit', oid);
    const one = (name: string) => headers.find(([key]) => key === name)?.[1] ?? '';
    const signature = headers.find(([key]) => key === 'gpgsig')?.[1];
    const payload = text.replace(/^gpgsig .*\n(?: .*\n)*/m, '');
    return {
      sha: oid,
      tree: { sha: one('tree') },
      parents: headers.filter(([key]) => key === 'parent').map(([, sha]) => ({ sha })),
      author: personOf(one('author')),
      committer: personOf(one('committer')),
      message: message.replace(/\n+$/, ''),
      verification:
        signature === undefined
          ? { verified: false, reason: 'unsigned', signature: null, payload: null }
          : { verified: true, reason: 'valid', signature, payload },
    };
  }

  tag(oid: string) {
    const { headers, message } = this.#read('tag', oid);
    const one = (name: string) => headers.find(([key]) => key === name)?.[1] ?? '';
    return {
      sha: oid,
      tag: one('tag'),
      message: message.replace(/\n+$/, ''),
      object: { sha: one('object'), type: one('type') },
      tagger: personOf(one('tagger')),
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null },
    };
  }

  blob(oid: string): object {
    return {
      sha: oid,
      encoding: 'base64',
      content: this.bytes(oid).toString('base64').replace(/.{60}/g, '$&\n'),
    };
  }

  tree(oid: string, isRecursive: boolean, truncates: boolean): object {
    if (this.find(oid) === undefined) throw new Refused(404, 'Not Found');
    const cuts = isRecursive && truncates;
    const args = ['ls-tree', '-z', '-l', ...(isRecursive && !cuts ? ['-r', '-t'] : []), oid];
    const all = this.git(args).split('\0').filter(Boolean);
    // A list that was cut off says nothing of the rest.
    const lines = cuts ? all.slice(0, 1) : all;
    const tree = lines.map((line) => {
      const [head = '', path] = line.split('\t');
      const [mode, type, sha, size] = head.split(/ +/);
      return { path, mode, type, sha, ...(type === 'blob' && { size: Number(size) }) };
    });
    return { sha: oid, tree, truncated: cuts };
  }

  #read(type: string, oid: string) {
    if (this.find(`${oid}^{${type}}`) !== oid) throw new Refused(404, 'Not Found');
    const text = this.bytesOf(['cat-file', type, oid]).toString();
    const end = text.indexOf('\n\n');
    const lines = text.slice(0, end).replace(/\n /g, '\0').split('\n');
    const headers = lines.map((line) => {
      const at = line.indexOf(' ');
      return [line.slice(0, at), line.slice(at + 1).replaceAll('\0', '\n')] as const;
    });
    return { headers, message: text.slice(end + 2), text };
  }
}

/** GitHub tells times in UTC. */
function personOf(text: string) {
  const [, name, email, time] = /^(.*) <(.*)> (\d+) [-+]\d{4}$/.exec(text) ?? [];
  return { name, email, date: new Date(Number(time) * 1000).toISOString().replace('.000', '') };
}
