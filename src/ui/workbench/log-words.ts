import { conversationWords } from '../conversation/conversation-words.ts';
import { messages } from '../languages/messages.ts';

/** Texts of the Log tab. */
export const logWords = messages('log', {
  filter: 'Filter the log',
  filterHint: 'Tool, outcome or text',
  exportLog: 'Export as JSON',
  file: 'vitrine-log.json',
  clear: 'Clear',
  metrics: (calls: number | null) => (calls === null ? 'By tool' : `By tool, of the newest ${calls} calls`),
  records: 'Calls',
  columns: {
    tool: 'Tool',
    count: 'Calls',
    average: 'Average',
    p95: 'p95',
    errors: 'Errors',
    timeouts: 'Timeouts',
    denials: 'Denied',
    startup: 'Start',
  },
  startHint: 'Since this page was opened: the first start, including loading; then the latest start',
  noSession: 'Open or start a session to see its calls.',
  empty: 'Nothing has been called in this session yet.',
  cleared: 'Nothing has been called since you cleared the list.',
  none: 'Nothing matches this filter.',
  older: 'Show older calls',
  loading: 'Reading the log',
  failed: (why: string) => `The log could not be read: ${why}`,
  made: 'loaded',
  outcomes: conversationWords.outcomes,
  exit: conversationWords.exit,
  timedOut: 'timed out',
  preview: 'In the preview',
  previewCount: (messages: number, problems: number) => {
    if (messages === 0) return 'In the preview';
    const said = messages === 1 ? '1 message' : `${messages} messages`;
    if (problems === 0) return `In the preview: ${said}`;
    return `In the preview: ${said}, ${problems === 1 ? '1 problem' : `${problems} problems`}`;
  },
  previewPage: (path: string) => `Page: ${path}`,
  previewLeftOut: (messages: number) =>
    messages === 1 ? '1 more was left out of the log.' : `${messages} more were left out of the log.`,
  args: 'Arguments',
  result: 'Result',
});
