// Payments outside the plan: requests a payment page from the lender, and shows its link and the result.

import { useSignal } from '@preact/signals'
import type { EmbedPayment, PaymentKind, ServicingPath } from '#contract/hosted/embed-servicing.ts'
import { contractOf } from '#contract/product/products.ts'
import { Actions, Button, Form } from '../form/form.tsx'
import { ExternalLink } from '../offers/lender.tsx'
import { errorOf, type FieldErrors } from '../page/field-errors.ts'
import { rupees } from '../page/format.ts'
import { page } from '../page/page.ts'
import { Waiting } from '../page/waiting.tsx'
import { translate } from '../page/words.ts'
import { t, textOf } from '../text.ts'
import { openComplaintForm } from './leave.tsx'

const requestPayment = (kind: ServicingPath, body: object = {}) =>
  page.session.act({ method: 'POST', path: `/servicing/${kind}`, body })

export function Payments({ lender }: { lender: string }) {
  const { servicing, installments, screen, journeyType, closesHere } = page.view.value
  const isPartFormOpen = useSignal(false)
  const isPending = (kind: PaymentKind) =>
    servicing.some((each) => each.kind === kind && (each.status === 'REQUESTED' || each.status === 'LINK_READY'))
  const payments = servicing.map((each) => <Payment key={each.operationId} payment={each} lender={lender} />)
  if (screen === 'CLOSED') return <>{payments}</>
  if (contractOf(journeyType).isRepaidAtLender) return <p class="hint">{t('loan.manage.there', { lender })}</p>
  const hasMissed = installments.some(({ status }) => status === 'OVERDUE') && !isPending('MISSED_EMI_PAYMENT')
  return (
    <>
      <h2>{t('loan.manage')}</h2>
      <p class="hint">{t('loan.manage.why')}</p>
      {payments}
      {isPartFormOpen.value && !isPending('PRE_PART_PAYMENT') && (
        <PrepaymentForm
          onDone={() => {
            isPartFormOpen.value = false
          }}
        />
      )}
      <Actions>
        {hasMissed && <Button onClick={() => void requestPayment('missed-emi-payment')}>{t('loan.missed')}</Button>}
        {!isPartFormOpen.value && !isPending('PRE_PART_PAYMENT') && (
          <Button
            kind="plain"
            onClick={() => {
              isPartFormOpen.value = true
            }}
          >
            {t('loan.part')}
          </Button>
        )}
        {closesHere && !isPending('FORECLOSURE') && (
          <Button kind="plain" onClick={() => void requestPayment('foreclosure')}>
            {t('loan.close')}
          </Button>
        )}
      </Actions>
      {!closesHere && <CloseAtLender lender={lender} />}
    </>
  )
}

/** For a loan that is closed at the lender, which states the payoff amount for a day. */
const CloseAtLender = ({ lender }: { lender: string }) => (
  <>
    <p class="hint">{t('leave.early', { lender })}</p>
    <Actions>
      <Button kind="plain" onClick={openComplaintForm('REPAYMENT')}>
        {t('leave.quote')}
      </Button>
    </Actions>
  </>
)

function PrepaymentForm({ onDone }: { onDone(): void }) {
  const amount = useSignal('')
  const errors = useSignal<FieldErrors>({})
  const attempt = useSignal(0)
  async function send(): Promise<void> {
    const faults = /^[1-9]\d{0,9}$/.test(amount.value)
      ? await requestPayment('pre-part-payment', { amount: amount.value })
      : [null]
    if (faults === null) return onDone()
    if (faults.length === 0) return
    errors.value = { part: '' }
    attempt.value += 1
  }
  return (
    <Form errors={errors.value} attempt={attempt.value} onSubmit={() => void send()}>
      <page.AmountField
        name="part"
        value={amount.value}
        error={errorOf(errors.value, 'part')}
        onValue={(value) => {
          amount.value = value
          errors.value = {}
        }}
      />
      <div class="actions">
        <Button submit>{t('loan.part.send')}</Button>
      </div>
    </Form>
  )
}

function Payment({ payment, lender }: { payment: EmbedPayment; lender: string }) {
  const { kind, status, problem } = payment
  const amount = payment.amount === null ? '' : rupees(payment.amount)
  return (
    <div class={problem ? 'notice' : 'notice news'} role="status">
      <strong>{textOf(`loan.${kind}`)}</strong>
      {status === 'REQUESTED' && <Waiting>{t('loan.requested', { lender })}</Waiting>}
      {status === 'PAID' && <p>{t('loan.paid', { amount })}</p>}
      {problem && <p>{translate(problem)}</p>}
      {status === 'LINK_READY' && payment.redirectUrl && (
        <>
          <p>{t('loan.ready', { lender, amount })}</p>
          <p>
            <ExternalLink href={payment.redirectUrl}>{t('loan.pay', { amount })}</ExternalLink>
          </p>
          <Button kind="quiet" onClick={() => void requestPayment('status')}>
            {t('loan.check')}
          </Button>
        </>
      )}
    </div>
  )
}
