import { errorText } from './error-text.ts';
import { NotReached, type Heard } from './question.ts';

const WAIT_MS = 30_000;
const MOST_TEXT = 5_000_000;

/** Node’s own `fetch`, with the header by which servers tell pages apart. */
export function fetchAs(origin: string, request: typeof fetch = fetch) {
  return async (url: string, init: RequestInit = {}): Promise<Heard> => {
    const headers = new Headers(init.headers);
    headers.set('Origin', origin);
    let response: Response;
    let text: string;
    try {
      response = await request(url, { ...init, headers, signal: AbortSignal.timeout(WAIT_MS) });
      text = init.method === 'HEAD' ? '' : (await response.text()).slice(0, MOST_TEXT);
    } catch (error) {
      throw new NotReached(`${new URL(url).host} cannot be reached: ${errorText(error)}`, { cause: error });
    }
    const allowed = response.headers.get('access-control-allow-origin');
    return {
      status: response.status,
      headers: response.headers,
      text,
      readable: allowed === '*' || allowed === origin,
    };
  };
}
