import { lookUpLanguage } from '../../platform/schema/language.ts';

/** Texts of forms. `{max}`, `{seconds}` are filled in. */
const english = {
  optional: 'optional',
  choose: 'Please choose',
  leaveEmpty: 'Leave this empty',
  summary: 'There is a problem. Nothing was sent yet:',
  outcomeRefused: 'Not sent yet',
  outcomeSent: 'Sent',
  sent: 'Thank you, it has been sent.',
  fillIn: 'Fill this in.',
  tick: 'Tick this box to go on.',
  chooseOne: 'Choose one of the list.',
  email: 'Enter an e-mail address such as name@example.com.',
  emailHidden: 'Type the e-mail address by hand: it contains spaces or invisible characters.',
  emailLetters: 'Enter an e-mail address without accents and other special letters before the @.',
  phone: 'Enter a number with its country code, such as +1 415 555 0100.',
  date: 'Enter a date such as 1990-01-31.',
  shorten: 'Shorten this to {max} characters.',
  shortenForm: 'Shorten this: the form says too much.',
  tooOld:
    'This page has changed, or was open for more than a day. Please look at the form and send it once more.',
  tooOften:
    'Too much was sent from here at once. Please send the form once more in {seconds} seconds.',
};
export type FormWords = Readonly<Record<keyof typeof english, string>>;

const german: FormWords = {
  optional: 'freiwillig',
  choose: 'Bitte wählen',
  leaveEmpty: 'Bitte leer lassen',
  summary: 'Es gibt ein Problem. Noch wurde nichts gesendet:',
  outcomeRefused: 'Noch nicht gesendet',
  outcomeSent: 'Gesendet',
  sent: 'Vielen Dank, Ihre Angaben wurden gesendet.',
  fillIn: 'Füllen Sie dieses Feld aus.',
  tick: 'Setzen Sie hier ein Häkchen, um fortzufahren.',
  chooseOne: 'Wählen Sie einen Eintrag der Liste.',
  email: 'Geben Sie eine E-Mail-Adresse wie name@example.com ein.',
  emailHidden:
    'Tippen Sie die E-Mail-Adresse von Hand ein: Sie enthält Leerzeichen oder unsichtbare Zeichen.',
  emailLetters:
    'Geben Sie eine E-Mail-Adresse ohne Umlaute, Akzente und andere Sonderzeichen vor dem @ ein.',
  phone: 'Geben Sie eine Nummer mit Ländervorwahl ein, zum Beispiel +49 30 1234567.',
  date: 'Geben Sie ein Datum wie 1990-01-31 ein.',
  shorten: 'Kürzen Sie dies auf {max} Zeichen.',
  shortenForm: 'Kürzen Sie dies: Das Formular enthält zu viel Text.',
  tooOld:
    'Diese Seite hat sich geändert oder war länger als einen Tag offen. Bitte prüfen Sie das Formular und senden Sie es noch einmal.',
  tooOften:
    'Von hier wurde zu viel auf einmal gesendet. Bitte senden Sie das Formular in {seconds} Sekunden noch einmal.',
};

const spanish: FormWords = {
  optional: 'opcional',
  choose: 'Elija una opción',
  leaveEmpty: 'Deje esto vacío',
  summary: 'Hay un problema. Todavía no se ha enviado nada:',
  outcomeRefused: 'Todavía sin enviar',
  outcomeSent: 'Enviado',
  sent: 'Gracias, se ha enviado.',
  fillIn: 'Rellene este campo.',
  tick: 'Marque esta casilla para continuar.',
  chooseOne: 'Elija una opción de la lista.',
  email: 'Introduzca un correo electrónico como nombre@example.com.',
  emailHidden: 'Escriba el correo electrónico a mano: contiene espacios o caracteres invisibles.',
  emailLetters:
    'Introduzca un correo electrónico sin acentos ni otras letras especiales antes de la @.',
  phone: 'Introduzca un número con su prefijo de país, como +34 912 345 678.',
  date: 'Introduzca una fecha como 1990-01-31.',
  shorten: 'Acorte este texto a {max} caracteres.',
  shortenForm: 'Acorte este texto: el formulario es demasiado largo.',
  tooOld:
    'Esta página ha cambiado o ha estado abierta más de un día. Revise el formulario y envíelo de nuevo.',
  tooOften:
    'Se ha enviado demasiado desde aquí. Vuelva a enviar el formulario dentro de {seconds} segundos.',
};

const french: FormWords = {
  optional: 'facultatif',
  choose: 'Veuillez choisir',
  leaveEmpty: 'Laissez ce champ vide',
  summary: 'Il y a un problème. Rien n’a encore été envoyé :',
  outcomeRefused: 'Pas encore envoyé',
  outcomeSent: 'Envoyé',
  sent: 'Merci, c’est envoyé.',
  fillIn: 'Remplissez ce champ.',
  tick: 'Cochez cette case pour continuer.',
  chooseOne: 'Choisissez un élément de la liste.',
  email: 'Saisissez une adresse e-mail comme nom@example.com.',
  emailHidden:
    'Tapez l’adresse e-mail à la main : elle contient des espaces ou des caractères invisibles.',
  emailLetters: 'Saisissez une adresse e-mail sans accents ni autres lettres spéciales avant le @.',
  phone: 'Saisissez un numéro avec son indicatif, comme +33 1 23 45 67 89.',
  date: 'Saisissez une date comme 1990-01-31.',
  shorten: 'Raccourcissez ce texte à {max} caractères.',
  shortenForm: 'Raccourcissez ce texte : le formulaire est trop long.',
  tooOld:
    'Cette page a changé ou est restée ouverte plus d’un jour. Relisez le formulaire et envoyez-le de nouveau.',
  tooOften:
    'Trop d’envois ont été faits d’ici. Envoyez de nouveau le formulaire dans {seconds} secondes.',
};

const languages = new Map([
  ['en', english],
  ['de', german],
  ['es', spanish],
  ['fr', french],
]);

/** The texts of forms for a locale; English for languages without texts. */
export const formWordsFor = (locale: string): FormWords =>
  languages.get(lookUpLanguage(locale, languages.keys()) ?? 'en') ?? english;
