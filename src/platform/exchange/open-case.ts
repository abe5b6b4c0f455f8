// Begins a case with each partner that lends to a borrower, ends one, and finds the one of an offer.
import { bucketOf, uuidv4, uuidv7 } from '#kit/crypto/id.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { enqueue } from '#kit/messaging/queue.ts'
import { required } from '#kit/runtime/record.ts'
import type { BorrowerDetails } from '#platform/borrower/borrower.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { isSwitchedOff } from '#platform/lender/switch/store.ts'
import { applicantOf, meetsPartner } from './applicant.ts'
import { canMove, type PartnerCase, stageAfter } from './case.ts'
import { lenderNameOf, type Partner } from './partner.ts'
import { lendingPartners } from './partners.ts'
import { changeCase, findCase, insertCase, listCases } from './store.ts'

export const beginKind = 'partner-begin'

export interface CaseJob {
  caseRef: string
}

/**
 * Opens a case at each partner that lends to such a borrower and is not switched off, at most one for a journey at each; what
 * follows is worked off after the commit. A profile that was sent again asks them afresh, under new request ids (D3 §4.1).
 */
export async function openCases(ctx: TxContext, journey: Journey, person: BorrowerDetails): Promise<void> {
  const { tx } = ctx
  if (!meetsPartner(journey, person)) return
  const { tenantId, journeyId } = journey
  const lending = await lendingPartners(ctx, tx, journey.type)
  if (lending.length === 0) return
  if (applicantOf(person) === null)
    return ctx.log.info({ journeyId }, 'the profile has no full address: lending partners are not asked')
  const known = await listCases(tx, journey)
  for (const partner of lending)
    if (!(await isSwitchedOff(tx, { tenantId, ...lenderNameOf(partner) }))) await openCase(ctx, journey, partner, known)
}

async function openCase(ctx: TxContext, journey: Journey, { partnerId }: Partner, cases: PartnerCase[]): Promise<void> {
  const { tx, at } = ctx
  const { tenantId, journeyId } = journey
  const known = cases.find((each) => each.partnerId === partnerId)
  const caseRef = known?.caseRef ?? uuidv7(at.getTime(), bucketOf(journeyId))
  const dedupeRequestId = uuidv4(bucketOf(journeyId))
  if (!known) await insertCase(tx, { tenantId, caseRef, journeyId, partnerId, dedupeRequestId }, at)
  else if (known.stage !== 'CHECKING')
    await changeCase(tx, known, { stage: 'CHECKING', dedupeRequestId, endedBecause: null }, at)
  const payload: CaseJob = { caseRef }
  await enqueue(tx, { tenantId, kind: beginKind, payload, dueAt: at })
}

/** Nothing more is said to the partner about it. A case that is with the partner is ended by an event, not by this alone. */
export async function endCase(tx: Tx, application: PartnerCase, because: string, at: Date): Promise<PartnerCase> {
  if (!canMove(application, 'end')) return application
  return changeCase(tx, application, { stage: stageAfter(application, 'end'), endedBecause: because }, at)
}

/** The case that an offer came from. Throws when there is none: an offer of a partner has one. */
export async function caseOfOffer(
  tx: Run,
  { tenantId, conversationId: caseRef }: { tenantId: string; conversationId: string },
): Promise<PartnerCase> {
  return required(await findCase(tx, { tenantId, caseRef }), 'the case of an offer')
}

export const leadKind = 'partner-lead'

/** The borrower took the recommendation: the lead is put together and sent after the commit. */
export async function chooseCase(tx: Tx, application: PartnerCase, at: Date): Promise<PartnerCase> {
  const { tenantId, caseRef } = application
  const payload: CaseJob = { caseRef }
  await enqueue(tx, { tenantId, kind: leadKind, key: caseRef, payload, dueAt: at })
  return changeCase(tx, application, { stage: stageAfter(application, 'chosen') }, at)
}

/** The account that the lead was waiting for is known: it is put together once more. */
export const submitWithAccount = (tx: Tx, { tenantId, caseRef, stage }: PartnerCase, at: Date): Promise<void> => {
  const payload: CaseJob = { caseRef }
  return stage === 'CHOSEN' ? enqueue(tx, { tenantId, kind: leadKind, payload, dueAt: at }) : Promise.resolve()
}

/** The lead is put together once more, on a fresh check, and goes under an event id and version of its own (D3 §6 rule 6). */
export async function correctLead(tx: Tx, application: PartnerCase, at: Date): Promise<void> {
  const { tenantId, caseRef } = application
  const fresh = { dedupeRequestId: uuidv4(bucketOf(caseRef)), dedupeCheckedAt: null, leadEventId: null }
  await changeCase(tx, application, { stage: stageAfter(application, 'corrected'), ...fresh }, at)
  const payload: CaseJob = { caseRef }
  await enqueue(tx, { tenantId, kind: leadKind, payload, dueAt: at })
}
