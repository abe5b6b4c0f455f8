// Chunk with the loan below its figures, a credit line, and written requests such as a cancellation.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type BorrowerRequest, type PartPaymentKeeps, partPaymentKeeps } from '#contract/console/complaint-lists.ts'
import type { EmbedOffer, EmbedView } from '#contract/hosted/embed.ts'
import type { EmbedLeave } from '#contract/hosted/embed-servicing.ts'
import { contractOf } from '#contract/product/products.ts'
import { Actions, Button, Form } from '../form/form.tsx'
import { ExternalLink, lenderOf } from '../offers/lender.tsx'
import { errorOf, type FieldErrors } from '../page/field-errors.ts'
import { lastDay, rupees } from '../page/format.ts'
import { type LoanDetailsProps, page } from '../page/page.ts'
import { Title } from '../page/title.tsx'
import { Waiting } from '../page/waiting.tsx'
import { t, textOf } from '../text.ts'
import { EarlyPayments } from './early.tsx'
import './line.tsx'
import { isPayable, Leave, LenderContact, PayTo, Price, sendRequest } from './leave.tsx'
import { LoanDocuments, LoanNumbers } from './loan-documents.tsx'
import { outstandingPrincipal, type PartEstimate, partEstimate } from './part-estimate.ts'
import { Payment } from './payment.tsx'
import { isPaymentPending, requestPayment } from './payments.tsx'
import { Plan } from './plan.tsx'
import { Rating } from './rating.tsx'
import { Receipts } from './receipts.tsx'
import { Sums } from './sums.tsx'

const canRequest = (request: BorrowerRequest): boolean => page.view.value.requests.includes(request)

interface PartPaymentProps {
  lender: string
  offer: EmbedOffer
}

const PartPaymentChoice = (props: PartPaymentProps) => (
  <details>
    <summary>{t('partkeep.title')}</summary>
    <div class="all">
      <p>{t('partkeep.what')}</p>
      <PartPaymentForm {...props} />
      <LenderContact lender={lenderOf(page.view.value)} />
    </div>
  </details>
)

function PartPaymentForm({ lender, offer }: PartPaymentProps) {
  const amount = useSignal('')
  const keep = useSignal<PartPaymentKeeps>('INSTALLMENT')
  const errors = useSignal<FieldErrors>({})
  const attempt = useSignal(0)
  const { installments } = page.view.value
  const digits = amount.value
  const isValidAmount = /^[1-9]\d{0,9}$/.test(digits)
  const outstanding = outstandingPrincipal(installments, offer)
  const estimate = isValidAmount ? partEstimate(installments, offer, Number(digits)) : null
  const choose = (each: PartPaymentKeeps) => {
    keep.value = each
  }
  function send(): void {
    if (!isValidAmount || (outstanding !== null && Number(digits) >= outstanding)) {
      errors.value = {
        partkeep: isValidAmount && outstanding !== null ? t('partkeep.most', { amount: rupees(outstanding) }) : '',
      }
      attempt.value += 1
      return
    }
    void requestPrepayment(digits, keep.value)
  }
  return (
    <Form errors={errors.value} attempt={attempt.value} onSubmit={send}>
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
      <Actions>
        <Button kind="plain" submit>
          {t('partkeep.ask', { lender })}
        </Button>
      </Actions>
    </Form>
  )
}

/** Shows how to pay the amount, and sends the lender the borrower's choice in writing. */
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

function Cancellation() {
  const view = page.view.value
  const lender = view.selected?.lenderName ?? ''
  if (page.inner.value === 'cancel')
    return (
      <section>
        <Title lead={t('cancel.why', { lender })}>{t('cancel.title')}</Title>
        <Actions>
          <Button onClick={() => void sendRequest('CANCELLATION', t('cancel.text'))}>
            {t('cancel.yes', { lender })}
          </Button>
          <Button kind="plain" onClick={page.opener('')}>
            {t('cancel.no')}
          </Button>
        </Actions>
        <LenderContact lender={lenderOf(view)} />
      </section>
    )
  return page.inner.value === '' ? (
    <p class="withdraw">
      <Button kind="quiet" onClick={page.opener('cancel')}>
        {t('cancel.open')}
      </Button>
    </p>
  ) : null
}

const exitTextOf = ({ leave, exitHeld, exitBooked }: EmbedView) =>
  exitHeld || exitBooked ? 'leave.text.paid' : isPayable(leave) ? 'leave.text.pay' : 'leave.text'

/** The network has no other message for the exit than closing the loan. If that failed, the request is in writing. */
function askToLeave(closes: boolean): void {
  if (closes)
    void requestPayment('foreclosure').then((faults) => {
      if (faults === null) page.inner.value = ''
    })
  else void sendRequest('COOLING_OFF', t(exitTextOf(page.view.value)))
}

const leadOf = (closes: boolean, price: EmbedView['exitPrice']) =>
  !closes ? 'leave.sure.why' : price?.state === 'STATED' ? 'leave.price.next' : 'leave.next'

function StatedPrice({ price, name }: { price: EmbedView['exitPrice']; name: string }) {
  useEffect(() => {
    if (price?.state === 'ASKABLE') void requestPayment('exit-price')
  }, [])
  if (price?.state === 'ASKED') return <Waiting>{t('leave.price.asked', { lender: name })}</Waiting>
  if (!price?.amount) return null
  const rows = price.parts.map((each): [string, string] => [textOf(`loan.${each.part}`), each.amount])
  return (
    <>
      <Sums rows={rows} total={[t('leave.total'), price.amount]} />
      {price.keptFees && <p>{t('leave.kept', { lender: name, fees: rupees(price.keptFees) })}</p>}
    </>
  )
}

function ExitAccount() {
  const { exitPrice, servicing } = page.view.value
  const payment = servicing.find(({ kind, status }) => kind === 'FORECLOSURE' && status === 'LINK_READY')
  if (!exitPrice?.account || !payment?.amount || payment.redirectUrl) return null
  return (
    <dl class="sums">
      <PayTo amount={payment.amount} account={exitPrice.account} />
    </dl>
  )
}

function LeaveQuestion({ name, leave }: { name: string; leave: EmbedLeave }) {
  const { bankAccount, closesHere, journeyType, servicing, exitPrice } = page.view.value
  const closes =
    closesHere &&
    !contractOf(journeyType).isRepaidAtLender &&
    !servicing.some(({ kind, status }) => kind === 'FORECLOSURE' && status === 'FAILED')
  return (
    <section key="leave">
      <Title lead={t(leadOf(closes, exitPrice), { lender: name })}>{t('leave.sure')}</Title>
      <dl class="rows">
        {bankAccount && (
          <>
            <dt>{t('leave.account')}</dt>
            <dd>{bankAccount}</dd>
          </>
        )}
        <dt>{t('leave.last')}</dt>
        <dd>{lastDay(leave.until, leave.today)}</dd>
      </dl>
      <Price leave={leave} name={name} />
      {closes && <StatedPrice price={exitPrice} name={name} />}
      <Actions>
        {exitPrice?.state !== 'ASKED' && (
          <Button onClick={() => askToLeave(closes)}>{t('leave.yes', { lender: name })}</Button>
        )}
        <Button kind="plain" onClick={page.opener('')}>
          {t('leave.no')}
        </Button>
      </Actions>
      <LenderContact lender={lenderOf(page.view.value)} />
    </section>
  )
}

const Tracking = ({ url, lender }: { url: string; lender: string }) => (
  <div class="actions">
    <ExternalLink look="button plain" href={url}>
      {t('disbursal.track', { lender })}
    </ExternalLink>
  </div>
)

/** Below the loan's figures. A payment that is due comes before the exit, unless the borrower has requested it. */
function LoanDetails({ selected, isDue, children }: LoanDetailsProps) {
  const view = page.view.value
  const isLeaveLast = isDue && !view.exitRequest
  return (
    <>
      {!isLeaveLast && <Leave view={view} />}
      <LoanNumbers />
      <Plan />
      {children}
      <LoanDocuments selected={selected} />
      <Requests />
      {isLeaveLast && <Leave view={view} />}
    </>
  )
}

function Requests() {
  const { selected, leave, status, cancellation, tracking } = page.view.value
  const lender = selected?.lenderName ?? ''
  if (tracking) return <Tracking url={tracking} lender={lender} />
  if (canRequest('CANCELLATION')) return <Cancellation />
  if (leave && page.inner.value === 'leave') return <LeaveQuestion name={lender} leave={leave} />
  if (status !== 'DISBURSED') return null
  return (
    <>
      <ExitAccount />
      <Rating lender={lender} />
      <Receipts />
      <EarlyPayments lender={lender} />
      {selected && canRequest('PART_PAYMENT') && !cancellation && (
        <PartPaymentChoice lender={lender} offer={selected.terms} />
      )}
    </>
  )
}

page.requests = Requests
page.loan = LoanDetails
page.payment = Payment
