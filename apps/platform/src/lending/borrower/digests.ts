// Digests of what identifies a person, by which tables are searched. They cannot be computed without our key.

import type { Seal } from '@lendloom/seal/seal'
import type { BorrowerDetails } from './borrower.ts'

/** The digest of a mobile number for look-up, which cannot be computed without our key. */
export const mobileDigest = ({ seal }: { seal: Seal }, mobile: string): Buffer => seal.digest(mobile, 'mobile')

type SealDeps = { seal: Seal }

/** The digest of a PAN for look-up, which cannot be computed without our key. */
export const panDigest = ({ seal }: SealDeps, pan: string): Buffer => seal.digest(pan.trim().toUpperCase(), 'pan')

/** The digest of an email address for look-up. Upper and lower case have the same digest. */
export const emailDigest = ({ seal }: SealDeps, email: string): Buffer =>
  seal.digest(email.trim().toLowerCase(), 'email')

/** Look-up digests of a profile; null for absent values. */
export interface ProfileDigests {
  panDigest: Buffer | null
  emailDigest: Buffer | null
  officialEmailDigest: Buffer | null
}

export function digestsOf(deps: SealDeps, { personal, work }: BorrowerDetails): ProfileDigests {
  const { pan, personalEmail } = personal
  return {
    panDigest: pan ? panDigest(deps, pan) : null,
    emailDigest: personalEmail ? emailDigest(deps, personalEmail) : null,
    officialEmailDigest: work.officialEmail ? emailDigest(deps, work.officialEmail) : null,
  }
}
