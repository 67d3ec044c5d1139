/** The tab of the details that is open; it stays the same when another step or call is chosen. */
export const shownTab = $state<{
  call: 'call' | 'rules' | 'output' | 'stream';
  step: 'request' | 'parts' | 'answer';
}>({ call: 'call', step: 'request' });
