// What a test evaluates in a page of its own.
export { faultOf } from '../../../src/base/fault.ts';
export { openStorage } from '../../../src/storage/open.ts';
export { TestLog } from './test-log.ts';
export { Database } from '../../../src/storage/database.ts';
