import { ratioOf } from './support.mjs';

const page = (title, more) => `<!doctype html><title>${title}</title><h1>${title}</h1>${more}`;
/** Two hundred things that turn, and a picture that is drawn anew in each frame. */
const ANIMATION = `<style>@keyframes turn { to { transform: rotate(1turn) } }
  i { display: inline-block; width: 20px; height: 20px; background: teal; animation: turn 1s linear infinite }</style>
  <canvas width="400" height="200"></canvas>
  <script>
    for (let n = 0; n < 200; n++) document.body.append(document.createElement('i'));
    const context = document.querySelector('canvas').getContext('2d');
    requestAnimationFrame(function draw(time) {
      for (let n = 0; n < 200; n++) {
        context.fillStyle = 'hsl(' + ((n + time / 10) % 360) + ' 80% 50%)';
        context.fillRect((n * 37 + time / 5) % 400, (n * 53) % 200, 30, 30);
      }
      requestAnimationFrame(draw);
    });
  </script>`;

export const MOVING = {
  'still/index.html': page('Still', ''),
  'moving/index.html': page('Moving', ANIMATION),
};

const FRAMES = 180;

/** How long the frames of the app take while the page in the preview moves, against a page that does not. */
export async function frameRatio(app, panel, shown) {
  const framesWith = (folder, title) => async () => {
    await panel.getByRole('combobox', { name: 'What to show' }).selectOption(folder);
    await shown.getByRole('heading', { name: title }).waitFor();
    return app.evaluate(frameTime, FRAMES);
  };
  const { ratio, of, than } = await ratioOf({
    of: framesWith('moving', 'Moving'),
    than: framesWith('still', 'Still'),
  });
  const note = `${of.toFixed(1)} ms with an animation, ${than.toFixed(1)} ms without, 95 of 100 frames`;
  return { name: 'Frames of the app beside an animation', value: ratio, unit: '× still', limit: 1.1, note };
}

/** The time between two frames that 95 of 100 do not exceed, in milliseconds. */
async function frameTime(frames) {
  const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const times = [];
  let before = await next();
  while (times.length < frames) {
    const now = await next();
    times.push(now - before);
    before = now;
  }
  return times.sort((a, b) => a - b)[Math.floor(0.95 * frames)];
}
