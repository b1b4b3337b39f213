import { lookUpLanguage } from '../../platform/schema/language.ts';

/** Texts of the pages at which recipients choose. `{team}`, `{topic}` and `{channel}` are filled in. */
const english = {
  preferences: 'Your message preferences',
  intro: 'Choose what {team} may send you.',
  email: 'E-mail',
  sms: 'Text message',
  push: 'App notification',
  save: 'Save',
  saved: 'Your choices are saved.',
  everything: 'Unsubscribe from everything',
  left: 'You are unsubscribed from everything.',
  nothing: 'There is nothing to choose at the moment.',
  withdrawn: 'You are unsubscribed from: {channel}. Tick what you want to get again.',
  closed: 'You have ended: {channel}. Only {team} can start it again, at your request.',
  stop: 'Stop receiving these messages?',
  stopTopic: 'Stop receiving “{topic}”?',
  unsubscribe: 'Unsubscribe',
  unsubscribeTopic: 'Unsubscribe from “{topic}”',
  unsubscribeChannel: 'Unsubscribe from all messages of this kind: {channel}',
  choose: 'Choose what you get instead',
  done: 'You are unsubscribed.',
  doneTopic: 'You will get no more messages about “{topic}”: {channel}. This page can be closed.',
  doneChannel: 'You will get no more messages of this kind. This page can be closed.',
};
export type Words = Readonly<Record<keyof typeof english, string>>;

const german: Words = {
  preferences: 'Ihre Nachrichten',
  intro: 'Wählen Sie, was {team} Ihnen senden darf.',
  email: 'E-Mail',
  sms: 'SMS',
  push: 'App-Mitteilung',
  save: 'Speichern',
  saved: 'Ihre Auswahl ist gespeichert.',
  everything: 'Alles abbestellen',
  left: 'Sie haben alles abbestellt.',
  nothing: 'Zurzeit gibt es nichts auszuwählen.',
  withdrawn: 'Abbestellt: {channel}. Wählen Sie aus, was Sie wieder erhalten möchten.',
  closed: 'Von Ihnen beendet: {channel}. Nur {team} kann das auf Ihren Wunsch wieder ändern.',
  stop: 'Diese Nachrichten abbestellen?',
  stopTopic: '„{topic}“ abbestellen?',
  unsubscribe: 'Abbestellen',
  unsubscribeTopic: '„{topic}“ abbestellen',
  unsubscribeChannel: 'Alle Nachrichten dieser Art abbestellen: {channel}',
  choose: 'Stattdessen auswählen, was Sie erhalten',
  done: 'Sie sind abgemeldet.',
  doneTopic: 'Sie erhalten keine Nachrichten mehr zu „{topic}“: {channel}.',
  doneChannel: 'Sie erhalten keine Nachrichten dieser Art mehr.',
};

const spanish: Words = {
  preferences: 'Sus preferencias de mensajes',
  intro: 'Elija lo que {team} puede enviarle.',
  email: 'Correo electrónico',
  sms: 'Mensaje de texto',
  push: 'Notificación de la aplicación',
  save: 'Guardar',
  saved: 'Sus preferencias se han guardado.',
  everything: 'Darse de baja de todo',
  left: 'Se ha dado de baja de todo.',
  nothing: 'Por ahora no hay nada que elegir.',
  withdrawn: 'Dado de baja: {channel}. Marque lo que quiera volver a recibir.',
  closed: 'Usted terminó: {channel}. Solo {team} puede reanudarlo si lo pide.',
  stop: '¿Dejar de recibir estos mensajes?',
  stopTopic: '¿Dejar de recibir «{topic}»?',
  unsubscribe: 'Darse de baja',
  unsubscribeTopic: 'Darse de baja de «{topic}»',
  unsubscribeChannel: 'Darse de baja de todos los mensajes de este tipo: {channel}',
  choose: 'Elegir lo que recibe',
  done: 'Se ha dado de baja.',
  doneTopic: 'Ya no recibirá mensajes sobre «{topic}»: {channel}.',
  doneChannel: 'Ya no recibirá mensajes de este tipo.',
};

const french: Words = {
  preferences: 'Vos préférences de messages',
  intro: 'Choisissez ce que {team} peut vous envoyer.',
  email: 'E-mail',
  sms: 'SMS',
  push: 'Notification de l’application',
  save: 'Enregistrer',
  saved: 'Vos choix sont enregistrés.',
  everything: 'Se désabonner de tout',
  left: 'Vous êtes désabonné de tout.',
  nothing: 'Il n’y a rien à choisir pour le moment.',
  withdrawn: 'Désabonné : {channel}. Cochez ce que vous souhaitez recevoir à nouveau.',
  closed: 'Arrêté par vous : {channel}. Seul {team} peut le reprendre à votre demande.',
  stop: 'Ne plus recevoir ces messages ?',
  stopTopic: 'Ne plus recevoir « {topic} » ?',
  unsubscribe: 'Se désabonner',
  unsubscribeTopic: 'Se désabonner de « {topic} »',
  unsubscribeChannel: 'Se désabonner de tous les messages de ce type : {channel}',
  choose: 'Choisir ce que vous recevez',
  done: 'Vous êtes désabonné.',
  doneTopic: 'Vous ne recevrez plus de messages sur « {topic} » : {channel}.',
  doneChannel: 'Vous ne recevrez plus de messages de ce type.',
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

/** A text with its values; a value is never taken for a place of another. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
