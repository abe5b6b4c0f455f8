// The banner of a journey: what it waits for or how it ended, which updates the app has not received, and the next act.
import type { JourneyHead } from '@lendloom/wire/console/journeys'
import { answerText } from '@lendloom/wire/webhook/answer-text-en'
import { to, toOf } from '../router.ts'
import { inIndiaAs } from '../ui/clock.ts'
import { inlineLabelOf, labelOf, rupees } from '../ui/code-labels.ts'
import { Breaking, Failed, SmallButton, Time } from '../ui/components.tsx'
import { countText } from '../ui/format-figures.ts'
import { closedLineText, openLineText } from './credit-line-texts.ts'
import { hasNoLoan, refusalText, waitingText } from './journey-texts.ts'
import { answersSummary, noOfferSummary } from './offer-texts.ts'

interface BannerProps {
  head: JourneyHead
  onReplay(): void
}

export function Banner({ head, onReplay }: BannerProps) {
  const { waitsFor, expired, previous, next, deliveries, erasedAt } = head
  const undelivered = deliveries.waiting + deliveries.lost
  const isBad = deliveries.lost > 0 || deliveries.failing.length > 0
  const overdue = head.loan?.overdue
  const lateCount = head.loan?.overdueInstalments ?? 0
  const hasOutcome = waitsFor || hasNoLoan(head) || erasedAt || previous
  const { creditLine } = head
  const openText = creditLine && !creditLine.closedAt && openLineText(creditLine, head.lender?.name ?? 'the lender')
  return (
    <>
      {overdue && (
        <div class="notice bad">
          <p>
            <Failed>Overdue</Failed>: {rupees(overdue)}
            {head.loan?.overdueSince && ` since ${inIndiaAs('date', head.loan.overdueSince)}`}
            {lateCount > 0 && `, ${countText(lateCount, 'instalment')}`}.
          </p>
        </div>
      )}
      {openText && (
        <div class={`notice ${creditLine.drawdowns[0]?.status === 'FAILED' ? 'bad' : ''}`}>
          <p>{openText}</p>
        </div>
      )}
      {creditLine?.closedAt && (
        <div class="notice plain">
          <p>
            <strong>The credit line is closed</strong>
            {closedLineText(creditLine, head)}. <Time at={creditLine.closedAt} exact />
          </p>
        </div>
      )}
      {hasOutcome && (
        <div class={`notice ${waitsFor ? '' : hasNoLoan(head) ? 'bad' : 'plain'}`}>
          {waitsFor && (
            <p>
              {waitingText(waitsFor, head.lender?.name ?? null)}
              {answersSummary(head) && ` (${answersSummary(head)})`}
              {waitsFor.whose === 'lender' && head.lender && (
                <>
                  . <a href={to('lenders', head.lender.lenderId)}>How {head.lender.name} answers</a>
                </>
              )}
            </p>
          )}
          {expired && (
            <p>
              <Failed>Expired</Failed> <Time at={expired.at} />
              {expired.because && `: ${labelOf(expired.because).toLowerCase()}`}.
            </p>
          )}
          {!waitsFor && !expired && hasNoLoan(head) && <Ending head={head} />}
          {next && (
            <p>
              The borrower then started <a href={to('journeys', next.journeyId)}>another journey</a>{' '}
              <Time at={next.createdAt} />
              {next.status !== 'STARTED' && `, which is now ${inlineLabelOf(next.status)}`}.
            </p>
          )}
          {previous && (
            <p>
              It follows <a href={to('journeys', previous.journeyId)}>a journey</a> of <Time at={previous.createdAt} />{' '}
              that ended without a loan ({inlineLabelOf(previous.status)}).
            </p>
          )}
          {erasedAt && <p>Personal data erased on {inIndiaAs('date', erasedAt)}.</p>}
        </div>
      )}
      {undelivered > 0 && (
        <div class={`notice ${isBad ? 'bad' : 'plain'}`}>
          <Undelivered head={head} onReplay={onReplay} />
        </div>
      )}
    </>
  )
}

function Ending({ head }: { head: JourneyHead }) {
  const { status, isCancelled, offers } = head
  const ended = isCancelled ? 'Cancelled' : 'Ended'
  const because = refusalText(head) || (status === 'NOT_OFFERED' && offers.length > 0 && `: ${noOfferSummary(offers)}`)
  return (
    <p>
      <Failed>{status === 'REJECTED' || status === 'NOT_OFFERED' ? labelOf(status) : ended}</Failed>
      {because}.
    </p>
  )
}

function Undelivered({ head: { tenantId, deliveries, acts }, onReplay }: BannerProps) {
  const { waiting, lost, failing } = deliveries
  const waitingText = `${waiting === 1 ? '1 update waits' : `${waiting} updates wait`} to be delivered`
  const canReplay = lost > 0 && acts.some(({ act, possible }) => act === 'replay-deliveries' && possible)
  return (
    <>
      {waiting > 0 && (
        <p>{failing.length > 0 ? <Failed>{waitingText}</Failed> : <strong>{waitingText}</strong>} to the app.</p>
      )}
      {lost > 0 && (
        <p>
          <Failed>{lost === 1 ? '1 delivery was given up' : `${lost} deliveries were given up`}</Failed>.
        </p>
      )}
      {failing.map(({ endpointId, url, answer, at }) => (
        <p key={endpointId ?? ''}>
          {endpointId && url ? (
            <a class="mono" href={toOf(tenantId, 'webhooks', endpointId)}>
              <Breaking text={url} />
            </a>
          ) : (
            'The callback URL of the journey'
          )}
          : {answerText(answer)} at the last try, <Time at={at} />
        </p>
      ))}
      {canReplay && (
        <p class="acts">
          <SmallButton onClick={onReplay}>Replay missed updates</SmallButton>
        </p>
      )}
    </>
  )
}
