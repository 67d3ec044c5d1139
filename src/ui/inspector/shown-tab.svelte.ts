/** Which part of the details is looked at: kept while another step or call is chosen. */
export const shownTab = $state<{
  call: 'call' | 'rules' | 'output' | 'stream';
  step: 'request' | 'parts' | 'answer';
}>({ call: 'call', step: 'request' });
