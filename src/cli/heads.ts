// Mailed heads of audit logs, read from files by the commands that verify the logs.

import { readFile } from 'node:fs/promises'
import type { Seal } from '#kit/crypto/seal.ts'
import { type ChainHead, readHeads, whyHeadsAreNotSent } from '#kit/db/chain.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { messageOf } from '#kit/runtime/record.ts'
import { UsageError } from './command.ts'

export const headsOption = {
  type: 'string',
  value: 'file',
  about: 'a mailed file of heads, which the log must still contain',
  multiple: true,
} as const

/** A caveat about a valid log; null if it was verified against heads, or if its heads are mailed. */
export const headsNote = (
  files: string[] | undefined,
  { AUDIT_EMAIL, SMTP_URL }: Readonly<Record<string, string | undefined>>,
): string | null =>
  files ? null : whyHeadsAreNotSent({ AUDIT_EMAIL: AUDIT_EMAIL || 'none', SMTP_URL: SMTP_URL || 'none' })

/** The heads of the verified logs. Throws `damaged` for a wrong signature, and `UsageError` for a file without heads. */
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
    const found = readHeads(seal(), text)
    if (found.length === 0) throw new UsageError(`${file} contains no head`)
    const signed = found.flatMap((head) => head ?? [])
    if (signed.length < found.length)
      throw new Refusal('damaged', `a head in ${file} was not signed by the keys of this installation`)
    const own = signed.filter(({ log }) => isVerified(log))
    if (own.length === 0) throw new UsageError(`the heads in ${file} are about other logs`)
    heads.push(...own)
  }
  return heads
}
