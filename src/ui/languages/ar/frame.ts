import type { Wanted } from '../../app.ts';
import type { FrameTexts } from '../catalogue.ts';
import { formatNumber } from '../numbers.ts';
import { page } from './frame-page.ts';
import { any, counted, countedAfter, ltr, nouns, quoted } from './text.ts';

function aboutHosts({ hosts, token }: Wanted): { readonly title: string; readonly text: string } {
  if (token) return aboutToken(token);
  const names = hosts.map(ltr).join(' و');
  const several = hosts.length > 1;
  return {
    title: hosts.includes('registry.npmjs.org')
      ? `يريد برنامج جلب حزم من ${names}.`
      : `يريد برنامج الوصول إلى ${names}.`,
    text: `بعد ذلك تستطيع البرامج في مساحات عملك أن تطلب من ${several ? 'هذه المضيفات' : 'هذا المضيف'} أي شيء، وأن ترسل ${several ? 'إليها' : 'إليه'} ما تقرؤه. يمكنك التراجع عن ذلك في «الإعدادات»، قسم «الأدوات والخوادم».`,
  };
}

function aboutToken({ repository, access }: NonNullable<Wanted['token']>) {
  const isWriting = access === 'write';
  return {
    title: `يريد ${ltr('git')} استخدام رمز وصولك إلى ${ltr('GitHub')} من أجل ${isWriting ? 'تغيير' : 'قراءة'} ${ltr(repository)}.`,
    text: isWriting
      ? 'عندئذ تستطيع البرامج في مساحة العمل هذه دفع الفروع والوسوم إليه وفتح طلبات سحب، حتى يعاد تحميل هذه الصفحة. وهي لا ترى الرمز نفسه.'
      : 'عندئذ تستطيع البرامج في مساحة العمل هذه قراءة ذلك المستودع، حتى يعاد تحميل هذه الصفحة. وهي لا ترى الرمز نفسه.',
  };
}

export const frame = {
  page,

  container: {
    stuckTitle: 'تعذّر إيقاف إحدى العمليات.',
    diedTitle: 'توقفت الحاوية عن العمل.',
    restartContainer: 'إعادة تشغيل الحاوية',
    useEmbedded: 'استخدام مساحة العمل المضمّنة',
    tryAgain: 'إعادة المحاولة',
    containerOffered: 'WebContainer جاهز.',
    containerOfferedText: 'فيه Node وnpm. ما تغيّر هنا يبقى هنا.',
    containerUse: 'العمل مع Node',
    settingsContainers: 'WebContainers',
    containersAllowed: 'طلب WebContainers من StackBlitz',
    containersHint: `يوفّر WebContainer كلًا من Node وnpm في علامة التبويب هذه. تأتي بيئة تشغيله من ${ltr('stackblitz.com')}، لذا سترى StackBlitz زيارتك، أما الملفات فتبقى في علامة التبويب. تحاول مساحات العمل الجديدة استخدامه. إذا أوقفت هذا الخيار فلن تتصل الصفحة بـ StackBlitz أبدًا.`,
    containersOffBySite: 'أوقف مالك هذا الموقع WebContainers. لا يُتصل بـ StackBlitz أبدًا.',
    containersKey: 'مفتاح الموقع لـ WebContainers',
    containersKeyHint:
      'يعرّف StackBlitz بهذا الموقع. تحتاج إليه مواقع الإنتاج والمواقع التجارية، مع ترخيص من StackBlitz. يسري بعد إعادة التحميل.',
  },

  repository: {
    title: 'فتح مستودع',
    about: `من ${ltr('GitHub')}، في مساحة عمل جديدة خاصة به. لا يعمل شيء قبل أن ترسل رسالة.`,
    field: 'المستودع',
    fieldHint: `المالك/الاسم، أو عنوانه في ${ltr('github.com')}`,
    ref: 'الفرع أو الوسم',
    refHint: 'اتركه فارغًا للفرع الافتراضي',
    invalid: 'اكتب المستودع بصيغة المالك/الاسم.',
    reach: `يُجلب أحدث إيداع منه من ${ltr('api.github.com')} و${ltr('raw.githubusercontent.com')}. بعد ذلك تستطيع البرامج في مساحات عملك الوصول إلى هذين المضيفين، ويمكنك التراجع عن ذلك في «الإعدادات»، قسم «الأدوات والخوادم».`,
    token: `تحتاج المستودعات الخاصة، وكذلك أكثر من بضع عمليات فتح في الساعة، إلى رمز وصول إلى ${ltr('GitHub')} في «الإعدادات»، قسم «الأدوات والخوادم».`,
    prompt: 'بعد ذلك تنتظر هذه الرسالة في مربع الرسالة، ولا تُرسل من تلقاء نفسها.',
    promptFor: (agent: string) =>
      `بعد ذلك تنتظر هذه الرسالة إلى الوكيل ${agent} في مربع الرسالة، ولا تُرسل من تلقاء نفسها.`,
    open: 'فتح',
    stop: 'إيقاف',
    begun: `جارٍ سؤال ${ltr('GitHub')}`,
    progress: (percent: number) => `جارٍ استقبال الملفات: ${percent}%`,
  },

  hostNotice: {
    about: aboutHosts,
    allow: 'سماح',
    deny: 'رفض',
  },

  incoming: {
    hint: 'أفلت الصور وملفات PDF لإرفاقها، والتسجيل لفتحه، والملفات الأخرى لإضافتها إلى مساحة العمل',
    hintBox: 'أفلت لإرفاقه بالرسالة',
    hintRecording: 'أفلت تسجيلًا لفتحه',
    attached: (paths: readonly string[]) =>
      paths.length === 1
        ? `تم الإرفاق والحفظ في ${ltr(paths[0] ?? '')}.`
        : `تم إرفاق ${countedAfter(paths.length, nouns.file)} وحفظها في ${ltr('attachments')}.`,
    added: (n: number) => `تمت إضافة ${countedAfter(n, nouns.file)} إلى جذر مساحة العمل.`,
    kept: (n: number) => `لم يُستبدل ما كان موجودًا من قبل: ${counted(n, nouns.file)}.`,
    refused: (name: string, why: string) => `لم تتم إضافة ${ltr(name)}: ${any(why)}`,
    moreRefused: (n: number) => `ولم تتم إضافة ${formatNumber(n)} غيرها.`,
    replace: 'استبدال',
    notShown: 'تنسيق هذه الصورة لا تراه النماذج، أو حجمها أكبر من 50 ميغابايت. لذلك أُضيفت بوصفها ملفًا.',
    unpack: (name: string) => `فك ضغط ${ltr(name)}`,
    leaveOutIgnored: `الإضافة دون node_modules و${ltr('.git')} وما يذكره ${ltr('.gitignore')}`,
    nothing: 'لا ملفات في ذلك. أفلت ملفات أو مجلدات.',
    noWorkspace: 'لا توجد مساحة عمل لإضافة الملفات إليها. ابدأ جلسة ثم أفلتها مجددًا.',
    recordingShown: 'لا يمكن إضافة ملفات إلى تسجيل. افتح جلسة أو ابدأ واحدة أولًا.',
    readOnly: 'هذه الجلسة مفتوحة في علامة تبويب أخرى. أضف الملفات هناك.',
  },

  notify: {
    waits: (session: string) => `${any(session)}: الوكيل ينتظر ردك`,
    done: (session: string) => `${any(session)}: انتهى الوكيل من عمله`,
    waitsHere: (session: string) => `الجلسة ${quoted(session)} تنتظر ردك.`,
    severalWait: (count: number) => `بانتظار ردك: ${counted(count, nouns.session)}.`,
    show: 'عرض',
    untitled: 'جلسة بلا عنوان',
    waitedMeanwhile: 'الوكيل ينتظر ردك منذ مغادرتك علامة التبويب هذه.',
    doneMeanwhile: 'انتهى الوكيل من عمله أثناء غيابك.',
    turnOn: 'تلقّي إشعار في المرة القادمة',
    on: 'سيصلك إشعار عندما ينتظر الوكيل أو ينتهي وعلامة التبويب هذه مخفية. يمكنك إيقاف ذلك في «الإعدادات».',
    refused: 'لا يسمح المتصفح لهذه الصفحة بإشعارك. اسمح بذلك في إعدادات المتصفح الخاصة بهذه الصفحة.',
  },

  offline: {
    newer: 'إصدار جديد جاهز.',
    newerText: 'أعد التحميل لاستخدامه. الجلسات والمسودات محفوظة.',
    newerWorking: 'لا يزال الوكيل يعمل، وإعادة التحميل توقف دوره. الجلسات والمسودات محفوظة.',
    reload: 'إعادة التحميل',
    later: 'لاحقًا',
    needsReload: 'يحتاج node إلى إعادة تحميل واحدة.',
    needsReloadText:
      'لا يرسل هذا المضيف الترويسات التي يحتاج إليها node. بعد إعادة التحميل تضيفها الصفحة بنفسها. الجلسات والمسودات محفوظة.',

    allow: 'حفظ Vitrine في هذا المتصفح للعمل دون اتصال',
    starting: 'فُتحت الصفحة للتو.',
    works: 'تعمل دون اتصال.',
    complete: (size: string) => `تعمل دون اتصال: حُفظ ${ltr(size)} في هذا المتصفح.`,
    downloading: (kept: string, all: string) => `جارٍ التنزيل للعمل دون اتصال: ${ltr(kept)} من ${ltr(all)}.`,
    downloadingRest: (kept: string, all: string) =>
      `تعمل دون اتصال. يجري تنزيل ما يندر استخدامه: ${ltr(kept)} من ${ltr(all)}.`,
    savingData: (kept: string, all: string) =>
      `لا يُنزَّل شيء للعمل دون اتصال، لأن هذا المتصفح مضبوط على توفير البيانات. المحفوظ: ${ltr(kept)} من ${ltr(all)}.`,
    failed: (problem: string) => `فشل التنزيل للعمل دون اتصال: ${any(problem)}`,
    download: 'التنزيل الآن',
    again: 'إعادة المحاولة',
    whyNone: {
      insecure: 'لا تعمل دون اتصال: لم تُحمَّل الصفحة عبر https.',
      unsupported:
        'لا تعمل دون اتصال: لا يوفّر هذا المتصفح هنا عمال خدمة (service workers). قد تخلو منها النوافذ الخاصة.',
      site: 'لا تعمل دون اتصال: أوقف مالك هذا الموقع ذلك.',
      person: 'لا تعمل دون اتصال: هذا الخيار متوقف.',
      link: 'لا تعمل دون اتصال: فُتحت الصفحة من دونه.',
      refused: 'لا تعمل دون اتصال: رفض المتصفح عامل الخدمة (service worker).',
    },

    nodeIsOff: `الأمر node متوقف، ومعه الأدوات المخصصة والإضافات، لأن الصفحة غير معزولة عن المصادر الأخرى (cross-origin isolated). على خادمها أن يرسل مع كل ملف ${ltr('Cross-Origin-Opener-Policy: same-origin')} و${ltr('Cross-Origin-Embedder-Policy: require-corp')}.`,
    notIsolated: {
      insecure: 'عبر https تستطيع الصفحة إضافتها بنفسها.',
      unsupported: 'تستطيع الصفحة إضافتها بنفسها، لكن هذا المتصفح لا يوفّر هنا عمال خدمة (service workers).',
      site: 'تستطيع الصفحة إضافتها بنفسها، لكن مالك هذا الموقع أوقف ذلك.',
      person:
        'تضيفها الصفحة بنفسها إذا كان «حفظ Vitrine في هذا المتصفح للعمل دون اتصال» مفعّلًا في «الإعدادات».',
      link: 'تستطيع الصفحة إضافتها بنفسها، لكنها فُتحت دون عامل الخدمة (service worker).',
      refused: 'تستطيع الصفحة إضافتها بنفسها، لكن المتصفح رفض عامل الخدمة (service worker).',
    },
    notIsolatedStarting: 'الصفحة على وشك إضافتها بنفسها.',
    notIsolatedReload: 'أعد تحميل الصفحة، وستضيفها بنفسها.',
    notIsolatedAnyway: 'أضافتها الصفحة بنفسها، لكن هذا المتصفح لا يعزلها مع ذلك.',
  },

  palette: {
    palette: 'كل الأوامر',
    field: 'الأمر',
    placeholder: 'ماذا تريد أن تفعل؟',
    list: 'الأوامر',
    none: 'لا أمر يحتوي اسمه على هذا.',
    found: (count: number) => counted(count, nouns.command),

    keys: 'اختصارات لوحة المفاتيح',
    keysAbout: 'تعمل في كل مكان من الصفحة، ما لم يحتج إليها حقل نصي. يمكنك تعيين مفاتيح أخرى لأي أمر.',
    command: 'الأمر',
    key: 'المفاتيح',
    noKeys: 'لا شيء',
    change: (command: string) => `تغيير مفاتيح «${command}»`,
    changeShort: 'تغيير',
    press: 'اضغط المفاتيح الجديدة. Backspace يزيل المفاتيح، وEscape يتركها كما هي.',
    needsModifier: 'استخدم معه Ctrl أو Alt أو ⌘، أو مفتاح وظيفة: المفاتيح الأخرى تكتب نصًا.',
    taken: (keys: string, command: string) => `المفاتيح ${ltr(keys)} مخصصة لـ «${command}».`,
    take: 'نقلها إلى هنا',
    leave: 'تركها',
    reset: (command: string) => `إعادة «${command}» إلى مفاتيحه المعتادة`,
    resetShort: 'إعادة تعيين',
    resetAll: 'إعادة كل الأوامر إلى مفاتيحها المعتادة',

    more: 'مفاتيح أخرى',
    others: [
      ['Enter, Shift+Enter', 'في مربع الرسالة: إرسال، سطر جديد'],
      ['/, @', 'في مربع الرسالة: الأوامر، الملفات'],
      ['← ↑ → ↓, Home, End', 'في القوائم والأشجار وعلامات التبويب، وعلى الخط عند حافة اللوحة'],
      ['Escape ثم Tab', 'مغادرة الطرفية أو نص الملف'],
      ['Tab, Shift+Tab', 'من عنصر إلى التالي، والعكس'],
    ],
  },

  pane: {
    width: { sidebar: 'عرض قائمة الجلسات', workbench: 'عرض منضدة العمل' },
    fill: {
      sessions: 'ملء الصفحة بقائمة الجلسات',
      chat: 'ملء الصفحة بالمحادثة',
      workbench: 'ملء الصفحة بمنضدة العمل',
    },
    unfill: 'إظهار كل اللوحات مجددًا',
    layouts: {
      all: { name: 'كل اللوحات', about: 'كما كانت آخر مرة' },
      talking: { name: 'المحادثة', about: 'المحادثة وحدها' },
      reviewing: { name: 'المراجعة', about: 'التغييرات بجانب محادثة ضيقة' },
      watching: { name: 'المتابعة', about: 'الفاحص أو السجل بجانب المحادثة' },
    },
    hint: 'اسحب أو استخدم مفاتيح الأسهم. النقر المزدوج يعيد العرض المعتاد.',
    pixels: (width: number) => `${width} بكسل`,
  },

  session: {
    pinned: 'مثبّتة',
    pin: 'تثبيت',
    unpin: 'إلغاء التثبيت',
    archive: 'أرشفة',
    unarchive: 'إعادة إلى القائمة',
    archived: (count: number) => `المؤرشفة (${count})`,
    isArchived: 'مؤرشفة',
    noArchived: 'لا شيء في الأرشيف.',
    newHere: 'جلسة جديدة هنا',
    states: {
      waiting: 'بانتظارك',
      paused: 'متوقفة مؤقتًا',
      working: 'تعمل',
      failed: 'فشلت',
      interrupted: 'انقطعت',
      unseen: 'جديدة',
    },
    count: (count: number) => counted(count, nouns.session),
    opening: 'جارٍ البدء',
    elsewhere: 'في علامة تبويب أخرى',
    broken: 'تعذّر البدء',
  },

  markdown: {
    picture: 'صورة',
    remotePicture: (name: string, host: string) =>
      `${name ? any(name) : 'صورة'} (صورة على ${ltr(host)}، لم تُحمَّل)`,
    noPicture: (name: string, why: string) => `${any(name)} (${why})`,
    pictureMissing: 'ليست في مساحة العمل',
    pictureTooLarge: 'أكبر من أن تُعرض هنا',
    pictureNotImage: 'ليست صورة يمكن عرضها',
    table: 'جدول',
    copyMarkdown: 'نسخ بتنسيق Markdown',
    copyCSV: 'نسخ بتنسيق CSV',
    copied: 'تم النسخ',
    diagram: 'مخطط بياني',
    drawing: 'جارٍ رسم المخطط البياني',
    showSource: 'عرض المصدر',
    showDiagram: 'عرض المخطط البياني',
    noDiagram: (why: string) => `تعذّر رسم المخطط البياني: ${any(why)}`,
  },
} satisfies FrameTexts;
