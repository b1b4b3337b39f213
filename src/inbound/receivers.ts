import type { ReceiverDefinition, ReceiverKind } from './receiver.ts';
import { emailA } from './receivers/email-a.ts';
import { emailB } from './receivers/email-b.ts';
import { emailC } from './receivers/email-c.ts';
import { fileTransferA } from './receivers/file-transfer-a.ts';
import { genericHmac } from './receivers/generic-hmac.ts';
import { pushA } from './receivers/push-a.ts';
import { pushB } from './receivers/push-b.ts';
import { smsA } from './receivers/sms-a.ts';
import { smsB } from './receivers/sms-b.ts';

/** Every kind of provider callback. */
export const receivers: Readonly<Record<ReceiverKind, ReceiverDefinition>> = {
  email_a: emailA,
  email_b: emailB,
  email_c: emailC,
  sms_a: smsA,
  sms_b: smsB,
  push_a: pushA,
  push_b: pushB,
  file_transfer_a: fileTransferA,
  generic_hmac: genericHmac,
};
