// Cooling-off exit from a loan: today's cost, the request to the lender and its state, and the lender's contact.
import type { ComplaintCategory } from '#contract/console/complaint-lists.ts'
import type { EmbedLender, EmbedView } from '#contract/hosted/embed.ts'
import type { EmbedExitRequest, EmbedLeave } from '#contract/hosted/embed-servicing.ts'
import { Actions, Button } from '../form/form.tsx'
import { lenderOf } from '../offers/lender.tsx'
import { lastDay, moment, rupees } from '../page/format.ts'
import { page } from '../page/page.ts'
import { language, t } from '../text.ts'
import { Copies } from './copies.tsx'
import { Sums } from './sums.tsx'

export const openComplaintForm = (about: ComplaintCategory) => () => {
  page.aside.value = `help:${about}`
}

export const openRequests = () => {
  page.aside.value = 'help:'
}

export async function sendRequest(category: ComplaintCategory, text: string, extra: object = {}): Promise<void> {
  const body = { category, text, language: language.value, ...extra }
  let isAccepted = false
  await page.session.act({ method: 'POST', path: '/complaints', body }, () => {
    isAccepted = true
  })
  if (!isAccepted) return
  page.inner.value = ''
  if (category !== 'COOLING_OFF') openRequests()
}

export function Leave({ view }: { view: EmbedView }) {
  const { leave, exitRequest, exitHeld, exitBooked } = view
  const lender = lenderOf(view)
  const name = view.selected?.lenderName ?? ''
  const isPaid = exitHeld || exitBooked
  const isDecided = exitRequest?.answered || exitRequest?.missedOn || view.screen === 'CLOSED'
  return (
    <section class="card" aria-labelledby="leave">
      <h2 id="leave">
        {leave && !exitRequest ? t('leave.title', { date: lastDay(leave.until, leave.today) }) : t('leave.requested')}
      </h2>
      {!exitRequest && <p>{t('leave.until')}</p>}
      {!isDecided && !isPaid && !isPayable(leave) && (
        <p>{t(exitRequest ? 'leave.next' : 'leave.how.lender', { lender: name })}</p>
      )}
      {leave && !(exitRequest && isPaid) && <Price leave={leave} name={name} />}
      {exitRequest && <Request request={exitRequest} />}
      <Actions>
        <Button kind="plain" onClick={exitRequest ? openRequests : page.opener('leave')}>
          {t(exitRequest ? 'leave.see' : 'leave.ask')}
        </Button>
      </Actions>
      <LenderContact lender={lender} />
    </section>
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
    [t('leave.interest', { count: cost.days }), cost.interest],
    [t('leave.fee'), `-${cost.feeReturned}`],
  ]
  if (cost.paid) rows.push([t('leave.paid'), `-${cost.paid}`])
  return <Sums rows={rows} total={[t('leave.total'), cost.total]} />
}

export const isPayable = (leave: EmbedLeave | null): boolean => Boolean(leave?.cost && leave.account)

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
  if (!account) return sums
  return (
    <>
      {!exitRequest && sums}
      <dl class="rows">
        <PayTo amount={cost.total} account={account} isDue={exitRequest !== null} />
        {payBy && (
          <>
            <dt>{t('leave.by')}</dt>
            <dd>{lastDay(payBy, today)}</dd>
          </>
        )}
      </dl>
      <p>
        {!exitRequest && t('leave.how.days')} {t('leave.how', { lender: name })}
      </p>
      {exitRequest && sums}
    </>
  )
}

interface PayToProps {
  amount: string
  account: string
  isDue: boolean
}

export function PayTo({ amount, account, isDue }: PayToProps) {
  const { loanNumber } = page.view.value
  return (
    <>
      {isDue && (
        <>
          <dt>{t('leave.total')}</dt>
          <dd>
            <b>{rupees(amount)}</b>
            <Copies texts={[amount.replace(/\.00$/, '')]} />
          </dd>
        </>
      )}
      <dt>{t('leave.payto')}</dt>
      <dd>
        {account}
        {isDue && <Copies texts={account.split(/[\s,;]+/).filter(isBankDetail)} />}
      </dd>
      <dt>{t('leave.remark')}</dt>
      <dd>
        {loanNumber}
        {isDue && loanNumber && <Copies texts={[loanNumber]} />}
      </dd>
    </>
  )
}

const isBankDetail = (word: string): boolean =>
  /^(?:\d{9,18}|[A-Z]{4}0[A-Z0-9]{6}|[\w.-]{2,256}@[a-z]{2,64})$/i.test(word)

export function LenderContact({ lender }: { lender: EmbedLender | undefined }) {
  if (!lender?.support.phone) return null
  const { phone, email } = lender.support
  return (
    <p class="hint">
      {t('leave.reach', { lender: lender.name })} <a href={`tel:${phone}`}>{phone}</a>
      {', '}
      <a href={`mailto:${email}`}>{email}</a>
    </p>
  )
}
