// Begins a case with the partner, ends one, and finds the one of a journey.
import { uuidv4, uuidv7 } from '#kit/crypto/id.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { enqueue } from '#kit/messaging/queue.ts'
import type { BorrowerDetails } from '#platform/borrower/borrower.ts'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { isSwitchedOff } from '#platform/lender/switch/store.ts'
import { applicantOf, meetsPartner } from './applicant.ts'
import { isPartnered } from './call.ts'
import { canMove, type PartnerCase, stageAfter } from './case.ts'
import { partnerName } from './identity.ts'
import { changeCase, findCaseOf, insertCase } from './store.ts'

export const beginKind = 'partner-begin'

export interface CaseJob {
  caseRef: string
}

/**
 * Opens a case for a borrower whom the partner lends to, at most one for a journey; what follows is worked off after the
 * commit. A profile that was sent again asks the partner afresh, under a new request id (D3 §4.1).
 */
export async function openCase(ctx: TxContext, journey: Journey, person: BorrowerDetails): Promise<void> {
  const { tx, at } = ctx
  if (!isPartnered(ctx) || !meetsPartner(journey, person)) return
  const { tenantId, journeyId } = journey
  if (await isSwitchedOff(tx, { tenantId, ...partnerName(ctx) })) return
  if (applicantOf(person) === null)
    return ctx.log.info({ journeyId }, 'the profile has no full address: the partner is not asked')
  const caseRef = uuidv7(at.getTime())
  const fresh = await insertCase(tx, { tenantId, caseRef, journeyId, dedupeRequestId: uuidv4() }, at)
  const known = fresh ? undefined : await findCaseOf(tx, journey)
  if (known && known.stage !== 'CHECKING')
    await changeCase(tx, known, { stage: 'CHECKING', dedupeRequestId: uuidv4(), endedBecause: null }, at)
  const payload: CaseJob = { caseRef: known?.caseRef ?? caseRef }
  await enqueue(tx, { tenantId, kind: beginKind, payload, dueAt: at })
}

/** Nothing more is said to the partner about it. A case that is with the partner is ended by an event, not by this alone. */
export async function endCase(tx: Tx, application: PartnerCase, because: string, at: Date): Promise<PartnerCase> {
  if (!canMove(application, 'end')) return application
  return changeCase(tx, application, { stage: stageAfter(application, 'end'), endedBecause: because }, at)
}

/** The case of a journey, where there is a partner. */
export const caseOf = async (
  db: Run,
  ctx: Pick<Context, 'config'>,
  journey: Pick<Journey, 'tenantId' | 'journeyId'>,
): Promise<PartnerCase | undefined> => (isPartnered(ctx) ? findCaseOf(db, journey) : undefined)

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
  const fresh = { dedupeRequestId: uuidv4(), dedupeCheckedAt: null, leadEventId: null }
  await changeCase(tx, application, { stage: stageAfter(application, 'corrected'), ...fresh }, at)
  const payload: CaseJob = { caseRef }
  await enqueue(tx, { tenantId, kind: leadKind, payload, dueAt: at })
}
