import { bytes, count } from '../../format.ts';
import { messages } from '../../languages/messages.ts';

const of = (n: number, one: string, many: string) => `${count(n)} ${n === 1 ? one : many}`;

/** Texts of the dialog "Share", loaded with it. */
export const shareWords = messages('share', {
  title: 'Share',
  about: 'Whoever has the link or the file sees what is listed here, with nothing to install and no key.',
  aboutLesson: 'Whoever has the link can take this lesson, with nothing to install and no key.',
  preparing: 'Preparing',
  stages: {
    reading: 'Reading the session…',
    writing: 'Writing the file…',
    linking: 'Making the link…',
  },
  goesAlong: 'What goes along',
  always: (messages: number, calls: number) =>
    `${of(messages, 'message', 'messages')} and ${of(calls, 'tool call', 'tool calls')} with arguments and results`,
  parts: {
    files: (n: number) => `Files: ${count(n)}, as they were at the beginning and after each call`,
    outputs: (n: number) => `Full text of long outputs: ${count(n)}`,
    pictures: (n: number) => `Pictures and attachments: ${count(n)}`,
    requests: (n: number) => `What was sent to the model: ${of(n, 'request', 'requests')}`,
    preview: (n: number) => `What the preview reported: ${of(n, 'line', 'lines')}`,
  },
  filesStay: 'What the agent read or wrote still stands in its calls.',
  secrets: (n: number) =>
    n === 0
      ? 'No keys or tokens were recognized.'
      : `Keys and tokens were taken out: “[secret]” stands ${n === 1 ? 'once' : `${count(n)} times`} in their place.`,
  notRecognized: 'Names, addresses and passwords in files are not recognized.',
  look: 'Preview what others will see',
  link: 'A link',
  linkHint: 'All of it is in the link itself. Nothing is uploaded.',
  linkNames: 'The link names the lesson, which comes with Vitrine.',
  copyLink: 'Copy link', // contract
  copyEmbed: 'Copy embed code', // contract
  copiedEmbed: 'The code was copied. It shows this in another page.',
  send: 'Send link',
  copied: 'The link was copied.',
  length(n: number): string {
    const characters = `${count(n)} characters`;
    if (n <= 2_000) return `${characters}: short enough for common messengers.`;
    return `${characters}: too long for common messengers, which take 2,000 to 4,000 in a message. Share the file there.`;
  },
  leftOut: {
    between: 'To fit, it leaves out the files between calls.',
    later: 'To fit, it leaves out how the files changed after the beginning.',
    edits: 'To fit, it leaves out how the files changed after the beginning, and requests that were edited.',
    prompts:
      'To fit, it leaves out how the files changed after the beginning, and what was sent to the model.',
  },
  fileLacks: (files: string) => `There is no room in the file for ${files}.`,
  linkLacks: (files: string) => `There is no room in the link for ${files}.`,
  largest: (files: string) => `What needs the most room: ${files}.`,
  tooLong: 'Too long for a link. Leave out more above, or share the file.',
  file: 'A file',
  save: (size: number) => `Save the file (${bytes(size)})`,
  fileHint: (open: string, menu: string, beside: string) =>
    `It opens with “${open}” in the menu “${menu}”, beside “${beside}”, or where it is dropped on the page.`,
  address: 'An address',
  addressHint: 'Put the file on a server that other sites may read (CORS), and share this link to it.',
  copyAddress: 'Copy link to this address',
  copyEmbedAddress: 'Copy embed code for this address',
  addressField: 'Address of the file',
  platform: 'A learning platform (cmi5)',
  platformHint:
    'Whoever runs the platform imports this file as a course. Learners read the lesson there, and it reports to the platform how far they are.',
  platformReach: {
    computer: (host: string) =>
      `The file leads to ${host}, which is this computer: learners elsewhere will not reach the lesson. Save it from a Vitrine on the web.`,
    network: (host: string) =>
      `The file leads to ${host}: only learners in the same network will reach the lesson. For everybody, save it from a Vitrine on the web.`,
  },
  saveCourse: 'Save cmi5.xml',
  notAnAddress: 'Write the whole address, beginning with https://.',
  reach: {
    computer: (host: string) =>
      `Links lead to ${host}, which is this computer: nobody else can open them. Links that others can open come from a Vitrine on the web.`,
    network: (host: string) =>
      `Links lead to ${host}: only devices in the same network can open them. Links for everybody come from a Vitrine on the web.`,
  },
  fileInstead: 'The file opens in every Vitrine.',
  tooBig:
    'All of it is over 20 MB, more than a recording may have. Leave out more above: files and pictures need the most room.',
  tooBigEven: (save: string) =>
    `It is over 20 MB, more than a recording may have. “${save}” in the menu of the session saves the conversation as a text.`,
});
