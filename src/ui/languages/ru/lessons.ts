import type { Check } from '../../../lessons/checks.ts';
import type { LessonTexts } from '../catalogue.ts';
import { counted, files, modeNames } from './shared.ts';

export const lessons = {
  lesson: {
    sentence: sentenceOf,
    title: 'Уроки',
    about:
      'У каждого урока своя рабочая область и свой сеанс. Модель следует сценарию, а инструменты выполняются по-настоящему.',
    unknownMessage:
      'Я модель этого урока и следую сценарию: отвечать я могу только на сообщения самого урока. Нажмите в уроке рядом *Взять это сообщение* и отправьте его как есть или нажмите там *Начать заново*. Чтобы беседовать свободно, откройте новый сеанс со своей моделью.',
    workspace: (title: string) => `Урок: ${title}`,
    loading: 'Загрузка',
    close: 'Закрыть уроки',
    back: 'Все уроки',
    minutes: (n: number) => `${n} мин`,
    steps: (done: number, of: number) => `${done} из ${counted(of, 'шага', 'шагов', 'шагов')}`,
    finished: 'Пройден',
    notBegun: 'Не начат',
    bundled: 'Уроки приложения',
    own: 'Ваши уроки',
    write: 'Написать урок',
    openFile: 'Открыть файл урока',
    lessonFile: 'Файл урока',
    edit: 'Изменить',
    copy: 'Создать копию для правки',
    remove: 'Удалить',
    removed: (title: string) => `Урок «${title}» удалён.`,
    actions: (title: string) => `Действия с уроком «${title}»`,
    tryAgain: 'Повторить',

    stepList: 'Шаги',
    stepOf: (n: number, of: number) => `Шаг ${n} из ${of}`,
    done: 'Готово',
    later: 'Позже',
    message: 'Сообщение для отправки',
    take: 'Взять это сообщение',
    checks: 'Что сделать',
    met: 'готово:',
    open: 'предстоит:',
    hint: 'Показать подсказку',
    nextHint: 'Показать ещё подсказку',
    hints: 'Подсказки',
    answer: 'Ваш ответ',
    check: 'Проверить',
    wrong: 'Не совсем. Посмотрите ещё раз.',
    wrongWithHints: 'Не совсем. Посмотрите ещё раз или возьмите подсказку.',
    goOn: 'Следующий шаг',
    stepDone: (n, of) => `Шаг ${n} из ${of} выполнен.`,
    unfinished: 'В этом шаге выполнено ещё не всё.',
    asks: 'В уроке есть вопрос для вас.',
    toLesson: 'Вернуться к уроку',
    aboutRequest: 'В уроке об этом запросе сказано больше.',
    toChat: 'Перейти в чат',
    pressSend: 'Сообщение из урока уже в поле. Нажмите «Отправить».',
    stalled:
      'Ход завершён, но здесь сделано ещё не всё. Отправьте сообщение ещё раз или нажмите «Начать заново» внизу.',
    ruled:
      'Это разрешило правило, поэтому вас не спросили. Чтобы вас спросили, удалите правило в настройках, в разделе «Разрешения», и нажмите «Начать заново» внизу. Или продолжайте без этого.',
    ruledByMode: (mode) =>
      `Выбран режим «${modeNames[mode]}», поэтому вас не спросили. Чтобы вас спросили, нажмите «Начать заново» внизу: режим вернётся к исходному. Или продолжайте без этого.`,
    restart: 'Начать заново',
    restartHint:
      'Создаёт новые рабочую область и сеанс; старые удаляются, как и то, что вы разрешили везде в этом уроке.',
    toSession: 'Вернуться к сеансу этого урока',
    elsewhere: 'Сейчас открыт другой сеанс.',
    small: {
      looking: 'Поиск небольшой модели в этом браузере…',
      none: 'В этом браузере нет небольшой модели.',
      found: (n: number) =>
        n === 1 ? 'В этом браузере есть небольшая модель.' : `Небольших моделей в этом браузере: ${n}.`,
      ofBrowser: 'Модель этого браузера',
      use: (name: string) => `Пусть отвечает: ${name}`,
      answers: (name: string) => `На ваши сообщения теперь отвечает модель: ${name}`,
      back: 'Вернуться к сценарию',
      watch: 'Посмотреть запись',
      settings: 'Загрузить в настройках',
    },
    complete: 'Урок пройден.',
    next: (title: string) => `Далее: ${title}`,
    allDone: 'Это был последний урок. Теперь поручите что-нибудь агенту с вашей собственной моделью.',
    announce: (n: number, of: number, title: string) => `Шаг ${n - 1} готов. Шаг ${n} из ${of}: ${title}`,
    announceEnd: 'Все шаги пройдены.',

    sharedTitle: 'Урок по ссылке',
    sharedText:
      'Этот урок кто-то создал и прислал вам. Ничего из него не выполняется, пока вы не отправите сообщение. Инструменты всё так же спрашивают у вас разрешение.',
    sharedFiles: files,
    start: 'Начать урок',
    dismiss: 'Нет, спасибо',

    editor: 'Написать урок',
    editorHint: 'Слева напишите урок, справа — сценарий его модели.',
    reference: 'Как писать уроки',
    markdown: 'Урок (Markdown)',
    script: 'Сценарий (JSON)',
    valid: (steps: number) => `Всё верно: ${counted(steps, 'шаг', 'шага', 'шагов')}.`,
    problems: 'Что не так',
    doubts: 'Стоит проверить',
    save: 'Сохранить',
    saved: 'Сохранено.',
    unsaved: 'Не сохранено, но остаётся на этом устройстве.',
    startOver: 'Отменить изменения',
    bringBack: 'Вернуть их',
    inOtherTab: 'Этот урок открыт и в другой вкладке. Остаётся текст, который введён последним.',
    takeOther: 'Взять текст другой вкладки',
    other: 'Теперь здесь текст другой вкладки. Свой можно вернуть.',
    tryIt: 'Сохранить и попробовать',
    copyLink: 'Копировать ссылку',
    linkCopied: 'Ссылка скопирована. Кто её откроет, получит копию урока.',
    tooLongLink: 'Этот урок слишком длинный для ссылки. Скачайте его и отправьте файл.',
    download: 'Скачать',
  },
} satisfies LessonTexts;

const replies: Readonly<Record<string, string>> = {
  once: 'разрешено один раз',
  session: 'разрешено на этот сеанс',
  always: 'разрешено навсегда',
  everywhere: 'разрешено везде',
  reject: 'отклонено',
  feedback: 'отклонено с указанием причины',
};

const ends: Readonly<Record<string, string>> = {
  ok: 'завершился успешно',
  failed: 'завершился ошибкой',
  denied: 'отклонён',
  cancelled: 'отменён',
  interrupted: 'прерван',
  invalid: 'не соответствует схеме',
};

const turns: Readonly<Record<string, string>> = {
  idle: 'Ход завершился',
  error: 'Ход завершился ошибкой',
  aborted: 'Вы остановили ход',
  rejected: 'Ход завершён отказом',
  interrupted: 'Ход прерван',
};

const tasks: Readonly<Record<string, string>> = {
  running: 'выполняется',
  completed: 'готово',
  error: 'ошибка',
  cancelled: 'остановлено',
  interrupted: 'прервано',
};

const restores = {
  undo: 'Вы вернулись к более раннему моменту',
  redo: 'Вы вернули отменённое',
  branch: 'Вы перешли к другой версии разговора',
} as const;

function sentenceOf(check: Check): string {
  switch (check.kind) {
    case 'prompt':
      return check.prompt === '*'
        ? 'Вы отправили сообщение'
        : `Вы отправили сообщение вроде ${quoted(check.prompt)}`;
    case 'call': {
      const given = check.with ? ` с ${quoted(check.with)}` : '';
      const times = check.times ?? 1;
      const often = times > 1 ? ` (${counted(times, 'раз', 'раза', 'раз')})` : '';
      return `Вызов ${check.call}${given} ${check.outcome ? ends[check.outcome] : 'завершился'}${often}`;
    }
    case 'asked':
      return `У вас запрошено разрешение ${check.asked}`;
    case 'permission': {
      const said = [check.reply ?? []].flat().map((reply) => replies[reply]);
      return `Вы ответили на запрос разрешения ${check.permission}${said.length > 0 ? `: ${said.join(' или ')}` : ''}`;
    }
    case 'decided':
      return `Правило ${check.action === 'allow' ? 'разрешило' : 'запретило'} ${check.decided} без вопроса`;
    case 'question':
      return check.question === 'answered' ? 'Вы ответили на вопрос' : 'Вы закрыли вопрос';
    case 'turn':
      return turns[check.turn] ?? '';
    case 'steps':
      return `Модель вызвана ${counted(check.steps, 'раз', 'раза', 'раз')}`;
    case 'says':
      return `Модель сказала ${quoted(check.says)}`;
    case 'mode':
      return `Вы выбрали режим «${modeNames[check.mode]}»`;
    case 'task':
      return `Работа ${check.agent ? `агента ${check.agent}` : 'субагента'} завершена: ${tasks[check.task] ?? check.task}`;
    case 'compacted':
      return 'Составлена сводка разговора';
    case 'restored':
      return restores[check.restored];
    case 'file':
      return check.gone ? `Файла ${check.file} больше нет` : `Файл ${check.file} такой, каким должен быть`;
    case 'ask':
      return check.ask;
  }
}

function quoted(pattern: string): string {
  return `«${pattern.replace(/^\*|\*$/g, '')}»`;
}
