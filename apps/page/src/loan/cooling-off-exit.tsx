// Cancelling a loan in its cooling-off period: today's cost, the request to the lender and its state, where to pay, and
// the lender's contact.
import type { ComplaintCategory } from '@lendloom/wire/console/complaint-lists'
import type { EmbedLender } from '@lendloom/wire/hosted/embed-lender'
import type { EmbedExitRequest, EmbedLeave } from '@lendloom/wire/hosted/embed-servicing'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { splitAccount } from '@lendloom/wire/hosted/repayment-account-text'
import { Button } from '../form/form.tsx'
import { lenderOf } from '../offers/lender.tsx'
import { lastDay, moment, rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { language, t } from '../text.ts'
import { Sums } from './amounts-with-total.tsx'
import { Copy } from './copy-buttons.tsx'

/** Opens the complaint form with a topic. */
export const openComplaintForm = (about: ComplaintCategory) => () => {
  page.aside.value = `help:${about}`
}

/** Opens the list of the borrower's requests and complaints. */
export const openRequests = () => {
  page.aside.value = 'help:'
}

/** Sends a request or complaint, and closes its form once the platform has accepted it. */
export async function sendRequest(category: ComplaintCategory, text: string, extra: object = {}): Promise<void> {
  const body = { category, text, language: language.value, ...extra }
  let isAccepted = false
  await page.session.act({ method: 'POST', path: '/complaints', body }, () => {
    isAccepted = true
  })
  if (!isAccepted) return
  page.inner.value = ''
  // The loan shows the other requests itself.
  if (category === 'CANCELLATION') openRequests()
}

/** About cancelling: how, until when and for how much. One line that opens, until the borrower has requested it. */
export function Leave({ view }: { view: EmbedView }) {
  const { leave, exitRequest } = view
  if (exitRequest)
    return (
      <section class="card" aria-labelledby="leave">
        <h2 id="leave">{t('leave.requested')}</h2>
        <Request request={exitRequest} />
        <LeaveDetails view={view} />
      </section>
    )
  if (!leave || view.cancellation) return null
  return (
    <details>
      <summary>{t('leave.title', { date: lastDay(leave.until, leave.today) })}</summary>
      <div class="all">
        <p>{t('leave.until')}</p>
        <LeaveDetails view={view} />
      </div>
    </details>
  )
}

function LeaveDetails({ view }: { view: EmbedView }) {
  const { leave, exitRequest, exitHeld, exitBooked } = view
  const name = view.selected?.lenderName ?? ''
  const isPaid = exitHeld || exitBooked
  const isDecided = exitRequest?.answered || exitRequest?.missedOn || view.screen === 'CLOSED'
  return (
    <>
      {!isDecided && !isPaid && !isPayable(leave) && (
        <p>{t(exitRequest ? 'leave.next' : 'leave.how.lender', { lender: name })}</p>
      )}
      {leave && !(exitRequest && isPaid) && <Price leave={leave} name={name} />}
      <div class="actions">
        <Button kind="plain" onClick={exitRequest ? openRequests : page.opener('leave')}>
          {t(exitRequest ? 'leave.see' : 'leave.ask')}
        </Button>
      </div>
      <LenderContact lender={lenderOf(view)} />
    </>
  )
}

/** Keeps the number on one line without special hyphens, which a borrower would copy. */
function Request({ request: { origin, at, number } }: { request: EmbedExitRequest }) {
  const [before, after] = t(`leave.requested.${origin}`, { when: moment(at), number: '\n' }).split('\n')
  return (
    <p>
      {before}
      <span class="quiet-words">{number}</span>
      {after}
    </p>
  )
}

function Cost({ cost }: { cost: NonNullable<EmbedLeave['cost']> }) {
  const rows: [label: string, amount: string][] = [
    [t('leave.principal'), cost.principal],
    [t('leave.interest', { count: cost.days }), cost.days ? cost.interest : ''],
    [t('leave.fee'), `-${cost.feeReturned}`],
  ]
  if (cost.paid) rows.push([t('leave.paid'), `-${cost.paid}`])
  return <Sums rows={rows} total={[t('leave.total'), cost.total]} />
}

/** Whether the sum and the account are known. */
export const isPayable = (leave: EmbedLeave | null): boolean => Boolean(leave?.cost && leave.account)

/** What is to be paid, and what has arrived of it. */
export function Price({ leave, name }: { leave: EmbedLeave; name: string }) {
  const { cost, account, payBy, until, today } = leave
  const { exitHeld: held, exitBooked: booked, exitRequest } = page.view.value
  const values = { lender: name, date: lastDay(until, today) }
  if (held)
    return (
      <p>
        {t('leave.checking', { lender: name, amount: rupees(held) })} {t('leave.counts', values)}
      </p>
    )
  if (booked) return <p>{t('leave.posted', { ...values, amount: rupees(booked) })}</p>
  if (!cost) return null
  const sums = <Cost cost={cost} />
  if (!account || !(exitRequest || page.inner.value)) return sums
  return (
    <>
      {!exitRequest && sums}
      <dl class="sums">
        <PayTo amount={exitRequest && cost.total} account={account} />
        {payBy && (
          <div>
            <dt>{t('leave.by')}</dt>
            <dd class="titled">{lastDay(payBy, today)}</dd>
          </div>
        )}
      </dl>
      <p>
        {!exitRequest && t('leave.how.days')} {t('leave.how', { lender: name })}
      </p>
      {exitRequest && (
        <details>
          <summary>{t('leave.sum')}</summary>
          {sums}
        </details>
      )}
    </>
  )
}

interface PayToProps {
  amount: string | null
  account: string
}

/** The account to pay into, with the loan number as the remark. */
export function PayTo({ amount, account }: PayToProps) {
  const { loanNumber } = page.view.value
  const { payee, details } = splitAccount(account)
  return (
    <>
      {amount && <PayTotal amount={amount} />}
      {payee && <PayRow label={t('leave.payto')} value={payee} />}
      {details.map(([kind, text]) => (
        <PayRow key={text} label={kind || t('pay.account')} value={text} text={text} />
      ))}
      {loanNumber && <PayRow label={t('leave.remark')} value={loanNumber} text={loanNumber} />}
    </>
  )
}

export const PayTotal = ({ amount }: { amount: string }) => (
  <PayRow label={t('loan.total')} value={rupees(amount)} text={amount.replace(/\.00$/, '')} />
)

interface PayRowProps {
  label: string
  value: string
  text?: string
}

const PayRow = ({ label, value, text }: PayRowProps) => (
  <div>
    <dt>{label}</dt>
    <dd class="titled">
      {value} {text && <Copy text={text} />}
    </dd>
  </div>
)

interface LenderContactProps {
  lender: EmbedLender | undefined
  /** Before the number; of a text that already says to contact the lender, only its name. */
  lead?: string
}

export function LenderContact({ lender, lead }: LenderContactProps) {
  if (!lender?.support.phone) return null
  const { phone, email } = lender.support
  return (
    <p class="hint">
      {lead ?? t('leave.reach', { lender: lender.name })} <a href={`tel:${phone}`}>{phone}</a>
      {', '}
      <a href={`mailto:${email}`}>{email}</a>
    </p>
  )
}
