import type { WorkbenchTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { plural } from '../plural.ts';
import type { JobEndCause } from '../../../workspace/jobs.ts';
import { call } from './call.ts';
import { any, counted, countedAfter, ltr, nouns, quoted } from './text.ts';
import { codeServices, editor, folder, format, search } from './workbench-files.ts';

export const workbench = {
  bench: {
    terminal: 'الطرفية',
    terminalFailed: 'تعذّر تحميل الطرفية. تحقق من الاتصال.',
    terminalHint: 'مفتاح Tab للإكمال. اضغط Escape ثم Tab لمغادرة الطرفية.',
    touchKeys: 'المفاتيح',
    touchKey: {
      escape: 'Escape',
      tab: 'Tab',
      ctrl: 'Ctrl',
      interrupt: 'Ctrl+C',
      endOfInput: 'Ctrl+D',
      left: 'سهم لليسار',
      up: 'سهم لأعلى',
      down: 'سهم لأسفل',
      right: 'سهم لليمين',
    },
    tryAgain: 'إعادة المحاولة',

    files: 'الملفات',
    tree: 'ملفات مساحة العمل',
    toolbar: 'إجراءات الملفات',
    searchFiles: 'البحث في الملفات',
    newFile: 'ملف جديد',
    addFiles: 'إضافة ملفات',
    addFolder: 'إضافة مجلد',
    downloadAll: 'تنزيل الكل بتنسيق zip',
    downloadFolder: 'تنزيل المجلد بتنسيق zip',
    download: 'تنزيل',
    copyPath: 'نسخ المسار',
    copied: 'تم نسخ المسار.',
    move: 'نقل',
    rename: 'إعادة تسمية',
    delete: 'حذف',
    close: 'إغلاق الملف',
    undo: 'تراجع',
    dismiss: 'تجاهل',
    cancel: 'إلغاء',
    save: 'موافق',
    newFileLabel: (folder: string) => `ملف جديد في ${ltr(folder)}`,
    newFileHint: `اسم أو مسار. أنهِه بـ ${ltr('/')} لإنشاء مجلد.`,
    renameLabel: (name: string) => `الاسم الجديد لـ ${ltr(name)}`,
    drop: 'أفلت الملفات أو المجلدات هنا لإضافتها إلى مساحة العمل.',
    dropInto: (folder: string) => `أفلت للإضافة إلى ${ltr(folder)}`,
    empty: 'لا ملفات بعد. أفلت بعضها هنا، أو اطلب من الوكيل كتابة ملف.',
    unlisted: (why: string) => `تعذّر عرض هذا المجلد: ${any(why)}`,
    changedByAgent: 'غيّره الوكيل',
    changed: 'تغيّر',
    folder: 'مجلد',
    link: 'رابط',
    ignored: 'متجاهَل',
    marks: {
      added: 'جديد منذ بداية آخر دور',
      changed: 'تغيّر منذ بداية آخر دور',
      renamed: 'أُعيدت تسميته منذ بداية آخر دور',
    },

    nameEmpty: 'اكتب اسمًا.',
    nameTaken: (name: string) => `الاسم ${ltr(name)} موجود من قبل. اختر اسمًا آخر.`,
    pathTaken: (path: string) => `المسار ${ltr(path)} موجود من قبل، لذا لم يُنقل شيء.`,
    intoItself: (name: string) => `لا يمكن نقل ${ltr(name)} إلى داخله.`,
    nameUnusable: 'لا يمكن استخدام هذا الاسم.',
    refused: (why: string) => `لم ينجح ذلك: ${any(why)}`,

    deleted: (name: string) => `تم حذف ${ltr(name)}.`,
    renamed: (name: string) => `تمت إعادة التسمية إلى ${ltr(name)}.`,
    cut: (name: string) =>
      `جارٍ نقل ${ltr(name)}. انتقل إلى مجلد ثم اضغط Ctrl+V أو «نقل إلى هنا». Escape يتركه في مكانه.`,
    moveHere: 'نقل إلى هنا',
    moveToTop: (root: string) => `نقل إلى ${ltr(root)}`,
    moved: (name: string, folder: string) => `تم نقل ${ltr(name)} إلى ${ltr(folder)}.`,
    restored: (name: string) => `تمت استعادة ${ltr(name)}.`,
    deleteForGood: (name: string) =>
      `هل تريد حذف ${ltr(name)} نهائيًا؟ حجمه كبير جدًا أو يحتوي على روابط، ولا يمكن استعادته.`,

    adding: (done: number, total: number) =>
      `جارٍ إضافة الملفات: ${formatNumber(done)} من ${formatNumber(total)}`,
    added: (n: number, place: string) => `تمت إضافة ${countedAfter(n, nouns.file)} إلى ${ltr(place)}.`,
    openedTop: (name: string) => `كان كل شيء في المجلد ${ltr(name)}، ولم يُضف المجلد نفسه.`,
    nothingToAdd: 'لا ملفات في ذلك. أفلت ملفات أو مجلدات.',
    zipFound: (name: string) => `${ltr(name)} ملف zip. هل تريد فك ضغطه هنا؟`,
    unpack: 'فك الضغط',
    unpacking: 'جارٍ فك الضغط',
    addAsFile: 'إضافة ملف zip نفسه',
    kept: (n: number) => `لم يُستبدل ما كان موجودًا من قبل: ${counted(n, nouns.file)}.`,
    replace: 'استبدال',
    leaveOutIgnored: `الإضافة دون node_modules و${ltr('.git')} وما يذكره ${ltr('.gitignore')}`,
    refusedFiles: (n: number) => `تم استبعاد ${countedAfter(n, nouns.file)}.`,
    stop: 'إيقاف الإضافة',
    packing: (n: number) => `جارٍ ضغط ${countedAfter(n, nouns.file)}`,
    zipped: (n: number) => `تم ضغط ${countedAfter(n, nouns.file)}.`,
    skipped: (n: number) => `تم استبعاد ${countedAfter(n, nouns.entry)}.`,

    viewer: (path: string) => `الملف ${ltr(path)}`,
    loading: 'جارٍ التحميل',
    binary: (size: string) => `هذا الملف ليس نصًا (${ltr(size)}).`,
    large: (size: string) => `هذا الملف كبير (${ltr(size)}). قد يكون عرضه بطيئًا.`,
    showAnyway: 'عرضه رغم ذلك',
    gone: 'حُذف هذا الملف.',
    unreadable: (why: string) => `تعذّر عرض هذا الملف: ${any(why)}`,
  },

  changes: {
    changes: 'التغييرات',
    since: 'ما تغيّر منذ',
    turn: 'بداية آخر دور',
    first: 'الرسالة الأولى',
    opening: 'فتح الملفات',
    beforeMessage: (text: string) => `ما قبل ${quoted(text)}`,
    messages: 'رسائلك',
    leftOut: 'الملفات المتجاهَلة، مثل node_modules، غير مشمولة.',
    commentOn: (path: string, line: number) => `التعليق على ${ltr(path)}، السطر ${line}`,
    addComment: 'إضافة إلى رسالتك',
    commentAdded: 'تعليقك في مربع الرسالة.',
    cancel: 'إلغاء',
    list: 'الملفات المتغيّرة',
    summary: (count: number) => `تغيّر ${counted(count, nouns.file)}`,
    lines: (added: number, removed: number) => ltr(`+${added} −${removed}`),
    linesSpoken: (added: number, removed: number) =>
      `الأسطر المضافة: ${formatNumber(added)}، والمحذوفة: ${formatNumber(removed)}`,
    letters: { added: 'A', removed: 'D', renamed: 'R', changed: 'M' },
    kinds: {
      added: 'أُضيف',
      removed: 'حُذف',
      renamed: 'أُعيدت تسميته',
      changed: 'تغيّر',
    },
    renamed: (from: string, to: string) => ltr(`${from} → ${to}`),
    comparing: 'جارٍ مقارنة الملفات',
    none: 'لم يتغيّر شيء.',
    noSnapshot:
      'الملفات هنا أكثر من أن تُحفظ نسخة منها، ولذلك تظهر التغييرات ابتداءً من رسالتك الأولى. وإلى ذلك الحين يعرضها الأمر `git diff` في الطرفية إن كان المجلد مستودعًا.',
    failed: (why: string) => `تعذّر عرض التغييرات: ${any(why)}`,
    contentGone: 'أحد ملفات تلك اللحظة لم يعد مخزّنًا.',

    keep: 'إبقاء',
    keepHunk: (number: number) => `إبقاء التغيير ${number}`,
    keptHunk: 'أبقيتَ هذا التغيير.',
    keepFile: (path: string) => `إبقاء ${ltr(path)}`,
    keptFiles: (count: number) => `أبقيتَ تغييرات ${countedAfter(count, nouns.file)}.`,
    showKept: 'إظهار',
    hideKept: 'إخفاء',
    putBack: 'إرجاع',
    putBackFile: (path: string) => `إرجاع ${ltr(path)}`,
    putBackHunk: (number: number) => `إرجاع التغيير ${number}`,
    didPutBack: (path: string) => `عاد ${ltr(path)} كما كان.`,
    didPutBackHunk: (path: string) => `تم إرجاع تغيير واحد في ${ltr(path)}.`,
    beside: 'جنبًا إلى جنب',
    download: 'تنزيل كل التغييرات في ملف patch',
    patchName: 'changes.patch',

    notText: (before: string, after: string) =>
      `هذا الملف ليس نصًا. قبل: ${any(before)}. الآن: ${any(after)}.`,
    absent: 'لا ملف',
    tooLarge: 'هذا الملف أكبر من أن يُعرض ما تغيّر فيه.',
    tooDifferent: 'نسختا هذا الملف مختلفتان إلى حد تتعذّر معه المقارنة.',
    empty: 'هذا الملف فارغ.',
    modeOnly: 'لم يتغيّر إلا إذن تشغيل الملف.',
    renamedOnly: 'المحتوى هو نفسه.',
    link: (target: string) => `رابط إلى ${ltr(target)}`,
  },

  codeServices,
  editor,
  format,
  folder,
  search,

  find: {
    title: 'الانتقال إلى ملف',
    field: 'اسم الملف',
    placeholder: `جزء من الاسم، مع ${ltr(':12')} للسطر 12`,
    list: 'الملفات',
    loading: 'جارٍ سرد الملفات',
    none: 'لا يوجد ملف كهذا',
    empty: 'لا ملفات في مساحة العمل هذه بعد.',
    noWorkspace: 'افتح جلسة أولًا: الملفات تخص مساحة عملها.',
    failed: (why: string) => `تعذّر سرد الملفات: ${any(why)}`,
    found: (count: number) =>
      `${counted(count, nouns.file)}: السهمان للاختيار، وEnter للفتح، وEscape للإغلاق`,
    atLine: (line: number) => `السطر ${line}`,
    recent: 'فُتح مؤخرًا',
    newest: (count: number) => `لا يُعرض إلا أحدث الملفات (${formatNumber(count)}).`,
  },

  job: {
    heading: 'مهام الخلفية',
    count: (running: number, ended: number) =>
      [running > 0 && `تعمل: ${running}`, ended > 0 && `انتهت: ${ended}`].filter(Boolean).join('، '),
    chip: (n: number) => counted(n, nouns.job),
    show: 'عرض في علامة تبويب الطرفية',
    running: (time: string) => `تعمل منذ ${time}`,
    ended: (by: JobEndCause, exitCode: number, time: string) =>
      `${endedBy(by, exitCode)}، ومدة تشغيلها ${time}`,
    ports: (ports: readonly number[]) =>
      `${plural(ports.length, { one: 'المنفذ', two: 'المنفذان', other: 'المنافذ' })} ${ports.join('، ')}`,
    quiet: 'لا مخرجات بعد',
    stop: 'إيقاف',
    stopOf: (command: string) => `إيقاف ${ltr(command)}`,
    log: 'عرض السجل',
    hideLog: 'إخفاء السجل',
    logOf: (command: string) => `سجل ${ltr(command)}`,
    emptyLog: 'لم تطبع شيئًا.',
    told: (command: string, by: JobEndCause, exitCode: number) =>
      `مهمة في الخلفية ${endedBy(by, exitCode)}: ${ltr(command)}`,
  },

  log: {
    filter: 'تصفية السجل',
    filterHint: 'أداة أو نتيجة أو نص',
    exportLog: 'تصدير بتنسيق JSON',
    file: 'vitrine-log.json',
    clear: 'مسح',
    metrics: (calls: number | null) =>
      calls === null ? 'حسب الأداة' : `حسب الأداة، من أحدث الاستدعاءات (${formatNumber(calls)})`,
    records: 'الاستدعاءات',
    columns: {
      tool: 'الأداة',
      count: 'الاستدعاءات',
      average: 'المتوسط',
      p95: 'p95',
      errors: 'الأخطاء',
      timeouts: 'انتهاء المهلة',
      denials: 'المرفوضة',
      startup: 'البدء',
    },
    startHint: 'منذ فتح هذه الصفحة: البدء الأول مع التحميل، ثم أحدث بدء',
    noSession: 'افتح جلسة أو ابدأ واحدة لترى استدعاءاتها.',
    empty: 'لم يُستدعَ شيء في هذه الجلسة بعد.',
    cleared: 'لم يُستدعَ شيء منذ مسح القائمة.',
    none: 'لا شيء يطابق هذه التصفية.',
    older: 'عرض الاستدعاءات الأقدم',
    loading: 'جارٍ قراءة السجل',
    failed: (why: string) => `تعذّرت قراءة السجل: ${any(why)}`,
    made: 'تم التحميل',
    outcomes: call.outcomes,
    exit: call.exit,
    timedOut: 'انتهت المهلة',
    preview: 'في المعاينة',
    previewPage: (path: string) => `الصفحة: ${ltr(path)}`,
    previewCount: (messages: number, problems: number) => {
      if (messages === 0) return 'في المعاينة';
      return problems === 0
        ? `في المعاينة: الرسائل ${formatNumber(messages)}`
        : `في المعاينة: الرسائل ${formatNumber(messages)}، المشكلات ${formatNumber(problems)}`;
    },
    previewLeftOut: (messages: number) => `لم تُسجَّل رسائل أخرى، عددها ${formatNumber(messages)}.`,
    args: 'الوسيطات',
    result: 'النتيجة',
  },

  preview: {
    server: 'الخادم',
    serverName: (port: number) => `المنفذ ${port}`,
    reload: 'إعادة التحميل',
    frame: (port: number) => `ما يعرضه الخادم على المنفذ ${port}`,
    none: 'لا خادم يعمل في مساحة العمل هذه.',
    noneHint: 'شغّل خادمًا في الطرفية أو اطلب ذلك من الوكيل: يُعرض هنا ما يستمع على منفذ.',
    refused: (url: string) => `لا يمكن عرض ${ltr(url)} هنا.`,
    serverStarted: (port: number) => `يستمع خادم على المنفذ ${port}.`,
    showServer: 'عرض',
    toolbar: 'المعاينة',
    back: 'رجوع',
    openTab: 'فتح في علامة تبويب مستقلة',
    closeTab: 'العرض هنا من جديد',
    inTab: 'تُعرض الصفحة في علامة تبويب مستقلة، وهناك يراها الوكيل ويستخدمها أيضًا.',
    tabRefused: 'لم يفتح المتصفح علامة تبويب. اسمح بالنوافذ المنبثقة لهذا الموقع ثم أعد المحاولة.',
    source: 'ما يُعرض',
    sourceNone: 'اختيار',
    servers: 'الخوادم',
    folders: 'مجلدات كمواقع ثابتة',
    folder: (path: string) => (path === '' ? 'مساحة العمل كلها' : path),
    serverOver: (port: number) => `المنفذ ${port} (انتهى)`,
    address: 'العنوان',
    otherHost: (host: string) =>
      `لا تُعرض هنا إلا خوادم مساحة العمل هذه، على localhost ومنفذها. ${ltr(host)} ليس منها.`,
    width: 'العرض',
    widths: { full: 'العرض الكامل', phone: 'هاتف، 390', tablet: 'جهاز لوحي، 820' },
    widthOf: (width: number) => `بعرض ${width}`,
    page: 'الصفحة في المعاينة',
    nothing: 'لا شيء لعرضه بعد.',
    nothingHint: `شغّل خادمًا في الطرفية، مثل ${ltr('node server.js')}، أو اطلب ذلك من الوكيل: تظهر صفحته هنا من تلقاء نفسها. ولا يحتاج مجلد فيه ${ltr('index.html')} إلى خادم.`,
    showFolder: (path: string) =>
      path === '' ? `عرض ${ltr('index.html')} لمساحة العمل` : `عرض ${ltr(`${path}/index.html`)}`,
    starting: 'جارٍ بدء المعاينة',
    slow: 'عنوان المعاينة يستجيب، لكن المتصفح يستغرق وقتًا طويلًا لتشغيل عامل الخدمة الخاص به.',
    tryAgain: 'إعادة المحاولة',
    ended: (port: number) => `انتهى الخادم على المنفذ ${port}.`,
    endedHint: 'ما تحته هو ما بقي من صفحته. وعندما يبدأ الخادم من جديد يعاد تحميلها.',
    opaque: 'ليس لهذا الموقع عنوان خاص للمعاينة، لذلك تُعاد كتابة الصفحة.',
    refusedOrigin:
      'تُعاد كتابة الصفحة لأن المتصفح لم يسمح للمعاينة بأن تبدأ على عنوان خاص بها. يحدث ذلك في النوافذ الخاصة، وحيث تُحظر ملفات تعريف الارتباط للأطراف الثالثة: اسمح بها لهذا الموقع ثم أعد التحميل.',
    rewritten: 'لا يعمل فيها عمال الخدمة، ولا العمال، ولا الإطارات، ولا التخزين الدائم.',
    failed: 'لا يمكن عرض المعاينة.',
    failedHint: '«إعادة التحميل» تحاول مرة أخرى.',
    more: 'المزيد',
    drawer: 'وحدة التحكم',
    problems: (count: number) => `المشكلات: ${formatNumber(count)}`,
    entries: 'رسائل الصفحة',
    everything: 'الكل',
    onlyProblems: 'المشكلات',
    filter: 'الرسائل المعروضة',
    clear: 'مسح',
    noEntries: 'لا شيء حتى الآن.',
    send: 'إرسال إلى الوكيل',
    sent: 'أُضيف إلى رسالتك.',
    message: (path: string, text: string) => `في المعاينة تقول ${ltr(path)}:\n\n${text}`,
    pick: 'اختيار عنصر',
    picking:
      'انقر عنصرًا في الصفحة. بلوحة المفاتيح: تنقل مفاتيح الأسهم بين العناصر، ويختار Enter. ينهي Escape الاختيار.',
    picked: 'العنصر المختار',
    element: (path: string, text: string) => `في المعاينة، عنصر من ${path}:\n\n${text}`,
  },
} satisfies WorkbenchTexts;

/** The end of a job, with the job as the subject of the sentence. */
function endedBy(by: JobEndCause, exitCode: number): string {
  switch (by) {
    case 'person':
      return 'أوقفتَها';
    case 'command':
      return 'أنهاها أمر';
    case 'limit':
      return 'أُنهيت لكثرة المهام العاملة';
    case 'lost':
      return 'ضاعت بإعادة تحميل أو إعادة تشغيل';
    case 'copied':
      return 'لم تُنقل: هذه نسخة من الجلسة تبدأ من دون المهمة';
    case 'itself':
      return exitCode === 0 ? 'اكتملت' : `انتهت بالرمز ${exitCode}`;
  }
}
