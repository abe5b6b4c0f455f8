// Leaving a loan: within the cooling-off period without a reason, and what it costs today; later by a quote of the lender.
import type { EmbedLender } from '#contract/hosted/embed.ts'
import { Actions, Button } from './form.tsx'
import { day, rupees } from './format.ts'
import { here } from './here.ts'
import { t } from './text.ts'

/** Opens help with a complaint begun, which is the way to reach the lender in writing. */
export const write = (about: string) => () => {
  here.helpAbout.value = about
}

export function Leave({ lender, name }: { lender: EmbedLender | undefined; name: string }) {
  const { leave } = here.view.value
  if (!leave) return null
  const { until, agreed, cost } = leave
  return (
    <section class="card" aria-labelledby="leave">
      <h2 id="leave">{t('leave.title', { date: day(until) })}</h2>
      <p>{t('leave.until')}</p>
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
      <Actions>
        <Button kind="plain" onClick={write('COOLING_OFF')}>
          {t('leave.ask')}
        </Button>
      </Actions>
      <Reach lender={lender} />
    </section>
  )
}

/** Whom to write to or call at the lender. */
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
