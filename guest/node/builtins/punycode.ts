import punycode from 'punycode/';
import type { MakeBuiltin } from './builtin.ts';

export const makePunycode: MakeBuiltin = () => ({ ...punycode, version: '2.1.0' });
