const AGAIN = 'Save it again with Share in Vitrine, and put the new file or link in its place.';
const ADVICE = new Map([
  ['recording-address', 'Put it on a server with https.'],
  ['recording-too-big', 'Save it again with Share in Vitrine, and leave out files and pictures.'],
  ['recording-damaged', AGAIN],
  ['recording-invalid', AGAIN],
  ['recording-version', 'Show it with the version of Vitrine that made it, or record it again.'],
  ['lesson-invalid', 'Copy its link again with Share in Vitrine.'],
]);

/**
 * Says what the author of the page can do about a fault; like the details of a fault, it is in English. Faults that the app has, too, advise
 * somebody who can choose another file.
 */
export function adviceFor(code: string, own?: string): string | undefined {
  return ADVICE.get(code) ?? own;
}
