import type { FaultSentences } from '../faults.ts';

export const SENTENCES: FaultSentences = {
  'The browser has no network connection.': 'لا يوجد اتصال بالشبكة في المتصفح.',
  'Connect to the network, then try again.': 'اتصل بالشبكة ثم حاول مرة أخرى.',
  'The browser does not let this page reach this computer or the local network.':
    'لا يسمح المتصفح لهذه الصفحة بالوصول إلى هذا الحاسوب أو إلى الشبكة المحلية.',
  'Allow "Local network access" for {origin} in the site settings beside the address, then try again.':
    'اسمح لـ \u2066{origin}\u2069 بالوصول إلى الشبكة المحلية («\u2066Local network access\u2069») في إعدادات الموقع بجانب العنوان، ثم حاول مرة أخرى.',
  'A page served over https may not call a server over http.':
    'لا يجوز لصفحة تعمل عبر https أن تتصل بخادم عبر http.',
  '{host} answers, but does not allow this page to read it (CORS).':
    'يجيب \u2066{host}\u2069، لكنه لا يسمح لهذه الصفحة بقراءة إجابته (CORS).',
  '{host} gave no answer that this page can read. The server is down, or does not allow this page (CORS).':
    'لم يقدّم \u2066{host}\u2069 إجابة تستطيع هذه الصفحة قراءتها. الخادم متوقف، أو لا يسمح لهذه الصفحة (CORS).',
  '{start*} If it runs: {allow*}': '{start*} وإن كان يعمل: {allow*}',
  '{host} cannot be reached: nothing answers there.':
    'لا يمكن الوصول إلى \u2066{host}\u2069: لا شيء يجيب هناك.',
  '{host} cannot be reached: nothing answers there ({why*}).':
    'لا يمكن الوصول إلى \u2066{host}\u2069: لا شيء يجيب هناك (\u2068{why*}\u2069).',
  'Start Ollama with this page allowed: OLLAMA_ORIGINS={origin} ollama serve':
    'شغّل Ollama بحيث يسمح لهذه الصفحة: \u2066OLLAMA_ORIGINS={origin} ollama serve\u2069',
  'In LM Studio, Developer → Server settings, switch on "Enable CORS", or start it with: lms server start --cors':
    'في \u2066LM Studio\u2069، ضمن «Developer» ← «\u2066Server settings\u2069»، فعّل «\u2066Enable CORS\u2069»، أو شغّل الخادم بالأمر: \u2066lms server start --cors\u2069',
  'Start vLLM with this page allowed: vllm serve {model} --allowed-origins \'["{origin}"]\'':
    'شغّل vLLM بحيث يسمح لهذه الصفحة: \u2066vllm serve {model} --allowed-origins \'["{origin}"]\'\u2069',
  'In Jan, Settings → Local API server, switch on "Cross-Origin Resource Sharing (CORS)", then restart the server.':
    'في Jan، ضمن «Settings» ← «\u2066Local API server\u2069»، فعّل «\u2066Cross-Origin Resource Sharing (CORS)\u2069»، ثم أعد تشغيل الخادم.',
  '{provider*} usually allows pages. A proxy, a content blocker or a regional block can cause this.':
    'يسمح {provider*} للصفحات عادةً. قد يكون السبب وكيلًا أو أداة لحجب المحتوى أو حظرًا إقليميًا.',
  'The server must answer with "Access-Control-Allow-Origin: {origin}" and allow the request headers authorization and content-type. If it should already, check the base URL.':
    'يجب أن يجيب الخادم بـ «\u2066Access-Control-Allow-Origin: {origin}\u2069» وأن يسمح بترويستي الطلب authorization و\u2066content-type\u2069. وإن كان يفعل ذلك، فتحقق من عنوان URL الأساسي.',
  'Start Ollama: ollama serve': 'شغّل Ollama: \u2066ollama serve\u2069',
  'Start Ollama: OLLAMA_ORIGINS={origin} ollama serve':
    'شغّل Ollama: \u2066OLLAMA_ORIGINS={origin} ollama serve\u2069',
  'Start LM Studio’s server: Developer → Start server, with "Enable CORS" on.':
    'شغّل خادم \u2066LM Studio\u2069: «Developer» ← «\u2066Start server\u2069»، مع تفعيل «\u2066Enable CORS\u2069».',
  'Start vLLM: vllm serve MODEL': 'شغّل vLLM: \u2066vllm serve MODEL\u2069',
  'Start llama.cpp’s server: llama-server -m MODEL.gguf --jinja':
    'شغّل خادم llama.cpp: \u2066llama-server -m MODEL.gguf --jinja\u2069',
  'Start Jan’s server: Settings → Local API server → Start server.':
    'شغّل خادم Jan: «Settings» ← «\u2066Local API server\u2069» ← «\u2066Start server\u2069».',
  'Check the base URL in Settings and the connection; a content blocker may also stop the request.':
    'تحقق من عنوان URL الأساسي في «الإعدادات» ومن الاتصال؛ وقد توقف الطلبَ أداةٌ لحجب المحتوى.',
  'Start the server at {host}, or correct the base URL in Settings.':
    'شغّل الخادم على \u2066{host}\u2069، أو صحّح عنوان URL الأساسي في «الإعدادات».',
  'The server refused the request without a message.': 'رفض الخادم الطلب دون أن يذكر سببًا.',
  'This Anthropic organisation forbids calls from a browser. Use a key of another organisation or workspace, or ask its administrator to allow browser access.':
    'تمنع مؤسسة Anthropic هذه الاستدعاءات من المتصفح. استخدم مفتاح مؤسسة أخرى أو مساحة عمل أخرى، أو اطلب من مديرها السماح بالوصول من المتصفح.',
  'Check the balance and limits of the {provider*} account.': 'تحقق من رصيد حسابك وحدوده لدى {provider*}.',
  'Check the API key for {provider*} in Settings.': 'تحقق في «الإعدادات» من مفتاح API الخاص بـ {provider*}.',
  'Check the API key for {provider*} in Settings. Keys are made at {url}.':
    'تحقق في «الإعدادات» من مفتاح API الخاص بـ {provider*}. تُنشأ المفاتيح على \u2066{url}\u2069.',
  'The key is valid but not allowed to do this. Check its permissions and whether the service is available in your region. {key*}':
    'المفتاح صالح لكنه لا يملك إذنًا بذلك. تحقق من أذوناته ومن توفّر الخدمة في منطقتك. {key*}',
  'The conversation is longer than the model can read. Summarize it, start a new session, or choose a model with a larger context.':
    'لخّص المحادثة، أو ابدأ جلسة جديدة، أو اختر نموذجًا بسياق أكبر.',
  'This model cannot see pictures. Send the message without them, or choose another model.':
    'أرسل الرسالة بدون الصور، أو اختر نموذجًا آخر.',
  'Wait a little and try again, or choose another model.':
    'انتظر قليلًا ثم حاول مرة أخرى، أو اختر نموذجًا آخر.',
  'Try again, or choose another model.': 'حاول مرة أخرى، أو اختر نموذجًا آخر.',
  'The server has nothing at this address. Check the base URL in Settings; it usually ends in /v1.':
    'لا شيء لدى الخادم في هذا العنوان. تحقق من عنوان URL الأساسي في «الإعدادات»؛ وهو ينتهي عادةً بـ \u2066/v1\u2069.',
  'Run `ollama pull {model}`, or choose another model in Settings.':
    'نفّذ \u2066`ollama pull {model}`\u2069، أو اختر نموذجًا آخر من «الإعدادات».',
  'Choose another model than "{model*}" in Settings.':
    'اختر من «الإعدادات» نموذجًا غير «\u2068{model*}\u2069».',
  'This model cannot call tools. Choose one that can.':
    'لا يستطيع هذا النموذج استدعاء الأدوات. اختر نموذجًا يستطيع ذلك.',
  'The provider rejected the request. Choose another model, or start a new session.':
    'اختر نموذجًا آخر، أو ابدأ جلسة جديدة.',
  'The request was stopped.': 'أُوقف الطلب.',
  'The server did not answer in time.': 'لم يُجب الخادم في الوقت المناسب.',
  'Check that the server is running and the model is loaded, then try again.':
    'تحقق من أن الخادم يعمل وأن النموذج محمّل، ثم حاول مرة أخرى.',
  'The request could not be made: {message*}': 'تعذّر إنشاء الطلب: \u2068{message*}\u2069',
  'Choose another model, or start a new session.': 'اختر نموذجًا آخر، أو ابدأ جلسة جديدة.',
  'The model call failed.': 'أخفق استدعاء النموذج.',
  'The server sent something that is not part of the protocol: {message*}':
    'أرسل الخادم شيئًا ليس من البروتوكول: \u2068{message*}\u2069',
  'Try again; if it keeps happening, check that the base URL is that of a compatible server.':
    'حاول مرة أخرى. وإن تكرر الخطأ، فتحقق من أن عنوان URL الأساسي لخادم متوافق.',
  'The answer was cut off before the model had finished.': 'انقطعت الإجابة قبل أن ينتهي النموذج.',
  'Try again; if it keeps happening, check the connection and the provider’s status page.':
    'حاول مرة أخرى. وإن تكرر الخطأ، فتحقق من الاتصال ومن صفحة حالة المزوّد.',
  'The conversation and the answer together exceed the model’s context window.':
    'المحادثة والإجابة معًا أطول مما يستطيع النموذج قراءته.',
  'Start a new session, or choose a model with a larger context.':
    'ابدأ جلسة جديدة، أو اختر نموذجًا بسياق أكبر.',
  'The server answered with a web page instead of a model’s answer.':
    'أجاب الخادم بصفحة ويب بدلًا من إجابة نموذج.',
  'Check the base URL in Settings; it usually ends in /v1.':
    'تحقق من عنوان URL الأساسي في «الإعدادات»؛ وهو ينتهي عادةً بـ \u2066/v1\u2069.',
  'The server answered with a single JSON value instead of a stream.':
    'أجاب الخادم بقيمة JSON واحدة بدلًا من تدفّق.',
  'The server answered with status {status}.': 'أجاب الخادم بالحالة \u2066{status}\u2069.',
  'The answer was cut off.': 'انقطعت الإجابة.',
  'The server’s answer is not a list of models: {details*}':
    'إجابة الخادم ليست قائمة نماذج: \u2068{details*}\u2069',
  'Check the base URL in Settings; it usually ends in /v1. You can also type the model’s name.':
    'تحقق من عنوان URL الأساسي في «الإعدادات»؛ وهو ينتهي عادةً بـ \u2066/v1\u2069. ويمكنك أيضًا كتابة اسم النموذج.',
  '"{address*}" is not an address.': '«\u2068{address*}\u2069» ليس عنوانًا.',
  'There is no base URL for the {provider*}.': 'لم يُحدَّد عنوان URL أساسي لـ {provider*}.',
  'Set one in Settings that begins with https:// or http://, for example http://localhost:11434/v1.':
    'حدّد في «الإعدادات» عنوانًا يبدأ بـ \u2066https://\u2069 أو \u2066http://\u2069، مثل \u2066http://localhost:11434/v1\u2069.',
  'There is no API key for {provider*}.': 'لا يوجد مفتاح API لـ {provider*}.',
  'Enter one in Settings. Keys are made at {url}.':
    'أدخله في «الإعدادات». تُنشأ المفاتيح على \u2066{url}\u2069.',
  'The script answers with status {status}.': 'يجيب السيناريو بالحالة \u2066{status}\u2069.',
  'There is no script to play.': 'لا يوجد سيناريو لتشغيله.',
  'Load a script, or choose another model in Settings.': 'حمّل سيناريو، أو اختر نموذجًا آخر من «الإعدادات».',
  'It answers, but has no models yet.': 'يجيب الخادم، لكن ليس لديه نماذج بعد.',
  'Something listens there, but did not answer in time.': 'يعمل شيء ما هناك، لكنه لم يُجب في الوقت المناسب.',
  'If it is still loading a model, wait a little and look again.':
    'إن كان لا يزال يحمّل نموذجًا، فانتظر قليلًا ثم ابحث مرة أخرى.',
  'Get one that can use tools, for example: ollama pull qwen3':
    'احصل على نموذج يستطيع استخدام الأدوات، مثل: \u2066ollama pull qwen3\u2069',
  'Download one in LM Studio, load it, and look again.':
    'نزّل نموذجًا في \u2066LM Studio\u2069 وحمّله هناك، ثم ابحث مرة أخرى.',
  'Start it with a model: llama-server -m MODEL.gguf --jinja':
    'شغّله مع نموذج: \u2066llama-server -m MODEL.gguf --jinja\u2069',
  'Start it with a model: vllm serve MODEL': 'شغّله مع نموذج: \u2066vllm serve MODEL\u2069',
  'Download one in Jan, start it, and look again.': 'نزّل نموذجًا في Jan وشغّله، ثم ابحث مرة أخرى.',
  'What answers there is not a list of models.': 'ما يجيب هناك ليس قائمة نماذج.',
  'Another program may use this port. If {server*} listens at another one, choose the OpenAI-compatible server above and enter its base URL.':
    'ربما يستخدم برنامج آخر هذا المنفذ. إن كان {server*} يستخدم منفذًا آخر، فاختر أعلاه الخادم المتوافق مع OpenAI وأدخل عنوان URL الأساسي الخاص به.',
  'Choose the OpenAI-compatible server above, then {server*}, and enter the key that it asks for.':
    'اختر أعلاه الخادم المتوافق مع OpenAI، ثم {server*}، وأدخل المفتاح الذي يطلبه.',
  'Restart {server*}, then look again.': 'أعد تشغيل {server*}، ثم ابحث مرة أخرى.',
  'The model did not answer within {seconds} seconds.': 'لم يُجب النموذج خلال \u2066{seconds}\u2069 ثانية.',
  'OpenRouter could not finish the sign-in: it answered with status {status}.':
    'تعذّر على OpenRouter إتمام تسجيل الدخول: أجاب بالحالة \u2066{status}\u2069.',
  'OpenRouter cannot be reached to finish the sign-in.': 'لا يمكن الوصول إلى OpenRouter لإتمام تسجيل الدخول.',
  'Try again. If it repeats, a content blocker or a proxy may be in the way.':
    'حاول مرة أخرى. وإن تكرر ذلك، فقد تكون أداة لحجب المحتوى أو وكيل في الطريق.',
  'OpenRouter gave no permission: it was refused or cancelled there.':
    'لم يمنح OpenRouter الإذن: رُفض تسجيل الدخول أو أُلغي هناك.',
  'Sign in again and allow it, or paste a key.': 'سجّل الدخول مرة أخرى وامنح الإذن، أو ألصق مفتاحًا.',
  'The model could not be fetched: {host} cannot be reached.':
    'تعذّر جلب النموذج: لا يمكن الوصول إلى \u2066{host}\u2069.',
  'Check the network, then go on. What is here already is kept.':
    'تحقق من الشبكة ثم تابع. ما هو موجود هنا يبقى محفوظًا.',
  '{host} answered {status} for {path*}.':
    'أجاب \u2066{host}\u2069 بـ \u2066{status}\u2069: \u2068{path*}\u2069',
  '{path*} ended too early.': 'انتهى هذا الملف قبل أوانه: \u2068{path*}\u2069',
  'These files are no model for this page: {files*} missing.':
    'هذه الملفات ليست نموذجًا لهذه الصفحة. ينقص: \u2068{files*}\u2069',
  'Pick the folder of a model as it is on Hugging Face, with its subfolder onnx.':
    'اختر مجلد نموذج كما هو على \u2066Hugging Face\u2069، مع مجلده الفرعي onnx.',
  'This browser has no room for the files of the model: {why*}':
    'لا مكان في المتصفح لملفات النموذج: \u2068{why*}\u2069',
  'Chrome 148 or newer on a computer may have one. Choose another model in Settings.':
    'قد يكون في \u2066Chrome 148\u2069 أو أحدث على حاسوب. اختر نموذجًا آخر من «الإعدادات».',
  'It needs much free disk space and memory. Choose another model in Settings.':
    'يحتاج إلى مساحة كبيرة على القرص وذاكرة كبيرة. اختر نموذجًا آخر من «الإعدادات».',
  'The browser refused its model: {why*}': 'رفض المتصفح إتاحة نموذجه: \u2068{why*}\u2069',
  'The language model of this browser failed: {why*}': 'أخفق النموذج اللغوي لهذا المتصفح: \u2068{why*}\u2069',
  'Open Settings, Models, to see what this browser offers, or choose another model there.':
    'افتح «الإعدادات» ثم «النماذج» لترى ما يقدّمه هذا المتصفح، أو اختر هناك نموذجًا آخر.',
  'OpenAI-compatible server': 'الخادم المتوافق مع OpenAI',
  'the script': 'السيناريو',
};
