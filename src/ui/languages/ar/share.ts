import { bytes } from '../../format.ts';
import type { GlassTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { ltr } from './text.ts';

export const share = {
  title: 'مشاركة',
  about: 'كل من لديه الرابط أو الملف يرى ما هو مذكور هنا، دون تثبيت أي شيء ودون مفتاح.',
  aboutLesson: 'كل من لديه الرابط يمكنه أخذ هذا الدرس، دون تثبيت أي شيء ودون مفتاح.',
  preparing: 'جارٍ التحضير',
  stages: {
    reading: 'تجري قراءة الجلسة…',
    writing: 'تجري كتابة الملف…',
    linking: 'يجري إنشاء الرابط…',
  },
  goesAlong: 'ما تتم مشاركته',
  always: (messages: number, calls: number) =>
    `الرسائل: ${formatNumber(messages)}، واستدعاءات الأدوات مع الوسيطات والنتائج: ${formatNumber(calls)}`,
  parts: {
    files: (n: number) => `الملفات: ${formatNumber(n)}، كما كانت في البداية وبعد كل استدعاء`,
    outputs: (n: number) => `النص الكامل للمخرجات الطويلة: ${formatNumber(n)}`,
    pictures: (n: number) => `الصور والمرفقات: ${formatNumber(n)}`,
    requests: (n: number) => `ما أُرسل إلى النموذج، عدد الطلبات: ${formatNumber(n)}`,
    preview: (n: number) => `ما أبلغت عنه المعاينة، عدد الأسطر: ${formatNumber(n)}`,
  },
  filesStay: 'ما قرأه الوكيل أو كتبه يبقى في استدعاءاته.',
  secrets: (n: number) =>
    n === 0
      ? 'لم يُتعرّف على أي مفاتيح أو رموز وصول.'
      : `أُزيلت المفاتيح ورموز الوصول، وحل محلها ${ltr('[secret]')}. عدد المواضع: ${formatNumber(n)}.`,
  notRecognized: 'لا يتم التعرّف على الأسماء والعناوين وكلمات المرور داخل الملفات.',
  look: 'معاينة ما سيراه الآخرون',
  link: 'رابط',
  linkHint: 'كل شيء موجود في الرابط نفسه. لا يُرفع أي شيء.',
  linkNames: 'يذكر الرابط اسم الدرس، والدرس موجود في Vitrine نفسه.',
  copyLink: 'نسخ الرابط',
  copyEmbed: 'نسخ رمز التضمين',
  copiedEmbed: 'تم نسخ الرمز. يعرض هذا في صفحة أخرى.',
  send: 'إرسال الرابط',
  copied: 'تم نسخ الرابط.',
  length(n: number): string {
    const characters = `عدد الأحرف ${formatNumber(n)}`;
    if (n <= 2_000) return `${characters}: قصير بما يكفي لتطبيقات المراسلة الشائعة.`;
    return `${characters}: أطول مما تقبله تطبيقات المراسلة الشائعة، وهو من ${formatNumber(2_000)} إلى ${formatNumber(4_000)} في الرسالة. شارك الملف هناك.`;
  },
  leftOut: {
    between: 'لكي يتسع الرابط، لا يتضمن الملفات بين الاستدعاءات.',
    later: 'لكي يتسع الرابط، لا يتضمن تغيّر الملفات بعد البداية.',
    edits: 'لكي يتسع الرابط، لا يتضمن تغيّر الملفات بعد البداية ولا الطلبات المعدّلة.',
    prompts: 'لكي يتسع الرابط، لا يتضمن تغيّر الملفات بعد البداية ولا ما أُرسل إلى النموذج.',
  },
  fileLacks: (files: string) => `لا يتسع الملف لما يلي: ${files}.`,
  linkLacks: (files: string) => `لا يتسع الرابط لما يلي: ${files}.`,
  largest: (files: string) => `ما يشغل أكبر مساحة: ${files}.`,
  tooLong: 'المحتوى أطول من أن يتسع له رابط. استبعد المزيد أعلاه، أو شارك الملف.',
  file: 'ملف',
  save: (size: number) => `حفظ الملف (${ltr(bytes(size))})`,
  fileHint: (open: string, menu: string, beside: string) =>
    `يُفتح من «${open}» في قائمة «${menu}» بجانب «${beside}»، أو بإفلاته على الصفحة.`,
  address: 'عنوان',
  addressHint: 'ضع الملف على خادم يُسمح للمواقع الأخرى بقراءته (CORS)، ثم شارك هذا الرابط إليه.',
  copyAddress: 'نسخ الرابط إلى هذا العنوان',
  copyEmbedAddress: 'نسخ رمز تضمين هذا العنوان',
  addressField: 'عنوان الملف',
  platform: `منصة تعليمية (${ltr('cmi5')})`,
  platformHint:
    'يستورد مدير المنصة هذا الملف كدورة. يقرأ المتعلمون الدرس هناك، ويبلغ الدرس المنصة بمدى تقدمهم.',
  platformReach: {
    computer: (host: string) =>
      `يؤدي الملف إلى ${ltr(host)}، وهو هذا الحاسوب: لن يصل المتعلمون في أماكن أخرى إلى الدرس. احفظه من Vitrine منشور على الويب.`,
    network: (host: string) =>
      `يؤدي الملف إلى ${ltr(host)}: لن يصل إلى الدرس إلا المتعلمون في الشبكة نفسها. ليصل إليه الجميع احفظه من Vitrine منشور على الويب.`,
  },
  saveCourse: `حفظ ${ltr('cmi5.xml')}`,
  notAnAddress: `اكتب العنوان كاملًا، بدءًا بـ ${ltr('https://')}.`,
  reach: {
    computer: (host: string) =>
      `تؤدي الروابط إلى ${ltr(host)}، وهو هذا الحاسوب: لا يمكن لأحد غيرك فتحها. الروابط التي يفتحها الآخرون تأتي من Vitrine منشور على الويب.`,
    network: (host: string) =>
      `تؤدي الروابط إلى ${ltr(host)}: لا تفتحها إلا الأجهزة في الشبكة نفسها. الروابط المتاحة للجميع تأتي من Vitrine منشور على الويب.`,
  },
  fileInstead: 'يُفتح الملف في أي Vitrine.',
  tooBig:
    'المجموع أكثر من 20 ميغابايت، وهو أكثر مما يُسمح به للتسجيل. استبعد المزيد أعلاه: الملفات والصور تشغل أكبر مساحة.',
  tooBigEven: (save: string) =>
    `الحجم أكثر من 20 ميغابايت، وهو أكثر مما يُسمح به للتسجيل. «${save}» في قائمة الجلسة يحفظ المحادثة كنص.`,
} satisfies GlassTexts['share'];
