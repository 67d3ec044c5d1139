/** Programs start a process or a thread for each core: here all of them share the memory of one page. */
const MOST_CORES = 8;

/** `navigator` as node has it. `reported`: how many cores the browser tells of. */
export function makeNavigator(reported: number) {
  const cores = Math.min(MOST_CORES, Math.max(1, reported || 1));
  class Navigator {
    get hardwareConcurrency() {
      return cores;
    }
    get language() {
      return 'en-US';
    }
    get languages() {
      return ['en-US'];
    }
    get platform() {
      return 'Linux x86_64';
    }
    get userAgent() {
      return 'Node.js/22';
    }
  }
  return new Navigator();
}
