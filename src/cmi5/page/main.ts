import '../../embed/embed.css';
import './cmi5.css';
import { faultOf, type Fault } from '../../base/fault.ts';
import { element } from '../../embed/view/dom.ts';
import { useTag } from '../../embed/words/tag.ts';
import { readLaunch, type Launch } from '../launch.ts';
import { LearningPlatform, type KeptProgress, type LaunchData } from '../platform.ts';
import { ReportingSession } from '../session.ts';
import { reportBar, type Bar } from './bar.ts';
import { LessonFrame, lessonSource } from './lesson-frame.ts';
import { english } from './words/english.ts';
import { LANGUAGES } from './words/languages.ts';

/** Statements that wait are sent again this often, besides at a click and when the network comes back. */
const RETRY_EVERY_MS = 30_000;

const page = new URL(location.href);

/** A launch that the platform has accepted. */
interface Connection {
  readonly host: string;
  readonly data: LaunchData;
  readonly languages: readonly string[];
  readonly before: KeptProgress;
  readonly session: ReportingSession;
}

/** Chooses the language: the link's, else the learner's as the platform knows it, else the browser's. */
function speak(learner: readonly string[]) {
  const asked = page.searchParams.get('lang') ?? '';
  const tag = useTag([asked, ...learner, ...navigator.languages], LANGUAGES);
  return { tag, words: LANGUAGES[tag] ?? english };
}

/** May be tried again with the same `platform`, which keeps its token. */
async function connect(launch: Launch, platform: LearningPlatform): Promise<Connection> {
  await platform.signIn();
  const [data, languages, before] = await Promise.all([
    platform.launchData(),
    platform.languages(),
    platform.keptProgress(),
  ]);
  const session = new ReportingSession({
    launch,
    platform,
    contextTemplate: data.contextTemplate,
    mode: data.mode,
    before,
    now: Date.now,
    newID: () => crypto.randomUUID(),
  });
  return { host: platform.host, data, languages, before, session };
}

/** Shows where the reports stand, and sends them again where they wait. */
function follow(
  { host, data, session }: Connection,
  bar: Bar,
  frame: LessonFrame,
  words: typeof english,
): void {
  const { returnURL } = data;
  /** Whether the learner wanted to leave while reports could not be sent. */
  let hasTried = false;
  const leave = async () => {
    const mayGo = (hasTried && session.fault !== null) || (await session.end());
    if (mayGo && returnURL) return location.assign(returnURL);
    hasTried = true;
    show();
  };
  const show = () => {
    const { fault, ended } = session;
    const canLeave = returnURL !== null || !ended;
    const label = returnURL ? words.backTo(returnURL.host) : words.leave;
    const leaves = canLeave
      ? [{ label: hasTried && fault ? words.leaveAnyway : label, run: () => void leave() }]
      : [];
    bar.show({
      says: saysOf(session, data, host, words),
      note: wantsMore(data) && !session.isRecorded ? words.mustPass : '',
      fault,
      buttons: [
        ...(fault?.retryable === true ? [{ label: words.retry, run: () => void session.retry() }] : []),
        ...(frame.isFinished ? [] : leaves),
      ],
      end: frame.isFinished && canLeave ? { says: returnURL ? '' : words.mayClose, buttons: leaves } : null,
    });
  };
  session.onChange(show);
  frame.onFinish = show;
  show();
  const retry = () => void (session.fault?.retryable === true && session.retry());
  addEventListener('online', retry);
  setInterval(retry, RETRY_EVERY_MS);
  addEventListener('pagehide', () => session.leave());
}

/** Whether the course asks for what a lesson that is only read never reports. */
function wantsMore({ mode, moveOn }: LaunchData): boolean {
  return mode === 'Normal' && (moveOn === 'Passed' || moveOn === 'CompletedAndPassed');
}

function saysOf(
  session: ReportingSession,
  { mode }: LaunchData,
  host: string,
  words: typeof english,
): string {
  if (session.fault) return session.fault.retryable === true ? words.delayed(host) : words.notReported;
  if (session.ended) return words.ended;
  if (mode !== 'Normal') return words.looking(host);
  if (session.isRecorded) return words.completed(host);
  return session.hasBegun ? words.reporting(host) : '';
}

function setTheme(): void {
  const theme = page.searchParams.get('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
}

/** The lesson is there to read, also where nothing can be reported. */
function showLesson(bar: Bar, parameters = '', languages: readonly string[] = [], step = 1): LessonFrame {
  const { tag, words } = speak(languages);
  const source = lessonSource(page, parameters);
  const frame = new LessonFrame(page, { source, title: words.title, lang: tag, step });
  const heading = element('h1', { class: 'hidden' }, words.title);
  document.body.replaceChildren(bar.node, element('main', {}, heading, frame.node), bar.end);
  return frame;
}

function begin(): void {
  const bar = reportBar();
  document.body.replaceChildren(bar.node);
  const { words } = speak([]);
  document.title = words.title;
  let frame: LessonFrame | null = null;

  async function attempt(launch: Launch, platform: LearningPlatform): Promise<void> {
    bar.show({ says: words.connecting(platform.host) });
    try {
      const connection = await connect(launch, platform);
      const { data, languages, before } = connection;
      // Whoever looks at it, or has completed it, begins at the beginning.
      const goesOn = data.mode === 'Normal' && !before.completed;
      frame ??= showLesson(bar, data.parameters, languages, goesOn ? before.step : 1);
      follow(connection, bar, frame, speak(languages).words);
      frame.reportTo(connection.session);
    } catch (error) {
      fail(faultOf(error), () => void attempt(launch, platform));
    }
  }

  function fail(fault: Fault, again?: () => void): void {
    frame ??= showLesson(bar);
    const buttons = again && fault.retryable === true ? [{ label: words.retry, run: again }] : [];
    bar.show({ says: words.notReported, fault, buttons });
  }

  try {
    const launch = readLaunch(page);
    void attempt(launch, new LearningPlatform(launch));
  } catch (error) {
    fail(faultOf(error));
  }
}

setTheme();
begin();
