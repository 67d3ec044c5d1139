export { StringDecoder } from '../string_decoder.ts';
