import type { FaultSentences } from '../faults.ts';

export const SENTENCES: FaultSentences = {
  'The browser has no network connection.': 'Der Browser hat keine Netzwerkverbindung.',
  'Connect to the network, then try again.':
    'Stellen Sie die Verbindung zum Netz her, und versuchen Sie es noch einmal.',
  'The browser does not let this page reach this computer or the local network.':
    'Der Browser lässt diese Seite nicht auf diesen Computer oder das lokale Netzwerk zugreifen.',
  'Allow "Local network access" for {origin} in the site settings beside the address, then try again.':
    'Erlauben Sie {origin} in den Website-Einstellungen neben der Adresse den Zugriff auf das lokale Netzwerk („Local network access“), und versuchen Sie es noch einmal.',
  'A page served over https may not call a server over http.':
    'Eine Seite mit https darf keinen Server über http aufrufen.',
  '{host} answers, but does not allow this page to read it (CORS).':
    '{host} antwortet, lässt diese Seite die Antwort aber nicht lesen (CORS).',
  '{host} gave no answer that this page can read. The server is down, or does not allow this page (CORS).':
    '{host} hat keine Antwort gegeben, die diese Seite lesen kann. Der Server läuft nicht, oder er lässt diese Seite nicht zu (CORS).',
  '{start*} If it runs: {allow*}': '{start*} Wenn er schon läuft: {allow*}',
  '{host} cannot be reached: nothing answers there.': '{host} ist nicht erreichbar: Dort antwortet nichts.',
  '{host} cannot be reached: nothing answers there ({why*}).':
    '{host} ist nicht erreichbar: Dort antwortet nichts ({why*}).',
  'Start Ollama with this page allowed: OLLAMA_ORIGINS={origin} ollama serve':
    'Starten Sie Ollama so, dass es diese Seite zulässt: OLLAMA_ORIGINS={origin} ollama serve',
  'In LM Studio, Developer → Server settings, switch on "Enable CORS", or start it with: lms server start --cors':
    'Schalten Sie in LM Studio unter „Developer“ → „Server settings“ die Option „Enable CORS“ ein, oder starten Sie den Server mit: lms server start --cors',
  'Start vLLM with this page allowed: vllm serve {model} --allowed-origins \'["{origin}"]\'':
    'Starten Sie vLLM so, dass es diese Seite zulässt: vllm serve {model} --allowed-origins \'["{origin}"]\'',
  'In Jan, Settings → Local API server, switch on "Cross-Origin Resource Sharing (CORS)", then restart the server.':
    'Schalten Sie in Jan unter „Settings“ → „Local API server“ die Option „Cross-Origin Resource Sharing (CORS)“ ein, und starten Sie den Server neu.',
  '{provider*} usually allows pages. A proxy, a content blocker or a regional block can cause this.':
    '{provider*} lässt Seiten sonst zu. Der Grund kann ein Proxy, ein Inhaltsblocker oder eine regionale Sperre sein.',
  'The server must answer with "Access-Control-Allow-Origin: {origin}" and allow the request headers authorization and content-type. If it should already, check the base URL.':
    'Der Server muss mit „Access-Control-Allow-Origin: {origin}“ antworten und die Anfrage-Header authorization und content-type erlauben. Tut er das schon, prüfen Sie die Basis-URL.',
  'Start Ollama: ollama serve': 'Starten Sie Ollama: ollama serve',
  'Start Ollama: OLLAMA_ORIGINS={origin} ollama serve':
    'Starten Sie Ollama: OLLAMA_ORIGINS={origin} ollama serve',
  'Start LM Studio’s server: Developer → Start server, with "Enable CORS" on.':
    'Starten Sie den Server von LM Studio: „Developer“ → „Start server“, mit eingeschaltetem „Enable CORS“.',
  'Start vLLM: vllm serve MODEL': 'Starten Sie vLLM: vllm serve MODEL',
  'Start llama.cpp’s server: llama-server -m MODEL.gguf --jinja':
    'Starten Sie den Server von llama.cpp: llama-server -m MODEL.gguf --jinja',
  'Start Jan’s server: Settings → Local API server → Start server.':
    'Starten Sie den Server von Jan: „Settings“ → „Local API server“ → „Start server“.',
  'Check the base URL in Settings and the connection; a content blocker may also stop the request.':
    'Prüfen Sie die Basis-URL unter „Einstellungen“ und die Verbindung; auch ein Inhaltsblocker kann die Anfrage aufhalten.',
  'Start the server at {host}, or correct the base URL in Settings.':
    'Starten Sie den Server unter {host}, oder berichtigen Sie die Basis-URL unter „Einstellungen“.',
  'The server refused the request without a message.':
    'Der Server hat die Anfrage ohne Begründung abgelehnt.',
  'This Anthropic organisation forbids calls from a browser. Use a key of another organisation or workspace, or ask its administrator to allow browser access.':
    'Diese Anthropic-Organisation verbietet Aufrufe aus einem Browser. Verwenden Sie einen Schlüssel einer anderen Organisation oder eines anderen Workspace, oder bitten Sie ihren Administrator, den Zugriff aus Browsern zu erlauben.',
  'Check the balance and limits of the {provider*} account.':
    'Prüfen Sie Guthaben und Limits Ihres Kontos für {provider*}.',
  'Check the API key for {provider*} in Settings.':
    'Prüfen Sie unter „Einstellungen“ den API-Schlüssel für {provider*}.',
  'Check the API key for {provider*} in Settings. Keys are made at {url}.':
    'Prüfen Sie unter „Einstellungen“ den API-Schlüssel für {provider*}. Schlüssel gibt es unter {url}.',
  'The key is valid but not allowed to do this. Check its permissions and whether the service is available in your region. {key*}':
    'Der Schlüssel ist gültig, darf dies aber nicht. Prüfen Sie seine Berechtigungen und ob es den Dienst in Ihrer Region gibt. {key*}',
  'The conversation is longer than the model can read. Summarize it, start a new session, or choose a model with a larger context.':
    'Fassen Sie die Unterhaltung zusammen, beginnen Sie eine neue Sitzung, oder wählen Sie ein Modell mit größerem Kontext.',
  'This model cannot see pictures. Send the message without them, or choose another model.':
    'Senden Sie die Nachricht ohne Bilder, oder wählen Sie ein anderes Modell.',
  'Wait a little and try again, or choose another model.':
    'Warten Sie kurz, und versuchen Sie es noch einmal, oder wählen Sie ein anderes Modell.',
  'Try again, or choose another model.': 'Versuchen Sie es noch einmal, oder wählen Sie ein anderes Modell.',
  'The server has nothing at this address. Check the base URL in Settings; it usually ends in /v1.':
    'Der Server hat nichts an dieser Adresse. Prüfen Sie die Basis-URL unter „Einstellungen“; sie endet meist auf /v1.',
  'Run `ollama pull {model}`, or choose another model in Settings.':
    'Führen Sie `ollama pull {model}` aus, oder wählen Sie unter „Einstellungen“ ein anderes Modell.',
  'Choose another model than "{model*}" in Settings.':
    'Wählen Sie unter „Einstellungen“ ein anderes Modell als „{model*}“.',
  'This model cannot call tools. Choose one that can.':
    'Dieses Modell kann keine Tools aufrufen. Wählen Sie eines, das es kann.',
  'The provider rejected the request. Choose another model, or start a new session.':
    'Wählen Sie ein anderes Modell, oder beginnen Sie eine neue Sitzung.',
  'The request was stopped.': 'Die Anfrage wurde gestoppt.',
  'The server did not answer in time.': 'Der Server hat nicht rechtzeitig geantwortet.',
  'Check that the server is running and the model is loaded, then try again.':
    'Prüfen Sie, ob der Server läuft und das Modell geladen ist, und versuchen Sie es noch einmal.',
  'The request could not be made: {message*}': 'Die Anfrage ließ sich nicht erstellen: {message*}',
  'Choose another model, or start a new session.':
    'Wählen Sie ein anderes Modell, oder beginnen Sie eine neue Sitzung.',
  'The model call failed.': 'Der Aufruf des Modells ist gescheitert.',
  'The server sent something that is not part of the protocol: {message*}':
    'Der Server hat etwas gesendet, das nicht zum Protokoll gehört: {message*}',
  'Try again; if it keeps happening, check that the base URL is that of a compatible server.':
    'Versuchen Sie es noch einmal. Tritt der Fehler weiter auf, prüfen Sie, ob die Basis-URL die eines kompatiblen Servers ist.',
  'The answer was cut off before the model had finished.':
    'Die Antwort brach ab, bevor das Modell fertig war.',
  'Try again; if it keeps happening, check the connection and the provider’s status page.':
    'Versuchen Sie es noch einmal. Tritt der Fehler weiter auf, prüfen Sie die Verbindung und die Statusseite des Anbieters.',
  'The conversation and the answer together exceed the model’s context window.':
    'Die Unterhaltung und die Antwort sind zusammen länger, als das Modell lesen kann.',
  'Start a new session, or choose a model with a larger context.':
    'Beginnen Sie eine neue Sitzung, oder wählen Sie ein Modell mit größerem Kontext.',
  'The server answered with a web page instead of a model’s answer.':
    'Der Server hat mit einer Webseite geantwortet statt mit der Antwort eines Modells.',
  'Check the base URL in Settings; it usually ends in /v1.':
    'Prüfen Sie die Basis-URL unter „Einstellungen“; sie endet meist auf /v1.',
  'The server answered with a single JSON value instead of a stream.':
    'Der Server hat mit einem einzelnen JSON-Wert geantwortet statt mit einem Stream.',
  'The server answered with status {status}.': 'Der Server hat mit dem Status {status} geantwortet.',
  'The answer was cut off.': 'Die Antwort brach ab.',
  'The server’s answer is not a list of models: {details*}':
    'Die Antwort des Servers ist keine Liste von Modellen: {details*}',
  'Check the base URL in Settings; it usually ends in /v1. You can also type the model’s name.':
    'Prüfen Sie die Basis-URL unter „Einstellungen“; sie endet meist auf /v1. Sie können den Namen des Modells auch eintippen.',
  '"{address*}" is not an address.': '„{address*}“ ist keine Adresse.',
  'There is no base URL for the {provider*}.': 'Für {provider*} ist keine Basis-URL angegeben.',
  'Set one in Settings that begins with https:// or http://, for example http://localhost:11434/v1.':
    'Geben Sie unter „Einstellungen“ eine an, die mit https:// oder http:// beginnt, zum Beispiel http://localhost:11434/v1.',
  'There is no API key for {provider*}.': 'Für {provider*} ist kein API-Schlüssel angegeben.',
  'Enter one in Settings. Keys are made at {url}.':
    'Geben Sie ihn unter „Einstellungen“ an. Schlüssel gibt es unter {url}.',
  'The script answers with status {status}.': 'Das Skript antwortet mit dem Status {status}.',
  'There is no script to play.': 'Es ist kein Skript da, das gespielt werden kann.',
  'Load a script, or choose another model in Settings.':
    'Laden Sie ein Skript, oder wählen Sie unter „Einstellungen“ ein anderes Modell.',
  'It answers, but has no models yet.': 'Der Server antwortet, hat aber noch keine Modelle.',
  'Something listens there, but did not answer in time.':
    'Dort läuft etwas, hat aber nicht rechtzeitig geantwortet.',
  'If it is still loading a model, wait a little and look again.':
    'Wenn noch ein Modell geladen wird, warten Sie kurz, und suchen Sie noch einmal.',
  'Get one that can use tools, for example: ollama pull qwen3':
    'Laden Sie eines, das Tools benutzen kann, zum Beispiel: ollama pull qwen3',
  'Download one in LM Studio, load it, and look again.':
    'Laden Sie eines in LM Studio herunter, öffnen Sie es dort, und suchen Sie noch einmal.',
  'Start it with a model: llama-server -m MODEL.gguf --jinja':
    'Starten Sie ihn mit einem Modell: llama-server -m MODEL.gguf --jinja',
  'Start it with a model: vllm serve MODEL': 'Starten Sie ihn mit einem Modell: vllm serve MODEL',
  'Download one in Jan, start it, and look again.':
    'Laden Sie eines in Jan herunter, starten Sie es, und suchen Sie noch einmal.',
  'What answers there is not a list of models.': 'Was dort antwortet, ist keine Liste von Modellen.',
  'Another program may use this port. If {server*} listens at another one, choose the OpenAI-compatible server above and enter its base URL.':
    'Vielleicht benutzt ein anderes Programm diesen Port. Wenn {server*} einen anderen benutzt, wählen Sie oben den OpenAI-kompatiblen Server, und geben Sie dessen Basis-URL an.',
  'Choose the OpenAI-compatible server above, then {server*}, and enter the key that it asks for.':
    'Wählen Sie oben den OpenAI-kompatiblen Server, dann {server*}, und geben Sie den Schlüssel an, den er verlangt.',
  'Restart {server*}, then look again.': 'Starten Sie {server*} neu, und suchen Sie noch einmal.',
  'The model did not answer within {seconds} seconds.':
    'Das Modell hat in {seconds} Sekunden nicht geantwortet.',
  'OpenRouter could not finish the sign-in: it answered with status {status}.':
    'OpenRouter konnte die Anmeldung nicht abschließen: Es hat mit dem Status {status} geantwortet.',
  'OpenRouter cannot be reached to finish the sign-in.':
    'OpenRouter ist nicht erreichbar, um die Anmeldung abzuschließen.',
  'Try again. If it repeats, a content blocker or a proxy may be in the way.':
    'Versuchen Sie es noch einmal. Wenn es sich wiederholt, kann ein Inhaltsblocker oder ein Proxy im Weg sein.',
  'OpenRouter gave no permission: it was refused or cancelled there.':
    'OpenRouter hat es nicht erlaubt: Die Anmeldung wurde dort abgelehnt oder abgebrochen.',
  'Sign in again and allow it, or paste a key.':
    'Melden Sie sich noch einmal an, und erlauben Sie es, oder fügen Sie einen Schlüssel ein.',
  'The model could not be fetched: {host} cannot be reached.':
    'Das Modell konnte nicht geladen werden: {host} ist nicht erreichbar.',
  'Check the network, then go on. What is here already is kept.':
    'Prüfen Sie die Netzwerkverbindung, und machen Sie dann weiter. Was schon hier ist, bleibt erhalten.',
  '{host} answered {status} for {path*}.': '{host} hat mit {status} geantwortet: {path*}',
  '{path*} ended too early.': 'Diese Datei endete zu früh: {path*}',
  'These files are no model for this page: {files*} missing.':
    'Diese Dateien sind kein Modell für diese Seite. Es fehlt: {files*}',
  'Pick the folder of a model as it is on Hugging Face, with its subfolder onnx.':
    'Wählen Sie den Ordner eines Modells, wie er auf Hugging Face liegt, mit dem Unterordner onnx.',
  'This browser has no room for the files of the model: {why*}':
    'Der Browser hat keinen Platz für die Dateien des Modells: {why*}',
  'Chrome 148 or newer on a computer may have one. Choose another model in Settings.':
    'Chrome 148 oder neuer auf einem Computer kann eines haben. Wählen Sie unter „Einstellungen“ ein anderes Modell.',
  'It needs much free disk space and memory. Choose another model in Settings.':
    'Es braucht viel freien Platz auf dem Datenträger und viel Arbeitsspeicher. Wählen Sie unter „Einstellungen“ ein anderes Modell.',
  'The browser refused its model: {why*}': 'Der Browser hat sein Modell verweigert: {why*}',
  'The language model of this browser failed: {why*}':
    'Das Sprachmodell dieses Browsers ist gescheitert: {why*}',
  'Open Settings, Models, to see what this browser offers, or choose another model there.':
    'Unter „Einstellungen“, „Modelle“ steht, was dieser Browser bietet; dort können Sie auch ein anderes Modell wählen.',
  'OpenAI-compatible server': 'den OpenAI-kompatiblen Server',
  'the script': 'das Skript',
};
