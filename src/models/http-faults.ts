import type { Fault } from '../base/fault.ts';
import { localServerAt, parseURL } from './addresses.ts';
import { isContextOverflow } from './context-overflow.ts';
import type { ErrorDetails, FaultContext } from './fault-context.ts';
import { FAULT_TEXTS as TEXTS, fill } from '../base/fault-texts.ts';
import { PROVIDERS } from './providers/ids.ts';

const BAD_KEY =
  /api[ _-]?key not valid|invalid[ _-]+(x-)?api[ _-]?key|incorrect api key|api key expired|invalid_api_key/i;
const OUT_OF_MONEY =
  /insufficient_quota|exceeded your current quota|credit balance|insufficient (credits|balance|funds)/i;
/** In the words of OpenAI, OpenRouter, DeepSeek, Ollama, llama.cpp and vLLM. */
const NO_PICTURES =
  /image_url is only supported|support(?:s|ing)? image input|image input is not supported|missing data required for image input|does(?: not|n['’]t) support (?:the )?(?:images?\b(?!\/)|vision|image input|multi-?modal)|images are not supported|unknown variant `image_url`|not a (?:multi-?modal|vision) model|at most 0 image/i;
const NO_SUCH_MODEL = /model/i;

/** Describes a refusal: an HTTP status, or an error in a stream that means the same. `status` is 0 where there is none. */
export function httpFault(error: ErrorDetails & { readonly status: number }, context: FaultContext): Fault {
  const text = `${error.message} ${error.body} ${error.type ?? ''}`;
  const { status } = error;
  const where = address(error.url ?? context.baseURL);
  const base = { where, ...withMessage(error.message) };

  if (/CORS requests are not allowed/i.test(text))
    return {
      ...base,
      code: 'cors-organization',
      next: TEXTS.organization,
      retryable: false,
    };
  if (status === 402 || OUT_OF_MONEY.test(text))
    return {
      ...base,
      code: 'quota',
      next: fill(TEXTS.checkBalance, { provider: providerName(context) }),
      retryable: false,
    };
  if (status === 401 || BAD_KEY.test(text))
    return { ...base, code: 'auth', next: keyAdvice(context), retryable: false };
  if (status === 403)
    return {
      ...base,
      code: 'auth',
      next: fill(TEXTS.forbidden, { key: keyAdvice(context) }),
      retryable: false,
    };
  if (isContextOverflow(status, text))
    return {
      ...base,
      code: 'context-overflow',
      next: TEXTS.tooLong,
      retryable: false,
    };
  if (NO_PICTURES.test(text))
    return {
      ...base,
      code: 'no-pictures',
      next: TEXTS.noPictures,
      retryable: false,
    };
  if (status === 404 || status === 405) return missing(text, base, context);
  if (status === 429)
    return { ...base, code: 'rate-limit', next: TEXTS.wait, retryable: true, ...retryAfter(error.headers) };
  if (status === 529 || status === 503 || /overloaded/i.test(text))
    return { ...base, code: 'overloaded', next: TEXTS.wait, retryable: true, ...retryAfter(error.headers) };
  if (status === 408 || status === 409 || status >= 500)
    return { ...base, code: 'server-error', next: TEXTS.wait, retryable: true, ...retryAfter(error.headers) };
  if (status >= 400) return { ...base, code: 'bad-request', next: requestAdvice(text), retryable: false };
  return {
    ...base,
    code: 'provider-error',
    next: TEXTS.tryAnother,
    retryable: false,
  };
}

function missing(text: string, base: Pick<Fault, 'what' | 'where'>, context: FaultContext): Fault {
  const isDefault =
    context.provider !== 'scripted' && PROVIDERS[context.provider].baseURL === context.baseURL;
  if (!isDefault && !NO_SUCH_MODEL.test(text))
    return {
      ...base,
      code: 'wrong-base-url',
      next: TEXTS.nothingHere,
      retryable: false,
    };
  const ollama = localServerAt(parseURL(context.baseURL) ?? new URL('https://none.invalid')) === 'ollama';
  return {
    ...base,
    code: 'model-not-found',
    next: ollama
      ? fill(TEXTS.pull, { model: context.model })
      : fill(TEXTS.otherModel, { model: context.model }),
    retryable: false,
  };
}

function requestAdvice(text: string): string {
  if (/does not support tools|tool use is not supported|no endpoints found that support tool/i.test(text))
    return TEXTS.noTools;
  return TEXTS.rejected;
}

function keyAdvice(context: FaultContext): string {
  const keysAt = context.provider === 'scripted' ? undefined : PROVIDERS[context.provider].keysAt;
  const provider = providerName(context);
  return keysAt ? fill(TEXTS.checkKeyMadeAt, { provider, url: keysAt }) : fill(TEXTS.checkKey, { provider });
}

export function providerName(context: FaultContext): string {
  return context.provider === 'scripted' ? TEXTS.script : PROVIDERS[context.provider].name;
}

function withMessage(message: string): { what: string } {
  return { what: message || TEXTS.noMessage };
}

/** How long the server asks to wait, in milliseconds. Pages see these headers only if the server exposes them. */
function retryAfter(headers: Readonly<Record<string, string>>): { retryAfterMs?: number } {
  const ms = Number(headers['retry-after-ms'] ?? NaN);
  if (ms >= 0) return { retryAfterMs: ms };
  const text = headers['retry-after']?.trim();
  if (!text) return {};
  const seconds = Number(text);
  const wait = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1000;
  // A time in the past means that a clock is wrong, not that the server is ready.
  return wait >= 0 ? { retryAfterMs: wait } : {};
}

/** The address without its query and credentials. */
export function address(text: string): string {
  const url = parseURL(text);
  return url ? `${url.origin}${url.pathname}` : text;
}
