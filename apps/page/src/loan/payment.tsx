// A payment outside the plan: the lender's payment page or account, the report of a transfer, and the result.

import { Icon } from '@lendloom/design/icon'
import { check, warning } from '@lendloom/design/icons'
import type { EmbedPayment } from '@lendloom/wire/hosted/embed-servicing'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Actions, Button } from '../form/form.tsx'
import { ExternalLink, lenderOf } from '../offers/lender.tsx'
import { day, lastDay, rupees } from '../page/format.ts'
import { type PaymentProps, page } from '../page/page-state.ts'
import { translate } from '../page/server-texts.ts'
import { Waiting } from '../page/waiting.tsx'
import { language, t, textOf } from '../text.ts'
import { Sums } from './amounts-with-total.tsx'
import { LenderContact, PayTo, PayTotal } from './cooling-off-exit.tsx'
import {
  amountOwed,
  isInstalmentOpen,
  isMissing,
  isOverdueDenied,
  isUnpaid,
  isVerifying,
  overdueSplitOf,
  paymentName,
  requestPayment,
} from './payment-requests.tsx'

export function Payment({ payment, lender }: PaymentProps) {
  const { kind, status, problem, parts, keptFees, redirectUrl, payTo } = payment
  const { leave, cancellation } = page.view.value
  const isReady = status === 'LINK_READY'
  const report = payTo !== null && problem && redirectUrl && (
    <Actions>
      <ExternalLink look="button main" href={`${redirectUrl}?lang=${language.value}`}>
        {t('pay.again')}
      </ExternalLink>
    </Actions>
  )
  if (isMissing(payment)) return report
  if (isVerifying(payment)) return null
  if (isOverdueDenied(payment)) return <Denied />
  const amount = payment.amount === null ? '' : rupees(payment.amount)
  return (
    <div class={problem ? 'notice' : isLateTransfer(payment) ? 'card late' : 'card'} role="status">
      <Name payment={payment} />
      {status === 'REQUESTED' && <Waiting>{t('loan.requested', { lender })}</Waiting>}
      {status === 'PAID' && <Received payment={payment} amount={amount} />}
      {problem && <p>{translate(problem)}</p>}
      {report}
      {isReady && payTo !== null && redirectUrl && <Transfer payment={payment} lender={lender} />}
      {isReady && payTo === null && redirectUrl && (
        <>
          {parts.length > 0 && payment.amount && (
            <Sums
              rows={parts.map((each) => [textOf(`loan.${each.part}`), each.amount])}
              total={[t('loan.total'), payment.amount]}
            />
          )}
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

/** What was received, what is still owed, and what a part payment has saved. */
function Received({ payment: { saved }, amount }: { payment: EmbedPayment; amount: string }) {
  const { installments, screen } = page.view.value
  // The same sum as in the loan's figures, whichever of the two its lender tells.
  const owed = screen === 'CLOSED' ? null : (amountOwed('outstanding') ?? amountOwed('planned'))
  const last = installments.findLast(isUnpaid)
  return (
    <>
      <p>
        {t('loan.paid', { amount })} {owed && t('loan.paid.left', { amount: rupees(owed) })}
      </p>
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
  const isAway = useSignal(false)
  /** The check that the borrower has ended by saying that nothing is paid yet. */
  const deniedCheck = useSignal('')
  const askLender = () => void requestPayment('status')
  useEffect(() => {
    const checkAfterReturn = () => {
      if (document.visibilityState !== 'visible' || !isAway.value) return
      isAway.value = false
      askLender()
    }
    document.addEventListener('visibilitychange', checkAfterReturn)
    return () => document.removeEventListener('visibilitychange', checkAfterReturn)
  }, [])
  if (lenderCheck !== null && lenderCheck.until !== deniedCheck.value)
    return (
      <>
        {lenderCheck.isOver ? (
          <p>{t('loan.unconfirmed', { lender })}</p>
        ) : (
          <>
            <Waiting>{t('loan.checking', { lender })}</Waiting>
            <p class="hint">{t('loan.checking.why', { lender })}</p>
          </>
        )}
        <Actions>
          {lenderCheck.isOver && (
            <Button kind="plain" onClick={askLender}>
              {t('loan.recheck')}
            </Button>
          )}
          <Button
            kind="quiet"
            onClick={() => {
              deniedCheck.value = lenderCheck.until
            }}
          >
            {t('loan.unpaid')}
          </Button>
        </Actions>
      </>
    )
  return (
    <>
      {amount && <p>{t('loan.ready', { lender })}</p>}
      <Actions>
        <ExternalLink
          look="button main"
          href={redirectUrl}
          onFollow={() => {
            isAway.value = true
          }}
        >
          {amount ? t('loan.pay', { amount }) : t('line.there', { lender })}
        </ExternalLink>
        <Button kind="quiet" onClick={askLender}>
          {t('loan.check')}
        </Button>
      </Actions>
    </>
  )
}

const isLateTransfer = (payment: EmbedPayment) => payment.payTo !== null && isInstalmentOpen(payment)

function Name({ payment }: Pick<PaymentProps, 'payment'>) {
  const { kind, problem, claim } = payment
  const name = paymentName(kind)
  if (problem)
    return (
      <strong>
        <Icon path={warning} /> {`${name} · ${t(claim ? 'receipts.MISSING' : 'receipts.FAILED')}`}
      </strong>
    )
  if (isLateTransfer(payment)) return null
  return (
    <strong>
      {payment.status === 'PAID' && <Icon path={check} />} {name}
    </strong>
  )
}

const Denied = () => (
  <div class="all">
    <p>{t('loan.recheck.why')}</p>
    <Actions>
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
          {isInstalment && since && <p>{`${t('loan.overdue')} ${t('loan.since', { date: day(since) })}`}</p>}
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
