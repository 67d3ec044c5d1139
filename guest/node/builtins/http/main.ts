import { makeFetch } from '../fetch.ts';
import { makeHttp, makeHttps } from '../http.ts';
import { makeNet, makeTls } from '../net.ts';

/** `http`, `https`, `net`, `tls` and `fetch`: a part of node that is fetched with its first use. */
const http = { makeFetch, makeHttp, makeHttps, makeNet, makeTls };

export type Http = typeof http;

// The code that runs this script takes it from there.
Reflect.set(globalThis, '__vtr_part', http);
