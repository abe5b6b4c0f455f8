// Journeys that nobody would ever move: they wait for a lender, and no job asks it again or ends the wait. A running loan
// waits for nothing, except while its lender has to answer a request of the borrower.

import { secondsAfter } from '@lendloom/foundation/clock'
import { gauge } from '@lendloom/foundation/metrics'
import { type Fragment, type Run, sql } from '@lendloom/postgres/sql'
import type { Worker } from '@lendloom/queue/queue'
import { measureRegularly } from '@lendloom/queue/worker-loop'
import type { LifecycleStatus } from '@lendloom/wire/hosted/lifecycle'
import type { Context } from '#platform/context.ts'
import { hasConsentToGive, isOverSession } from '#platform/lenders/network/consent/store.ts'
import { followUpKeys } from '#platform/lenders/network/follow-up.ts'
import { hasFailed } from '#platform/lenders/partner/reactions/checks/check-report.ts'

export interface StalledJourney {
  tenantId: string
  journeyId: string
  status: LifecycleStatus
  /** When the journey last changed. */
  updatedAt: Date
}

const hasJourney = sql`s.bucket = j.bucket and s.tenant_id = j.tenant_id and s.journey_id = j.journey_id`

/** Conditions on an offer `s`: the borrower may choose it; the borrower may accept its final terms. */
const isReceived = sql`s.status = 'OFFER_RECEIVED'`
const isFinal = sql`s.selected_at is not null and s.final_terms`

/** Whether the borrower has an offer to choose, or final terms to accept. */
const hasOffer = (at: Date, offer: Fragment) => sql`
  exists (select 1 from offer s where ${hasJourney} and ${offer} and (s.valid_until is null or s.valid_until > ${at}))`

/**
 * Whether a page of the lender is open, which the borrower can open again. The network does not let us ask the lender
 * meanwhile (FIS12 §4.1), but for a booked visit and for an agreement that the lender need not report (FIS12 §19.3).
 */
const isOnLenderPage = sql`exists (
  select 1 from step s join conversation c
    on c.bucket = s.bucket and c.tenant_id = s.tenant_id and c.journey_id = s.journey_id
  where ${hasJourney} and s.status = 'IN_PROGRESS'
    and (s.resource_url is not null or s.resource_url_sealed is not null)
    and c.stage in ('FINAL_TERMS', 'LIEN_REQUESTED', 'MANDATE_REQUESTED', 'AGREEMENT_REQUESTED')
    and not (s.name = 'loanAgreement' and j.lender_mode is not distinct from 'OFFLINE')
    and not exists (
      select 1 from offer o where o.bucket = c.bucket and o.tenant_id = c.tenant_id and o.journey_id = c.journey_id
        and o.conversation_id = c.conversation_id and o.visit_booked_at is not null))`

/** SQL: the check at a partner that step `s` consists of. */
const checkOfStep = sql`case s.name when 'kyc' then 'kyc' when 'eMandate' then 'mandate' when 'loanAgreement' then 'esign' end`

/** Whether a check at a partner has to be begun, which the borrower does by opening its link, also once more. */
const hasCheckToBegin = sql`exists (
  select 1 from step s
  join partner_case k on k.bucket = s.bucket and k.tenant_id = s.tenant_id and k.journey_id = s.journey_id
  left join partner_check p
    on p.bucket = k.bucket and p.tenant_id = k.tenant_id and p.case_ref = k.case_ref and p.kind = ${checkOfStep}
      and not ${hasFailed}
  where ${hasJourney} and s.status = 'IN_PROGRESS' and k.stage = 'ACCEPTED' and p.case_ref is null)`

/** Whether the journey is before its payout and the next act is not the borrower's, as far as its status says. */
const waitsForLender = (at: Date) => sql`
  (j.status = 'STARTED' and j.search in ('OPEN', 'CLOSED')
    or j.status = 'PROFILED'
    or j.status = 'OFFERED' and not ${hasOffer(at, isReceived)}
    or j.status = 'OFFER_SELECTED' and not ${hasOffer(at, isFinal)}
    or j.status in ('OFFER_ACCEPTED', 'LENDER_REDIRECTED'))
  and not ${hasConsentToGive}
  and not ${isOnLenderPage}
  and not ${hasCheckToBegin}
  and not exists (select 1 from step s where ${hasJourney}
    and (s.status = 'READY' or s.status = 'FAILURE' and coalesce((s.diagnostics->>'retryable')::boolean, true)))`

const hasOpenServicingRequest = sql`(exists (select 1 from servicing s where ${hasJourney} and s.status = 'REQUESTED')
  or exists (select 1 from drawdown s where ${hasJourney} and s.status in ('REQUESTED', 'AGREED')))`

/**
 * Whether the expiry of an offer would end the journey: before the choice, or when the final terms are there. At any other
 * time the job of the expiry does nothing, and may stand in the queue for days.
 */
const canLapse = sql`(j.status = 'OFFERED'
  or j.status = 'OFFER_SELECTED' and exists (select 1 from offer s where ${hasJourney} and ${isFinal}))`

/** Whether the end of the offer window would change the journey. */
const awaitsOffers = sql`j.status in ('STARTED', 'PROFILED', 'OFFERED')`

/** The messages whose answers are awaited, as text. */
const awaitedMessages = sql`array(
  select c.awaited_message_id::text from conversation c
  where c.bucket = j.bucket and c.tenant_id = j.tenant_id and c.journey_id = j.journey_id
    and c.awaited_message_id is not null)`

/** The consents whose decision the aggregator is asked for, as text. */
const openConsents = sql`array(
  select s.aa_session_id::text from aa_session s
  where ${hasJourney} and s.dispatched_at is null and not ${isOverSession})`

/** The stages of the journey's cases, as `<case>:<stage>`. */
const caseStages = sql`array(select s.case_ref || ':' || s.stage from partner_case s where ${hasJourney})`

/** The checks at a partner whose steps the borrower has begun. */
const begunChecks = sql`array(select ${checkOfStep} from step s where ${hasJourney} and s.status = 'IN_PROGRESS')`

/**
 * Whether job `s` can move the journey `w`: only while what it asks for or ends is awaited. Jobs about a complaint, a
 * page, files or a closed loan cannot. A kind that is not named can.
 */
const canMove = sql`
  case s.kind
    when 'offer-lapse' then w.can_lapse
    when 'offer-window' then w.awaits_offers
    when 'fund-statement-look' then w.awaits_offers
    when 'aa-look' then s.payload->>'aaSessionId' = any(w.open_consents)
    when 'lender-follow-up' then s.key = any(w.follow_up_keys)
    when 'network-timer' then
      s.payload->>'messageId' = any(w.awaited_messages) or s.payload->>'conversationId' is null and w.is_searching
    when 'partner-status' then
      s.payload->'followUp' is null
      or (s.payload->>'caseRef') || ':' || (s.payload->'followUp'->>'stage') = any(w.case_stages)
    when 'partner-check' then s.payload->>'check' = any(w.begun_checks)
    when 'partner-claim' then w.status = 'DISBURSED'
    when 'servicing-watch' then w.status = 'DISBURSED'
    else s.kind not in (
      'grievance-changed', 'grievance-follow-up', 'grievance-turned-away', 'lender-page', 'loan-closed', 'partner-upload')
  end`

/** The journey or the case that job `s` is about, as its index has it. */
const subject = sql`coalesce(s.payload->>'journeyId', s.payload->>'caseRef')`

/** Selects journeys with what decides whether a job can still move them; `refs` are their open cases. */
const waitingJourneys = (condition: Fragment, before: Date) => sql`
  select j.tenant_id, j.journey_id, j.status, j.updated_at, ${canLapse} as can_lapse, ${awaitsOffers} as awaits_offers,
    j.search = 'OPEN' as is_searching, ${followUpKeys} as follow_up_keys, ${awaitedMessages} as awaited_messages,
    ${openConsents} as open_consents, ${caseStages} as case_stages, ${begunChecks} as begun_checks,
    array(select s.case_ref::text from partner_case s where ${hasJourney} and s.stage <> 'ENDED') as refs
  from journey j
  where j.updated_at <= ${before} and ${condition}`

/**
 * Returns up to `limit` journeys that wait for a lender, and have no act of the borrower and no job: each awaited answer
 * has a job that repeats the request or ends the wait, and each stored message has one that applies it. Leaves out
 * journeys that changed after `before`.
 */
export const listStalledJourneys = (
  db: Run,
  { at, before = at, limit }: { at: Date; before?: Date; limit: number },
): Promise<StalledJourney[]> => db<StalledJourney>`
  with waiting as materialized (
    ${waitingJourneys(sql`j.active and j.status <> 'DISBURSED' and ${waitsForLender(at)}`, before)}
    union all ${waitingJourneys(sql`j.status = 'DISBURSED' and j.closed_at is null and ${hasOpenServicingRequest}`, before)})
  select w.tenant_id, w.journey_id, w.status, w.updated_at
  from waiting w
  where not exists (select 1 from job s where s.tenant_id = w.tenant_id and ${subject} = w.journey_id::text and ${canMove})
    and not exists (select 1 from job s where s.tenant_id = w.tenant_id and ${subject} = any(w.refs) and ${canMove})
  order by w.updated_at limit ${limit}`

/** On several servers a statement does not see all tables at one instant, so journeys that have just changed are left out. */
const graceSeconds = 60

/** As `listStalledJourneys`, for people who watch an installation: without journeys that changed in the last minute. */
export const listStalledForAMinute = (db: Run, at: Date, limit: number): Promise<StalledJourney[]> =>
  listStalledJourneys(db, { at, before: secondsAfter(at, -graceSeconds), limit })

const stalledJourneys = gauge(
  'journeys_stalled',
  'Journeys that wait for a lender, without an act of the borrower and without a job, up to 1000',
)
const lastCount = gauge(
  'journeys_stalled_counted_timestamp_seconds',
  'When this process last counted the stalled journeys, as a Unix time; 0 before the first count',
)
const mostCounted = 1000
/** A count reads all waiting journeys, so it does not run at each measurement. */
const secondsBetweenCounts = 300

/** Sets the two gauges, for the alerts. */
export async function countStalledJourneys({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const at = clock()
  const stalled = await listStalledForAMinute(db.background, at, mostCounted)
  stalledJourneys.set(stalled.length)
  lastCount.set(Math.floor(at.getTime() / 1000))
}

/** Counts the stalled journeys at the start and then every five minutes. */
export function stalledJourneysWorker({ db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>): Worker {
  let countedAt = new Date(0)
  return measureRegularly(log, 'the journeys without a next act could not be counted', async () => {
    if (clock() < secondsAfter(countedAt, secondsBetweenCounts)) return
    countedAt = clock()
    await countStalledJourneys({ db, clock })
  })
}
