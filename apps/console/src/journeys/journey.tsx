// The page of a journey: timeline, facts, offers, steps, actions and notes.

import type { ConsoleGold, ConsoleLoan, ConsoleOffer, JourneyHead } from '@lendloom/wire/console/journeys'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { PersonalData } from '../privacy/personal-data.tsx'
import { useRecentPage } from '../recent-pages.ts'
import { to } from '../router.ts'
import { isOfPlatform, mayHandleData, tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { labelOf, rupees, shortId } from '../ui/code-labels.ts'
import { Badge, Crumbs, Day, Id, Loading, Time, type Tone, Trouble } from '../ui/components.tsx'
import { useResource } from '../ui/list.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { tenantName } from '../ui/tenant-column.tsx'
import { ReplayDialog } from '../webhooks/replays.tsx'
import { LineCard } from './credit-line-card.tsx'
import { Acts } from './journey-acts.tsx'
import { Banner } from './journey-banner.tsx'
import { Fact } from './journey-fact.tsx'
import { JourneyStatus } from './journey-status.tsx'
import { actNames, hasNoLoan, lenderOf, productName, refusingLender, toneOf } from './journey-texts.ts'
import { Notes } from './notes.tsx'
import { instalmentsText, noOfferText, offerText, rateText } from './offer-texts.ts'
import { Reveal } from './reveal-dialog.tsx'
import { Rail } from './step-progress.tsx'
import { stepName, stepState, triesText } from './step-texts.ts'
import { Timeline } from './timeline.tsx'

const parts = [
  [undefined, 'Journey'],
  ['personal-data', 'Personal data'],
] as const

export function Journey({ journeyId, part }: { journeyId: string; part: string | undefined }) {
  const {
    value: head,
    error,
    reload,
  } = useResource<JourneyHead>(`/journeys/${journeyId}`, { tenantId: tenantId.value })
  const changes = useChanges(journeyId, reload)
  const isRevealing = useSignal(false)
  const borrower = head && (head.erasedAt ? 'Erased borrower' : (head.borrower.name ?? head.borrower.providerId))
  useRecentPage('Journey', head && `${borrower} · ${productName(head.product)} · ${shortId(journeyId)}`)
  if (error && !head) return <Trouble error={error} retry={reload} />
  if (!head) return <Loading />
  return (
    <>
      <Crumbs href={to('journeys')} name="Journeys" />
      <Head head={head} onReveal={() => assign(isRevealing, true)} />
      {mayHandleData() && <Tabs path={['journeys', journeyId]} label="Parts of the journey" parts={parts} now={part} />}
      {part === 'personal-data' && mayHandleData() ? (
        <PersonalData key={journeyId} path={`/journeys/${journeyId}/privacy`} journeyId={journeyId} onDone={reload} />
      ) : (
        <Content head={head} changeCount={changes} onDone={reload} />
      )}
      {isRevealing.value && <Reveal journeyId={journeyId} onClose={() => assign(isRevealing, false)} />}
    </>
  )
}

interface ContentProps {
  head: JourneyHead
  changeCount: number
  onDone(): void
}

function Content({ head, changeCount, onDone }: ContentProps) {
  const { journeyId } = head
  const isReplaying = useSignal(false)
  const onReplay = () => assign(isReplaying, true)
  return (
    <>
      <Rail head={head} />
      <Banner head={head} onReplay={onReplay} />
      <div class={`journey ${isOver(head) ? 'over' : ''}`}>
        <div>
          <Timeline head={head} changeCount={changeCount} />
          <Notes journeyId={journeyId} />
        </div>
        <aside>
          {head.creditLine && <LineCard line={head.creditLine} loan={head.loan} offer={chosenOf(head)} />}
          {head.loan && !head.creditLine && <LoanCard loan={head.loan} gold={head.gold} offer={chosenOf(head)} />}
          {!head.loan && head.gold && <GoldCard gold={head.gold} />}
          <Facts head={head} />
          {head.offers.length > 0 && <Offers head={head} />}
          {head.steps.length > 0 && <Steps head={head} />}
          <Acts head={head} onDone={onDone} onReplay={onReplay} />
        </aside>
      </div>
      {isReplaying.value && (
        <ReplayDialog
          ofTenantId={head.tenantId}
          filter={{ journeyId, states: ['EXHAUSTED', 'STOPPED', 'PENDING'] }}
          onClose={() => assign(isReplaying, false)}
          onDone={onDone}
        />
      )}
    </>
  )
}

/** The borrower, with the state of the journey and of a loan that does not simply run. */
function Head({ head, onReveal }: { head: JourneyHead; onReveal(): void }) {
  const reveal = head.acts.find(({ act }) => act === 'reveal')
  return (
    <div class="page-head">
      <div>
        <h1>
          {head.erasedAt ? 'Erased borrower' : (head.borrower.name ?? head.borrower.providerId)}{' '}
          <JourneyStatus journey={head} />{' '}
          {head.loan && !head.isCancelled && head.line !== 'CLOSED' && head.loan.state !== 'RUNNING' && (
            <Badge tone={loanStates[head.loan.state][0]}>{loanStates[head.loan.state][1]}</Badge>
          )}
        </h1>
        <p class="quiet">
          {tenantId.value === '' &&
            isOfPlatform.value &&
            tenantName(head) !== head.application &&
            `${tenantName(head)} · `}
          {productName(head.product)} · {head.application} · <Id value={head.journeyId} />
        </p>
      </div>
      {reveal?.possible && (
        <button type="button" class="secondary" onClick={onReveal}>
          {actNames.reveal}
        </button>
      )}
    </div>
  )
}

/** Reloads the journey on each change that the platform reports; returns the number of changes. */
function useChanges(journeyId: string, reload: () => void): number {
  const changes = useSignal(0)
  const tenant = tenantId.value
  useEffect(() => {
    const source = new EventSource(`/api/console/journeys/${journeyId}/live${tenant && `?tenantId=${tenant}`}`)
    source.addEventListener('news', () => {
      changes.value++
      reload()
    })
    return () => source.close()
  }, [journeyId, tenant])
  return changes.value
}

const Facts = ({ head }: { head: JourneyHead }) => (
  <section class="card">
    <h2>{head.erasedAt ? 'Facts' : 'Borrower'}</h2>
    <dl class="facts">
      <Fact name="Identifier" value={head.erasedAt ? null : <Id value={head.borrower.providerId} />} />
      <Fact name="Mobile" value={head.erasedAt ? null : head.borrower.mobile} />
      <Fact name="PAN" value={head.borrower.pan} />
      <Fact name="Email" value={head.borrower.email} />
      <Fact name="Account" value={head.borrower.account} />
      <Fact name="Lender" value={head.lender && lenderOf(head)} />
      <Fact name="Started" value={<Time at={head.createdAt} exact />} />
      <Fact name="Last borrower activity" value={<Time at={head.lastBorrowerActAt} />} />
      <Fact name="Network transaction" value={head.erasedAt ? null : <Id value={head.networkTransactionId} />} />
      <Fact name="Case at the partner" value={head.caseRef && <Id value={head.caseRef} />} />
    </dl>
  </section>
)

const loanStates = {
  RUNNING: ['good', 'Running'],
  OVERDUE: ['bad', 'Overdue'],
  REPAID: ['good', 'Repaid'],
  CANCELLED: ['plain', 'Cancelled'],
} as const satisfies Record<ConsoleLoan['state'], readonly [Tone, string]>

interface LoanCardProps {
  loan: ConsoleLoan
  gold: ConsoleGold | null
  offer: ConsoleOffer | undefined
}

const LoanCard = ({
  loan: { state, number, outstanding, unpaidInstalments, overdue, overdueSince, nextDue, closedAt },
  gold,
  offer,
}: LoanCardProps) => (
  <section class="card">
    <h2>Loan</h2>
    <dl class="facts">
      <Fact name="State" value={<Badge tone={loanStates[state][0]}>{loanStates[state][1]}</Badge>} />
      <Fact
        name="Overdue"
        value={
          overdue && (
            <>
              {rupees(overdue)}
              {overdueSince && (
                <>
                  {' '}
                  since <Day on={overdueSince} />
                </>
              )}
            </>
          )
        }
      />
      <Fact
        name="Next due"
        value={
          nextDue && (
            <>
              {rupees(nextDue.amount)} on <Day on={nextDue.dueOn} />
            </>
          )
        }
      />
      <Fact name="Number" value={number && <Id value={number} />} />
      <Fact name="Amount" value={offer?.principal && rupees(offer.principal)} />
      <Fact name="Rate" value={offer && rateText(offer)} />
      <Fact name="Outstanding today" value={outstanding && rupees(outstanding)} />
      <Fact name="Left to repay, with interest" value={unpaidInstalments && rupees(unpaidInstalments)} />
      {gold && <Fact name="Pledged" value={pledgeText(gold)} />}
      {gold && <Fact name="Branch" value={gold.branch} />}
      <Fact name="Ended" value={closedAt && <Time at={closedAt} exact />} />
    </dl>
  </section>
)

/** What a gold loan that is not paid out yet will pledge. */
const GoldCard = ({ gold }: { gold: ConsoleGold }) =>
  pledgeText(gold) || gold.branch ? (
    <section class="card">
      <h2>Gold</h2>
      <dl class="facts">
        <Fact name="To pledge" value={pledgeText(gold)} />
        <Fact name="Branch" value={gold.branch} />
      </dl>
    </section>
  ) : null

const pledgeText = ({ weightGrams, purity }: ConsoleGold): string =>
  [weightGrams !== null && `${weightGrams} g`, purity?.replace(/K$/, ' carat')].filter(Boolean).join(' · ')

/** Whether the journey has ended, with or without a loan. */
const isOver = (head: JourneyHead): boolean => head.status === 'DISBURSED' || head.line !== null || hasNoLoan(head)

const chosenOf = ({ offers }: JourneyHead): ConsoleOffer | undefined => offers.find(({ chosen }) => chosen)

function badgeOf({ lender, accepted, chosen, rejectedAt }: ConsoleOffer, refusing: string | null): ComponentChildren {
  if (rejectedAt !== null || lender === refusing) return <Badge tone="bad">Rejected</Badge>
  if (accepted) return <Badge tone="good">Accepted</Badge>
  return chosen && <Badge tone="info">Chosen</Badge>
}

/** The accepted offer comes first, then the chosen one. */
const rankOf = ({ accepted, chosen }: ConsoleOffer): number => (accepted ? 2 : chosen ? 1 : 0)

const Offers = ({ head }: { head: JourneyHead }) => (
  <section class="card">
    <h2>Offers</h2>
    <ul class="offers">
      {head.offers
        .toSorted((a, b) => rankOf(b) - rankOf(a))
        .map((offer) => (
          <li key={offer.offerId}>
            <span>
              <strong>{offer.lender}</strong>
              {badgeOf(offer, refusingLender(head))}
            </span>
            {offer.status === 'OFFER_RECEIVED' ? (
              <span class="quiet">
                {offerText(offer)}
                {instalmentsText(offer) && <span class="block">{instalmentsText(offer)}</span>}
              </span>
            ) : (
              <span class="quiet">{noOfferText(offer, hasNoLoan(head))}</span>
            )}
          </li>
        ))}
    </ul>
  </section>
)

/** Nothing is to be watched in a step that the app does not have, so that it has no badge. */
const StepState = ({ status, text }: { status: string; text: string }) =>
  status === 'NOT_REQUIRED' ? <span class="quiet small">{text}</span> : <Badge tone={toneOf(status)}>{text}</Badge>

/** The payout of a credit line is its first drawdown, which may never come. */
const FirstDrawdown = ({ status, line }: { status: string; line: 'OPEN' | 'CLOSED' }) =>
  status === 'IN_PROGRESS' || status === 'READY' ? (
    <span class="quiet small">{line === 'OPEN' ? 'Not yet' : 'None'}</span>
  ) : (
    <StepState status={status} text={labelOf(status)} />
  )

const Steps = ({ head: { steps, visitsBranch, line, caseRef, status: journeyStatus } }: { head: JourneyHead }) => (
  <section class="card">
    <h2>Steps</h2>
    <ul class="offers">
      {steps.map(({ name, status, attempts, problem }) => (
        <li key={name}>
          <span>
            {stepName(name, { visitsBranch, line })}{' '}
            {line && name === 'disbursal' ? (
              <FirstDrawdown status={status} line={line} />
            ) : (
              <StepState
                status={status}
                text={stepState(status, {
                  steps,
                  visitsBranch,
                  isOpened: line !== null || journeyStatus === 'DISBURSED',
                })}
              />
            )}
          </span>
          {(problem || attempts > 1) && (
            <span class="quiet">
              {[triesText({ name, attempts }, { caseRef }), problem && labelOf(problem)].filter(Boolean).join(' · ')}
            </span>
          )}
        </li>
      ))}
    </ul>
  </section>
)
