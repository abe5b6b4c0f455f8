// What has just happened to a credit line, at the top of its screen: money that was sent to the borrower or repaid.

import { Icon } from '@lendloom/design/icon'
import { check } from '@lendloom/design/icons'
import { businessDate } from '@lendloom/lending/calendar'
import type { EmbedDrawdown } from '@lendloom/wire/hosted/drawdown'
import { rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { t } from '../text.ts'

/** Only the newest request is news, and a payout only on its day: the list below keeps them all. */
export function LineNews({ lender }: { lender: string }) {
  const { drawdowns, servicing, today } = page.view.value
  const newest = [...drawdowns, ...servicing].reduce((latest, { askedAt }) => (askedAt > latest ? askedAt : latest), '')
  const payment = servicing.find(({ status, askedAt }) => status === 'PAID' && askedAt === newest)
  if (payment) return page.payment ? <page.payment payment={payment} lender={lender} /> : null
  const paid = drawdowns.find(({ askedAt }) => askedAt === newest)?.paid
  return paid && businessDate(new Date(paid.at)) === today ? <Sent paid={paid} /> : null
}

const Sent = ({ paid: { amount, accountEnding, reference } }: { paid: NonNullable<EmbedDrawdown['paid']> }) => (
  <div class="card" role="status">
    <strong>
      <Icon path={check} /> {t('draw.done')}
    </strong>
    <p>
      {accountEnding
        ? t('draw.sent', { amount: rupees(amount), digits: accountEnding })
        : t('draw.sent.own', { amount: rupees(amount) })}
    </p>
    {reference && <p class="hint">{t('draw.reference', { reference })}</p>}
  </div>
)
