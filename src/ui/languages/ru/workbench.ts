import type { ChangeKind } from '../../../workspace/changes/compare.ts';
import type { JobEndCause } from '../../../workspace/jobs.ts';
import type { WorkbenchTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';
import { counted, exit, files, form, inFiles, keptFiles, ofFiles, outcomes } from './shared.ts';
import { workbenchFiles } from './workbench-files.ts';

const changeKinds: Readonly<Record<ChangeKind, string>> = {
  added: 'добавлен',
  removed: 'удалён',
  renamed: 'переименован',
  changed: 'изменён',
};

export const workbench = {
  ...workbenchFiles,

  changes: {
    changes: 'Изменения',
    // Stands before the moment that is chosen.
    since: 'Изменено',
    turn: 'с начала последнего хода',
    first: 'с первого сообщения',
    opening: 'с открытия файлов',
    beforeMessage: (text: string) => `с момента перед «${text}»`,
    messages: 'Ваши сообщения',
    leftOut: 'Игнорируемые файлы, такие как node_modules, не показаны.',
    commentOn: (path: string, line: number) => `Комментарий к ${path}, строка ${line}`,
    addComment: 'Добавить к сообщению',
    commentAdded: 'Ваш комментарий — в поле сообщения.',
    cancel: 'Отмена',
    list: 'Изменённые файлы',
    summary: (count: number) => `${form(count, 'Изменён', 'Изменено', 'Изменено')} ${files(count)}`,
    lines: (added: number, removed: number) => `+${added} −${removed}`,
    linesSpoken: (added: number, removed: number) => `строк добавлено: ${added}, удалено: ${removed}`,
    letters: { added: 'A', removed: 'D', renamed: 'R', changed: 'M' },
    kinds: changeKinds,
    renamed: (from: string, to: string) => `${from} → ${to}`,
    comparing: 'Сравнение файлов',
    none: 'Ничего не изменилось.',
    noSnapshot:
      'Файлов здесь слишком много, чтобы хранить их копию, поэтому изменения показываются начиная с вашего первого сообщения. До него в репозитории их покажет `git diff` в терминале.',
    failed: (why: string) => `Не удаётся показать изменения: ${why}`,
    contentGone: 'Один из файлов того момента больше не хранится.',

    keep: 'Оставить',
    keepHunk: (number: number) => `Оставить изменение ${number}`,
    keptHunk: 'Вы оставили это изменение.',
    keepFile: (path: string) => `Оставить ${path}`,
    keptFiles: (count: number) => `Вы оставили изменения в ${inFiles(count)}.`,
    showKept: 'Показать',
    hideKept: 'Скрыть',
    putBack: 'Откатить',
    putBackFile: (path: string) => `Откатить ${path}`,
    putBackHunk: (number: number) => `Откатить изменение ${number}`,
    didPutBack: (path: string) => `Файл ${path} снова такой, как был.`,
    didPutBackHunk: (path: string) => `Выполнен откат одного изменения в ${path}.`,
    beside: 'В две колонки',
    download: 'Скачать все изменения как патч',
    patchName: 'changes.patch',

    notText: (before: string, after: string) => `Это не текстовый файл. Было: ${before}. Стало: ${after}.`,
    absent: 'файла нет',
    tooLarge: 'Этот файл слишком велик, чтобы показать, что в нём изменилось.',
    tooDifferent: 'Две версии этого файла различаются слишком сильно, чтобы их сравнить.',
    empty: 'Этот файл пуст.',
    modeOnly: 'Изменилось только право на выполнение файла.',
    renamedOnly: 'Содержимое то же самое.',
    link: (target: string) => `ссылка на ${target}`,
  },

  find: {
    title: 'Перейти к файлу',
    field: 'Имя файла',
    placeholder: 'Часть имени и :строка',
    list: 'Файлы',
    loading: 'Составляется список файлов',
    none: 'Такого файла нет',
    empty: 'В этой рабочей области пока нет файлов.',
    noWorkspace: 'Сначала откройте сеанс: файлы относятся к его рабочей области.',
    failed: (why: string) => `Не удаётся составить список файлов: ${why}`,
    found: (count: number) =>
      `${files(count)}: стрелки вверх и вниз — выбрать, Enter — открыть, Escape — закрыть`,
    atLine: (line: number) => `строка ${line}`,
    recent: 'недавно открыт',
    newest: (count: number) => `Предлагаются только самые новые файлы (${formatNumber(count)}).`,
  },

  job: {
    heading: 'Фоновые задания',
    count: (running: number, ended: number) =>
      [running > 0 && `выполняется: ${running}`, ended > 0 && `завершено: ${ended}`]
        .filter(Boolean)
        .join(', '),
    chip: (n: number) => counted(n, 'фоновое задание', 'фоновых задания', 'фоновых заданий'),
    show: 'Показать на вкладке терминала',
    running: (time: string) => `выполняется ${time}`,
    ended: (by: JobEndCause, exitCode: number, time: string) =>
      `${endedBy(by, exitCode)}, время работы: ${time}`,
    ports: (ports: readonly number[]) => `${ports.length > 1 ? 'порты' : 'порт'} ${ports.join(', ')}`,
    quiet: 'Вывода пока нет',
    stop: 'Остановить',
    stopOf: (command: string) => `Остановить ${command}`,
    log: 'Показать журнал',
    hideLog: 'Скрыть журнал',
    logOf: (command: string) => `Журнал ${command}`,
    emptyLog: 'Задание ничего не вывело.',
    told: (command: string, by: JobEndCause, exitCode: number) =>
      `Фоновое задание ${endedBy(by, exitCode)}: ${command}`,
  },

  log: {
    filter: 'Фильтр журнала',
    filterHint: 'Инструмент, результат или текст',
    exportLog: 'Экспорт в JSON',
    file: 'vitrine-log.json',
    clear: 'Очистить',
    metrics: (calls: number | null) =>
      calls === null
        ? 'По инструментам'
        : `По инструментам, ${form(calls, 'последний', 'последние', 'последние')} ${counted(calls, 'вызов', 'вызова', 'вызовов')}`,
    records: 'Вызовы',
    columns: {
      tool: 'Инструмент',
      count: 'Вызовы',
      average: 'Среднее',
      p95: 'p95',
      errors: 'Ошибки',
      timeouts: 'Тайм-ауты',
      denials: 'Отклонено',
      startup: 'Запуск',
    },
    startHint: 'С момента открытия этой страницы: первый запуск вместе с загрузкой, затем последний запуск',
    noSession: 'Откройте или начните сеанс, чтобы увидеть его вызовы.',
    empty: 'В этом сеансе вызовов пока не было.',
    cleared: 'С тех пор как вы очистили список, вызовов не было.',
    none: 'Ничто не подходит под этот фильтр.',
    older: 'Показать более ранние вызовы',
    loading: 'Журнал читается',
    failed: (why: string) => `Не удалось прочитать журнал: ${why}`,
    made: 'загружен',
    outcomes,
    exit,
    timedOut: 'тайм-аут',
    preview: 'В предпросмотре',
    previewPage: (path: string) => `Страница: ${path}`,
    previewCount: (messages: number, problems: number) => {
      if (messages === 0) return 'В предпросмотре';
      const said = counted(messages, 'сообщение', 'сообщения', 'сообщений');
      if (problems === 0) return `В предпросмотре: ${said}`;
      return `В предпросмотре: ${said}, ${counted(problems, 'проблема', 'проблемы', 'проблем')}`;
    },
    previewLeftOut: (messages: number) =>
      `Ещё ${counted(messages, 'сообщение', 'сообщения', 'сообщений')} в журнал не ${form(messages, 'вошло', 'вошли', 'вошло')}.`,
    args: 'Аргументы',
    result: 'Результат',
  },

  preview: {
    server: 'Сервер',
    serverName: (port: number) => `Порт ${port}`,
    reload: 'Перезагрузить',
    frame: (port: number) => `Что показывает сервер на порту ${port}`,
    none: 'В этой рабочей области не запущен ни один сервер.',
    noneHint:
      'Запустите сервер в терминале или попросите об этом агента: здесь появится то, что слушает порт.',
    refused: (url: string) => `${url} нельзя показать здесь.`,
    serverStarted: (port: number) => `Сервер слушает порт ${port}.`,
    showServer: 'Показать',
    toolbar: 'Предпросмотр',
    back: 'Назад',
    openTab: 'Открыть в отдельной вкладке',
    closeTab: 'Снова показывать здесь',
    inTab: 'Страница показана в отдельной вкладке. Агент видит её и работает с ней там же.',
    tabRefused: 'Браузер не открыл вкладку. Разрешите этому сайту всплывающие окна и попробуйте снова.',
    source: 'Что показывать',
    sourceNone: 'Выбрать',
    servers: 'Серверы',
    folders: 'Папки как статические сайты',
    folder: (path: string) => (path === '' ? 'Вся рабочая область' : path),
    serverOver: (port: number) => `Порт ${port} (завершён)`,
    address: 'Адрес',
    otherHost: (host: string) =>
      `Здесь можно показать только серверы этого рабочего пространства: localhost и их порт. ${host} к ним не относится.`,
    width: 'Ширина',
    widths: { full: 'Вся ширина', phone: 'Телефон, 390', tablet: 'Планшет, 820' },
    widthOf: (width: number) => `Ширина ${width}`,
    page: 'Страница в предпросмотре',
    nothing: 'Пока показывать нечего.',
    nothingHint:
      'Запустите сервер в терминале, например node server.js, или попросите об этом агента: его страница появится здесь сама. Для папки с index.html сервер не нужен.',
    showFolder: (path: string) =>
      path === '' ? 'Показать index.html рабочей области' : `Показать ${path}/index.html`,
    starting: 'Предпросмотр запускается',
    slow: 'Адрес предпросмотра отвечает, но браузер долго запускает его сервис-воркер.',
    tryAgain: 'Повторить',
    ended: (port: number) => `Сервер на порту ${port} завершился.`,
    endedHint: 'Ниже то, что осталось от его страницы. Когда сервер запустится снова, она перезагрузится.',
    opaque: 'У этого сайта нет отдельного адреса для предпросмотра, поэтому страница переписывается.',
    refusedOrigin:
      'Страница переписывается, потому что браузер не дал предпросмотру запуститься на отдельном адресе. Так бывает в приватных окнах и там, где заблокированы сторонние файлы cookie: разрешите их для этого сайта и перезагрузите страницу.',
    rewritten: 'Сервис-воркеры, воркеры, фреймы и постоянное хранилище на ней не работают.',
    failed: 'Предпросмотр нельзя показать.',
    failedHint: '«Перезагрузить» — попробовать ещё раз.',
    more: 'Ещё',
    drawer: 'Консоль',
    problems: (count: number) =>
      `${formatNumber(count)} ${plural(count, { one: 'проблема', few: 'проблемы', other: 'проблем' })}`,
    entries: 'Сообщения страницы',
    everything: 'Всё',
    onlyProblems: 'Проблемы',
    filter: 'Показанные сообщения',
    clear: 'Очистить',
    noEntries: 'Пока ничего.',
    send: 'Отправить агенту',
    sent: 'Добавлено в ваше сообщение.',
    message: (path: string, text: string) => `В предпросмотре ${path} сообщает:\n\n${text}`,
    pick: 'Выбрать элемент',
    picking:
      'Щёлкните элемент страницы. С клавиатуры: стрелки переходят от элемента к элементу, Enter выбирает. Escape завершает выбор.',
    picked: 'Выбранный элемент',
    element: (path: string, text: string) => `В предпросмотре, элемент страницы ${path}:\n\n${text}`,
  },

  bench: {
    terminal: 'Терминал',
    terminalFailed: 'Не удалось загрузить терминал. Проверьте соединение.',
    terminalHint: 'Tab дополняет. Escape, затем Tab — выход из терминала.',
    touchKeys: 'Клавиши',
    touchKey: {
      escape: 'Escape',
      tab: 'Tab',
      ctrl: 'Ctrl',
      interrupt: 'Ctrl+C',
      endOfInput: 'Ctrl+D',
      left: 'Стрелка влево',
      up: 'Стрелка вверх',
      down: 'Стрелка вниз',
      right: 'Стрелка вправо',
    },
    tryAgain: 'Повторить',

    files: 'Файлы',
    tree: 'Файлы рабочей области',
    toolbar: 'Действия с файлами',
    searchFiles: 'Искать в файлах',
    newFile: 'Новый файл',
    addFiles: 'Добавить файлы',
    addFolder: 'Добавить папку',
    downloadAll: 'Скачать всё как zip',
    downloadFolder: 'Скачать папку как zip',
    download: 'Скачать',
    copyPath: 'Копировать путь',
    copied: 'Путь скопирован.',
    move: 'Переместить',
    rename: 'Переименовать',
    delete: 'Удалить',
    close: 'Закрыть файл',
    undo: 'Отменить',
    dismiss: 'Закрыть',
    cancel: 'Отмена',
    save: 'ОК',
    newFileLabel: (folder: string) => `Новый файл в ${folder}`,
    newFileHint: 'Имя или путь. Чтобы создать папку, поставьте в конце /.',
    renameLabel: (name: string) => `Новое имя для ${name}`,
    drop: 'Перетащите сюда файлы или папки, чтобы добавить их в рабочую область.',
    dropInto: (folder: string) => `Отпустите, чтобы добавить в ${folder}`,
    empty: 'Файлов пока нет. Перетащите их сюда или попросите агента создать.',
    unlisted: (why: string) => `Не удаётся показать эту папку: ${why}`,
    changedByAgent: 'Изменено агентом',
    changed: 'Изменено',
    folder: 'папка',
    link: 'ссылка',
    ignored: 'Игнорируется',
    marks: {
      added: 'Новый с начала последнего хода',
      changed: 'Изменён с начала последнего хода',
      renamed: 'Переименован с начала последнего хода',
    },

    nameEmpty: 'Введите имя.',
    nameTaken: (name: string) => `${name} уже существует. Выберите другое имя.`,
    pathTaken: (path: string) => `${path} уже существует, поэтому ничего не перемещено.`,
    intoItself: (name: string) => `Папку ${name} нельзя переместить в неё саму.`,
    nameUnusable: 'Это имя использовать нельзя.',
    refused: (why: string) => `Не получилось: ${why}`,

    deleted: (name: string) => `Удалено: ${name}.`,
    renamed: (name: string) => `Новое имя: ${name}.`,
    cut: (name: string) =>
      `Перемещение ${name}. Перейдите в папку и нажмите Ctrl+V или «Переместить сюда». Escape оставит всё на месте.`,
    moveHere: 'Переместить сюда',
    moveToTop: (root: string) => `Переместить в ${root}`,
    moved: (name: string, folder: string) => `Перемещено: ${name} → ${folder}.`,
    restored: (name: string) => `Восстановлено: ${name}.`,
    deleteForGood: (name: string) =>
      `Удалить ${name} навсегда? Вернуть будет нельзя: слишком большой размер или внутри есть ссылки.`,

    adding: (done: number, total: number) => `Добавление: ${formatNumber(done)} из ${ofFiles(total)}`,
    added: (n: number, place: string) =>
      `В ${place} ${form(n, 'добавлен', 'добавлено', 'добавлено')} ${files(n)}.`,
    openedTop: (name: string) => `Всё лежало в папке ${name}, сама она не добавлена.`,
    nothingToAdd: 'Здесь нет файлов. Перетащите файлы или папки.',
    zipFound: (name: string) => `${name} — это zip-архив. Распаковать его здесь?`,
    unpack: 'Распаковать',
    unpacking: 'Распаковка',
    addAsFile: 'Добавить сам архив',
    kept: keptFiles,
    replace: 'Заменить',
    leaveOutIgnored: 'Добавить без node_modules, .git и того, что перечислено в .gitignore',
    refusedFiles: (n: number) => `${form(n, 'Пропущен', 'Пропущено', 'Пропущено')} ${files(n)}.`,
    stop: 'Прекратить добавление',
    packing: (n: number) => `Упаковка: ${files(n)}`,
    zipped: (n: number) => `${form(n, 'Упакован', 'Упаковано', 'Упаковано')} ${files(n)}.`,
    skipped: (n: number) =>
      `${form(n, 'Пропущен', 'Пропущено', 'Пропущено')} ${counted(n, 'элемент', 'элемента', 'элементов')}.`,

    viewer: (path: string) => `Файл ${path}`,
    loading: 'Загрузка',
    binary: (size: string) => `Это не текстовый файл (${size}).`,
    large: (size: string) => `Это большой файл (${size}). Показ может занять время.`,
    showAnyway: 'Всё равно показать',
    gone: 'Этот файл удалён.',
    unreadable: (why: string) => `Не удаётся показать этот файл: ${why}`,
  },
} satisfies WorkbenchTexts;

/** Agrees with “задание”. */
function endedBy(by: JobEndCause, exitCode: number): string {
  switch (by) {
    case 'person':
      return 'остановлено вами';
    case 'command':
      return 'завершено командой';
    case 'limit':
      return 'завершено, так как выполнялось слишком много заданий';
    case 'lost':
      return 'пропало при перезагрузке или перезапуске';
    case 'copied':
      return 'не перенесено: это копия сеанса, которая начинается без задания';
    case 'itself':
      return exitCode === 0 ? 'выполнено' : `завершено с кодом ${exitCode}`;
  }
}
