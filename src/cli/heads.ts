// Heads of audit logs that were sent out, read from files for the commands that verify the logs.

import { readFile } from 'node:fs/promises'
import type { Seal } from '#kit/crypto/seal.ts'
import { type ChainHead, headsIn, whyHeadsStay } from '#kit/db/chain.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { messageOf } from '#kit/runtime/record.ts'
import { UsageError } from './command.ts'

export const headsOption = {
  type: 'string',
  value: 'file',
  about: 'a mail with heads that were sent out, which the log must still hold',
  multiple: true,
} as const

/** What a log that fits does not show: nothing where it was held against heads, or its heads are sent out. */
export const headsNote = (
  files: string[] | undefined,
  { AUDIT_EMAIL, SMTP_URL }: Readonly<Record<string, string | undefined>>,
): string | null => (files ? null : whyHeadsStay({ AUDIT_EMAIL: AUDIT_EMAIL || 'none', SMTP_URL: SMTP_URL || 'none' }))

/** The heads of the verified logs; a file without any proves nothing. Refused as `damaged` for a wrong signature. */
export async function headsFrom(
  files: string[] | undefined,
  seal: () => Seal,
  isVerified: (log: string) => boolean,
): Promise<ChainHead[]> {
  const heads: ChainHead[] = []
  for (const file of files ?? []) {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      throw new UsageError(`--heads cannot be read: ${messageOf(error)}`)
    })
    const found = headsIn(seal(), text)
    if (found.length === 0) throw new UsageError(`there is no head in ${file}`)
    const signed = found.flatMap((head) => head ?? [])
    if (signed.length < found.length)
      throw new Refusal('damaged', `a head in ${file} was not signed by the keys of this installation`)
    const own = signed.filter(({ log }) => isVerified(log))
    if (own.length === 0) throw new UsageError(`the heads in ${file} are of other logs`)
    heads.push(...own)
  }
  return heads
}
