import type { FaultSentences } from '../faults.ts';

export const SENTENCES: FaultSentences = {
  'The browser has no network connection.': 'У браузера нет подключения к сети.',
  'Connect to the network, then try again.': 'Подключитесь к сети и попробуйте ещё раз.',
  'The browser does not let this page reach this computer or the local network.':
    'Браузер не пускает эту страницу к этому компьютеру и в локальную сеть.',
  'Allow "Local network access" for {origin} in the site settings beside the address, then try again.':
    'Разрешите {origin} доступ к локальной сети («Local network access») в настройках сайта рядом с адресом и попробуйте ещё раз.',
  'A page served over https may not call a server over http.':
    'Страница, открытая по https, не может обращаться к серверу по http.',
  '{host} answers, but does not allow this page to read it (CORS).':
    '{host} отвечает, но не разрешает этой странице читать ответ (CORS).',
  '{host} gave no answer that this page can read. The server is down, or does not allow this page (CORS).':
    '{host} не дал ответа, который эта страница может прочитать. Сервер не работает или не допускает эту страницу (CORS).',
  '{start*} If it runs: {allow*}': '{start*} Если он уже работает: {allow*}',
  '{host} cannot be reached: nothing answers there.': '{host} недоступен: там ничего не отвечает.',
  '{host} cannot be reached: nothing answers there ({why*}).':
    '{host} недоступен: там ничего не отвечает ({why*}).',
  'Start Ollama with this page allowed: OLLAMA_ORIGINS={origin} ollama serve':
    'Запустите Ollama так, чтобы он допускал эту страницу: OLLAMA_ORIGINS={origin} ollama serve',
  'In LM Studio, Developer → Server settings, switch on "Enable CORS", or start it with: lms server start --cors':
    'В LM Studio в разделе «Developer» → «Server settings» включите «Enable CORS» или запустите сервер командой: lms server start --cors',
  'Start vLLM with this page allowed: vllm serve {model} --allowed-origins \'["{origin}"]\'':
    'Запустите vLLM так, чтобы он допускал эту страницу: vllm serve {model} --allowed-origins \'["{origin}"]\'',
  'In Jan, Settings → Local API server, switch on "Cross-Origin Resource Sharing (CORS)", then restart the server.':
    'В Jan в разделе «Settings» → «Local API server» включите «Cross-Origin Resource Sharing (CORS)» и перезапустите сервер.',
  '{provider*} usually allows pages. A proxy, a content blocker or a regional block can cause this.':
    'Обычно {provider*} допускает страницы. Причиной может быть прокси, блокировщик содержимого или региональная блокировка.',
  'The server must answer with "Access-Control-Allow-Origin: {origin}" and allow the request headers authorization and content-type. If it should already, check the base URL.':
    'Сервер должен отвечать с заголовком «Access-Control-Allow-Origin: {origin}» и разрешать заголовки запроса authorization и content-type. Если он это уже делает, проверьте базовый URL.',
  'Start Ollama: ollama serve': 'Запустите Ollama: ollama serve',
  'Start Ollama: OLLAMA_ORIGINS={origin} ollama serve':
    'Запустите Ollama: OLLAMA_ORIGINS={origin} ollama serve',
  'Start LM Studio’s server: Developer → Start server, with "Enable CORS" on.':
    'Запустите сервер LM Studio: «Developer» → «Start server», с включённым «Enable CORS».',
  'Start vLLM: vllm serve MODEL': 'Запустите vLLM: vllm serve MODEL',
  'Start llama.cpp’s server: llama-server -m MODEL.gguf --jinja':
    'Запустите сервер llama.cpp: llama-server -m MODEL.gguf --jinja',
  'Start Jan’s server: Settings → Local API server → Start server.':
    'Запустите сервер Jan: «Settings» → «Local API server» → «Start server».',
  'Check the base URL in Settings and the connection; a content blocker may also stop the request.':
    'Проверьте базовый URL в настройках и подключение; запрос может останавливать и блокировщик содержимого.',
  'Start the server at {host}, or correct the base URL in Settings.':
    'Запустите сервер по адресу {host} или исправьте базовый URL в настройках.',
  'The server refused the request without a message.': 'Сервер отклонил запрос без объяснения.',
  'This Anthropic organisation forbids calls from a browser. Use a key of another organisation or workspace, or ask its administrator to allow browser access.':
    'Эта организация Anthropic запрещает обращения из браузера. Возьмите ключ другой организации или другого рабочего пространства либо попросите администратора разрешить доступ из браузера.',
  'Check the balance and limits of the {provider*} account.':
    'Проверьте баланс и лимиты своей учётной записи: {provider*}.',
  'Check the API key for {provider*} in Settings.': 'Проверьте в настройках ключ API: {provider*}.',
  'Check the API key for {provider*} in Settings. Keys are made at {url}.':
    'Проверьте в настройках ключ API: {provider*}. Ключи создают на странице {url}.',
  'The key is valid but not allowed to do this. Check its permissions and whether the service is available in your region. {key*}':
    'Ключ действителен, но на это у него нет прав. Проверьте его права и доступна ли служба в вашем регионе. {key*}',
  'The conversation is longer than the model can read. Summarize it, start a new session, or choose a model with a larger context.':
    'Сделайте сводку разговора, начните новый сеанс или выберите модель с большим контекстом.',
  'This model cannot see pictures. Send the message without them, or choose another model.':
    'Отправьте сообщение без изображений или выберите другую модель.',
  'Wait a little and try again, or choose another model.':
    'Немного подождите и попробуйте ещё раз или выберите другую модель.',
  'Try again, or choose another model.': 'Попробуйте ещё раз или выберите другую модель.',
  'The server has nothing at this address. Check the base URL in Settings; it usually ends in /v1.':
    'По этому адресу у сервера ничего нет. Проверьте базовый URL в настройках; обычно он заканчивается на /v1.',
  'Run `ollama pull {model}`, or choose another model in Settings.':
    'Выполните `ollama pull {model}` или выберите в настройках другую модель.',
  'Choose another model than "{model*}" in Settings.':
    'Выберите в настройках другую модель вместо «{model*}».',
  'This model cannot call tools. Choose one that can.':
    'Эта модель не умеет вызывать инструменты. Выберите ту, которая умеет.',
  'The provider rejected the request. Choose another model, or start a new session.':
    'Выберите другую модель или начните новый сеанс.',
  'The request was stopped.': 'Запрос остановлен.',
  'The server did not answer in time.': 'Сервер не ответил вовремя.',
  'Check that the server is running and the model is loaded, then try again.':
    'Проверьте, что сервер работает и модель загружена, и попробуйте ещё раз.',
  'The request could not be made: {message*}': 'Не удалось составить запрос: {message*}',
  'Choose another model, or start a new session.': 'Выберите другую модель или начните новый сеанс.',
  'The model call failed.': 'Вызов модели не удался.',
  'The server sent something that is not part of the protocol: {message*}':
    'Сервер прислал то, что не относится к протоколу: {message*}',
  'Try again; if it keeps happening, check that the base URL is that of a compatible server.':
    'Попробуйте ещё раз. Если ошибка повторяется, проверьте, что базовый URL принадлежит совместимому серверу.',
  'The answer was cut off before the model had finished.': 'Ответ оборвался, прежде чем модель закончила.',
  'Try again; if it keeps happening, check the connection and the provider’s status page.':
    'Попробуйте ещё раз. Если ошибка повторяется, проверьте подключение и страницу состояния провайдера.',
  'The conversation and the answer together exceed the model’s context window.':
    'Разговор и ответ вместе длиннее, чем модель может прочитать.',
  'Start a new session, or choose a model with a larger context.':
    'Начните новый сеанс или выберите модель с большим контекстом.',
  'The server answered with a web page instead of a model’s answer.':
    'Вместо ответа модели сервер прислал веб-страницу.',
  'Check the base URL in Settings; it usually ends in /v1.':
    'Проверьте базовый URL в настройках; обычно он заканчивается на /v1.',
  'The server answered with a single JSON value instead of a stream.':
    'Вместо потока сервер прислал одно значение JSON.',
  'The server answered with status {status}.': 'Сервер ответил со статусом {status}.',
  'The answer was cut off.': 'Ответ оборвался.',
  'The server’s answer is not a list of models: {details*}': 'Ответ сервера — не список моделей: {details*}',
  'Check the base URL in Settings; it usually ends in /v1. You can also type the model’s name.':
    'Проверьте базовый URL в настройках; обычно он заканчивается на /v1. Имя модели можно и ввести.',
  '"{address*}" is not an address.': '«{address*}» — не адрес.',
  'There is no base URL for the {provider*}.': 'Для этого провайдера не указан базовый URL: {provider*}.',
  'Set one in Settings that begins with https:// or http://, for example http://localhost:11434/v1.':
    'Укажите в настройках URL, который начинается с https:// или http://, например http://localhost:11434/v1.',
  'There is no API key for {provider*}.': 'Не указан ключ API: {provider*}.',
  'Enter one in Settings. Keys are made at {url}.':
    'Укажите его в настройках. Ключи создают на странице {url}.',
  'The script answers with status {status}.': 'Сценарий отвечает со статусом {status}.',
  'There is no script to play.': 'Нет сценария, который можно воспроизвести.',
  'Load a script, or choose another model in Settings.':
    'Загрузите сценарий или выберите в настройках другую модель.',
  'It answers, but has no models yet.': 'Сервер отвечает, но моделей у него ещё нет.',
  'Something listens there, but did not answer in time.': 'Там что-то работает, но вовремя не ответило.',
  'If it is still loading a model, wait a little and look again.':
    'Если модель ещё загружается, немного подождите и поищите ещё раз.',
  'Get one that can use tools, for example: ollama pull qwen3':
    'Загрузите модель, которая умеет пользоваться инструментами, например: ollama pull qwen3',
  'Download one in LM Studio, load it, and look again.':
    'Скачайте модель в LM Studio, загрузите её там и поищите ещё раз.',
  'Start it with a model: llama-server -m MODEL.gguf --jinja':
    'Запустите его с моделью: llama-server -m MODEL.gguf --jinja',
  'Start it with a model: vllm serve MODEL': 'Запустите его с моделью: vllm serve MODEL',
  'Download one in Jan, start it, and look again.': 'Скачайте модель в Jan, запустите её и поищите ещё раз.',
  'What answers there is not a list of models.': 'То, что там отвечает, — не список моделей.',
  'Another program may use this port. If {server*} listens at another one, choose the OpenAI-compatible server above and enter its base URL.':
    'Возможно, этот порт занят другой программой. Если {server*} использует другой порт, выберите выше сервер, совместимый с OpenAI, и укажите его базовый URL.',
  'Choose the OpenAI-compatible server above, then {server*}, and enter the key that it asks for.':
    'Выберите выше сервер, совместимый с OpenAI, затем {server*}, и укажите ключ, который он требует.',
  'Restart {server*}, then look again.': 'Перезапустите {server*} и поищите ещё раз.',
  'The model did not answer within {seconds} seconds.': 'Модель не ответила за {seconds} с.',
  'OpenRouter could not finish the sign-in: it answered with status {status}.':
    'OpenRouter не смог завершить вход: он ответил со статусом {status}.',
  'OpenRouter cannot be reached to finish the sign-in.':
    'OpenRouter недоступен, и вход не удаётся завершить.',
  'Try again. If it repeats, a content blocker or a proxy may be in the way.':
    'Попробуйте ещё раз. Если ошибка повторяется, мешать может блокировщик содержимого или прокси.',
  'OpenRouter gave no permission: it was refused or cancelled there.':
    'OpenRouter не дал разрешения: вход там отклонили или отменили.',
  'Sign in again and allow it, or paste a key.': 'Войдите ещё раз и дайте разрешение или вставьте ключ.',
  'The model could not be fetched: {host} cannot be reached.':
    'Не удалось загрузить модель: {host} недоступен.',
  'Check the network, then go on. What is here already is kept.':
    'Проверьте сеть и продолжите. То, что уже загружено, сохранено.',
  '{host} answered {status} for {path*}.': '{host} ответил {status}: {path*}',
  '{path*} ended too early.': 'Этот файл закончился раньше времени: {path*}',
  'These files are no model for this page: {files*} missing.':
    'Эти файлы — не модель для этой страницы. Не хватает: {files*}',
  'Pick the folder of a model as it is on Hugging Face, with its subfolder onnx.':
    'Выберите папку модели в том виде, в каком она лежит на Hugging Face, с вложенной папкой onnx.',
  'This browser has no room for the files of the model: {why*}':
    'В браузере нет места для файлов модели: {why*}',
  'Chrome 148 or newer on a computer may have one. Choose another model in Settings.':
    'Она может быть в Chrome 148 или новее на компьютере. Выберите в настройках другую модель.',
  'It needs much free disk space and memory. Choose another model in Settings.':
    'Ей нужно много свободного места на диске и много памяти. Выберите в настройках другую модель.',
  'The browser refused its model: {why*}': 'Браузер отказал в доступе к своей модели: {why*}',
  'The language model of this browser failed: {why*}': 'Языковая модель этого браузера не справилась: {why*}',
  'Open Settings, Models, to see what this browser offers, or choose another model there.':
    'Откройте «Настройки», «Модели»: там видно, что есть в этом браузере, и можно выбрать другую модель.',
  'OpenAI-compatible server': 'сервер, совместимый с OpenAI',
  'the script': 'сценарий',
};
