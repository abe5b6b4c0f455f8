// What secures a loan against mutual funds, as a chunk of its own: nobody else needs it. It brings both languages along.
import type { EmbedOffer } from '#contract/hosted/embed.ts'
import type { EmbedPledge, EmbedScheme } from '#contract/hosted/embed-pledge.ts'
import { unitsFor } from '#contract/hosted/pledge.ts'
import { percent, units } from './format.ts'
import { here } from './here.ts'
import { language, speak, t } from './text.ts'
import { funds as english } from './text-en-funds.ts'
import { funds as hindi } from './text-hi-funds.ts'

language.subscribe((now) => speak(now, now === 'hi' ? hindi : english))

/** One line for an offer. A fund that lies in two folios is one fund. */
function Secured({ schemes }: { schemes: EmbedScheme[] }) {
  const count = new Set(schemes.map(({ registrar, schemeCode }) => `${registrar} ${schemeCode}`)).size
  return <p class="known">{t('funds.secured', { count })}</p>
}

/** The units that an amount in whole rupees would take, by the platform's own rule; null while it is no amount of this offer. */
function Needed({ offer, amount }: { offer: EmbedOffer; amount: number | null }) {
  const principal = BigInt(offer.most.amount.replace('.', ''))
  const needed = offer.schemes
    .filter(({ unitsRequired }) => Number(unitsRequired) > 0)
    .map((scheme) => ({
      ...scheme,
      units: amount === null ? null : unitsFor(scheme.unitsRequired, BigInt(amount) * 100n, principal),
    }))
  return <Units caption={t('funds.needed')} rows={needed} />
}

function Pledged({ pledges }: { pledges: EmbedPledge[] }) {
  return <Units caption={t('funds.pledged')} rows={pledges} />
}

type Row = Pick<EmbedScheme, 'name' | 'registrar' | 'folio'> & { ltv?: string | null; units: string | null }

function Units({ caption, rows }: { caption: string; rows: Row[] }) {
  return (
    <div>
      <table class="plan">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t('funds.fund')}</th>
            <th scope="col">{t('funds.units')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={`${i} ${row.name}`}>
              <td>
                {row.name}
                <br />
                <small>{detailsOf(row)}</small>
              </td>
              <td>{row.units === null ? '–' : units(row.units)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">{t('funds.yours')}</p>
    </div>
  )
}

const detailsOf = ({ registrar, folio, ltv }: Row): string =>
  [registrar, folio && t('funds.folio', { folio }), ltv && t('funds.ltv', { rate: percent(ltv) })]
    .filter(Boolean)
    .join(' · ')

here.funds = { Secured, Needed, Pledged }
