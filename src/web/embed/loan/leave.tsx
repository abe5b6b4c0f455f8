// Cooling-off exit from a loan: today's cost, the request to the lender, and the lender's contact.
import type { ComplaintCategory } from '#contract/console/complaint-lists.ts'
import type { EmbedLender } from '#contract/hosted/embed.ts'
import type { EmbedLeave } from '#contract/hosted/embed-servicing.ts'
import { Actions, Button } from '../form/form.tsx'
import { day, rupees } from '../page/format.ts'
import { page } from '../page/page.ts'
import { Title } from '../page/title.tsx'
import { language, t } from '../text.ts'

/** Opens the complaint form, with which the borrower writes to the lender. */
export const openComplaintForm = (about: ComplaintCategory) => () => {
  page.aside.value = `help:${about}`
}

/** Sends a written request to the lender, then opens help, which shows the request and the lender's answers. */
export async function sendRequest(category: ComplaintCategory, text: string, extra: object = {}): Promise<void> {
  const body = { category, text, language: language.value, ...extra }
  let isAccepted = false
  await page.session.act({ method: 'POST', path: '/complaints', body }, () => {
    isAccepted = true
  })
  if (!isAccepted) return
  page.inner.value = ''
  page.aside.value = 'help:'
}

interface LeaveProps {
  lender: EmbedLender | undefined
  name: string
}

const setOpen = (isOpen: boolean) => () => {
  page.session.failure.value = null
  page.inner.value = isOpen ? 'leave' : ''
}

export function Leave({ lender, name }: LeaveProps) {
  const { leave } = page.view.value
  if (!leave) return null
  return (
    <section class="card" aria-labelledby="leave">
      <h2 id="leave">{t('leave.title', { date: day(leave.until) })}</h2>
      <p>{t('leave.until')}</p>
      <Cost leave={leave} name={name} />
      <Actions>
        <Button kind="plain" onClick={setOpen(true)}>
          {t('leave.ask')}
        </Button>
      </Actions>
      <LenderContact lender={lender} />
    </section>
  )
}

/** The confirmation. The exit requires no reason, so one tap sends the request in the borrower's language. */
export function LeaveQuestion({ lender, name, leave }: LeaveProps & { leave: EmbedLeave }) {
  const { bankAccount } = page.view.value
  return (
    <section key="leave">
      <Title lead={t('leave.sure.why', { lender: name })}>{t('leave.sure')}</Title>
      <dl class="rows">
        {bankAccount && (
          <>
            <dt>{t('leave.account')}</dt>
            <dd>{bankAccount}</dd>
          </>
        )}
        <dt>{t('leave.last')}</dt>
        <dd>{day(leave.until)}</dd>
      </dl>
      <Cost leave={leave} name={name} />
      <Actions>
        <Button onClick={() => void sendRequest('COOLING_OFF', t('leave.text'))}>
          {t('leave.yes', { lender: name })}
        </Button>
        <Button kind="plain" onClick={setOpen(false)}>
          {t('leave.no')}
        </Button>
      </Actions>
      <LenderContact lender={lender} />
    </section>
  )
}

const Cost = ({ leave: { cost, agreed }, name }: { leave: EmbedLeave; name: string }) => (
  <>
    {cost ? (
      <dl class="sums">
        {(
          [
            [t('leave.principal'), rupees(cost.principal)],
            [t('leave.interest', { count: cost.days }), rupees(cost.interest)],
            [t('leave.fee'), `−${rupees(cost.feeReturned)}`],
          ] as const
        ).map(([label, amount]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{amount}</dd>
          </div>
        ))}
        <div class="sum">
          <dt>{t('leave.total')}</dt>
          <dd>{rupees(cost.total)}</dd>
        </div>
      </dl>
    ) : (
      <p>{t('leave.cost.lender', { lender: name })}</p>
    )}
    <p class="hint">{t(agreed ? 'leave.how' : 'leave.how.lender', { lender: name })}</p>
  </>
)

/** The lender's contact. */
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
