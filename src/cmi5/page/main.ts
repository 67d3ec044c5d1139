import '../../embed/embed.css';
import './cmi5.css';
import { faultOf, type Fault } from '../../base/fault.ts';
import { timeoutTimer } from '../../base/timer.ts';
import { element } from '../../embed/view/dom.ts';
import { useTag } from '../../embed/words/tag.ts';
import { readLaunch, type Launch } from '../launch.ts';
import { LearningPlatform, type KeptProgress, type LaunchData } from '../platform.ts';
import { ReportingSession } from '../session.ts';
import { reportBar, type Bar, type BarFault } from './bar.ts';
import { LessonFrame, lessonSource } from './lesson-frame.ts';
import { NextAttempt } from './next-attempt.ts';
import { english, type Words } from './words/english.ts';
import { LANGUAGES } from './words/languages.ts';

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
function speak(learner: readonly string[]): { readonly tag: string; readonly words: Words } {
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
function follow({ host, data, session }: Connection, bar: Bar, frame: LessonFrame, words: Words): void {
  const { returnURL } = data;
  /** Whether the learner wanted to leave while reports could not be sent. */
  let hasTried = false;
  const leave = async () => {
    const mayGo = (hasTried && session.fault !== null) || (await session.end());
    if (mayGo && returnURL) return location.assign(returnURL);
    hasTried = true;
    show();
  };
  const retry = () => void (session.fault?.retryable === true && session.retry());
  const next = new NextAttempt(timeoutTimer, Date.now, retry);
  const show = () => {
    const { fault, ended } = session;
    next.follow(fault);
    const canLeave = returnURL !== null || !ended;
    const label = returnURL ? words.backTo(returnURL.host) : words.leave;
    const leaves = canLeave
      ? [{ label: hasTried && fault ? words.leaveAnyway : label, run: () => void leave() }]
      : [];
    bar.show({
      says: saysOf(session, data, host, words),
      note: [
        wantsMore(data) && !session.isRecorded ? words.mustPass : '',
        next.at === null ? '' : words.nextAttempt(timeOfDay(next.at)),
      ]
        .filter(Boolean)
        .join(' '),
      fault: fault && faultIn(fault, words),
      buttons: [
        ...(fault?.retryable === true ? [{ label: words.retry, run: retry }] : []),
        ...(frame.isFinished ? [] : leaves),
      ],
      end: frame.isFinished && canLeave ? { says: returnURL ? '' : words.mayClose, buttons: leaves } : null,
    });
  };
  session.onChange(show);
  frame.onFinish = show;
  show();
  addEventListener('online', retry);
  addEventListener('pagehide', () => session.leave());
}

function faultIn({ code, what, where, next }: Fault, { faults, details }: Words): BarFault {
  const text = [what, where && `“${where}”.`, next].filter(Boolean).join(' ');
  const says = Object.entries(faults ?? {}).find(([each]) => each === code)?.[1];
  return says === undefined ? { says: text, details: null } : { says, details: { title: details, text } };
}

function timeOfDay(ms: number): string {
  return new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: 'medium' }).format(ms);
}

/** Whether the course asks for what a lesson that is only read never reports. */
function wantsMore({ mode, moveOn }: LaunchData): boolean {
  return mode === 'Normal' && (moveOn === 'Passed' || moveOn === 'CompletedAndPassed');
}

function saysOf(session: ReportingSession, { mode }: LaunchData, host: string, words: Words): string {
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
    bar.show({ says: words.notReported, fault: faultIn(fault, words), buttons });
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
