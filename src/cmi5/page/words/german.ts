import type { Words } from './english.ts';

export const german: Words = {
  title: 'Lektion',
  connecting: (host) => `Verbindung mit ${host} …`,
  reporting: (host) => `Ihr Fortschritt wird an ${host} gemeldet.`,
  completed: (host) => `${host} führt diese Lektion als abgeschlossen.`,
  looking: (host) => `${host} hat diese Lektion nur zum Ansehen geöffnet: Nichts wird als erledigt gemeldet.`,
  mustPass:
    'Ihr Kurs zählt diese Lektion nur, wenn sie bestanden ist; eine Lektion, die gelesen wird, kann aber nicht bestanden werden. Sagen Sie es der Person, die den Kurs gemacht hat: Die Einstellung moveOn der Lektion sollte Completed sein.',
  notReported: 'Ihr Fortschritt wird nicht gemeldet. Sie können die Lektion trotzdem lesen.',
  delayed: (host) =>
    `Ihr Fortschritt ist noch nicht bei ${host} angekommen. Er wird von selbst noch einmal gesendet.`,
  retry: 'Erneut versuchen',
  leave: 'Lektion verlassen',
  backTo: (host) => `Zurück zu ${host}`,
  leaveAnyway: 'Ohne Meldung verlassen',
  mayClose: 'Sie sind am Ende angekommen und können diese Seite schließen.',
  ended:
    'Die Lektion ist beendet, und Sie können diese Seite schließen. Um weiterzumachen, öffnen Sie die Lektion aus Ihrem Kurs.',
  nextAttempt: (time) => `Nächster Versuch um ${time}.`,
  details: 'Technische Einzelheiten (auf Englisch)',
  faults: {
    'cmi5-launch':
      'Diese Seite wurde nicht so geöffnet, wie eine Lernplattform sie öffnet. Öffnen Sie die Lektion aus Ihrem Kurs. Wenn das nicht hilft, sagen Sie es den Betreibern der Lernplattform.',
    'cmi5-sign-in':
      'Die Lernplattform hat diesen Start der Lektion nicht angenommen. Gehen Sie zu Ihrem Kurs zurück, und öffnen Sie die Lektion noch einmal.',
    'cmi5-unreachable':
      'Die Lernplattform ist nicht erreichbar. Prüfen Sie Ihre Netzwerkverbindung. Wenn sie funktioniert, sagen Sie es den Betreibern der Lernplattform: Vielleicht nimmt sie von anderen Websites nichts an (CORS).',
    'cmi5-closed':
      'Die Lernplattform nimmt von diesem Start der Lektion nichts mehr an. Vielleicht wurde die Lektion ein zweites Mal geöffnet oder war zu lange offen. Öffnen Sie sie noch einmal aus Ihrem Kurs.',
    'cmi5-busy': 'Die Lernplattform hat mit einem Fehler geantwortet. Das kann vorübergehen.',
    'cmi5-refused': 'Die Lernplattform hat eine Meldung abgelehnt. Sagen Sie es ihren Betreibern.',
  },
};
