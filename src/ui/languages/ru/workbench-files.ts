import type { LeftWhy } from '../../workbench/files/search/replacing.ts';
import type { SettingsNote } from '../../workbench/files/editor/format/protocol.ts';
import type { WorkbenchTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { counted, files, form, inFiles, ofFiles } from './shared.ts';

const matches = (count: number) => counted(count, 'совпадение', 'совпадения', 'совпадений');
const inPlaces = (count: number) => counted(count, 'месте', 'местах', 'местах');

const leftWhy: Readonly<Record<LeftWhy, string>> = {
  changed: 'изменён после поиска',
  unsaved: 'есть несохранённые правки',
  'not-text': 'содержит не только UTF-8',
  failed: 'не удалось записать',
};

/** Texts of the tab Files: its editor, its search, and a folder of the disk. */
export const workbenchFiles = {
  editor: {
    openFiles: 'Открытые файлы',
    textOf: (path: string) => `Текст файла ${path}`,
    unsaved: 'не сохранён',
    closeTab: 'Закрыть',
    save: 'Сохранить',
    find: 'Найти',
    leave: 'Tab делает отступ. Escape, затем Tab — выход из текста.',
    lineEnds: (name: string) => `Концы строк в файле разные. При сохранении все станут ${name}.`,
    notSaved: (name: string, why: string) => `Файл ${name} не сохранён: ${why}`,
    notDurable: (name: string, why: string) =>
      `Файл ${name} сохранён, но после перезагрузки может исчезнуть: ${why}`,
    changedAgain: 'Файл только что изменился. Сохраните ещё раз.',
    loadFailed: 'Не удалось загрузить редактор, поэтому файл доступен только для чтения.',
    tryAgain: 'Повторить',

    largeReadOnly: 'Большие файлы доступны только для чтения.',
    notUTF8:
      'Этот файл содержит не только UTF-8. Некоторые символы показать нельзя, и он доступен только для чтения.',

    closeUnsaved: (name: string) => `В файле ${name} есть несохранённые правки.`,
    discard: 'Не сохранять',
    cancel: 'Отмена',

    changedBy: (name: string, agent: boolean) =>
      agent
        ? `Агент изменил файл ${name}, пока у вас были несохранённые правки.`
        : `Файл ${name} изменился, пока у вас были несохранённые правки.`,
    showBoth: 'Показать оба',
    keepMine: 'Оставить мой',
    takeTheirs: (agent: boolean) => (agent ? 'Взять вариант агента' : 'Взять другой'),
    bothLegend: (agent: boolean) =>
      agent ? 'Строки с − — агента, строки с + — ваши.' : 'Строки с − — из файла, строки с + — ваши.',
    comparing: 'Сравнение',
    tooDifferent: 'Тексты различаются слишком сильно, чтобы сравнить их построчно.',
    deleted: (name: string) => `Файл ${name} удалён. «Сохранить» запишет его снова.`,

    phrases: {
      Find: 'Найти',
      Replace: 'Заменить на',
      next: 'Следующее',
      previous: 'Предыдущее',
      all: 'Выбрать все',
      'match case': 'С учётом регистра',
      'by word': 'Слово целиком',
      regexp: 'Регулярное выражение',
      replace: 'Заменить',
      'replace all': 'Заменить все',
      close: 'Закрыть поиск',
      'current match': 'Совпадение',
      'replaced $ matches': 'Заменено совпадений: $.',
      'replaced match on line $': 'Совпадение в строке $ заменено.',
      'on line': 'в строке',
      Diagnostics: 'Проблемы',
      'No diagnostics': 'Проблем нет',
      Completions: 'Варианты дополнения',
      'Go to line': 'Перейти к строке',
      go: 'Перейти',
    },
  },

  codeServices: {
    problems: (count: number) => counted(count, 'проблема', 'проблемы', 'проблем'),
    problemsTitle: 'Показать список проблем (Ctrl+Shift+M). Alt+F8 — к следующей.',
    definition: 'Определение',
    definitionTitle: 'Перейти к определению (F12)',
    rename: 'Переименовать',
    renameTitle: 'Переименовать символ под курсором (F2)',
    unavailable: (why: string) => `Языковая служба не может ответить: ${why}`,
    noDefinition: 'Определение здесь не найдено.',
    builtIn: (name: string) =>
      `Это объявлено в файле ${name}, который поставляется с TypeScript и не находится в рабочей области.`,
    noHover: 'Об этом месте ничего не известно.',

    renameLabel: (name: string) => `Новое имя для ${name}`,
    noName: 'Поставьте курсор на имя, которое хотите изменить.',
    saveFirst: (path: string) =>
      `В файле ${path} есть несохранённые правки. Сохраните или отмените их, затем переименуйте.`,
    changed: (path: string) =>
      `Файл ${path} тем временем изменился. Ничего не переименовано. Повторите попытку.`,
    halfDone: (paths: string) =>
      `Один из файлов тем временем изменился, и не удалось вернуть прежнее состояние: ${paths}`,
    places: (places: number, inTheseFiles: number) =>
      `${counted(places, 'место', 'места', 'мест')} в ${inFiles(inTheseFiles)}:`,
    inFile: (path: string, places: number) => `${path} (${places})`,
    nothing: 'Ничего не изменится.',
    look: 'Показать места',
    renameAll: 'Переименовать все',
    cancel: 'Отмена',
    renamed: (name: string, places: number) => `Переименовано в ${name} в ${inPlaces(places)}.`,
  },

  format: {
    format: 'Форматировать',
    keys: 'Shift+Alt+F',
    onSave: 'Форматировать при сохранении',
    formatting: 'Форматирование',
    formatted: 'Отформатировано.',
    unchanged: 'Текст уже отформатирован.',
    ignored: 'Этот файл исключён в .prettierignore или относится к пакету. Ничего не изменено.',
    syntax: (line: number, column: number, message: string) =>
      `Не отформатировано. Строка ${line}, столбец ${column}: ${message}`,
    failed: (why: string) => `Не отформатировано. ${why}`,
    changedMeanwhile: 'Не отформатировано: текст тем временем изменился. Отформатируйте ещё раз.',
    note: (note: SettingsNote, path: string): string => {
      switch (note.kind) {
        case 'code':
          return `${path} — это код, он для этого не выполняется: использованы значения по умолчанию и .editorconfig.`;
        case 'unreadable':
          return `Не удалось прочитать ${path} (${note.why}), поэтому использованы значения по умолчанию и .editorconfig.`;
        case 'plugins':
          return `Плагины из ${path} не использованы.`;
      }
    },
  },

  folder: {
    connect: 'Подключить папку с диска',
    region: (name: string) => `Папка ${name} на вашем диске`,
    unsupported:
      'Этот браузер не позволяет странице записывать в папку на диске; Chrome и Edge позволяют. «Добавить папку» копирует папку в рабочую область, а «Скачать всё как zip» выгружает файлы.',
    refused: (name: string) =>
      `Браузеру не разрешено читать и записывать ${name}. Нажмите «Сравнить», чтобы он спросил ещё раз.`,
    failed: (why: string) => `Не получилось: ${why}`,
    equal: 'Все файлы рабочей области с ней совпадают.',
    differ: (count: number) =>
      `С тех пор в рабочей области ${form(count, 'изменился', 'изменились', 'изменилось')} ${files(count)}.`,
    compare: 'Сравнить',
    disconnect: 'Отключить',
    disconnected: (name: string) => `Папка ${name} отключена. Её файлы остаются как есть.`,
    undo: 'Отменить',
    working: 'Выполняется',
    reading: (count: number) => `Чтение: ${files(count)}`,
    copying: (done: number, total: number) => `Копирование: ${formatNumber(done)} из ${ofFiles(total)}`,
    stop: 'Остановить',

    nothing: 'Файлы в обоих местах одинаковы.',
    plan: 'Что отличается',
    groups: {
      out: 'Изменено в рабочей области: записать на диск',
      in: 'Изменено на диске: перенести в рабочую область',
      both: 'Изменено в обоих местах: выберите для каждого файла',
    },
    kinds: { added: 'новый', changed: 'изменён', removed: 'удалён' },
    choice: (path: string) => `Что сделать с ${path}`,
    leave: 'Оставить оба как есть',
    toDisk: 'Записать на диск вариант из рабочей области',
    fromDisk: 'Перенести в рабочую область вариант с диска',
    more: (count: number) => `ещё ${files(count)}`,
    carryOut: (count: number) => `Копировать ${files(count)}`,
    cancel: 'Отмена',

    wrote: (count: number) => `На диск ${form(count, 'записан', 'записано', 'записано')} ${files(count)}.`,
    brought: (count: number) =>
      `В рабочую область ${form(count, 'перенесён', 'перенесено', 'перенесено')} ${files(count)}.`,
    left: (count: number) =>
      `${form(count, 'Оставлен', 'Оставлено', 'Оставлено')} как есть: ${files(count)}.`,
    dismiss: 'Закрыть',
  },

  search: {
    title: 'Поиск в файлах',
    close: 'Закрыть поиск',
    field: 'Что искать',
    matchCase: 'С учётом регистра',
    words: 'Слово целиком',
    regexp: 'Регулярное выражение',
    by: 'Заменить на',
    byHint: '$1 — первая группа, $& — совпадение, \\n — новая строка.',
    replaceToo: 'Замена',
    filters: 'В каких файлах',
    include: 'Только в',
    includeHint: 'src, *.ts',
    exclude: 'Кроме',
    excludeHint: 'dist, *.min.js',
    ignoredToo: 'Также в игнорируемых файлах',

    results: 'Совпадения',
    searching: 'Поиск',
    none: 'Ничего не найдено.',
    found: (n: number, inTheseFiles: number) => `${matches(n)} в ${inFiles(inTheseFiles)}`,
    more: (shown: number) =>
      `Есть и другие. Показаны только первые (${formatNumber(shown)}), и только они заменяются.`,
    timedOut: 'Поиск длился слишком долго. Показано то, что успело найтись.',
    ignoredLeftOut: 'Игнорируемые файлы, такие как node_modules, не просматривались.',
    invalid: (why: string) => `Это не регулярное выражение: ${why}`,
    failed: (why: string) => `Поиск не удался: ${why}`,
    inFile: (path: string, count: number) => `${path}, ${matches(count)}`,
    line: (line: number) => `Строка ${line}`,
    becomes: 'станет',

    replace: 'Заменить',
    replaceOne: (line: number, path: string) => `Заменить в строке ${line} файла ${path}`,
    replaceFile: (path: string) => `Заменить все в ${path}`,
    replaceAll: (count: number) => `Заменить ${matches(count)}`,
    cut: 'Эта строка слишком длинная, чтобы заменять в ней отсюда.',
    working: 'Замена',
    replaced: (n: number, inTheseFiles: number) => `Заменено ${matches(n)} в ${inFiles(inTheseFiles)}.`,
    notReplaced: 'Ничего не заменено.',
    left: (count: number) =>
      `${form(count, 'Оставлен', 'Оставлено', 'Оставлено')} как есть: ${files(count)}.`,
    why: leftWhy,
    leftFile: (path: string, why: string) => `${path}: ${why}`,
    undo: 'Отменить',
    undone: 'Замены отменены.',
    changedSince: 'изменён после замены',
  },
} satisfies Partial<WorkbenchTexts>;
