import type { GlassTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { callStates, counted, form, named, outcomes } from './shared.ts';

/** The words of a rule, by its action in the log. */
const ruleActions: Readonly<Record<string, string>> = {
  allow: 'разрешить',
  ask: 'спросить',
  deny: 'запретить',
};

/** Texts of the inspector and of the past that it shows. */
export const glassInspector = {
  inspector: {
    none: 'В этом сеансе пока ничего не произошло. Здесь появится каждый запрос к модели и каждый вызов инструмента.',
    noSession: 'Откройте или начните сеанс, чтобы заглянуть в него.',
    failed: (why: string) => `Не удалось прочитать журнал этого сеанса: ${why}`,
    loading: 'Журнал читается',

    tree: 'Ходы, шаги и вызовы',
    turn: (n: number) => `Ход ${n}`,
    summing: 'Составление сводки',
    step: (n: number) => `Шаг ${n}`,
    stepOfTurn: (turn: number, step: number) => `Ход ${turn}, шаг ${step}`,
    summary: 'Сводка',
    still: 'ещё выполняется',
    states: {
      thinking: callStates.typing,
      running: callStates.running,
      waiting: callStates.waiting,
      held: 'приостановлено вручную',
      done: outcomes.ok,
      failed: 'ошибка',
      stopped: 'остановлено',
    },
    turnStates: {
      idle: 'готово',
      error: 'ошибка',
      aborted: 'остановлено',
      rejected: 'отклонено',
      interrupted: 'прервано',
    },
    kinds: {
      model: 'Модель',
      waiting: 'Ожидание ответа',
      tool: 'Инструменты',
      retry: 'Ожидание повторной попытки',
      held: 'Приостановлено вручную',
    },
    legend: 'На что ушло время',
    folded: (time: string) => `ожидание ответа: ${time}, свёрнуто`,
    foldedPauses: (time: string) => `ваша пауза: ${time}, свёрнуто`,

    search: 'Поиск по шагам и вызовам',
    searchHint: 'Инструмент, аргумент, вывод, текст, предпросмотр',
    filter: 'Показать',
    filters: {
      all: 'Всё',
      steps: 'Только шаги',
      asked: 'Вызовы с запросом разрешения',
      failed: 'Ошибки и отказы',
      edited: 'Изменённое вами',
    },
    onlyTool: (tool: string, verb: string) => `Вызовы ${tool}${verb === tool ? '' : ` (${verb})`}`,
    noMatch: 'Нет подходящих шагов и вызовов.',
    found: (n: number) => counted(n, 'совпадение', 'совпадения', 'совпадений'),

    edited: 'изменено вами',
    heldFor: (at: string, time: string) => `Приостановлено вручную ${at}, длительность: ${time}.`,
    holding: (at: string) => `Приостановлено вручную ${at}.`,
    holdPoints: {
      request: 'перед отправкой',
      response: 'после ответа',
      call: 'перед выполнением',
      result: 'перед передачей результата модели',
    },
    editedRequest: 'Вы изменили этот запрос перед отправкой. Здесь показано то, что получила модель.',
    retoldRequest: 'В нём есть изменения, которые вы сделали на более ранней паузе.',
    requestBefore: 'До вашего изменения',

    detail: 'Подробности',
    life: 'Путь этого вызова',
    stepLife: 'Путь этого шага',
    stations: {
      registered: 'зарегистрировано',
      resolved: 'разобрано',
      pending: 'ожидание',
      permitted: 'разрешено',
      running: 'выполнение',
      ended: 'завершено',
    },
    stationStates: {
      passed: 'пройдено',
      now: 'сейчас здесь',
      skipped: 'пропущено',
      failed: 'ошибка здесь',
      ahead: 'ещё впереди',
    },
    outcomes,
    stepStations: {
      asked: 'собрано',
      sent: 'отправлено',
      first: 'первый токен',
      answered: 'ответ получен',
      ended: 'завершено',
    },

    tabs: {
      call: 'Вызов',
      rules: 'Правила',
      output: 'Вывод',
      stream: 'Поток',
      request: 'Запрос',
      answer: 'Ответ',
    },

    said: 'Аргументы, как их написала модель',
    typed: 'Аргументы, как они поступали',
    typedPieces: (n: number) => `Получено ${counted(n, 'фрагментом', 'фрагментами', 'фрагментами')}`,
    parsed: 'Аргументы, как их получил инструмент',
    same: 'Инструмент получил их точно в таком виде.',
    neverRan: 'Инструмент не выполнялся.',
    stillTyped: 'Модель ещё пишет их.',
    valid: 'Они соответствуют схеме инструмента.',
    invalid: {
      'unknown-tool': 'Инструмента с таким именем нет.',
      'bad-json': 'Это недопустимый JSON.',
      'bad-input': 'Они не соответствуют схеме инструмента.',
      'too-deep': 'Слишком глубокая вложенность.',
    } as Readonly<Record<string, string>>,
    notFit: 'Они не соответствуют схеме инструмента.',
    calledBy: (callID: string) => `Сделан вызовом ${callID}.`,

    decisions: 'Решения по порядку',
    noRules: 'Для этого вызова правила не проверялись.',
    considered: (pattern: string) => `Правила, подходящие к ${pattern}`,
    noneConsidered: (pattern: string) => `К ${pattern} не подходит ни одно правило.`,
    consideredRule: (rule: string, action: string, source: string) =>
      `${rule}: ${named(ruleActions, action) ?? action} (${source})`,
    decided: 'решающее',
    aside: 'не учтено: оно не показывает, что будет выполнено',
    unlisted: (n: number) =>
      `Не ${form(n, 'показано', 'показаны', 'показано')} ${counted(n, 'более раннее правило', 'более ранних правила', 'более ранних правил')}.`,

    metadata: 'Метаданные вызова',
    metadataEnd: 'В конце',
    printed: 'Выведено во время выполнения',
    before: 'Вывод до сокращения',
    after: 'Вывод после сокращения',
    outputWhole: 'Полный вывод',
    sawTitle: 'Что увидела модель',
    saw: (step: string) => `В запросе (${step.toLowerCase()}):`,
    unseen: 'Его ещё не видела ни одна модель.',
    noResult: 'Результата пока нет.',

    parts: 'Части ответа по порядку',
    noParts: 'Пока ничего не поступило.',
    more: (n: number) => `Показать ещё ${formatNumber(n)}`,

    equal: 'Тело, восстановленное по журналу, совпадает с отправленным.',
    different: 'Тело, восстановленное по журналу, отличается от отправленного.',
    differentAt: (offset: number) => `Они различаются начиная с символа ${offset}.`,
    differentFiles: 'Прикреплённый файл больше не хранится на этом устройстве.',
    differentWhy:
      'Оно отправлено другой версией этой страницы либо с другим адресом или другими настройками провайдера, чем сейчас.',
    inPage: 'Эта модель работает на самой странице: по сети ничего не передано.',
    notSent: 'Ничего не отправлено.',
    unknownBody: 'Не удаётся восстановить тело для сравнения.',
    sentSha: 'SHA-256 отправленного',
    rebuiltSha: 'SHA-256 восстановленного',
    wasSent: 'Отправленное',
    wasRebuilt: 'Восстановленное',
    bodyKept: 'Тело, как отправлено',
    bodyRebuilt: 'Тело, восстановленное по журналу',
    masked: 'Секреты скрыты. Хеши вычислены по полному тексту.',
    requestFailed: (why: string) => `Не удаётся восстановить запрос: ${why}`,
    requestLacks: {
      withheld: 'тот, кто поделился этой записью, не включил в неё то, что было отправлено модели.',
      attachment:
        'в этой записи нет запроса целиком: он передаёт содержимое невключённого вложения, или для него не хватило места.',
      older:
        'в этой записи нет запроса целиком: она создана более старой версией, или для него не хватило места.',
    },
    rebuilding: 'Запрос восстанавливается',
    system: 'Системный промпт',
    messages: (n: number, shared: number) =>
      shared === 0 ? `Сообщения: ${n}` : `Сообщения: ${n}, из них новых на этом шаге: ${n - shared}`,
    newMessage: 'новое',
    tools: (n: number) => `Инструменты: ${n}`,
    settings: 'Настройки',
    characters: (n: string) => `${n} симв.`,
    model: 'Модель',
    agent: 'Агент',

    asked: 'Промпт',
    turnEnded: 'Итог',
    spoken: { text: 'Текст', reasoning: 'Рассуждения' },
    usage: 'Расход и время',
    tokens: {
      inputTokens: 'Вход',
      outputTokens: 'Выход',
      reasoningTokens: 'в том числе рассуждения',
      cacheReadTokens: 'Прочитано из кэша',
      cacheWriteTokens: 'Записано в кэш',
    },
    cost: 'Стоимость',
    noCost: 'цена неизвестна',
    firstPiece: 'Первый токен через',
    took: 'Длительность',
    ended: 'Причина завершения',
    tokensPerSecond: 'Токенов на выходе в секунду',
    fault: 'Ошибка',
    tried: (attempt: number, delay: string) => `Повторная попытка ${attempt} через ${delay}.`,
    noUsage: 'Провайдер не сообщил о расходе.',

    copy: 'Копировать как',
    copyJSON: 'JSON',
    copyCurl: 'cURL',
    copySnippet: 'AI SDK',
    copied: (what: string) => `Скопировано как ${what}.`,
    copyFailed: 'Не удалось скопировать.',
    noCurl: 'Этой модели ничего не отправляется, поэтому копировать как cURL нечего.',
    showAll: (n: string) => `Показать целиком (${n} симв.)`,
  },

  past: {
    past: 'Вы смотрите в прошлое.',
    at: (count: number, total: number) =>
      `Показано состояние после события ${formatNumber(count)} из ${formatNumber(total)}.`,
    now: 'Вернуться к настоящему',
    nothing: 'Тогда ещё ничего не было сказано.',

    slider: 'Событие',
    moment: 'Посмотреть в прошлое',
    // The number comes with separators.
    present: (total: string) =>
      `После ${total} ${form(Number(total.replace(/\D/g, '')), 'события', 'событий', 'событий')}`,
    place: (count: string, total: string, what: string) => `Событие ${count} из ${total}: ${what}`,
    before: 'На событие назад',
    after: 'На событие вперёд',
    start: 'перед первым',

    files: (at: number) => `Файлы на момент события ${formatNumber(at)}`,
    filesAtStart: 'Файлы в начале',
    filesAfterTurn: (turn: number) => `Файлы после хода ${turn}`,
    filesAfterCall: (tool: string, turn: number) => `Файлы после ${tool} на ходу ${turn}`,
    laterFilesLeftOut: 'В этой записи есть файлы не после каждого из последующих вызовов.',
    filesLoading: 'Список файлов читается',
    filesFailed: (why: string) => `Не удалось прочитать файлы: ${why}`,
    noFiles: 'Файлов не было.',
    notRecorded: 'Файлы не записаны.',
    ignored: (paths: readonly string[]) =>
      `Не сохранено, так как исключено в .gitignore или постоянным списком: ${firstOf(paths, 5)}.`,
    fileGone: 'Этот файл больше не хранится.',
    binary: 'Это не текстовый файл.',
  },
} satisfies Partial<GlassTexts>;

/** The first few paths, and how many more there are. */
export function firstOf(paths: readonly string[], most: number): string {
  const first = paths.slice(0, most).join(', ');
  return paths.length > most ? `${first} и ещё ${formatNumber(paths.length - most)}` : first;
}
