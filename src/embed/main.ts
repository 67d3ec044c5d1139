import '../base/zod-config.ts';
import './embed.css';
import { faultOf, type Fault } from '../base/fault.ts';
import { fetchRecording } from '../session/recording/fetched.ts';
import { unpackText } from '../session/recording/link.ts';
import { lengthOf } from '../session/recording/length.ts';
import { readRecording } from '../session/recording/read.ts';
import type { Recording } from '../session/recording/recording.ts';
import { adviceFor } from './advice.ts';
import { appAddress, readAddress, watchAddress, type EmbedAddress, type Source } from './address.ts';
import { readLesson } from './lesson.ts';
import { commandIn, MARK, type Command, type Report, type Theme } from './messages.ts';
import { findPiece } from './pieces.ts';
import type { Playback } from './playback.ts';
import { element } from './view/dom.ts';
import { lessonView } from './view/lesson.ts';
import { nameOf, pieceView } from './view/piece.ts';
import { playerView } from './view/player.ts';
import { english, type Words } from './words/english.ts';
import { useLanguage } from './words/languages.ts';

const { location } = window;
const root = document.documentElement;
/** Set once a recording plays. */
let playback: Playback | null = null;

/** The page that embeds is not known, and nothing of this is secret: it has chosen what is shown. */
function tell(report: Report): void {
  if (parent !== window) parent.postMessage({ vitrine: MARK, ...report }, '*');
}

function setTheme(theme: Theme): void {
  if (theme === 'auto') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
}

function follow(command: Command): void {
  if (command.type === 'theme') return setTheme(command.theme);
  if (command.type === 'play') playback?.play();
  else if (command.type === 'pause') playback?.pause();
  else playback?.seek(command.position);
}

addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  const command = source === parent && parent !== window ? commandIn(data) : null;
  if (command) follow(command);
});

async function recordingOf(source: Source & { readonly kind: 'recording' }): Promise<Recording> {
  if ('packed' in source) return readRecording(await unpackText(source.packed));
  return fetchRecording(source.address, location.href);
}

async function show(address: EmbedAddress): Promise<void> {
  const words = useLanguage(address.language);
  const { source, piece } = address;
  if (source.kind === 'lesson') return showLesson(source, address, words);
  const recording = await recordingOf(source);
  const title = recording.title || 'Vitrine';
  if (piece) {
    const found = findPiece(recording, piece);
    fill(`${title}: ${nameOf(found, words)}`, pieceView(found, recording, words), source, address.language);
    return tell({ type: 'ready', kind: piece.kind, title, duration: 0 });
  }
  const view = playerView(recording, lengthOf(recording), words, tell);
  ({ playback } = view);
  fill(title, view.nodes, source, address.language);
  tell({ type: 'ready', kind: 'recording', title, duration: Math.round(playback.duration) });
}

/** A piece of a lesson is where the reader begins. */
async function showLesson(
  source: Source & { readonly kind: 'lesson' },
  { piece, language }: EmbedAddress,
  words: Words,
): Promise<void> {
  const lesson = await readLesson(source, location.href, root.lang);
  const { title } = lesson.card;
  const watch = (recording: string) => watchAddress(location.href, recording, language);
  const begins = piece?.kind === 'step' ? piece.number : 1;
  const view = lessonView(lesson, words, { tell, watch, begins });
  fill(title, view.nodes, source, language);
  tell({ type: 'ready', kind: 'lesson', title, duration: 0 });
  view.begin();
}

function fill(title: string, nodes: readonly Node[], source: Source | null, language = ''): void {
  const words = useLanguage();
  document.title = title;
  const link =
    source &&
    element(
      'a',
      { href: appAddress(location.href, source, language), target: '_blank', rel: 'noopener' },
      words.openIn,
      element('span', { class: 'hidden' }, ` ${words.opensTab}`),
    );
  const head = element('header', {}, element('h1', { dir: 'auto' }, title), link);
  document.body.replaceChildren(head, element('main', {}, ...nodes));
}

/** The reader can mend nothing in somebody else's page, so what its author can do stands apart. */
function fail({ code, what, where, next }: Fault, source: Source | null): void {
  const words = useLanguage();
  const advice = adviceFor(code, next);
  const notice = element(
    'div',
    { role: 'alert', class: 'fault' },
    isWorded(code) && element('p', {}, words.faults[code]),
    element('p', {}, code.endsWith('-unreachable') ? words.reload : words.tell),
    element(
      'details',
      {},
      element('summary', {}, words.forAuthor),
      element(
        'div',
        { lang: 'en', dir: 'ltr' },
        element('p', {}, what),
        where !== undefined && element('p', {}, element('code', {}, where)),
        advice !== undefined && element('p', {}, advice),
      ),
    ),
  );
  fill(words.cannotShow, [notice], mayHelp(code) ? source : null);
  tell({
    type: 'error',
    code,
    what,
    ...(where !== undefined && { where }),
    ...(advice !== undefined && { next: advice }),
  });
}

/** Whether the app may show what this player cannot: it has another origin, which a server may let in, and shows all of a recording. */
function mayHelp(code: string): boolean {
  return code.startsWith('embed-') || code.endsWith('-unreachable');
}

function isWorded(code: string): code is keyof Words['faults'] {
  return Object.hasOwn(english.faults, code);
}

/** In any origin but an opaque one the frame would have the app's storage: it refuses before anything else. */
async function begin(): Promise<void> {
  useLanguage(new URLSearchParams(location.search).get('lang') ?? '');
  if (self.origin !== 'null')
    return fail(
      {
        code: 'embed-sandbox',
        what: 'This frame must have no origin of its own.',
        next: 'Give it sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox", or use the element vitrine-player.',
      },
      null,
    );
  let source: Source | null = null;
  try {
    const address = readAddress(location);
    ({ source } = address);
    setTheme(address.theme);
    fill(useLanguage().loading, [], source);
    await show(address);
  } catch (error) {
    fail(faultOf(error), source);
  }
}

void begin();
