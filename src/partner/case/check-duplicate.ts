// The dedupe act: one verdict for each request id, kept, and given again to the same request (D3 §4.1).
import type { LeadSubmitted } from '#contract/exchange/event/lead-submitted.ts'
import { businessDate } from '#kit/calendar.ts'
import { Refusal } from '#kit/refusal.ts'
import type { Tx } from '#kit/sql.ts'
import type { World } from '#partner/world.ts'
import { type Applicant, digestsOf } from './applicant.ts'
import { isAutopilotOn } from './autopilot-switch.ts'
import { leadContext } from './case.ts'
import { ageOn, type Known, verdictOn } from './dedupe.ts'
import { twistFor } from './sandbox-rules.ts'
import { type DedupeRow, findDedupe, insertDedupe, knownBorrower, readLead } from './store.ts'

export interface DedupeAsked {
  sender: string
  requestId: string
  caseRef: string
  applicant: Applicant
  /** Digest of the whole content of the request. */
  contentDigest: Buffer
  /** The reference under which a lead may name the verdict. */
  dedupeReferenceId: string
}

/** Gives the verdict, and whether it was given before. Refused as `reused-key` when the request id had other content. */
export async function checkDuplicate(
  tx: Tx,
  { seal, config }: Pick<World, 'seal' | 'config'>,
  { applicant, ...asked }: DedupeAsked,
  at: Date,
): Promise<{ verdict: DedupeRow; replayed: boolean }> {
  const before = await findDedupe(tx, asked.sender, asked.requestId)
  if (before) return { verdict: same(before, asked.contentDigest), replayed: true }
  const digests = digestsOf(seal, applicant)
  const [all, byRule] = await Promise.all([knownBorrower(tx, digests), isAutopilotOn(tx, config)])
  const known = await withBirthdays(
    tx,
    seal,
    all.filter(({ caseRef }) => caseRef !== asked.caseRef),
    applicant,
  )
  const policy = { mostLoans: config.PARTNER_MOST_LOANS, leastAge: config.PARTNER_LEAST_AGE }
  const twist = byRule ? twistFor(applicant.pan) : null
  const { existing, ...verdict } = verdictOn(known, ageOn(applicant.bornOn, businessDate(at)), policy, twist)
  // Only references that this client may access are given to it.
  const shown = existing?.sender === asked.sender ? existing : null
  const row: DedupeRow = {
    ...asked,
    ...digests,
    ...verdict,
    existingLeadId: shown?.leadId ?? null,
    existingLoanId: shown?.loanId ?? null,
    checkedAt: at,
  }
  if (await insertDedupe(tx, row)) return { verdict: row, replayed: false }
  // Somebody asked the same at the same moment and was first.
  const first = await findDedupe(tx, asked.sender, asked.requestId)
  return { verdict: same(first!, asked.contentDigest), replayed: true }
}

/** A case with the same PAN and another digest of mobile and birthday has one of them only in its lead. */
async function withBirthdays(
  tx: Tx,
  seal: World['seal'],
  known: Omit<Known, 'sameBirthday'>[],
  { bornOn }: Applicant,
): Promise<Known[]> {
  const all: Known[] = []
  for (const one of known) {
    const lead = one.samePan && !one.samePerson ? await readLead(tx, one.caseRef) : undefined
    const kept = lead && seal.openJson<LeadSubmitted>(lead, leadContext(one.caseRef)).borrower.date_of_birth
    all.push({ ...one, sameBirthday: kept ? kept === bornOn : one.samePerson })
  }
  return all
}

function same(row: DedupeRow, contentDigest: Buffer): DedupeRow {
  if (!row.contentDigest.equals(contentDigest))
    throw new Refusal('reused-key', 'this request_id was used with other content', { field: 'request_id' })
  return row
}
