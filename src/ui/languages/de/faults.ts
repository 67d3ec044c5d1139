import type { FaultSummaries } from '../../conversation/fault-words.ts';
import { faultsIn } from '../faults.ts';
import { SENTENCES } from './fault-sentences.ts';

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
  'no-pictures': {
    what: 'Dieses Modell kann keine Bilder sehen.',
    next: 'Senden Sie die Nachricht ohne Bilder oder wählen Sie ein anderes Modell.',
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
  'cors-organization': {
    what: 'Diese Anthropic-Organisation verbietet Aufrufe aus einem Browser.',
  },
  'model-failed': {
    what: 'Das Modell hat mit einem Fehler geendet, ohne zu sagen, mit welchem.',
    next: 'Versuchen Sie es noch einmal, oder wählen Sie ein anderes Modell.',
  },
  'no-models': {
    what: 'Der Server hat noch keine Modelle.',
  },
  'no-script': {
    what: 'Es ist kein Skript da, das gespielt werden kann.',
    next: 'Laden Sie ein Skript, oder wählen Sie unter „Einstellungen“ ein anderes Modell.',
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
    next: 'Öffnen Sie eine Datei oder einen Link, die in Vitrine mit „Teilen“ entstanden sind.',
  },
  'recording-damaged': {
    what: 'Die Aufzeichnung ist beschädigt oder unvollständig.',
    next: 'Es wurde nichts geöffnet. Bitten Sie noch einmal um den Link oder die Datei.',
  },
  'recording-unreachable': {
    what: 'Die Aufzeichnung konnte nicht abgerufen werden.',
    next: 'Prüfen Sie die Adresse. Der Server muss sie für jede Seite freigeben: Access-Control-Allow-Origin: *',
  },
  'recording-missing': {
    what: 'An dieser Adresse gibt es keine Aufzeichnung.',
    next: 'Prüfen Sie die Adresse.',
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
    next: 'Bitten Sie um eine neue Datei oder einen neuen Link.',
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
  'turn-runs': {
    what: 'Der Agent arbeitet noch an diesen Dateien.',
  },
  'session-closed': {
    what: 'Dieser Tab kann die Sitzung nur noch lesen: Sie ist in einem anderen Tab geöffnet.',
    next: 'Öffnen Sie sie noch einmal.',
  },
  'edit-lost': {
    what: 'Ein Text, den Sie geschrieben haben, ist nicht mehr lesbar.',
  },
  'context-full': {
    what: 'Die Unterhaltung passt nicht in das Modell, und eine Zusammenfassung hilft nicht.',
    next: 'Der Grund kann eine sehr lange Nachricht oder Datei sein: Senden Sie in einer neuen Sitzung weniger davon, oder wählen Sie ein Modell mit größerem Kontext.',
  },
  'nothing-to-sum-up': {
    what: 'Es gibt noch nichts zusammenzufassen.',
  },
  'snapshot-damaged': {
    what: 'Ein Teil der Dateien von diesem Zeitpunkt ist nicht mehr gespeichert.',
  },
  'restore-runs': {
    what: 'Es läuft schon eine Wiederherstellung.',
  },
  'nothing-to-redo': {
    what: 'Es gibt nichts wiederherzustellen.',
    next: 'Das geht nach dem Rückgängigmachen, bis zur nächsten Nachricht.',
  },
  'workspace-gone': {
    what: 'Der Arbeitsbereich ist währenddessen stehen geblieben.',
  },
  'webcontainer-off': {
    what: 'Auf dieser Website sind WebContainers ausgeschaltet.',
    next: 'Nehmen Sie den eingebetteten Arbeitsbereich.',
  },
  'webcontainer-not-allowed': {
    what: 'WebContainers von StackBlitz sind in den Einstellungen ausgeschaltet.',
    next: 'Schalten Sie sie dort ein, oder nehmen Sie den eingebetteten Arbeitsbereich.',
  },
  'webcontainer-in-use': {
    what: 'Der einzige WebContainer dieser Seite wird in einem anderen Arbeitsbereich gebraucht.',
    next: 'Beenden Sie, was dort läuft, oder öffnen Sie diesen Arbeitsbereich in einem anderen Tab.',
  },
  'sign-in-refused': {
    what: 'Die Anmeldung wurde abgelehnt oder abgebrochen.',
  },
  'sign-in-used': {
    what: 'Diese Anmeldung bei OpenRouter ist schon abgeschlossen, vielleicht in einem anderen Tab.',
    next: 'Schließen Sie den anderen Tab, und melden Sie sich hier noch einmal an.',
  },
  'sign-in-storage': {
    what: 'Der Browser lässt diese Seite nichts speichern; sie könnte Sie bei der Rückkehr nicht erkennen.',
    next: 'Legen Sie unter openrouter.ai/settings/keys einen Schlüssel an, und fügen Sie ihn ein.',
  },
  'sign-in-proof': {
    what: 'OpenRouter erkennt nicht an, dass dieser Tab die Anmeldung begonnen hat (PKCE).',
    next: 'Melden Sie sich noch einmal an. Wenn es sich wiederholt, fügen Sie einen Schlüssel ein.',
  },
  'sign-in-other-tab': {
    what: 'Dieser Tab hat die Anmeldung bei OpenRouter nicht begonnen oder schon abgeschlossen.',
    next: 'Machen Sie in dem Tab weiter, der sie begonnen hat, oder melden Sie sich hier noch einmal an.',
  },
  'sign-in-failed': {
    what: 'OpenRouter konnte die Anmeldung nicht abschließen.',
    next: 'Versuchen Sie es noch einmal.',
  },
  'sign-in-expired': {
    what: 'OpenRouter nimmt den Code dieser Anmeldung nicht an: Er ist abgelaufen oder wurde schon benutzt.',
    next: 'Melden Sie sich noch einmal an.',
  },
  'sign-in-busy': {
    what: 'OpenRouter nimmt im Moment keine weiteren Anmeldungen an.',
    next: 'Warten Sie eine Minute, und versuchen Sie es noch einmal.',
  },
  'sign-in-answer': {
    what: 'OpenRouter hat ohne Schlüssel geantwortet.',
    next: 'Legen Sie unter openrouter.ai/settings/keys einen Schlüssel an, und fügen Sie ihn ein.',
  },
  'no-free-model': {
    what: 'Sie sind angemeldet, aber OpenRouter nennt kein kostenloses Modell, das Tools benutzen kann.',
    next: 'Wählen Sie unten ein anderes Modell.',
  },
  'settings-invalid': {
    what: 'Die Einstellungen des Modells sind nicht gültig.',
    next: 'Berichtigen Sie sie unter „Einstellungen“.',
  },
  'no-recording': {
    what: 'Die Aufzeichnung, die hier abgespielt wurde, ist nicht mehr geladen.',
    next: 'Öffnen Sie sie, und spielen Sie sie noch einmal ab, oder wählen Sie unter „Einstellungen“ ein anderes Modell.',
  },
  'no-room': {
    what: 'Der Browser hat keinen Platz für die Dateien des Modells.',
    next: 'Entfernen Sie ein anderes Modell, oder schaffen Sie Platz auf dem Datenträger, und machen Sie dann weiter. Was schon hier ist, bleibt erhalten.',
  },
  'model-refused': {
    what: 'Der Server hat eine Datei des Modells nicht herausgegeben.',
    next: 'Sehen Sie auf der Seite des Modells nach: Es kann umgezogen sein oder zuerst eine Zustimmung verlangen.',
  },
  'model-incomplete': {
    what: 'Eine Datei des Modells endete zu früh.',
    next: 'Setzen Sie den Download fort.',
  },
  'browser-model-refused': {
    what: 'Der Browser hat sein Modell verweigert.',
  },
  'browser-model-filtered': {
    what: 'Der Browser hat die Antwort seines Modells zurückgehalten.',
    next: 'Formulieren Sie die Nachricht anders, oder wählen Sie ein anderes Modell.',
  },
  'browser-model-failed': {
    what: 'Das Sprachmodell dieses Browsers ist gescheitert.',
  },
  'language-unavailable': {
    what: 'Der Sprachdienst konnte nicht geladen werden oder ist gescheitert.',
    next: 'Versuchen Sie es noch einmal.',
  },
  'import-too-many': {
    what: 'Das sind mehr Dateien, als auf einmal hinzugefügt werden können.',
    next: 'Lassen Sie weg, was sich neu erzeugen lässt, etwa node_modules.',
  },
  'import-too-large': {
    what: 'Das ist mehr, als auf einmal hinzugefügt werden kann.',
    next: 'Lassen Sie große Dateien weg, oder fügen Sie sie in Teilen hinzu.',
  },
  'import-file-too-large': {
    what: 'Diese Datei ist zu groß.',
    next: 'Lassen Sie sie weg, oder verkleinern Sie sie.',
  },
  'import-stopped': {
    what: 'Sie haben das Hinzufügen angehalten.',
  },
  'folder-too-large': {
    what: 'Dieser Ordner enthält mehr, als ein Arbeitsbereich aufnehmen kann.',
    next: 'Wählen Sie einen Ordner darin, oder nennen Sie in seiner .gitignore, was sich neu erzeugen lässt.',
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

export const fault = { shown: faultsIn(SUMMARIES, SENTENCES) };
