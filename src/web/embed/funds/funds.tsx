// The security of a loan against mutual funds, as a separate chunk: other loans do not load it.
import { useSignal } from '@preact/signals'
import type { EmbedOffer } from '#contract/hosted/embed.ts'
import type { EmbedScheme } from '#contract/hosted/embed-lender.ts'
import { idOf } from '../form/field.tsx'
import { percent, rupees, units } from '../page/format.ts'
import { here, type NeededProps, type PledgedProps } from '../page/here.ts'
import { type Wrong, wordsFor } from '../page/wrong.ts'
import { t } from '../text.ts'
import { Pledging, Portfolio } from './funds-held.tsx'
import { carriedBy, enteredOf, mayEnter, nameOf, pledgedOf, shareOf } from './funds-picked.ts'
import { Statement } from './funds-statement.tsx'

/** An offer's kind of loan, its value base, and where it is concluded. A fund in two folios is one fund. */
function Secured({ offer: { schemes, creditLine, ownPage } }: { offer: EmbedOffer }) {
  const count = new Set(schemes.map(({ registrar, schemeCode }) => `${registrar} ${schemeCode}`)).size
  return (
    <p class="known">
      {t(creditLine ? 'funds.line' : 'funds.term')} · {t('funds.secured', { count })}
      {ownPage && (
        <>
          <br />
          {t('funds.page')}
        </>
      )}
    </p>
  )
}

/** The units that an amount would take, by the platform's own rule, or those that the borrower enters. */
function Needed({ offer, amount, entered, wrong, onEnter }: NeededProps) {
  const open = useSignal(entered !== null)
  const principal = BigInt(offer.most.amount.replace('.', ''))
  const schemes = pledgedOf(offer.schemes)
  const share = shareOf(schemes, amount === null ? null : BigInt(amount) * 100n, principal)
  const texts = entered?.texts ?? share.map((each) => each ?? '')
  const words = ({ unitsRequired }: EmbedScheme) => t('funds.wrong', { most: units(unitsRequired) })
  const enter = (all: readonly string[]) => enteredOf(schemes, all, principal, words)
  function toggle(): void {
    open.value = !open.value
    if (!open.value) onEnter(null)
  }
  if (!mayEnter(schemes))
    return (
      <>
        <Portfolio />
        <Units caption={t('funds.needed')} rows={rowsOf(schemes, share)} />
        <Pledging />
      </>
    )
  return (
    <>
      <Portfolio />
      {open.value ? (
        <Fields
          schemes={schemes}
          texts={texts}
          wrong={wrong}
          carried={enter(texts).rupees}
          onText={(at, text) => onEnter(enter(texts.map((each, i) => (i === at ? text : each))))}
        />
      ) : (
        <Units caption={t('funds.needed')} rows={rowsOf(schemes, share)} />
      )}
      <button type="button" class="plain" onClick={toggle}>
        {t(open.value ? 'funds.share' : 'funds.own')}
      </button>
      <Pledging />
    </>
  )
}

const rowsOf = (schemes: EmbedScheme[], share: (string | null)[]): FundRow[] =>
  schemes.map((scheme, i) => ({ ...scheme, units: share[i] ?? null }))

interface FieldsProps {
  schemes: EmbedScheme[]
  texts: readonly string[]
  wrong: Wrong
  /** The loan value of the input, in rupees. */
  carried: string | null
  onText(place: number, text: string): void
}

function Fields({ schemes, texts, wrong, carried, onText }: FieldsProps) {
  return (
    <section aria-labelledby="pick">
      <h2 id="pick">{t('funds.pick')}</h2>
      {schemes.map((scheme, i) => (
        <UnitsField
          key={`${i} ${scheme.name}`}
          scheme={scheme}
          id={idOf(nameOf(i))}
          value={texts[i] ?? ''}
          wrong={wordsFor(wrong, nameOf(i))}
          onText={(text) => onText(i, text)}
        />
      ))}
      <div class="estimate">
        <p>{t('funds.carried')}</p>
        <p class="amount" role="status">
          {carried === null ? '–' : rupees(carried)}
        </p>
        <p class="hint">{t('funds.carried.why')}</p>
      </div>
      <p class="hint">{t('funds.yours')}</p>
    </section>
  )
}

interface UnitsFieldProps {
  scheme: EmbedScheme
  id: string
  value: string
  wrong: string | undefined
  onText(text: string): void
}

function UnitsField({ scheme, id, value, wrong, onText }: UnitsFieldProps) {
  const carried = carriedBy(scheme, value)
  const most = t('funds.most', { most: units(scheme.unitsRequired) })
  return (
    <div class={wrong ? 'field bad' : 'field'}>
      <label for={id}>{scheme.name}</label>
      <p class="hint" id={`${id}-hint`}>
        {detailsOf({ ...scheme, units: null })} · {most}
      </p>
      {wrong && (
        <p class="wrong" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
      <input
        id={id}
        type="text"
        inputMode="decimal"
        autocomplete="off"
        maxLength={24}
        value={value}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={wrong ? `${id}-hint ${id}-wrong` : `${id}-hint`}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      {!wrong && carried !== null && <p class="hint">{t('funds.carries', { amount: rupees(carried) })}</p>}
    </div>
  )
}

const Pledged = ({ pledges, after }: PledgedProps) => (
  <>
    <Units caption={t(after ? 'funds.after' : 'funds.pledged')} rows={pledges} />
    {after && <Pledging />}
  </>
)

type FundRow = Pick<EmbedScheme, 'name' | 'registrar' | 'folio'> & { ltv?: string | null; units: string | null }

function Units({ caption, rows }: { caption: string; rows: FundRow[] }) {
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

const detailsOf = ({ registrar, folio, ltv }: FundRow): string =>
  [registrar, folio && t('funds.folio', { folio }), ltv && t('funds.ltv', { rate: percent(ltv) })]
    .filter(Boolean)
    .join(' · ')

here.funds = { Secured, Needed, Pledged, Statement }
