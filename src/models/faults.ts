import { FaultError, type Fault } from '../base/fault.ts';
import type { ErrorDetails, FaultContext } from './fault-context.ts';
import { FAULT_TEXTS as TEXTS, fill } from '../base/fault-texts.ts';
import { httpFault } from './http-faults.ts';
import { STREAM_CUT } from './mapper.ts';
import { networkFault } from './network-faults.ts';

/** How many characters of a server's message are shown. */
const MAX_MESSAGE_LENGTH = 600;

/**
 * Describes why a model call failed, as precisely as a browser can, and what to do next. `error` is whatever was
 * thrown or streamed. Never rejects. After a failure to connect it may send one more request to find the cause.
 */
export async function modelFault(error: unknown, context: FaultContext, signal: AbortSignal): Promise<Fault> {
  const fault = await classify(error, context, signal);
  const what = context.redact(fault.what);
  return {
    ...fault,
    what: what.length > MAX_MESSAGE_LENGTH ? `${what.slice(0, MAX_MESSAGE_LENGTH)}…` : what,
    ...(fault.where !== undefined && { where: context.redact(fault.where) }),
  };
}

async function classify(error: unknown, context: FaultContext, signal: AbortSignal): Promise<Fault> {
  const details = detailsOf(error);
  if (details.fault) return details.fault;
  if (signal.aborted && isTimeout(signal.reason))
    return { code: 'timeout', what: TEXTS.timedOut, next: TEXTS.checkRuns, retryable: true };
  if (signal.aborted || details.names.has('AbortError')) return { code: 'aborted', what: TEXTS.stopped };
  if (details.status !== undefined && details.status >= 400)
    return httpFault({ ...details, status: details.status }, context);
  if (details.names.has('NotAStream')) return { ...malformed(details.message, context), retryable: false };
  if (details.status !== undefined || /ended without a finish reason/i.test(details.message))
    return STREAM_CUT;
  if (MALFORMED.some((name) => details.names.has(name))) return malformed(details.message, context);
  if (details.names.has('FetchFailed'))
    return networkFault(details.networkCode, details.message, context, signal);
  if (UNSENDABLE.some((name) => details.names.has(name)))
    return {
      code: 'bad-request',
      what: fill(TEXTS.unsendable, { message: details.message }),
      next: TEXTS.otherOrNew,
      retryable: false,
    };
  if (details.type !== undefined || details.streamed)
    return httpFault({ ...details, status: STREAMED_TYPES[details.type ?? ''] ?? 0 }, context);
  return {
    code: 'unexpected',
    what: details.message || TEXTS.failed,
    next: TEXTS.tryAnother,
    retryable: false,
  };
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

const MALFORMED = [
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
];
const UNSENDABLE = [
  'AI_InvalidPromptError',
  'AI_MissingToolResultsError',
  'AI_UnsupportedFunctionalityError',
  'AI_InvalidArgumentError',
  'AI_InvalidMessageRoleError',
  'ZodError',
];

/** Errors inside a stream have a type instead of a status. */
const STREAMED_TYPES: Record<string, number> = {
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 402,
  invalid_request_error: 400,
  api_error: 500,
  server_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

function malformed(message: string, context: FaultContext): Fault {
  return {
    code: 'malformed-stream',
    what: fill(TEXTS.malformed, { message }),
    where: context.baseURL,
    next: TEXTS.checkCompatible,
    retryable: true,
  };
}

function detailsOf(error: unknown): ErrorDetails {
  const names = new Set<string>();
  const found: { -readonly [K in keyof ErrorDetails]?: ErrorDetails[K] } = {};
  let current: unknown = error;
  for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth++) {
    if (current instanceof FaultError) found.fault ??= current.fault;
    const fields: Readonly<Record<string, unknown>> = { ...current };
    if (current instanceof Error) {
      names.add(current.name);
      found.message ??= current.message;
    } else if (typeof fields.message === 'string') {
      found.message ??= fields.message;
      found.streamed = true;
    }
    if (typeof fields.statusCode === 'number') found.status ??= fields.statusCode;
    if (typeof fields.responseBody === 'string') found.body ??= fields.responseBody;
    if (typeof fields.type === 'string') found.type ??= fields.type;
    if (typeof fields.url === 'string') found.url ??= fields.url;
    if (isStrings(fields.responseHeaders)) found.headers ??= fields.responseHeaders;
    if (typeof fields.code === 'string' && /^(E[A-Z]+|UND_ERR_\w+|CERT_\w+)$/.test(fields.code))
      found.networkCode ??= fields.code;
    current = 'cause' in current ? current.cause : undefined;
  }
  const message = found.message ?? (typeof error === 'string' ? error : shortJson(error));
  if (names.has('AI_StreamProviderError')) found.streamed = true;
  return {
    ...found,
    names,
    message,
    headers: found.headers ?? {},
    body: found.body ?? '',
    streamed: found.streamed ?? false,
  };
}

function isStrings(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((item) => typeof item === 'string')
  );
}

function shortJson(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, MAX_MESSAGE_LENGTH);
  } catch {
    return String(value);
  }
}
