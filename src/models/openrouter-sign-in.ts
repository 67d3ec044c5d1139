import * as z from 'zod/mini';
import { FaultError, type Fault } from '../base/fault.ts';
import { hashText } from '../base/hash.ts';
import { errorIn, parseJson } from './error-bodies.ts';
import { FAULT_TEXTS as TEXTS, fill } from '../base/fault-texts.ts';
import type { Fetch } from './fetch.ts';

/** The addresses stand in the code alone: no setting, link or file can lead a code or a key to another server. */
const SIGN_IN_PAGE = 'https://openrouter.ai/auth';
const KEYS = 'https://openrouter.ai/api/v1/auth/keys';
const STORED = 'vitrine.sign-in.openrouter';
const TIMEOUT_MS = 30_000;

export interface SignInDeps {
  /** The storage of this tab, which no other tab sees. May throw. */
  storage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  random(bytes: number): Uint8Array;
  /** Sends without cookies and without a referrer. */
  readonly fetch: Fetch;
  online(): boolean;
}

/** An answer that came back to the tab that had asked. */
export interface SignInReturn {
  readonly code: string;
  readonly verifier: string;
  /** The parameters and the hash that the page had before. */
  readonly back: string;
}

const begunSchema = z.object({ state: z.string(), verifier: z.string(), back: z.string() });

/** Remembers a new sign-in in this tab, and returns the address at which the person goes on with it. */
export function beginSignIn(page: URL, deps: Pick<SignInDeps, 'storage' | 'random'>): string {
  const verifier = base64url(deps.random(32));
  const state = base64url(deps.random(16));
  try {
    deps.storage().setItem(STORED, JSON.stringify({ state, verifier, back: page.search + page.hash }));
  } catch (error) {
    throw new FaultError(NO_STORAGE, { cause: error });
  }
  const callback = new URL(page.pathname, page.origin);
  callback.searchParams.set('sign-in', state);
  // The page decides about its language before it has its own address back.
  const language = page.searchParams.get('lang');
  if (language !== null) callback.searchParams.set('lang', language);
  const address = new URL(SIGN_IN_PAGE);
  address.searchParams.set('callback_url', callback.href);
  address.searchParams.set('code_challenge', challengeOf(verifier));
  address.searchParams.set('code_challenge_method', 'S256');
  return address.href;
}

/** Reads the parameters of the address that the person came back to. Each sign-in is read once. */
export function takeReturn(search: string, { storage }: Pick<SignInDeps, 'storage'>): SignInReturn {
  const parameters = new URLSearchParams(search);
  const begun = take(storage);
  if (!begun || parameters.get('sign-in') !== begun.state) throw new FaultError(OTHER_TAB);
  const code = parameters.get('code');
  if (!code) throw new FaultError(REFUSED);
  return { code, verifier: begun.verifier, back: begun.back };
}

/** Turns the code into a key. A fault that is `retryable` leaves the code usable. */
export async function exchange({ code, verifier }: SignInReturn, deps: SignInDeps): Promise<string> {
  let response: Response;
  let text: string;
  try {
    response = await deps.fetch(KEYS, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, code_verifier: verifier, code_challenge_method: 'S256' }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    text = await response.text();
  } catch (error) {
    throw new FaultError(deps.online() ? UNREACHABLE : OFFLINE, { cause: error });
  }
  if (!response.ok) throw new FaultError(faultOf(response.status, errorIn(text).message ?? ''));
  const answer = z.object({ key: z.string().check(z.minLength(1)) }).safeParse(parseJson(text));
  if (!answer.success) throw new FaultError(NO_KEY);
  return answer.data.key;
}

function take(storage: SignInDeps['storage']): z.infer<typeof begunSchema> | undefined {
  try {
    const stored = storage().getItem(STORED) ?? '';
    storage().removeItem(STORED);
    return begunSchema.safeParse(parseJson(stored)).data;
  } catch {
    return undefined;
  }
}

function challengeOf(verifier: string): string {
  const hex = hashText(verifier).match(/../g) ?? [];
  return base64url(Uint8Array.from(hex, (byte) => parseInt(byte, 16)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function faultOf(status: number, message: string): Fault {
  if (/verifier|challenge/i.test(message)) return WRONG_PROOF;
  if (status === 409) return USED;
  if (status === 429)
    return {
      code: 'sign-in-busy',
      what: 'OpenRouter takes no more sign-ins for the moment.',
      next: 'Wait a minute, then try again.',
      retryable: true,
    };
  if (status >= 500)
    return {
      code: 'sign-in-failed',
      what: fill(TEXTS.signInFailed, { status }),
      next: 'Try again.',
      retryable: true,
    };
  return EXPIRED;
}

const NO_STORAGE: Fault = {
  code: 'sign-in-storage',
  what: 'This browser does not let the page store anything, so it could not recognize you when you come back.',
  next: 'Make a key at openrouter.ai/settings/keys and paste it.',
};
const OTHER_TAB: Fault = {
  code: 'sign-in-other-tab',
  what: 'This tab did not begin the sign-in at OpenRouter, or has finished it already.',
  next: 'Go on in the tab that began it, or sign in again here.',
};
const REFUSED: Fault = {
  code: 'sign-in-refused',
  what: TEXTS.signInRefused,
  next: TEXTS.signInAllow,
};
const EXPIRED: Fault = {
  code: 'sign-in-expired',
  what: 'OpenRouter does not accept the code of this sign-in: it has expired or was used before.',
  next: 'Sign in again.',
};
const USED: Fault = {
  code: 'sign-in-used',
  what: 'This sign-in at OpenRouter was finished already, perhaps in another tab.',
  next: 'Close the other tab, and sign in again here.',
};
const WRONG_PROOF: Fault = {
  code: 'sign-in-proof',
  what: 'OpenRouter does not accept that this tab began the sign-in (PKCE).',
  next: 'Sign in again. If it repeats, paste a key.',
};
const NO_KEY: Fault = {
  code: 'sign-in-answer',
  what: 'OpenRouter answered without a key.',
  next: 'Make a key at openrouter.ai/settings/keys and paste it.',
};
const OFFLINE: Fault = {
  code: 'offline',
  what: TEXTS.offline,
  next: TEXTS.goOnline,
  retryable: true,
};
const UNREACHABLE: Fault = {
  code: 'unreachable',
  what: TEXTS.signInUnreachable,
  next: TEXTS.signInBlocked,
  retryable: true,
};
