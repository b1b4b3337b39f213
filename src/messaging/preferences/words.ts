import { lookUpLanguage } from '../../platform/schema/language.ts';

/**
 * Texts of the pages at which recipients choose. `{team}`, `{topic}` and `{channel}`, the messages of a
 * channel in the plural, are filled in.
 */
const english = {
  preferences: 'Your message preferences',
  intro: 'Choose what {team} may send you.',
  email: 'E-mail',
  sms: 'Text message',
  push: 'App notification',
  emails: 'e-mails',
  smses: 'text messages',
  pushes: 'app notifications',
  save: 'Save',
  saved: 'Your choices are saved.',
  everything: 'Unsubscribe from everything',
  left: 'You are unsubscribed from everything.',
  nothing: 'There is nothing to choose at the moment.',
  withdrawn: 'You have unsubscribed from {channel}. Tick what you want to receive again.',
  closed: 'You have ended {channel}. Only {team} can start this again, at your request.',
  stop: 'Stop receiving these messages?',
  stopTopic: 'Stop receiving “{topic}”?',
  unsubscribe: 'Unsubscribe',
  unsubscribeTopic: 'Unsubscribe from “{topic}”',
  unsubscribeChannel: 'Unsubscribe from all {channel}',
  choose: 'Choose what you get instead',
  done: 'You are unsubscribed.',
  doneTopic: 'You will get no more {channel} about “{topic}”. You can close this page.',
  doneChannel: 'You will get no more {channel}. You can close this page.',
};
export type Words = Readonly<Record<keyof typeof english, string>>;

const german: Words = {
  preferences: 'Ihre Nachrichten',
  intro: 'Wählen Sie, was {team} Ihnen senden darf.',
  email: 'E-Mail',
  sms: 'SMS',
  push: 'App-Mitteilung',
  emails: 'E-Mails',
  smses: 'SMS',
  pushes: 'App-Mitteilungen',
  save: 'Speichern',
  saved: 'Ihre Auswahl ist gespeichert.',
  everything: 'Alles abbestellen',
  left: 'Sie haben alles abbestellt.',
  nothing: 'Zurzeit gibt es nichts auszuwählen.',
  withdrawn: 'Sie haben {channel} abbestellt. Wählen Sie aus, was Sie wieder erhalten möchten.',
  closed: 'Sie haben {channel} beendet. Nur {team} kann dies auf Ihren Wunsch wieder ändern.',
  stop: 'Diese Nachrichten abbestellen?',
  stopTopic: '„{topic}“ abbestellen?',
  unsubscribe: 'Abbestellen',
  unsubscribeTopic: '„{topic}“ abbestellen',
  unsubscribeChannel: 'Alle {channel} abbestellen',
  choose: 'Stattdessen auswählen, was Sie erhalten',
  done: 'Sie sind abgemeldet.',
  doneTopic: 'Sie erhalten keine {channel} mehr zu „{topic}“. Sie können diese Seite schließen.',
  doneChannel: 'Sie erhalten keine {channel} mehr. Sie können diese Seite schließen.',
};

const spanish: Words = {
  preferences: 'Sus preferencias de mensajes',
  intro: 'Elija lo que {team} puede enviarle.',
  email: 'Correo electrónico',
  sms: 'Mensaje de texto',
  push: 'Notificación de la aplicación',
  emails: 'correos electrónicos',
  smses: 'mensajes de texto',
  pushes: 'avisos de la aplicación',
  save: 'Guardar',
  saved: 'Sus preferencias se han guardado.',
  everything: 'Darse de baja de todo',
  left: 'Se ha dado de baja de todo.',
  nothing: 'Por ahora no hay nada que elegir.',
  withdrawn: 'Se ha dado de baja de: {channel}. Marque lo que quiera volver a recibir.',
  closed: 'Usted dio por terminado: {channel}. Solo {team} puede reanudarlo si usted lo pide.',
  stop: '¿Dejar de recibir estos mensajes?',
  stopTopic: '¿Dejar de recibir «{topic}»?',
  unsubscribe: 'Darse de baja',
  unsubscribeTopic: 'Darse de baja de «{topic}»',
  unsubscribeChannel: 'Darse de baja de todos los {channel}',
  choose: 'Elegir lo que recibe',
  done: 'Se ha dado de baja.',
  doneTopic: 'Ya no recibirá {channel} sobre «{topic}». Puede cerrar esta página.',
  doneChannel: 'Ya no recibirá {channel}. Puede cerrar esta página.',
};

const french: Words = {
  preferences: 'Vos préférences de messages',
  intro: 'Choisissez ce que {team} peut vous envoyer.',
  email: 'E-mail',
  sms: 'SMS',
  push: 'Notification de l’application',
  emails: 'e-mails',
  smses: 'SMS',
  pushes: 'avis de l’application',
  save: 'Enregistrer',
  saved: 'Vos choix sont enregistrés.',
  everything: 'Se désabonner de tout',
  left: 'Vous êtes désabonné de tout.',
  nothing: 'Il n’y a rien à choisir pour le moment.',
  withdrawn:
    'Vous vous êtes désabonné : {channel}. Cochez ce que vous souhaitez recevoir à nouveau.',
  closed: 'Vous avez mis fin à : {channel}. Seul {team} peut reprendre, à votre demande.',
  stop: 'Ne plus recevoir ces messages ?',
  stopTopic: 'Ne plus recevoir « {topic} » ?',
  unsubscribe: 'Se désabonner',
  unsubscribeTopic: 'Se désabonner de « {topic} »',
  unsubscribeChannel: 'Se désabonner de tous les {channel}',
  choose: 'Choisir ce que vous recevez',
  done: 'Vous êtes désabonné.',
  doneTopic: 'Vous ne recevrez plus de {channel} sur « {topic} ». Vous pouvez fermer cette page.',
  doneChannel: 'Vous ne recevrez plus de {channel}. Vous pouvez fermer cette page.',
};

const languages = new Map([
  ['en', english],
  ['de', german],
  ['es', spanish],
  ['fr', french],
]);

/** The texts for a locale and their language; English for languages without texts. */
export function wordsFor(locale: string): { lang: string; words: Words } {
  const lang = lookUpLanguage(locale, languages.keys()) ?? 'en';
  return { lang, words: languages.get(lang) ?? english };
}

/** The messages of a channel, within a sentence. */
export const pluralOf = (words: Words, channel: 'email' | 'sms' | 'push'): string =>
  words[({ email: 'emails', sms: 'smses', push: 'pushes' } as const)[channel]];

/** A text with its values; a value is never taken for a place of another. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
