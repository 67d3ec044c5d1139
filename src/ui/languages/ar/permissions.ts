import { permissionNamed } from '../../../tools/permissions.ts';

interface Texts {
  /** The question, after “permission required”. */
  readonly question: string;
  readonly label: string;
  readonly asksByDefault?: string;
  readonly anything?: string;
}

/** The texts of the permissions that the manifests of the tools name, by their ids. */
const TEXTS: Readonly<Record<string, Texts>> = {
  bash: {
    question: 'تشغيل أمر',
    label: 'تشغيل الأوامر',
    asksByDefault: 'تتطلب الأوامر إذنًا افتراضيًا.',
    anything: 'أي أمر',
  },
  codesearch: {
    question: 'البحث في الشيفرة العامة',
    label: 'البحث في الشيفرة العامة',
    asksByDefault: 'يتطلب البحث في الشيفرة العامة إذنًا افتراضيًا.',
  },
  edit: {
    question: 'تغيير ملف',
    label: 'تغيير الملفات',
    asksByDefault: 'يتطلب تغيير الملفات إذنًا افتراضيًا.',
    anything: 'تغيير أي ملف',
  },
  glob: { question: 'البحث في أسماء الملفات', label: 'البحث في أسماء الملفات' },
  grep: { question: 'البحث في الملفات', label: 'البحث في الملفات' },
  list: { question: 'عرض محتويات مجلد', label: 'عرض محتويات المجلدات', anything: 'أي مجلد' },
  lsp: { question: 'الاستعلام عن الشيفرة', label: 'الاستعلام عن الشيفرة' },
  preview: {
    question: 'استخدام المعاينة',
    label: 'استخدام المعاينة',
    asksByDefault: 'يتطلب تشغيل شيفرة في صفحة إذنًا افتراضيًا.',
    anything: 'أي شيء في المعاينة',
  },
  read: {
    question: 'قراءة ملف',
    label: 'قراءة الملفات',
    asksByDefault: 'تتطلب قراءة ملفات كهذا إذنًا افتراضيًا.',
    anything: 'قراءة أي ملف',
  },
  skill: { question: 'استخدام مهارة', label: 'استخدام المهارات' },
  task: { question: 'تكليف وكيل فرعي بعمل', label: 'تكليف الوكلاء الفرعيين بالعمل' },
  webfetch: {
    question: 'جلب صفحة',
    label: 'جلب الصفحات',
    asksByDefault: 'يتطلب جلب الصفحات إذنًا افتراضيًا.',
    anything: 'أي صفحة',
  },
  websearch: {
    question: 'البحث في الويب',
    label: 'البحث في الويب',
    asksByDefault: 'يتطلب البحث في الويب إذنًا افتراضيًا.',
  },
  doom_loop: {
    question: 'المتابعة رغم الاشتباه في حلقة',
    label: 'المتابعة رغم الاشتباه في حلقة',
    asksByDefault: 'تتطلب الحلقات المشتبه فيها إذنًا افتراضيًا.',
  },
  external_directory: { question: 'القراءة من خارج مساحة العمل', label: 'القراءة من خارج مساحة العمل' },
  secret: { question: 'إعطاء سر لمضيف', label: 'إعطاء سر لمضيف' },
};

/** The texts of a permission; they are in English if it has come later than these. */
export function permissionTexts(id: string): Partial<Texts> | undefined {
  return Object.hasOwn(TEXTS, id) ? TEXTS[id] : permissionNamed(id);
}
