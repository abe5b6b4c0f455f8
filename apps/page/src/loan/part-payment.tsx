// Form of a part payment, with its estimated effect on the instalments.

import { type PartPaymentKeeps, partPaymentKeeps } from '@lendloom/wire/console/complaint-lists'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import { useSignal } from '@preact/signals'
import { Actions, Button, Form } from '../form/form.tsx'
import { errorOf, type FieldErrors } from '../page/field-errors.ts'
import { rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { t } from '../text.ts'
import { sendRequest } from './cooling-off-exit.tsx'
import { type PartEstimate, partEstimate } from './part-payment-estimate.ts'
import { isPaymentPending, isWholeAmount, mostToPrepay, requestPayment, tooMuchText } from './payment-requests.tsx'

interface PartPaymentProps {
  lender: string
  offer: EmbedOffer
}

export function PartPaymentForm({ lender, offer }: PartPaymentProps) {
  const amount = useSignal('')
  const keep = useSignal<PartPaymentKeeps>('INSTALLMENT')
  const errors = useSignal<FieldErrors>({})
  const attempt = useSignal(0)
  const { installments } = page.view.value
  const digits = amount.value
  const isValidAmount = isWholeAmount(digits)
  const most = mostToPrepay()
  const estimate = isValidAmount ? partEstimate(installments, offer, Number(digits)) : null
  const choose = (each: PartPaymentKeeps) => {
    keep.value = each
  }
  function send(): void {
    const isTooMuch = most !== null && Number(digits) > most
    if (!isValidAmount || isTooMuch) {
      errors.value = { partkeep: isValidAmount && isTooMuch ? tooMuchText(most) : '' }
      attempt.value += 1
      return
    }
    void requestPrepayment(digits, keep.value)
  }
  return (
    <Form errors={errors.value} attempt={attempt.value} onSubmit={send}>
      <p>{t('partkeep.what')}</p>
      <page.AmountField
        name="partkeep"
        value={amount.value}
        error={errorOf(errors.value, 'partkeep')}
        onValue={(value) => {
          amount.value = value
          errors.value = {}
        }}
      />
      <Choices keep={keep.value} estimate={estimate} choose={choose} />
      <p class="hint">{t(estimate ? 'partkeep.about' : 'partkeep.counts', { lender })}</p>
      <Actions of={/\/(pre-part-payment|complaints)$/}>
        <Button kind="plain" submit>
          {t('partkeep.ask', { lender })}
        </Button>
      </Actions>
    </Form>
  )
}

async function requestPrepayment(amount: string, keep: PartPaymentKeeps): Promise<void> {
  if (!isPaymentPending('PRE_PART_PAYMENT') && (await requestPayment('pre-part-payment', { amount }))) return
  const values = { amount: rupees(amount) }
  const text = keep === 'TERM' ? t('partkeep.text.TERM', values) : t('partkeep.text.INSTALLMENT', values)
  await sendRequest('PART_PAYMENT', text, { partPayment: { amount, keep } })
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
            <Effect keep={each} estimate={estimate} />
          </span>
        </label>
      ))}
    </div>
  </fieldset>
)

function Effect({ keep, estimate }: { keep: PartPaymentKeeps; estimate: PartEstimate | null }) {
  if (!estimate) return <small>{t(keep === 'TERM' ? 'partkeep.TERM.why' : 'partkeep.INSTALLMENT.why')}</small>
  const { now } = estimate
  const after = estimate[keep]
  const interestSaved = rupees(Math.max(0, Math.round(now.interest - after.interest)))
  const figures = { count: after.count, amount: rupees(after.amount), less: interestSaved }
  return (
    <small>
      {keep === 'TERM'
        ? t('partkeep.TERM.figures', { ...figures, before: rupees(now.amount) })
        : t('partkeep.INSTALLMENT.figures', { ...figures, before: now.count })}
    </small>
  )
}
