import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../src/base/json.ts';
import { ACTIVITY, ACTOR, launchAddress, REGISTRATION } from './launch-address.ts';
import { problemOf, verbOf } from './rules.ts';

/** How the platform fails at the next request to a path. */
interface PlatformFault {
  readonly path: 'token' | 'statements' | 'activities/state';
  readonly status: number | 'cut';
  readonly body?: string;
}

export interface LaunchOptions {
  readonly mode?: 'Normal' | 'Browse' | 'Review';
  readonly moveOn?: string;
  readonly languages?: string;
  readonly parameters?: string;
  readonly withReturn?: boolean;
}

interface Session extends Required<LaunchOptions> {
  readonly token: string;
  readonly template: JsonObject;
  readonly accepted: JsonObject[];
  isTaken: boolean;
}

/** Stands in for a learning platform with its record store. It launches lessons and holds what they send to the rules of cmi5. */
export async function fakePlatform() {
  const faults: PlatformFault[] = [];
  const sessions: Session[] = [];
  const refused: string[] = [];
  /** Documents of the State API by their ids. */
  const states = new Map<string, string>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://host');
    const path = url.pathname.replace(/^\/(?:xapi\/)?/, '');
    allow(request, response);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const body = await textOf(request);
    const index = faults.findIndex((fault) => fault.path === path);
    const fault = index < 0 ? undefined : faults.splice(index, 1)[0];
    if (fault?.status === 'cut') return void response.destroy();
    if (fault) return void response.writeHead(fault.status).end(fault.body ?? '');
    if (path === 'course') return page(response, 'The course');
    if (path === 'token') return token(request, url, response);
    const session = sessions.find((each) => request.headers.authorization === `Basic ${each.token}`);
    if (!session?.isTaken) return void response.writeHead(401).end('No such token.');
    if (request.headers['x-experience-api-version'] !== '1.0.3')
      return void response.writeHead(400).end('Version');
    if (path === 'statements') return statements(JSON.parse(body), session, response);
    const agent: unknown = JSON.parse(url.searchParams.get('agent') ?? 'null');
    if (!isDeepStrictEqual(agent, ACTOR)) return void response.writeHead(403).end('Another agent.');
    if (path === 'activities/state') return state(request, url, body, session, response);
    if (path === 'agents/profile' && url.searchParams.get('profileId') === 'cmi5LearnerPreferences')
      return session.languages === ''
        ? void response.writeHead(404).end()
        : json(response, { languagePreference: session.languages, audioPreference: 'on' });
    response.writeHead(404).end();
  }

  function token(request: IncomingMessage, url: URL, response: ServerResponse): void {
    const session = sessions[Number(url.searchParams.get('k'))];
    if (request.method !== 'POST' || !session) return void response.writeHead(400).end();
    if (session.isTaken) return json(response, { 'error-code': '1', 'error-text': 'Already returned.' });
    session.isTaken = true;
    json(response, { 'auth-token': session.token });
  }

  function state(
    request: IncomingMessage,
    { searchParams: asked }: URL,
    body: string,
    session: Session,
    response: ServerResponse,
  ): void {
    if (asked.get('activityId') !== ACTIVITY || asked.get('registration') !== REGISTRATION)
      return void response.writeHead(400).end();
    const id = asked.get('stateId') ?? '';
    if (id === 'LMS.LaunchData') {
      if (request.method !== 'GET') return void response.writeHead(403).end();
      return json(response, {
        contextTemplate: session.template,
        launchMode: session.mode,
        moveOn: session.moveOn,
        ...(session.parameters && { launchParameters: session.parameters }),
        ...(session.withReturn && { returnURL: `${address()}/course` }),
      });
    }
    if (request.method === 'PUT') {
      states.set(id, body);
      return void response.writeHead(204).end();
    }
    const known = states.get(id);
    if (known === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(known);
  }

  /** A request is accepted or refused as a whole. */
  function statements(
    sent: JsonObject | readonly JsonObject[],
    session: Session,
    response: ServerResponse,
  ): void {
    const accepted = [...session.accepted];
    const before = sessions.filter((each) => each !== session).flatMap((each) => each.accepted.map(verbOf));
    for (const statement of Array.isArray(sent) ? sent : [sent]) {
      const known = accepted.find(({ id }) => id === statement.id);
      if (known && isDeepStrictEqual(known, statement)) continue;
      if (known) return void response.writeHead(409).end();
      const problem = problemOf(statement, { ...session, accepted, before });
      if (problem !== null) {
        refused.push(problem);
        return void response.writeHead(403).end(problem);
      }
      accepted.push(statement);
    }
    session.accepted.splice(0, Infinity, ...accepted);
    json(
      response,
      accepted.map(({ id }) => id ?? null),
    );
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url: address(),
    /** The next requests that fail. */
    faults,
    /** The rules that statements broke. */
    refused,
    /** Makes a session, and returns the address by which it is launched. */
    launch(lesson: string, options: LaunchOptions = {}): string {
      const token = Buffer.from(`token-${sessions.length}:x`).toString('base64');
      const template = {
        contextActivities: { grouping: [{ id: 'https://vitrine.example/lessons/1' }] },
        extensions: {
          'https://w3id.org/xapi/cmi5/context/extensions/sessionid': `session-${sessions.length}`,
        },
      };
      const given = {
        mode: 'Normal',
        moveOn: 'Completed',
        languages: '',
        parameters: '',
        withReturn: false,
      } as const;
      sessions.push({ ...given, ...options, token, template, accepted: [], isTaken: false });
      return launchAddress(address(), lesson, { fetch: `${address()}/token?k=${sessions.length - 1}` });
    },
    /** The verbs that the newest session has reported. */
    verbs: () => sessions.at(-1)?.accepted.map(verbOf) ?? [],
    /** All that the newest session has reported. */
    accepted: () => sessions.at(-1)?.accepted ?? [],
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  };
}

/** Another origin may call it, as cmi5 needs. */
function allow({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', headers.origin ?? '*');
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Experience-API-Version');
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT');
  response.setHeader('Vary', 'Origin');
}

function page(response: ServerResponse, title: string): void {
  response.writeHead(200, { 'Content-Type': 'text/html' });
  response.end(`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1></html>`);
}

function json(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
