import type { WorkbenchTexts } from '../catalogue.ts';
import type { SettingsNote } from '../../workbench/files/editor/format/protocol.ts';
import { formatNumber } from '../numbers.ts';
import { any, counted, countedAfter, ltr, nouns } from './text.ts';

export const codeServices = {
  problems: (count: number) => counted(count, nouns.problem),
  problemsTitle: 'سرد المشكلات (Ctrl+Shift+M). ينتقل Alt+F8 إلى التالية.',
  definition: 'التعريف',
  definitionTitle: 'الانتقال إلى التعريف (F12)',
  rename: 'إعادة تسمية',
  renameTitle: 'إعادة تسمية الاسم الموجود عند المؤشر (F2)',
  unavailable: (why: string) => `لا تستطيع خدمة اللغة الإجابة: ${any(why)}`,
  noDefinition: 'لم يُعثر على تعريف هنا.',
  builtIn: (name: string) => `هذا معرَّف في ${ltr(name)} الذي يأتي مع TypeScript وليس في مساحة العمل.`,
  noHover: 'لا معلومات عن هذا الموضع.',

  renameLabel: (name: string) => `الاسم الجديد لـ ${ltr(name)}`,
  noName: 'ضع المؤشر في الاسم الذي تريد تغييره.',
  saveFirst: (path: string) => `في ${ltr(path)} تعديلات غير محفوظة. احفظها أو تجاهلها، ثم أعد التسمية.`,
  changed: (path: string) => `تغيّر ${ltr(path)} في هذه الأثناء. لم تُعَد تسمية شيء. أعد المحاولة.`,
  halfDone: (paths: string) => `تغيّر ملف في هذه الأثناء، وتعذّر إرجاع ما يلي: ${ltr(paths)}`,
  places: (places: number, files: number) =>
    `${counted(places, nouns.place)} في ${countedAfter(files, nouns.file)}:`,
  inFile: (path: string, places: number) => `${ltr(path)} (${formatNumber(places)})`,
  nothing: 'لن يتغيّر شيء.',
  look: 'عرض المواضع',
  renameAll: 'إعادة تسمية الكل',
  cancel: 'إلغاء',
  renamed: (name: string, places: number) =>
    `تمت إعادة التسمية إلى ${ltr(name)} في ${countedAfter(places, nouns.place)}.`,
} satisfies WorkbenchTexts['codeServices'];

export const editor = {
  openFiles: 'الملفات المفتوحة',
  textOf: (path: string) => `نص ${ltr(path)}`,
  unsaved: 'غير محفوظ',
  closeTab: 'إغلاق',
  save: 'حفظ',
  find: 'بحث',
  leave: 'مفتاح Tab للإزاحة. اضغط Escape ثم Tab لمغادرة النص.',
  lineEnds: (name: string) => `تنتهي الأسطر بالطريقتين. الحفظ يجعلها كلها ${ltr(name)}.`,
  notSaved: (name: string, why: string) => `لم يُحفظ ${ltr(name)}: ${any(why)}`,
  notDurable: (name: string, why: string) =>
    `تم حفظ ${ltr(name)}، لكنه قد يضيع بعد إعادة التحميل: ${any(why)}`,
  changedAgain: 'تغيّر الملف للتو. احفظ مجددًا.',
  loadFailed: 'تعذّر تحميل المحرر، لذا الملف للقراءة فقط.',
  tryAgain: 'إعادة المحاولة',

  largeReadOnly: 'الملفات الكبيرة للقراءة فقط.',
  notUTF8: 'هذا الملف ليس UTF-8 بالكامل. لا يمكن عرض بعض الأحرف، وهو للقراءة فقط.',

  closeUnsaved: (name: string) => `في ${ltr(name)} تعديلات غير محفوظة.`,
  discard: 'تجاهل التعديلات',
  cancel: 'إلغاء',

  changedBy: (name: string, agent: boolean) =>
    agent
      ? `غيّر الوكيل ${ltr(name)} بينما كانت لديك تعديلات غير محفوظة.`
      : `تغيّر ${ltr(name)} بينما كانت لديك تعديلات غير محفوظة.`,
  showBoth: 'عرض النصين',
  keepMine: 'إبقاء نصي',
  takeTheirs: (agent: boolean) => (agent ? 'أخذ نص الوكيل' : 'أخذ النص الآخر'),
  bothLegend: (agent: boolean) =>
    agent ? 'الأسطر التي تحمل − للوكيل، والتي تحمل + لك.' : 'الأسطر التي تحمل − في الملف، والتي تحمل + لك.',
  comparing: 'جارٍ المقارنة',
  tooDifferent: 'النصان مختلفان إلى حد تتعذّر معه مقارنتهما سطرًا بسطر.',
  deleted: (name: string) => `حُذف ${ltr(name)}. الحفظ يكتبه من جديد.`,

  phrases: {
    Find: 'بحث',
    Replace: 'استبدال بـ',
    next: 'التالي',
    previous: 'السابق',
    all: 'تحديد الكل',
    'match case': 'مطابقة حالة الأحرف',
    'by word': 'كلمات كاملة',
    regexp: 'تعبير نمطي',
    replace: 'استبدال',
    'replace all': 'استبدال الكل',
    close: 'إغلاق البحث',
    'current match': 'النتيجة الحالية',
    'replaced $ matches': 'عدد ما استُبدل: $.',
    'replaced match on line $': 'تم الاستبدال في السطر $.',
    'on line': 'في السطر',
    Diagnostics: 'المشكلات',
    'No diagnostics': 'لا مشكلات',
    Completions: 'الإكمالات',
    'Go to line': 'الانتقال إلى السطر',
    go: 'انتقال',
  },
} satisfies WorkbenchTexts['editor'];

export const format = {
  format: 'تنسيق',
  keys: 'Shift+Alt+F',
  onSave: 'التنسيق عند الحفظ',
  formatting: 'جارٍ التنسيق',
  formatted: 'تم التنسيق.',
  unchanged: 'النص منسّق من قبل.',
  ignored: `هذا الملف يستثنيه ${ltr('.prettierignore')} أو يتبع حزمة. لم يتغيّر شيء.`,
  syntax: (line: number, column: number, message: string) =>
    `لم يُنسَّق. السطر ${line}، العمود ${column}: ${any(message)}`,
  failed: (why: string) => `لم يُنسَّق. ${any(why)}`,
  changedMeanwhile: 'لم يُنسَّق، لأن النص تغيّر في هذه الأثناء. أعد التنسيق.',
  note: (note: SettingsNote, path: string): string => {
    switch (note.kind) {
      case 'code':
        return `الملف ${ltr(path)} شيفرة لا تُشغَّل لهذا الغرض: استُخدمت القيم الافتراضية و${ltr('.editorconfig')}.`;
      case 'unreadable':
        return `تعذّرت قراءة ${ltr(path)} (${any(note.why)})، لذا استُخدمت القيم الافتراضية و${ltr('.editorconfig')}.`;
      case 'plugins':
        return `لم تُستخدم الإضافات المذكورة في ${ltr(path)}.`;
    }
  },
} satisfies WorkbenchTexts['format'];

export const folder = {
  connect: 'ربط مجلد من قرصك',
  region: (name: string) => `المجلد ${ltr(name)} من قرصك`,
  unsupported:
    'لا يسمح هذا المتصفح لصفحة بالكتابة في مجلد من قرصك، أما Chrome وEdge فيسمحان. «إضافة مجلد» ينسخ مجلدًا إلى مساحة العمل، و«تنزيل الكل بتنسيق zip» يُخرج الملفات منها.',
  refused: (name: string) =>
    `لم يُسمح للمتصفح بقراءة ${ltr(name)} والكتابة فيه. اضغط «مقارنة» ليُطلب الإذن منك مجددًا.`,
  failed: (why: string) => `لم ينجح ذلك: ${any(why)}`,
  equal: 'لا يختلف عنه أي ملف في مساحة العمل.',
  differ: (count: number) => `تغيّر منذ ذلك الحين في مساحة العمل: ${counted(count, nouns.file)}.`,
  compare: 'مقارنة',
  disconnect: 'إلغاء الربط',
  disconnected: (name: string) => `لم يعد ${ltr(name)} مرتبطًا. تبقى ملفاته كما هي.`,
  undo: 'تراجع',
  working: 'جارٍ العمل',
  reading: (count: number) => `جارٍ قراءة ${countedAfter(count, nouns.file)}`,
  copying: (done: number, total: number) =>
    `جارٍ نسخ الملفات: ${formatNumber(done)} من ${formatNumber(total)}`,
  stop: 'إيقاف',

  nothing: 'الملفات نفسها في كليهما.',
  plan: 'الاختلافات',
  groups: {
    out: 'تغيّر في مساحة العمل: كتابة إلى قرصك',
    in: 'تغيّر على قرصك: جلب إلى مساحة العمل',
    both: 'تغيّر في كليهما: الاختيار لكل ملف',
  },
  kinds: { added: 'جديد', changed: 'تغيّر', removed: 'محذوف' },
  choice: (path: string) => `ما يجب فعله بـ ${ltr(path)}`,
  leave: 'ترك كليهما كما هو',
  toDisk: 'كتابة ملف مساحة العمل إلى قرصك',
  fromDisk: 'جلب ملف قرصك إلى مساحة العمل',
  more: (count: number) => `وغيرها: ${counted(count, nouns.file)}`,
  carryOut: (count: number) => `نسخ ${countedAfter(count, nouns.file)}`,
  cancel: 'إلغاء',

  wrote: (count: number) => `تمت كتابة ${countedAfter(count, nouns.file)} إلى قرصك.`,
  brought: (count: number) => `تم جلب ${countedAfter(count, nouns.file)} إلى مساحة العمل.`,
  left: (count: number) => `بقي كما كان: ${counted(count, nouns.file)}.`,
  dismiss: 'تجاهل',
} satisfies WorkbenchTexts['folder'];

export const search = {
  title: 'البحث في الملفات',
  close: 'إغلاق البحث',
  field: 'البحث عن',
  matchCase: 'مطابقة حالة الأحرف',
  words: 'كلمات كاملة',
  regexp: 'تعبير نمطي',
  by: 'استبدال بـ',
  byHint: `${ltr('$1')} هي المجموعة الأولى، و${ltr('$&')} النتيجة، و${ltr('\\n')} سطر جديد.`,
  replaceToo: 'استبدال',
  filters: 'أي الملفات',
  include: 'في هذه فقط',
  includeHint: 'src, *.ts',
  exclude: 'ليس في هذه',
  excludeHint: 'dist, *.min.js',
  ignoredToo: 'والملفات المتجاهَلة أيضًا',

  results: 'النتائج',
  searching: 'جارٍ البحث',
  none: 'لا نتائج.',
  found: (n: number, inFiles: number) => `${counted(n, nouns.match)} في ${countedAfter(inFiles, nouns.file)}`,
  more: (shown: number) => `هناك المزيد. تُعرض أول ${countedAfter(shown, nouns.match)}، ولا يُستبدل غيرها.`,
  timedOut: 'استغرق البحث وقتًا أطول من اللازم. يُعرض ما عُثر عليه حتى الآن.',
  ignoredLeftOut: 'لم يشمل البحث الملفات المتجاهَلة، مثل node_modules.',
  invalid: (why: string) => `هذا ليس تعبيرًا نمطيًا: ${any(why)}`,
  failed: (why: string) => `لم ينجح البحث: ${any(why)}`,
  inFile: (path: string, count: number) => `${ltr(path)}، ${counted(count, nouns.match)}`,
  line: (line: number) => `السطر ${line}`,
  becomes: 'يصبح',

  replace: 'استبدال',
  replaceOne: (line: number, path: string) => `الاستبدال في السطر ${line} من ${ltr(path)}`,
  replaceFile: (path: string) => `استبدال الكل في ${ltr(path)}`,
  replaceAll: (count: number) => `استبدال ${countedAfter(count, nouns.match)}`,
  cut: 'هذا السطر أطول من أن يُستبدل فيه هنا.',
  working: 'جارٍ الاستبدال',
  replaced: (n: number, inFiles: number) =>
    `تم استبدال ${countedAfter(n, nouns.match)} في ${countedAfter(inFiles, nouns.file)}.`,
  notReplaced: 'لم يُستبدل شيء.',
  left: (count: number) => `بقي كما هو: ${counted(count, nouns.file)}.`,
  why: {
    changed: 'تغيّر منذ البحث',
    unsaved: 'فيه تعديلات غير محفوظة',
    'not-text': 'ليس UTF-8 بالكامل',
    failed: 'تعذّرت كتابته',
  },
  leftFile: (path: string, why: string) => `${ltr(path)}: ${why}`,
  undo: 'تراجع',
  undone: 'تم التراجع عن الاستبدال.',
  changedSince: 'تغيّر منذ الاستبدال',
} satisfies WorkbenchTexts['search'];
