import { summaryOf, type FaultSummaries } from '../../conversation/fault-words.ts';

const SUMMARIES: FaultSummaries = {
  'no-key': {
    what: 'Für diesen Anbieter ist kein API-Schlüssel angegeben.',
    next: 'Geben Sie ihn unter „Einstellungen“, „Modelle“ an.',
  },
  'no-model': {
    what: 'Es ist kein Modell ausgewählt.',
    next: 'Wählen Sie eines unter „Einstellungen“, „Modelle“.',
  },
  auth: {
    what: 'Der Anbieter hat den API-Schlüssel nicht angenommen.',
    next: 'Prüfen Sie den Schlüssel und seine Berechtigungen unter „Einstellungen“, „Modelle“.',
  },
  quota: {
    what: 'Das Guthaben oder Kontingent beim Anbieter ist aufgebraucht.',
    next: 'Prüfen Sie Guthaben und Limits Ihres Kontos.',
  },
  'rate-limit': {
    what: 'Der Anbieter nimmt im Moment keine weiteren Anfragen an.',
    next: 'Warten Sie kurz und senden Sie die Nachricht noch einmal, oder wählen Sie ein anderes Modell.',
  },
  overloaded: {
    what: 'Der Anbieter ist überlastet.',
    next: 'Warten Sie kurz und senden Sie die Nachricht noch einmal, oder wählen Sie ein anderes Modell.',
  },
  'server-error': {
    what: 'Beim Anbieter ist ein Fehler aufgetreten.',
    next: 'Warten Sie kurz und senden Sie die Nachricht noch einmal, oder wählen Sie ein anderes Modell.',
  },
  offline: {
    what: 'Der Browser hat keine Netzwerkverbindung.',
    next: 'Stellen Sie die Verbindung her und senden Sie die Nachricht noch einmal.',
  },
  unreachable: {
    what: 'Der Server ist nicht erreichbar.',
  },
  cors: {
    what: 'Der Server antwortet, lässt diese Seite die Antwort aber nicht lesen (CORS).',
  },
  'local-network': {
    what: 'Der Browser lässt diese Seite nicht auf das lokale Netzwerk zugreifen.',
  },
  'mixed-content': {
    what: 'Eine Seite mit https darf keinen Server über http aufrufen.',
    next: 'Verwenden Sie die https-Adresse des Servers, oder öffnen Sie Vitrine über http://localhost.',
  },
  'context-overflow': {
    what: 'Die Unterhaltung ist länger, als das Modell lesen kann.',
    next: 'Fassen Sie sie zusammen, beginnen Sie eine neue Sitzung, oder wählen Sie ein Modell mit größerem Kontext.',
  },
  'model-not-found': {
    what: 'Der Anbieter kennt dieses Modell nicht.',
  },
  'wrong-base-url': {
    what: 'Unter dieser Basis-URL antwortet kein Modell.',
    next: 'Prüfen Sie die Basis-URL unter „Einstellungen“, „Modelle“; sie endet meist auf /v1.',
  },
  'bad-request': {
    what: 'Der Anbieter hat die Anfrage abgelehnt.',
  },
  'malformed-stream': {
    what: 'Der Server hat etwas gesendet, das nicht zum Protokoll gehört.',
    next: 'Senden Sie die Nachricht noch einmal. Tritt der Fehler weiter auf, prüfen Sie die Basis-URL.',
  },
  'stream-cut': {
    what: 'Die Antwort des Modells brach vorzeitig ab.',
    next: 'Senden Sie die Nachricht noch einmal.',
  },
  timeout: {
    what: 'Das Modell hat nicht rechtzeitig geantwortet.',
    next: 'Prüfen Sie, ob der Server läuft und das Modell geladen ist, und versuchen Sie es noch einmal.',
  },
  'answer-cut': {
    what: 'Die Antwort hat die Längengrenze des Modells erreicht und wurde abgeschnitten.',
    next: 'Bitten Sie es, in kleineren Schritten fortzufahren.',
  },
  'content-filter': {
    what: 'Der Inhaltsfilter des Anbieters hat die Antwort gestoppt.',
    next: 'Formulieren Sie die Anfrage anders, oder verwenden Sie ein anderes Modell.',
  },
  'call-missing': {
    what: 'Das Modell kündigte einen Tool-Aufruf an, sendete aber keinen.',
    next: 'Senden Sie die Nachricht noch einmal. Tritt der Fehler weiter auf, unterstützt das Modell oder sein Server vielleicht keine Tools.',
  },
  'empty-answer': {
    what: 'Das Modell hat ohne Antwort aufgehört.',
    next: 'Senden Sie die Nachricht noch einmal, formulieren Sie sie anders, oder verwenden Sie ein anderes Modell.',
  },
  'step-limit': {
    what: 'Der Agent hat die Höchstzahl von Schritten je Runde erreicht.',
    next: 'Senden Sie eine Nachricht, damit er fortfährt.',
  },
  'provider-error': {
    what: 'Der Anbieter hat mit einem Fehler geantwortet.',
    next: 'Senden Sie die Nachricht noch einmal, oder wählen Sie ein anderes Modell.',
  },
  'browser-model-missing': {
    what: 'Dieses Modell ist noch nicht vollständig in diesem Browser.',
    next: 'Laden Sie es unter „Einstellungen“, „Modelle“ herunter; dort steht auch, wie weit es ist.',
  },
  'no-browser-model': {
    what: 'Dieser Browser hat kein eigenes Sprachmodell, das hier laufen kann.',
    next: 'Wählen Sie unter „Einstellungen“ ein anderes Modell.',
  },
  'no-summary': {
    what: 'Das Modell hat keine Zusammenfassung geliefert.',
    next: 'Versuchen Sie es noch einmal, oder wählen Sie ein anderes Modell.',
  },
  'script-exhausted': {
    what: 'Das Skript hat für diese Anfrage keine Antwort.',
    next: 'Ergänzen Sie den Schritt im Skript, oder beginnen Sie eine neue Sitzung.',
  },
  'script-invalid': {
    what: 'Das Skript ist nicht gültig.',
    next: 'Berichtigen Sie es; docs/automation.md beschreibt das Format.',
  },
  'recording-exhausted': {
    what: 'Die Aufzeichnung hat für diese Anfrage keine Antwort: Dieser Lauf weicht von ihr ab.',
    next: 'Wählen Sie ein anderes Modell, um fortzufahren.',
  },
  'recording-invalid': {
    what: 'Das ist keine Aufzeichnung einer Sitzung.',
  },
  'recording-damaged': {
    what: 'Die Aufzeichnung ist beschädigt oder unvollständig.',
    next: 'Es wurde nichts geöffnet. Bitten Sie noch einmal um den Link oder die Datei.',
  },
  'recording-unreachable': {
    what: 'Die Aufzeichnung konnte nicht abgerufen werden.',
    next: 'Prüfen Sie die Adresse. Der Server muss sie für jede Seite freigeben: Access-Control-Allow-Origin: *',
  },
  'recording-version': {
    what: 'Diese App kann eine Aufzeichnung dieser Version nicht lesen.',
    next: 'Öffnen Sie sie mit der Version von Vitrine, die sie erstellt hat.',
  },
  'recording-too-big': {
    what: 'Die Aufzeichnung ist zu groß.',
    next: 'Unter „Teilen“ lassen sich Dateien und Bilder einer Sitzung weglassen, bevor sie aufgezeichnet wird.',
  },
  'recording-address': {
    what: 'Eine Aufzeichnung muss von einer https-Adresse oder von dieser Website kommen.',
    next: 'Legen Sie sie auf einen Server mit https, oder öffnen Sie sie als Datei.',
  },
  'lesson-unknown': {
    what: 'Diese Lektion gibt es nicht.',
    next: 'Wählen Sie eine aus der Liste.',
  },
  'lesson-invalid': {
    what: 'Die Lektion kann nicht gelesen werden.',
  },
  'too-many-lessons': {
    what: 'Sie haben schon so viele eigene Lektionen, wie es geben darf.',
    next: 'Löschen Sie eine, die Sie nicht mehr brauchen.',
  },
  'part-unreachable': {
    what: 'Ein Teil der Seite konnte nicht geladen werden: Ihr Server ist nicht erreichbar.',
    next: 'Prüfen Sie die Netzwerkverbindung und versuchen Sie es noch einmal.',
  },
  'part-missing': {
    what: 'Ein Teil der Seite konnte nicht geladen werden.',
    next: 'Laden Sie die Seite neu. Sitzungen und Entwürfe bleiben erhalten.',
  },
  'session-not-found': {
    what: 'Diese Sitzung gibt es auf diesem Gerät nicht.',
    next: 'Wählen Sie eine aus der Liste.',
  },
  'workspace-unknown': {
    what: 'Diesen Arbeitsbereich gibt es auf diesem Gerät nicht.',
    next: 'Wählen Sie eine andere Sitzung, oder legen Sie einen neuen Arbeitsbereich an.',
  },
  'workspace-elsewhere': {
    what: 'Ein anderer Tab schreibt in diesen Arbeitsbereich.',
    next: 'Wählen Sie „Übernehmen“, um hier weiterzumachen.',
  },
  'storage-too-new': {
    what: 'Die gespeicherten Daten stammen von einer neueren Version von Vitrine.',
  },
  'storage-full': {
    what: 'Der Browser hat keinen Platz mehr.',
  },
  'storage-unavailable': {
    what: 'Der Browser lässt diese Seite nichts speichern.',
  },
  'storage-lost': {
    what: 'Der Browser konnte seinen Speicher nicht erreichen.',
  },
};

export const fault = { summary: (code: string) => summaryOf(SUMMARIES, code) };
