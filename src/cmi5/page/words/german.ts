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
};
