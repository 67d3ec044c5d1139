import type { DraftProblem } from '../../glass/stepping/message-edit.ts';
import type { Mode } from '../../../permissions/modes.ts';
import type { GlassTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { outcomeText } from './call.ts';
import { page } from './frame-page.ts';
import { compare, recording } from './glass-runs.ts';
import { share } from './share.ts';
import { inspector, past } from './glass-inspector.ts';
import { any, counted, countedAfter, ltr, nouns, quoted } from './text.ts';
import { reasons } from './calls.ts';

export const glass = {
  reasons,
  audit: {
    title: 'قرارات الأذونات',
    of: (session: string) => `في ${quoted(session)}، الأحدث أولًا. الأسرار محجوبة.`,
    filter: 'تصفية',
    filterHint: 'أمر أو مسار أو قاعدة أو سبب',
    permission: 'الإذن',
    outcome: 'القرار',
    all: 'الكل',
    outcomes: {
      allowed: 'مسموح',
      denied: 'مرفوض',
      waiting: 'ينتظر',
      withdrawn: 'مسحوب',
      mode: 'الوضع',
      agent: 'الوكيل',
    },
    copy: 'نسخ بتنسيق JSON',
    older: 'عرض القرارات الأقدم',
    loading: 'جارٍ التحميل',
    failed: 'تعذّرت قراءة القرارات.',
    none: 'لم يُتخذ أي قرار في هذه الجلسة بعد.',
    noMatch: 'لا قرار يطابق ذلك.',
    count: (shown: number, of: number) =>
      shown === of
        ? `القرارات: ${formatNumber(of)}`
        : `القرارات: ${formatNumber(shown)} من ${formatNumber(of)}`,
    // From here on the page escapes marks of direction, as the texts contain commands and patterns.
    mode: (mode: Mode) => `تم تعيين الوضع: ${page.modes[mode].name}.`,
    agent: {
      chosen: (agent: string) => `تم اختيار الوكيل «${agent}»: تسري قواعده الخاصة من هنا.`,
      'handed-over': (agent: string) => `سمحتَ للوكيل «${agent}» بالمتابعة: تسري قواعده الخاصة من هنا.`,
    },
    by: {
      person: 'أنت',
      automation: 'نص برمجي (أتمتة)',
      policy: 'قاعدة أو وضع تغيّر أثناء الانتظار',
      cancelled: 'لا أحد: انتهى الدور قبل ذلك',
    },
    replies: {
      once: 'سماح مرة واحدة',
      session: 'سماح في هذه الجلسة',
      always: 'سماح دائم في مساحة العمل هذه',
      everywhere: 'سماح في كل مكان',
      reject: 'رفض',
    },
    answered: (reply: string, by: string) => `${reply} (${by})`,
    saying: (message: string) => `والسبب: ${message}`,
    sources: {
      default: 'القيم الافتراضية',
      settings: 'الإعدادات',
      agent: 'الوكيل',
      session: 'إجابة لهذه الجلسة',
      workspace: 'إجابة لمساحة العمل هذه',
      everywhere: 'إجابة لكل مساحات العمل',
      parent: 'الوكيل الذي أسند العمل',
      mode: 'وضع الجلسة',
      'own-config': 'تكوينك الخاص',
      config: 'تكوين مساحة العمل',
    },
    actions: { allow: 'سماح', ask: 'سؤال', deny: 'رفض' },
    rule: (pattern: string, action: string, rule: string, source: string) =>
      `${action} بشأن «${pattern}» بموجب القاعدة «${rule}»، ومصدرها ${source}`,
    noRule: (pattern: string) => `سؤال بشأن «${pattern}»، إذ لا قاعدة تشمله`,
    refusedBefore: 'رُفض الطلب نفسه سابقًا في هذا الدور، لذا لم يُسأل أحد مجددًا.',
    danger: (text: string) => `خطير، لذا يُطلب الإذن مهما سمحت به القواعد: ${text}`,
  },

  compare,

  fork: {
    goOn: 'المتابعة من هنا',
    making: 'جارٍ إنشاء جلسة بملفات تلك اللحظة',
    made: 'هذه جلسة جديدة في مساحة عمل خاصة بها، بملفات تلك اللحظة. تتابع رسالتك التالية من هنا.',
  },

  inspector,
  past,
  recording,
  share,

  step: {
    goOn: 'تتابع جلسة جديدة من هذه اللحظة، وتبقى هذه متوقفة مؤقتًا.',
    bar: 'التنفيذ خطوة بخطوة',
    points: {
      request: 'متوقف مؤقتًا قبل الطلب',
      response: 'متوقف مؤقتًا بعد إجابة النموذج',
      call: 'متوقف مؤقتًا قبل تشغيل الأداة',
      result: 'متوقف مؤقتًا قبل أن يحصل النموذج على النتيجة',
    },
    in: (title: string) => `في ${quoted(title)}`,
    more: (n: number) => `متوقف غيره: ${formatNumber(n)}`,
    armed: 'جاهز: تتوقف رسالتك التالية مؤقتًا قبل إرسال طلبها.',
    stepping: 'جاهز: توقف مؤقت عند الحدث التالي.',
    toEnd: 'يعمل حتى نهاية الدور.',
    breaks: (n: number) => `يتوقف مؤقتًا عند ${countedAfter(n, nouns.breakpoint)}.`,
    off: 'اضغط «خطوة» للتوقف مؤقتًا عند الحدث التالي.',
    step: 'خطوة',
    continue: 'متابعة',
    toEndDo: 'تشغيل حتى النهاية',
    close: 'إنهاء التنفيذ خطوة بخطوة',
    breakpoints: (n: number) => (n === 0 ? 'نقاط التوقف' : `نقاط التوقف (${formatNumber(n)})`),

    edited: 'تم التعديل: يستخدمه إجراؤك التالي.',
    restore: 'التراجع عن التعديل',
    notValid: 'لا يمكن استخدام هذا.',
    problem: (problem: DraftProblem): string => {
      if (problem.kind === 'json') return `هذا ليس JSON: السطر ${problem.line}، الحرف ${problem.character}.`;
      if (problem.kind === 'empty') return 'تحتاج الرسالة إلى جزء واحد على الأقل.';
      if (problem.kind === 'lacks') return `مفقود: ${problem.path}`;
      return `يجب أن يكون ${problem.path || 'content'}: ${problem.expected}`;
    },
    told: 'إذا شُغّل هكذا، يحصل النموذج على:',
    system: 'موجّه النظام',
    requestHint: 'تبقى المحادثة المعروضة كما هي.',
    holdsFor: 'تسري التغييرات في هذا التوقف',
    once: 'على هذا الطلب فقط',
    lasting: 'من الآن فصاعدًا',
    systemLasts:
      'يبقى موجّه النظام كما تكتبه تمامًا، لهذا الوكيل في هذه الجلسة، حتى حيث كانت الملفات أو التاريخ ستغيّره.',
    message: (n: number, role: string) => `الرسالة ${n}، ${ltr(role)}`,
    asJson: 'بتنسيق JSON',
    addMessage: 'إضافة رسالة',
    removeMessage: (n: number) => `استبعاد الرسالة ${n}`,
    arguments: (tool: string) => `وسيطات ${ltr(tool)}`,
    argumentsHint: 'تُفحص مجددًا، ويُطلب الإذن لما سيُشغَّل فعلًا.',
    instead: 'الإجابة بدلًا منها',
    run: 'تركها تعمل',
    answer: (tool: string) => `ما تقوله ${ltr(tool)}`,
    failed: 'بوصفه فشلًا',
    result: (tool: string) => `نتيجة ${ltr(tool)}`,
    outcome: (outcome: string) => `انتهى الاستدعاء بهذه الحالة: ${outcomeText(outcome)}`,
    calls: (tool: string) => `يستدعي ${ltr(tool)}`,
    nothing: 'لم يكتب شيئًا ولم يستدعِ شيئًا.',
    ended: (reason: string) => `انتهى بـ: ${any(reason)}`,

    at: 'التوقف',
    anywhere: 'في أي موضع',
    atPoints: {
      request: 'قبل طلب',
      response: 'بعد إجابة',
      call: 'قبل تشغيل أداة',
      result: 'قبل أن يحصل النموذج على نتيجة',
    },
    tool: 'الأداة',
    toolHint: `أي أداة. ${ltr('*')} و${ltr('?')} من أحرف البدل`,
    pattern: 'النمط',
    patternHint: 'تعبير نمطي',
    errors: 'عند الأخطاء فقط',
    add: 'إضافة نقطة التوقف',
    remove: (what: string) => `إزالة: ${any(what)}`,
    none: 'لا نقاط توقف بعد.',
    wrong: 'هذا ليس تعبيرًا نمطيًا.',

    editedCall: {
      input: 'غيّرتَ الوسيطات.',
      output: 'غيّرتَ ما يراه النموذج.',
      answer: 'أجبتَ بدلًا من الأداة: لم تعمل.',
    },
    from: 'قبل',
    to: 'بعد',
    editedRequest: 'غيّرتَ هذا الطلب قبل إرساله.',
    retold: 'من هنا فصاعدًا ترى النماذج نصك بدلًا من هذا.',
    tellAsItIs: 'استخدام الأصل مجددًا',
    systemRetold: (agent: string) => `من هنا فصاعدًا يستخدم الوكيل ${quoted(agent)} موجّه النظام الذي كتبتَه.`,
    tellOwnSystem: 'استخدام موجّهه الخاص مجددًا',
  },

  you: {
    title: 'أنت النموذج',
    of: (title: string) => `لـ ${quoted(title)}`,
    more: (n: number) => `ينتظر غيره: ${formatNumber(n)}`,
    hint: 'لا يستطيع النموذج إلا كتابة نص واستدعاءات أدوات. يُعامَل ما ترسله معاملة إجابة النموذج.',
    sees: 'ما يراه النموذج',
    answer: 'إجابتك',
    system: 'موجّه النظام',
    characters: (n: string) => `عدد الأحرف: ${n}`,
    messages: 'الرسائل',
    tools: (n: number) => counted(n, nouns.tool),
    schema: 'مخطط وسيطاتها',
    raw: 'عرض JSON',
    readable: 'عرض النص',
    roles: {
      system: 'النظام',
      user: 'المستخدم',
      assistant: 'أنت، سابقًا',
      tool: 'النتيجة',
    },
    reasoning: 'الاستدلال',
    calls: (tool: string) => `يستدعي ${ltr(tool)}`,
    result: (tool: string, failed: boolean) => (failed ? `فشلت ${ltr(tool)}` : `تقول ${ltr(tool)}`),
    file: 'ملف',
    text: 'النص',
    textHint: 'ما يقوله النموذج',
    callTool: 'استدعاء أداة',
    findTool: 'البحث عن أداة',
    noTool: 'لا أداة بهذا الاسم.',
    noTools: 'ليس في هذا الطلب أدوات.',
    call: (tool: string) => `استدعاء ${ltr(tool)}`,
    noArguments: 'لا تقبل وسيطات.',
    optional: 'اختياري',
    notSet: 'دون قيمة',
    yes: 'true',
    no: 'false',
    add: (name: string) => `إضافة إلى ${ltr(name)}`,
    remove: (name: string) => `إزالة ${any(name)}`,
    item: (name: string, n: number) => ltr(`${name} ${n}`),
    asJson: 'كتابة JSON',
    asForm: 'استخدام الحقول',
    json: (tool: string) => `وسيطات ${ltr(tool)} بتنسيق JSON`,
    jsonPart: 'أي JSON',
    notForm: 'لا تعرض الحقول إلا كائن JSON، وهذا ليس كائنًا. لا يزال بإمكانك إرساله.',
    problem: 'إذا أُرسل هكذا، يحصل النموذج على:',
    fits: 'الوسيطات تطابق المخطط.',
    send: 'إرسال الإجابة',
    sendCalls: (n: number) => `إرسال مع ${countedAfter(n, nouns.call)}`,
    ends: 'الإجابة التي لا استدعاء فيها تنهي الدور.',
    empty: 'اكتب شيئًا أو استدعِ أداة.',
    otherTab: 'أجب عن هذا في علامة التبويب الأخرى.',
  },
} satisfies GlassTexts;
