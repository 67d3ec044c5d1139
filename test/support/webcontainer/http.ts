import { portChannel, type PortAnswer, type PortMessage } from './ports.ts';

type Listener = (request: Request, response: Response) => void;

interface Request {
  readonly method: string;
  readonly url: string;
}

/** As much of Node's `http` as shows something: each request is answered in one piece. */
export function httpOf(process: string, hold: () => () => void) {
  return {
    createServer(listener: Listener = (_, response) => response.end()) {
      const channel = portChannel();
      let close = () => {};
      const server = {
        listen(port: number, ready?: () => void) {
          const release = hold();
          const say = (message: PortMessage) => channel.postMessage(message);
          channel.onmessage = ({ data }: MessageEvent<PortMessage>) => {
            if (data.say !== 'asks' || data.process !== process || data.port !== port) return;
            const { id, method, path } = data;
            const response = new Response((answer) => say({ say: 'answers', id, answer }));
            listener({ method, url: path }, response);
          };
          close = () => {
            say({ say: 'closes', process, port });
            channel.close();
            release();
          };
          say({ say: 'listens', process, port });
          ready?.();
          return server;
        },
        close(done?: () => void) {
          close();
          done?.();
        },
      };
      return server;
    },
  };
}

class Response {
  statusCode = 200;
  readonly #headers: Record<string, string> = {};
  readonly #done: (answer: PortAnswer) => void;
  #body = '';

  constructor(done: (answer: PortAnswer) => void) {
    this.#done = done;
  }

  setHeader(name: string, value: string | number): void {
    this.#headers[name] = String(value);
  }

  writeHead(status: number, headers: Readonly<Record<string, string>> = {}): this {
    this.statusCode = status;
    Object.assign(this.#headers, headers);
    return this;
  }

  write(text: string): void {
    this.#body += text;
  }

  end(text = ''): void {
    this.#done({ status: this.statusCode, headers: this.#headers, body: this.#body + text });
  }
}
