/** Entry of the worker behind `portTimer`: takes `{id, ms}`, answers `id` when the time has passed. */
self.onmessage = ({ data }: MessageEvent<{ id: number; ms: number }>) => {
  setTimeout(() => self.postMessage(data.id), data.ms);
};
