import type { Check } from '../../../lessons/checks.ts';
import type { LessonTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { page } from './frame-page.ts';
import { any, counted, countedAfter, ltr, nouns, quoted } from './text.ts';

export const lessons = {
  lesson: {
    sentence: sentenceOf,
    title: 'الدروس',
    about: 'لكل درس مساحة عمل وجلسة خاصتان به. يتبع النموذج سيناريو مكتوبًا، أما الأدوات فتعمل فعلًا.',
    unknownMessage:
      'أنا نموذج هذا الدرس وأتبع سيناريو مكتوبًا: لا أستطيع الرد إلا على رسائل هذا الدرس. اضغط *استخدام هذه الرسالة* في الدرس المجاور وأرسلها كما هي، أو اضغط هناك *البدء من جديد*. وللمحادثة بحرية افتح جلسة جديدة بنموذجك.',
    workspace: (title: string) => `درس: ${title}`,
    loading: 'جارٍ التحميل',
    close: 'إغلاق الدروس',
    back: 'كل الدروس',
    minutes: (n: number) => `${formatNumber(n)} د`,
    steps: (done: number, of: number) => `${formatNumber(done)} من ${countedAfter(of, nouns.step)}`,
    finished: 'تم',
    notBegun: 'لم يبدأ',
    bundled: 'دروس التطبيق',
    own: 'دروسك',
    write: 'كتابة درس',
    openFile: 'فتح ملف درس',
    lessonFile: 'ملف الدرس',
    edit: 'تعديل',
    copy: 'إنشاء نسخة للتعديل',
    remove: 'حذف',
    removed: (title: string) => `تم حذف ${quoted(title)}.`,
    actions: (title: string) => `إجراءات ${quoted(title)}`,
    tryAgain: 'إعادة المحاولة',

    stepList: 'الخطوات',
    stepOf: (n: number, of: number) => `الخطوة ${n} من ${of}`,
    done: 'تمت',
    later: 'لاحقًا',
    message: 'الرسالة المراد إرسالها',
    take: 'استخدام هذه الرسالة',
    checks: 'المطلوب',
    met: 'تم:',
    open: 'مطلوب:',
    hint: 'عرض تلميح',
    nextHint: 'عرض تلميح آخر',
    hints: 'التلميحات',
    answer: 'إجابتك',
    check: 'تحقق',
    wrong: 'ليس تمامًا. انظر مجددًا.',
    wrongWithHints: 'ليس تمامًا. انظر مجددًا أو استعن بتلميح.',
    goOn: 'الخطوة التالية',
    stepDone: (n, of) => `اكتملت الخطوة ${n} من ${of}.`,
    unfinished: 'لم يكتمل بعد كل ما في هذه الخطوة.',
    asks: 'في الدرس سؤال لك.',
    toLesson: 'العودة إلى الدرس',
    aboutRequest: 'في الدرس شرح لهذا الطلب.',
    toChat: 'الانتقال إلى المحادثة',
    pressSend: 'رسالة الدرس في المربع. اضغط «إرسال».',
    stalled: 'انتهى الدور، لكن لم يتم كل المطلوب هنا. أرسل الرسالة مجددًا، أو اضغط «البدء من جديد» في الأسفل.',
    ruled:
      'سمحت قاعدة بهذا، فلم تُسأل. لكي تُسأل أزل القاعدة في الإعدادات ضمن «الأذونات» ثم اضغط «البدء من جديد» في الأسفل. أو تابع من دونه.',
    ruledByMode: (mode) =>
      `الوضع هو «${page.modes[mode].name}»، فلم تُسأل. لكي تُسأل اضغط «البدء من جديد» في الأسفل، فيعود الوضع كما كان. أو تابع من دونه.`,
    restart: 'البدء من جديد',
    restartHint: 'ينشئ مساحة عمل وجلسة جديدتين، وتُزال القديمتان، ويُلغى ما سمحت به في كل مكان خلال هذا الدرس.',
    toSession: 'العودة إلى جلسة هذا الدرس',
    elsewhere: 'أنت تنظر إلى جلسة أخرى.',
    small: {
      looking: 'جارٍ البحث عن نموذج صغير في هذا المتصفح…',
      none: 'لا يوجد نموذج صغير في هذا المتصفح.',
      found: (n: number) =>
        n === 1 ? 'يوجد نموذج صغير في هذا المتصفح.' : `عدد النماذج الصغيرة في هذا المتصفح: ${n}`,
      ofBrowser: 'نموذج هذا المتصفح',
      use: (name: string) => `دعه يجيب: ${any(name)}`,
      answers: (name: string) => `يجيب هذا النموذج عن رسائلك الآن: ${any(name)}`,
      back: 'العودة إلى السيناريو',
      watch: 'مشاهدة تسجيل',
      settings: 'الحصول على نموذج من الإعدادات',
    },
    complete: 'اكتمل الدرس.',
    next: (title: string) => `التالي: ${any(title)}`,
    allDone: 'كان هذا آخر درس. الآن دع وكيلًا يعمل بنموذج تختاره ينجز لك شيئًا.',
    announce: (n: number, of: number, title: string) =>
      `تمت الخطوة ${n - 1}. الخطوة ${n} من ${of}: ${any(title)}`,
    announceEnd: 'تمت كل الخطوات.',

    sharedTitle: 'درس من رابط',
    sharedText:
      'أنشأ شخص ما هذا الدرس وأرسله إليك. لا يعمل منه شيء قبل أن ترسل رسالة، وتظل الأدوات تطلب إذنك.',
    sharedFiles: (n: number) => counted(n, nouns.file),
    start: 'بدء الدرس',
    dismiss: 'لا، شكرًا',

    editor: 'كتابة درس',
    editorHint: 'اكتب الدرس في الحقل الأول، وسيناريو نموذجه في الحقل الثاني.',
    reference: 'كيفية كتابة الدروس',
    markdown: 'الدرس (Markdown)',
    script: 'السيناريو (JSON)',
    valid: (steps: number) => `صالح: ${counted(steps, nouns.step)}.`,
    problems: 'الأخطاء',
    doubts: 'يستحق نظرة أخرى',
    save: 'حفظ',
    saved: 'تم الحفظ.',
    unsaved: 'غير محفوظ، لكنه باقٍ على هذا الجهاز.',
    startOver: 'تجاهل التغييرات',
    bringBack: 'استعادتها',
    inOtherTab: 'هذا الدرس مفتوح في علامة تبويب أخرى أيضًا. يُحتفظ بآخر نص كُتب.',
    takeOther: 'أخذ نص علامة التبويب الأخرى',
    other: 'هذا الآن نص علامة التبويب الأخرى. يمكنك استعادة نصك.',
    tryIt: 'حفظ وتجربة',
    copyLink: 'نسخ الرابط',
    linkCopied: 'تم نسخ الرابط. كل من يفتحه يحصل على نسخة من الدرس.',
    tooLongLink: 'هذا الدرس أطول من أن يُرسل في رابط. نزّله وأرسل الملف.',
    download: 'تنزيل',
  },
} satisfies LessonTexts;

/** Replies to a request for permission, by their kinds. */
const replies: Readonly<Record<string, string>> = {
  once: 'سماح مرة واحدة',
  session: 'سماح في هذه الجلسة',
  always: 'سماح دائم',
  everywhere: 'سماح في كل مكان',
  reject: 'رفض',
  feedback: 'رفض مع ذكر السبب',
};

/** Says of a call how it ended. */
const ends: Readonly<Record<string, (call: string) => string>> = {
  ok: (call) => `نجح ${call}`,
  failed: (call) => `فشل ${call}`,
  denied: (call) => `رُفض ${call}`,
  cancelled: (call) => `أُلغي ${call}`,
  interrupted: (call) => `انقطع ${call}`,
  invalid: (call) => `لم يطابق المخططَ ${call}`,
};

const turns: Readonly<Record<string, string>> = {
  idle: 'انتهى الدور',
  error: 'فشل الدور',
  aborted: 'أوقفتَ الدور',
  rejected: 'أنهى الرفض الدور',
  interrupted: 'انقطع الدور',
};

const restores = {
  undo: 'عدتَ إلى لحظة سابقة',
  redo: 'أعدتَ ما تم التراجع عنه',
  branch: 'انتقلتَ إلى نسخة أخرى من المحادثة',
} as const;

function sentenceOf(check: Check): string {
  switch (check.kind) {
    case 'prompt':
      return check.prompt === '*' ? 'أرسلتَ رسالة' : `أرسلتَ رسالة مثل ${text(check.prompt)}`;
    case 'call':
      return sentenceOfCall(check);
    case 'asked':
      return `يُطلب منك إذن ${ltr(check.asked)}`;
    case 'permission':
      return `أجبتَ عن طلب إذن ${ltr(check.permission)}${
        check.reply
          ? `: ${[check.reply]
              .flat()
              .map((reply) => replies[reply])
              .join(' أو ')}`
          : ''
      }`;
    case 'decided':
      return `${check.action === 'allow' ? 'سمحت' : 'رفضت'} قاعدة ${check.action === 'allow' ? 'بـ ' : ''}${ltr(check.decided)} دون سؤال`;
    case 'question':
      return check.question === 'answered' ? 'أجبتَ عن السؤال' : 'تجاهلتَ السؤال';
    case 'turn':
      return turns[check.turn] ?? '';
    case 'steps':
      return `استُدعي النموذج ${countedAfter(check.steps, nouns.time)}`;
    case 'says':
      return `قال النموذج ${text(check.says)}`;
    case 'mode':
      return `اخترتَ الوضع «${page.modes[check.mode].name}»`;
    case 'task':
      return `انتهى عمل ${check.agent === undefined ? 'وكيل فرعي' : `الوكيل ${ltr(check.agent)}`}: ${taskStates[check.task] ?? check.task}`;
    case 'compacted':
      return 'لُخّصت المحادثة';
    case 'restored':
      return restores[check.restored];
    case 'file':
      return check.gone ? `لم يعد ${ltr(check.file)} موجودًا` : `أصبح ${ltr(check.file)} كما ينبغي`;
    case 'ask':
      return check.ask;
  }
}

const taskStates: Readonly<Record<string, string>> = {
  completed: 'تم',
  error: 'فشل',
  cancelled: 'أُوقف',
  interrupted: 'انقطع',
};

function sentenceOfCall(check: Extract<Check, { kind: 'call' }>): string {
  const call = `استدعاء ${ltr(check.call)}${check.with ? ` مع ${text(check.with)}` : ''}`;
  const end = (check.outcome && ends[check.outcome]?.(call)) ?? `انتهى ${call}`;
  const times = check.times ?? 1;
  return times > 1 ? `${end}، ${countedAfter(times, nouns.time)}` : end;
}

/** A pattern without the wildcards at its ends. */
function text(pattern: string): string {
  return quoted(pattern.replace(/^\*|\*$/g, ''));
}
