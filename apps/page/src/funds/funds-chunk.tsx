// Chunk with the parts of screens that only a loan against mutual funds needs.

import { checkedPaise } from '@lendloom/lending/money'
import type { EmbedScheme } from '@lendloom/wire/hosted/embed-lender'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import { useSignal } from '@preact/signals'
import { idOf } from '../form/field.tsx'
import { errorOf, type FieldErrors } from '../page/field-errors.ts'
import { percent, rupees, tenureOf, units } from '../page/format.ts'
import { type PledgedUnitsProps, page, type UnitsNeededProps } from '../page/page-state.ts'
import { t } from '../text.ts'
import { Pledging } from './funds-held.tsx'
import { Statement } from './funds-statement.tsx'
import {
  canEnterUnits,
  loanValueOf,
  pledgeEntriesFrom,
  requiredSchemes,
  unitsFieldName,
  unitsPerFund,
} from './units-picked.ts'

/** An offer's kind of loan, its term, its number of funds (folios of a fund count once), and a note about the lender's page. */
function LoanSummary({ offer }: { offer: EmbedOffer }) {
  const { schemes, creditLine, ownPage } = offer
  const count = new Set(schemes.map(({ registrar, schemeCode }) => `${registrar} ${schemeCode}`)).size
  return (
    <p class="known">
      {t(creditLine ? 'funds.line' : 'funds.term')} · {tenureOf(offer)} · {t('funds.secured', { count })}
      {ownPage && (
        <>
          <br />
          {t('funds.page')}
        </>
      )}
    </p>
  )
}

/** The units that an amount requires by the platform's rule, or that the borrower enters. */
function UnitsChoice({ offer, amount, entries, errors, onEnter }: UnitsNeededProps) {
  const isEditing = useSignal(entries !== null)
  const principal = checkedPaise(offer.most.amount)
  const schemes = requiredSchemes(offer.schemes)
  const requiredUnits = unitsPerFund(schemes, amount === null ? null : BigInt(amount) * 100n, principal)
  const texts = entries?.texts ?? requiredUnits.map((each) => each ?? '')
  const errorTextFor = ({ unitsRequired }: EmbedScheme) => t('funds.wrong', { most: units(unitsRequired) })
  const parse = (inputs: readonly string[]) => pledgeEntriesFrom(schemes, inputs, principal, errorTextFor)
  function toggle(): void {
    isEditing.value = !isEditing.value
    if (!isEditing.value) onEnter(null)
  }
  if (!canEnterUnits(schemes))
    return (
      <>
        <Units caption={t('funds.needed')} rows={rowsOf(schemes, requiredUnits)} />
        <Pledging />
      </>
    )
  return (
    <>
      {isEditing.value ? (
        <UnitsFields
          schemes={schemes}
          texts={texts}
          error={errors}
          loanValue={parse(texts).rupees}
          onText={(index, text) => onEnter(parse(texts.map((each, i) => (i === index ? text : each))))}
        />
      ) : (
        <Units caption={t('funds.needed')} rows={rowsOf(schemes, requiredUnits)} />
      )}
      <div class="actions">
        <button type="button" class="plain" onClick={toggle}>
          {t(isEditing.value ? 'funds.share' : 'funds.own')}
        </button>
      </div>
      <Pledging />
    </>
  )
}

const rowsOf = (schemes: EmbedScheme[], requiredUnits: (string | null)[]): FundRow[] =>
  schemes.map((scheme, i) => ({ ...scheme, units: requiredUnits[i] ?? null }))

interface UnitsFieldsProps {
  schemes: EmbedScheme[]
  texts: readonly string[]
  error: FieldErrors
  /** Loan value of all entered units, in rupees. */
  loanValue: string | null
  onText(index: number, text: string): void
}

function UnitsFields({ schemes, texts, error, loanValue, onText }: UnitsFieldsProps) {
  return (
    <section aria-labelledby="pick">
      <h2 id="pick">{t('funds.pick')}</h2>
      {schemes.map((scheme, i) => (
        <UnitsField
          key={`${i} ${scheme.name}`}
          scheme={scheme}
          id={idOf(unitsFieldName(i))}
          value={texts[i] ?? ''}
          error={errorOf(error, unitsFieldName(i))}
          onText={(text) => onText(i, text)}
        />
      ))}
      <div class="estimate">
        <p>{t('funds.carried')}</p>
        <p class="amount" role="status">
          {loanValue === null ? '–' : rupees(loanValue)}
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
  error: string | undefined
  onText(text: string): void
}

function UnitsField({ scheme, id, value, error, onText }: UnitsFieldProps) {
  const loanValue = loanValueOf(scheme, value)
  const most = t('funds.most', { most: units(scheme.unitsRequired) })
  return (
    <div class={error ? 'field bad' : 'field'}>
      <label for={id}>{scheme.name}</label>
      <p class="hint" id={`${id}-hint`}>
        {detailsOf({ ...scheme, units: null })} · {most}
      </p>
      {error && (
        <p class="wrong" id={`${id}-wrong`}>
          {error}
        </p>
      )}
      <input
        id={id}
        type="text"
        inputMode="decimal"
        autocomplete="off"
        maxLength={24}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-hint ${id}-wrong` : `${id}-hint`}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      {!error && loanValue !== null && <p class="hint">{t('funds.carries', { amount: rupees(loanValue) })}</p>}
    </div>
  )
}

function PledgedUnits({ pledges, after, releasedBy: lender }: PledgedUnitsProps) {
  if (lender) return <Units caption={t('funds.released', { lender })} rows={pledges} isFree />
  return (
    <>
      <Units caption={t(after ? 'funds.after' : 'funds.pledged')} rows={pledges} />
      {after && <Pledging />}
    </>
  )
}

type FundRow = Pick<EmbedScheme, 'name' | 'registrar' | 'folio'> & { ltv?: string | null; units: string | null }

function Units({ caption, rows, isFree = false }: { caption: string; rows: FundRow[]; isFree?: boolean }) {
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
      {!isFree && <p class="hint">{t('funds.yours')}</p>}
    </div>
  )
}

const detailsOf = ({ registrar, folio, ltv }: FundRow): string =>
  [registrar, folio && t('funds.folio', { folio }), ltv && t('funds.ltv', { rate: percent(ltv) })]
    .filter(Boolean)
    .join(' · ')

page.funds = { Secured: LoanSummary, Needed: UnitsChoice, Pledged: PledgedUnits, Statement }
