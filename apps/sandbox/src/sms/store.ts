// The table sms_message: the newest SMS that the sandbox received, sealed.

import type { Run, Tx } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'

/** The oldest messages beyond this number are deleted. */
const maxMessages = 500

interface SmsContent {
  to: string
  text: string
  template: string
}

export interface SmsMessage extends SmsContent {
  smsId: string
  at: Date
}

const sealContext = (smsId: string): string => `sms_message/${smsId}`
const numberDigest = (seal: Seal, number: string): Buffer =>
  seal.digest(number.replace(/\D/g, '').slice(-10), 'sms number')

/** Stores a message, unless it is a repetition, and deletes the oldest ones. */
export async function insertSms(tx: Tx, seal: Seal, { smsId, at, ...content }: SmsMessage): Promise<void> {
  await tx`
    insert into sms_message ${tx({
      smsId,
      numberDigest: numberDigest(seal, content.to),
      messageSealed: seal.json(content, sealContext(smsId)),
      at,
    })} on conflict (sms_id) do nothing`
  await tx`
    delete from sms_message where sms_id in (
      select sms_id from sms_message order by at desc, sms_id offset ${maxMessages})`
}

/** Returns the newest messages, optionally only to one number. */
export async function listSms(
  db: Run,
  seal: Seal,
  { number, limit }: { number: string | null; limit: number },
): Promise<SmsMessage[]> {
  const digest = number === null ? null : numberDigest(seal, number)
  const rows = await db<{ smsId: string; messageSealed: Buffer; at: Date }>`
    select sms_id, message_sealed, at from sms_message
    where ${digest}::bytea is null or number_digest = ${digest}::bytea
    order by at desc, sms_id limit ${limit}`
  return rows.map(({ smsId, at, messageSealed }) => ({
    smsId,
    at,
    ...seal.openJson<SmsContent>(messageSealed, sealContext(smsId)),
  }))
}
