import { FaultError } from '../base/fault.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { collect } from '../base/packed.ts';
import type { Launch } from './launch.ts';
import type { Statement } from './statements.ts';

/** The platform's own document about a launch, LMS.LaunchData. */
export interface LaunchData {
  readonly contextTemplate: JsonObject;
  /** In the other modes the learner looks around, and nothing may be reported as done. */
  readonly mode: 'Normal' | 'Browse' | 'Review';
  /** The condition of the course under which the learner may go on. */
  readonly moveOn: string;
  /** Where the learner goes at the end. */
  readonly returnURL: URL | null;
  /** The text that whoever made the course gave to the lesson. */
  readonly parameters: string;
}

/** How far earlier launches of a registration came. */
export interface KeptProgress {
  /** Whether `completed` was reported, of which there may be one. */
  readonly completed: boolean;
  /** The number of the step at which the learner was last, from 1. */
  readonly step: number;
  /** The percentage that was reported last. */
  readonly percent: number;
}

const MODES = ['Normal', 'Browse', 'Review'] as const;
const MOST_BYTES = 1_000_000;
const WAIT_MS = 20_000;
/** The document in which it stands how far a registration is. */
const OWN_STATE = 'vitrine.progress';

/** Talks with the learning platform that launched the page, by xAPI. Every failure is a fault that names the host. */
export class LearningPlatform {
  readonly #launch: Launch;
  readonly #request: typeof fetch;
  #token = '';

  constructor(launch: Launch, request: typeof fetch = (...given) => fetch(...given)) {
    this.#launch = launch;
    this.#request = request;
  }

  get host(): string {
    return this.#launch.endpoint.host;
  }

  /** Gets the token, which the platform gives out once. */
  async signIn(): Promise<void> {
    if (this.#token !== '') return;
    const { host } = this.#launch.fetch;
    const response = await this.#ask(this.#launch.fetch, { method: 'POST' });
    if (!response.ok) throw refusedLaunch(`${host} answered the launch with status ${response.status}.`);
    const answer = await jsonIn(response);
    const token = isObject(answer) ? answer['auth-token'] : undefined;
    if (typeof token === 'string' && /^[!-~]{1,8000}$/.test(token)) {
      this.#token = token;
      return;
    }
    const [code, text] = isObject(answer) ? [answer['error-code'], answer['error-text']] : [];
    if (String(code) === '1')
      throw refusedLaunch(`${host} says that this launch was used before or has expired.`);
    throw refusedLaunch(
      typeof text === 'string'
        ? `${host} refused the launch: ${text.slice(0, 300)}`
        : `${host} answered the launch with something that is not a token.`,
    );
  }

  async launchData(): Promise<LaunchData> {
    const data = await this.#document(this.#state('LMS.LaunchData'));
    const mode = MODES.find((each) => each === data?.['launchMode']);
    const template = data?.['contextTemplate'];
    if (!data || !mode || !isObject(template))
      throw refusedLaunch(`${this.host} has no launch data for this lesson, or data that cannot be read.`);
    const { moveOn, returnURL, launchParameters } = data;
    return {
      contextTemplate: template,
      mode,
      moveOn: typeof moveOn === 'string' ? moveOn : 'NotApplicable',
      returnURL: typeof returnURL === 'string' ? webPage(returnURL) : null,
      parameters: typeof launchParameters === 'string' ? launchParameters : '',
    };
  }

  /** The learner's languages, the preferred one first. A platform need not know any. */
  async languages(): Promise<readonly string[]> {
    const url = this.#url('agents/profile', {
      agent: JSON.stringify(this.#launch.actor),
      profileId: 'cmi5LearnerPreferences',
    });
    // cmi5 wants it to be read; a platform that refuses leaves the browser's languages.
    const preferences = await this.#document(url).catch(() => null);
    const list = preferences?.['languagePreference'];
    return typeof list === 'string' ? list.split(',').map((tag) => tag.trim()) : [];
  }

  /** With a platform that keeps no such document, a lesson begins anew. */
  async keptProgress(): Promise<KeptProgress> {
    const kept = await this.#document(this.#state(OWN_STATE)).catch(() => null);
    return {
      completed: kept?.['completed'] === true,
      step: countIn(kept?.['step'], 1),
      percent: countIn(kept?.['percent'], 0),
    };
  }

  /** Has the platform keep how far the learner is. `leaving` is as in {@link send}. */
  async keepProgress(progress: KeptProgress, leaving = false): Promise<void> {
    await this.#ask(this.#state(OWN_STATE), {
      method: 'PUT',
      headers: this.#headers(),
      body: JSON.stringify(progress),
      keepalive: leaving,
    });
  }

  /** Reports. `leaving`: the request goes on while the page is being closed. */
  async send(statements: readonly Statement[], leaving = false): Promise<void> {
    const response = await this.#ask(this.#url('statements', {}), {
      method: 'POST',
      headers: this.#headers(),
      body: JSON.stringify(statements),
      keepalive: leaving,
    });
    if (response.ok) return;
    if (response.status !== 409) throw await this.#refused(response);
    // The ids are random: a statement that is there already was sent from here, and only the answer was lost. Others in the same
    // request were refused with it.
    if (statements.length > 1) for (const statement of statements) await this.send([statement], leaving);
  }

  /** Reads a JSON object; `null` where there is no such document. */
  async #document(url: URL): Promise<JsonObject | null> {
    const response = await this.#ask(url, { headers: this.#headers() });
    if (response.status === 404 || response.status === 204) return null;
    if (!response.ok) throw await this.#refused(response);
    const data = await jsonIn(response);
    return isObject(data) ? data : null;
  }

  #state(stateId: string): URL {
    const { activityID, actor, registration } = this.#launch;
    return this.#url('activities/state', {
      activityId: activityID,
      agent: JSON.stringify(actor),
      registration,
      stateId,
    });
  }

  #url(path: string, parameters: Readonly<Record<string, string>>): URL {
    const url = new URL(path, this.#launch.endpoint);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url;
  }

  #headers(): Record<string, string> {
    return {
      Authorization: `Basic ${this.#token}`,
      'Content-Type': 'application/json',
      'X-Experience-API-Version': '1.0.3',
    };
  }

  async #ask(url: URL, init: RequestInit): Promise<Response> {
    try {
      return await this.#request(url, {
        ...init,
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        // A redirect would take the token, or what is reported, to a host that nobody has named.
        redirect: 'error',
        ...(!init.keepalive && { signal: AbortSignal.timeout(WAIT_MS) }),
      });
    } catch (error) {
      const isLate = error instanceof DOMException && error.name === 'TimeoutError';
      throw new FaultError({
        code: 'cmi5-unreachable',
        what: isLate ? `${url.host} did not answer in time.` : `${url.host} could not be reached.`,
        next: `Check your network. If it works, ${url.host} may not let other sites report to it (CORS): tell whoever runs it.`,
        retryable: true,
      });
    }
  }

  async #refused(response: Response): Promise<FaultError> {
    const { status } = response;
    if (status === 401 || status === 403)
      return new FaultError({
        code: 'cmi5-closed',
        what: `${this.host} no longer accepts reports of this launch (status ${status}).`,
        next: 'Perhaps the lesson was opened a second time, or was open for too long. Open it again from your course.',
      });
    if (status === 429 || status === 408 || status >= 500)
      return new FaultError({
        code: 'cmi5-busy',
        what: `${this.host} answered with status ${status}.`,
        next: 'This may pass.',
        retryable: true,
      });
    const text = (await textIn(response)).trim().slice(0, 300);
    return new FaultError({
      code: 'cmi5-refused',
      what: `${this.host} refused a report (status ${status}${text && `: ${text}`}).`,
      next: `Tell whoever runs ${this.host}.`,
    });
  }
}

function refusedLaunch(what: string): FaultError {
  return new FaultError({
    code: 'cmi5-sign-in',
    what,
    next: 'Go back to your course and open the lesson again.',
  });
}

/** A whole number up to 100, so a percentage or the number of a step; otherwise the least. */
function countIn(value: Json | undefined, least: number): number {
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= 100;
  return isCount ? value : least;
}

/** Only a page can be gone to: other addresses could run something. */
function webPage(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) ? url : null;
}

async function textIn({ body }: Response): Promise<string> {
  try {
    if (!body) return '';
    return new TextDecoder().decode(await collect(body, MOST_BYTES, () => undefined));
  } catch {
    return '';
  }
}

async function jsonIn(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await textIn(response));
  } catch {
    return undefined;
  }
}
