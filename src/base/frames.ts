/** The browser's animation frames, as a port that tests drive by hand. */
export interface Frames {
  request(run: (now: number) => void): number;
  cancel(id: number): void;
}

export const browserFrames: Frames = {
  request: (run) => requestAnimationFrame(run),
  cancel: (id) => cancelAnimationFrame(id),
};
