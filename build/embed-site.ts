import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { translate } from '../src/lessons/translate.ts';
import { oneScript, scriptAndStyles } from './one-script.ts';

const SOURCES = 'src/embed';
const LESSONS = 'src/lessons';
const PAGE = 'embed.html';
const LAUNCHED = 'src/cmi5/page';
/** The page that learning platforms launch. It holds a frame of the other one. */
const LAUNCHED_PAGE = 'cmi5.html';
/** The script that other sites load into their own pages. Its address must stay, so its name has no hash. */
const ELEMENT = 'player.js';

/** The files by their paths in the build. */
type Files = Readonly<Record<string, string>>;

/**
 * Writes what other sites embed or launch: `embed.html` and `cmi5.html`, each with one script and one style sheet, and `player.js`.
 * They are classic scripts, because a frame without an origin and other sites would need CORS for modules. Beside them
 * lie the texts of the lessons, also as they are translated. Every package in them is in the app too, so its licence is named there.
 */
export function embedSite(): Plugin {
  let root = '';
  let outDir = '';
  let isBuild = false;
  return {
    name: 'vitrine:embed-site',
    configResolved: (config) => {
      ({ root } = config);
      isBuild = config.command === 'build';
      outDir = path.resolve(root, config.build.outDir);
    },
    closeBundle: {
      order: 'pre',
      sequential: true,
      async handler() {
        if (!isBuild) return;
        for (const [name, text] of Object.entries(await embedFiles(root))) {
          mkdirSync(path.dirname(path.join(outDir, name)), { recursive: true });
          writeFileSync(path.join(outDir, name), text);
        }
      },
    },
    configureServer(server) {
      let files: Promise<Files> | undefined;
      server.watcher.on('change', () => void (files = undefined));
      server.middlewares.use((request, response, next) => {
        const name = request.url?.split('?')[0]?.slice(server.config.base.length) ?? '';
        if (
          !/^(?:embed\.html|cmi5\.html|player\.js)$|^(?:assets\/(?:embed|cmi5)-|embedded-lessons\/)/.test(
            name,
          )
        )
          return next();
        files ??= embedFiles(root);
        files.then((made) => {
          const text = made[name];
          if (text === undefined) return next();
          response.setHeader('Content-Type', TYPES[path.extname(name)] ?? 'text/plain');
          response.end(text);
        }, next);
      });
    },
  };
}

const TYPES: Readonly<Record<string, string>> = {
  '.md': 'text/plain; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** Builds all of it. */
export async function embedFiles(root: string): Promise<Files> {
  const element = await oneScript(root, `${SOURCES}/element/main.ts`);
  const lessons = lessonsIn(path.join(root, LESSONS));
  const languages = Object.fromEntries(
    lessons.map(({ id, translations }) => [id, Object.keys(translations)]),
  );
  return {
    ...lessonFiles(lessons),
    ...(await pageFiles(root, SOURCES, PAGE, { __VITRINE_LESSON_LANGUAGES__: JSON.stringify(languages) })),
    ...(await pageFiles(root, LAUNCHED, LAUNCHED_PAGE)),
    [ELEMENT]: element.code,
  };
}

/** A page of one script and one style sheet, which it names as `./NAME.js` and `./NAME.css`. */
async function pageFiles(
  root: string,
  folder: string,
  page: string,
  define: Readonly<Record<string, string>> = {},
): Promise<Files> {
  const { script, styles } = await scriptAndStyles(root, `${folder}/main.ts`, {
    define: { ...define },
    // Otherwise the script would hold the styles, which the policy of the page forbids.
    build: { cssCodeSplit: false },
  });
  const name = path.basename(page, '.html');
  const scriptName = named(name, script.code, 'js');
  const stylesName = named(name, styles, 'css');
  const text = replaced(
    readFileSync(path.join(root, folder, page), 'utf8'),
    `./${name}.js`,
    `./${scriptName}`,
  );
  return {
    [page]: replaced(text, `./${name}.css`, `./${stylesName}`),
    [scriptName]: script.code,
    [stylesName]: styles,
  };
}

interface LessonTexts {
  readonly id: string;
  readonly english: string;
  /** Whole texts by their language: what is not translated stands there in English. */
  readonly translations: Files;
}

/** The texts of the app's lessons. The app has them in its own scripts. */
function lessonsIn(folder: string): readonly LessonTexts[] {
  const isLesson = (name: string) => existsSync(path.join(folder, name, 'lesson.md'));
  const textOf = (name: string) => readFileSync(path.join(folder, name, 'lesson.md'), 'utf8');
  return readdirSync(folder)
    .filter(isLesson)
    .map((name) => {
      const english = textOf(name);
      const translated = readdirSync(path.join(folder, name))
        .filter((tag) => tag !== 'files' && isLesson(path.join(name, tag)))
        .map((tag) => {
          const source = { markdown: english, script: '{}' };
          return [tag, translate(source, { markdown: textOf(path.join(name, tag)) }).markdown];
        });
      return { id: name.replace(/^\d+-/, ''), english, translations: Object.fromEntries(translated) };
    });
}

function lessonFiles(lessons: readonly LessonTexts[]): Files {
  return Object.fromEntries(
    lessons.flatMap(({ id, english, translations }) => [
      [`embedded-lessons/${id}.md`, english],
      ...Object.entries(translations).map(([tag, text]) => [`embedded-lessons/${id}.${tag}.md`, text]),
    ]),
  );
}

function named(name: string, text: string, extension: string): string {
  return `assets/${name}-${createHash('sha256').update(text).digest('base64url').slice(0, 8)}.${extension}`;
}

function replaced(page: string, from: string, to: string): string {
  if (page.split(from).length !== 2) throw new Error(`The page does not name ${from} once`);
  return page.replace(from, to);
}
