export { escape, parse, stringify, unescape } from '../querystring.ts';
