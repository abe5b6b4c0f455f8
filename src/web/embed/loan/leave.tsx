// Cooling-off exit from a loan: today's cost, the request to the lender and its state, and the lender's contact.
import type { ComplaintCategory } from '#contract/console/complaint-lists.ts'
import type { EmbedLender, EmbedView } from '#contract/hosted/embed.ts'
import type { EmbedLeave } from '#contract/hosted/embed-servicing.ts'
import { Actions, Button } from '../form/form.tsx'
import { lenderOf } from '../offers/lender.tsx'
import { day, moment, rupees } from '../page/format.ts'
import { page } from '../page/page.ts'
import { language, t } from '../text.ts'
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
  const { leave, exitRequest, exitHeld, exitBooked, cancellation } = view
  const lender = lenderOf(view)
  const name = view.selected?.lenderName ?? ''
  const isPaid = exitHeld || exitBooked
  const paidLate = exitRequest?.paidLate
  return (
    <section class="card" aria-labelledby="leave">
      <h2 id="leave">{leave && !exitRequest ? t('leave.title', { date: day(leave.until) }) : t('leave.requested')}</h2>
      <p>
        {exitRequest
          ? t(`leave.requested.${exitRequest.origin}`, { when: moment(exitRequest.at), number: exitRequest.number })
          : t('leave.until')}
      </p>
      {exitRequest?.answered ? (
        <p>{t('leave.answered')}</p>
      ) : exitRequest?.missedOn ? (
        <p>
          {t('leave.missed', { date: day(exitRequest.missedOn) })}
          {paidLate &&
            ` ${t('leave.missed.paid', { lender: name, amount: rupees(paidLate.amount), date: day(paidLate.on) })}`}
        </p>
      ) : (
        !isPaid && !isPayable(leave) && <p>{t(exitRequest ? 'leave.next' : 'leave.how.lender', { lender: name })}</p>
      )}
      {exitRequest && exitBooked && !cancellation && (
        <p>{t('leave.booked', { lender: name, amount: rupees(exitBooked) })}</p>
      )}
      {leave && !(exitRequest && isPaid) && <Price leave={leave} name={name} />}
      <Actions>
        <Button kind="plain" onClick={exitRequest ? openRequests : page.opener('leave')}>
          {t(exitRequest ? 'leave.see' : 'leave.ask')}
        </Button>
      </Actions>
      <LenderContact lender={lender} />
    </section>
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
  const { cost, account, payBy, until } = leave
  const { exitHeld: held, exitBooked: booked } = page.view.value
  const values = { lender: name, date: day(until) }
  if (held)
    return (
      <p>
        {t('leave.checking', { lender: name, amount: rupees(held) })} {t('leave.counts', values)}
      </p>
    )
  if (booked) return <p>{t('leave.posted', { ...values, amount: rupees(booked) })}</p>
  return (
    <>
      {cost && <Cost cost={cost} />}
      {cost && account && (
        <>
          <dl class="rows">
            <dt>{t('leave.payto')}</dt>
            <dd>{account}</dd>
            <dt>{t('leave.remark')}</dt>
            <dd>{page.view.value.loanNumber}</dd>
            {payBy && (
              <>
                <dt>{t('leave.by')}</dt>
                <dd>{day(payBy)}</dd>
              </>
            )}
          </dl>
          <p>{t('leave.how', { lender: name })}</p>
        </>
      )}
    </>
  )
}

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
