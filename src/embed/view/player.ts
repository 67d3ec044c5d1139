import { SHARED_PARTS, type Recording } from '../../session/recording/recording.ts';
import type { Report } from '../messages.ts';
import { Playback } from '../playback.ts';
import type { Words } from '../words/english.ts';
import { numberIn } from '../words/number.ts';
import { ConversationView } from './conversation.ts';
import { element } from './dom.ts';

const SPEEDS = [0.5, 1, 2, 4, 8] as const;
/** A page hears of the position this often, in milliseconds, and at once of a jump. */
const TELL_EVERY_MS = 250;
const KEY_MOVES_MS = 1_000;

export interface PlayerView {
  readonly nodes: readonly Node[];
  readonly playback: Playback;
}

/** A recording with its bar: a button, a slider for the moment, and the speed. */
export function playerView(
  recording: Recording,
  facts: { readonly steps: number; readonly calls: number },
  words: Words,
  tell: (report: Report) => void,
): PlayerView {
  const playback = new Playback(recording.sessions[0]);
  const { duration } = playback;
  const whole = clockOf(duration);
  const leftOut = leftOutOf(recording, words);
  const conversation = new ConversationView(recording.contents, words);
  const start = element(
    'button',
    { class: 'primary', type: 'button', click: () => playback.play() },
    words.play,
  );
  const cover = element(
    'div',
    { class: 'cover' },
    element('p', {}, words.facts(facts.steps, facts.calls, whole)),
    element('p', { class: 'note' }, words.recorded),
    leftOut.length > 0 && element('p', { class: 'note' }, words.leftOut(leftOut.join(', '))),
    start,
  );
  const button = element('button', { type: 'button', click: () => playback.toggle() }, words.play);
  const slider = element('input', {
    type: 'range',
    'aria-label': words.position,
    min: 0,
    max: duration,
    step: 1,
    value: 0,
    input: () => playback.seek(slider.valueAsNumber),
    keydown: (event) => moveByKey(event, playback),
  });
  const time = element('span', { class: 'clock', 'aria-hidden': 'true' });
  const bar = element(
    'div',
    { class: 'bar', role: 'group', 'aria-label': words.bar },
    button,
    slider,
    time,
    speedField(playback, words),
  );
  const reporter = reporterOf(playback, tell);
  playback.onChange = () => {
    const { moment, playing } = playback;
    const now = clockOf(moment);
    conversation.show(playback.state());
    button.textContent = playing ? words.pause : words.play;
    slider.value = String(moment);
    slider.setAttribute('aria-valuetext', words.clock(now, whole));
    time.textContent = `${now} / ${whole}`;
    const begins = moment === 0 && !playing;
    // At the beginning the cover has the button, later the bar: one goes, the other comes, and the focus must not be lost.
    const [gone, here] = begins ? [button, start] : [start, button];
    const hadFocus = document.activeElement === gone;
    cover.hidden = !begins;
    button.hidden = begins;
    if (hadFocus) here.focus();
    reporter();
  };
  playback.onChange();
  return { nodes: [cover, conversation.node, bar], playback };
}

/** The parts that the person left out when sharing, by their names. */
function leftOutOf({ withheld = {}, files }: Recording, { parts }: Words): readonly string[] {
  return SHARED_PARTS.flatMap((part) =>
    withheld[part] || (part === 'files' && files === null) ? parts[part] : [],
  );
}

function speedField(playback: Playback, words: Words): Node {
  const field = element(
    'select',
    {
      'aria-label': words.speed,
      change: () => void (playback.speed = SPEEDS[field.selectedIndex] ?? 1),
    },
    ...SPEEDS.map((speed) =>
      element('option', { selected: speed === 1 }, `${numberIn(document.documentElement.lang, speed)}×`),
    ),
  );
  return field;
}

function moveByKey(event: Event, playback: Playback): void {
  if (!(event instanceof KeyboardEvent)) return;
  if (event.key === ' ') {
    event.preventDefault();
    return playback.toggle();
  }
  const rightToLeft = document.documentElement.dir === 'rtl' ? -1 : 1;
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: -rightToLeft,
    ArrowRight: rightToLeft,
    ArrowDown: -1,
    ArrowUp: 1,
  };
  const move = moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  playback.seek(playback.moment + move * KEY_MOVES_MS);
}

/** Tells the page what has changed since the last time. */
function reporterOf(playback: Playback, tell: (report: Report) => void): () => void {
  let told = { playing: false, moment: 0, at: 0 };
  return () => {
    const { playing, moment, duration, atEnd } = playback;
    const now = performance.now();
    const jumped = Math.abs(moment - told.moment) > TELL_EVERY_MS * playback.speed;
    if (playing && !told.playing) tell({ type: 'playing' });
    if (moment !== told.moment && (jumped || !playing || now - told.at >= TELL_EVERY_MS)) {
      tell({ type: 'position', position: Math.round(moment), duration: Math.round(duration) });
      told = { ...told, moment, at: now };
    }
    if (!playing && told.playing) tell({ type: atEnd ? 'ended' : 'paused' });
    told = { ...told, playing };
  };
}

/** The time as `0:07`. */
function clockOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
