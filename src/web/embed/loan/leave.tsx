// Leaving a loan within the cooling-off period: what it costs today, the request to the lender, and other ways to reach it.
import type { ComplaintCategory } from '#contract/console/complaint-lists.ts'
import type { EmbedLender } from '#contract/hosted/embed.ts'
import type { EmbedLeave } from '#contract/hosted/embed-servicing.ts'
import { Actions, Button } from '../form/form.tsx'
import { day, rupees } from '../page/format.ts'
import { here } from '../page/here.ts'
import { Title } from '../page/title.tsx'
import { language, t } from '../text.ts'

/** Opens help with a complaint begun, which is the way to reach the lender in writing. */
export const write = (about: string) => () => {
  here.helpAbout.value = about
}

/** Sends a request to the lender in writing, and shows it with its number and what the lender answers. */
export async function askInWriting(category: ComplaintCategory, text: string, more: object = {}): Promise<void> {
  const body = { category, text, language: language.value, ...more }
  let isTaken = false
  await here.session.act({ method: 'POST', path: '/complaints', body }, () => {
    isTaken = true
  })
  if (!isTaken) return
  here.inner.value = ''
  here.helpAbout.value = ''
}

interface LeaveProps {
  lender: EmbedLender | undefined
  name: string
}

const show = (on: boolean) => () => {
  here.session.trouble.value = null
  here.inner.value = on ? 'leave' : ''
}

export function Leave({ lender, name }: LeaveProps) {
  const { leave } = here.view.value
  if (!leave) return null
  return (
    <section class="card" aria-labelledby="leave">
      <h2 id="leave">{t('leave.title', { date: day(leave.until) })}</h2>
      <p>{t('leave.until')}</p>
      <Cost leave={leave} name={name} />
      <Actions>
        <Button kind="plain" onClick={show(true)}>
          {t('leave.ask')}
        </Button>
      </Actions>
      <Reach lender={lender} />
    </section>
  )
}

/** The confirmation. The request is sent with one tap, in the borrower's language: leaving needs no reason. */
export function LeaveQuestion({ lender, name, leave }: LeaveProps & { leave: EmbedLeave }) {
  return (
    <section key="leave">
      <Title lead={t('leave.sure.why', { lender: name })}>{t('leave.sure')}</Title>
      <Cost leave={leave} name={name} />
      <Actions>
        <Button onClick={() => void askInWriting('COOLING_OFF', t('leave.text'))}>
          {t('leave.yes', { lender: name })}
        </Button>
        <Button kind="plain" onClick={show(false)}>
          {t('leave.no')}
        </Button>
      </Actions>
      <Reach lender={lender} />
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
        ).map(([what, amount]) => (
          <div key={what}>
            <dt>{what}</dt>
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
export function Reach({ lender }: { lender: EmbedLender | undefined }) {
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
