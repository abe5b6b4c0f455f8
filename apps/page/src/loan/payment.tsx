// A payment outside the plan: the lender's payment page or account, the report of a transfer, and the result.

import { Icon } from '@lendloom/design/icon'
import { check, warning } from '@lendloom/design/icons'
import type { EmbedPayment } from '@lendloom/wire/hosted/embed-servicing'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Actions, Button, TroubleNotice } from '../form/form.tsx'
import { ExternalLink, lenderOf } from '../offers/lender.tsx'
import { sum } from '../offers/total-cost.ts'
import { day, lastDay, moment, rupees } from '../page/format.ts'
import { type PaymentProps, page } from '../page/page-state.ts'
import { translate } from '../page/server-texts.ts'
import { Waiting } from '../page/waiting.tsx'
import { language, t, textOf } from '../text.ts'
import { Sums } from './amounts-with-total.tsx'
import { LenderContact, PayTo, PayTotal } from './cooling-off-exit.tsx'
import { savingOf } from './early-payments.tsx'
import {
  amountOwed,
  closingCharge,
  inWholeRupees,
  isEarly,
  isFolded,
  isFree,
  isInstalmentOpen,
  isMissing,
  isOverdueDenied,
  isRetryable,
  isUnpaid,
  isVerifying,
  overdueSplitOf,
  overdueText,
  paymentName,
  requestPayment,
} from './payment-requests.tsx'

/** How often the lender is asked whether a payment has arrived, while its page may be open beside this one. */
const askAgainMs = 30_000
/** How often the page looks whether the borrower has come back without an event that says so. */
const lookAgainMs = 2_000

const statusPath = /\/status$/

export function Payment({ payment, lender }: PaymentProps) {
  const { kind, status, problem, keptFees, redirectUrl, payTo } = payment
  const { leave, cancellation } = page.view.value
  const isReady = status === 'LINK_READY'
  const report = payTo !== null && problem && redirectUrl && (
    <div class="actions">
      <ExternalLink look="button main" href={`${redirectUrl}?lang=${language.value}`}>
        {t('pay.again')}
      </ExternalLink>
    </div>
  )
  if (isMissing(payment)) return report
  if (isVerifying(payment)) return null
  if (isOverdueDenied(payment)) return <Denied />
  if (isFolded(payment)) return <FoldedPayment payment={payment} />
  if (isOutdated(payment)) return <Outdated />
  if (isToldByReceipts(payment)) return null
  const amount = payment.amount === null ? '' : rupees(payment.amount)
  const saving = kind === 'PRE_PART_PAYMENT' && payment.amount && savingOf(payment.amount)
  return (
    <div class={problem ? 'notice' : isLateTransfer(payment) ? 'card late' : 'card'} role="status">
      <Name payment={payment} />
      {isEarly(payment) && <p class="hint">{t('loan.asked', { date: day(payment.askedAt) })}</p>}
      {status === 'REQUESTED' && <Waiting>{t('loan.requested', { lender })}</Waiting>}
      {status === 'PAID' && <Received payment={payment} amount={amount} />}
      {problem && <p>{translate(problem)}</p>}
      {report}
      {isRetryable(payment) && <Retry payment={payment} />}
      {isReady && payTo !== null && redirectUrl && <Transfer payment={payment} lender={lender} />}
      {isReady && payTo === null && redirectUrl && (
        <>
          <PaymentParts payment={payment} />
          <AmountWithoutParts payment={payment} lender={lender} />
          {saving && <p>{saving}</p>}
          {keptFees && <p>{t('leave.kept', { lender, fees: rupees(keptFees) })}</p>}
          <PayAtLender payment={payment} lender={lender} amount={amount} redirectUrl={redirectUrl} />
        </>
      )}
      {leave && cancellation && kind === 'FORECLOSURE' && (
        <p class="hint">{t('leave.unpaid', { date: lastDay(leave.until, leave.today) })}</p>
      )}
    </div>
  )
}

/** Asks for the same payment again. The section that closes a loan, or pays an instalment, tells its failures itself. */
function Retry({ payment: { kind, amount } }: { payment: EmbedPayment }) {
  const { creditLine, leave } = page.view.value
  if (kind === 'FORECLOSURE' && creditLine) return <RetryButton onClick={page.opener('close')} />
  // After a failed closing in the cooling-off period, only the written request is left.
  if (kind === 'FORECLOSURE') return leave ? null : <RetryButton onClick={() => void requestPayment('foreclosure')} />
  if (kind === 'MISSED_EMI_PAYMENT') return <RetryButton onClick={() => void requestPayment('missed-emi-payment')} />
  if (amount === null) return null
  const body = { amount: inWholeRupees(amount) }
  return (
    <>
      <TroubleNotice of={/\/pre-part-payment$/} />
      <RetryButton onClick={() => void requestPayment('pre-part-payment', body)} />
    </>
  )
}

const RetryButton = ({ onClick }: { onClick(): void }) => (
  <div class="actions">
    <Button kind="plain" onClick={onClick}>
      {t('trouble.again')}
    </Button>
  </div>
)

/** The parts of the sum: the lender's, or those of the stated price of leaving, or the principal and what is added to it. */
function partsOf({ kind, parts, amount }: EmbedPayment): EmbedPayment['parts'] {
  const { cancellation, exitPrice, selected } = page.view.value
  if (parts.length > 0 || amount === null || isFree({ amount }) || kind !== 'FORECLOSURE' || !cancellation) return parts
  if (exitPrice?.amount === amount && exitPrice.parts.length > 0) return exitPrice.parts
  const principal = selected?.terms.amountPrincipal
  const interest = principal ? sum(amount, -Number(principal)) : -1
  if (!principal || interest <= 0) return []
  return [
    { part: 'principal', amount: principal },
    { part: 'interest', amount: String(interest) },
  ]
}

function PaymentParts({ payment }: { payment: EmbedPayment }) {
  const parts = partsOf(payment)
  if (parts.length === 0 || payment.amount === null) return null
  const isClosing = payment.kind === 'FORECLOSURE'
  const principal = parts.find(({ part }) => part === 'principal')?.amount ?? '0'
  const nameOf = ({ part, amount }: (typeof parts)[number]): string => {
    if (isClosing && part === 'interest') return t('loan.interest.today')
    if (isClosing && part === 'charges' && !page.view.value.cancellation) return closingChargeName(amount, principal)
    return textOf(`loan.${part}`)
  }
  const total = t(payment.status === 'PAID' ? 'loan.total.paid' : 'loan.total')
  return <Sums rows={parts.map((each) => [nameOf(each), each.amount])} total={[total, payment.amount]} />
}

/** The sum of an early payment whose parts only the lender's page shows. */
function AmountWithoutParts({ payment, lender }: PaymentProps) {
  const { amount } = payment
  if (!isEarly(payment) || amount === null || isFree(payment) || partsOf(payment).length > 0) return null
  return (
    <>
      <Sums rows={[]} total={[t('loan.total'), amount]} />
      <p class="hint">{t('loan.parts.there', { lender })}</p>
    </>
  )
}

/** Names the rate of the charge if the sum is that share of the principal. */
function closingChargeName(charge: string, principal: string): string {
  const { rate, share } = closingCharge() ?? { rate: '', share: 0 }
  const isShare = rate !== '' && Math.abs(Number(principal) * share - Number(charge)) < 1
  return isShare ? t('loan.closing.rate', { rate }) : t('loan.closing.charge')
}

/** Asking for the amount binds nobody: the card can be folded, and the loan goes on. */
const NotObliged = ({ payment: { kind, unpaidUntil } }: { payment: EmbedPayment }) => (
  <>
    <p class="hint">{optionalText(kind, unpaidUntil)}</p>
    <div class="actions">
      <Button
        kind="quiet"
        onClick={() => {
          page.openPayment.value = ''
        }}
      >
        {t(foldText(kind))}
      </Button>
    </div>
  </>
)

function optionalText(kind: EmbedPayment['kind'], unpaidUntil: EmbedPayment['unpaidUntil']): string {
  if (!page.view.value.creditLine) return t('loan.optional')
  return kind === 'FORECLOSURE'
    ? t('line.close.fold', { button: t(foldText(kind)), when: moment(unpaidUntil ?? '') })
    : t('line.optional')
}

function foldText(kind: EmbedPayment['kind']) {
  // A line that was asked to be closed cannot be drawn on before the request has ended: "Keep" would promise more.
  return kind !== 'FORECLOSURE' || page.view.value.creditLine ? 'loan.part.close' : 'leave.no'
}

/** Whether the list of payments says all of a payment that has closed the loan. */
const isToldByReceipts = (payment: EmbedPayment): boolean =>
  page.view.value.screen === 'CLOSED' &&
  payment.status === 'PAID' &&
  partsOf(payment).length === 0 &&
  page.view.value.receipts.some(({ kind, amount }) => kind === payment.kind && amount === payment.amount)

/** Whether a part payment has changed the amount to close that was asked for before it. */
const isOutdated = ({ kind, status }: EmbedPayment): boolean =>
  kind === 'FORECLOSURE' &&
  status === 'EXPIRED' &&
  page.view.value.servicing.some((each) => each.kind === 'PRE_PART_PAYMENT' && each.status === 'PAID')

const Outdated = () => (
  <p class="hint" role="status">
    {t(page.view.value.creditLine ? 'line.close.changed' : 'loan.close.changed')}
  </p>
)

const FoldedPayment = ({ payment: { kind, askedAt, amount, operationId } }: { payment: EmbedPayment }) => (
  <div class="card" role="status">
    <div class="titled">
      <div>
        <strong>{[paymentName(kind), amount && rupees(amount)].filter(Boolean).join(' · ')}</strong>
        <p class="hint">{t('loan.asked', { date: day(askedAt) })}</p>
      </div>
      <Button
        kind="quiet"
        label={`${t('review.show')}: ${paymentName(kind)}`}
        onClick={() => {
          page.openPayment.value = operationId
        }}
      >
        {t('review.show')}
      </Button>
    </div>
  </div>
)

/** What was received and for what, what is still owed, and what a part payment has saved. */
function Received({ payment, amount }: { payment: EmbedPayment; amount: string }) {
  const { saved } = payment
  const { installments, screen } = page.view.value
  // The same sum as in the loan's figures, whichever of the two its lender tells.
  const owed = screen === 'CLOSED' ? undefined : amountOwed('outstanding')
  const planned = screen === 'CLOSED' || owed ? undefined : amountOwed('planned')
  const last = installments.findLast(isUnpaid)
  // The total of the parts says what was received.
  const received = screen === 'CLOSED' && partsOf(payment).length > 0 ? '' : t('loan.paid', { amount })
  return (
    <>
      {(received || owed || planned) && (
        <p>
          {received} {owed && t('loan.paid.left', { amount: rupees(owed) })}
          {planned && t('loan.paid.planned', { amount: rupees(planned) })}
        </p>
      )}
      <PaymentParts payment={payment} />
      {saved && last && <p>{t('loan.saved', { amount: rupees(saved), date: day(last.dueOn) })}</p>}
    </>
  )
}

interface PayAtLenderProps extends PaymentProps {
  /** Formatted; empty if the lender's page names it. */
  amount: string
  redirectUrl: string
}

/**
 * The way to the lender's payment page. Whoever has paid there is not offered to pay again while the lender is asked,
 * and whoever comes back from that page is taken to have paid.
 */
function PayAtLender({ payment, lender, amount, redirectUrl }: PayAtLenderProps) {
  const { check: lenderCheck } = payment
  const { memory } = page
  const { operationId } = payment
  // A browser may load the page anew while the borrower is at the lender.
  const isAway = useSignal(memory.stored.leftToPay === operationId)
  const setAway = (away: boolean) => {
    isAway.value = away
    memory.update({ leftToPay: away ? operationId : null })
  }
  const isOfFree = isFree(payment)
  /** The check that the borrower has ended by saying that nothing is paid yet. */
  const deniedCheck = useSignal('')
  const askLender = () => void requestPayment('status')
  const check = lenderCheck?.until === deniedCheck.value ? null : lenderCheck
  const shownCheck = useRef(check)
  shownCheck.current = check
  useEffect(() => {
    const isBack = () => document.visibilityState === 'visible' && isAway.value
    const checkAfterReturn = () => {
      const isAsked = shownCheck.current !== null && !shownCheck.current.isOver
      if (isBack() && !isAsked && !page.session.busy.value) askLender()
    }
    // Of two windows side by side none is ever hidden: the focus counts too, and without it the time.
    const timer = setInterval(checkAfterReturn, askAgainMs)
    // A browser may give the focus back without an event, and an event may come while another request runs.
    const focusTimer = setInterval(() => {
      if (document.hasFocus() && shownCheck.current === null) checkAfterReturn()
    }, lookAgainMs)
    document.addEventListener('visibilitychange', checkAfterReturn)
    addEventListener('focus', checkAfterReturn)
    checkAfterReturn()
    return () => {
      clearInterval(timer)
      clearInterval(focusTimer)
      document.removeEventListener('visibilitychange', checkAfterReturn)
      removeEventListener('focus', checkAfterReturn)
    }
  }, [])
  if (check !== null)
    return (
      <>
        {check.isOver ? (
          <p>{t(isOfFree ? 'line.close.unconfirmed' : 'loan.unconfirmed', { lender })}</p>
        ) : (
          <>
            <Waiting>{t('loan.checking', { lender })}</Waiting>
            {!isOfFree && <p class="hint">{t('loan.checking.why', { lender })}</p>}
          </>
        )}
        <Actions of={statusPath}>
          {check.isOver && (
            <Button kind="plain" onClick={askLender}>
              {t('loan.recheck')}
            </Button>
          )}
          <Button
            kind="quiet"
            onClick={() => {
              deniedCheck.value = check.until
              setAway(false)
            }}
          >
            {t(isOfFree ? 'line.close.not' : 'loan.unpaid')}
          </Button>
        </Actions>
      </>
    )
  return (
    <>
      {amount && <p>{t(isOfFree ? 'line.close.free' : 'loan.ready', { lender })}</p>}
      <Actions of={statusPath}>
        <ExternalLink
          look={isAway.value ? 'button plain' : 'button main'}
          href={redirectUrl}
          onFollow={() => setAway(true)}
        >
          {linkText({ payment, lender, amount })}
        </ExternalLink>
        {!isOfFree && (
          <Button kind={isAway.value ? undefined : 'quiet'} onClick={askLender}>
            {t('loan.check')}
          </Button>
        )}
      </Actions>
      {payment.kind !== 'MISSED_EMI_PAYMENT' && !page.view.value.cancellation && <NotObliged payment={payment} />}
    </>
  )
}

function linkText({ payment, lender, amount }: Omit<PayAtLenderProps, 'redirectUrl'>): string {
  if (isFree(payment)) return t('line.close.at', { lender })
  return amount ? t('loan.pay', { amount }) : t('line.there', { lender })
}

const isLateTransfer = (payment: EmbedPayment) => payment.payTo !== null && isInstalmentOpen(payment)

function Name({ payment }: Pick<PaymentProps, 'payment'>) {
  const { kind, problem, claim } = payment
  const isPaid = payment.status === 'PAID'
  const name = isFree(payment) ? t('line.close') : paymentName(kind, isPaid)
  if (problem)
    return (
      <strong>
        <Icon path={warning} /> {`${name} · ${t(claim ? 'receipts.MISSING' : 'receipts.FAILED')}`}
      </strong>
    )
  if (isLateTransfer(payment)) return null
  if (isPaid)
    return (
      <strong>
        <Icon path={check} /> {name}
      </strong>
    )
  return <h2>{name}</h2>
}

const Denied = () => (
  <div class="all">
    <p>{t('loan.recheck.why')}</p>
    <Actions of={/\/missed-emi-payment$/}>
      <Button kind="plain" onClick={() => void requestPayment('missed-emi-payment')}>
        {t('loan.recheck')}
      </Button>
    </Actions>
    <LenderContact lender={lenderOf(page.view.value)} />
  </div>
)

function Transfer({ payment, lender }: PaymentProps) {
  const { amount, payTo, redirectUrl } = payment
  const isInstalment = isInstalmentOpen(payment)
  const since = page.view.value.installments.find(({ status }) => status === 'OVERDUE')?.dueOn
  const newest = page.view.value.receipts.find(({ status }) => status === 'MISSING' || status === 'PAID')
  return (
    <>
      {newest?.status === 'MISSING' && <p>{t('loan.missing.why', { amount: rupees(newest.amount) })}</p>}
      {amount && (
        <div>
          <dl class="first lead-figure">
            <PayTotal amount={amount} />
          </dl>
          {isInstalment && since && <p>{overdueText(since)}</p>}
        </div>
      )}
      {isInstalment && <Sums rows={overdueSplitOf(amount)} />}
      <p>{t('pay.how', { lender })}</p>
      <dl class="sums">
        <PayTo amount={null} account={payTo ?? ''} />
      </dl>
      <div class="actions">
        <ExternalLink look="button main" href={`${redirectUrl}?lang=${language.value}`}>
          {t('pay.report')}
        </ExternalLink>
      </div>
    </>
  )
}
