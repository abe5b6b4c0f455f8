// Reads mailed heads (signed last digests) of audit logs from files, for the commands that verify the logs.

import { readFile } from 'node:fs/promises'
import { Refusal } from '@lendloom/foundation/refusal'
import { messageOf } from '@lendloom/foundation/thrown'
import { type ChainHead, readHeads, whyHeadsAreNotSent } from '@lendloom/postgres/chain-head'
import type { Seal } from '@lendloom/seal/seal'
import { UsageError } from './command.ts'

export const headsOption = {
  type: 'string',
  value: 'file',
  about: 'mailed file of heads: entries that the log must still contain; may be repeated',
  multiple: true,
} as const

/** Warns that removed last entries are not detected; null if heads were given or are mailed. */
export const headsNote = (
  files: string[] | undefined,
  { AUDIT_EMAIL, SMTP_URL }: Readonly<Record<string, string | undefined>>,
): string | null =>
  files ? null : whyHeadsAreNotSent({ AUDIT_EMAIL: AUDIT_EMAIL || 'none', SMTP_URL: SMTP_URL || 'none' })

/** Reads the heads of the verified logs. Throws `damaged` for a wrong signature, `UsageError` without heads. */
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
    const parsed = readHeads(seal(), text)
    if (parsed.length === 0) throw new UsageError(`${file} contains no head`)
    const signed = parsed.flatMap((head) => head ?? [])
    if (signed.length < parsed.length)
      throw new Refusal('damaged', `a head in ${file} was not signed by the keys of this installation`)
    const relevant = signed.filter(({ log }) => isVerified(log))
    if (relevant.length === 0) throw new UsageError(`the heads in ${file} are about other logs`)
    heads.push(...relevant)
  }
  return heads
}
