import { describe, expect, test } from '@jest/globals';
import { smsSegments } from '../../src/campaigns/messages/sms-segments.ts';
import { bareAddress } from '../../src/inbound/projection/recipients.ts';
import { composeMime } from '../../src/messaging/providers/mime-message.ts';
import { isDomain, storedDomain, storedEmail } from '../../src/platform/schema/email.ts';
import { readPhone } from '../../src/widget/forms/phone.ts';

// Public bug reports about addresses, numbers and text messages of other products; README.md lists
// them. Those about files of contacts are in test/operations/exported-contacts.test.ts.

describe('a report about an address', () => {
  test.each([
    ['polarsource/polar#5806', 'ada@xn--mnchen-3ya.de', 'ada@xn--mnchen-3ya.de'],
    ['aheckmann/node-email#17', 'ada@example.рф', 'ada@example.xn--p1ai'],
    ['ansman/validate.js#87', 'ada@xn--h1alffa9f.xn--p1ai', 'ada@xn--h1alffa9f.xn--p1ai'],
    ['ansman/validate.js#87, in letters', 'ada@россия.рф', 'ada@xn--h1alffa9f.xn--p1ai'],
    ['victorjonsson/jQuery-Form-Validator#204', 'ada@münchen.berlin', 'ada@xn--mnchen-3ya.berlin'],
    ['bitwarden/server#1512', 'ada@bücher.com', 'ada@xn--bcher-kva.com'],
    ['open-circle/valibot#1284', 'ada@почта.рф', 'ada@xn--80a1acny.xn--p1ai'],
    ['mail-in-a-box/mailinabox#1214', 'ada@🛡🔼.ws', storedEmail('ada@xn--sw8hj0a.ws')],
    ['mikel/mail#985', 'max.müster@test.com', undefined],
    ['sendgrid/sendgrid-csharp#656', 'pepé@lefrenchplace.com', undefined],
    ['alphagov/signon#176', 'o’brien@example.com', undefined],
    ['validatorjs/validator.js#940', '\u200bada@example.com', undefined],
    ['validatorjs/validator.js#940, in a domain', 'ada@example.com\ufffd', undefined],
    ['jstanden/cerb#1349', 'ada@example.com\u200b', undefined],
    ['viur-framework/viur-core#1729', '.user@example.de', undefined],
    ['viur-framework/viur-core#1729, at the end', 'user.@example.de', undefined],
    ['micke/valid_email2#164', 'tes..t@gmail.com', undefined],
    ['mikel/mail#1124', 'abc@gmail...com', undefined],
    ['javaee/javamail#322', '.test.@example.com', undefined],
  ])('%s: %j', (_, written, stored) => {
    expect(storedEmail(written)).toBe(stored);
  });

  test.each([
    ['tdegrunt/jsonschema#417', '.'.repeat(100_000)],
    ['colinhacks/zod#2609', `${'a'.repeat(100_000)}@test.c`],
    ['zxing/zxing#2099', `x@${'a'.repeat(100_000)}`],
    ['validatorjs/validator.js#293', `"${'a'.repeat(100_000)}`],
    ['validatorjs/validator.js#1597', '<'.repeat(100_000)],
  ])('%s: a long text', (_, text) => {
    expect(storedEmail(text)).toBeUndefined();
  });

  test('fosrl/pangolin#3460, truemail-rb/truemail#61: domains in punycode', () => {
    expect(storedDomain('Example.XN--P1AI')).toBe('example.xn--p1ai');
    expect(isDomain('xn--ls8h.la')).toBe(true);
  });

  test('boto/botocore#2969: what is sent and reported has the domain in ASCII', async () => {
    const to = storedEmail('ada@bücher.com') ?? '';
    const mime = composeMime({
      ...{ messageId: 'id@example.com', subject: 'Hello', html: '', text: '', headers: {} },
      ...{ from: { name: 'Bücher', address: to }, to: { name: '', address: to }, replyTo: to },
    });
    expect(mime).toContain('\r\nTo: ada@xn--bcher-kva.com\r\n');
    expect(mime).toContain(' <ada@xn--bcher-kva.com>\r\n');
    expect(mime).toContain('\r\nReply-To: ada@xn--bcher-kva.com\r\n');
    expect(bareAddress('Ada <ada@bücher.com>')).toBe(to);
  });
});

describe('a report about a number', () => {
  test.each([
    ['floere/phony#185', '+49 (0) 209 22 33 44 55', 'en', '+4920922334455'],
    ['floere/phony#240', '8 912 456 78 90', 'ru-RU', '+79124567890'],
    ['floere/phony#240, with the country', '+7 8 912 456 78 90', 'en', '+79124567890'],
    ['floere/phony#285', '+7 812 123 45 67', 'en', '+78121234567'],
    ['floere/phony#277', '8033 1234567', 'be-BY', '+375331234567'],
    ['floere/phony#305', '+460736829291', 'en', '+46736829291'],
    ['floere/phony#522', '+992 88 123 4567', 'en', '+992881234567'],
    ['floere/phony#453', '03-1234-5634', 'ja-JP', '+81312345634'],
    ['hbb20/CountryCodePickerProject#149', '+330610101010', 'en', '+33610101010'],
    ['KanishJebaMathewM/Truxify#8515', '09876543210', 'hi-IN', '+919876543210'],
    ['TrevorPilley/phone-number-parser#421', '1 (415) 555-0100', 'en-US', '+14155550100'],
    ['verbb/hyper#86', '\u202d+44 7976 399087\u202c', 'en', '+447976399087'],
    ['glific/glific#4973', '\u200e+91 98765 43210\u200b', 'en', '+919876543210'],
    ['confusedbuffalo/phone-report#315', '0900 8727736', 'nl-NL', '+319008727736'],
  ])('%s: %s', (_, written, locale, number) => {
    expect(readPhone(written, locale)).toBe(number);
  });
});

describe('a report about segments of a text message', () => {
  test.each([
    ['phlib/sms-length#1', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
    ['warthog618/sms#6', `${'x'.repeat(66)}👋${'x'.repeat(66)}`, 3],
    ['TwilioDevEd/message-segment-calculator#18', `this is a ${']'.repeat(74)}😘`, 2],
    ['TwilioDevEd/message-segment-calculator#57', `${'|'.repeat(69)}∞`, 1],
    ['TwilioDevEd/message-segment-calculator#39', ']'.repeat(153), 3],
    ['instasent/sms-counter-php#15', '😎'.repeat(70), 3],
    ['acpmasquerade/sms-counter-php#7', '😎'.repeat(36), 2],
    ['Altinn/altinn-studio-docs#2935', 'æøå'.repeat(53), 1],
  ])('%s', (_, text, segments) => {
    expect(smsSegments(text)).toBe(segments);
  });
});
