import type { LoadBuiltin, MakeBuiltin } from './builtin.ts';
import { unavailable } from './internal/errors.ts';

type Members = Readonly<Record<string, unknown>>;

const part =
  (name: 'http' | 'tls' | 'stream', ...members: readonly string[]): MakeBuiltin =>
  (_host, load) => {
    const whole = (load as (name: string) => Members)(name);
    return Object.fromEntries(members.map((member) => [member, whole[member]]));
  };

const stream =
  (member: string): MakeBuiltin =>
  (_host, load: LoadBuiltin) =>
    Reflect.get(load('stream'), member);

/** Old module names for parts of other modules. */
export const underscored: Readonly<Record<string, MakeBuiltin>> = {
  _http_agent: part('http', 'Agent', 'globalAgent'),
  _http_client: part('http', 'ClientRequest'),
  _http_common: (_host, load) => ({
    _checkInvalidHeaderChar: (text: unknown) => /[^\t\x20-\x7e\x80-\xff]/.test(String(text)),
    _checkIsHttpToken: (text: unknown) => /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/.test(String(text)),
    CRLF: '\r\n',
    methods: [...(load as (name: string) => { METHODS: readonly string[] })('http').METHODS],
  }),
  _http_incoming: part('http', 'IncomingMessage'),
  _http_outgoing: part('http', 'validateHeaderName', 'validateHeaderValue', 'OutgoingMessage'),
  _http_server: part('http', 'STATUS_CODES', 'Server', 'ServerResponse'),
  _stream_duplex: stream('Duplex'),
  _stream_passthrough: stream('PassThrough'),
  _stream_readable: stream('Readable'),
  _stream_transform: stream('Transform'),
  _stream_wrap: () =>
    class JSStreamSocket {
      constructor() {
        throw unavailable('_stream_wrap', 'it has no sockets of its own');
      }
    },
  _stream_writable: stream('Writable'),
  _tls_common: part('tls', 'SecureContext', 'createSecureContext'),
  _tls_wrap: part('tls', 'TLSSocket', 'Server', 'createServer', 'connect'),
};
