/**
 * Words of replies by SMS. Sources: the FCC's revocation rule of 2025 (47 CFR 64.1200(a)(10)), the
 * default keywords of Twilio, Telnyx, Vonage and Amazon SNS, and the guide of the Canadian carriers
 * for English and French. Case, accents, spaces and punctuation do not matter.
 */

/** By language, texts that revoke the consent when they are all that a reply says. */
export const optOutWords: Readonly<Record<string, readonly string[]>> = {
  English: [
    ...['STOP', 'STOP ALL', 'QUIT', 'END', 'REVOKE', 'OPT OUT', 'CANCEL', 'UNSUBSCRIBE'],
    ...['REMOVE', 'REMOVE ME', 'UNSUBSCRIBE ME', 'UNSUB', 'OPT ME OUT', 'CANCEL ALL', 'END ALL'],
    ...['TAKE ME OFF', 'TD', 'STOP IT', 'STOP TEXTING', 'STOP TEXTING ME', 'STOP MESSAGING ME'],
    ...['STOP TEXTS', 'STOP SMS', 'STOP MESSAGES', 'STOP MESSAGE', 'NO MORE TEXTS'],
    ...['NO MORE MESSAGES', 'DO NOT TEXT ME', 'DON’T TEXT ME'],
  ],
  Spanish: [
    ...['PARAR', 'PARE', 'ALTO', 'BAJA', 'DAR DE BAJA', 'DARME DE BAJA', 'DARSE DE BAJA'],
    ...['DAME DE BAJA', 'CANCELAR', 'CANCELA', 'DETENER', 'DETENGA', 'SALIR', 'BASTA', 'FIN'],
    ...['DESUSCRIBIR', 'DESUSCRIBIRME', 'DESUSCRIBIRSE', 'ANULAR', 'REVOCAR', 'NO MÁS MENSAJES'],
  ],
  French: [
    ...['ARRÊT', 'ARRÊTE', 'ARRÊTER', 'ARRÊTEZ', 'ANNULER', 'ANNULEZ', 'RÉSILIER', 'FIN'],
    ...['DÉSABONNER', 'ME DÉSABONNER', 'SE DÉSABONNER', 'DÉSABONNEZ-MOI', 'DÉSABONNEMENT'],
    ...['DÉSINSCRIRE', 'ME DÉSINSCRIRE', 'SE DÉSINSCRIRE', 'DÉSINSCRIPTION'],
    ...['RÉVOQUER', 'STOP PUB'],
  ],
  German: [
    ...['STOPP', 'STOPPEN', 'ABMELDEN', 'ABMELDUNG', 'ABBESTELLEN', 'KÜNDIGEN', 'BEENDEN', 'ENDE'],
    ...['ABBRECHEN', 'WIDERRUF', 'WIDERRUFEN', 'AUSTRAGEN', 'AUFHÖREN', 'KEINE SMS'],
    ...['KUENDIGEN', 'AUFHOEREN', 'KEINE SMS MEHR', 'KEINE WERBUNG'],
  ],
  Portuguese: [
    ...['PARAR', 'PARE', 'SAIR', 'CANCELAR', 'CANCELE', 'ENCERRAR', 'DESCADASTRAR', 'REMOVER'],
    ...['DESINSCREVER', 'DESCADASTRE', 'ANULAR', 'REVOGAR', 'NÃO QUERO MAIS'],
  ],
  Italian: [
    ...['FERMA', 'FERMARE', 'BASTA', 'ANNULLA', 'ANNULLARE', 'CANCELLA', 'CANCELLAMI'],
    ...['DISISCRIVI', 'DISISCRIVIMI', 'DISATTIVA', 'REVOCA', 'REVOCARE'],
  ],
  Dutch: ['STOPPEN', 'AFMELDEN', 'UITSCHRIJVEN', 'OPZEGGEN', 'ANNULEREN', 'INTREKKEN', 'EINDE'],
  Danish: ['AFMELD', 'AFMELDE', 'STOPPE', 'FRAMELD', 'AFSLUT'],
  Swedish: ['STOPPA', 'AVSLUTA', 'AVREGISTRERA', 'AVANMÄL', 'SLUTA'],
  Norwegian: ['STOPPE', 'AVMELD', 'AVSLUTT', 'SLUTT'],
  Finnish: ['LOPETA', 'PERUUTA', 'POISTU'],
  Polish: ['WYPISZ', 'WYPISZ MNIE', 'REZYGNUJĘ', 'ANULUJ', 'KONIEC', 'ZAKOŃCZ', 'STÓJ'],
  Czech: ['KONEC', 'ODHLÁSIT', 'ZRUŠIT', 'ZASTAVIT'],
  Hungarian: ['LEIRATKOZÁS', 'LEIRATKOZOM', 'LEÁLLÍTÁS'],
  Romanian: ['DEZABONARE', 'DEZABONEAZĂ', 'ANULEAZĂ', 'OPREȘTE'],
  Turkish: ['DUR', 'DURDUR', 'İPTAL', 'RET', 'AYRIL'],
  Vietnamese: ['NGỪNG', 'TỪ CHỐI'],
  Indonesian: ['BERHENTI', 'BATAL', 'HENTIKAN'],
  Filipino: ['ITIGIL', 'HINTO'],
  Creole: ['SISPANN', 'KANPE'],
  Greek: ['ΣΤΟΠ', 'ΔΙΑΚΟΠΗ', 'ΔΙΑΓΡΑΦΗ'],
  Russian: ['СТОП', 'ОТПИСАТЬСЯ', 'ОТПИСКА', 'ОТМЕНА', 'ОТКАЗ', 'ХВАТИТ'],
  Ukrainian: ['СТОП', 'ВІДПИСАТИСЯ', 'СКАСУВАТИ', 'ВІДМОВА'],
  Hebrew: ['הסר', 'הסרה', 'עצור', 'הפסק'],
  Arabic: ['إيقاف', 'ايقاف', 'توقف', 'قف', 'إلغاء', 'الغاء'],
  Hindi: ['रोकें', 'रोको', 'बंद करें', 'बंद करो'],
  Chinese: ['停止', '退订', '退訂', '取消', '取消订阅', '取消訂閱'],
  Japanese: ['停止', '配信停止', '解除', '中止', 'ストップ'],
  Korean: ['중지', '수신거부', '거부', '해지', '취소', '정지'],
};

/** Texts that give the consent back. `YES` is none: it answers questions of all kinds. */
export const optInWords: readonly string[] = ['START', 'UNSTOP'];

/** Words around another word that change nothing of what it says. */
export const politeWords: readonly string[] = [
  ...['please', 'pls', 'plz', 'plse', 'kindly', 'thanks', 'thank you', 'thx', 'ty', 'tks', 'now'],
  ...['thank you very much', 'many thanks', 'ok', 'okay', 'hi', 'hello', 'immediately', 'sorry'],
  ...['por favor', 'porfavor', 'gracias', 'muchas gracias', 'hola', 'ya', 'ahora'],
  ...['s’il vous plaît', 's’il te plaît', 'svp', 'stp', 'merci', 'merci beaucoup', 'bonjour'],
  ...['bitte', 'danke', 'vielen Dank', 'danke schön', 'sofort', 'jetzt', 'hallo'],
  ...['obrigado', 'obrigada', 'já', 'agora', 'olá', 'grazie', 'per favore', 'alstublieft', 'aub'],
  ...['dank u', 'bedankt', 'tack', 'takk', 'tak', 'kiitos', 'proszę', 'dziękuję', 'lütfen'],
  ...[
    'teşekkürler',
    'пожалуйста',
    'спасибо',
    'будь ласка',
    'дякую',
    'ありがとう',
    '谢谢',
    '請',
    '请',
  ],
];
