// The address of a paper: sealed, and good for a day, because whoever has it reads the account.
import type { LoanPaper } from '#contract/hosted/embed-servicing.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#platform/context.ts'

export const paperPrefix = '/papers'
const context = 'paper link'
const daysGood = 1

export interface PaperPlace {
  tenantId: string
  caseRef: string
  name: LoanPaper
}

export function paperUrl({ seal, config }: Pick<Context, 'seal' | 'config'>, place: PaperPlace, at: Date): string {
  const { tenantId, caseRef, name } = place
  const sealed = seal.json([tenantId, caseRef, name, daysAfter(at, daysGood).getTime()], context)
  return `${config.PUBLIC_URL}${paperPrefix}/${sealed.toString('base64url')}`
}

/** Refused as `absent` when we never made it, and once its day is over. */
export function openPaperLink({ seal }: Pick<Context, 'seal'>, token: string, at: Date): PaperPlace {
  let opened: [string, string, LoanPaper, number]
  try {
    opened = seal.openJson(Buffer.from(token, 'base64url'), context)
  } catch {
    throw new Refusal('absent', 'there is nothing at this address')
  }
  const [tenantId, caseRef, name, until] = opened
  if (at.getTime() > until) throw new Refusal('absent', 'this link has expired')
  return { tenantId, caseRef, name }
}
