// Written requests to the lender with one tap, as a separate chunk: the effect of a prepayment, and stopping before the
// payout.

import { useSignal } from '@preact/signals'
import { type BorrowerRequest, type PartPaymentKeeps, partPaymentKeeps } from '#contract/console/complaint-lists.ts'
import type { EmbedOffer } from '#contract/hosted/embed.ts'
import { Actions, Button, Form } from '../form/form.tsx'
import { lenderOf } from '../offers/lender.tsx'
import { rupees } from '../page/format.ts'
import { here } from '../page/here.ts'
import { Title } from '../page/title.tsx'
import { type Wrong, wordsFor } from '../page/wrong.ts'
import { t } from '../text.ts'
import { askInWriting, Reach } from './leave.tsx'
import { mostAhead, type PartEstimate, partEstimate } from './part-estimate.ts'

const mayAsk = (request: BorrowerRequest): boolean => here.view.value.requests.includes(request)

/** The effect of a prepayment: two choices with their meaning, and the request. */
function PartPaymentChoice({ lender, offer }: { lender: string; offer: EmbedOffer }) {
  const amount = useSignal('')
  const keep = useSignal<PartPaymentKeeps>('INSTALLMENT')
  const wrong = useSignal<Wrong>({})
  const attempt = useSignal(0)
  const { installments } = here.view.value
  const digits = amount.value
  const isWhole = /^[1-9]\d{0,9}$/.test(digits)
  const most = mostAhead(installments, offer)
  const estimate = isWhole ? partEstimate(installments, offer, Number(digits)) : null
  const choose = (each: PartPaymentKeeps) => {
    keep.value = each
  }
  function send(): void {
    if (!isWhole || (most !== null && Number(digits) >= most)) {
      wrong.value = { partkeep: isWhole && most !== null ? t('partkeep.most', { amount: rupees(most) }) : '' }
      attempt.value += 1
      return
    }
    void askToKeep(digits, keep.value)
  }
  return (
    <section class="card" aria-labelledby="partkeep">
      <h2 id="partkeep">{t('partkeep.title')}</h2>
      <p>{t('partkeep.what')}</p>
      <Form wrong={wrong.value} attempt={attempt.value} onSubmit={send}>
        <here.AmountField
          name="partkeep"
          value={amount.value}
          wrong={wordsFor(wrong.value, 'partkeep')}
          onValue={(value) => {
            amount.value = value
            wrong.value = {}
          }}
        />
        <Choices keep={keep.value} estimate={estimate} choose={choose} />
        <p class="hint">{t(estimate ? 'partkeep.about' : 'partkeep.counts', { lender })}</p>
        <Actions>
          <Button kind="plain" submit>
            {t('partkeep.ask', { lender })}
          </Button>
        </Actions>
      </Form>
      <Reach lender={lenderOf(here.view.value)} />
    </section>
  )
}

/** Sends the amount and the choice, both repeated in the borrower's words. */
function askToKeep(amount: string, keep: PartPaymentKeeps): Promise<void> {
  const values = { amount: rupees(amount) }
  const text = keep === 'TERM' ? t('partkeep.text.TERM', values) : t('partkeep.text.INSTALLMENT', values)
  return askInWriting('PART_PAYMENT', text, { partPayment: { amount, keep } })
}

interface ChoicesProps {
  keep: PartPaymentKeeps
  estimate: PartEstimate | null
  choose(keep: PartPaymentKeeps): void
}

const Choices = ({ keep, estimate, choose }: ChoicesProps) => (
  <fieldset class="field">
    <legend>{t('partkeep.choose')}</legend>
    <div class="choices stacked">
      {partPaymentKeeps.map((each) => (
        <label class="choice" key={each}>
          <input type="radio" name="partkeep-keep" value={each} checked={each === keep} onChange={() => choose(each)} />
          <span>
            <b>{t(each === 'TERM' ? 'partkeep.TERM' : 'partkeep.INSTALLMENT')}</b>
            <Meaning keep={each} estimate={estimate} />
          </span>
        </label>
      ))}
    </div>
  </fieldset>
)

/** With figures when they are known for the amount, otherwise in words only. */
function Meaning({ keep, estimate }: { keep: PartPaymentKeeps; estimate: PartEstimate | null }) {
  if (!estimate) return <small>{t(keep === 'TERM' ? 'partkeep.TERM.why' : 'partkeep.INSTALLMENT.why')}</small>
  const { now } = estimate
  const then = estimate[keep]
  const less = rupees(Math.max(0, Math.round(now.interest - then.interest)))
  const figures = { count: then.count, amount: rupees(then.amount), less }
  return (
    <small>
      {keep === 'TERM'
        ? t('partkeep.TERM.figures', { ...figures, before: rupees(now.amount) })
        : t('partkeep.INSTALLMENT.figures', { ...figures, before: now.count })}
    </small>
  )
}

/** Below the steps between acceptance and payout: cancelling the loan, with a confirmation. */
function Stoppable() {
  const view = here.view.value
  const lender = view.selected?.lenderName ?? ''
  const show = (on: boolean) => () => {
    here.session.trouble.value = null
    here.inner.value = on ? 'cancel' : ''
  }
  if (here.inner.value === 'cancel')
    return (
      <section>
        <Title lead={t('cancel.why', { lender })}>{t('cancel.title')}</Title>
        <Actions>
          <Button onClick={() => void askInWriting('CANCELLATION', t('cancel.text'))}>
            {t('cancel.yes', { lender })}
          </Button>
          <Button kind="plain" onClick={show(false)}>
            {t('cancel.no')}
          </Button>
        </Actions>
        <Reach lender={lenderOf(view)} />
      </section>
    )
  return here.inner.value === '' ? (
    <p class="withdraw">
      <Button kind="quiet" onClick={show(true)}>
        {t('cancel.open')}
      </Button>
    </p>
  ) : null
}

function Requests() {
  const { selected } = here.view.value
  if (mayAsk('CANCELLATION')) return <Stoppable />
  return selected && mayAsk('PART_PAYMENT') ? (
    <PartPaymentChoice lender={selected.lenderName} offer={selected.terms} />
  ) : null
}

here.requests = Requests
