// Payments outside the plan: requests a payment page from the lender, and shows its link and the result.

import type { EmbedPayment, PaymentKind, ServicingPath } from '#contract/hosted/embed-servicing.ts'
import { Button } from '../form/form.tsx'
import { ExternalLink } from '../offers/lender.tsx'
import { Fetched } from '../page/chunk.tsx'
import { lastDay, rupees } from '../page/format.ts'
import { page } from '../page/page.ts'
import { Waiting } from '../page/waiting.tsx'
import { translate } from '../page/words.ts'
import { t, textOf } from '../text.ts'
import { requests } from './request.tsx'
import { Sums } from './sums.tsx'

export const requestPayment = (kind: ServicingPath, body: object = {}) =>
  page.session.act({ method: 'POST', path: `/servicing/${kind}`, body })

export const isPaymentPending = (kind: PaymentKind): boolean =>
  page.view.value.servicing.some((each) => each.kind === kind && /REQUESTED|LINK_READY/.test(each.status))

export function paymentName(kind: string): string {
  const { cancellation, leave } = page.view.value
  return textOf(`loan.${kind === 'FORECLOSURE' && (cancellation ?? leave) ? 'COOLING_OFF' : kind}`)
}

export function Payment({ payment, lender }: { payment: EmbedPayment; lender: string }) {
  const { kind, status, problem, parts, keptFees, redirectUrl, payTo } = payment
  const { leave, cancellation } = page.view.value
  const name = paymentName(kind)
  const isReady = status === 'LINK_READY'
  const amount = payment.amount === null ? '' : rupees(payment.amount)
  return (
    <div class={problem ? 'notice' : 'card'} role="status">
      <strong>{problem ? `⚠ ${name} · ${t('receipts.FAILED')}` : name}</strong>
      {status === 'REQUESTED' && <Waiting>{t('loan.requested', { lender })}</Waiting>}
      {status === 'PAID' && <p>{t('loan.paid', { amount })}</p>}
      {problem && <p>{translate(problem)}</p>}
      {isReady && payTo !== null && (
        <Fetched chunk={requests} render={() => page.transfer && <page.transfer payment={payment} lender={lender} />} />
      )}
      {isReady && payTo === null && redirectUrl && (
        <>
          {parts.length > 0 && payment.amount && (
            <Sums
              rows={parts.map((each) => [textOf(`loan.${each.part}`), each.amount])}
              total={[t('loan.total'), payment.amount]}
            />
          )}
          {keptFees && <p>{t('leave.kept', { lender, fees: rupees(keptFees) })}</p>}
          {amount && <p>{t('loan.ready', { lender })}</p>}
          <div class="actions">
            <ExternalLink look="button main" href={redirectUrl}>
              {amount ? t('loan.pay', { amount }) : t('line.there', { lender })}
            </ExternalLink>
            <Button kind="quiet" onClick={() => void requestPayment('status')}>
              {t('loan.check')}
            </Button>
          </div>
        </>
      )}
      {cancellation && leave && <p class="hint">{t('leave.unpaid', { date: lastDay(leave.until, leave.today) })}</p>}
    </div>
  )
}
