import type { ConversationTexts, GlassTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';

/** The verbs of the app's tools, by the English ones of their cards. */
const verbOf: Readonly<Record<string, string>> = {
  Patch: 'Применить патч',
  Run: 'Выполнить',
  Batch: 'Пакет',
  'Search code': 'Поиск по коду',
  Edit: 'Изменить',
  Search: 'Найти',
  List: 'Показать папку',
  'Plan first': 'Сначала план',
  'Plan is ready': 'План готов',
  Ask: 'Спросить',
  Read: 'Прочитать',
  Skill: 'Навык',
  'Sub-agent': 'Субагент',
  'In background': 'В фоне',
  'Background work': 'Фоновая работа',
  'Stop work': 'Остановить работу',
  Plan: 'План',
  Fetch: 'Загрузить',
  'Search web': 'Поиск в сети',
  Write: 'Записать',
  Definition: 'Определение',
  References: 'Ссылки',
  Type: 'Тип',
  Symbols: 'Символы',
  'Find symbol': 'Найти символ',
  Implementations: 'Реализации',
  Calls: 'Вызовы',
  Callers: 'Кто вызывает',
  Callees: 'Что вызывается',
  Rename: 'Переименовать',
  Check: 'Проверить',
  'Code actions': 'Действия с кодом',
  Preview: 'Предпросмотр',
  Open: 'Открыть',
  'Look at the page': 'Посмотреть страницу',
  'Read the console': 'Прочитать консоль',
  Click: 'Нажать',
  Press: 'Нажать клавишу',
  Choose: 'Выбрать',
  'Wait for': 'Ждать',
  'Run in the page': 'Выполнить на странице',
  'Resize the page': 'Изменить размер страницы',
  'Reload the page': 'Перезагрузить страницу',
  'Go back': 'Вернуться',
  'Type text': 'Ввести текст',
};

export const verbs = {
  of: (english: string) => verbOf[english] ?? english,
} satisfies ConversationTexts['verbs'];

export const reasons = {
  yourArguments: 'Вызов не выполнен: ваши аргументы не соответствуют схеме.',
  cannotRun: 'Вызов не выполнен: модель написала его так, что выполнить его нельзя, и ей сообщили причину.',
  noDecision: 'Решение не понадобилось: этот инструмент ничего не запрашивает.',
  endedBefore: {
    cancelled: 'Вызов отменён до принятия решения.',
    interrupted: 'Вызов прерван до принятия решения.',
    other: 'Вызов завершился до принятия решения.',
  },
  stillWritten: 'Модель ещё пишет вызов.',
  notStarted: 'Вызов ещё не начался.',
  deniedBefore: 'Отклонено без вопроса: такой же запрос уже был отклонён на этом ходу.',
  dangerous: (text: string) =>
    `Разрешение запрошено, что бы ни разрешали правила: ${text} подходит под опасный шаблон.`,
  verdict: {
    asked: (cause: string) => `Разрешение запрошено: ${cause}.`,
    denied: (cause: string) => `Отклонено без вопроса: ${cause}.`,
    allowed: (cause: string) => `Разрешено без вопроса: ${cause}.`,
  },
  askedWithoutRule: 'Разрешение запрошено, потому что подходящего правила нет.',
  decidedWithoutRule: 'Решено без правила.',
  noRule: (pattern: string) => `для «${pattern}» нет правила`,
  byRule: (rule: string, source: string, pattern: string) =>
    `для «${pattern}» решило правило «${rule}» (${source})`,
  also: (same: number, other: number) =>
    [
      same > 0 &&
        `ещё ${formatNumber(same)} ${plural(same, { one: 'шаблон', few: 'шаблона', other: 'шаблонов' })} по тому же правилу`,
      other > 0 &&
        `${formatNumber(other)} ${plural(other, { one: 'шаблон', few: 'шаблона', other: 'шаблонов' })} по другим правилам`,
    ]
      .filter(Boolean)
      .join(', '),
  withAlso: (cause: string, also: string) => `${cause}; ${also}`,
  withdrawn: (time: string) => `Отозвано через ${time}: ход завершился до ответа.`,
  answered: (answer: string, time: string) => `${answer}, через ${time}.`,
  answeredSaying: (answer: string, time: string, message: string) =>
    `${answer}, через ${time}, с пояснением: ${message}.`,
  waits: 'Вызов ждёт вашего ответа.',
} satisfies GlassTexts['reasons'];
