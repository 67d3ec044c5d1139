import type { GlassTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';
import { call } from './call.ts';
import { any, counted, countedAfter, listed, ltr, nouns } from './text.ts';

const ACTIONS: Readonly<Record<string, string>> = { allow: 'سماح', ask: 'سؤال', deny: 'رفض' };

/*
 * The page escapes marks of direction in some of these texts (`holdPoints`, `heldFor`, `holding`, `considered`,
 * `noneConsidered`), as they contain patterns and arguments. There names stand between quotation marks instead.
 */
export const inspector = {
  none: 'لم يحدث شيء في هذه الجلسة بعد. سيُسرد هنا كل طلب إلى نموذج وكل استدعاء أداة.',
  noSession: 'افتح جلسة أو ابدأ واحدة للنظر داخلها.',
  failed: (why: string) => `تعذّرت قراءة سجل هذه الجلسة: ${any(why)}`,
  loading: 'جارٍ قراءة السجل',

  tree: 'الأدوار والخطوات والاستدعاءات',
  turn: (n: number) => `الدور ${n}`,
  summing: 'التلخيص',
  step: (n: number) => `الخطوة ${n}`,
  stepOfTurn: (turn: number, step: number) => `الدور ${turn}، الخطوة ${step}`,
  summary: 'الملخص',
  still: 'لا يزال يعمل',
  states: {
    thinking: 'يكتب الوسيطات',
    running: call.running,
    waiting: call.waiting,
    held: 'أُوقف مؤقتًا يدويًا',
    done: call.outcomes.ok,
    failed: 'فشل',
    stopped: 'أُوقف',
  },
  turnStates: {
    idle: 'تم',
    error: 'فشل',
    aborted: 'أُوقف',
    rejected: 'مرفوض',
    interrupted: 'انقطع',
  },
  kinds: {
    model: 'النموذج',
    waiting: 'انتظار الرد',
    tool: 'الأدوات',
    retry: 'انتظار إعادة المحاولة',
    held: 'إيقاف مؤقت يدوي',
  },
  legend: 'فيمَ مضى الوقت',
  folded: (time: string) => `${time} في انتظار إجابة، مطوية`,
  foldedPauses: (time: string) => `${time} من توقفك المؤقت، مطوية`,

  search: 'البحث في الخطوات والاستدعاءات',
  searchHint: 'أداة أو وسيطة أو مخرجات أو نص أو معاينة',
  filter: 'عرض',
  filters: {
    all: 'الكل',
    steps: 'الخطوات فقط',
    asked: 'الاستدعاءات التي طلبت إذنًا',
    failed: 'الفاشلة أو المرفوضة',
    edited: 'ما غيّرتَه',
  },
  onlyTool: (tool: string, verb: string) => `استدعاءات ${ltr(tool)}${verb === tool ? '' : ` (${any(verb)})`}`,
  noMatch: 'لا خطوة ولا استدعاء يطابق ذلك.',
  found: (n: number) => counted(n, nouns.match),

  edited: 'غيّرتَه',
  heldFor: (at: string, time: string) => `أوقفتَه مؤقتًا ${at}، مدة ${time}.`,
  holding: (at: string) => `أُوقف مؤقتًا يدويًا ${at}.`,
  holdPoints: {
    request: 'قبل إرساله',
    response: 'بعد الإجابة',
    call: 'قبل تشغيله',
    result: 'قبل أن يحصل النموذج على نتيجته',
  },
  editedRequest: 'غيّرتَ هذا الطلب قبل إرساله. هذا ما تلقاه النموذج.',
  retoldRequest: 'يتضمن تغييرات أجريتَها في إيقاف مؤقت سابق.',
  requestBefore: 'قبل أن تغيّره',

  detail: 'التفاصيل',
  life: 'مسار هذا الاستدعاء',
  stepLife: 'مسار هذه الخطوة',
  stations: {
    registered: 'سُجّل',
    resolved: 'حُدّدت أداته',
    pending: 'معلّق',
    permitted: 'أُذن به',
    running: 'يعمل',
    ended: 'انتهى',
  },
  stationStates: {
    passed: 'اجتازه',
    now: 'هنا الآن',
    skipped: 'تخطّاه',
    failed: 'فشل هنا',
    ahead: 'ليس بعد',
  },
  outcomes: call.outcomes,
  stepStations: {
    asked: 'بُني',
    sent: 'أُرسل',
    first: 'أول رمز',
    answered: 'اكتملت الإجابة',
    ended: 'انتهت',
  },

  tabs: {
    call: 'الاستدعاء',
    rules: 'القواعد',
    output: 'المخرجات',
    stream: 'التدفق',
    request: 'الطلب',
    answer: 'الإجابة',
  },

  said: 'الوسيطات كما كتبها النموذج',
  typed: 'الوسيطات كما وصلت تباعًا',
  typedPieces: (n: number) => `وصلت تباعًا في ${countedAfter(n, nouns.chunk)}`,
  parsed: 'الوسيطات كما تلقّتها الأداة',
  same: 'تلقّتها الأداة كما كُتبت تمامًا.',
  neverRan: 'لم تعمل الأداة.',
  stillTyped: 'لا يزال النموذج يكتبها.',
  valid: 'تطابق مخطط الأداة.',
  invalid: {
    'unknown-tool': 'لا توجد أداة بهذا الاسم.',
    'bad-json': 'ليست JSON صالحًا.',
    'bad-input': 'لا تطابق مخطط الأداة.',
    'too-deep': 'متداخلة أعمق مما يُسمح به.',
  },
  notFit: 'لا تطابق مخطط الأداة.',
  calledBy: (callID: string) => `أجراه الاستدعاء ${ltr(callID)}.`,

  decisions: 'القرارات بالترتيب',
  noRules: 'لم تُفحص أي قاعدة لهذا الاستدعاء.',
  considered: (pattern: string) => `القواعد المطابقة لـ «${pattern}»`,
  noneConsidered: (pattern: string) => `لا قاعدة تطابق «${pattern}».`,
  consideredRule: (rule: string, action: string, source: string) =>
    `${ltr(rule)}: ${ACTIONS[action] ?? ltr(action)}، من ${source}`,
  decided: 'حاسمة',
  aside: 'متجاهَلة: لا تُظهر ما سيُشغَّل',
  unlisted: (n: number) =>
    plural(n, {
      one: 'قاعدة سابقة واحدة غير مدرجة.',
      two: 'قاعدتان سابقتان غير مدرجتين.',
      few: `${formatNumber(n)} قواعد سابقة غير مدرجة.`,
      many: `${formatNumber(n)} قاعدة سابقة غير مدرجة.`,
      other: `${formatNumber(n)} قاعدة سابقة غير مدرجة.`,
    }),

  metadata: 'بيانات الاستدعاء الوصفية',
  metadataEnd: 'عند النهاية',
  printed: 'ما طُبع أثناء التشغيل',
  before: 'المخرجات قبل اقتطاعها',
  after: 'المخرجات بعد اقتطاعها',
  outputWhole: 'المخرجات كاملة',
  sawTitle: 'ما رآه النموذج',
  saw: (step: string) => `في طلب ${step}:`,
  unseen: 'لم يرها أي نموذج بعد.',
  noResult: 'لا نتيجة له بعد.',

  parts: 'أجزاء الإجابة بالترتيب',
  noParts: 'لم يصل شيء بعد.',
  more: (n: number) => `عرض المزيد (${formatNumber(n)})`,

  equal: 'المتن المعاد بناؤه من السجل يساوي ما أُرسل.',
  different: 'المتن المعاد بناؤه من السجل يختلف عمّا أُرسل.',
  differentAt: (offset: number) => `يختلفان ابتداءً من الحرف ${formatNumber(offset)}.`,
  differentFiles: 'أحد الملفات المرفقة لم يعد مخزّنًا على هذا الجهاز.',
  differentWhy: 'أرسله إصدار آخر من هذه الصفحة، أو أُرسل بعنوان أو إعدادات مزوّد غير الحالية.',
  inPage: 'يعمل هذا النموذج في الصفحة: لم يمرّ شيء عبر الشبكة.',
  notSent: 'لم يُرسل شيء.',
  unknownBody: 'تعذّرت إعادة بناء المتن لمقارنته.',
  sentSha: 'بصمة SHA-256 لما أُرسل',
  rebuiltSha: 'بصمة SHA-256 لما أُعيد بناؤه',
  wasSent: 'كما أُرسل',
  wasRebuilt: 'كما أُعيد بناؤه',
  bodyKept: 'المتن كما أُرسل',
  bodyRebuilt: 'المتن كما أُعيد بناؤه من السجل',
  masked: 'الأسرار محجوبة. البصمات للنص الكامل.',
  requestFailed: (why: string) => `تعذّرت إعادة بناء الطلب: ${any(why)}`,
  requestLacks: {
    withheld: 'من شارك هذا التسجيل لم يضمّن ما أُرسل إلى النموذج.',
    attachment: 'لا يحتوي هذا التسجيل على الطلب كاملًا: فهو ينقل محتوى مرفق لم يُضمَّن، أو لم يكن له متسع.',
    older: 'لا يحتوي هذا التسجيل على الطلب كاملًا: فقد أنشأه إصدار أقدم، أو لم يكن له متسع.',
  },
  rebuilding: 'جارٍ إعادة بناء الطلب',
  system: 'موجّه النظام',
  messages: (n: number, shared: number) =>
    shared === 0
      ? `الرسائل: ${formatNumber(n)}`
      : `الرسائل: ${formatNumber(n)}، منها ${formatNumber(n - shared)} جديدة في هذه الخطوة`,
  newMessage: 'جديدة',
  tools: (n: number) => `الأدوات: ${formatNumber(n)}`,
  settings: 'الإعدادات',
  characters: (n: string) => `عدد الأحرف: ${n}`,
  model: 'النموذج',
  agent: 'الوكيل',

  asked: 'الموجّه',
  turnEnded: 'انتهى',
  spoken: { text: 'النص', reasoning: 'الاستدلال' },
  usage: 'الاستهلاك والوقت',
  tokens: {
    inputTokens: 'الإدخال',
    outputTokens: 'الإخراج',
    reasoningTokens: 'منه استدلال',
    cacheReadTokens: 'مقروء من الذاكرة المؤقتة',
    cacheWriteTokens: 'مكتوب في الذاكرة المؤقتة',
  },
  cost: 'التكلفة',
  noCost: 'السعر غير معروف',
  firstPiece: 'أول رمز بعد',
  took: 'المدة',
  ended: 'انتهت بـ',
  tokensPerSecond: 'رموز الإخراج في الثانية',
  fault: 'الخطأ',
  tried: (attempt: number, delay: string) => `أُعيدت المحاولة بعد ${delay}، وهي الإعادة رقم ${attempt}.`,
  noUsage: 'لم يبلّغ المزوّد عن أي استهلاك.',

  copy: 'نسخ بتنسيق',
  copyJSON: 'JSON',
  copyCurl: 'cURL',
  copySnippet: 'AI SDK',
  copied: (what: string) => `تم النسخ بتنسيق ${ltr(what)}.`,
  copyFailed: 'فشل النسخ.',
  noCurl: 'لا يُرسل شيء إلى هذا النموذج، لذا لا يوجد ما يُنسخ بتنسيق cURL.',
  showAll: (n: string) => `عرض كل الأحرف (${n})`,
} satisfies GlassTexts['inspector'];

export const past = {
  past: 'أنت تنظر إلى الماضي.',
  at: (count: number, total: number) => `كما كان بعد الحدث ${formatNumber(count)} من ${formatNumber(total)}.`,
  now: 'العودة إلى الآن',
  nothing: 'لم يكن قد قيل شيء بعد.',

  slider: 'الحدث',
  moment: 'النظر إلى الماضي',
  present: (total: string) => `بعد ${countedAfter(Number(total.replace(/\D/g, '')), nouns.event)}`,
  place: (count: string, total: string, what: string) => `الحدث ${count} من ${total}: ${any(what)}`,
  before: 'الحدث السابق',
  after: 'الحدث التالي',
  start: 'قبل الأول',

  files: (at: number) => `الملفات كما كانت عند الحدث ${formatNumber(at)}`,
  filesAtStart: 'الملفات كما كانت في البداية',
  filesAfterTurn: (turn: number) => `الملفات كما كانت بعد الدور ${turn}`,
  filesAfterCall: (tool: string, turn: number) => `الملفات كما كانت بعد ${ltr(tool)} في الدور ${turn}`,
  laterFilesLeftOut: 'لا يحتوي هذا التسجيل على الملفات بعد كل استدعاء لاحق.',
  filesLoading: 'جارٍ قراءة قائمة الملفات',
  filesFailed: (why: string) => `تعذّرت قراءة الملفات: ${any(why)}`,
  noFiles: 'لم تكن هناك ملفات.',
  notRecorded: 'لم تُسجَّل أي ملفات.',
  ignored: (paths: readonly string[]) => {
    const more = paths.length > 5 ? ` و${formatNumber(paths.length - 5)} غيرها` : '';
    return `لم يُحفظ ما يستثنيه ${ltr('.gitignore')} أو قائمة ثابتة: ${listed(paths.slice(0, 5))}${more}.`;
  },
  fileGone: 'لم يعد هذا الملف محفوظًا.',
  binary: 'هذا الملف ليس نصًا.',
} satisfies GlassTexts['past'];
