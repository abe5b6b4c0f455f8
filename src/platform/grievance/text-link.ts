// The address at which a lender reads what a borrower added to a grievance: of one grievance, and only by its link (FIS12 §20).
import type { Seal } from '#kit/crypto/seal.ts'
import { identityOf } from '#platform/network/identity.ts'
import type { Grievance } from './grievance.ts'
import type { GrievanceContext } from './grievance-context.ts'

type Place = Pick<Grievance, 'tenantId' | 'journeyId' | 'grievanceId'>

const context = 'grievance text link'

/** Sealed: nobody can make one or read what is in it. */
export const textUrl = (
  { seal, config }: Pick<GrievanceContext, 'seal' | 'config'>,
  { tenantId, journeyId, grievanceId }: Place,
): string => {
  const token = seal.json([tenantId, journeyId, grievanceId], context).toString('base64url')
  return `${identityOf(config).uri.replace(/(?<!\/)\/+$/, '')}/grievances/${token}/text`
}

/** What a token names; null when we never made it. */
export function openTextLink(seal: Seal, token: string): Place | null {
  try {
    const [tenantId, journeyId, grievanceId] = seal.openJson<[string, string, string]>(
      Buffer.from(token, 'base64url'),
      context,
    )
    return { tenantId, journeyId, grievanceId }
  } catch {
    return null
  }
}

/** What the borrower added, oldest first, as plain text. */
export const addedText = ({ detail }: Pick<Grievance, 'detail'>): string =>
  detail.additions.map(({ at, text }) => `${at}\n${text}\n`).join('\n')
