import type { ReceiverDefinition, ReceiverKind } from './receiver.ts';
import { emailA } from './providers/email-a.ts';
import { emailB } from './providers/email-b.ts';
import { emailC } from './providers/email-c.ts';
import { fileTransferA } from './providers/file-transfer-a.ts';
import { genericHmac } from './providers/generic-hmac.ts';
import { pushA } from './providers/push-a.ts';
import { pushB } from './providers/push-b.ts';
import { smsA } from './providers/sms-a.ts';
import { smsB } from './providers/sms-b.ts';

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
