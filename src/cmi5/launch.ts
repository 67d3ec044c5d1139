import { FaultError } from '../base/fault.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { isLocalAddress, isSecureAddress } from '../base/web-address.ts';

/** A launch by a learning platform, as its address tells it. */
export interface Launch {
  /** Where statements go; ends with a slash. */
  readonly endpoint: URL;
  /** Gives out the token for the endpoint, once. */
  readonly fetch: URL;
  /** The learner, as the platform names them. */
  readonly actor: JsonObject;
  readonly activityID: string;
  readonly registration: string;
}

const MOST = 4_000;

/** Reads the parameters of a launch. Throws a fault where one is missing or not valid. `page` is the address of the page itself. */
export function readLaunch(page: URL): Launch {
  const asked = page.searchParams;
  const endpoint = addressIn(asked, 'endpoint', page);
  if (!endpoint.pathname.endsWith('/')) endpoint.pathname += '/';
  return {
    endpoint,
    fetch: addressIn(asked, 'fetch', page),
    actor: actorIn(asked),
    activityID: textIn(asked, 'activityId'),
    registration: registrationIn(asked),
  };
}

function textIn(asked: URLSearchParams, name: string): string {
  const text = asked.get(name) ?? '';
  if (text === '') throw wrong(name, 'is missing');
  if (text.length > MOST) throw wrong(name, 'is too long');
  return text;
}

function addressIn(asked: URLSearchParams, name: string, page: URL): URL {
  const text = textIn(asked, name);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (isSecureAddress(url) || isLocalAddress(url, page))) return url;
  throw wrong(name, 'is not an https address', text.slice(0, 200));
}

function actorIn(asked: URLSearchParams): JsonObject {
  const text = textIn(asked, 'actor');
  let actor: unknown;
  try {
    actor = JSON.parse(text);
  } catch {
    throw wrong('actor', 'is not JSON', text.slice(0, 200));
  }
  if (isObject(actor) && isObject(actor['account'])) return actor;
  throw wrong('actor', 'has no account', text.slice(0, 200));
}

function registrationIn(asked: URLSearchParams): string {
  const text = textIn(asked, 'registration');
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return text;
  throw wrong('registration', 'is not a UUID', text.slice(0, 200));
}

function wrong(name: string, how: string, where?: string): FaultError {
  return new FaultError({
    code: 'cmi5-launch',
    what: `This page was not opened as a learning platform opens it: its parameter “${name}” ${how}.`,
    ...(where !== undefined && { where }),
    next:
      where === undefined
        ? 'Open the lesson from your course.'
        : 'Only whoever runs the learning platform can put that right: tell them.',
  });
}
