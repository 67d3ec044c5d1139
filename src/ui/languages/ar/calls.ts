import type { ConversationTexts, GlassTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';

/** The verbs of the app's tools, by the English ones of their cards. */
const verbOf: Readonly<Record<string, string>> = {
  Patch: 'تصحيح',
  Run: 'تشغيل',
  Batch: 'دفعة',
  'Search code': 'بحث في الشيفرة',
  Edit: 'تعديل',
  Search: 'بحث',
  List: 'سرد',
  'Plan first': 'التخطيط أولًا',
  'Plan is ready': 'الخطة جاهزة',
  Ask: 'سؤال',
  Read: 'قراءة',
  Skill: 'مهارة',
  'Sub-agent': 'وكيل فرعي',
  'In background': 'في الخلفية',
  'Background work': 'عمل في الخلفية',
  'Stop work': 'إيقاف العمل',
  Plan: 'خطة',
  Fetch: 'جلب',
  'Search web': 'بحث في الويب',
  Write: 'كتابة',
  Definition: 'التعريف',
  References: 'المراجع',
  Type: 'النوع',
  Symbols: 'الرموز',
  'Find symbol': 'بحث عن رمز',
  Implementations: 'التنفيذات',
  Calls: 'الاستدعاءات',
  Callers: 'المستدعون',
  Callees: 'المستدعَون',
  Rename: 'إعادة تسمية',
  Check: 'فحص',
  'Code actions': 'إجراءات الشيفرة',
  Preview: 'معاينة',
  Open: 'فتح',
  'Look at the page': 'النظر إلى الصفحة',
  'Read the console': 'قراءة وحدة التحكم',
  Click: 'نقر',
  Press: 'ضغط مفتاح',
  Choose: 'اختيار',
  'Wait for': 'انتظار',
  'Run in the page': 'تشغيل في الصفحة',
  'Resize the page': 'تغيير حجم الصفحة',
  'Reload the page': 'إعادة تحميل الصفحة',
  'Go back': 'رجوع',
  'Type text': 'كتابة نص',
};

export const verbs = {
  of: (english: string) => verbOf[english] ?? english,
} satisfies ConversationTexts['verbs'];

export const reasons = {
  yourArguments: 'لم يُشغَّل: الوسيطات التي كتبتها لا تطابق المخطط.',
  cannotRun: 'لم يُشغَّل: كتب النموذج استدعاءً لا يمكن تشغيله، وأُبلغ بالسبب.',
  noDecision: 'لم يلزم قرار: هذه الأداة لا تطلب أي إذن.',
  endedBefore: {
    cancelled: 'أُلغي قبل اتخاذ أي قرار.',
    interrupted: 'قُطع قبل اتخاذ أي قرار.',
    other: 'انتهى قبل اتخاذ أي قرار.',
  },
  stillWritten: 'ما زال النموذج يكتبه.',
  notStarted: 'لم يبدأ بعد.',
  deniedBefore: 'رُفض دون سؤال: رُفض الطلب نفسه سابقًا في هذا الدور.',
  dangerous: (text: string) => `طُلب الإذن مهما سمحت به القواعد: ${text} يطابق نمطًا خطيرًا.`,
  verdict: {
    asked: (cause: string) => `طُلب الإذن: ${cause}.`,
    denied: (cause: string) => `رُفض دون سؤال: ${cause}.`,
    allowed: (cause: string) => `سُمح به دون سؤال: ${cause}.`,
  },
  askedWithoutRule: 'طُلب الإذن لعدم وجود قاعدة تنطبق عليه.',
  decidedWithoutRule: 'اتُّخذ القرار دون قاعدة.',
  noRule: (pattern: string) => `لا توجد قاعدة تنطبق على «${pattern}»`,
  byRule: (rule: string, source: string, pattern: string) =>
    `قررت القاعدة «${rule}» (${source}) بشأن «${pattern}»`,
  also: (same: number, other: number) =>
    [
      same > 0 && `أنماط أخرى حسب القاعدة نفسها: ${formatNumber(same)}`,
      other > 0 && `أنماط أخرى حسب قواعد أخرى: ${formatNumber(other)}`,
    ]
      .filter(Boolean)
      .join('، '),
  withAlso: (cause: string, also: string) => `${cause}؛ ${also}`,
  withdrawn: (time: string) => `سُحب بعد ${time}: انتهى الدور قبل الإجابة.`,
  answered: (answer: string, time: string) => `${answer}، بعد ${time}.`,
  answeredSaying: (answer: string, time: string, message: string) =>
    `${answer}، بعد ${time}، مع التوضيح: ${message}.`,
  waits: 'ينتظر إجابتك.',
} satisfies GlassTexts['reasons'];
