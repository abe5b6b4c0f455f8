// The address at which a lender downloads a borrower's statement: of one journey, for five days (FIS12 §10.3 `statementUpload`).
import type { Registrar } from '#contract/hosted/portfolio.ts'
import { sharedStatement, statementDays } from '#contract/hosted/statement.ts'
import type { SharedFile } from '#contract/network/v230/form-data.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#platform/context.ts'
import type { Of } from './loan-preferences.ts'

/** What a link opens: all of the statement, or one registrar's part of it. */
export interface LinkedStatement extends Of {
  registrar: Registrar | null
}

const context = 'statement link'

/** Sealed: nobody can make one or read what is in it, and nothing has to be kept for it. Every call gives another one. */
export function statementUrl(
  { seal, config }: Pick<Context, 'seal' | 'config'>,
  { tenantId, journeyId }: Of,
  at: Date,
  registrar: Registrar | null = null,
): string {
  const linked = { tenantId, journeyId, registrar, ends: daysAfter(at, statementDays).getTime() }
  return `${config.PUBLIC_URL}/files/statement/${seal.json(linked, context).toString('base64url')}`
}

/** The answer to the field `statementUpload` of a lender's form. */
export const statementUpload = (
  ctx: Pick<Context, 'seal' | 'config'>,
  journey: Of,
  at: Date,
  registrar: Registrar | null = null,
): SharedFile => sharedStatement(statementUrl(ctx, journey, at, registrar))

/** What a token names, and until when in milliseconds; null when we never made it. */
export function openStatementLink(seal: Seal, token: string): (LinkedStatement & { ends: number }) | null {
  try {
    return seal.openJson(Buffer.from(token, 'base64url'), context)
  } catch {
    return null
  }
}
