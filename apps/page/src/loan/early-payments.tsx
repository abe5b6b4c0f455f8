// Payments before they are due: the dues in the lender's account, a part payment, and closing the loan.

import type { BorrowerRequest } from '@lendloom/wire/console/complaint-lists'
import type { EmbedWrittenRequest } from '@lendloom/wire/hosted/embed-servicing'
import { useSignal } from '@preact/signals'
import { Actions, Button, Form } from '../form/form.tsx'
import { ExternalLink, lenderOf } from '../offers/lender.tsx'
import { errorOf, type FieldErrors } from '../page/field-errors.ts'
import { day, lastMoment, rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { t, textOf } from '../text.ts'
import { Sums } from './amounts-with-total.tsx'
import { openRequests, sendRequest } from './cooling-off-exit.tsx'
import { PartPaymentForm } from './part-payment.tsx'
import { type PartEstimate, partEstimate } from './part-payment-estimate.ts'
import {
  amountOwed,
  closingCharge,
  duesOf,
  hasPrepaid,
  isEarlyPaymentOpen,
  isPaymentPending,
  isWholeAmount,
  mostToPrepay,
  paymentName,
  principalOwed,
  requestPayment,
  tooMuchText,
} from './payment-requests.tsx'

/** The forms of this file tell their own failures. */
const closingPath = /\/foreclosure$/
const requestPath = /\/complaints$/
const partPath = /\/pre-part-payment$/

export function EarlyPayments({ lender }: { lender: string }) {
  const { paysHere, closesHere, screen, cancellation, leave, requests, requested, selected } = page.view.value
  const isFormOpen = useSignal(false)
  const toggleForm = () => {
    isFormOpen.value = !isFormOpen.value
  }
  if (screen === 'CLOSED' || cancellation) return null
  if (!paysHere) return <RepaidAtLender lender={lender} />
  const offer = requests.includes('PART_PAYMENT') ? selected?.terms : undefined
  const isFree = !isEarlyPaymentOpen()
  const mayPrepay = offer ?? isFree
  // A closing whose card is folded is still open.
  const mayClose = closesHere ? isFree && !leave && !isPaymentPending('FORECLOSURE') : !isAwaited('CLOSING_AMOUNT')
  const asked = requested.filter(({ category }) => category !== 'CANCELLATION')
  if (!mayPrepay && !mayClose && !hasDues() && asked.length === 0) return null
  const close = closesHere ? () => void requestPayment('foreclosure') : () => void askForAmount()
  return (
    <section class="card" aria-labelledby="early">
      <h2 id="early">{t('loan.manage')}</h2>
      {hasDues() ? <Dues /> : mayClose && <PrincipalLeft lender={lender} />}
      {(closesHere ? mayPrepay || mayClose : mayClose) && (
        <p class="hint">{closesHere ? costOfClosing(mayClose) : t('leave.early', { lender })}</p>
      )}
      {asked.map((each) => (
        <OpenRequest key={each.category} request={each} lender={lender} />
      ))}
      <Actions of={closesHere ? closingPath : requestPath}>
        {mayClose && (
          <Button kind="plain" onClick={close}>
            {t(closesHere ? 'loan.close' : 'leave.quote')}
          </Button>
        )}
        {mayPrepay && !isFormOpen.value && (
          <Button kind="plain" onClick={toggleForm}>
            {t('loan.part')}
          </Button>
        )}
      </Actions>
      {isFormOpen.value &&
        (offer ? (
          <PartPaymentForm lender={lender} offer={offer} />
        ) : (
          mayPrepay && <PrepaymentForm onDone={toggleForm} />
        ))}
    </section>
  )
}

/** Asks a lender that takes no payment here what repaying the whole loan costs; its answer stands with the request. */
const askForAmount = (): Promise<void> => sendRequest('CLOSING_AMOUNT', t('leave.quote.text'))

/** Whether such a request waits for its answer. After the answer the amount may be another, so that it can be asked for again. */
const isAwaited = (request: BorrowerRequest): boolean =>
  page.view.value.requested.some(({ category, answered }) => category === request && !answered)

interface OpenRequestProps {
  request: EmbedWrittenRequest
  lender: string
}

/** A request in writing: when it was made, by when it is answered, and the way to it. */
const OpenRequest = ({ request: { category, at, dueAt, answered }, lender }: OpenRequestProps) => (
  <div class="titled">
    <div role="status">
      <strong>{textOf(`loan.requested.${category}`)}</strong>
      <p class="hint">
        {answered
          ? t('leave.answered')
          : dueAt
            ? t('loan.asked.answer', { date: day(at), lender, by: lastMoment(dueAt) })
            : t('loan.asked', { date: day(at) })}
      </p>
    </div>
    <Button kind="quiet" label={`${t('review.show')}: ${textOf(`loan.requested.${category}`)}`} onClick={openRequests}>
      {t('review.show')}
    </Button>
  </div>
)

/** The open payments of a credit line. What was paid is in the list of payments. */
export const LinePayments = ({ lender }: { lender: string }) =>
  page.view.value.servicing.map(
    (each) =>
      page.payment && each.status !== 'PAID' && <page.payment key={each.operationId} payment={each} lender={lender} />,
  )

/** Repaying what is drawn from a credit line, in part or all of it, which closes the line. */
export function LineRepayment() {
  const { creditLine } = page.view.value
  const isFormOpen = useSignal(false)
  const toggleForm = () => {
    isFormOpen.value = !isFormOpen.value
  }
  const isDrawn = Number(creditLine?.used ?? 0) > 0
  const isFree = !isEarlyPaymentOpen()
  // A closing whose card is folded is still open.
  const mayClose = !isPaymentPending('FORECLOSURE')
  if (!isFree || !(isDrawn || mayClose)) return null
  return (
    <section class="card" aria-labelledby="repay">
      <h2 id="repay">{isDrawn ? t('line.repay') : paymentName('FORECLOSURE')}</h2>
      <p class="hint">{t(isDrawn ? 'line.repay.why' : 'line.close.why')}</p>
      {isFormOpen.value && <PrepaymentForm onDone={toggleForm} />}
      {isDrawn && !isFormOpen.value && (
        <div class="actions">
          <Button kind="plain" onClick={toggleForm}>
            {t('line.repay.part')}
          </Button>
        </div>
      )}
      {mayClose && !isFormOpen.value && (
        <div class="actions">
          <Button kind={isDrawn ? 'quiet' : 'plain'} onClick={page.opener('close')}>
            {t(isDrawn ? 'line.repay.all' : 'line.close')}
          </Button>
        </div>
      )}
    </section>
  )
}

/** For a product without early payments on this page: how to reach the lender, which takes them. */
function RepaidAtLender({ lender }: { lender: string }) {
  const support = lenderOf(page.view.value)?.support
  return (
    <section class="card" aria-labelledby="early">
      <h2 id="early">{t('loan.manage')}</h2>
      <p>{t('loan.manage.there', { lender })}</p>
      {support && (
        <p>
          <a class="call" href={`tel:${support.phone}`}>
            {support.phone}
          </a>
          <a class="call" href={`mailto:${support.email}`}>
            {support.email}
          </a>
        </p>
      )}
      {support && (
        <div class="actions">
          <ExternalLink look="button plain" href={support.link}>
            {t('line.there', { lender })}
          </ExternalLink>
        </div>
      )}
    </section>
  )
}

/** What repaying early costs, as far as the offer states it. */
function costOfClosing(mayClose: boolean): string {
  const { rate } = closingCharge() ?? {}
  return mayClose && rate ? t('loan.close.charged', { rate }) : t('loan.manage.why')
}

/** Whether the lender has told what is owed, by parts. */
const hasDues = (): boolean => Boolean(amountOwed('principal') && amountOwed('outstanding'))

/** What it costs to repay everything, as far as the plan tells it: after a part payment it is off by some rupees. */
function PrincipalLeft({ lender }: { lender: string }) {
  const principal = principalOwed()
  if (!principal) return null
  if (!principal.isExact && hasPrepaid()) return <p>{t('loan.payoff.asked', { lender })}</p>
  return <p>{t('loan.payoff', { amount: rupees(principal.amount), lender })}</p>
}

/** What it costs to repay everything, as the lender reports it; a sum of one part is among the loan's figures. */
function Dues() {
  const outstanding = amountOwed('outstanding')
  const parts = duesOf(['principal', 'interest', 'penalCharges', 'charges'])
  if (!outstanding || parts.length < 2) return null
  return <Sums rows={parts} total={[t('loan.outstanding'), outstanding]} />
}

function PrepaymentForm({ onDone }: { onDone(): void }) {
  const amount = useSignal('')
  const errors = useSignal<FieldErrors>({})
  const attempt = useSignal(0)
  const { selected, installments, creditLine } = page.view.value
  const most = mostToPrepay()
  const uptoText = creditLine ? 'line.repay.upto' : 'partkeep.upto'
  const isWhole = isWholeAmount(amount.value)
  const estimate =
    isWhole && selected && !creditLine ? partEstimate(installments, selected.terms, Number(amount.value)) : null
  async function send(): Promise<void> {
    if (isWhole && most !== null && Number(amount.value) > most) return refuse(tooMuchText(most))
    if (!isWhole) return refuse('')
    const faults = await requestPayment('pre-part-payment', { amount: amount.value })
    if (faults === null) onDone()
    else if (faults.length > 0) refuse('')
  }
  function refuse(text: string): void {
    errors.value = { part: text }
    attempt.value += 1
  }
  return (
    <Form hasOneField errors={errors.value} attempt={attempt.value} onSubmit={() => void send()}>
      <page.AmountField
        name="part"
        label={creditLine ? t('line.repay.amount') : undefined}
        value={amount.value}
        error={errorOf(errors.value, 'part')}
        onValue={(value) => {
          amount.value = value
          errors.value = {}
        }}
      />
      <p class="hint" role="status">
        {estimate ? savingText(estimate) : most !== null && t(uptoText, { amount: rupees(most) })}
      </p>
      <Actions of={partPath}>
        <Button submit>{t('loan.part.send')}</Button>
        <Button kind="quiet" onClick={onDone}>
          {t('loan.part.close')}
        </Button>
      </Actions>
    </Form>
  )
}

/** What a part payment of this amount saves; null if the plan does not tell it. */
export function savingOf(amount: string): string | null {
  const { selected, installments } = page.view.value
  const estimate = selected && partEstimate(installments, selected.terms, Number(amount))
  return estimate ? savingText(estimate) : null
}

/** What a part payment saves if the lender keeps the instalment, as lenders of the network do. */
function savingText({ now, INSTALLMENT: after }: PartEstimate): string {
  const amount = rupees(Math.max(0, Math.round(now.interest - after.interest)))
  const count = now.count - after.count
  return count > 0 ? t('loan.part.saves', { amount, count }) : t('loan.part.saves.interest', { amount })
}
