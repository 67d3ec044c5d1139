/** The worker behind `portTimer`: receives `{id, ms}` and posts `id` when the time has passed. */
self.onmessage = ({ data }: MessageEvent<{ id: number; ms: number }>) => {
  setTimeout(() => self.postMessage(data.id), data.ms);
};
