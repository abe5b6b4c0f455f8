// Detects stuck journeys: a borrower continues as far as possible; then the journey must have ended, wait for the borrower, or have something due.
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { visitAggregator } from './aggregator.ts'
import { act, answerPage, type Borrower, call, type Plan, RequestRefused, readView } from './borrower.ts'
import { deadlineMs } from './deadline.ts'
import type { OfficialPrograms } from './official-programs.ts'

export interface WaitOptions {
  /** A borrower who waits most of a minute for something due; others leave sooner. */
  isPatient: boolean
}

/** A missing response is requested again after ten seconds, and again after another twenty; this waits for one of them. */
const soonMs = (isPatient: boolean) => (isPatient ? 45_000 : 12_000)
/** How long nothing must change before checking whether something is due. */
const idleMs = 1500
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * When the next automatic action for a journey is due; null if none is. The expiry of an offer does not count, since it does
 * not advance the journey. A started action is either running or will be retried soon.
 */
async function nextDue({ db }: OfficialPrograms, journeyId: string): Promise<Date | null> {
  const [row] = await db<{ dueAt: Date | null }>`
    select min(case when attempt > 0 then enqueued_at else due_at end) as due_at
    from job where payload->>'journeyId' = ${journeyId} and kind <> 'offer-lapse'`
  return row!.dueAt
}

interface ContinueOptions extends WaitOptions {
  done: (view: EmbedView) => boolean
  /** Does the borrower's next action; `isStuck` is true if nothing changes any more and nothing is due soon. */
  step: (isStuck: boolean) => Promise<void>
}

/**
 * Acts until the journey is done, until only the borrower can continue, or until only something due remains. Throws if nothing
 * is due.
 */
async function continueUntil(
  ctx: OfficialPrograms,
  borrower: Borrower,
  { done, step, isPatient }: ContinueOptions,
): Promise<'done' | 'page-due' | 'waits'> {
  let seen = ''
  let since = Date.now()
  let tried = ''
  for (const deadline = Date.now() + 2 * deadlineMs; ; await sleep(200)) {
    const now = progressOf(await readView(borrower))
    if (done(borrower.view)) return 'done'
    if (now !== seen) {
      seen = now
      since = Date.now()
    }
    const idle = Date.now() - since
    const isIdle = idle > idleMs && !(await isBusy(ctx, borrower))
    const due = isIdle ? await nextDue(ctx, borrower.journeyId) : new Date()
    const isStuck = due === null || due.getTime() > Date.now() + soonMs(isPatient)
    // If stuck, do whatever is still possible and check again.
    await step(isStuck)
    if (isStuck && tried !== now) tried = now
    else if (isStuck) {
      if (due !== null) return 'waits'
      if (isPageDue(borrower.view)) return 'page-due'
      if (idle > 8 * idleMs) throw new Error(`nothing is due at ${now}`)
    }
    if (Date.now() > deadline) throw new Error(`the journey does not end at ${now}`)
  }
}

async function isBusy({ db, lender }: OfficialPrograms, { journeyId }: Borrower): Promise<boolean> {
  const [row] = await db<{ networkTransactionId: string }>`
    select network_transaction_id from journey where journey_id = ${journeyId}`
  return (lender.talks.get(row!.networkTransactionId)?.pending ?? 0) > 0
}

const pages = {
  KYC: 'kyc',
  VISIT: 'kyc',
  LIEN: 'eMandate',
  E_MANDATE: 'eMandate',
  LOAN_AGREEMENT: 'loanAgreement',
} as const

/** Whether the borrower must visit a page of the lender; nothing else happens until the lender reports it (FIS12 §4.1). */
function isPageDue({ screen, steps }: EmbedView): boolean {
  const step = screen in pages ? steps[pages[screen as keyof typeof pages]] : null
  return step !== null && step.redirectUrl !== null
}

const progressOf = ({ screen, status, steps, offers, accountAggregator, servicing, grievances }: EmbedView): string =>
  JSON.stringify({
    screen,
    status,
    steps,
    offers: offers.map(({ id }) => id),
    accountAggregator,
    servicing,
    grievances,
  })

const ends = ['DISBURSED', 'LINE_OPEN', 'CLOSED', 'REJECTED', 'NOT_OFFERED', 'NO_ANSWER', 'EXPIRED']

/** Takes the journey from its current state to its end, including consents and pages. If no better offer arrives, accepts an existing one. */
export async function runToEnd(ctx: OfficialPrograms, borrower: Borrower, plan: Plan, patience: WaitOptions) {
  const given = new Set<string>()
  return continueUntil(ctx, borrower, {
    ...patience,
    done: ({ screen }) => ends.includes(screen),
    async step(isStuck) {
      const all = borrower.view.accountAggregator
      // A lender may request another consent.
      for (const { standing: report, offerId, purpose } of all)
        if (report !== 'DUE') given.delete(`${offerId} ${purpose}`)
      const due = all.find(
        (each) => each.standing === 'DUE' && (isStuck || !given.has(`${each.offerId} ${each.purpose}`)),
      )
      if (due) {
        const { status, body } = await call(borrower, 'POST', `/aa/${due.offerId}/redirect`)
        if (status === 200) given.add(`${due.offerId} ${due.purpose}`)
        if (status === 200) await visitAggregator(body.url, 'approve')
      } else await actUnlessOvertaken(borrower, isStuck ? {} : plan)
    },
  })
}

/** A lender's message may arrive before the borrower's action, which is then rejected; and its link may be broken. */
async function actUnlessOvertaken(borrower: Borrower, plan: Plan): Promise<void> {
  try {
    await act(borrower, plan)
  } catch (error) {
    const isOvertaken = error instanceof RequestRefused && error.reply.status === 409
    if (!isOvertaken && !/page answered|fetch failed|is no form|Invalid URL/.test((error as Error).message)) throw error
  }
}

const kinds = {
  foreclosure: 'FORECLOSURE',
  'pre-part-payment': 'PRE_PART_PAYMENT',
  'missed-emi-payment': 'MISSED_EMI_PAYMENT',
} as const

/** Requests the loan's status, then a payment, and makes the payment on the lender's page. */
export async function repayLoan(
  ctx: OfficialPrograms,
  borrower: Borrower,
  path: keyof typeof kinds,
  patience: WaitOptions,
): Promise<void> {
  await call(borrower, 'POST', '/servicing/status', {})
  const reply = await call(
    borrower,
    'POST',
    `/servicing/${path}`,
    path === 'pre-part-payment' ? { amount: '2000' } : {},
  )
  if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
  const paid = new Set<string>()
  const payment = () => borrower.view.servicing.find(({ kind }) => kind === kinds[path])
  await continueUntil(ctx, borrower, {
    ...patience,
    done: () => ['PAID', 'FAILED', 'EXPIRED'].includes(payment()?.status ?? ''),
    async step() {
      const url = payment()?.redirectUrl
      if (!url || paid.has(url)) return
      paid.add(url)
      // A malformed link may be broken.
      await answerPage(url, 'approve').catch(() => null)
    },
  })
}

/** Raises a complaint, waits for the lender's resolution, and closes it with a rating. */
export async function fileComplaint(ctx: OfficialPrograms, borrower: Borrower, patience: WaitOptions): Promise<void> {
  const text = 'A charge of 500 rupees was taken that the offer did not show.'
  const raised = await call(borrower, 'POST', '/grievances', { topic: 'CHARGES', text })
  if (raised.status !== 200) throw new Error(`a complaint answered ${raised.status}: ${JSON.stringify(raised.body)}`)
  const complaint = () => borrower.view.grievances!.items[0]!
  const known = await continueUntil(ctx, borrower, {
    ...patience,
    done: () => ['RESOLVED', 'REFUSED'].includes(complaint().status),
    step: async () => {},
  })
  if (known !== 'done' || complaint().status !== 'RESOLVED') return
  const closed = await call(borrower, 'POST', `/grievances/${complaint().id}/close`, { rating: 'THUMBS-UP' })
  if (closed.status !== 200) throw new Error(`the close answered ${closed.status}: ${JSON.stringify(closed.body)}`)
}
