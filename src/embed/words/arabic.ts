import type { Words } from './english.ts';

const rules = new Intl.PluralRules('ar');

function minutes(n: number): string {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = {
    one: 'دقيقة واحدة',
    two: 'دقيقتين',
    few: `${n} دقائق`,
  };
  return forms[rules.select(n)] ?? `${n} دقيقة`;
}

export const arabic: Words = {
  loading: 'جارٍ التحميل…',
  play: 'تشغيل',
  pause: 'إيقاف مؤقت',
  position: 'الموضع',
  speed: 'السرعة',
  bar: 'المشغّل',
  conversation: 'المحادثة',
  openIn: 'فتح في Vitrine',
  opensTab: '(يفتح علامة تبويب جديدة)',
  clock: (moment, duration) => `${moment} من ${duration}`,
  facts: (steps, calls, duration) => `الخطوات: ${steps} · استدعاءات الأدوات: ${calls} · ${duration}`,
  recorded: 'هذا تسجيل: لا شيء يعمل هنا.',
  person: 'الشخص',
  model: 'النموذج',
  summary: 'ملخص المحادثة حتى الآن',
  thinking: 'الاستدلال',
  arguments: 'الوسيطات',
  result: 'النتيجة',
  change: 'التغيير',
  wholeOutput: 'المخرجات كاملة',
  call: (tool) => `استدعاء أداة: ${tool}`,
  states: {
    typing: 'يكتب الوسيطات',
    waiting: 'بانتظار إجابة',
    running: 'يعمل',
    ok: 'تم',
    failed: 'فشل',
    denied: 'مرفوض',
    cancelled: 'أُلغي',
    interrupted: 'انقطع',
    invalid: 'غير صالح',
  },
  turns: {
    error: 'انتهى الدور بخطأ.',
    aborted: 'أُوقف الدور.',
    rejected: 'انتهى الدور لأن استدعاءً رُفض.',
    interrupted: 'انقطع الدور.',
  },
  edited: 'عدّله الشخص أثناء إيقاف مؤقت',
  stepTitle: (number) => `الخطوة ${number}`,
  asked: 'الرسالة السابقة لها',
  usage: (input, output) => `الرموز: ${input} واردة و${output} صادرة`,
  took: (seconds) => `${seconds} ث`,
  decisions: 'الإذن',
  allowedByRules: (permission) => `سمحت به القواعد: ${permission}`,
  deniedByRules: (permission) => `رفضته القواعد: ${permission}`,
  answers: {
    once: 'سُئل عنه وسُمح به مرة واحدة',
    session: 'سُئل عنه وسُمح به لهذه الجلسة',
    always: 'سُئل عنه وسُمح به دائمًا',
    everywhere: 'سُئل عنه وسُمح به في كل مكان',
    reject: 'سُئل عنه ورُفض',
  },
  picture: 'صورة',
  attachment: (type) => `مرفق: ${type}`,
  lesson: {
    stepOf: (n, of) => `الخطوة ${n} من ${of}`,
    minutes: (n) => `نحو ${minutes(n)}`,
    readHere: 'هنا يمكنك قراءة الدرس. لإنجازه افتحه في Vitrine، حيث تعمل الأدوات فعلًا.',
    message: 'الرسالة المراد إرسالها',
    checks: 'المطلوب',
    hints: 'التلميحات',
    watch: 'مشاهدة تسجيل في Vitrine',
    next: 'الخطوة التالية',
    back: 'الخطوة السابقة',
    finish: 'إنهاء',
    finished: 'قرأت الدرس حتى نهايته.',
  },
  cannotShow: 'لا يمكن عرض هذا',
  notSandboxed:
    'يجب ألا يكون لهذا الإطار أصل خاص به. أعطه sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox" أو استخدم العنصر vitrine-player.',
};
