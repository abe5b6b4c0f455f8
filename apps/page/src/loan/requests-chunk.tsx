// Chunk with the loan below its figures, a credit line, and written requests such as a cancellation.

import type { BorrowerRequest } from '@lendloom/wire/console/complaint-lists'
import type { EmbedLeave } from '@lendloom/wire/hosted/embed-servicing'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { useEffect } from 'preact/hooks'
import { Actions, Button } from '../form/form.tsx'
import { ExternalLink, lenderOf } from '../offers/lender.tsx'
import { lastDay, rupees } from '../page/format.ts'
import { type LoanDetailsProps, page } from '../page/page-state.ts'
import { Title } from '../page/title.tsx'
import { Waiting } from '../page/waiting.tsx'
import { t, textOf } from '../text.ts'
import { EarlyPayments } from './early-payments.tsx'
import './credit-line.tsx'
import { Sums } from './amounts-with-total.tsx'
import { isPayable, Leave, LenderContact, PayTo, Price, sendRequest } from './cooling-off-exit.tsx'
import { LoanDocuments, LoanNumbers } from './loan-documents.tsx'
import { Payment } from './payment.tsx'
import { requestPayment } from './payment-requests.tsx'
import { Rating } from './rating.tsx'
import { Receipts } from './receipts.tsx'
import { Plan } from './repayment-plan.tsx'

const canRequest = (request: BorrowerRequest): boolean => page.view.value.requests.includes(request)

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

function exitTextOf({ leave, exitHeld, exitBooked }: EmbedView) {
  if (exitHeld || exitBooked) return 'leave.text.paid'
  return isPayable(leave) ? 'leave.text.pay' : 'leave.text'
}

/** The network has no other message for the exit than closing the loan. If that failed, the request is in writing. */
function askToLeave(closes: boolean): void {
  const { exitPrice } = page.view.value
  if (closes)
    void requestPayment('foreclosure', exitPrice?.amount ? { exitPrice: exitPrice.amount } : {}).then((faults) => {
      if (faults === null) page.inner.value = ''
    })
  else void sendRequest('COOLING_OFF', t(exitTextOf(page.view.value)))
}

function leadOf(closes: boolean, price: EmbedView['exitPrice']) {
  if (!closes) return 'leave.sure.why'
  return price?.state === 'STATED' ? 'leave.price.next' : 'leave.next'
}

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
  const { bankAccount, closesHere, paysHere, servicing, exitPrice } = page.view.value
  // After a failed closing, only the written request is left.
  const closes =
    closesHere && paysHere && !servicing.some(({ kind, status }) => kind === 'FORECLOSURE' && status === 'FAILED')
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

/** Below the loan's figures, in the order in which borrowers look for it. An exit that was requested comes first. */
function LoanDetails({ selected, children }: LoanDetailsProps) {
  const view = page.view.value
  return (
    <>
      {view.exitRequest && <Leave view={view} />}
      {view.screen !== 'CLOSED' && <Plan />}
      <Receipts />
      {children}
      <LoanDocuments selected={selected} />
      <Requests />
      {!view.exitRequest && <Leave view={view} />}
      <LoanNumbers />
    </>
  )
}

function Requests() {
  const { selected, leave, status, tracking } = page.view.value
  const lender = selected?.lenderName ?? ''
  if (tracking) return <Tracking url={tracking} lender={lender} />
  if (canRequest('CANCELLATION')) return <Cancellation />
  if (leave && page.inner.value === 'leave') return <LeaveQuestion name={lender} leave={leave} />
  if (status !== 'DISBURSED') return null
  return (
    <>
      <ExitAccount />
      <EarlyPayments lender={lender} />
    </>
  )
}

page.requests = Requests
page.loan = LoanDetails
page.payment = Payment
page.rating = Rating
