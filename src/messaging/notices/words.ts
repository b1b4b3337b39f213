import { lookUpLanguage } from '../../platform/schema/language.ts';

/** Texts of notices, and of the pages at their links. `{team}` and `{code}` are filled in. */
const english = {
  code: 'Your code: {code}',
  codeSays: '{code} is your code from {team}.',
  codeWarns:
    'It is valid for ten minutes. If you did not ask for it, do nothing, and do not share it.',
  consent: 'Please confirm: messages from {team}',
  consentSays: 'Do you want to receive messages from {team}? Please confirm it here:',
  test: 'Please confirm: test messages from {team}',
  testSays: 'Do you want to receive test messages from {team}? Please confirm it here:',
  warns: 'If you did not ask for them, do nothing: you will receive none.',
  askConsent: 'Receive these messages?',
  yesConsent: 'Yes, send me messages',
  doneConsent: 'You can unsubscribe at any time. This page can be closed.',
  askTest: 'Receive test messages?',
  yesTest: 'Yes, send me test messages',
  doneTest: 'The team that added the address can remove it. This page can be closed.',
  done: 'Thank you, it is confirmed.',
  over: 'This link is no longer valid.',
  overWhy:
    'It may have been cut or have expired, or since then you have unsubscribed or changed your ' +
    'address. Nothing was changed.',
};
export type NoticeWords = Readonly<Record<keyof typeof english, string>>;

const german: NoticeWords = {
  code: 'Ihr Code: {code}',
  codeSays: '{code} ist Ihr Code von {team}.',
  codeWarns:
    'Er gilt zehn Minuten. Wenn Sie ihn nicht angefordert haben, tun Sie nichts, und geben Sie ihn nicht weiter.',
  consent: 'Bitte bestätigen: Nachrichten von {team}',
  consentSays: 'Möchten Sie Nachrichten von {team} erhalten? Bitte bestätigen Sie es hier:',
  test: 'Bitte bestätigen: Testnachrichten von {team}',
  testSays: 'Möchten Sie Testnachrichten von {team} erhalten? Bitte bestätigen Sie es hier:',
  warns: 'Wenn Sie das nicht angefordert haben, tun Sie nichts: Sie erhalten dann keine.',
  askConsent: 'Diese Nachrichten erhalten?',
  yesConsent: 'Ja, Nachrichten senden',
  doneConsent: 'Sie können sie jederzeit abbestellen. Sie können diese Seite schließen.',
  askTest: 'Testnachrichten erhalten?',
  yesTest: 'Ja, Testnachrichten senden',
  doneTest:
    'Das Team, das die Adresse hinzugefügt hat, kann sie entfernen. Sie können diese Seite schließen.',
  done: 'Danke, es ist bestätigt.',
  over: 'Dieser Link ist nicht mehr gültig.',
  overWhy:
    'Er wurde vielleicht abgeschnitten oder ist abgelaufen, oder Sie haben sich inzwischen abgemeldet ' +
    'oder Ihre Adresse geändert. Es wurde nichts geändert.',
};

const spanish: NoticeWords = {
  code: 'Su código: {code}',
  codeSays: '{code} es su código de {team}.',
  codeWarns: 'Es válido durante diez minutos. Si no lo ha pedido, no haga nada y no lo comparta.',
  consent: 'Confirme, por favor: mensajes de {team}',
  consentSays: '¿Quiere recibir mensajes de {team}? Confírmelo aquí:',
  test: 'Confirme, por favor: mensajes de prueba de {team}',
  testSays: '¿Quiere recibir mensajes de prueba de {team}? Confírmelo aquí:',
  warns: 'Si no los ha pedido, no haga nada: no recibirá ninguno.',
  askConsent: '¿Recibir estos mensajes?',
  yesConsent: 'Sí, quiero recibir mensajes',
  doneConsent: 'Puede darse de baja en cualquier momento. Puede cerrar esta página.',
  askTest: '¿Recibir mensajes de prueba?',
  yesTest: 'Sí, quiero recibir mensajes de prueba',
  doneTest: 'El equipo que añadió la dirección puede quitarla. Puede cerrar esta página.',
  done: 'Gracias, queda confirmado.',
  over: 'Este enlace ya no es válido.',
  overWhy:
    'Quizá se haya cortado o haya caducado, o desde entonces usted se ha dado de baja o ha cambiado ' +
    'de dirección. No se ha cambiado nada.',
};

const french: NoticeWords = {
  code: 'Votre code : {code}',
  codeSays: '{code} est votre code de {team}.',
  codeWarns:
    'Il est valable dix minutes. Si vous ne l’avez pas demandé, ne faites rien et ne le communiquez pas.',
  consent: 'À confirmer : messages de {team}',
  consentSays: 'Voulez-vous recevoir des messages de {team} ? Confirmez-le ici :',
  test: 'À confirmer : messages de test de {team}',
  testSays: 'Voulez-vous recevoir des messages de test de {team} ? Confirmez-le ici :',
  warns: 'Si vous ne les avez pas demandés, ne faites rien : vous n’en recevrez pas.',
  askConsent: 'Recevoir ces messages ?',
  yesConsent: 'Oui, m’envoyer des messages',
  doneConsent: 'Vous pouvez vous désabonner à tout moment. Vous pouvez fermer cette page.',
  askTest: 'Recevoir des messages de test ?',
  yesTest: 'Oui, m’envoyer des messages de test',
  doneTest: 'L’équipe qui a ajouté l’adresse peut la retirer. Vous pouvez fermer cette page.',
  done: 'Merci, c’est confirmé.',
  over: 'Ce lien n’est plus valable.',
  overWhy:
    'Il a peut-être été coupé ou a expiré, ou vous vous êtes désabonné ou avez changé d’adresse ' +
    'depuis. Rien n’a été modifié.',
};

const languages = new Map([
  ['en', english],
  ['de', german],
  ['es', spanish],
  ['fr', french],
]);

/** The texts for a locale and their language; English for languages without texts. */
export function noticeWordsFor(locale: string): { lang: string; words: NoticeWords } {
  const lang = lookUpLanguage(locale, languages.keys()) ?? 'en';
  return { lang, words: languages.get(lang) ?? english };
}
