/** The limit on cores. Programs start a process for each, and all of these share the memory of one page. */
const MOST_CORES = 8;

/** Makes node's `navigator`. `reported`: the number of cores that the browser reports. */
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
