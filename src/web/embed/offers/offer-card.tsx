// One offer in the list: comparison figures at a glance, everything when opened.
import type { ComponentChildren } from 'preact'
import type { EmbedLender } from '#contract/hosted/embed.ts'
import { about, isWeekly, months, percent, rupees } from '../page/format.ts'
import { t } from '../text.ts'
import { isFar } from './branches.tsx'
import { affordable, type OfferPrice } from './compare.ts'
import { Mark } from './lender.tsx'
import { SecuredBy } from './secured.tsx'
import { Estimable, GoldRows, Terms, validity } from './terms.tsx'
import { monthlyIncome } from './wanted.tsx'

interface OfferCardProps {
  priced: OfferPrice
  lender: EmbedLender | undefined
  /** The criterion by which it is the best. */
  best: string | null
  choose(): void
}

const Who = ({ offer, lender, best }: Pick<OfferCardProps, 'lender' | 'best'> & Pick<OfferPrice, 'offer'>) => (
  <div class="who">
    <Mark name={offer.lenderName} logoUrl={lender?.logoUrl ?? null} />
    <div>
      <h2>{offer.lenderName}</h2>
      <small>
        {[lender?.kind ? t(`kind.${lender.kind}`) : lender?.about, validity(offer)].filter(Boolean).join(' · ')}
      </small>
    </div>
    {best && <b class="badge">{best}</b>}
  </div>
)

export function OfferCard({ priced, lender, best, choose }: OfferCardProps) {
  const { offer, amount, fits } = priced
  return (
    <li class="card offer">
      <Who offer={offer} lender={lender} best={best} />
      {offer.basis && <p class="hint">{t(`offers.basis.${offer.basis}`)}</p>}
      {!fits && <p class="nearest">{t('offers.nearest', { amount: rupees(amount), term: months(priced.months) })}</p>}
      <Compared priced={priced} />
      {isFar(offer.branches) && (
        <p class="nearest">
          <b>{t('offers.far', { km: `${offer.branches[0]?.aboutKm}` })}</b>
        </p>
      )}
      {lender?.usualPayoutSeconds && (
        <p class="hint">{t('offers.payout', { time: about(lender.usualPayoutSeconds) })}</p>
      )}
      <SecuredBy offer={offer} />
      {offer.ltvRatio !== null && (
        <dl class="rows">
          <GoldRows offer={offer} />
        </dl>
      )}
      <details class="whole">
        <summary>{t('offers.details')}</summary>
        <div class="all">
          {priced.isEstimate && <p class="hint">{t('choose.estimate.why', { lender: offer.lenderName })}</p>}
          <Terms priced={priced} lender={lender} />
        </div>
      </details>
      <div class="actions">
        {offer.expired ? (
          <p class="wrong">{t('offers.expired')}</p>
        ) : (
          <button
            type="button"
            class="main"
            aria-label={t('offers.choose', { lender: offer.lenderName })}
            onClick={choose}
          >
            {t('offers.take')}
          </button>
        )}
      </div>
    </li>
  )
}

export function Compared({ priced }: { priced: OfferPrice }) {
  const { offer, instalment, count, perMonth, total, apr, isEstimate } = priced
  const isPlain = count === priced.months
  const most = affordable(monthlyIncome())
  return (
    <>
      <dl class="compared">
        {offer.creditLine ? (
          <Figure what={t('terms.limit')}>{rupees(priced.amount)}</Figure>
        ) : (
          <Figure
            named={!isWeekly(offer)}
            what={t(isWeekly(offer) ? 'terms.instalment.weekly' : 'offers.emi')}
            isEstimate={isEstimate}
          >
            {instalment === null ? '–' : rupees(instalment)}
            {!isPlain && <small> {t('terms.times', { count })}</small>}
            {!isPlain && perMonth !== null && (
              <small class="per-month">{t('terms.amonth', { amount: rupees(perMonth) })}</small>
            )}
          </Figure>
        )}
        <Figure named what={t('offers.apr')} isEstimate={isEstimate}>
          {apr === null ? '–' : percent(String(apr))}
        </Figure>
        {!offer.creditLine && (
          <Figure named what={t('offers.total')} isEstimate={isEstimate}>
            {total === null ? '–' : rupees(total)}
          </Figure>
        )}
      </dl>
      {most > 0 && (perMonth ?? 0) > most && <p class="nearest">{t('offers.above', { emi: rupees(most) })}</p>}
    </>
  )
}

interface FigureProps {
  what: string
  /** Whether it is named as its column is, on a wide screen. */
  named?: boolean
  isEstimate?: boolean
  children: ComponentChildren
}

const Figure = ({ what, named, isEstimate, children }: FigureProps) => (
  <div>
    <dt class={named ? 'named' : undefined}>{what}</dt>
    <dd>
      <Estimable isEstimate={isEstimate}>{children}</Estimable>
    </dd>
  </div>
)
