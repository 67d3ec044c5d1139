/** The release that this runtime reports. Its behaviour is compared with that release. */
export const VERSION = 'v22.23.3';

export const versions = {
  node: '22.23.3',
  acorn: '8.19.0',
  ada: '2.9.2',
  ares: '1.34.8',
  brotli: '1.1.0',
  cjs_module_lexer: '2.2.0',
  llhttp: '9.4.3',
  modules: '127',
  napi: '10',
  openssl: '3.5.8',
  simdjson: '4.5.0',
  unicode: '17.0',
  uv: '1.51.0',
  v8: '12.4.254.21-node.57',
  zlib: '1.3.1',
};

export const EXEC_PATH = '/usr/bin/node';
