import type { Grant } from '../../../config/grants.ts';
import type { ServerState } from '../../../extensions/mcp/servers.ts';
import type { SettingsTexts } from '../catalogue.ts';
import { browserModel, local, openRouter, settingsPages, tabModels } from './settings-pages.ts';
import { permissionTexts } from './permissions.ts';
import { any, counted, countedAfter, ltr, nouns } from './text.ts';

const GRANTS: Readonly<Record<Grant['kind'], (what: string) => string>> = {
  rule: (what) => `السماح دون سؤال: ${what}`,
  'agent-rule': (what) => `السماح لوكيل دون سؤال: ${what}`,
  instructions: (what) => `جلب التعليمات من ${what}`,
  model: (what) => `الإرسال إلى نموذج آخر: ${what}`,
  switch: (what) => `تفعيل: ${what}`,
  setting: (what) => `استخدام: ${what}`,
  provider: (what) => `الإرسال إلى نماذج ${what}`,
  server: (what) => `استخدام أدوات الخادم ${what}`,
  code: (what) => `تحميل وتشغيل: ${what}`,
};

const STATES: {
  readonly [S in ServerState['state']]: (state: Extract<ServerState, { state: S }>) => string;
} = {
  off: () => 'متوقف',
  connecting: () => 'جارٍ الاتصال…',
  connected: ({ tools }) => `متصل، ${counted(tools.length, nouns.tool)}`,
  'sign-in': ({ wider }) =>
    wider
      ? 'تم تسجيل الدخول، لكن استدعاءً يحتاج إلى المزيد: سجّل الدخول مجددًا للسماح به'
      : 'يطلب منك تسجيل الدخول',
  'no-client': ({ fault }) => told(fault),
  failed: ({ fault }) => told(fault),
};

function told({ what, next }: { readonly what: string; readonly next?: string | undefined }): string {
  return any(next === undefined ? what : `${what} ${next}`);
}

export const settings = {
  browserModel,
  tabModels,
  local,
  openRouter,
  settingsPages,
  config: {
    heading: 'ملفات التكوين',
    hint: 'ما تنص عليه ملفات مساحة العمل هذه، وملفاتك الخاصة. لا تستطيع ملفات مساحة العمل إلا طلب الإذن والرفض، إلى أن تثق بها.',
    noWorkspace: 'لا مساحة عمل مفتوحة.',
    noFiles: 'لا ملفات تكوين في مساحة العمل هذه.',
    filesRead: 'الملفات المقروءة',
    rules: 'القواعد السارية، واللاحقة منها تغلب',
    problems: 'ما تم تجاهله',
    problem: (file: string, line: number | undefined, what: string, next: string) =>
      `${ltr(line === undefined ? file : `${file}:${line}`)}: ${any(`${what} ${next}`)}`,
    unusedModel: (provider: string, model: string, providerName: string | undefined) => ({
      what: providerName
        ? `النموذج ${ltr(model)} غير مستخدم: لم يتم إعداد ${any(providerName)} في هذا المتصفح.`
        : `النموذج ${ltr(model)} غير مستخدم: لا يوجد هنا مزوّد ${ltr(`"${provider}"`)}.`,
      next: providerName
        ? 'أعدّه أعلاه. حتى ذلك الحين تُرسل الموجّهات إلى النموذج المختار هناك.'
        : 'تُرسل الموجّهات إلى النموذج المختار أعلاه.',
    }),
    unusedAgentModel: (provider: string, model: string, providerName: string | undefined) => ({
      what: `النموذج ${ltr(model)} غير مستخدم: ${
        providerName
          ? `لم يتم إعداد ${any(providerName)} في هذا المتصفح`
          : `لا يوجد هنا مزوّد ${ltr(`"${provider}"`)}`
      }.`,
      next: 'يعمل الوكيل بالنموذج الذي يُرسل إليه الموجّه.',
    }),
    grants: 'ما تسمح به',
    grant: (kind: Grant['kind'], what: string) => GRANTS[kind](ltr(what)),
    trusted: 'أنت تثق بهذا.',
    untrusted: 'أنت لا تثق بهذا، لذا لا يسري منه شيء.',
    trustTitle: 'تطلب مساحة العمل هذه أكثر مما تسمح به إعداداتك.',
    trustText: (count: number) =>
      `في ملفاتها ${counted(count, nouns.item)} بانتظار ثقتك. حتى ذلك الحين لا تستطيع هذه الملفات إلا طلب الإذن والرفض.`,
    commands: 'الأوامر',
    foundCommands: (count: number) =>
      `${counted(count, nouns.command)}: السهمان للاختيار، وEnter للإدراج، وEscape للإغلاق`,
    look: 'مراجعة',
    trust: 'ثقة',
    distrust: 'عدم الثقة',
    secrets: 'الأسرار',
    secretsHint: `تسمّيها الملفات والأدوات المخصصة ${ltr('${NAME}')} أو ${ltr('{env:NAME}')} ولا تراها أبدًا: يضع التطبيق القيمة في الطلب بعد أن يسألك عن مضيفه. تبقى حتى إغلاق علامة التبويب، ما لم تُحفظ.`,
    secretName: 'اسم السر',
    secretValue: 'القيمة',
    rememberSecret: 'الحفظ على هذا الجهاز',
    saveSecret: 'تخزين السر',
    noValue: 'لا قيمة في علامة التبويب هذه',
    secretAsked: (name: string, host: string) => `يطلب ${ltr(host)} السر ${ltr(name)}.`,
    allowSecret: 'سماح',
    own: 'ملفاتك الخاصة',
    ownHint: `لكل مساحات العمل في هذا المتصفح. يستطيع الوكيل قراءتها في ${ltr('~/.config/opencode')} ولا يستطيع تغييرها. يحتوي ${ltr('opencode.json')} و${ltr('config.toml')} على الإعدادات، و${ltr('AGENTS.md')} على التعليمات، و${ltr('agents/*.md')} على الوكلاء، و${ltr('commands/*.md')} على الأوامر، و${ltr('skills/NAME/SKILL.md')} على المهارات، و${ltr('tools/*.ts')} على الأدوات، و${ltr('plugins/*.ts')} على الإضافات.`,
    ownFile: 'الملف',
    ownText: 'النص',
    newFile: 'ملف خاص جديد',
    fileName: 'اسم الملف الجديد',
    editedName: 'اسم الملف',
    taken: (path: string) => `${ltr(path)} موجود بالفعل. عدّل ذلك الملف بدلًا من ذلك.`,
    unusedName:
      'تم الحفظ، لكن لا يُستخدم أي ملف بهذا الاسم تلقائيًا، بل الأسماء المذكورة أعلاه فقط. يمكن لملف آخر أن يشير إليه.',
    cancel: 'إلغاء',
    done: 'تم',
    removed: (path: string) => `تمت إزالة ${ltr(path)}.`,
    save: 'تخزين الملف',
    saved: 'تم الحفظ.',
    remove: 'إزالة',
    removeFile: (path: string) => `إزالة ${ltr(path)}`,
    edit: 'تعديل',
    editFile: (path: string) => `تعديل ${ltr(path)}`,
  },

  host: {
    hosts: 'المضيفون الذين تستطيع البرامج الوصول إليهم',
    hostsHint: `واحد في كل سطر، مثل ${ltr('api.example.com')} أو ${ltr('example.com:8443')} أو ${ltr('*.example.com')}. تستطيع الشيفرة في مساحة عمل مضمّنة أن تطلب من هؤلاء وأن ترسل إليهم كل ما تقرؤه. يُطلب الإذن للأمر، لا لكل طلب. لا يجيب إلا المضيفون الذين يسمحون لصفحات الويب بقراءتهم (CORS).`,
  },

  script: {
    script: 'السيناريو',
    hint: 'ما سيقوله النموذج بتنسيق JSON: نص واستدعاءات أدوات، خطوة بخطوة. تعمل الأدوات فعلًا وتطلب الإذن كالمعتاد. السيناريو الذي فيه ملفات يحصل على مساحة عمل جديدة.',
    file: 'اختيار ملف',
    example: `{
  "version": 1,
  "title": "قراءة ملاحظة",
  "files": { "notes.txt": "شراء الحليب\\n" },
  "turns": [
    {
      "steps": [
        { "tools": [{ "tool": "read", "input": { "filePath": "notes.txt" } }] },
        { "text": "تقول الملاحظة: شراء الحليب." }
      ]
    }
  ]
}
`,
  },

  server: {
    heading: 'خوادم الأدوات (MCP)',
    hint: `خوادم على الويب تزوّد الوكيل بمزيد من الأدوات. تطلب أدواتها الإذن قبل كل استدعاء، بالاسم ${ltr('server/tool')}. لا تثق بما تعيده.`,
    list: 'خوادم الأدوات',
    none: 'لا خوادم أدوات بعد.',
    state: (state: ServerState): string => (STATES[state.state] as (state: ServerState) => string)(state),
    tools: 'الأدوات',
    signIn: 'تسجيل الدخول',
    signInTo: (name: string) => `تسجيل الدخول إلى ${any(name)} (يفتح صفحة أخرى)`,
    signOut: 'تسجيل الخروج',
    signOutOf: (name: string) => `تسجيل الخروج من ${any(name)}`,
    again: 'إعادة الاتصال',
    connectAgain: (name: string) => `إعادة الاتصال بـ ${any(name)}`,
    remove: 'إزالة',
    removeServer: (name: string) => `إزالة ${any(name)}`,
    remember: (name: string) => `البقاء مسجّل الدخول إلى ${any(name)} على هذا الجهاز`,
    name: 'اسم الخادم',
    url: 'عنوان الخادم',
    clientId: 'معرّف العميل، إذا لم يسجّل الخادم معرّفًا بنفسه',
    add: 'إضافة خادم',
  },

  settings: {
    settingsPermissions: 'الأذونات',
    settingsRules: 'الإجابات المحفوظة',
    settingsLook: 'المظهر',
    settingsNotifications: 'عندما تكون علامة التبويب هذه مخفية',
    notifications: 'تلقّي إشعار عندما ينتظر الوكيل أو ينتهي',
    notificationSound: 'تشغيل صوت عندئذ',
    notificationsRefused:
      'لا يسمح المتصفح لهذه الصفحة بإشعارك. اسمح بذلك في إعدادات المتصفح الخاصة بهذه الصفحة.',
    settingsStorage: 'التخزين',
    provider: 'المزوّد',
    chooseProvider: 'اختيار مزوّد',
    baseURL: 'عنوان URL الأساسي',
    apiKey: 'مفتاح API',
    keyStored: { none: '', tab: 'مخزّن لعلامة التبويب هذه', device: 'مخزّن على هذا الجهاز' },
    keyOptional: 'فقط إذا كان خادمك يحتاج إليه',
    keyPlaceholder: 'الصق المفتاح',
    remember: 'حفظ المفتاح على هذا الجهاز',
    rememberHint: 'وإلا فسيزول عند إغلاق علامة التبويب هذه. لا يُرسل إلا إلى المزوّد.',
    forgetKey: 'محو المفتاح',
    getKey: 'الحصول على مفتاح',
    test: 'اختبار الاتصال',
    testing: 'جارٍ الاختبار',
    testOk: 'أجاب النموذج.',
    save: 'حفظ',
    saved: 'تم الحفظ.',
    baseURLDefault: 'عنوان المزوّد نفسه',
    listing: 'جارٍ جلب قائمة النماذج',
    listed: (n: number) => `تم العثور على ${countedAfter(n, nouns.model)}`,
    permissionName: (permission: string) => permissionTexts(permission)?.label ?? permission,
    permissionActions: { allow: 'سماح', ask: 'سؤال', deny: 'رفض', custom: 'حسب النمط' },
    permissionsHint: 'ما يجوز للوكيل فعله دون سؤال، في كل مساحات العمل.',
    rulesHint: 'ما سمحت به دائمًا، هنا أو في كل مساحات العمل.',
    noRules: 'لا إجابات محفوظة بعد.',
    ruleScopes: { workspace: 'مساحة العمل هذه', everywhere: 'كل مكان' },
    exportRules: 'تصدير إلى ملف',
    importRules: 'استيراد من ملف',
    importedRules: (n: number) => `تمت إضافة ${countedAfter(n, nouns.answer)}.`,
    rulesFile: 'vitrine-rules.json',
    revoke: 'إبطال',
    revokeRule: (rule: string) => `إبطال ${ltr(rule)}`,
    settingsTools: 'الأدوات',
    toolSwitches: {
      'experimental.batch_tool': 'عدة استدعاءات في استدعاء واحد (batch)',
      'experimental.lsp_tool': 'الاستعلام عن الشيفرة (lsp)',
      'lsp.after_changes': 'إخبار الوكيل بالأخطاء التي يخلّفها تغيير في TypeScript وJavaScript',
    },
    toolsHint: 'الأدوات المتوقفة لا تُعرض على الوكيل، ابتداءً من خطوته التالية.',
    settingsConversations: 'المحادثات',
    makeTitles: 'تسمية الجلسات تلقائيًا',
    makeTitlesHint: 'طلب صغير إضافي مع رسالتك الأولى. وإلا فالاسم هو سطرها الأول.',
    makeSummaries: 'التلخيص عند امتلاء السياق',
    makeSummariesHint: `يرى النموذج عندئذ ملخصًا بدلًا من الرسائل والمخرجات القديمة، وتحتفظ الصفحة بها كلها. وإلا ينتهي الدور، ويقوم ${ltr('/compact')} بالتلخيص عندما تطلب ذلك.`,
    settingsWeb: 'الويب',
    fetchProxy: 'خادم وسيط (proxy) لجلب الصفحات',
    fetchProxyHint: `لا تسمح معظم المواقع لصفحات مثل هذه بقراءتها. يستطيع ذلك خادم وسيط تثق به، وهو يرى كل العناوين. ضع ${ltr('{url}')} مكان العنوان.`,
    useSearchKey: 'استخدام',
    rememberSearchKey: 'حفظ المفتاح على هذا الجهاز',
    searchKeys: {
      exa: {
        label: 'مفتاح Exa',
        save: 'استخدام مفتاح Exa',
        forget: 'محو مفتاح Exa',
        hint: `بمفتاح يستطيع الوكيل البحث في الويب باستخدام Exa. لا يُرسل إلا إلى ${ltr('api.exa.ai')}.`,
      },
      github: {
        label: 'رمز وصول GitHub',
        save: 'استخدام رمز وصول GitHub',
        forget: 'محو رمز وصول GitHub',
        hint: `برمز وصول يستطيع الوكيل البحث في الشيفرة العامة، ويستطيع ${ltr('git')} الوصول إلى المستودعات الخاصة والدفع إليها. يكفي للبحث رمز بلا أي صلاحيات. لا يُرسل إلا إلى ${ltr('api.github.com')}، وبالنسبة إلى ${ltr('git')} يُسأل عن كل مستودع.`,
      },
    },
    language: 'اللغة',
    languageOfBrowser: 'لغة المتصفح',
    languageReload:
      'تتغيّر اللغة عند إعادة التحميل التالية. إعادة التحميل توقف الدور العامل. الجلسات والمسودات محفوظة.',
    reload: 'إعادة التحميل',
    theme: 'السمة',
    themes: { system: 'النظام', light: 'فاتح', dark: 'داكن' },
    textSize: 'حجم النص',
    codeSize: 'حجم الشيفرة',
    sizes: { small: 'صغير', normal: 'عادي', large: 'كبير', larger: 'كبير جدًا', largest: 'الأكبر' },
    density: 'الكثافة',
    densities: { comfortable: 'مريحة', compact: 'متراصة' },
    contrast: 'التباين',
    contrasts: { system: 'كما يطلب النظام', more: 'تباين أعلى' },
    licences: 'تراخيص الأطراف الثالثة',
    storageUsed: (used: string, quota: string) => `المستخدم ${ltr(used)} من ${ltr(quota)} يسمح بها المتصفح.`,
    storageUnknown: 'لا يبيّن المتصفح مقدار المستخدم.',
    storagePersistent: 'الجلسات والملفات مخزّنة في هذا المتصفح.',
    storageMemory: 'لا يُخزَّن أي شيء: يرفض هذا المتصفح ذلك. يضيع كل شيء عند إغلاق علامة التبويب.',
  },
} satisfies SettingsTexts;
