import type { TaskReportState } from '../../../tools/task/tasks.ts';
import type { ConversationTexts } from '../catalogue.ts';
import { conversationPage } from './conversation-page.ts';
import { counted, files, form } from './shared.ts';
import { verbs } from './calls.ts';
import { fault } from './faults.ts';

const messages = (count: number) => counted(count, 'сообщение', 'сообщения', 'сообщений');

const taskStates: Readonly<Record<TaskReportState, string>> = {
  running: 'выполняется в фоне',
  completed: 'готово',
  error: 'ошибка',
  cancelled: 'остановлено',
  interrupted: 'прервано',
};

export const conversation = {
  verbs,
  conversation: conversationPage,

  codeBlock: {
    save: 'Сохранить как файл',
    path: 'Путь к файлу',
    write: 'Сохранить',
    exists: (path: string) => `${path} уже существует. Заменить?`,
    replace: 'Заменить',
    isFolder: (path: string) => `${path} — это папка. Выберите другой путь.`,
    badPath: 'Этот путь использовать нельзя. Укажите путь внутри рабочей области.',
    saved: (path: string) => `Сохранено как ${path}.`,

    run: 'Выполнить в терминале',
    ask: 'Выполнить это в вашем терминале?',
    command: 'Команда для выполнения',
    start: 'Выполнить',
    busy: 'В вашем терминале ещё что-то выполняется. Остановите это там или дождитесь завершения.',

    cancel: 'Отмена',
  },

  attach: {
    attach: 'Прикрепить',
    choose: 'Выбрать файлы…',
    paste: 'Вставить из буфера обмена',
    open: (name: string) => `Показать ${name} крупно`,
    unknownPictures: (model: string) => `Vitrine не знает, видит ли ${model} изображения.`,
    held: 'Ещё не отправлено. Выберите, как отправить.',
    needsWords: 'Без изображений сообщение пусто. Напишите что-нибудь, и его можно будет отправить без них.',
    otherModel: 'Выбрать другую модель',
    sendAnyway: 'Всё равно отправить',
    sendWithoutPictures: 'Отправить без изображений',
    sent: 'Файлы этого сообщения',
    clipboardEmpty: 'В буфере обмена нет изображения.',
    clipboardRefused:
      'Браузер не разрешает этой странице читать буфер обмена. Нажмите Ctrl+V в поле сообщения.',
    list: 'Прикреплённые файлы',
    remove: (name: string) => `Убрать ${name} из сообщения`,
    removed: (name: string) => `${name} больше не прикреплён.`,
    stays: 'Файл остаётся в рабочей области и передаётся вместе с сеансом, если им поделиться.',
    deleteFile: 'Удалить файл',
    noPictures: (model: string) =>
      `${model} не видит изображений и получит вместо них пометку. Выберите другую модель или опишите, что на них.`,
    noPDFs: (model: string) =>
      `${model} не принимает PDF и получит вместо них пометку. Выберите другую модель или прикрепите текст.`,
  },
  history: {
    recalled: (text: string) => `Более раннее сообщение: ${text}`,
    empty: 'Поле сообщения снова пусто.',
  },

  modelMenu: {
    models: 'Модели',
    ofSettings: 'Выбрано в настройках',
    noKey: ': нет ключа в настройках',
  },

  mention: {
    files: 'Файлы для прикрепления',
    found: (count: number) =>
      count === 0
        ? 'Такого файла нет'
        : `${files(count)}: стрелки вверх и вниз — выбрать, Enter — прикрепить, Escape — закрыть`,
  },

  queue: {
    list: 'Сообщения в очереди',
    hint: (n: number) => `${messages(n)} ${form(n, 'уйдёт', 'уйдут', 'уйдут')} после этого шага`,
    waits: (n: number) =>
      `${messages(n)} ${form(n, 'ждёт, пока вы его отправите', 'ждут, пока вы их отправите', 'ждут, пока вы их отправите')}`,
    sendNow: 'Отправить сейчас',
    sendNowHint: 'Остановить то, что выполняется, и сразу отправить это сообщение',
    edit: 'Изменить',
    editing: 'Изменить сообщение в очереди',
    keep: 'Сохранить',
    cancel: 'Отмена',
    up: 'Переместить вверх',
    down: 'Переместить вниз',
    remove: 'Убрать',
  },

  restore: {
    actions: 'Действия с этим сообщением',
    copy: 'Копировать сообщение',
    edit: 'Изменить',
    delete: 'Удалить',
    deleteHint: 'Удалить это сообщение и ответ на него из разговора. Файлы останутся как есть.',
    deleted: 'Сообщение и ответ на него удалены из разговора. Файлы остались как есть.',
    answerActions: 'Действия с этим ответом',
    retry: 'Повторить',
    retryHint:
      'Отправить ваше сообщение ещё раз. Этот ответ останется как другая версия вместе со своими файлами.',
    restore: 'Вернуться сюда',
    editing: 'Изменить ваше сообщение',
    resend: 'Отправить',
    cancel: 'Отмена',
    resendHint: 'Разговор начиная с этого места останется как другая версия вместе со своими файлами.',
    versions: 'Версии этого сообщения',
    version: (n: number, of: number) => `${n} из ${of}`,
    versionSpoken: (n: number, of: number) => `Версия ${n} из ${of}`,
    previous: 'Предыдущая версия',
    next: 'Следующая версия',
    readOnly: 'Этот сеанс нельзя изменить здесь.',

    title: 'Вернуться к этому моменту',
    about: 'Возвращает к моменту прямо перед отправкой этого сообщения.',
    titleMove: 'Мешают некоторые ваши изменения',
    aboutMove: 'Переход изменил бы файлы, которые последним изменял не этот разговор.',
    what: 'Что восстановить',
    both: 'Разговор и файлы',
    conversation: 'Только разговор',
    files: 'Только файлы',
    filesUnknown: 'Файлы останутся как есть: снимок того момента не сохранён.',
    leave: (n: number) =>
      n === 1
        ? 'Ваше сообщение и ответ на него уйдут из разговора.'
        : `Ваши сообщения (${n}) и ответы на них уйдут из разговора.`,
    kept: 'Это можно отменить. После вашего следующего сообщения они останутся как другая версия.',
    filesChange: (n: number) =>
      n === 0 ? 'Файлы не изменятся.' : `${form(n, 'Изменится', 'Изменятся', 'Изменится')} ${files(n)}:`,
    list: 'Файлы, которые изменятся',
    listStays: 'Файлы, которые останутся как есть',
    listBoth: 'Файлы, которые будут изменены, и файлы, которые останутся как есть',
    renamed: (from: string, to: string) => `${from} → ${to}`,
    foreign: 'Последним изменён не этим разговором.',
    stays: 'Останется как есть.',
    overwrite: 'Перезаписать',
    overwriteAll: (n: number) => `Перезаписать все (${files(n)}), последним изменённые не этим разговором`,
    ignored: 'Игнорируемых файлов, таких как node_modules, в снимках нет. Они останутся как есть.',
    run: 'Вернуться',
    runAndSend: 'Вернуться и отправить',
    running: 'Восстановление…',
    letters: { added: 'A', removed: 'D', renamed: 'R', changed: 'M' },
    kinds: {
      added: 'будет возвращён',
      removed: 'будет удалён',
      renamed: 'будет переименован',
      changed: 'будет изменён',
    },
    wouldBe: {
      added: 'был бы возвращён',
      removed: 'был бы удалён',
      renamed: 'был бы переименован',
      changed: 'был бы изменён',
    },

    restored: 'Восстановлено.',
    nothingToUndo: 'Нет сообщения, которое можно отменить.',
    undone: (n: number) =>
      n === 0
        ? 'Сообщение отменено.'
        : `Сообщение отменено, ${form(n, 'возвращён', 'возвращено', 'возвращено')} ${files(n)}.`,
    undoneAlone: 'Сообщение отменено. Файлы остались как есть: снимок того момента не сохранён.',
    undoneBar: (n: number) =>
      `${n === 0 ? 'Файлы возвращены.' : `Отменено ${messages(n)}.`} Следующее сообщение продолжит разговор с этого места.`,
    redo: 'Вернуть',
    restoring: 'Восстановление…',
  },

  pullRequest: {
    create: 'Создать pull request',
    from: (branch: string, repository: string) => `Из ветки ${branch} в репозитории ${repository}.`,
    title: 'Заголовок pull request',
    body: 'Описание',
    base: 'В ветку',
    baseHint: 'Пусто — в ветку по умолчанию',
    draft: 'Как черновик',
    send: 'Создать',
    cancel: 'Отмена',
    asking: 'Запрос к GitHub',
    noTitle: 'Сначала напишите заголовок.',
    made: 'Pull request',
  },

  summary: {
    title: 'Сводка',
    of: (session: string) =>
      `«${session}»: что требовалось, что сделано и что изменено. Пишет модель этого сеанса.`,
    writing: 'Составляется',
    stop: 'Остановить',
    stopped: 'Остановлено до конца.',
    again: 'Составить заново',
    copy: 'Копировать как Markdown',
    failed: 'Сводка не составлена.',
  },

  task: {
    open: 'Открыть его сеанс',
    openOf: (title: string) => `Открыть его сеанс: ${title}`,
    steps: (n: number) => counted(n, 'шаг', 'шага', 'шагов'),
    calls: (n: number) => counted(n, 'вызов', 'вызова', 'вызовов'),
    tokens: (input: string, output: string) => `вход ${input}, выход ${output}`,
    stop: 'Остановить эту работу',
    states: taskStates,
    recent: 'Последние действия',
    ended: (title: string) => `Фоновая работа завершена: ${title}`,
    told: 'Что видит агент',
    switched: (agent: string) => `Продолжает агент «${agent}»`,
    given: 'Порученная работа',
    app: 'От приложения',
    child: 'Здесь работает субагент',
    childPaused: 'Субагент здесь приостановлен',
    childEnded: 'Здесь работал субагент',
    childInterrupted: 'Здесь работал субагент, его работа прервана',
    back: (title: string) => `Назад: ${title}`,
    parent: 'сеанс, для которого он работает',
  },

  fault,

  todo: {
    tasks: 'Задачи',
    done: (done: number, of: number) => `готово ${done} из ${of}`,
    high: 'важно',
    statuses: {
      pending: 'предстоит',
      in_progress: 'в работе',
      completed: 'готово',
      cancelled: 'отменено',
    },
  },
} satisfies ConversationTexts;
