// Paying outside the plan: requesting a page from the lender, its link, and the result.

import { useSignal } from '@preact/signals'
import type { EmbedPayment, PaymentKind, ServicingPath } from '#contract/hosted/embed-servicing.ts'
import { contractOf } from '#contract/product/products.ts'
import { Actions, Button, Form } from '../form/form.tsx'
import { Away } from '../offers/lender.tsx'
import { rupees } from '../page/format.ts'
import { here } from '../page/here.ts'
import { Waiting } from '../page/waiting.tsx'
import { inLanguage } from '../page/words.ts'
import { type Wrong, wordsFor } from '../page/wrong.ts'
import { t, textOf } from '../text.ts'
import { write } from './leave.tsx'

const ask = (kind: ServicingPath, body: object = {}) =>
  here.session.act({ method: 'POST', path: `/servicing/${kind}`, body })

export function Payments({ lender }: { lender: string }) {
  const { servicing, installments, screen, journeyType, closesHere } = here.view.value
  const asksForPart = useSignal(false)
  const isOpen = (kind: PaymentKind) =>
    servicing.some((each) => each.kind === kind && (each.status === 'REQUESTED' || each.status === 'LINK_READY'))
  const payments = servicing.map((each) => <Payment key={each.operationId} payment={each} lender={lender} />)
  if (screen === 'CLOSED') return <>{payments}</>
  if (contractOf(journeyType).isRepaidAtLender) return <p class="hint">{t('loan.manage.there', { lender })}</p>
  const missed = installments.some(({ status }) => status === 'OVERDUE') && !isOpen('MISSED_EMI_PAYMENT')
  return (
    <>
      <h2>{t('loan.manage')}</h2>
      <p class="hint">{t('loan.manage.why')}</p>
      {payments}
      {asksForPart.value && !isOpen('PRE_PART_PAYMENT') && (
        <Part
          done={() => {
            asksForPart.value = false
          }}
        />
      )}
      <Actions>
        {missed && <Button onClick={() => void ask('missed-emi-payment')}>{t('loan.missed')}</Button>}
        {!asksForPart.value && !isOpen('PRE_PART_PAYMENT') && (
          <Button
            kind="plain"
            onClick={() => {
              asksForPart.value = true
            }}
          >
            {t('loan.part')}
          </Button>
        )}
        {closesHere && !isOpen('FORECLOSURE') && (
          <Button kind="plain" onClick={() => void ask('foreclosure')}>
            {t('loan.close')}
          </Button>
        )}
      </Actions>
      {!closesHere && <CloseAtLender lender={lender} />}
    </>
  )
}

/** Closing the loan at the lender, which states the payoff for a day. */
const CloseAtLender = ({ lender }: { lender: string }) => (
  <>
    <p class="hint">{t('leave.early', { lender })}</p>
    <Actions>
      <Button kind="plain" onClick={write('REPAYMENT')}>
        {t('leave.quote')}
      </Button>
    </Actions>
  </>
)

function Part({ done }: { done(): void }) {
  const amount = useSignal('')
  const wrong = useSignal<Wrong>({})
  const attempt = useSignal(0)
  async function send(): Promise<void> {
    const refused = /^[1-9]\d{0,9}$/.test(amount.value)
      ? await ask('pre-part-payment', { amount: amount.value })
      : [null]
    if (refused === null) return done()
    if (refused.length === 0) return
    wrong.value = { part: '' }
    attempt.value += 1
  }
  return (
    <Form wrong={wrong.value} attempt={attempt.value} onSubmit={() => void send()}>
      <here.AmountField
        name="part"
        value={amount.value}
        wrong={wordsFor(wrong.value, 'part')}
        onValue={(value) => {
          amount.value = value
          wrong.value = {}
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
      {problem && <p>{inLanguage(problem)}</p>}
      {status === 'LINK_READY' && payment.redirectUrl && (
        <>
          <p>{t('loan.ready', { lender, amount })}</p>
          <p>
            <Away href={payment.redirectUrl}>{t('loan.pay', { amount })}</Away>
          </p>
          <Button kind="quiet" onClick={() => void ask('status')}>
            {t('loan.check')}
          </Button>
        </>
      )}
    </div>
  )
}
