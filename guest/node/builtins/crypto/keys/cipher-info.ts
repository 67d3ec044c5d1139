import { blockMode, chachaMode, ctrMode, gcmMode, joined, type Mode } from './modes.ts';

export interface CipherInfo {
  readonly mode: string;
  readonly name: string;
  readonly nid: number;
  readonly blockSize?: number;
  readonly ivLength?: number;
  readonly keyLength: number;
}

const NIDS = {
  cbc: [419, 423, 427],
  ctr: [904, 905, 906],
  ecb: [418, 422, 426],
  gcm: [895, 898, 901],
} as const;

const infos = new Map<string, CipherInfo>();
for (const [mode, nids] of Object.entries(NIDS))
  for (const [at, nid] of nids.entries()) {
    const bits = 128 + at * 64;
    const info = {
      mode,
      name: mode === 'gcm' ? `id-aes${bits}-gcm` : `aes-${bits}-${mode}`,
      nid,
      blockSize: mode === 'cbc' || mode === 'ecb' ? 16 : 1,
      ...(mode !== 'ecb' && { ivLength: mode === 'gcm' ? 12 : 16 }),
      keyLength: bits / 8,
    };
    infos.set(`aes-${bits}-${mode}`, info);
    if (mode === 'gcm') infos.set(`id-aes${bits}-GCM`, info);
    if (mode === 'cbc') infos.set(`aes${bits}`, info);
  }
infos.set('chacha20-poly1305', {
  mode: 'stream',
  name: 'chacha20-poly1305',
  nid: 1018,
  ivLength: 12,
  keyLength: 32,
});

const byLowerCase = new Map([...infos].map(([name, info]) => [name.toLowerCase(), info]));

export const cipherNames: readonly string[] = [...infos.keys()].sort();

export function modeOf(
  info: CipherInfo,
  key: Uint8Array,
  iv: Uint8Array | undefined,
  isEncrypting: boolean,
): Mode {
  const start = iv ?? new Uint8Array(0);
  if (info.mode === 'gcm') return gcmMode(key, start, isEncrypting);
  if (info.mode === 'stream') return chachaMode(key, start, isEncrypting);
  return info.mode === 'ctr' ? ctrMode(key, start) : blockMode(key, iv, isEncrypting);
}

/** Encrypts or decrypts bytes that are there all at once. */
export function crypt(
  name: string,
  key: Uint8Array,
  iv: Uint8Array,
  data: Uint8Array,
  isEncrypting: boolean,
): Uint8Array {
  const info = infos.get(name);
  if (!info) throw new Error(`no cipher ${name}`);
  const mode = modeOf(info, key, iv, isEncrypting);
  return joined(mode.update(data), mode.final());
}

/** Returns a cipher by its name in any case, or by its number. */
export function cipherInfo(nameOrNid: string | number): CipherInfo | undefined {
  if (typeof nameOrNid === 'number') return [...infos.values()].find(({ nid }) => nid === nameOrNid);
  return byLowerCase.get(nameOrNid.toLowerCase());
}
